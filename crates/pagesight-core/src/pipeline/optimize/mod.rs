//! Stage 3, payload optimisation: the same in fewer tokens. One rule a file. Pruning lies over the
//! page like the rules before it; the others say how a value is written and are asked by the
//! renderers.

pub(crate) mod attributes;
pub(crate) mod buckets;
pub(crate) mod fields;
pub(crate) mod ids;
pub(crate) mod numbers;

use crate::pipeline::View;

/// Runs what can be decided before anything is written.
pub(crate) fn run(view: &mut View<'_>) {
    if view.config().enable_attribute_pruning {
        attributes::apply(view);
    }
}
