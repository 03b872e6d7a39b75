//! Errors about a tab itself: its name, its size, its turn, its history.

use pagesight_core::hint::Hint;

/// An error about a tab itself.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum TabError {
    #[error("unknown tab {given:?}: the open tabs are {open}")]
    Unknown { given: String, open: String },
    #[error("tab {tab} is busy with another call; wait for its answer and try again")]
    Busy { tab: String },
    #[error(
        "{name:?} is not a valid name for a tab; use 1 to 60 letters, digits, '.', '_', '-' and spaces, and nothing like t1"
    )]
    Name { name: String },
    #[error("a tab called {name:?} is open already ({id}); choose another name")]
    NameTaken { name: String, id: String },
    #[error(
        "a viewport of {width}x{height} cannot be set; width and height are 100 to 10000 pixels"
    )]
    Viewport { width: u32, height: u32 },
    #[error("{most} tabs are open, and no more may be; close one first")]
    TooMany { most: usize },
    #[error("tab {tab} is the user's own and is not closed; close only tabs that were opened here")]
    NotOurs { tab: String },
    #[error("none of the user's tabs is chosen; name one of them: {open}")]
    NoneChosen { open: String },
    #[error("tab {tab} crashed; reload it in the browser and try again, or choose a different tab")]
    CrashedElsewhere { tab: String },
    #[error(
        "the page has not answered since {since} and cannot be left; in the user's browser nothing is ended, so open a new tab"
    )]
    HangsElsewhere { since: String },
    #[error("there is nothing to go back to: this is the first page of the tab; open a url")]
    FirstPage,
    #[error("there is nothing to go forward to: this is the last page of the tab; open a url")]
    LastPage,
    #[error(
        "the page is of {origin}, and only pages of {allowed} may be visited; allow its origin, or change what leads there"
    )]
    Elsewhere { origin: String, allowed: String },
}

impl TabError {
    /// Returns what the caller can do about it.
    pub fn hint(&self) -> Option<Hint> {
        matches!(self, TabError::Unknown { .. }).then_some(Hint::OpenTab)
    }
}
