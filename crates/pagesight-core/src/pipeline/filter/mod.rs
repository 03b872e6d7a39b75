//! Stage 1, signal filtering: nodes that say nothing to a reader are taken out. One rule a file.

pub(crate) mod containers;
pub(crate) mod noise;
pub(crate) mod paint_order;
pub(crate) mod tiny_text;
pub(crate) mod visibility;

use crate::pipeline::View;

/// Runs the filters that are on. Containers come last: they are empty once everything else has
/// gone.
pub(crate) fn run(view: &mut View<'_>) {
    let config = *view.config();
    if config.enable_visibility_filter {
        visibility::apply(view);
    }
    if config.enable_text_node_filter {
        tiny_text::apply(view, config.min_text_length);
    }
    if config.enable_noise_filter {
        noise::apply(view);
    }
    if config.enable_paint_order_filter {
        paint_order::apply(view);
    }
    if config.enable_semantic_container_filter {
        containers::apply(view);
    }
}
