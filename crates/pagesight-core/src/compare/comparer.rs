//! The comparer that headings, lists, tables, images and texts share: pairs the entries of two
//! pages, and reports each entry that is missing, changed or new.

use super::change::ChangeDraft;
use super::collector::Collector;
use super::entry::{Entry, Located};
use super::matching::Pairs;
use super::regions::{Regions, Side};
use crate::fingerprint::{EntryKind, Structure};

/// Returns a key that is equal for entries that may be the same; none for an entry without such a
/// key.
pub(super) type KeyOf<T> = fn(&Side<'_>, &T) -> Option<u64>;

/// A kind of entry that the shared comparer compares.
pub(super) trait Comparable: Entry + Sized + 'static {
    /// The list of the fingerprint that holds them.
    const SORT: EntryKind;
    /// The keys that pair two entries, the strictest first.
    const KEYS: &'static [KeyOf<Self>];
    /// The key of entries that are paired if they have the same neighbours.
    const NEIGHBOUR_KEY: KeyOf<Self>;

    /// Returns the entries of a page.
    fn entries(structure: &Structure) -> &[Self];

    /// Returns the text that decides between several neighbours.
    fn text(&self) -> &str;

    /// Whether an entry of the old page is worth a report.
    fn counts(&self) -> bool;

    /// Whether it is worth a report that the new page has no counterpart.
    fn is_missed(&self, _: &Collector<'_>) -> bool {
        true
    }

    /// Reports an entry without a counterpart on the new page.
    fn missing<'f>(old: Located<'f, Self>, context: &Context<'_, 'f>) -> ChangeDraft<'f>;

    /// Reports the difference between an entry and its counterpart, if there is one.
    fn changed<'f>(
        old: Located<'f, Self>,
        new: Located<'f, Self>,
        context: &Context<'_, 'f>,
    ) -> Option<ChangeDraft<'f>>;

    /// Reports an entry without a counterpart on the old page, if it is worth a report.
    fn added(new: Located<'_, Self>) -> Option<ChangeDraft<'_>>;
}

/// The facts besides the entries that a report may depend on.
pub(super) struct Context<'c, 'f> {
    pub(super) found: &'c Collector<'f>,
    regions: &'c Regions<'f>,
}

impl Context<'_, '_> {
    /// Whether the region around a place of the old page now has an empty state that it did not
    /// have before.
    pub(super) fn became_empty(&self, place: u32) -> bool {
        let old = &self.found.was.structure.state.empty_states;
        let new = &self.found.now.structure.state.empty_states;
        let here = self.regions.was.region(place);
        new.len() > old.len() && new.iter().any(|sign| self.regions.now.region(sign.place) == here)
    }
}

/// Compares all entries of one kind.
pub(super) fn compare<T: Comparable>(found: &mut Collector<'_>, regions: &Regions<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (old, new) = (T::entries(was), T::entries(now));
    let pairs = pair(old, new, regions);
    for (at, entry) in old.iter().enumerate() {
        if !entry.counts() || regions.is_lost(entry.place()) {
            continue;
        }
        let before = Located::new(was, T::SORT, old, at);
        let context = Context { found, regions };
        let change = match pairs.new_of[at] {
            None => entry.is_missed(found).then(|| T::missing(before, &context)),
            Some(other) => T::changed(before, Located::new(now, T::SORT, new, other), &context),
        };
        if let Some(change) = change {
            found.report(change);
        }
    }
    for at in pairs.only_new() {
        if let Some(change) = T::added(Located::new(now, T::SORT, new, at)) {
            found.report(change);
        }
    }
}

fn pair<T: Comparable>(old: &[T], new: &[T], regions: &Regions<'_>) -> Pairs {
    let (was, now) = (&regions.was, &regions.now);
    let mut pairs = Pairs::new(old.len(), new.len());
    for key in T::KEYS {
        pairs.round(|at| key(was, &old[at]), |at| key(now, &new[at]));
    }
    let key = T::NEIGHBOUR_KEY;
    pairs.neighbours(
        (|at| key(was, &old[at]), |at| key(now, &new[at])),
        (|at| old[at].text(), |at| new[at].text()),
    );
    pairs
}
