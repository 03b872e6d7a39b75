//! A snapshot with metrics of what the pipeline saved. The metrics compare snapshots without a
//! budget, so that folding does not count as compaction. The metrics themselves count against the
//! caller's budget.

use std::time::Duration;

use crate::page::Page;
use crate::pipeline::{CompactionMetrics, Emitted, PipelineConfig, Sizes, timed, view};
use crate::render::numbers::{Numbers, SequentialNumbers};
use crate::render::snapshot::{Snapshot, SnapshotFormat, SnapshotOptions, nodes, snapshot};
use crate::text::tokens::count;

/// How many tokens a snapshot needs besides the metrics.
const ROOM: usize = 200;

/// A snapshot with optional metrics.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The snapshot, without the metrics.
    pub snapshot: Snapshot,
    /// The metrics.
    pub metrics: Option<CompactionMetrics>,
    format: SnapshotFormat,
}

/// The budget is too small for the metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the metrics alone take {size} of max_tokens {given}; give {needed} or more, or leave metrics out"
)]
pub struct NoRoom {
    /// How many tokens the metrics take.
    pub size: usize,
    /// The given budget.
    pub given: usize,
    /// The smallest budget that is enough.
    pub needed: usize,
}

impl Measured {
    /// Returns snapshot and metrics in one text.
    pub fn text(&self) -> String {
        let text = &self.snapshot.text;
        match (&self.metrics, self.format) {
            (None, _) => text.clone(),
            (Some(metrics), SnapshotFormat::Text) => {
                format!("{text}metrics {}\n", written(metrics))
            }
            (Some(metrics), SnapshotFormat::Json) => {
                let open = text.trim_end().strip_suffix('}').unwrap_or(text);
                format!("{open},\"metrics\":{}}}\n", written(metrics))
            }
        }
    }
}

fn written(metrics: &CompactionMetrics) -> String {
    serde_json::to_string(metrics).unwrap_or_default()
}

/// Renders a page as a snapshot, with metrics if `metrics`. `now` is the caller's clock.
pub fn measured(
    page: &Page,
    config: &PipelineConfig,
    options: &SnapshotOptions,
    metrics: bool,
    numbers: &mut dyn Numbers,
    mut now: impl FnMut() -> Duration,
) -> Result<Measured, NoRoom> {
    let format = options.format;
    let (after, times) = timed(page, config, &mut now);
    if !metrics {
        return Ok(Measured {
            snapshot: snapshot(&after, options, numbers),
            metrics: None,
            format,
        });
    }
    let whole = SnapshotOptions { max_tokens: SnapshotOptions::WHOLE.max_tokens, ..*options };
    let begun = now();
    let emitted = snapshot(&after, &whole, &mut SequentialNumbers::default()).text;
    let writing = now().saturating_sub(begun);
    let before = view(page, &PipelineConfig::OFF);
    let raw = snapshot(&before, &whole, &mut SequentialNumbers::default()).text;
    let before = Emitted { nodes: nodes(&before, options.scope), sizes: Sizes::of(&raw) };
    let emitted = Emitted { nodes: nodes(&after, options.scope), sizes: Sizes::of(&emitted) };
    let figures = CompactionMetrics::new(&after, &before, &emitted, times, writing);
    // A few more for the text between the two.
    let size = count(&written(&figures)) + 8;
    if options.max_tokens < size + ROOM {
        return Err(NoRoom { size, given: options.max_tokens, needed: size + ROOM });
    }
    let options = SnapshotOptions { max_tokens: options.max_tokens - size, ..*options };
    Ok(Measured { snapshot: snapshot(&after, &options, numbers), metrics: Some(figures), format })
}
