//! P3.5: prints common roles and types once, in a dictionary; nodes refer to them by index.

use std::collections::BTreeMap;

/// A word is common from this many occurrences on.
const COMMON: usize = 3;

/// The common words of one kind, the most frequent first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bucket<'w> {
    words: Vec<&'w str>,
    indexes: BTreeMap<&'w str, usize>,
}

impl<'w> Bucket<'w> {
    /// Makes the dictionary of some words, without empty ones.
    pub(crate) fn of(all: impl Iterator<Item = &'w str>) -> Bucket<'w> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for word in all.filter(|word| !word.is_empty()) {
            *counts.entry(word).or_default() += 1;
        }
        let mut words: Vec<(&str, usize)> =
            counts.into_iter().filter(|(_, count)| *count >= COMMON).collect();
        words.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
        let words: Vec<&str> = words.into_iter().map(|(word, _)| word).collect();
        let indexes = words.iter().enumerate().map(|(index, word)| (*word, index)).collect();
        Bucket { words, indexes }
    }

    /// Returns the words in order.
    pub(crate) fn words(&self) -> &[&'w str] {
        &self.words
    }

    /// Returns the index of a word, if it is common.
    pub(crate) fn index(&self, word: &str) -> Option<usize> {
        self.indexes.get(word).copied()
    }
}
