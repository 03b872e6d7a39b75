//! The three-stage pipeline: reduces a captured [`Page`] to the fewest tokens without losing
//! information.
//!
//! Stage 1 (`filter`) removes nodes that say nothing, stage 2 (`simplify`) says the same in fewer
//! nodes, stage 3 (`optimize`) in fewer tokens. Each rule is one file and one row of the table in
//! `rules`, and decides on a [`View`] over the page; the page itself is never changed or copied.
//! The children of a removed node take its place, so that no rule removes more than it means to.
//! With every rule off, the view shows the page as it was captured.
//!
//! ```
//! use pagesight_core::wire::page_file;
//! use pagesight_core::pipeline::{PipelineConfig, view};
//! use pagesight_core::render::{SequentialNumbers, SnapshotOptions, snapshot};
//!
//! # let text = include_str!("../../../../tests/captures/dashboard.page.json");
//! let page = page_file::read(text)?;
//! let view = view(&page, &PipelineConfig { min_text_length: 3, ..PipelineConfig::default() });
//! let snapshot = snapshot(&view, &SnapshotOptions::default(), &mut SequentialNumbers::default());
//! assert!(snapshot.text.starts_with("uid=1_1 html"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
#[cfg(test)]
mod degenerate;
pub(crate) mod filter;
mod metrics;
pub(crate) mod optimize;
#[cfg(test)]
mod properties;
mod rules;
mod run;
pub(crate) mod simplify;
#[cfg(test)]
mod tests;
mod view;

use std::time::Duration;

pub use config::{ConfigError, PipelineConfig};
pub use metrics::{CompactionMetrics, RuleCounts};
pub(crate) use metrics::{Emitted, Sizes, Times};
pub use rules::{PipelineRule, Stage};
use run::run;
pub use view::{NodeFate, Said, View};

use crate::page::Page;

/// Applies the rules to a page.
pub fn view<'p>(page: &'p Page, config: &PipelineConfig) -> View<'p> {
    timed(page, config, || Duration::ZERO).0
}

/// Applies the rules to a page, and returns how long each stage took by the caller's clock.
pub(crate) fn timed<'p>(
    page: &'p Page,
    config: &PipelineConfig,
    mut now: impl FnMut() -> Duration,
) -> (View<'p>, Times) {
    let mut view = View::new(page, *config);
    let begun = now();
    run(Stage::Filter, &mut view);
    let filtered = now();
    run(Stage::Simplify, &mut view);
    let simplified = now();
    run(Stage::Optimize, &mut view);
    let optimized = now();
    let times = Times {
        stage1: filtered.saturating_sub(begun),
        stage2: simplified.saturating_sub(filtered),
        stage3: optimized.saturating_sub(simplified),
    };
    (view, times)
}
