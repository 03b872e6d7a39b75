//! P3.4: prints boxes as `[x, y, w, h]` in whole pixels; without the rule, as objects.

use std::fmt::Write;

use crate::page::Rect;
use crate::pipeline::config::PipelineConfig;

/// Prints a box as JSON.
pub(crate) fn push_box(out: &mut String, config: &PipelineConfig, rect: Rect) {
    let Rect { x, y, width, height } = rect;
    // Writing to a string cannot fail.
    let _ = if config.enable_numeric_compaction {
        write!(out, "[{x},{y},{width},{height}]")
    } else {
        write!(out, r#"{{"x":{x},"y":{y},"width":{width},"height":{height}}}"#)
    };
}
