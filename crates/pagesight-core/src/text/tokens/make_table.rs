//! Makes the table from the crates `tiktoken` (vocabulary) and `regex` (Unicode), and compares it
//! with the committed one. `cargo xtask tokens` sets the variable that makes the test write it.

use regex::Regex;

use super::classes::CharClass;
use super::table::{
    BLOCK, BLOCKS, LONGEST, LONGEST_HASHED, MAGIC, PADDING, RANK_BITS, TABLE_VERSION, TokenKey,
    directory_bits, entry_width, word,
};

/// Returns the bytes of the table.
fn table() -> Vec<u8> {
    let (numbers, blocks) = class_blocks();
    let groups = tokens_by_length();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(TABLE_VERSION.to_le_bytes());
    bytes.extend(u32::try_from(blocks.len()).expect("few blocks").to_le_bytes());
    for group in &groups[2..=LONGEST_HASHED] {
        bytes.extend(u32::try_from(group.len()).expect("few tokens").to_le_bytes());
    }
    for group in &groups[LONGEST_HASHED + 1..] {
        bytes.extend(u16::try_from(group.len()).expect("few long tokens").to_le_bytes());
    }
    bytes.extend(numbers);
    bytes.extend(blocks.concat());
    for (length, group) in groups.iter().enumerate().take(LONGEST_HASHED + 1).skip(2) {
        bytes.extend(hashed(length, group));
    }
    for group in &groups[LONGEST_HASHED + 1..] {
        let mut sorted: Vec<_> = group.iter().collect();
        sorted.sort();
        for (token, rank) in sorted {
            bytes.extend(token);
            bytes.extend(&rank.to_le_bytes()[..3]);
        }
    }
    bytes.extend([0; PADDING]);
    bytes
}

/// Returns the tokens of each length, in the order of their ranks.
fn tokens_by_length() -> Vec<Vec<(Vec<u8>, u32)>> {
    let encoding = tiktoken::get_encoding("o200k_base").expect("the vocabulary is compiled in");
    let mut groups = vec![Vec::new(); LONGEST + 1];
    for rank in 0..u32::try_from(encoding.vocab_size()).expect("few tokens") {
        let token = encoding.decode(&[rank]);
        assert!(!token.is_empty(), "rank {rank} has no token");
        assert_eq!(rank >> RANK_BITS, 0);
        groups[token.len()].push((token, rank));
    }
    // The count relies on this: a single byte is always a token.
    assert_eq!(groups[1].len(), 256);
    groups
}

/// Returns the directory and the entries of the tokens of one length.
fn hashed(length: usize, group: &[(Vec<u8>, u32)]) -> Vec<u8> {
    let given = 16 - directory_bits(group.len());
    let mut keys: Vec<(TokenKey, u32)> = group
        .iter()
        .map(|(token, rank)| {
            let low = word(token, 0, length.min(8));
            let key = match length {
                ..8 => TokenKey::of_short(low, length),
                _ => TokenKey::of_long(low, word(token, 8, length - 8)),
            };
            (key, *rank)
        })
        .collect();
    // A stable sort: frequent tokens, which have low ranks, come first in a bucket.
    keys.sort_by_key(|(key, _)| key.quotient >> given);
    let mut bytes = Vec::new();
    for bucket in 0..=1u32 << (16 - given) {
        let start = keys.partition_point(|(key, _)| key.quotient >> given < bucket);
        bytes.extend(u16::try_from(start).expect("few tokens").to_le_bytes());
    }
    for (key, rank) in keys {
        let extra = key.quotient & ((1 << given) - 1);
        let head = extra << RANK_BITS | rank;
        assert_eq!(head >> 24, 0);
        let entry = bytes.len();
        bytes.extend(&head.to_le_bytes()[..3]);
        bytes.extend(&key.low.to_le_bytes()[..length.min(8) - 2]);
        bytes.extend(&key.high.to_le_bytes()[..length.saturating_sub(8)]);
        assert_eq!(bytes.len() - entry, entry_width(length));
    }
    bytes
}

/// Returns the block of each 256 characters, and the blocks.
fn class_blocks() -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut classes = vec![CharClass::Other; BLOCK * BLOCKS];
    let every: String = ('\0'..=char::MAX).collect();
    for (pattern, class) in [
        (r"[\p{Lu}\p{Lt}]+", CharClass::Upper),
        (r"\p{Ll}+", CharClass::Lower),
        (r"[\p{Lm}\p{Lo}]+", CharClass::Caseless),
        (r"\p{M}+", CharClass::Mark),
        (r"\p{N}+", CharClass::Number),
        (r"\s+", CharClass::Space),
        (r"[\r\n]+", CharClass::LineEnd),
    ] {
        let pattern = Regex::new(pattern).expect("a pattern");
        for run in pattern.find_iter(&every) {
            for character in run.as_str().chars() {
                let known = &mut classes[character as usize];
                assert!(matches!(known, CharClass::Other | CharClass::Space), "{character:?}");
                *known = class;
            }
        }
    }
    let (mut numbers, mut blocks): (Vec<u8>, Vec<Vec<u8>>) = (Vec::new(), Vec::new());
    for classes in classes.chunks(BLOCK) {
        let pairs = classes.as_chunks::<2>().0;
        let block: Vec<u8> =
            pairs.iter().map(|[low, high]| *low as u8 | (*high as u8) << 4).collect();
        let number = blocks.iter().position(|known| *known == block).unwrap_or_else(|| {
            blocks.push(block);
            blocks.len() - 1
        });
        numbers.push(u8::try_from(number).expect("few different blocks"));
    }
    (numbers, blocks)
}

#[cfg(test)]
mod tests {
    /// If this variable is set, the table is written instead of compared.
    const WRITE: &str = "PAGESIGHT_WRITE_TOKENS";
    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/text/tokens/o200k.bin");

    #[test]
    fn the_committed_table_is_made_from_the_crates() {
        let made = super::table();
        if std::env::var_os(WRITE).is_some() {
            std::fs::write(FILE, &made).expect("the table is written");
            return;
        }
        assert!(made == super::super::BYTES, "o200k.bin is outdated; run cargo xtask tokens");
    }
}
