//! Figures of what the pipeline saved. Before and after are texts from the same serialiser, with
//! every rule off and with the configured rules. Tokens are counted exactly; an estimate from the
//! number of characters has keys of its own.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::page::{Flags, NodeId};
use crate::pipeline::rules::{PipelineRule, Stage};
use crate::pipeline::view::View;

/// Characters of English text per token, as a rule of thumb.
const CHARACTERS_A_TOKEN: f64 = 3.8;

/// Estimates the tokens of a text from its length.
pub(super) fn estimate_tokens(characters: usize) -> usize {
    (characters as f64 / CHARACTERS_A_TOKEN).ceil() as usize
}

/// How long the stages took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times {
    /// Signal filtering.
    pub(crate) stage1: Duration,
    /// Structure simplification.
    pub(crate) stage2: Duration,
    /// Payload optimisation.
    pub(crate) stage3: Duration,
}

/// The size of an emitted text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Characters.
    pub(crate) chars: usize,
    /// o200k tokens.
    pub(crate) tokens: usize,
}

impl Sizes {
    /// Measures a text.
    pub(crate) fn of(text: &str) -> Sizes {
        Sizes { chars: text.chars().count(), tokens: crate::text::tokens::count(text) }
    }
}

/// The nodes and the size that a serialiser emits of a page without a budget.
#[derive(Clone, Debug, Default)]
pub(crate) struct Emitted {
    /// The nodes, in order.
    pub(crate) nodes: Vec<NodeId>,
    /// Their size.
    pub(crate) sizes: Sizes,
}

/// How many nodes each rule removed. In JSON each rule that removes nodes has a key of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleCounts(BTreeMap<PipelineRule, usize>);

impl RuleCounts {
    /// Returns how many nodes a rule removed.
    pub fn of(&self, rule: PipelineRule) -> usize {
        self.0.get(&rule).copied().unwrap_or(0)
    }
}

impl Serialize for RuleCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules = PipelineRule::ALL.iter();
        let mut counters: Vec<((u8, &str), usize)> =
            rules.filter_map(|rule| Some((rule.counter()?, self.of(*rule)))).collect();
        counters.sort_unstable();
        serializer.collect_map(counters.into_iter().map(|((_, key), count)| (key, count)))
    }
}

/// The figures of one run of the pipeline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompactionMetrics {
    /// Captured nodes.
    pub total_nodes: usize,
    /// Nodes that a person could use.
    pub interactive_nodes: usize,
    /// Elements that only hold others.
    pub structural_nodes: usize,
    /// Nodes that are not emitted.
    pub filtered_nodes: usize,
    /// Nodes that are emitted.
    pub serialized_nodes: usize,
    /// o200k tokens with every rule off.
    pub tokens_before: usize,
    /// o200k tokens with the configured rules.
    pub tokens_after: usize,
    /// The estimate before, at 3.8 characters per token.
    pub estimated_tokens_before: usize,
    /// The estimate after.
    pub estimated_tokens_after: usize,
    /// The share of tokens that was saved, from 0 to 1.
    pub token_reduction_rate: f64,
    /// Characters with every rule off.
    pub total_chars_before: usize,
    /// Characters with the configured rules.
    pub total_chars_after: usize,
    /// Characters per emitted node.
    pub average_chars_per_node: f64,
    /// All stages and the writing.
    pub serialization_time_ms: f64,
    /// Signal filtering.
    pub stage1_time_ms: f64,
    /// Structure simplification.
    pub stage2_time_ms: f64,
    /// Payload optimisation, writing included.
    pub stage3_time_ms: f64,
    /// How many nodes each rule removed.
    #[serde(flatten)]
    pub removed: RuleCounts,
    /// Attributes that S2.3 and P3.2 dropped.
    pub attributes_dropped: usize,
    /// 0.4 of the saved characters, 0.4 of the saved nodes, 0.2 of the saved tokens.
    pub compaction_score: f64,
}

impl CompactionMetrics {
    /// Returns what a stage removed, in words: `2 hidden, 0 tiny texts, …`.
    pub fn summary(&self, stage: Stage) -> String {
        let rules = PipelineRule::ALL.iter().filter(|rule| rule.stage() == stage);
        let mut counts: Vec<((u8, &str), usize)> =
            rules.filter_map(|rule| Some((rule.noun()?, self.removed.of(*rule)))).collect();
        counts.sort_unstable();
        let mut words: Vec<String> =
            counts.into_iter().map(|((_, noun), count)| format!("{count} {noun}")).collect();
        if stage == Stage::Optimize {
            words.push(format!("{} attributes", self.attributes_dropped));
        }
        words.join(", ")
    }

    /// Makes the figures of a view: `before` is emitted with every rule off, `after` with its
    /// rules.
    pub(crate) fn new(
        view: &View<'_>,
        before: &Emitted,
        after: &Emitted,
        times: Times,
        writing: Duration,
    ) -> CompactionMetrics {
        let removed = RuleCounts(view.removed(&before.nodes));
        let attributes_dropped = view.dropped_attributes(&before.nodes);
        let nodes = || before.nodes.iter().map(|id| view.page().node(*id));
        let (total_nodes, serialized_nodes) = (before.nodes.len(), after.nodes.len());
        let interactive_nodes = nodes().filter(|node| node.is(Flags::USABLE)).count();
        let texts = nodes().filter(|node| node.is_text()).count();
        let (before, after) = (before.sizes, after.sizes);
        let saved = |before: usize, after: usize| {
            if before == 0 { 0.0 } else { (before as f64 - after as f64) / before as f64 }
        };
        let token_reduction_rate = rounded(saved(before.tokens, after.tokens));
        let score = 0.4 * saved(before.chars, after.chars)
            + 0.4 * saved(total_nodes, serialized_nodes)
            + 0.2 * saved(before.tokens, after.tokens);
        let stage3 = times.stage3 + writing;
        CompactionMetrics {
            total_nodes,
            interactive_nodes,
            structural_nodes: total_nodes - interactive_nodes - texts,
            filtered_nodes: total_nodes.saturating_sub(serialized_nodes),
            serialized_nodes,
            tokens_before: before.tokens,
            tokens_after: after.tokens,
            estimated_tokens_before: estimate_tokens(before.chars),
            estimated_tokens_after: estimate_tokens(after.chars),
            token_reduction_rate,
            total_chars_before: before.chars,
            total_chars_after: after.chars,
            average_chars_per_node: rounded(after.chars as f64 / serialized_nodes.max(1) as f64),
            serialization_time_ms: milliseconds(times.stage1 + times.stage2 + stage3),
            stage1_time_ms: milliseconds(times.stage1),
            stage2_time_ms: milliseconds(times.stage2),
            stage3_time_ms: milliseconds(stage3),
            removed,
            attributes_dropped,
            compaction_score: rounded(score.clamp(0.0, 1.0)),
        }
    }
}

/// Rounds to three digits after the point.
fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

fn milliseconds(time: Duration) -> f64 {
    rounded(time.as_secs_f64() * 1_000.0)
}
