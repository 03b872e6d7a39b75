//! `cargo xtask reduce`: what the pipeline saves on real pages, and that it loses nothing. Each
//! page is looked at once, in full; the emitted text with every rule off is held against the one
//! with all on, every usable element and every word that the browser's own `innerText` has against
//! what is in it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use pagesight_core::page::{Flags, Page};
use pagesight_core::pipeline::{CompactionMetrics, NodeFate, PipelineConfig, PipelineRule, view};
use pagesight_core::render::{SequentialNumbers, SnapshotOptions, measured};
use pagesight_session::{Options, Session, TabRecord};

use crate::sight::{Stop, apps, install, site};

/// How many apps must have run, if apps were asked for.
const LEAST_APPS: usize = 5;
/// How long one page may take.
const PAGE_LIMIT: Duration = Duration::from_secs(120);
/// Everything, for the check that nothing is lost.
const ROOM: usize = 50_000_000;

/// What to look at.
#[derive(Args)]
pub struct Asked {
    /// Folders of saved pages, or addresses; without any, the project's own fixtures
    places: Vec<String>,
    /// Visit live web apps, installed into target/sight
    #[arg(long)]
    apps: bool,
    /// Only pages and apps whose name contains this
    #[arg(long)]
    only: Option<String>,
}

/// What one page came to.
struct Found {
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

/// Visits all that was asked for; fails if anything is lost.
pub async fn run(asked: Asked) -> anyhow::Result<()> {
    let folder = crate::root().join("target/sight");
    std::fs::create_dir_all(&folder)?;
    let mut places = asked.places.clone();
    if places.is_empty() && !asked.apps {
        places.push(crate::root().join("tests/fixtures").display().to_string());
    }
    let wanted = |name: &str| asked.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    let session = Session::new(Options::default());
    let (mut saved, mut live) = (Vec::new(), Vec::new());
    for place in &places {
        let mut stops = site::stops(place).await?;
        // A page of the fixtures hangs on purpose.
        stops.retain(|stop| wanted(&stop.name) && stop.name != "hang.html");
        visit(&session, stops, &mut saved).await;
    }
    let mut ran = 0;
    if asked.apps {
        install::prepare(&folder).await?;
        for app in apps::APPS.iter().filter(|app| wanted(app.name)) {
            match app.start(&folder).await {
                Ok(mut running) => {
                    visit(&session, std::mem::take(&mut running.stops), &mut live).await;
                    running.end().await;
                    ran += 1;
                }
                Err(error) => println!("skipped: {}: {error:#}", app.name),
            }
        }
    }
    session.close().await;
    print(&saved, &live);
    let enough = !asked.apps || asked.only.is_some() || ran >= LEAST_APPS;
    anyhow::ensure!(
        enough,
        "only {ran} apps ran; {LEAST_APPS} are needed, those left out are named above"
    );
    let lost = |found: &&Found| found.usable.0 != found.usable.1 || !found.missing.is_empty();
    let lost: Vec<&str> =
        saved.iter().chain(&live).filter(lost).map(|found| found.name.as_str()).collect();
    anyhow::ensure!(lost.is_empty(), "something is lost on {}", lost.join(", "));
    Ok(())
}

/// Looks at one stop after the other, a tab for each page.
async fn visit(session: &Session, stops: Vec<Stop>, into: &mut Vec<Found>) {
    let mut tab: Option<std::sync::Arc<TabRecord>> = None;
    for stop in stops {
        if stop.url.is_some()
            && let Some(old) = tab.take()
        {
            let _ = session.close_tab(&old).await;
        }
        let looked = async {
            if tab.is_none() {
                tab = Some(session.open_tab(None).await?);
            }
            look(session, tab.as_ref().context("no tab")?, &stop).await
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
            Err(error) => println!("skipped: {}: {error:#}", stop.name),
        }
    }
}

async fn look(
    session: &Session,
    tab: &std::sync::Arc<TabRecord>,
    stop: &Stop,
) -> anyhow::Result<Found> {
    if let Some(url) = &stop.url {
        session.navigate(tab, &session.address(url)?, None).await?;
    }
    if let Some(step) = &stop.step {
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
    let look = session.look(tab, None, true).await?;
    judge(
        &stop.name,
        &look.page,
        text.as_str().unwrap_or_default(),
        choices.as_str().unwrap_or_default(),
    )
}

fn judge(name: &str, page: &Page, text: &str, choices: &str) -> anyhow::Result<Found> {
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
    let told = words(&plain(&taken.snapshot.text));
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
    for word in wanted.difference(&told) {
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
    Ok(Found {
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

fn print(saved: &[Found], live: &[Found]) {
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
