//! The kinds of changes that the report can be filtered by.

use pagesight_core::compare::ChangeType;

use crate::result::{CheckResult, Outcome};

/// A kind of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The elements and texts of the page.
    Structure,
    /// How it is drawn.
    Layout,
    /// Violations of accessibility rules.
    Audit,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Structure, Kind::Layout, Kind::Audit];

    /// Returns the kind of a type of change.
    pub(super) fn of(kind: ChangeType) -> Kind {
        match kind {
            ChangeType::LayoutChanged | ChangeType::StyleChanged | ChangeType::PictureChanged => {
                Kind::Layout
            }
            ChangeType::AuditViolation => Kind::Audit,
            _ => Kind::Structure,
        }
    }

    /// Returns the word that the script compares.
    pub(super) fn key(self) -> &'static str {
        match self {
            Kind::Structure => "structure",
            Kind::Layout => "layout",
            Kind::Audit => "audit",
        }
    }

    /// Returns the word that people read.
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Structure => "Structure and texts",
            Kind::Layout => "Layout and style",
            Kind::Audit => "Accessibility",
        }
    }

    /// Returns the kinds that some page has, in a fixed order.
    pub(super) fn present(checked: &CheckResult) -> Vec<Kind> {
        let has = |kind: &Kind| checked.outcomes.iter().any(|outcome| kind.is_in(outcome));
        Kind::ALL.into_iter().filter(has).collect()
    }

    /// Returns the keys of the kinds of a page, separated by spaces.
    pub(super) fn all_of(outcome: &Outcome) -> String {
        let has = |kind: &Kind| kind.is_in(outcome);
        let keys = Kind::ALL.into_iter().filter(has).map(Kind::key);
        keys.collect::<Vec<_>>().join(" ")
    }

    fn is_in(self, outcome: &Outcome) -> bool {
        let changes = outcome.verdict.comparison().map_or(&[][..], |it| &it.changes);
        changes.iter().any(|change| Kind::of(change.kind) == self)
    }
}
