//! What the pipeline saved: the seed's `CompactionMetrics`, but honest. Before and after are texts
//! as the same serialiser emits them, with every rule off and with the rules that were asked for;
//! tokens are counted, and the seed's estimate stands beside them under its own name.

use std::time::Duration;

use serde::Serialize;

use crate::page::{Flags, NodeId};
use crate::pipeline::{Rule, View};

/// The seed's rule of thumb: characters of English text a token.
pub const CHARACTERS_A_TOKEN: f64 = 3.8;

/// The seed's estimate of tokens.
pub fn estimate_tokens(characters: usize) -> usize {
    (characters as f64 / CHARACTERS_A_TOKEN).ceil() as usize
}

/// How long the stages took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Signal filtering.
    pub stage1: Duration,
    /// Structure simplification.
    pub stage2: Duration,
    /// Payload optimisation.
    pub stage3: Duration,
}

/// The size of an emitted text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Characters.
    pub chars: usize,
    /// o200k tokens.
    pub tokens: usize,
}

impl Sizes {
    /// Of a text.
    pub fn of(text: &str) -> Sizes {
        Sizes { chars: text.chars().count(), tokens: crate::text::tokens::count(text) }
    }
}

/// What a serialiser emitted of a page, without any budget.
#[derive(Clone, Debug, Default)]
pub struct Emitted {
    /// The nodes, in order.
    pub nodes: Vec<NodeId>,
    /// How much they take.
    pub sizes: Sizes,
}

/// What the pipeline made of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompactionMetrics {
    /// Captured nodes.
    pub total_nodes: usize,
    /// Those that a person could use.
    pub interactive_nodes: usize,
    /// Elements that are there for others.
    pub structural_nodes: usize,
    /// Nodes that are not emitted by themselves.
    pub filtered_nodes: usize,
    /// Nodes that are.
    pub serialized_nodes: usize,
    /// o200k tokens with every rule off.
    pub tokens_before: usize,
    /// o200k tokens with the rules that were asked for.
    pub tokens_after: usize,
    /// The seed's estimate, 3.8 characters a token.
    pub estimated_tokens_before: usize,
    /// The same behind the pipeline.
    pub estimated_tokens_after: usize,
    /// How much of the counted tokens was saved, from 0 to 1.
    pub token_reduction_rate: f64,
    /// Characters with every rule off.
    pub total_chars_before: usize,
    /// Characters with the rules that were asked for.
    pub total_chars_after: usize,
    /// Characters for each emitted node.
    pub average_chars_per_node: f64,
    /// All stages and the writing.
    pub serialization_time_ms: f64,
    /// Signal filtering.
    pub stage1_time_ms: f64,
    /// Structure simplification.
    pub stage2_time_ms: f64,
    /// Payload optimisation, writing included.
    pub stage3_time_ms: f64,
    /// Nodes that F1 took.
    pub visibility_filtered: usize,
    /// Nodes that F2 took.
    pub text_nodes_filtered: usize,
    /// Nodes that F3 took.
    pub noise_filtered: usize,
    /// Nodes that F4 took.
    pub containers_filtered: usize,
    /// Nodes that F5 took.
    pub paint_order_filtered: usize,
    /// Nodes that S2.4 took.
    pub propagating_bounds_filtered: usize,
    /// Texts that S2.1 merged or left out.
    pub texts_collapsed: usize,
    /// Wrappers that S2.2 took.
    pub wrappers_collapsed: usize,
    /// Attributes that S2.3 and P3.2 left out.
    pub attributes_dropped: usize,
    /// 0.4 of the saved characters, 0.4 of the saved nodes, 0.2 of the saved tokens.
    pub compaction_score: f64,
}

impl CompactionMetrics {
    /// The figures of a view: what was emitted with every rule off, and what with its rules.
    pub fn new(
        view: &View<'_>,
        before: &Emitted,
        after: &Emitted,
        times: Times,
        writing: Duration,
    ) -> CompactionMetrics {
        let taken = view.taken(&before.nodes);
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
        let taken = |rule: Rule| taken.get(&rule).copied().unwrap_or(0);
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
            visibility_filtered: taken(Rule::Visibility),
            text_nodes_filtered: taken(Rule::TinyText),
            noise_filtered: taken(Rule::Noise),
            containers_filtered: taken(Rule::Containers),
            paint_order_filtered: taken(Rule::PaintOrder),
            propagating_bounds_filtered: taken(Rule::Bounds),
            texts_collapsed: taken(Rule::TextCollapsing),
            wrappers_collapsed: taken(Rule::Layout),
            attributes_dropped,
            compaction_score: rounded(score.clamp(0.0, 1.0)),
        }
    }
}

/// Three digits behind the point are enough for anybody.
fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

fn milliseconds(time: Duration) -> f64 {
    rounded(time.as_secs_f64() * 1_000.0)
}
