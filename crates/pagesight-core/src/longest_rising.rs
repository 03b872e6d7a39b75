//! A longest increasing subsequence: the elements that stay, so that as few as possible of the
//! others count as moved.

/// Marks the numbers of a longest increasing subsequence.
pub(crate) fn longest_rising(numbers: &[usize]) -> Vec<bool> {
    // For each length, the position of the smallest number that ends such a run; for each position,
    // the position before it in the run.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (at, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut stays = vec![false; numbers.len()];
    for at in std::iter::successors(ends.last().copied(), |at| before[*at]) {
        stays[at] = true;
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_few_as_possible_move() {
        assert_eq!(longest_rising(&[1, 2, 3]), [true; 3]);
        assert_eq!(longest_rising(&[4, 1, 2, 3]), [false, true, true, true]);
        assert_eq!(longest_rising(&[2, 3, 4, 1]), [true, true, true, false]);
        assert_eq!(longest_rising(&[3, 2, 1]).iter().filter(|stays| **stays).count(), 1);
        assert!(longest_rising(&[]).is_empty());
    }
}
