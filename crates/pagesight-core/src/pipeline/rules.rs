//! The table of the pipeline's rules. The configuration, the order in which rules run, the metrics
//! and the printed summary derive from it: a new rule is a file of its own and a row here.

/// Hands all rows to a macro. The columns:
///
/// - `key`: the switch in [`PipelineConfig`](super::config::PipelineConfig).
/// - `outline`: whether the rule runs for the outline. The outline says what covers an element
///   instead of leaving the element out, joins whole lines of text on its own, and prints no
///   attributes.
/// - `run`: the position among the rules of its stage, and the function.
/// - `id`: the name in the documentation.
/// - `counter`: the position and the key in the metrics, for a rule that removes nodes.
/// - `noun`: the position and the words in the printed summary, for the same rules.
macro_rules! for_each_rule {
    ($then:ident) => {
        $then! {
            /// F1: removes what nobody can see.
            Visibility {
                key: enable_visibility_filter, outline: true,
                run: 1 => filter::visibility::apply, id: "F1", stage: Filter,
                counter: 1 => "visibility_filtered", noun: 1 => "hidden",
            }
            /// F2: removes tiny texts that say nothing.
            TinyText {
                key: enable_text_node_filter, outline: true,
                run: 2 => filter::tiny_text::apply, id: "F2", stage: Filter,
                counter: 2 => "text_nodes_filtered", noun: 2 => "tiny texts",
            }
            /// F3: removes scripts, styles, metadata and comments.
            Noise {
                key: enable_noise_filter, outline: true,
                run: 3 => filter::noise::apply, id: "F3", stage: Filter,
                counter: 3 => "noise_filtered", noun: 3 => "noise",
            }
            /// F4: removes containers that hold nothing. Runs last, because the other filters empty
            /// containers.
            Containers {
                key: enable_semantic_container_filter, outline: true,
                run: 5 => filter::containers::apply, id: "F4", stage: Filter,
                counter: 4 => "containers_filtered", noun: 4 => "empty containers",
            }
            /// F5: removes what is completely covered by something opaque.
            PaintOrder {
                key: enable_paint_order_filter, outline: false,
                run: 4 => filter::paint_order::apply, id: "F5", stage: Filter,
                counter: 5 => "paint_order_filtered", noun: 5 => "covered",
            }
            /// S2.1: merges adjacent texts. Runs after the rules that remove wrappers, because a
            /// wrapper may stand between two texts.
            TextCollapsing {
                key: enable_text_collapsing, outline: false,
                run: 3 => simplify::text::apply, id: "S2.1", stage: Simplify,
                counter: 7 => "texts_collapsed", noun: 2 => "texts merged",
            }
            /// S2.2: removes wrappers around one thing.
            Layout {
                key: enable_layout_simplification, outline: true,
                run: 1 => simplify::layout::apply, id: "S2.2", stage: Simplify,
                counter: 8 => "wrappers_collapsed", noun: 1 => "wrappers",
            }
            /// S2.3: drops attributes that repeat something. Runs last, when every node has its
            /// final place.
            AttributeDeduplication {
                key: enable_attribute_deduplication, outline: false,
                run: 4 => simplify::attributes::apply, id: "S2.3", stage: Simplify,
            }
            /// S2.4: removes wrappers inside a click target.
            Bounds {
                key: enable_propagating_bounds, outline: true,
                run: 2 => simplify::bounds::apply, id: "S2.4", stage: Simplify,
                counter: 6 => "propagating_bounds_filtered", noun: 3 => "inside click targets",
            }
            /// P3.1: prints short numbers instead of the page's own ids.
            IdRemapping {
                key: enable_id_remapping, outline: true,
                run: 0 => optimize::when_printed, id: "P3.1", stage: Optimize,
            }
            /// P3.2: drops attributes that mean nothing to a reader.
            AttributePruning {
                key: enable_attribute_pruning, outline: false,
                run: 1 => optimize::attributes::apply, id: "P3.2", stage: Optimize,
            }
            /// P3.3: prints JSON keys in snake case.
            FieldNormalization {
                key: enable_field_normalization, outline: true,
                run: 0 => optimize::when_printed, id: "P3.3", stage: Optimize,
            }
            /// P3.4: prints boxes as `[x, y, w, h]`.
            NumericCompaction {
                key: enable_numeric_compaction, outline: true,
                run: 0 => optimize::when_printed, id: "P3.4", stage: Optimize,
            }
            /// P3.5: prints common roles and types once, in a dictionary.
            MetadataBucketing {
                key: enable_metadata_bucketing, outline: true,
                run: 0 => optimize::when_printed, id: "P3.5", stage: Optimize,
            }
        }
    };
}
pub(super) use for_each_rule;

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
        key: $key:ident, outline: $outline:literal, run: $step:literal => $apply:path,
        id: $id:literal, stage: $stage:ident,
        $(counter: $place:literal => $counter:literal, noun: $position:literal => $noun:literal,)?
    })*) => {
        /// A rule of the pipeline.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum PipelineRule {
            $($(#[$doc])* $rule,)*
        }

        impl PipelineRule {
            /// All rules, in the order of their ids.
            pub const ALL: &'static [PipelineRule] = &[$(PipelineRule::$rule),*];

            /// Returns its name in the documentation: `F1`.
            pub fn id(self) -> &'static str {
                match self { $(PipelineRule::$rule => $id,)* }
            }

            /// Returns its switch in the configuration: `enable_visibility_filter`.
            pub fn key(self) -> &'static str {
                match self { $(PipelineRule::$rule => stringify!($key),)* }
            }

            /// Returns its stage.
            pub fn stage(self) -> Stage {
                match self { $(PipelineRule::$rule => Stage::$stage,)* }
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

for_each_rule!(define_rules);
