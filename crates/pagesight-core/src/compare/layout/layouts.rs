//! The layouts of two pages and which of their elements are the same.

use crate::compare::change::{Change, ChangeDraft, ChangeType, Severity};
use crate::compare::entry::{Entry, Located, Subject, placed_in};
use crate::compare::matching::{Pairs, key};
use crate::compare::regions::{Regions, Side};
use crate::compare::sentence::{capitalized, noun};
use crate::fingerprint::{EntryKind, Layout, LayoutBox, Structure};

/// Changes of this many pixels are tolerated, and of this many hundredths of a size.
pub(super) const TOLERANCE: i32 = 8;
pub(super) const TOLERANCE_SHARE: i32 = 2;

impl Entry for LayoutBox {
    placed_in!("layout");

    fn subject(&self) -> Subject {
        Subject::new(&self.kind, &self.name, "")
    }

    fn label(&self) -> String {
        let word = noun(&self.kind).0;
        match self.name.as_str() {
            "" if self.region => format!("The {word}"),
            "" => format!("A {word} without a name"),
            name => format!("{} '{name}'", capitalized(word)),
        }
    }

    /// The description is a sentence for people.
    fn called(&self) -> Option<String> {
        None
    }
}

/// An element and its page.
type Drawn<'f> = Located<'f, LayoutBox>;

/// The layouts of both pages.
pub(crate) struct Layouts<'f> {
    pub(crate) was: &'f Structure,
    pub(crate) now: &'f Structure,
    pub(crate) old: &'f Layout,
    pub(crate) new: &'f Layout,
    pub(crate) pairs: Pairs,
}

/// A change of the layout that was found.
pub(crate) struct Finding<'f> {
    pub(crate) draft: ChangeDraft<'f>,
}

impl<'f> Layouts<'f> {
    /// Pairs the elements of the layouts.
    pub(crate) fn new(
        was: (&'f Structure, &'f Layout),
        now: (&'f Structure, &'f Layout),
        regions: &Regions<'_>,
    ) -> Layouts<'f> {
        let pairs = paired(&regions.was, &regions.now, was.1, now.1);
        Layouts { was: was.0, now: now.0, old: was.1, new: now.1, pairs }
    }

    fn old_at(&self, at: usize) -> Drawn<'f> {
        Located::new(self.was, EntryKind::Layout, &self.old.boxes, at)
    }

    fn new_at(&self, at: usize) -> Drawn<'f> {
        Located::new(self.now, EntryKind::Layout, &self.new.boxes, at)
    }

    /// Returns the elements that are on both pages, in the order of the new page.
    pub(crate) fn both(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let old = self.pairs.old_of.iter().enumerate();
        old.filter_map(|(new, old)| Some(((*old)?, new)))
    }

    /// Whether an element that is on both pages has a different box, or one is only on one page.
    pub(crate) fn has_moved(&self) -> bool {
        self.pairs.new_of.contains(&None)
            || self.pairs.old_of.contains(&None)
            || self.both().any(|(old, new)| self.old.boxes[old].rect != self.new.boxes[new].rect)
    }

    /// Makes a finding about an element of both pages.
    pub(crate) fn finding(
        &self,
        kind: ChangeType,
        (old, new): (usize, usize),
        words: String,
    ) -> Finding<'f> {
        let (before, after) = (self.old_at(old), self.new_at(new));
        let draft = Change::changed(kind, before, after, words).severity(Severity::Warning);
        Finding { draft }
    }
}

/// Pairs the elements of both pages.
fn paired(was: &Side<'_>, now: &Side<'_>, old: &Layout, new: &Layout) -> Pairs {
    let (old, new) = (&old.boxes, &new.boxes);
    let mut pairs = Pairs::new(old.len(), new.len());
    let place = |side: &Side<'_>, drawn: &LayoutBox| {
        let place = side.structure.places.get(drawn.place as usize);
        place.map_or_else(String::new, |place| place.label.clone())
    };
    type KeyOfBox = fn(&LayoutBox, &str, &str) -> u64;
    let rounds: [KeyOfBox; 3] = [
        |drawn, region, place| key(&[&drawn.kind, &drawn.name, &drawn.file, region, place]),
        |drawn, region, _| key(&[&drawn.kind, &drawn.name, region]),
        |drawn, _, _| key(&[&drawn.kind, &drawn.name]),
    ];
    for round in rounds {
        let by = |side: &Side<'_>, drawn: &LayoutBox| {
            let place = place(side, drawn);
            Some(round(drawn, side.region(drawn.place), &place))
        };
        pairs.round(|at| by(was, &old[at]), |at| by(now, &new[at]));
    }
    let sort =
        |side: &Side<'_>, drawn: &LayoutBox| Some(key(&[&drawn.kind, side.region(drawn.place)]));
    pairs.neighbours(
        (|at| sort(was, &old[at]), |at| sort(now, &new[at])),
        (|at| old[at].name.as_str(), |at| new[at].name.as_str()),
    );
    pairs
}
