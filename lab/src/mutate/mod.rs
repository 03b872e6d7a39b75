//! `cargo lab mutate`: changes pages in known ways at random places. A comparison of fingerprints
//! must name each change that a person would notice, and must not report any other. Whether a
//! person would notice a change is judged in the page by the browser (`mutations.js`): hit tests,
//! `innerText`, visibility, the accessibility tree. None of the fingerprint's code is used for it.

mod cost_table;
mod judge;
mod stability;
mod visual;

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use crate::devtools::OFFLINE;
use crate::options::{DetailsArgs, PagesArgs, ProgramArgs, SeedArgs};
use crate::pages::PageState;
use crate::product::{
    Comparison, Feature, Fingerprint, FingerprintRequest, IgnoreRules, LaunchOptions, Session,
    SessionOptions, Severity, TabRecord, compare, fingerprint_answer,
};
use crate::random::Random;
use crate::report::quantile;
use cost_table::CostTable;
use judge::{Mutation, MutationTallies, RequiredCounts};

const MUTATIONS: &str = include_str!("mutations.js");
/// How long one page may take in all.
const PAGE_LIMIT: Duration = Duration::from_secs(300);
/// Time for the requests of a saved page that cannot succeed to fail.
const LATECOMERS: Duration = Duration::from_millis(700);

/// How often a page may have no place for a kind of mutation before that kind is dropped there.
const MOST_FAILED_TRIES: u32 = 2;
/// Lets the oracle ask the browser's own accessibility tree for roles and names.
const ACCESSIBILITY: &str = "--enable-blink-features=ComputedAccessibilityInfo";

/// Pages of the fixtures that hang, ask or change on purpose.
const LEFT_OUT: [&str; 4] = ["changes.html", "frame-hang.html", "hang.html", "prompts.html"];

/// Options of `cargo lab mutate`.
#[derive(Args)]
pub struct MutateArgs {
    #[command(flatten)]
    pages: PagesArgs,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    details: DetailsArgs,
    /// How many mutations, over all pages
    #[arg(long, default_value_t = 2_000)]
    count: usize,
    /// How many plain reloads, over all pages
    #[arg(long, default_value_t = 200)]
    reloads: usize,
    /// Only the kinds of mutation whose name contains this
    #[arg(long, value_name = "TEXT")]
    kind: Option<String>,
    /// Also measure what each way of looking costs and shows
    #[arg(long)]
    costs: bool,
    /// Instead: make `count` faults that people notice and `reloads` differences that they do not,
    /// and check the pages with the program
    #[arg(long, value_name = "LOOK", value_enum)]
    visual: Option<visual::Look>,
    /// Instead: compare hashes across locales, time zones, viewports and browsers
    #[arg(long)]
    stability: bool,
}

/// The kinds of mutation, as `mutations.js` lists them.
#[derive(Deserialize)]
struct MutationKinds {
    structural: Vec<String>,
    style: Vec<String>,
    quiet: Vec<String>,
}

/// Mutates all pages, prints the tables, and fails below the thresholds.
pub async fn run(args: MutateArgs) -> anyhow::Result<()> {
    if let Some(look) = args.visual {
        return visual::run(&args, look).await;
    }
    let mut page_states = args.pages.pages(&LEFT_OUT).await?;
    if args.stability {
        page_states.retain(|page_state| page_state.name != "restless.html");
        return stability::run(&args.program.path()?, &page_states).await;
    }
    let apps = args.pages.apps(&[]);
    let pages = page_states.len() + apps.len() * 2;
    let mut round = MutateRun {
        random: Random::new(args.seed.seed),
        tallies: MutationTallies::default(),
        pages,
        count: args.count,
        reloads: args.reloads,
        kind: args.kind.clone(),
        costs: args.costs.then(CostTable::default),
        sizes: Vec::new(),
        compares: Vec::new(),
    };
    let launch = LaunchOptions {
        args: vec![ACCESSIBILITY.to_owned(), OFFLINE.to_owned()],
        ..LaunchOptions::default()
    };
    let session = Session::new(SessionOptions { launch, ..SessionOptions::default() });
    session.turn_off(Feature::PageDiffing);
    for page_state in &page_states {
        round.visit(&session, page_state).await;
    }
    for app in apps {
        if let Some(mut running) = app.start_or_skip().await {
            let with_url = running.page_states.iter().filter(|page_state| page_state.url.is_some());
            for page_state in with_url.take(2) {
                round.visit(&session, page_state).await;
            }
            running.end().await;
        }
    }
    session.close().await;
    println!("{}", round.tallies.table());
    let [middle, high, most] = [0.5, 0.95, 1.0].map(|share| quantile(&round.sizes, share));
    println!(
        "`standard` answers of {} pages: median {middle} tokens, 95th percentile {high}, largest {most}",
        round.sizes.len()
    );
    if let Some(costs) = &round.costs {
        println!("\n{}", costs.table(round.tallies.found()));
    }
    let (times, things): (Vec<u64>, Vec<usize>) = round.compares.iter().copied().unzip();
    println!(
        "comparing: median {} µs, 95th percentile {} µs, at most {} things that can be used",
        quantile(&times, 0.5),
        quantile(&times, 0.95),
        quantile(&things, 1.0)
    );
    args.details.write(&round.tallies.misses.join("\n"))?;
    round.tallies.enough(RequiredCounts { mutations: args.count, reloads: args.reloads })
}

struct MutateRun {
    random: Random,
    tallies: MutationTallies,
    /// Pages that are left.
    pages: usize,
    /// Mutations and reloads that are left; what one page has no place for is done on the others.
    count: usize,
    reloads: usize,
    kind: Option<String>,
    costs: Option<CostTable>,
    sizes: Vec<u64>,
    /// How many microseconds each comparison took, and how many elements it had.
    compares: Vec<(u64, usize)>,
}

impl MutateRun {
    /// Mutates one page as often as its share of the count.
    async fn visit(&mut self, session: &Session, page_state: &PageState) {
        let done = tokio::time::timeout(PAGE_LIMIT, self.play(session, page_state)).await;
        match done {
            Ok(Ok(())) => println!("{}: done", page_state.name),
            Ok(Err(error)) => {
                println!("{}: {error:#}", page_state.name);
                self.tallies.stopped += 1;
            }
            Err(_) => {
                println!("{}: took too long", page_state.name);
                self.tallies.stopped += 1;
            }
        }
    }

    async fn play(&mut self, session: &Session, page_state: &PageState) -> anyhow::Result<()> {
        let pages = self.pages.max(1);
        self.pages = pages - 1;
        let Some(url) = &page_state.url else { return Ok(()) };
        let (each, reloads) = (self.count.div_ceil(pages), self.reloads.div_ceil(pages));
        let tab = session.open_tab(None).await?;
        let played = self.mutations(session, &tab, (url, each), page_state).await;
        let reloaded = self.reload(session, &tab, (url, reloads), page_state).await;
        session.close_tab(&tab).await?;
        played.and(reloaded)
    }

    async fn mutations(
        &mut self,
        session: &Session,
        tab: &Arc<TabRecord>,
        (url, each): (&str, usize),
        page_state: &PageState,
    ) -> anyhow::Result<()> {
        open(session, tab, url, page_state).await?;
        session.evaluate(tab, MUTATIONS).await?;
        let kinds: MutationKinds =
            serde_json::from_value(session.evaluate(tab, "mutate.kinds").await?)?;
        let all: Vec<String> = [kinds.structural, kinds.style, kinds.quiet].concat();
        let all: Vec<String> = all
            .into_iter()
            .filter(|kind| self.kind.as_ref().is_none_or(|only| kind.contains(only.as_str())))
            .collect();
        let mut possible: Vec<(String, u32)> = all.into_iter().map(|kind| (kind, 0)).collect();
        let first = taken(session, tab).await?;
        self.sizes
            .push(fingerprint_answer(&first, &[])["token_count"].as_u64().unwrap_or_default());
        if let Some(costs) = &mut self.costs {
            costs.measure(session, tab).await?;
        }
        // The page is judged as it is between two frames; waiting would only cost time.
        session.turn_off(Feature::SmartWaiting);
        let mut done = 0;
        while done < each {
            let Some(at) = self.rarest(&possible) else { break };
            let kind = possible[at].0.clone();
            let seed = self.random.below(1 << 31);
            let before = taken(session, tab).await?;
            let known = if self.costs.is_some() {
                CostTable::info(session, tab).await?
            } else {
                Value::Null
            };
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
                if let Some(costs) =
                    self.costs.as_mut().filter(|_| judge::is_noticeable(&kind, &mutation))
                {
                    costs.noticed(&known, &CostTable::info(session, tab).await?);
                }
                self.tallies.judge(&page_state.name, &kind, &mutation, &compared);
                done += 1;
                self.count = self.count.saturating_sub(1);
            } else {
                possible[at].1 += 1;
                possible.retain(|(_, failed)| *failed < MOST_FAILED_TRIES);
            }
            session.evaluate(tab, "mutate.undo()").await?;
        }
        session.turn_on(Feature::SmartWaiting);
        Ok(())
    }

    /// The kind that was judged least often so far, at random among equals, so that what few pages
    /// have a place for is tried wherever it can be.
    fn rarest(&mut self, possible: &[(String, u32)]) -> Option<usize> {
        let least = possible.iter().map(|(kind, _)| self.tallies.judged(kind)).min()?;
        let equals: Vec<usize> = (0..possible.len())
            .filter(|at| self.tallies.judged(&possible[*at].0) == least)
            .collect();
        self.random.one(&equals).copied()
    }

    async fn reload(
        &mut self,
        session: &Session,
        tab: &Arc<TabRecord>,
        (url, reloads): (&str, usize),
        page_state: &PageState,
    ) -> anyhow::Result<()> {
        session.turn_on(Feature::SmartWaiting);
        open(session, tab, url, page_state).await?;
        let before = taken(session, tab).await?;
        for _ in 0..reloads {
            open(session, tab, url, page_state).await?;
            let after = taken(session, tab).await?;
            let compared = compare(&before, &after, &IgnoreRules::default());
            // What was not ready either time says nothing of a plain reload.
            let ready = !before.loading && !after.loading;
            self.tallies.reloaded(&page_state.name, ready, before.hash == after.hash, &compared);
            self.reloads = self.reloads.saturating_sub(1);
        }
        Ok(())
    }
}

async fn open(
    session: &Session,
    tab: &Arc<TabRecord>,
    url: &str,
    page_state: &PageState,
) -> anyhow::Result<()> {
    session.navigate(tab, &session.address(url)?, Some(Duration::from_secs(6))).await?;
    if let Some(step) = page_state.step.as_deref().filter(|step| !step.starts_with("click ")) {
        let _ = session.evaluate(tab, &format!("(() => {{ {step} }})()")).await;
        tokio::time::sleep(LATECOMERS).await;
    }
    tokio::time::sleep(LATECOMERS).await;
    Ok(())
}

async fn taken(session: &Session, tab: &Arc<TabRecord>) -> anyhow::Result<Arc<Fingerprint>> {
    Ok(session.fingerprint(tab, &FingerprintRequest::default()).await?)
}

/// Returns the changes with severity `warning` or above.
fn alarms(compared: &Comparison) -> Vec<String> {
    let bad = compared.changes.iter().filter(|change| change.severity >= Severity::Warning);
    bad.map(|change| format!("{} {}", change.kind.as_str(), change.description)).collect()
}
