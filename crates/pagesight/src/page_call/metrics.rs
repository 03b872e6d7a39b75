//! The metrics of a snapshot as a table for people.

use pagesight_core::pipeline::{CompactionMetrics, Stage};

/// Returns what the pipeline saved, one line per stage.
pub(super) fn table(metrics: &CompactionMetrics) -> String {
    let m = metrics;
    let stage = |name: &str, ms: f64, what: String| format!("  {name:<26} {ms:>8.2} ms  {what}\n");
    let mut out = format!(
        "{} → {} nodes, {} → {} characters, {} → {} tokens ({:.0} % saved; compaction score {:.2})\n",
        m.total_nodes,
        m.serialized_nodes,
        m.total_chars_before,
        m.total_chars_after,
        m.tokens_before,
        m.tokens_after,
        m.token_reduction_rate * 100.0,
        m.compaction_score
    );
    out += &stage("1 signal filtering", m.stage1_time_ms, m.summary(Stage::Filter));
    out += &stage("2 structure simplification", m.stage2_time_ms, m.summary(Stage::Simplify));
    out += &stage("3 payload optimisation", m.stage3_time_ms, m.summary(Stage::Optimize));
    out
}
