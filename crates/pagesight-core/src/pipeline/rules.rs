//! The table of the pipeline's rules. The order in which rules run, the metrics and the printed
//! summary derive from it: a new rule is a file of its own, a switch in the configuration and a row
//! here.

use super::config::PipelineConfig;

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Stage 1, signal filtering: removes nodes that say nothing.
    Filter,
    /// Stage 2, structure simplification: says the same in fewer nodes.
    Simplify,
    /// Stage 3, payload optimisation: says the same in fewer tokens.
    Optimize,
}

macro_rules! define_rules {
    ($($(#[$doc:meta])* $rule:ident {
        key: $key:ident, run: $stage:ident => $apply:path,
        $(counter: $place:literal => $counter:literal, noun: $position:literal => $noun:literal,)?
    })*) => {
        /// A rule of the pipeline.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum PipelineRule {
            $($(#[$doc])* $rule,)*
        }

        impl PipelineRule {
            /// All rules, in the order in which they run.
            pub(crate) const ALL: &'static [PipelineRule] = &[$(PipelineRule::$rule),*];

            /// Returns its switch in the configuration: `enable_visibility_filter`.
            pub(crate) fn key(self) -> &'static str {
                match self { $(PipelineRule::$rule => stringify!($key),)* }
            }

            pub(crate) fn stage(self) -> Stage {
                match self { $(PipelineRule::$rule => Stage::$stage,)* }
            }

            /// Whether a configuration has the rule on.
            pub(super) fn is_on(self, config: &PipelineConfig) -> bool {
                match self { $(PipelineRule::$rule => config.$key,)* }
            }

            /// Returns the position and the key of its count in the metrics.
            pub(crate) fn counter(self) -> Option<(u8, &'static str)> {
                match self { $(PipelineRule::$rule => [$(($place, $counter))?].first().copied(),)* }
            }

            /// Returns the position and the words of its count in the printed summary.
            pub(crate) fn noun(self) -> Option<(u8, &'static str)> {
                match self { $(PipelineRule::$rule => [$(($position, $noun))?].first().copied(),)* }
            }
        }
    };
}

// The columns:
//
// - `key`: the switch in the configuration.
// - `run`: the stage, and the function. The rules of a stage run in this order.
// - `counter`: the position and the key in the metrics, for a rule that removes nodes.
// - `noun`: the position and the words in the printed summary, for the same rules.
//
// `run` passes the table to a macro of its own: this file may not import the functions, because
// they import it.
macro_rules! for_each_rule {
    ($define:ident) => {
        $define! {
            /// F1: removes what nobody can see.
            Visibility {
                key: enable_visibility_filter, run: Filter => filter::visibility::apply,
                counter: 1 => "visibility_filtered", noun: 1 => "hidden",
            }
            /// F2: removes tiny texts that say nothing.
            TinyText {
                key: enable_text_node_filter, run: Filter => filter::tiny_text::apply,
                counter: 2 => "text_nodes_filtered", noun: 2 => "tiny texts",
            }
            /// F3: removes scripts, styles, metadata and comments.
            Noise {
                key: enable_noise_filter, run: Filter => filter::noise::apply,
                counter: 3 => "noise_filtered", noun: 3 => "noise",
            }
            /// F5: removes what is completely covered by something opaque.
            PaintOrder {
                key: enable_paint_order_filter, run: Filter => filter::paint_order::apply,
                counter: 5 => "paint_order_filtered", noun: 5 => "covered",
            }
            /// F4: removes containers that hold nothing. Runs after the other filters, because they
            /// empty containers.
            Containers {
                key: enable_semantic_container_filter, run: Filter => filter::containers::apply,
                counter: 4 => "containers_filtered", noun: 4 => "empty containers",
            }
            /// S2.2: removes wrappers around one thing.
            Layout {
                key: enable_layout_simplification, run: Simplify => simplify::layout::apply,
                counter: 8 => "wrappers_collapsed", noun: 1 => "wrappers",
            }
            /// S2.4: removes wrappers inside a click target.
            Bounds {
                key: enable_propagating_bounds, run: Simplify => simplify::bounds::apply,
                counter: 6 => "propagating_bounds_filtered", noun: 3 => "inside click targets",
            }
            /// S2.1: merges adjacent texts. Runs after the rules that remove wrappers, because a
            /// wrapper may stand between two texts.
            TextCollapsing {
                key: enable_text_collapsing, run: Simplify => simplify::text::apply,
                counter: 7 => "texts_collapsed", noun: 2 => "texts merged",
            }
            /// S2.3: drops attributes that repeat something. Runs last, when every node has its
            /// final place.
            AttributeDeduplication {
                key: enable_attribute_deduplication, run: Simplify => simplify::attributes::apply,
            }
            /// P3.2: drops attributes that mean nothing to a reader.
            AttributePruning {
                key: enable_attribute_pruning, run: Optimize => optimize::attributes::apply,
            }
        }
    };
}
pub(super) use for_each_rule;

for_each_rule!(define_rules);
