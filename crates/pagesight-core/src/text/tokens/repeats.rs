//! Remembers the counts of pieces that occur again in the same text, such as rare names and words
//! of languages that have few tokens. It holds places in the text instead of copies.

use super::table::word;

/// How many pieces are remembered. A power of two.
const SLOTS: usize = 512;

/// The counts of pieces that were merged before.
pub(super) struct Repeats {
    slots: [MergedPiece; SLOTS],
}

/// A piece of the text and its count. A length of 0 means that the slot is free.
#[derive(Clone, Copy)]
struct MergedPiece {
    start: u32,
    length: u16,
    count: u16,
}

impl Default for Repeats {
    fn default() -> Repeats {
        Repeats { slots: [MergedPiece { start: 0, length: 0, count: 0 }; SLOTS] }
    }
}

impl Repeats {
    /// Returns the count of a piece: the remembered one, or that of `merge`.
    pub(super) fn count(
        &mut self,
        text: &[u8],
        start: usize,
        length: usize,
        merge: impl FnOnce() -> usize,
    ) -> usize {
        let slot = &mut self.slots[slot(text, start, length)];
        let known = slot.start as usize;
        if usize::from(slot.length) == length
            && text.get(known..known + length) == text.get(start..start + length)
        {
            return usize::from(slot.count);
        }
        let count = merge();
        // What does not fit is merged again each time.
        if let (Ok(start), Ok(length), Ok(count)) =
            (u32::try_from(start), u16::try_from(length), u16::try_from(count))
        {
            *slot = MergedPiece { start, length, count };
        }
        count
    }
}

/// Returns the slot of a piece, from its first and last eight bytes.
fn slot(text: &[u8], start: usize, length: usize) -> usize {
    let first = word(text, start, length.min(8));
    let last = word(text, start + length.saturating_sub(8), length.min(8));
    let mixed = (first ^ last.rotate_left(29) ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize % SLOTS
}
