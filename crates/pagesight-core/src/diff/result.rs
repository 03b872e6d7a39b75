//! The difference between two captures of a page.

use std::collections::HashSet;

use super::behind::PageBehind;
use super::confidence::Confidence;
use super::lines::{self, Lines};
use super::model::{ElementKey, LineChange, LineFate};
use crate::page::NodeId;

/// The difference between two looks at a page.
pub struct Diff<'p> {
    /// The changes in document order; what disappeared comes last.
    pub changes: Vec<LineChange>,
    /// The change of the page behind a dialog or an overlay, if it got out of reach or back.
    pub behind: Option<PageBehind>,
    /// Background changes, which happened without an action.
    pub background: Vec<LineChange>,
    /// Usable elements that were re-rendered: the element before, and its replacement. Numbers are
    /// not always taken over.
    pub replaced: Vec<(NodeId, NodeId)>,
    /// The title before and after, if it changed.
    pub title: Option<(String, String)>,
    /// How much of the page was captured, and what was not.
    pub confidence: Confidence,
    pub(super) old: Lines<'p>,
    pub(super) new: Lines<'p>,
    /// For each line of the new page, the line of the old page that it is paired with.
    pub(super) partners: Vec<Option<usize>>,
    pub(super) acted: Vec<ElementKey>,
}

impl Diff<'_> {
    /// Whether nothing changed, apart from background changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.title.is_none() && self.behind.is_none()
    }

    /// Returns the elements that are no longer visible. The live page knows which of them are only
    /// hidden; see [`Diff::mark_hidden`].
    pub fn disappeared(&self) -> impl Iterator<Item = ElementKey> + '_ {
        self.changes.iter().filter(|change| change.fate == LineFate::Disappeared).filter_map(
            |change| {
                let element = self.old.element_of(change.old?);
                Some((element.document().token.clone(), element.local()))
            },
        )
    }

    /// Marks disappeared elements as hidden: they are still in the page.
    pub fn mark_hidden(&mut self, elements: &[ElementKey]) {
        let there: HashSet<(&str, u32)> =
            elements.iter().map(|(token, local)| (token.as_str(), *local)).collect();
        for change in self.changes.iter_mut().filter(|change| change.fate == LineFate::Disappeared)
        {
            let Some(line) = change.old else { continue };
            let element = self.old.element_of(line);
            let known = there.contains(&(element.document().token.as_str(), element.local()));
            // A text that went out of an element that is still shown is gone, not hidden.
            let shown = || {
                self.new
                    .find(self.old.element(element.id()))
                    .is_some_and(|node| node.hidden().is_none())
            };
            if known && (self.old.sort(line) == lines::LineKind::Element || !shown()) {
                change.fate = LineFate::Hidden;
            }
        }
    }
}
