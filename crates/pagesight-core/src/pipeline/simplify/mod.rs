//! Stage 2, structure simplification: the same things in fewer nodes and words. One rule a file.

pub(crate) mod attributes;
pub(crate) mod bounds;
pub(crate) mod layout;
pub(crate) mod text;

use crate::pipeline::View;

/// Runs the simplifiers that are on. Texts come behind the wrappers, which may have stood between
/// two of them; what is said twice is known once everything has its place.
pub(crate) fn run(view: &mut View<'_>) {
    let config = *view.config();
    if config.enable_layout_simplification {
        layout::apply(view);
    }
    if config.enable_propagating_bounds {
        bounds::apply(view, config.propagating_containment_threshold);
    }
    if config.enable_text_collapsing {
        text::apply(view);
    }
    if config.enable_attribute_deduplication {
        attributes::apply(view);
    }
}
