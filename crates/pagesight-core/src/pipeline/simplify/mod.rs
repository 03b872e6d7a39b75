//! Stage 2, structure simplification: says the same in fewer nodes and words. One rule per file.

pub(crate) mod attributes;
pub(crate) mod bounds;
pub(crate) mod layout;
pub(crate) mod text;
