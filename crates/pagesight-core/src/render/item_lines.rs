//! The unfolded items of a page: gathered and tidied, one per line.

use crate::page::{NodeId, Page};
use crate::pipeline::{PipelineConfig, view};
use crate::render::gather::gather;
use crate::render::items::Items;
use crate::render::tidy;

/// Returns all items of a page, unfolded, including wrappers without a line.
pub(crate) fn lines(page: &Page) -> Items {
    lines_below(page, NodeId::ROOT)
}

/// Returns the items at and below a node.
pub(super) fn lines_below(page: &Page, root: NodeId) -> Items {
    tidy::tidy(page, gather(&view(page, &PipelineConfig::OUTLINE), root), root)
}
