//! P3.5: roles and types that occur often stand in a dictionary at the top, and each node has only
//! their place in it.

use std::collections::BTreeMap;

/// From how many on a word is common.
const COMMON: usize = 3;

/// The common words of one kind, the most frequent first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bucket<'w> {
    words: Vec<&'w str>,
    places: BTreeMap<&'w str, usize>,
}

impl<'w> Bucket<'w> {
    /// The dictionary of some words; empty ones are none.
    pub fn of(all: impl Iterator<Item = &'w str>) -> Bucket<'w> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for word in all.filter(|word| !word.is_empty()) {
            *counts.entry(word).or_default() += 1;
        }
        let mut words: Vec<(&str, usize)> =
            counts.into_iter().filter(|(_, count)| *count >= COMMON).collect();
        words.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
        let words: Vec<&str> = words.into_iter().map(|(word, _)| word).collect();
        let places = words.iter().enumerate().map(|(place, word)| (*word, place)).collect();
        Bucket { words, places }
    }

    /// The words in their order.
    pub fn words(&self) -> &[&'w str] {
        &self.words
    }

    /// Where a word stands, if it is common.
    pub fn place(&self, word: &str) -> Option<usize> {
        self.places.get(word).copied()
    }
}
