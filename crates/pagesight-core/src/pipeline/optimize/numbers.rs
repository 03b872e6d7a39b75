//! P3.4: boxes as `[x, y, w, h]` in whole pixels; switched off, as objects with a key for each
//! side.

use std::fmt::Write;

use crate::page::Rect;
use crate::pipeline::config::PipelineConfig;

/// A box as JSON.
pub(crate) fn push_box(out: &mut String, config: &PipelineConfig, rect: Rect) {
    let Rect { x, y, width, height } = rect;
    // Writing to a string cannot fail.
    let _ = if config.enable_numeric_compaction {
        write!(out, "[{x},{y},{width},{height}]")
    } else {
        write!(out, r#"{{"x":{x},"y":{y},"width":{width},"height":{height}}}"#)
    };
}
