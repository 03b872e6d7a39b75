//! The three-stage pipeline: from a captured [`Page`] to the fewest tokens that lose nothing.
//!
//! Stage 1 (`filter`) takes out what says nothing, stage 2 (`simplify`) says the same in fewer
//! nodes, stage 3 (`optimize`) in fewer words. Each rule is one file, switched by one key of
//! [`PipelineConfig`], and decides on a [`View`] that lies over the page; the page is never changed
//! or copied. With every rule off the view is the page.
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
pub(crate) mod simplify;
#[cfg(test)]
mod tests;
mod view;

use std::time::Duration;

pub use config::{ConfigError, PipelineConfig};
pub use metrics::{CHARACTERS_A_TOKEN, CompactionMetrics, Emitted, Sizes, Times, estimate_tokens};
pub use optimize::buckets::Bucket;
pub use optimize::ids::IdMap;
pub use view::{Fate, Rule, Said, View};

pub(crate) use filter::noise::COMMENT;

use crate::page::Page;

/// A page as the rules leave it.
pub fn view<'p>(page: &'p Page, config: &PipelineConfig) -> View<'p> {
    timed(page, config, || Duration::ZERO).0
}

/// The same, and how long each stage took by the caller's clock.
pub fn timed<'p>(
    page: &'p Page,
    config: &PipelineConfig,
    mut now: impl FnMut() -> Duration,
) -> (View<'p>, Times) {
    let mut view = View::new(page, *config);
    let begun = now();
    filter::run(&mut view);
    let filtered = now();
    simplify::run(&mut view);
    let simplified = now();
    optimize::run(&mut view);
    let optimized = now();
    let times = Times {
        stage1: filtered.saturating_sub(begun),
        stage2: simplified.saturating_sub(filtered),
        stage3: optimized.saturating_sub(simplified),
    };
    (view, times)
}
