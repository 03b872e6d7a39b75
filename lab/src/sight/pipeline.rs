//! How many tokens the pipeline saves on real pages, and that it loses nothing. Each page is
//! captured once, in full. The snapshot with every rule off is compared with the one with all rules
//! on. Every usable element and every word of the browser's own `innerText` must be in the
//! snapshot.

use std::collections::BTreeSet;
use std::time::Instant;

use anyhow::Context;

use super::judging::{Judging, PageJudge, StillPage};
use crate::options::{PageGroup, PagesArgs};
use crate::product::{
    CompactionMetrics, Flags, LookOptions, NodeFate, Page, PipelineConfig, PipelineRule,
    SequentialNumbers, SnapshotOptions, measured, view,
};
use crate::report::{quantile, table};

/// Everything, for the check that nothing is lost.
const ROOM: usize = 50_000_000;
const CHOICES: &str =
    "[...document.querySelectorAll('option')].map((option) => option.textContent).join(' ')";

#[derive(Default)]
struct PipelineJudge {
    found: Vec<(PageGroup, Reduction)>,
}

/// The result of one page.
struct Reduction {
    name: String,
    metrics: CompactionMetrics,
    /// Usable elements that show, and those of them that are in the snapshot.
    usable: (usize, usize),
    /// Words of `innerText`, and those of them that are in the snapshot.
    words: (usize, usize),
    /// Words that are missing, because nobody can see them or for no reason.
    unseen: usize,
    missing: Vec<String>,
}

pub async fn run(pages: &PagesArgs) -> anyhow::Result<()> {
    let mut judge = PipelineJudge::default();
    let (judging, visited) = Judging::visit(&mut judge, pages, &["hang.html"], &[]).await?;
    let judged = judging.end().await;
    print(&judge.found);
    judged.and(visited)?;
    anyhow::ensure!(!judge.found.is_empty(), "no page or app matches");
    let is_lost = |found: &Reduction| found.usable.0 != found.usable.1 || !found.missing.is_empty();
    let lost = judge.found.iter().filter(|(_, found)| is_lost(found));
    let lost: Vec<&str> = lost.map(|(_, found)| found.name.as_str()).collect();
    anyhow::ensure!(lost.is_empty(), "something is lost on {}", lost.join(", "));
    Ok(())
}

impl PageJudge for PipelineJudge {
    async fn judge(&mut self, page: StillPage<'_>) -> anyhow::Result<()> {
        let StillPage { session, tab, tools, attached, .. } = page;
        let text = attached.evaluate(tools, "document.body ? document.body.innerText : ''").await?;
        let choices = attached.evaluate(tools, CHOICES).await?;
        let look = session.look(tab, LookOptions { full: true, ..LookOptions::default() }).await?;
        let (text, choices) = (text.as_str(), choices.as_str());
        let found = reduction(
            page.name,
            &look.page,
            text.unwrap_or_default(),
            choices.unwrap_or_default(),
        )?;
        eprintln!("{}: {} of {} usable", found.name, found.usable.1, found.usable.0);
        self.found.push((page.group, found));
        Ok(())
    }
}

fn reduction(name: &str, page: &Page, text: &str, choices: &str) -> anyhow::Result<Reduction> {
    let begun = Instant::now();
    let options = SnapshotOptions { max_tokens: ROOM, ..SnapshotOptions::default() };
    let config = PipelineConfig::DEFAULT;
    let taken = measured(page, &config, &options, true, &mut SequentialNumbers::default(), || {
        begun.elapsed()
    })?;
    let shown: BTreeSet<usize> =
        taken.snapshot.shown.iter().map(|(node, _)| node.index()).collect();
    let seen = view(page, &config);
    let covered = |flags: Flags| flags.contains(Flags::OBSCURED);
    let usable: Vec<usize> = page
        .nodes()
        .filter(|node| node.is(Flags::USABLE) && node.hidden().is_none() && !covered(node.flags()))
        .map(|node| node.id().index())
        .collect();
    let there = usable.iter().filter(|at| shown.contains(at)).count();
    let reported = words(&plain(&taken.snapshot.text));
    // What the page script judges that nobody can see.
    let hidden: BTreeSet<String> = page
        .nodes()
        .filter(|node| {
            node.is_text()
                && matches!(
                    seen.fate(node.id()),
                    NodeFate::Gone(
                        PipelineRule::Visibility | PipelineRule::PaintOrder | PipelineRule::Noise
                    )
                )
        })
        .flat_map(|node| words(node.name()))
        .collect();
    let raw: BTreeSet<String> =
        page.nodes().filter(|node| node.is_text()).flat_map(|node| words(node.name())).collect();
    let (wanted, choices) = (words(text), words(choices));
    // A word whose letters stand in elements of their own is there in pieces, and in no text as a
    // whole.
    let texts: Vec<String> = page
        .nodes()
        .filter(|node| {
            node.is_text() && matches!(seen.fate(node.id()), NodeFate::Shown | NodeFate::Merged)
        })
        .map(|node| node.name().to_lowercase())
        .collect();
    let alone: BTreeSet<String> = texts.iter().flat_map(|text| words(text)).collect();
    let pieces = texts.concat();
    let (mut unseen, mut missing) = (0, Vec::new());
    for word in wanted.difference(&reported) {
        // A word that was not captured at all is the walk's matter (generated, in a field, too
        // small to perceive).
        let in_pieces = !alone.contains(word) && pieces.contains(word.as_str());
        if hidden.contains(word) || choices.contains(word) || !raw.contains(word) {
            unseen += 1;
        } else if !in_pieces {
            missing.push(word.clone());
        }
    }
    let words = (wanted.len(), wanted.len() - missing.len());
    let metrics = taken.metrics.context("no figures")?;
    Ok(Reduction {
        name: name.to_owned(),
        metrics,
        usable: (usable.len(), there),
        words,
        unseen,
        missing,
    })
}

/// The strings of a snapshot as the page wrote them.
fn plain(text: &str) -> String {
    text.replace("\\n", " ").replace("\\t", " ").replace("\\\"", " ").replace("\\\\", " ")
}

fn words(text: &str) -> BTreeSet<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect()
}

fn print(found: &[(PageGroup, Reduction)]) {
    println!();
    table(
        "page | nodes | emitted | tokens, rules off | tokens | saved | usable elements shown / in it | words of `innerText` | unseen | missing",
    );
    for (_, found) in found {
        let m = &found.metrics;
        println!(
            "| {} | {} | {} | {} | {} | {:.0} % | {} / {} | {} | {} | {} |",
            found.name,
            m.total_nodes,
            m.serialized_nodes,
            m.tokens_before,
            m.tokens_after,
            m.token_reduction_rate * 100.0,
            found.usable.0,
            found.usable.1,
            found.words.0,
            found.unseen,
            if found.missing.is_empty() { "0".to_owned() } else { found.missing.join(" ") }
        );
    }
    println!();
    table(" | pages | saved: median | quartiles | range | usable | missing words");
    for (what, group) in [("saved pages", PageGroup::Saved), ("live apps", PageGroup::App)] {
        let all = found.iter().filter(|(of, _)| *of == group).map(|(_, found)| found);
        let rates: Vec<f64> =
            all.clone().map(|found| found.metrics.token_reduction_rate * 100.0).collect();
        if rates.is_empty() {
            continue;
        }
        let (mut usable, mut there, mut missing) = (0, 0, 0);
        for found in all {
            usable += found.usable.0;
            there += found.usable.1;
            missing += found.missing.len();
        }
        let [least, low, middle, high, most] =
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&rates, share));
        println!(
            "| {what} | {} | {middle:.0} % | {low:.0} – {high:.0} % | {least:.0} – {most:.0} % | \
             {there} of {usable} | {missing} |",
            rates.len()
        );
    }
}
