//! Which rules run, how values are printed, and the thresholds. The order of the fields is the
//! order of the ids; the message about an unknown key lists them.

use serde::{Deserialize, Serialize};

/// The pipeline's switches and thresholds. By default every switch is on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PipelineConfig {
    /// F1: removes what nobody can see.
    pub enable_visibility_filter: bool,
    /// F2: removes tiny texts that say nothing.
    pub enable_text_node_filter: bool,
    /// F3: removes scripts, styles, metadata and comments.
    pub enable_noise_filter: bool,
    /// F4: removes containers that hold nothing.
    pub enable_semantic_container_filter: bool,
    /// F5: removes what is completely covered by something opaque.
    pub enable_paint_order_filter: bool,
    /// S2.1: merges adjacent texts.
    pub enable_text_collapsing: bool,
    /// S2.2: removes wrappers around one thing.
    pub enable_layout_simplification: bool,
    /// S2.3: drops attributes that repeat something.
    pub enable_attribute_deduplication: bool,
    /// S2.4: removes wrappers inside a click target.
    pub enable_propagating_bounds: bool,
    /// P3.1: prints short numbers only; without it, the page's own ids as well.
    pub enable_id_remapping: bool,
    /// P3.2: drops attributes that mean nothing to a reader.
    pub enable_attribute_pruning: bool,
    /// P3.3: prints JSON keys in snake case.
    pub enable_field_normalization: bool,
    /// P3.4: prints boxes as `[x, y, w, h]`.
    pub enable_numeric_compaction: bool,
    /// P3.5: prints common roles and types once, in a dictionary.
    pub enable_metadata_bucketing: bool,
    /// Texts shorter than this may be tiny (F2).
    pub min_text_length: usize,
    /// How much of a box must lie in the click target around it (S2.4), from 0 to 1.
    pub propagating_containment_threshold: f64,
}

impl PipelineConfig {
    /// Every rule on.
    pub const DEFAULT: PipelineConfig = PipelineConfig::all(true);
    /// Every rule off: the page as it was captured.
    pub const OFF: PipelineConfig = PipelineConfig::all(false);
    /// The rules of the outline, which says what covers an element instead of leaving it out, joins
    /// whole lines of text on its own, and prints no attributes.
    pub(crate) const OUTLINE: PipelineConfig = PipelineConfig {
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

    /// Returns the configuration if its thresholds are valid.
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

/// An invalid configuration.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// The threshold is not between 0 and 1.
    #[error("propagating_containment_threshold {given} is not a share; give a number from 0 to 1")]
    Threshold {
        /// The given value.
        given: f64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::PipelineRule;

    #[test]
    fn missing_keys_keep_their_defaults() {
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
        assert!(PipelineRule::ALL.iter().all(|rule| keys[rule.key()] == true));
    }

    #[test]
    fn unknown_keys_and_invalid_thresholds_are_refused() {
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
