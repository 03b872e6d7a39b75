//! Which part of a page a view shows, a snapshot prints or a fingerprint covers.

use super::model::NodeId;

/// A part of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// The whole page. A fingerprint counts frames and does not enter them.
    #[default]
    Full,
    /// Only elements in the viewport.
    Viewport,
    /// One element and its descendants. For a fingerprint, a frame element stands for the document
    /// that it shows.
    Node(NodeId),
}
