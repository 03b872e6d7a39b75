//! `cargo xtask mutate`: pages are changed in known ways at random places, and a comparison of
//! fingerprints has to name each change that a person would notice, and none that nobody would.
//! Whether one would is judged in the page by the browser itself (`mutate/mutations.js`):
//! hit-tests, `innerText`, visibility, the accessibility tree; nothing of the fingerprint's code is
//! used for it.

mod judge;
mod ladder;
mod stability;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use pagesight_core::compare::{Comparison, IgnoreRules, Severity, compare};
use pagesight_core::fingerprint::{Fingerprint, answer};
use pagesight_session::{Feature, LaunchOptions, Options, Session, TabRecord, Taking};
use serde::Deserialize;
use serde_json::Value;

use crate::monkey::chance::Chance;
use crate::sight::devtools::OFFLINE;
use crate::sight::{Stop, apps, install, site};
use judge::{Least, Mutation, Tallies};
use ladder::Ladder;

const MUTATIONS: &str = include_str!("mutate/mutations.js");
/// How long one page may take in all.
const PAGE_LIMIT: Duration = Duration::from_secs(300);
/// Pictures and scripts that a saved page asks for in vain have to fail first.
const LATECOMERS: Duration = Duration::from_millis(700);

/// How often a page may have no place for a kind of mutation before it is left alone with it.
const TRIES_IN_VAIN: u32 = 2;
/// Lets the oracle ask the browser's own accessibility tree for roles and names.
const ACCESSIBILITY: &str = "--enable-blink-features=ComputedAccessibilityInfo";

/// What to change.
#[derive(Args)]
pub struct Asked {
    /// Folders of saved pages, or addresses; without any, the project's own fixtures
    places: Vec<String>,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many mutations in all
    #[arg(long, default_value_t = 2_000)]
    count: usize,
    /// How many plain reloads in all
    #[arg(long, default_value_t = 200)]
    reloads: usize,
    /// Also in live web apps, installed into target/sight
    #[arg(long)]
    apps: bool,
    /// Only pages and apps whose name contains this; several are parted by commas
    #[arg(long)]
    only: Option<String>,
    /// Only kinds of mutation whose name contains this
    #[arg(long)]
    kind: Option<String>,
    /// Instead: whether hashes are the same in other locales, time zones, viewports and browsers
    #[arg(long)]
    stability: bool,
    /// Also measure what each way of looking costs and shows
    #[arg(long)]
    ladder: bool,
    /// Write all misses to this file
    #[arg(long)]
    misses: Option<PathBuf>,
}

/// The kinds that there are.
#[derive(Deserialize)]
struct Kinds {
    structural: Vec<String>,
    style: Vec<String>,
    quiet: Vec<String>,
}

/// Does all that was asked for, and prints the tables.
pub async fn run(asked: Asked) -> anyhow::Result<()> {
    let mut places = asked.places.clone();
    if places.is_empty() && !asked.apps {
        places.push(crate::root().join("tests/fixtures").display().to_string());
    }
    let wanted = |name: &str| {
        asked.only.as_ref().is_none_or(|only| only.split(',').any(|one| name.contains(one)))
    };
    let mut stops = Vec::new();
    for place in &places {
        stops.extend(site::stops(place).await?);
    }
    // Pages of the fixtures that hang or go on by themselves, on purpose.
    stops.retain(|stop| {
        wanted(&stop.name) && !stop.name.contains("hang") && !stop.name.contains("prompts")
    });
    if asked.stability {
        stops.retain(|stop| !stop.name.contains("restless"));
        return stability::run(&stops).await;
    }
    let apps: Vec<&apps::App> =
        apps::APPS.iter().filter(|app| asked.apps && wanted(app.name)).collect();
    let pages = stops.len() + apps.len() * 2;
    let mut round = Round {
        chance: Chance::new(asked.seed),
        tallies: Tallies::default(),
        pages,
        count: asked.count,
        reloads: asked.reloads,
        kind: asked.kind.clone(),
        ladder: asked.ladder.then(Ladder::default),
        sizes: Vec::new(),
        compares: Vec::new(),
    };
    let launch = LaunchOptions {
        args: vec![ACCESSIBILITY.to_owned(), OFFLINE.to_owned()],
        ..LaunchOptions::default()
    };
    let session = Session::new(Options { launch, ..Options::default() });
    session.set(Feature::PageDiffing, false);
    for stop in &stops {
        round.visit(&session, stop).await;
    }
    if !apps.is_empty() {
        let folder = crate::root().join("target/sight");
        std::fs::create_dir_all(&folder)?;
        install::prepare(&folder).await?;
        for app in apps {
            match app.start(&folder).await {
                Ok(mut running) => {
                    for stop in running.stops.iter().filter(|stop| stop.url.is_some()).take(2) {
                        round.visit(&session, stop).await;
                    }
                    running.end().await;
                }
                Err(error) => println!("skipped: {}: {error:#}", app.name),
            }
        }
    }
    session.close().await;
    println!("{}", round.tallies.table());
    println!("{}", sizes(&mut round.sizes));
    if let Some(ladder) = &mut round.ladder {
        println!("\n{}", ladder.table(round.tallies.found()));
    }
    round.compares.sort_unstable();
    let (took, most) = (
        &round.compares,
        round.compares.iter().map(|(_, things)| *things).max().unwrap_or_default(),
    );
    let at = |share: usize| took.get(took.len() * share / 100).map_or(0, |(micros, _)| *micros);
    println!(
        "comparing: median {} µs, 95th percentile {} µs, at most {most} things that can be used",
        at(50),
        at(95)
    );
    if let Some(file) = asked.misses {
        std::fs::write(&file, round.tallies.misses.join("\n"))?;
    }
    round.tallies.enough(Least { mutations: asked.count, reloads: asked.reloads })
}

/// What `standard` answers cost.
fn sizes(sizes: &mut [u64]) -> String {
    sizes.sort_unstable();
    let at = |share: f64| {
        sizes
            .get(((sizes.len() as f64 - 1.0) * share).round() as usize)
            .copied()
            .unwrap_or_default()
    };
    format!(
        "`standard` answers of {} pages: median {} tokens, 95th percentile {}, largest {}",
        sizes.len(),
        at(0.5),
        at(0.95),
        at(1.0)
    )
}

struct Round {
    chance: Chance,
    tallies: Tallies,
    /// Pages to come.
    pages: usize,
    /// Mutations and reloads to come; what one page has no place for is done on the others.
    count: usize,
    reloads: usize,
    kind: Option<String>,
    ladder: Option<Ladder>,
    sizes: Vec<u64>,
    /// What comparing took, in microseconds, with how many things there were to compare.
    compares: Vec<(u64, usize)>,
}

impl Round {
    /// Mutates one page as often as it is its turn.
    async fn visit(&mut self, session: &Session, stop: &Stop) {
        let done = tokio::time::timeout(PAGE_LIMIT, self.play(session, stop)).await;
        match done {
            Ok(Ok(())) => println!("{}: done", stop.name),
            Ok(Err(error)) => {
                println!("{}: {error:#}", stop.name);
                self.tallies.stopped += 1;
            }
            Err(_) => {
                println!("{}: took too long", stop.name);
                self.tallies.stopped += 1;
            }
        }
    }

    async fn play(&mut self, session: &Session, stop: &Stop) -> anyhow::Result<()> {
        let pages = self.pages.max(1);
        self.pages = pages - 1;
        let Some(url) = &stop.url else { return Ok(()) };
        let (each, reloads) = (self.count.div_ceil(pages), self.reloads.div_ceil(pages));
        let tab = session.open_tab(None).await?;
        let played = self.mutations(session, &tab, (url, each), stop).await;
        let reloaded = self.reload(session, &tab, (url, reloads), stop).await;
        session.close_tab(&tab).await?;
        played.and(reloaded)
    }

    async fn mutations(
        &mut self,
        session: &Session,
        tab: &Arc<TabRecord>,
        (url, each): (&str, usize),
        stop: &Stop,
    ) -> anyhow::Result<()> {
        open(session, tab, url, stop).await?;
        session.evaluate(tab, MUTATIONS).await?;
        let kinds: Kinds = serde_json::from_value(session.evaluate(tab, "mutate.kinds").await?)?;
        let all: Vec<String> = [kinds.structural, kinds.style, kinds.quiet].concat();
        let all: Vec<String> = all
            .into_iter()
            .filter(|kind| self.kind.as_ref().is_none_or(|only| kind.contains(only.as_str())))
            .collect();
        let mut possible: Vec<(String, u32)> = all.into_iter().map(|kind| (kind, 0)).collect();
        let first = taken(session, tab).await?;
        self.sizes.push(answer(&first, &[])["token_count"].as_u64().unwrap_or_default());
        if let Some(ladder) = &mut self.ladder {
            ladder.measure(session, tab).await?;
        }
        // The page is judged as it is between two frames; waiting would only cost time.
        session.set(Feature::SmartWaiting, false);
        let mut done = 0;
        while done < each {
            let Some(at) = self.rarest(&possible) else { break };
            let kind = possible[at].0.clone();
            let seed = self.chance.below(1 << 31);
            let before = taken(session, tab).await?;
            let known =
                if self.ladder.is_some() { Ladder::info(session, tab).await? } else { Value::Null };
            let made = session
                .evaluate(tab, &format!("mutate({}, {seed})", Value::from(kind.as_str())))
                .await;
            let made: Option<Mutation> =
                made.ok().and_then(|value| serde_json::from_value(value).ok()).flatten();
            if let Some(mutation) = made {
                let after = taken(session, tab).await?;
                let begun = std::time::Instant::now();
                let compared = compare(&before, &after, &IgnoreRules::default());
                self.compares
                    .push((begun.elapsed().as_micros() as u64, after.structure.interactive.len()));
                if let Some(ladder) =
                    self.ladder.as_mut().filter(|_| judge::is_noticeable(&kind, &mutation))
                {
                    ladder.noticed(&known, &Ladder::info(session, tab).await?);
                }
                self.tallies.judge(&stop.name, &kind, &mutation, &compared);
                done += 1;
                self.count = self.count.saturating_sub(1);
            } else {
                possible[at].1 += 1;
                possible.retain(|(_, in_vain)| *in_vain < TRIES_IN_VAIN);
            }
            session.evaluate(tab, "mutate.undo()").await?;
        }
        session.set(Feature::SmartWaiting, true);
        Ok(())
    }

    /// The kind that was judged least often so far, by chance among equals, so that what few pages
    /// have a place for is tried wherever it can be.
    fn rarest(&mut self, possible: &[(String, u32)]) -> Option<usize> {
        let least = possible.iter().map(|(kind, _)| self.tallies.judged(kind)).min()?;
        let equals: Vec<usize> = (0..possible.len())
            .filter(|at| self.tallies.judged(&possible[*at].0) == least)
            .collect();
        self.chance.one(&equals).copied()
    }

    async fn reload(
        &mut self,
        session: &Session,
        tab: &Arc<TabRecord>,
        (url, reloads): (&str, usize),
        stop: &Stop,
    ) -> anyhow::Result<()> {
        session.set(Feature::SmartWaiting, true);
        open(session, tab, url, stop).await?;
        let before = taken(session, tab).await?;
        for _ in 0..reloads {
            open(session, tab, url, stop).await?;
            let after = taken(session, tab).await?;
            let compared = compare(&before, &after, &IgnoreRules::default());
            // What was not ready either time says nothing of a plain reload.
            let ready = !before.loading && !after.loading;
            self.tallies.reloaded(&stop.name, ready, before.hash == after.hash, &compared);
            self.reloads = self.reloads.saturating_sub(1);
        }
        Ok(())
    }
}

async fn open(
    session: &Session,
    tab: &Arc<TabRecord>,
    url: &str,
    stop: &Stop,
) -> anyhow::Result<()> {
    session.navigate(tab, &session.address(url)?, Some(Duration::from_secs(6))).await?;
    if let Some(step) = stop.step.as_deref().filter(|step| !step.starts_with("click ")) {
        let _ = session.evaluate(tab, &format!("(() => {{ {step} }})()")).await;
        tokio::time::sleep(LATECOMERS).await;
    }
    tokio::time::sleep(LATECOMERS).await;
    Ok(())
}

async fn taken(session: &Session, tab: &Arc<TabRecord>) -> anyhow::Result<Arc<Fingerprint>> {
    Ok(session.fingerprint(tab, &Taking::default()).await?)
}

/// What is told at `warning` or above.
fn alarms(compared: &Comparison) -> Vec<String> {
    let bad = compared.changes.iter().filter(|change| change.severity >= Severity::Warning);
    bad.map(|change| format!("{} {}", change.kind.as_str(), change.description)).collect()
}
