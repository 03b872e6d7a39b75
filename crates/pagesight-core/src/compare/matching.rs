//! Pairs the entries of two pages. Rounds of keys come first, the strictest round first; equal keys
//! are paired in order, each entry once. The remaining entries are paired by their neighbours:
//! between two paired entries, the only entry of its kind before is the only one now.

use std::collections::{HashMap, VecDeque};
use std::hash::Hasher;

use xxhash_rust::xxh3::Xxh3;

/// The largest group between two neighbours in which similar texts are searched.
const MOST_SIMILAR: usize = 40;

/// A key, and the paired neighbours before and after.
type Gap = (u64, usize, usize);

/// Pairs of two sequences.
pub(super) struct Pairs {
    /// For each old entry its new entry.
    pub(super) new_of: Vec<Option<usize>>,
    /// For each new entry its old entry.
    pub(super) old_of: Vec<Option<usize>>,
}

/// Returns a key over several parts.
pub(super) fn key(parts: &[&str]) -> u64 {
    let mut hasher = Xxh3::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update(&[0xff]);
    }
    hasher.finish()
}

impl Pairs {
    pub(super) fn new(old: usize, new: usize) -> Pairs {
        Pairs { new_of: vec![None; old], old_of: vec![None; new] }
    }

    /// Returns the new entries without an old one.
    pub(super) fn only_new(&self) -> impl Iterator<Item = usize> {
        self.old_of.iter().enumerate().filter(|(_, old)| old.is_none()).map(|(at, _)| at)
    }

    /// Returns the old entries without a new one.
    pub(super) fn only_old(&self) -> impl Iterator<Item = usize> {
        self.new_of.iter().enumerate().filter(|(_, new)| new.is_none()).map(|(at, _)| at)
    }

    /// Pairs equal entries from the start and from the end; most of a page is equal.
    pub(super) fn ends(&mut self, same: impl Fn(usize, usize) -> bool) {
        let (old, new) = (self.new_of.len(), self.old_of.len());
        let most = old.min(new);
        let front = (0..most).take_while(|at| same(*at, *at)).count();
        let back = (0..most - front).take_while(|at| same(old - 1 - at, new - 1 - at)).count();
        (0..front).for_each(|at| self.set(at, at));
        (0..back).for_each(|at| self.set(old - 1 - at, new - 1 - at));
    }

    /// Pairs entries with the same key, in order; entries without a key stay unpaired.
    pub(super) fn round(
        &mut self,
        old: impl Fn(usize) -> Option<u64>,
        new: impl Fn(usize) -> Option<u64>,
    ) {
        if !self.new_of.contains(&None) || !self.old_of.contains(&None) {
            return;
        }
        let mut free: HashMap<u64, VecDeque<usize>> = HashMap::new();
        for at in (0..self.old_of.len()).filter(|at| self.old_of[*at].is_none()) {
            if let Some(key) = new(at) {
                free.entry(key).or_default().push_back(at);
            }
        }
        for at in 0..self.new_of.len() {
            if self.new_of[at].is_none()
                && let Some(other) =
                    old(at).and_then(|key| free.get_mut(&key)).and_then(VecDeque::pop_front)
            {
                self.set(at, other);
            }
        }
    }

    fn set(&mut self, old: usize, new: usize) {
        self.new_of[old] = Some(new);
        self.old_of[new] = Some(old);
    }

    /// Pairs the remaining entries between the same neighbours. Only entries with the same `sort`
    /// are paired; `text` decides if there are more on one side.
    pub(super) fn neighbours<'t>(
        &mut self,
        sort: (impl Fn(usize) -> Option<u64>, impl Fn(usize) -> Option<u64>),
        text: (impl Fn(usize) -> &'t str, impl Fn(usize) -> &'t str),
    ) {
        let pairs: Vec<Option<(usize, usize)>> =
            self.new_of.iter().enumerate().map(|(old, new)| new.map(|new| (old, new))).collect();
        let before = gaps(&pairs.iter().map(|pair| pair.map(|pair| pair.1)).collect::<Vec<_>>());
        let after_pairs: Vec<Option<usize>> =
            self.old_of.iter().enumerate().map(|(new, old)| old.map(|_| new)).collect();
        let after = gaps(&after_pairs);
        let mut crowds: HashMap<Gap, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for at in (0..self.new_of.len()).filter(|at| self.new_of[*at].is_none()) {
            if let Some(sort) = sort.0(at) {
                crowds.entry((sort, before[at].0, before[at].1)).or_default().0.push(at);
            }
        }
        for at in (0..self.old_of.len()).filter(|at| self.old_of[*at].is_none()) {
            if let Some(sort) = sort.1(at) {
                crowds.entry((sort, after[at].0, after[at].1)).or_default().1.push(at);
            }
        }
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (old_ones, new_ones) in crowds.into_values() {
            if old_ones.len() == new_ones.len() {
                found.extend(old_ones.into_iter().zip(new_ones));
            } else if old_ones.len() <= MOST_SIMILAR && new_ones.len() <= MOST_SIMILAR {
                similar(&old_ones, &new_ones, &text, &mut found);
            }
        }
        for (old, new) in found {
            self.set(old, new);
        }
    }
}

/// Returns for each position the nearest paired entries before and after it, as indexes of the new
/// side; the largest number stands for an end.
fn gaps(known: &[Option<usize>]) -> Vec<(usize, usize)> {
    let mut out = vec![(usize::MAX, usize::MAX); known.len()];
    let mut last = usize::MAX;
    for (at, known) in known.iter().enumerate() {
        out[at].0 = last;
        last = known.unwrap_or(last);
    }
    last = usize::MAX;
    for (at, known) in known.iter().enumerate().rev() {
        out[at].1 = last;
        last = known.unwrap_or(last);
    }
    out
}

/// Pairs the most similar texts first, as long as they share at least half of their words.
fn similar<'t>(
    old_ones: &[usize],
    new_ones: &[usize],
    text: &(impl Fn(usize) -> &'t str, impl Fn(usize) -> &'t str),
    found: &mut Vec<(usize, usize)>,
) {
    let mut scores: Vec<(usize, usize, usize)> = Vec::new();
    for old in old_ones {
        for new in new_ones {
            let score = likeness(text.0(*old), text.1(*new));
            if score >= 50 {
                scores.push((100 - score, *old, *new));
            }
        }
    }
    scores.sort_unstable();
    let (mut used_old, mut used_new) = (Vec::new(), Vec::new());
    for (_, old, new) in scores {
        if !used_old.contains(&old) && !used_new.contains(&new) {
            used_old.push(old);
            used_new.push(new);
            found.push((old, new));
        }
    }
}

/// Returns the share of words that two texts have in common, in hundredths, ignoring case.
fn likeness(one: &str, other: &str) -> usize {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let (words, others): (Vec<&str>, Vec<&str>) =
        (one.split_whitespace().collect(), other.split_whitespace().collect());
    let shared = words.iter().filter(|word| others.contains(word)).count();
    let most = words.len().max(others.len());
    (shared * 100).checked_div(most).unwrap_or(0)
}
