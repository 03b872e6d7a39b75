//! What one page became: two looks at it, and in the words of the outline what appeared,
//! disappeared and changed.
//!
//! The steps: `lines` (each page as the lines an agent would read), `matching` (which line is
//! which, by node first), `moves`, `compare` (lines → changes), `words` (one change in one line)
//! and `told` (the most important first, within a budget). What was changing by itself is set apart
//! (`ticking`, and whatever the caller watched), and [`Confidence`] says how much of the page was
//! seen.

mod clocks;
mod compare;
mod confidence;
mod lines;
mod matching;
mod moves;
mod phrases;
#[cfg(test)]
mod properties;
mod render;
#[cfg(test)]
mod tests;
mod text_change;

pub use confidence::{Confidence, THRESHOLD};
pub use lines::Reading;
pub use moves::Move;

use std::collections::HashSet;
use std::sync::Arc;

use crate::page::{NodeId, Page};
use lines::Lines;

/// An element of a document, by the document's token and the element's local id there.
pub type Element = (String, u32);

/// What is known of the two looks beyond what they show.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// What was acted on: that it has the focus now goes without saying, and what lies around it
    /// matters more.
    pub acted: Vec<Element>,
    /// What was changing by itself before.
    pub restless: Vec<Element>,
    /// How many regions were still changing when the second look was taken.
    pub still_changing: usize,
    /// Shadow roots and frames were left out on purpose, so the confidence is what it would be for
    /// a tool that cannot enter them.
    pub no_pierce: bool,
}

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It came into being, with all below it.
    Appeared,
    /// It was there but did not show.
    Revealed,
    /// It went away, with all below it.
    Disappeared,
    /// It is there but does not show any more.
    Hidden,
    /// It is another than it was.
    Changed,
}

/// One thing about a line that is another than it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Its role or level: the beginning of its line.
    Role(String, String),
    /// Its name or text.
    Name(String, String),
    /// Its value; none where it has none.
    Value(Option<String>, Option<String>),
    /// A state came (true) or went: `disabled`.
    State(&'static str, bool),
    /// It can be used now (true), or not any more.
    Usable(bool),
    /// The keyboard focus came (true) or went.
    Focus(bool),
    /// An attribute that says where a link leads or what an image shows.
    Attribute(&'static str, String, String),
    /// It stands elsewhere.
    Moved(Move),
}

/// A change of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub fate: Fate,
    /// Its node in the page before.
    pub before: Option<NodeId>,
    /// Its node in the page after.
    pub after: Option<NodeId>,
    /// What is another; empty for what came or went.
    pub details: Vec<Detail>,
    old: Option<usize>,
    new: Option<usize>,
}

/// The difference between two looks at a page.
pub struct Diff<'p> {
    /// What changed, in document order; what disappeared comes last.
    pub changes: Vec<Change>,
    /// What changed by itself.
    pub by_itself: Vec<Change>,
    /// What can be used and was drawn anew: the element before, and the one that took its place.
    /// Numbers do not always go over.
    pub drawn_anew: Vec<(NodeId, NodeId)>,
    /// The title before and after, if it changed.
    pub title: Option<(String, String)>,
    /// How much of the page was seen, and what was not.
    pub confidence: Confidence,
    old: Lines<'p>,
    new: Lines<'p>,
    acted: Vec<Element>,
}

/// What changed from one look at a page to the next.
pub fn diff<'p>(before: &'p Page, after: &'p Page) -> Diff<'p> {
    diff_in(before, after, &Circumstances::default())
}

/// The same, with what is known beyond the two looks.
pub fn diff_in<'p>(before: &'p Page, after: &'p Page, circumstances: &Circumstances) -> Diff<'p> {
    let [old, new] = [before, after].map(|page| Arc::new(Reading::of(page)));
    diff_read((before, old), (after, new), circumstances)
}

/// The same for pages whose lines were read already. Each reading has to be that of its page.
pub fn diff_read<'p>(
    (before, old): (&'p Page, Arc<Reading>),
    (after, new): (&'p Page, Arc<Reading>),
    circumstances: &Circumstances,
) -> Diff<'p> {
    let (old, new) = (Lines::new(before, old), Lines::new(after, new));
    let compare::Compared { changes, by_itself, drawn_anew } =
        compare::compare(&old, &new, circumstances);
    let title = (before.title != after.title).then(|| (before.title.clone(), after.title.clone()));
    let revealed = changes.iter().any(|change| change.fate == Fate::Revealed);
    let confidence = Confidence::of(before, after, circumstances, revealed);
    Diff {
        changes,
        by_itself,
        drawn_anew,
        title,
        confidence,
        old,
        new,
        acted: circumstances.acted.clone(),
    }
}

impl Diff<'_> {
    /// Whether nothing changed, but perhaps by itself.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.title.is_none()
    }

    /// The elements that no longer show. Whoever can ask the page may tell which of them are only
    /// hidden.
    pub fn departed(&self) -> impl Iterator<Item = Element> + '_ {
        self.changes.iter().filter(|change| change.fate == Fate::Disappeared).filter_map(|change| {
            let element = self.old.element_of(change.old?);
            Some((element.document().token.clone(), element.local()))
        })
    }

    /// Takes note that these elements are still in the page, hidden.
    pub fn still_there(&mut self, elements: &[Element]) {
        let there: HashSet<(&str, u32)> =
            elements.iter().map(|(token, local)| (token.as_str(), *local)).collect();
        for change in self.changes.iter_mut().filter(|change| change.fate == Fate::Disappeared) {
            let Some(line) = change.old else { continue };
            let element = self.old.element_of(line);
            let known = there.contains(&(element.document().token.as_str(), element.local()));
            // A text that went out of an element that is still shown is gone, not hidden.
            let shown = || {
                self.new
                    .find(self.old.element(element.id()))
                    .is_some_and(|node| node.hidden().is_none())
            };
            if known && (self.old.sort(line) == lines::Sort::Element || !shown()) {
                change.fate = Fate::Hidden;
            }
        }
    }
}
