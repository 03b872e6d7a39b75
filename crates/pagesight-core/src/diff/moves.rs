//! Finds lines that moved: they have a different parent, or a different order among their siblings.
//! Of siblings that changed their order, as few as possible count as moved.

use std::collections::HashMap;

use crate::diff::lines::Lines;
use crate::diff::matching::Matching;
use crate::longest_rising::longest_rising;

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
        let Some(before) = before.filter(|_| !matching.re_laid.contains(&after)) else { continue };
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
        for ((_, after), stays) in family.iter().zip(longest_rising(&order)) {
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
