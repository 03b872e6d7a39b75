//! Why a reference cannot be used.

use crate::hint::Hint;

/// Why a reference cannot be used.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum RefError {
    /// The text is not a reference.
    #[error("{given:?} is not a reference")]
    Malformed {
        /// The text given, shortened.
        given: String,
    },
    /// The number was never given out.
    #[error("no element has the number {number}")]
    Unknown {
        /// The number.
        number: u32,
    },
    /// The part before the underscore belongs to a different document.
    #[error("unknown reference {given}: [{number}] belongs to snapshot {snapshot}")]
    Forged {
        /// The text given.
        given: String,
        /// The number in it.
        number: u32,
        /// The snapshot that the number belongs to.
        snapshot: u32,
    },
    /// The number belongs to a different tab.
    #[error("reference [{number}] belongs to another tab ({tab})")]
    Foreign {
        /// The number.
        number: u32,
        /// The tab it belongs to.
        tab: String,
    },
    /// The tab is closed.
    #[error("stale reference [{number}]: its tab is closed")]
    TabClosed {
        /// The number.
        number: u32,
    },
    /// The document is not shown any more.
    #[error("stale reference [{number}]: it belonged to the page before the last navigation")]
    Navigated {
        /// The number.
        number: u32,
    },
    /// The element left the page.
    #[error("stale reference [{number}]: {was} is no longer in the page{nearest}")]
    Gone {
        /// The number.
        number: u32,
        /// The element as it was.
        was: String,
        /// `; another … is there`, if there is a candidate.
        nearest: String,
    },
    /// The element was re-rendered, and its successor is known.
    #[error("stale reference [{number}]: re-rendered as [{now}]")]
    Rerendered {
        /// The number.
        number: u32,
        /// The number of its successor.
        now: u32,
        /// Whether that is the same control without doubt.
        is_same: bool,
    },
    /// The node shows something else now.
    #[error(
        "stale reference [{number}]: it was {was} and is now [{number}] {now}; act again if that is what you want"
    )]
    Changed {
        /// The number.
        number: u32,
        /// The element as it was.
        was: String,
        /// Its line now.
        now: String,
    },
    /// The node was reused for a different row.
    #[error(
        "stale reference [{number}] {was}: it now sits in a different row ({row}); act again if that is what you want"
    )]
    OtherRow {
        /// The number.
        number: u32,
        /// Its line.
        was: String,
        /// The text of its row now.
        row: String,
    },
}

impl RefError {
    /// Returns what to do next, unless the message says it.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            RefError::Malformed { .. } => Some(Hint::GiveReference),
            RefError::Forged { .. } => Some(Hint::GiveNumberAlone),
            RefError::Foreign { tab, .. } => Some(Hint::GiveTab { tab: tab.clone() }),
            RefError::Unknown { .. } | RefError::TabClosed { .. } => Some(Hint::Look),
            RefError::Navigated { .. } | RefError::Gone { .. } => Some(Hint::LookAgain),
            RefError::Rerendered { .. } | RefError::Changed { .. } | RefError::OtherRow { .. } => {
                None
            }
        }
    }
}
