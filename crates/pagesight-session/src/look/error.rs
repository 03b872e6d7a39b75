//! What can go wrong with a look at a page, besides the browser.

use pagesight_core::hint::Hint;

/// What can go wrong with a look at a page.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
pub enum LookError {
    /// The selector matches nothing.
    #[error("nothing visible matches the selector {selector:?}")]
    NoMatch {
        /// The beginning of the selector.
        selector: String,
    },
    /// Nothing is at the point.
    #[error("nothing is at {x},{y}; the viewport is {width}x{height} pixels")]
    NothingAt {
        /// CSS pixels from the left.
        x: f64,
        /// CSS pixels from the top.
        y: f64,
        /// The width of the viewport.
        width: u32,
        /// The height of the viewport.
        height: u32,
    },
    /// The element at the point is not in the capture.
    #[error("what is there is not part of the captured page")]
    NotCaptured,
    /// The element has no size.
    #[error("the element has no area to show ({width}x{height}); choose another scope")]
    NoArea {
        /// Its width.
        width: i32,
        /// Its height.
        height: i32,
    },
    /// The page does not draw itself.
    #[error("the page has not drawn since {since}")]
    NotDrawn {
        /// Since when.
        since: String,
    },
    /// The viewport of a baseline cannot be set.
    #[error(
        "the baseline was taken in a viewport of {width}x{height}, which cannot be set; save it again"
    )]
    BaselineViewport {
        /// The width.
        width: u32,
        /// The height.
        height: u32,
    },
    /// A selector of an ignore rule cannot be read.
    #[error("an ignore rule cannot be used: {reason}")]
    IgnoreRule {
        /// Why.
        reason: String,
    },
    /// A snapshot could not be made.
    #[error("{reason}")]
    Snapshot {
        /// Why.
        reason: String,
    },
}

impl LookError {
    /// Returns what the caller can do about it.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            LookError::NoMatch { .. } => Some(Hint::LookWithoutScope),
            LookError::NotDrawn { .. } => Some(Hint::LeaveOrClose),
            LookError::NotCaptured => Some(Hint::LookForReference),
            _ => None,
        }
    }
}
