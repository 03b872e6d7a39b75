//! The data of a diff: what changed about a line, and what the caller knows beyond the two pages.

use super::moves::Move;
use crate::page::NodeId;

/// An element, as the document's token and the element's local id.
pub type ElementKey = (String, u32);

/// Knowledge of the caller beyond the two captures.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// The elements that were acted on. Their focus is not reported, and changes around them are
    /// more important.
    pub acted: Vec<ElementKey>,
    /// Elements that changed before without an action.
    pub restless: Vec<ElementKey>,
    /// How many regions were still changing during the second capture.
    pub still_changing: usize,
    /// Shadow roots and frames were left out on purpose, which lowers the confidence.
    pub no_pierce: bool,
}

/// The fate of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineFate {
    /// It is new, with its descendants.
    Appeared,
    /// It existed but was hidden.
    Revealed,
    /// It is gone, with its descendants.
    Disappeared,
    /// It still exists but is hidden.
    Hidden,
    /// It differs from before.
    Changed,
}

/// One difference of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Its role or level: the beginning of its line.
    Role(String, String),
    /// Its name or text.
    Name(String, String),
    /// Its value, if it has one.
    Value(Option<String>, Option<String>),
    /// It got (true) or lost a state: `disabled`.
    State(&'static str, bool),
    /// It became usable (true) or unusable.
    Usable(bool),
    /// It got (true) or lost the keyboard focus.
    Focus(bool),
    /// An attribute: the target of a link, the source of an image.
    Attribute(&'static str, String, String),
    /// The icon of an element without a name: its guessed name before.
    Icon(String),
    /// It moved.
    Moved(Move),
}

/// A change of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineChange {
    /// Whether it appeared, changed or is gone.
    pub fate: LineFate,
    /// Its node in the page before.
    pub before: Option<NodeId>,
    /// Its node in the page after.
    pub after: Option<NodeId>,
    /// The differences; empty for a line that appeared or disappeared.
    pub details: Vec<Detail>,
    pub(super) old: Option<usize>,
    pub(super) new: Option<usize>,
}
