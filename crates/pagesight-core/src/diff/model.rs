//! The data of a diff: what changed about a line, and what the caller knows beyond the two pages.

use super::moves::Move;
use crate::page::NodeId;

/// An element of a document, by the document's token and the element's local id there.
pub type ElementKey = (String, u32);

/// What is known of the two looks beyond what they show.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// What was acted on: that it has the focus now goes without saying, and what lies around it
    /// matters more.
    pub acted: Vec<ElementKey>,
    /// What was changing by itself before.
    pub restless: Vec<ElementKey>,
    /// How many regions were still changing when the second look was taken.
    pub still_changing: usize,
    /// Shadow roots and frames were left out on purpose, so the confidence is what it would be for
    /// a tool that cannot enter them.
    pub no_pierce: bool,
}

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineFate {
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
pub struct LineChange {
    /// What happened.
    pub fate: LineFate,
    /// Its node in the page before.
    pub before: Option<NodeId>,
    /// Its node in the page after.
    pub after: Option<NodeId>,
    /// What is another; empty for what came or went.
    pub details: Vec<Detail>,
    pub(super) old: Option<usize>,
    pub(super) new: Option<usize>,
}
