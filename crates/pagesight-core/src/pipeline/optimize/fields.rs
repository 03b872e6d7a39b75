//! P3.3: prints JSON keys in snake case; without the rule, some keys are in camel case.

use crate::pipeline::config::PipelineConfig;

/// The keys that differ, in both forms.
const KEYS: [(&str, &str); 4] = [
    ("box", "boundingBox"),
    ("covered_by", "coveredBy"),
    ("form_name", "formName"),
    ("node_id", "nodeId"),
];

/// Returns a key as it is printed, given in snake case.
pub(crate) fn key(config: &PipelineConfig, name: &'static str) -> &'static str {
    if config.enable_field_normalization {
        return name;
    }
    KEYS.iter().find(|(snake, _)| *snake == name).map_or(name, |(_, camel)| camel)
}
