//! Part of `cargo lab reduce`: what other thresholds of the pipeline would change, and how long its
//! stages take. These figures decide whether thresholds should adapt to the page and whether stages
//! should run in parallel.

use std::time::{Duration, Instant};

use super::ROOM;
use crate::product::{
    Page, PipelineConfig, SequentialNumbers, SnapshotOptions, count_tokens, measured, view,
};

/// The thresholds that are tried beside the default, each with its name.
fn tried() -> Vec<(String, PipelineConfig)> {
    let lengths = [1, 3, 4, 8].map(|min_text_length| {
        let config = PipelineConfig { min_text_length, ..PipelineConfig::DEFAULT };
        (format!("`min_text_length` {min_text_length} instead of 2"), config)
    });
    let shares = [0.5, 0.8, 0.9, 0.99, 1.0].map(|share| {
        let config =
            PipelineConfig { propagating_containment_threshold: share, ..PipelineConfig::DEFAULT };
        (format!("`propagating_containment_threshold` {share} instead of 0.95"), config)
    });
    lengths.into_iter().chain(shares).collect()
}

/// What one page gives with other thresholds.
pub struct ThresholdTrial {
    /// Tokens with the default.
    tokens: usize,
    /// For each configuration that is tried: tokens, if the text differs.
    others: Vec<Option<usize>>,
    /// How long the pipeline took, and how long writing took.
    times: (Duration, Duration),
}

/// Renders one page with each configuration.
pub fn try_thresholds(page: &Page) -> anyhow::Result<ThresholdTrial> {
    let begun = Instant::now();
    drop(view(page, &PipelineConfig::DEFAULT));
    let pipeline = begun.elapsed();
    let begun = Instant::now();
    let usual = text(page, &PipelineConfig::DEFAULT)?;
    let writing = begun.elapsed().saturating_sub(pipeline);
    let mut others = Vec::new();
    for (_, config) in tried() {
        let other = text(page, &config)?;
        others.push((other != usual).then(|| count_tokens(&other)));
    }
    Ok(ThresholdTrial { tokens: count_tokens(&usual), others, times: (pipeline, writing) })
}

fn text(page: &Page, config: &PipelineConfig) -> anyhow::Result<String> {
    let options = SnapshotOptions { max_tokens: ROOM, ..SnapshotOptions::default() };
    let mut numbers = SequentialNumbers::default();
    let taken = measured(page, config, &options, false, &mut numbers, || Duration::ZERO)?;
    Ok(taken.snapshot.text)
}

/// Prints what all pages give.
pub fn print(trials: &[ThresholdTrial]) {
    println!("\n| threshold | pages that change | tokens | largest change of a page |");
    println!("|---|---|---|---|");
    let share = |other: usize, usual: usize| (other as f64 / usual.max(1) as f64 - 1.0) * 100.0;
    for (at, (name, _)) in tried().iter().enumerate() {
        let changed: Vec<_> = trials
            .iter()
            .filter_map(|trial| trial.others[at].map(|tokens| (tokens, trial.tokens)))
            .collect();
        let usual: usize = trials.iter().map(|trial| trial.tokens).sum();
        let other: usize =
            trials.iter().map(|trial| trial.others[at].unwrap_or(trial.tokens)).sum();
        let largest = changed
            .iter()
            .map(|(other, usual)| share(*other, *usual))
            .max_by(|a, b| a.abs().total_cmp(&b.abs()))
            .unwrap_or_default();
        println!(
            "| {name} | {} of {} | {:+.2} % | {largest:+.1} % |",
            changed.len(),
            trials.len(),
            share(other, usual)
        );
    }
    let mut times: Vec<_> = trials.iter().map(|trial| trial.times).collect();
    times.sort();
    if let (Some(middle), Some(longest)) = (times.get(times.len() / 2), times.last()) {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        println!(
            "\nThe pipeline takes {:.2} ms (median), {:.2} ms (longest); writing that snapshot takes {:.2} and {:.2} ms.",
            ms(middle.0),
            ms(longest.0),
            ms(middle.1),
            ms(longest.1)
        );
    }
}
