//! Stage 1, signal filtering: removes nodes that say nothing to a reader. One rule per file.

pub(crate) mod containers;
pub(crate) mod noise;
pub(crate) mod paint_order;
pub(crate) mod tiny_text;
pub(crate) mod visibility;
