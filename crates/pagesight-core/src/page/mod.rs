//! One captured page: its nodes, their state, and ways to find a node.

pub mod css_query;
mod flags;
mod hidden;
mod inert;
mod model;
mod node;
pub mod role;
mod scope;
pub mod selector_candidates;
#[cfg(test)]
pub(crate) mod test_page;

pub use flags::{Flags, Hidden};
pub(crate) use model::{COMMENT, Record, Text};
pub use model::{DRAWN, Document, FrameView, NodeId, Page, Rect, ScrollRoom};
pub use node::Node;
pub use scope::Scope;

/// Attributes that tests are written against, as far as a capture contains them.
pub(crate) const CAPTURED_TEST_IDS: [&str; 7] = [
    "data-testid",
    "data-test-id",
    "data-test",
    "data-cy",
    "data-qa",
    "data-pw",
    "data-automation-id",
];
