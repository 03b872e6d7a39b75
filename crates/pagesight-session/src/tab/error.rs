//! Errors about a tab itself: its name, its size, its turn, its history.

use pagesight_core::hint::Hint;

/// An error about a tab itself.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum TabError {
    /// There is no such tab.
    #[error("unknown tab {given:?}: the open tabs are {open}")]
    Unknown {
        /// The name or id that was given.
        given: String,
        /// The open tabs.
        open: String,
    },
    /// A different call did not end in time.
    #[error("tab {tab} is busy with another call; wait for its answer and try again")]
    Busy {
        /// The tab.
        tab: String,
    },
    /// The name is not valid.
    #[error(
        "{name:?} is not a valid name for a tab; use 1 to 60 letters, digits, '.', '_', '-' and spaces, and nothing like t1"
    )]
    Name {
        /// The beginning of the name.
        name: String,
    },
    /// A different tab has the name.
    #[error("a tab called {name:?} is open already ({id}); choose another name")]
    NameTaken {
        /// The name.
        name: String,
        /// The id of the tab that has it.
        id: String,
    },
    /// The viewport cannot be set.
    #[error(
        "a viewport of {width}x{height} cannot be set; width and height are 100 to 10000 pixels"
    )]
    Viewport {
        /// The width.
        width: u32,
        /// The height.
        height: u32,
    },
    /// No more tabs may be opened.
    #[error("{most} tabs are open, and no more may be; close one first")]
    TooMany {
        /// How many may be open.
        most: usize,
    },
    /// The user opened the tab.
    #[error("tab {tab} is the user's own and is not closed; close only tabs that were opened here")]
    NotOurs {
        /// The tab.
        tab: String,
    },
    /// The caller has not chosen any of the user's tabs.
    #[error("none of the user's tabs is chosen; name one of them: {open}")]
    NoneChosen {
        /// The user's tabs.
        open: String,
    },
    /// A tab of the user that was not chosen crashed.
    #[error("tab {tab} crashed; reload it in the browser and try again, or choose a different tab")]
    CrashedElsewhere {
        /// The tab.
        tab: String,
    },
    /// A page of the user's browser hangs.
    #[error(
        "the page has not answered since {since} and cannot be left; in the user's browser nothing is ended, so open a new tab"
    )]
    HangsElsewhere {
        /// Since when.
        since: String,
    },
    /// There is no earlier page.
    #[error("there is nothing to go back to: this is the first page of the tab; open a url")]
    FirstPage,
    /// There is no later page.
    #[error("there is nothing to go forward to: this is the last page of the tab; open a url")]
    LastPage,
}

impl TabError {
    /// Returns what the caller can do about it.
    pub fn hint(&self) -> Option<Hint> {
        matches!(self, TabError::Unknown { .. }).then_some(Hint::OpenTab)
    }
}
