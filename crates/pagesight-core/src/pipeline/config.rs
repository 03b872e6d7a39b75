//! Which rules run, and their thresholds: the keys of the seed's `PipelineConfig` in snake case.
//! Pure data.

use serde::{Deserialize, Serialize};

/// The pipeline's switches and thresholds. What is not given keeps its default: every rule on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PipelineConfig {
    /// F1: what no one sees goes.
    pub enable_visibility_filter: bool,
    /// F2: tiny texts that say nothing go.
    pub enable_text_node_filter: bool,
    /// F3: scripts, styles, metadata and comments go.
    pub enable_noise_filter: bool,
    /// F4: containers that hold nothing go.
    pub enable_semantic_container_filter: bool,
    /// F5: what lies wholly under something opaque goes.
    pub enable_paint_order_filter: bool,
    /// S2.1: texts that stand side by side become one.
    pub enable_text_collapsing: bool,
    /// S2.2: wrappers around one thing give way to it.
    pub enable_layout_simplification: bool,
    /// S2.3: attributes that are said already go.
    pub enable_attribute_deduplication: bool,
    /// S2.4: wrappers inside a click target belong to it.
    pub enable_propagating_bounds: bool,
    /// P3.1: short numbers stand for the page's own ids.
    pub enable_id_remapping: bool,
    /// P3.2: attributes without a meaning to a reader go.
    pub enable_attribute_pruning: bool,
    /// P3.3: keys of JSON are in snake case.
    pub enable_field_normalization: bool,
    /// P3.4: boxes are `[x, y, w, h]`.
    pub enable_numeric_compaction: bool,
    /// P3.5: common roles and types stand in a dictionary.
    pub enable_metadata_bucketing: bool,
    /// Texts shorter than this may be tiny (F2).
    pub min_text_length: usize,
    /// How much of a box must lie in the click target around it (S2.4), from 0 to 1.
    pub propagating_containment_threshold: f64,
}

impl PipelineConfig {
    /// Every rule on.
    pub const DEFAULT: PipelineConfig = PipelineConfig::all(true);
    /// Every rule off: what was captured, as it is.
    pub const OFF: PipelineConfig = PipelineConfig::all(false);
    /// What the outline is made of, stages 1 and 2. It tells what lies over an element instead of
    /// leaving the element out, puts whole lines of text together by itself, and prints no
    /// attributes.
    pub const OUTLINE: PipelineConfig = PipelineConfig {
        enable_paint_order_filter: false,
        enable_text_collapsing: false,
        enable_attribute_deduplication: false,
        enable_attribute_pruning: false,
        ..PipelineConfig::DEFAULT
    };

    const fn all(on: bool) -> PipelineConfig {
        PipelineConfig {
            enable_visibility_filter: on,
            enable_text_node_filter: on,
            enable_noise_filter: on,
            enable_semantic_container_filter: on,
            enable_paint_order_filter: on,
            enable_text_collapsing: on,
            enable_layout_simplification: on,
            enable_attribute_deduplication: on,
            enable_propagating_bounds: on,
            enable_id_remapping: on,
            enable_attribute_pruning: on,
            enable_field_normalization: on,
            enable_numeric_compaction: on,
            enable_metadata_bucketing: on,
            min_text_length: 2,
            propagating_containment_threshold: 0.95,
        }
    }

    /// The thresholds, if they mean something.
    pub fn checked(self) -> Result<PipelineConfig, ConfigError> {
        let threshold = self.propagating_containment_threshold;
        if !(0.0..=1.0).contains(&threshold) {
            return Err(ConfigError::Threshold { given: threshold });
        }
        Ok(self)
    }
}

impl Default for PipelineConfig {
    fn default() -> Self {
        PipelineConfig::DEFAULT
    }
}

/// What is wrong with a configuration.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// No share.
    #[error("propagating_containment_threshold {given} is no share; give a number from 0 to 1")]
    Threshold {
        /// What was given.
        given: f64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_seeds_and_what_is_not_given_is_on() {
        let given: PipelineConfig =
            serde_json::from_str(r#"{"enable_noise_filter": false, "min_text_length": 3}"#)
                .unwrap();
        let expected = PipelineConfig {
            enable_noise_filter: false,
            min_text_length: 3,
            ..PipelineConfig::DEFAULT
        };
        assert_eq!(given, expected);
        assert_eq!(
            serde_json::from_str::<PipelineConfig>("{}").unwrap(),
            PipelineConfig::default()
        );
        let keys = serde_json::to_value(PipelineConfig::DEFAULT).unwrap();
        assert_eq!(keys.as_object().unwrap().len(), 16);
    }

    #[test]
    fn an_unknown_key_and_a_senseless_threshold_are_refused() {
        assert!(serde_json::from_str::<PipelineConfig>(r#"{"enableNoiseFilter": false}"#).is_err());
        for given in [-0.1, 1.5, f64::NAN] {
            let config = PipelineConfig {
                propagating_containment_threshold: given,
                ..PipelineConfig::DEFAULT
            };
            assert!(config.checked().is_err(), "{given}");
        }
        assert!(PipelineConfig::OFF.checked().is_ok());
    }
}
