//! Finds lines that moved: they have a different parent, or a different order among their siblings.
//! Of siblings that changed their order, as few as possible count as moved.

use std::collections::HashMap;

use crate::diff::lines::Lines;
use crate::diff::matching::Matching;

/// How a line moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// It changed its position among its siblings.
    Within,
    /// It has a different parent.
    Elsewhere,
}

/// Returns for each line of the new page whether it moved.
pub(super) fn moved(old: &Lines<'_>, new: &Lines<'_>, matching: &Matching) -> Vec<Option<Move>> {
    let mut moved = vec![None; new.lines.len()];
    // The nearest ancestor that both pages have. Lines that only one page has are looked through.
    let old_holders = holders(old, &matching.to_new);
    let new_holders = holders(new, &matching.to_old);
    let mut families: HashMap<Option<usize>, Vec<(usize, usize)>> = HashMap::new();
    for (after, before) in matching.to_old.iter().enumerate() {
        let Some(before) = *before else { continue };
        let holder = old_holders[before].map(|holder| matching.to_new[holder]);
        match (holder, new_holders[after]) {
            (None, None) => families.entry(None).or_default().push((before, after)),
            (Some(was), now) if was == now => {
                families.entry(now).or_default().push((before, after))
            }
            _ => moved[after] = Some(Move::Elsewhere),
        }
    }
    for family in families.values() {
        let order: Vec<usize> = family.iter().map(|(before, _)| *before).collect();
        if order.is_sorted() {
            continue;
        }
        let mut stays = vec![false; family.len()];
        for place in longest_rising(&order) {
            stays[place] = true;
        }
        for ((_, after), stays) in family.iter().zip(stays) {
            moved[*after] = (!stays).then_some(Move::Within);
        }
    }
    moved
}

/// Returns for each line its nearest paired ancestor.
fn holders(lines: &Lines<'_>, partners: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut out: Vec<Option<usize>> = Vec::with_capacity(partners.len());
    for line in &lines.lines {
        let holder = line
            .parent
            .and_then(|parent| if partners[parent].is_some() { Some(parent) } else { out[parent] });
        out.push(holder);
    }
    out
}

/// Returns the indexes of a longest increasing subsequence.
fn longest_rising(numbers: &[usize]) -> Vec<usize> {
    // For each length, the position of the smallest number that ends such a run; for each position,
    // the position before it in the run.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (place, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() { ends.push(place) } else { ends[length] = place }
    }
    let mut run: Vec<usize> =
        std::iter::successors(ends.last().copied(), |place| before[*place]).collect();
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_few_as_possible_move() {
        assert_eq!(longest_rising(&[1, 2, 3]), [0, 1, 2]);
        assert_eq!(longest_rising(&[4, 1, 2, 3]), [1, 2, 3]);
        assert_eq!(longest_rising(&[2, 3, 4, 1]), [0, 1, 2]);
        assert_eq!(longest_rising(&[3, 2, 1]).len(), 1);
        assert!(longest_rising(&[]).is_empty());
    }
}
