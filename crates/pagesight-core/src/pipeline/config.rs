//! Which rules run, and their thresholds. The switches derive from the table of rules.

use serde::{Deserialize, Serialize};

use super::rules::{PipelineRule, for_each_rule};

macro_rules! define_config {
    ($($(#[$doc:meta])* $rule:ident {
        key: $key:ident, outline: $outline:literal, $($rest:tt)*
    })*) => {
        /// The pipeline's switches and thresholds. By default every rule is on.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct PipelineConfig {
            $($(#[$doc])* pub $key: bool,)*
            /// Texts shorter than this may be tiny (F2).
            pub min_text_length: usize,
            /// How much of a box must lie in the click target around it (S2.4), from 0 to 1.
            pub propagating_containment_threshold: f64,
        }

        impl PipelineConfig {
            /// The rules that the outline uses.
            pub const OUTLINE: PipelineConfig =
                PipelineConfig { $($key: $outline,)* ..PipelineConfig::DEFAULT };

            const fn all(on: bool) -> PipelineConfig {
                PipelineConfig {
                    $($key: on,)*
                    min_text_length: 2,
                    propagating_containment_threshold: 0.95,
                }
            }

            /// Whether a rule is on.
            pub fn is_on(&self, rule: PipelineRule) -> bool {
                match rule { $(PipelineRule::$rule => self.$key,)* }
            }
        }
    };
}

for_each_rule!(define_config);

impl PipelineConfig {
    /// Every rule on.
    pub const DEFAULT: PipelineConfig = PipelineConfig::all(true);
    /// Every rule off: the page as it was captured.
    pub const OFF: PipelineConfig = PipelineConfig::all(false);

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
        assert_eq!(keys.as_object().unwrap().len(), PipelineRule::ALL.len() + 2);
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
