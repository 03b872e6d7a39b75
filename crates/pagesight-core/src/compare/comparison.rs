//! The result of a comparison.

use serde::{Deserialize, Serialize};

use super::change::{Change, Severity};
use crate::fingerprint::{Boxes, EntryId};
use crate::page::Rect;

/// The result of a comparison, in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing changed.
    #[default]
    Unchanged,
    /// Something changed.
    Changed,
    /// The page is still loading; what is missing may still appear.
    Loading,
    /// The page has a different route.
    RouteChanged,
}

/// All changes, of any severity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The result in one word.
    pub status: Status,
    /// All changes, the most severe first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Parts of the page in which nothing changed.
    #[serde(skip)]
    pub unchanged: Vec<String>,
    /// How many changes ignore rules excluded.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ignored: usize,
    /// The parts that could not be compared, because the page before was read without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncompared: Vec<String>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Comparison {
    /// Adds changes that were found in a different way.
    pub(super) fn add(&mut self, changes: Vec<Change>, ignored: usize) {
        self.changes.extend(changes);
        self.changes.sort_by_key(|change| std::cmp::Reverse(change.severity));
        self.ignored += ignored;
        if self.status == Status::Unchanged && !self.changes.is_empty() {
            self.status = Status::Changed;
        }
    }

    /// Returns the highest severity of all changes.
    pub fn severity(&self) -> Option<Severity> {
        self.changes.iter().map(|change| change.severity).max()
    }

    /// Returns the boxes of the changes on a picture of the page before, each with its index in
    /// `changes`.
    pub fn marks_before(&self, boxes: &Boxes) -> Vec<(usize, Rect)> {
        self.marks(boxes, |change| change.was_at)
    }

    /// Returns the boxes of the changes on a picture of the current page.
    pub fn marks_after(&self, boxes: &Boxes) -> Vec<(usize, Rect)> {
        self.marks(boxes, |change| change.now_at)
    }

    fn marks(&self, boxes: &Boxes, at: impl Fn(&Change) -> Option<EntryId>) -> Vec<(usize, Rect)> {
        let changes = self.changes.iter().enumerate();
        changes.filter_map(|(index, change)| Some((index, boxes.of(at(change)?)?))).collect()
    }

    /// Whether the page now says more than the page before, or something else.
    pub fn has_news(&self) -> bool {
        !self.changes.is_empty() || !self.uncompared.is_empty()
    }

    /// Returns how many changes have at least this severity.
    pub fn at_least(&self, severity: Severity) -> usize {
        self.changes.iter().filter(|change| change.severity >= severity).count()
    }
}
