//! `cargo lab reduce`: how many tokens the pipeline saves on real pages, and that it loses nothing.
//! Each page is captured once, in full. The snapshot with every rule off is compared with the one
//! with all rules on. Every usable element and every word of the browser's own `innerText` must be
//! in the snapshot.

mod thresholds;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use thresholds::ThresholdTrial;

use crate::options::PagesArgs;
use crate::pages::PageState;
use crate::product::{
    CompactionMetrics, Flags, LookOptions, NodeFate, Page, PipelineConfig, PipelineRule,
    SequentialNumbers, Session, SessionOptions, SnapshotOptions, TabRecord, measured, view,
};

/// How long one page may take.
const PAGE_LIMIT: Duration = Duration::from_secs(120);
/// Everything, for the check that nothing is lost.
const ROOM: usize = 50_000_000;

/// Options of `cargo lab reduce`.
#[derive(Args)]
pub struct ReduceArgs {
    #[command(flatten)]
    pages: PagesArgs,
    /// Also try other thresholds of the pipeline; a build of the lab with --release gives its times
    #[arg(long)]
    thresholds: bool,
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
    /// What other thresholds give, if that was asked for.
    thresholds: Option<ThresholdTrial>,
}

/// Visits all pages and apps; fails if anything is lost.
pub async fn run(args: ReduceArgs) -> anyhow::Result<()> {
    let session = Session::new(SessionOptions::default());
    let (mut saved, mut live) = (Vec::new(), Vec::new());
    // The page hangs on purpose.
    visit(&session, args.pages.pages(&["hang.html"]).await?, args.thresholds, &mut saved).await;
    let mut ran = 0;
    for app in args.pages.apps() {
        if let Some(mut running) = app.start_or_skip().await {
            visit(&session, std::mem::take(&mut running.page_states), args.thresholds, &mut live)
                .await;
            running.end().await;
            ran += 1;
        }
    }
    session.close().await;
    print(&saved, &live);
    let trials: Vec<ThresholdTrial> =
        saved.iter_mut().chain(&mut live).filter_map(|found| found.thresholds.take()).collect();
    if !trials.is_empty() {
        thresholds::print(&trials);
    }
    args.pages.require_apps(ran)?;
    anyhow::ensure!(!saved.is_empty() || !live.is_empty(), "no page or app matches");
    let lost = |found: &&Reduction| found.usable.0 != found.usable.1 || !found.missing.is_empty();
    let lost: Vec<&str> =
        saved.iter().chain(&live).filter(lost).map(|found| found.name.as_str()).collect();
    anyhow::ensure!(lost.is_empty(), "something is lost on {}", lost.join(", "));
    Ok(())
}

/// Looks at one state after the other, a tab for each page.
async fn visit(
    session: &Session,
    page_states: Vec<PageState>,
    thresholds: bool,
    into: &mut Vec<Reduction>,
) {
    let mut tab: Option<std::sync::Arc<TabRecord>> = None;
    for page_state in page_states {
        if page_state.url.is_some()
            && let Some(old) = tab.take()
        {
            let _ = session.close_tab(&old).await;
        }
        let looked = async {
            if tab.is_none() {
                tab = Some(session.open_tab(None).await?);
            }
            look(session, tab.as_ref().context("no tab")?, &page_state, thresholds).await
        };
        match tokio::time::timeout(PAGE_LIMIT, looked)
            .await
            .map_err(anyhow::Error::from)
            .and_then(|found| found)
        {
            Ok(found) => {
                let m = &found.metrics;
                eprintln!(
                    "{}: {} → {} tokens, {} of {} usable, {} words missing",
                    found.name,
                    m.tokens_before,
                    m.tokens_after,
                    found.usable.1,
                    found.usable.0,
                    found.missing.len()
                );
                into.push(found);
            }
            Err(error) => println!("skipped: {}: {error:#}", page_state.name),
        }
    }
}

async fn look(
    session: &Session,
    tab: &std::sync::Arc<TabRecord>,
    page_state: &PageState,
    thresholds: bool,
) -> anyhow::Result<Reduction> {
    if let Some(url) = &page_state.url {
        session.navigate(tab, &session.address(url)?, None).await?;
    }
    if let Some(step) = &page_state.step {
        let script = match step.strip_prefix("click ") {
            Some(selector) => format!("void document.querySelector({selector:?}).click()"),
            None => format!("void (async () => {{ {step} }})()"),
        };
        session.evaluate(tab, &script).await?;
        tokio::time::sleep(Duration::from_millis(1_500)).await;
    }
    let text = session.evaluate(tab, "document.body ? document.body.innerText : ''").await?;
    // The choices of a closed list are in `innerText`, but on no screen.
    let choices =
        "[...document.querySelectorAll('option')].map((option) => option.textContent).join(' ')";
    let choices = session.evaluate(tab, choices).await?;
    let look = session.look(tab, LookOptions { full: true, ..LookOptions::default() }).await?;
    let mut found = judge(
        &page_state.name,
        &look.page,
        text.as_str().unwrap_or_default(),
        choices.as_str().unwrap_or_default(),
    )?;
    if thresholds {
        found.thresholds = Some(thresholds::try_thresholds(&look.page)?);
    }
    Ok(found)
}

fn judge(name: &str, page: &Page, text: &str, choices: &str) -> anyhow::Result<Reduction> {
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
        thresholds: None,
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

fn print(saved: &[Reduction], live: &[Reduction]) {
    println!(
        "\n| page | nodes | emitted | tokens, rules off | tokens | saved | usable elements shown / in it | words of `innerText` | unseen | missing |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for found in saved.iter().chain(live) {
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
    println!(
        "\n| | pages | saved: median | quartiles | range | usable elements in it | missing words |\n|---|---|---|---|---|---|---|"
    );
    for (what, all) in [("saved pages", saved), ("live apps", live)] {
        if all.is_empty() {
            continue;
        }
        let mut rates: Vec<f64> =
            all.iter().map(|found| found.metrics.token_reduction_rate * 100.0).collect();
        rates.sort_by(f64::total_cmp);
        let at = |share: f64| rates[((rates.len() - 1) as f64 * share).round() as usize];
        let (usable, there) =
            all.iter().fold((0, 0), |sum, found| (sum.0 + found.usable.0, sum.1 + found.usable.1));
        let missing: usize = all.iter().map(|found| found.missing.len()).sum();
        println!(
            "| {what} | {} | {:.0} % | {:.0} – {:.0} % | {:.0} – {:.0} % | {there} of {usable} | {missing} |",
            all.len(),
            at(0.5),
            at(0.25),
            at(0.75),
            at(0.0),
            at(1.0)
        );
    }
}
