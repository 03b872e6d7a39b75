//! The o200k vocabulary and the classes of characters that its split needs, read where they lie in
//! the program. Nothing is built at start and nothing is kept on the heap; only the pages of the
//! program that are needed come into memory.
//!
//! All numbers are little-endian.
//!
//! ```text
//! "pstokens", u32 version, u32 blocks of classes
//! 15  × u32: how many tokens have 2, 3, … 16 bytes
//! 112 × u16: how many tokens have 17, 18, … 128 bytes
//! 4352 × u8: the block of each 256 characters
//! blocks × 128 bytes: the classes of 256 characters, the first in the low half of the first byte
//! for 2 to 16 bytes, in this order:
//!     (2^bits + 1) × u16: where the entries of each bucket begin; [`directory_bits`]
//!     tokens × entry: u24 (6 bits of the key, 18 bits of rank), then the other bits of the key
//! for 17 to 128 bytes: tokens × (the bytes of the token, u24 rank), ascending
//! 8 × 0, so that eight bytes can be read from the last entry on
//! ```
//!
//! A key is a token after a bijection ([`TokenKey`]). Its first 16 bits are not stored as bytes:
//! the place of the entry gives the first of them, and the rest fits beside the rank. So an entry
//! is one byte longer than its token, and equal keys mean equal tokens.

use super::classes::CharClass;

/// The version of the form that this code reads.
pub(super) const TABLE_VERSION: u32 = 1;
pub(super) const MAGIC: &[u8; 8] = b"pstokens";
/// The bytes of the longest token that is found by hash. Longer ones are few; they are searched.
pub(super) const LONGEST_HASHED: usize = 16;
/// The bytes of the longest token.
pub(super) const LONGEST: usize = 128;
/// Characters per block of classes.
pub(super) const BLOCK: usize = 256;
/// Blocks of all characters of Unicode.
pub(super) const BLOCKS: usize = 0x11_0000 / BLOCK;
/// Zeros at the end of the table.
pub(super) const PADDING: usize = 8;
/// Bits of a rank.
pub(super) const RANK_BITS: u32 = 18;
/// Bits of a key that are not stored as bytes.
const QUOTIENT_BITS: u32 = 16;

const RANK_MASK: u32 = (1 << RANK_BITS) - 1;
const HASHED_LENGTHS: usize = LONGEST_HASHED - 1;
const SEARCHED_LENGTHS: usize = LONGEST - LONGEST_HASHED;

/// The tokens of one length up to [`LONGEST_HASHED`].
#[derive(Clone, Copy, Debug, Default)]
struct TokenGroup<'a> {
    bits: u32,
    directory: &'a [u8],
    /// The entries and everything after them.
    entries: &'a [u8],
}

/// The vocabulary over the bytes of a file.
#[derive(Debug)]
pub(super) struct TokenTable<'a> {
    block_numbers: &'a [u8],
    blocks: &'a [u8],
    groups: [TokenGroup<'a>; HASHED_LENGTHS],
    searched: [&'a [u8]; SEARCHED_LENGTHS],
}

impl<'a> TokenTable<'a> {
    /// Reads the head. Returns `None` if the bytes are not a table of this version, or if they are
    /// too few or too many.
    pub(super) fn read(bytes: &'a [u8]) -> Option<TokenTable<'a>> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        if number(next_bytes(&mut rest, 4)?) != TABLE_VERSION {
            return None;
        }
        let blocks = usize::try_from(number(next_bytes(&mut rest, 4)?)).ok()?;
        let hashed = next_bytes(&mut rest, 4 * HASHED_LENGTHS)?;
        let searched = next_bytes(&mut rest, 2 * SEARCHED_LENGTHS)?;
        let mut table = TokenTable {
            block_numbers: next_bytes(&mut rest, BLOCKS)?,
            blocks: next_bytes(&mut rest, blocks.checked_mul(BLOCK / 2)?)?,
            groups: [TokenGroup::default(); HASHED_LENGTHS],
            searched: [&[]; SEARCHED_LENGTHS],
        };
        for (at, group) in table.groups.iter_mut().enumerate() {
            let count = usize::try_from(number(&hashed[4 * at..])).ok()?;
            group.bits = directory_bits(count);
            group.directory = next_bytes(&mut rest, 2 * ((1 << group.bits) + 1))?;
            group.entries = rest;
            next_bytes(&mut rest, count.checked_mul(entry_width(at + 2))?)?;
        }
        for (at, tokens) in table.searched.iter_mut().enumerate() {
            let count = usize::from(u16::from_le_bytes([searched[2 * at], searched[2 * at + 1]]));
            *tokens = next_bytes(&mut rest, count * searched_width(LONGEST_HASHED + 1 + at))?;
        }
        (rest.len() == PADDING).then_some(table)
    }

    /// Returns the class of a character.
    pub(super) fn class(&self, character: char) -> CharClass {
        let code = character as usize;
        let byte = self.block_numbers.get(code / BLOCK).and_then(|block| {
            self.blocks.get(usize::from(*block) * (BLOCK / 2) + code % BLOCK / 2)
        });
        byte.map_or(CharClass::Other, |byte| CharClass::of_number(byte >> (code % 2 * 4) & 0xf))
    }

    /// Returns the rank of the token that `text` has from `start` on, `length` bytes long.
    /// `None` if it is not a token, or a single byte.
    pub(super) fn rank(&self, text: &[u8], start: usize, length: usize) -> Option<u32> {
        match length {
            0 | 1 => None,
            2..8 => {
                let key = TokenKey::of_short(word(text, start, length), length);
                self.groups[length - 2].find_short(&key, length)
            }
            8..=LONGEST_HASHED => {
                let low = word(text, start, 8);
                let key = TokenKey::of_long(low, word(text, start + 8, length - 8));
                self.groups[length - 2].find_long(&key, length)
            }
            _ if length <= LONGEST => self.search(text.get(start..start + length)?),
            _ => None,
        }
    }

    /// Finds a token of more than [`LONGEST_HASHED`] bytes.
    fn search(&self, token: &[u8]) -> Option<u32> {
        let tokens = self.searched[token.len() - LONGEST_HASHED - 1];
        let width = searched_width(token.len());
        let (mut from, mut to) = (0, tokens.len() / width);
        while from < to {
            let middle = from.midpoint(to);
            let (found, rank) = tokens[middle * width..][..width].split_at(token.len());
            match found.cmp(token) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
                std::cmp::Ordering::Equal => {
                    return Some(u32::from_le_bytes([rank[0], rank[1], rank[2], 0]));
                }
            }
        }
        None
    }
}

impl TokenGroup<'_> {
    /// Returns where the entries of a key's bucket begin and end, and the bits of the key's
    /// quotient that the bucket does not give.
    #[inline]
    fn bucket(&self, quotient: u32) -> (usize, usize, u32) {
        let given = QUOTIENT_BITS - self.bits;
        let at = 2 * (quotient >> given) as usize;
        let four = self.directory.get(at..at + 4).and_then(|four| four.first_chunk::<4>());
        let both = four.map_or(0, |four| u32::from_le_bytes(*four));
        ((both & 0xffff) as usize, (both >> 16) as usize, quotient & ((1 << given) - 1))
    }

    /// Finds a key whose entries have at most eight bytes.
    #[inline]
    fn find_short(&self, key: &TokenKey, length: usize) -> Option<u32> {
        let (from, to, extra) = self.bucket(key.quotient);
        let width = entry_width(length);
        let wanted = key.low << 24 | u64::from(extra) << RANK_BITS;
        let unwanted = u64::from(RANK_MASK);
        let mask = u64::MAX >> (64 - 8 * width);
        (from..to).find_map(|at| {
            let entry = eight(self.entries, at * width)? & mask;
            (entry & !unwanted == wanted).then_some((entry & unwanted) as u32)
        })
    }

    /// Finds a key whose entries have more than eight bytes.
    fn find_long(&self, key: &TokenKey, length: usize) -> Option<u32> {
        let (from, to, extra) = self.bucket(key.quotient);
        let width = entry_width(length);
        let high = u64::MAX.checked_shr(8 * (16 - length as u32)).unwrap_or(0);
        (from..to).find_map(|at| {
            let entry = self.entries.get(at * width..)?;
            let head = eight(entry, 0)? as u32 & 0xff_ffff;
            let is_it = eight(entry, 3)? & (u64::MAX >> QUOTIENT_BITS) == key.low
                && head >> RANK_BITS == extra
                && (length == 8 || eight(entry, 9)? & high == key.high);
            is_it.then_some(head & RANK_MASK)
        })
    }
}

/// A token after a bijection that spreads it over the buckets.
pub(super) struct TokenKey {
    /// The first 16 bits. The bucket is given by the first of them.
    pub(super) quotient: u32,
    /// The other bits of the first eight bytes.
    pub(super) low: u64,
    /// The bytes after the eighth.
    pub(super) high: u64,
}

impl TokenKey {
    /// Returns the key of a token of 2 to 8 bytes.
    pub(super) fn of_short(token: u64, length: usize) -> TokenKey {
        // Multiplying by an odd number, modulo a power of two, and xor with a right shift can both
        // be undone. So different tokens of a length have different keys.
        let bits = 8 * length as u32;
        let mask = u64::MAX >> (64 - bits);
        let mut key = token.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        key ^= key >> (bits / 2);
        key = key.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask;
        let rest = bits - QUOTIENT_BITS;
        TokenKey { quotient: (key >> rest) as u32, low: key & ((1 << rest) - 1), high: 0 }
    }

    /// Returns the key of a token of 8 to 16 bytes: the first eight, and the others.
    pub(super) fn of_long(token: u64, high: u64) -> TokenKey {
        // The bytes after the eighth are stored as they are, so they may change the others.
        let spread = high.wrapping_mul(0xa24b_aed4_963e_e407);
        TokenKey { high, ..TokenKey::of_short(token ^ spread ^ spread >> 32, 8) }
    }
}

/// Returns the bits of the number of a bucket, for a group of so many tokens. There are at most
/// two tokens per bucket on average. Fewer than ten bits would leave too many bits of the key for
/// an entry.
pub(super) fn directory_bits(tokens: usize) -> u32 {
    (10..QUOTIENT_BITS).find(|bits| tokens <= 2 << bits).unwrap_or(QUOTIENT_BITS)
}

/// Returns the bytes of an entry for a token of up to [`LONGEST_HASHED`] bytes.
pub(super) fn entry_width(length: usize) -> usize {
    length + 1
}

/// Returns the bytes of an entry for a longer token.
fn searched_width(length: usize) -> usize {
    length + 3
}

/// Returns up to eight bytes of a text as a number.
pub(super) fn word(text: &[u8], start: usize, length: usize) -> u64 {
    if length == 0 {
        return 0;
    }
    let whole = eight(text, start).unwrap_or_else(|| {
        let mut bytes = [0; 8];
        let rest = text.get(start..).unwrap_or_default();
        bytes[..rest.len()].copy_from_slice(rest);
        u64::from_le_bytes(bytes)
    });
    whole & (u64::MAX >> (64 - 8 * length))
}

/// Returns eight bytes as a number.
fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..at + 8)?.first_chunk()?))
}

/// Returns the number at the beginning of four bytes or more.
fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |four| u32::from_le_bytes(*four))
}

/// Takes bytes from the beginning.
fn next_bytes<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}
