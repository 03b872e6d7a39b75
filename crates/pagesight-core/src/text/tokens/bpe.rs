//! Counts the tokens of a piece: pairs of neighbours are merged, the pair with the lowest rank
//! first, until no pair is a token.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::Peekable;

use super::table::TokenTable;

/// The bytes of the longest piece whose lowest rank is found by looking at all of them. That is
/// quadratic, but faster than a heap for so few.
pub(super) const LONGEST_SCANNED: usize = 40;
/// The rank of a pair that is not a token.
const NOT_A_TOKEN: u32 = u32::MAX;

/// Returns the number of tokens of a piece that is not a token.
pub(super) fn merged(table: &TokenTable<'_>, text: &[u8], start: usize, length: usize) -> usize {
    if length <= LONGEST_SCANNED {
        scan(table, text, start, length)
    } else {
        queue(table, text, start, length)
    }
}

/// Merges a short piece. The pair with the lowest rank is searched before each merge.
pub(super) fn scan(table: &TokenTable<'_>, text: &[u8], start: usize, length: usize) -> usize {
    let rank = |from: u8, to: u8| {
        let (from, to) = (usize::from(from), usize::from(to));
        table.rank(text, start + from, to - from).unwrap_or(NOT_A_TOKEN)
    };
    // Part `n` is from `bounds[n]` to `bounds[n + 1]`; `ranks[n]` is that of parts `n` and `n + 1`.
    let mut bounds: [u8; LONGEST_SCANNED + 1] = std::array::from_fn(|at| at as u8);
    let mut ranks = [NOT_A_TOKEN; LONGEST_SCANNED + 1];
    for (pair, at) in ranks.iter_mut().zip(0..length as u8 - 1) {
        *pair = rank(at, at + 2);
    }
    let mut parts = length;
    while parts > 1 {
        let pairs = &ranks[..parts - 1];
        let lowest = pairs.iter().copied().min().unwrap_or(NOT_A_TOKEN);
        if lowest == NOT_A_TOKEN {
            break;
        }
        let at = pairs.iter().position(|rank| *rank == lowest).unwrap_or_default();
        bounds.copy_within(at + 2..=parts, at + 1);
        ranks.copy_within(at + 1..parts, at);
        parts -= 1;
        ranks[at] = match at + 2 <= parts {
            true => rank(bounds[at], bounds[at + 2]),
            false => NOT_A_TOKEN,
        };
        if at > 0 {
            ranks[at - 1] = rank(bounds[at - 1], bounds[at + 1]);
        }
    }
    parts
}

/// Merges a long piece in O(n log n). An entry whose pair has changed since stays where it is; its
/// rank is no longer that of its place.
pub(super) fn queue(table: &TokenTable<'_>, text: &[u8], start: usize, length: usize) -> usize {
    // Places are u32. No text of 4 GiB is ever counted; its bytes are an upper bound.
    let Ok(end) = u32::try_from(length) else { return length };
    let rank = |from: u32, to: u32| {
        let bytes = (to - from) as usize;
        table.rank(text, start + from as usize, bytes).unwrap_or(NOT_A_TOKEN)
    };
    let mut next: Vec<u32> = (1..=end).collect();
    let mut previous: Vec<u32> = (0..end).map(|at| at.saturating_sub(1)).collect();
    let mut ranks: Vec<u32> = (0..end - 1).map(|at| rank(at, at + 2)).collect();
    ranks.push(NOT_A_TOKEN);
    let mut pairs = PairQueue::of(&ranks);

    let mut parts = length;
    while let Some((lowest, at)) = pairs.take_lowest() {
        if ranks[at as usize] != lowest {
            continue;
        }
        let gone = next[at as usize];
        let after = next[gone as usize];
        next[at as usize] = after;
        ranks[gone as usize] = NOT_A_TOKEN;
        parts -= 1;
        let mut renew = |at: u32, rank: u32| {
            ranks[at as usize] = rank;
            pairs.add(rank, at);
        };
        if after < end {
            previous[after as usize] = at;
            renew(at, rank(at, next[after as usize]));
        } else {
            renew(at, NOT_A_TOKEN);
        }
        if at > 0 {
            let before = previous[at as usize];
            renew(before, rank(before, after));
        }
    }
    parts
}

/// Pairs by rank, then by place. The pairs of the start are sorted once, which is faster than a
/// heap of all; only the pairs that merges make are in a heap.
struct PairQueue {
    first: Peekable<std::vec::IntoIter<u64>>,
    later: BinaryHeap<Reverse<u64>>,
}

impl PairQueue {
    /// Returns the pairs that are tokens.
    fn of(ranks: &[u32]) -> PairQueue {
        let pairs = ranks.iter().zip(0u32..).filter(|(rank, _)| **rank != NOT_A_TOKEN);
        let mut first: Vec<u64> = pairs.map(|(rank, at)| entry(*rank, at)).collect();
        first.sort_unstable();
        PairQueue { first: first.into_iter().peekable(), later: BinaryHeap::new() }
    }

    /// Adds a pair if it is a token.
    fn add(&mut self, rank: u32, at: u32) {
        if rank != NOT_A_TOKEN {
            self.later.push(Reverse(entry(rank, at)));
        }
    }

    /// Takes the pair with the lowest rank: the rank and the place.
    fn take_lowest(&mut self) -> Option<(u32, u32)> {
        let is_later = match (self.first.peek(), self.later.peek()) {
            (Some(first), Some(Reverse(later))) => later < first,
            (first, _) => first.is_none(),
        };
        let lowest = match is_later {
            true => self.later.pop().map(|Reverse(entry)| entry),
            false => self.first.next(),
        };
        lowest.map(|entry| ((entry >> 32) as u32, entry as u32))
    }
}

/// Returns a number that sorts by rank, then by place.
fn entry(rank: u32, at: u32) -> u64 {
    u64::from(rank) << 32 | u64::from(at)
}
