//! P3.3: the keys of JSON, in snake case; switched off, as the seed's own objects had them.

use crate::pipeline::config::PipelineConfig;

/// Every key that is written, in both forms.
const KEYS: [(&str, &str); 4] = [
    ("box", "boundingBox"),
    ("covered_by", "coveredBy"),
    ("form_name", "formName"),
    ("node_id", "nodeId"),
];

/// A key as it is to be written, given in snake case.
pub(crate) fn key(config: &PipelineConfig, name: &'static str) -> &'static str {
    if config.enable_field_normalization {
        return name;
    }
    KEYS.iter().find(|(snake, _)| *snake == name).map_or(name, |(_, camel)| camel)
}
