//! Finds where a page of rows goes on after the page before it, by the content of the rows alone.

/// How the rows of a page overlap with those of the page before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageOverlap {
    /// All of them are among the rows before, from this one on.
    Inside(usize),
    /// This many first ones are the last rows before.
    Start(usize),
}

/// Compares the rows of a page (`now`) with those of the page before, in linear time. The longest
/// overlap is taken.
pub(super) fn overlap(before: &[u64], now: &[u64]) -> PageOverlap {
    if now.is_empty() {
        return PageOverlap::Start(0);
    }
    // Knuth, Morris and Pratt: for each row, how many first rows end there, too.
    let mut borders = vec![0; now.len()];
    let mut length = 0;
    for at in 1..now.len() {
        while length > 0 && now[at] != now[length] {
            length = borders[length - 1];
        }
        length += usize::from(now[at] == now[length]);
        borders[at] = length;
    }
    let mut length = 0;
    for (at, row) in before.iter().enumerate() {
        while length > 0 && *row != now[length] {
            length = borders[length - 1];
        }
        length += usize::from(*row == now[length]);
        if length == now.len() {
            return PageOverlap::Inside(at + 1 - length);
        }
    }
    PageOverlap::Start(length)
}
