//! `cargo lab waitbench`: opens pages that record when they became ready. Measures how long after
//! that a navigation returns, and whether it ever returns earlier. Measures the same for the `load`
//! event, `networkidle` and fixed sleeps.

mod kinds;
mod live;
mod site;
mod sum;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::Args;
use kinds::{ExpectedOutcome, KINDS, WaitPage, letters};
use serde_json::json;
use site::WaitSite;
use sum::StrategySum;

use crate::mcp::McpClient;
use crate::options::{BrowserArgs, OnlyArgs, ProgramArgs, SeedArgs};
use crate::product::{LATE_CHANGES, LaunchOptions, OpenedTab, Tab, TabEvent, Viewport, launch};
use crate::random::Random;
use crate::report::table;

const LIMIT: Duration = Duration::from_secs(12);
/// The largest median waste on pages that can be proven to be at rest, in milliseconds.
const PROVABLE_WASTE: i64 = 150;

/// Options of `cargo lab waitbench`.
#[derive(Args)]
pub struct WaitbenchArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    browser: BrowserArgs,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    seed: SeedArgs,
    /// How often each kind of page is opened, each time with other delays
    #[arg(long, default_value_t = 4)]
    rounds: u64,
    /// Leave out the other strategies: load, networkidle and sleeps
    #[arg(long)]
    alone: bool,
    /// Measure pages that do not know what is scheduled, as in the user's own browser
    #[arg(long)]
    no_hooks: bool,
    /// Also measure a web app of another project, which is installed into target/lab-apps
    #[arg(long)]
    apps: bool,
}

/// The result of one navigation.
struct NavigationRun {
    /// Milliseconds after the page became ready; none if it never does, or had not yet.
    waste: Option<i64>,
    premature: bool,
    took: Duration,
    reason: String,
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

fn address(site: WaitSite, kind: usize, args: &WaitbenchArgs, round: u64) -> String {
    let seed = Random::new(args.seed.seed * 1_000_003 + kind as u64 * 1009 + round).next();
    format!("http://127.0.0.1:{}/page/{}?seed={seed}", site.port, letters(kind))
}

/// Measures and prints the tables.
pub async fn run(args: WaitbenchArgs) -> anyhow::Result<()> {
    anyhow::ensure!(
        KINDS.iter().any(|kind| args.only.includes(kind.name)),
        "no kind of page has such a name"
    );
    let program = args.program.path()?;
    let site = site::serve().await?;
    let wanted = |kind: &WaitPage| args.only.includes(kind.name);
    let mut flags = vec!["--allow-evaluate", "--browser", args.browser.name()];
    flags.extend(args.no_hooks.then_some("--no-hooks"));
    let client = McpClient::start(&program, &flags).await?;
    let mut wrong = Vec::new();
    // Pages that can be proven to be at rest, and the others.
    let mut sums = [StrategySum::default(), StrategySum::default()];
    table("page | runs | premature | waste, median | waste, worst | took, median | reason");
    for (at, kind) in KINDS.iter().enumerate().filter(|(_, kind)| wanted(kind)) {
        let mut runs = Vec::new();
        for round in 0..args.rounds {
            runs.push(ours(&client, &address(site, at, &args, round), kind).await?);
        }
        let early = runs.iter().filter(|run| run.premature).count();
        let mut wastes: Vec<i64> = runs.iter().filter_map(|run| run.waste).collect();
        wastes.sort_unstable();
        for run in &runs {
            if let Some(fault) = fault(kind, run) {
                wrong.push(format!(
                    "{}: {fault} ({}, after {} ms)",
                    kind.name,
                    run.reason,
                    run.took.as_millis()
                ));
            }
        }
        if kind.expected == ExpectedOutcome::Ready {
            let sum = &mut sums[usize::from(!kind.provable)];
            sum.premature += early;
            sum.wastes.extend(&wastes);
        }
        let mut took: Vec<u128> = runs.iter().map(|run| run.took.as_millis()).collect();
        took.sort_unstable();
        let cell = |value: Option<&i64>| value.map_or("–".to_owned(), |value| value.to_string());
        let mark = if kind.provable { " (provable)" } else { "" };
        println!(
            "| {}{mark} | {} | {early} | {} | {} | {} | {} |",
            kind.name,
            runs.len(),
            cell(wastes.get(wastes.len() / 2)),
            cell(wastes.last()),
            took[took.len() / 2],
            runs.last().map_or("", |run| run.reason.as_str())
        );
    }
    client.close().await?;
    println!();
    table("strategy | premature | 95 % interval | never | waste, median | waste, 95th percentile");
    let [provable, others_known] = &mut sums;
    provable.print("pagesight, provable pages");
    others_known.print("pagesight, other pages");
    let too_slow = provable.median().is_some_and(|waste| waste > PROVABLE_WASTE);
    StrategySum::joined(provable, others_known).print("pagesight, all");
    if !args.alone {
        others(site, &args).await?;
    }
    if args.apps {
        live::run(&program, args.rounds).await?;
    }
    anyhow::ensure!(
        !too_slow,
        "the median waste on provable pages is more than {PROVABLE_WASTE} ms"
    );
    anyhow::ensure!(
        wrong.is_empty(),
        "{} runs were not as they should be:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    Ok(())
}

/// Returns what is wrong with a run, if anything.
fn fault(kind: &WaitPage, run: &NavigationRun) -> Option<String> {
    match kind.expected {
        ExpectedOutcome::Ready | ExpectedOutcome::Lively if run.premature => {
            Some("returned before the page was ready".to_owned())
        }
        ExpectedOutcome::Ready | ExpectedOutcome::Lively if run.reason != "ready" => {
            Some("is ready, but was not reported as ready".to_owned())
        }
        ExpectedOutcome::Lively if run.waste.is_some_and(|waste| waste > 1500) => {
            Some("was left too late".to_owned())
        }
        ExpectedOutcome::Named(reason, what) => {
            let fine = run.reason.starts_with(reason)
                && run.reason.contains(what)
                && run.took < Duration::from_millis(10_700);
            (!fine).then(|| format!("should be reported as {reason:?} with {what:?}"))
        }
        _ => None,
    }
}

/// Navigates with pagesight.
async fn ours(client: &McpClient, url: &str, kind: &WaitPage) -> anyhow::Result<NavigationRun> {
    let mut url = url.to_owned();
    if let Some(then) = kind.then {
        client.call("browser_navigate", json!({ "url": url })).await?;
        url.push_str(then);
    }
    let (mut text, mut took) = client.call("browser_navigate", json!({ "url": url })).await?;
    if kind.click {
        let number = number_of(&text).with_context(|| format!("{url}: no button: {text}"))?;
        (text, took) = client.act(json!([{ "type": "click", "element": number }])).await?;
    }
    let returned = now();
    let reason = if kind.click { unrest_of(&text) } else { reason_of(&text) }.to_owned();
    let (truth, _) = client.call("browser_evaluate", json!({ "expression": kind.truth() })).await?;
    let truth: Option<i64> = truth.trim().parse().ok().filter(|truth| *truth <= returned);
    let premature = truth.is_none()
        && reason == "ready"
        && !matches!(kind.expected, ExpectedOutcome::Named(..));
    Ok(NavigationRun { waste: truth.map(|truth| returned - truth), premature, took, reason })
}

/// How other tools wait.
#[derive(Clone, Copy)]
enum Strategy {
    Load,
    NetworkIdle,
    Sleep(u64),
}

async fn others(site: WaitSite, args: &WaitbenchArgs) -> anyhow::Result<()> {
    let options = LaunchOptions { engine: args.browser.engine(), ..LaunchOptions::default() };
    let connected = launch(&options).await?;
    let mut tab = connected.browser.open_tab(Viewport::default()).await?;
    for (name, strategy) in [
        ("`load`", Strategy::Load),
        ("`networkidle`", Strategy::NetworkIdle),
        ("`load` and 1 s", Strategy::Sleep(1000)),
        ("`load` and 3 s", Strategy::Sleep(3000)),
    ] {
        let mut sum = StrategySum::default();
        for (at, kind) in KINDS.iter().enumerate() {
            if !args.only.includes(kind.name)
                || kind.expected != ExpectedOutcome::Ready
                || kind.then.is_some()
                || kind.click
            {
                continue;
            }
            for round in 0..args.rounds {
                let url = address(site, at, args, round);
                if !theirs(&mut tab, &url, strategy).await? {
                    sum.never += 1;
                    continue;
                }
                let returned = now();
                let truth = tab.tab.evaluate(kind.truth(), LIMIT).await.unwrap_or_default();
                match truth.trim().parse::<i64>().ok().filter(|truth| *truth <= returned) {
                    Some(truth) => sum.wastes.push(returned - truth),
                    None => sum.premature += 1,
                }
            }
        }
        sum.print(name);
    }
    connected.browser.close().await;
    Ok(())
}

/// Navigates and waits like other tools; false if the wait never ended.
async fn theirs(tab: &mut OpenedTab, url: &str, strategy: Strategy) -> anyhow::Result<bool> {
    let target: &dyn Tab = &*tab.tab;
    target.navigate("about:blank", LIMIT).await?;
    tokio::time::sleep(Duration::from_millis(50)).await;
    while tab.events.try_recv().is_ok() {}
    let deadline = Instant::now() + LIMIT;
    target.navigate(url, LIMIT).await?;
    let mut pending = std::collections::HashSet::new();
    let mut loaded = false;
    loop {
        let idle = loaded && matches!(strategy, Strategy::NetworkIdle) && pending.is_empty();
        let patience = if idle {
            Duration::from_millis(500)
        } else {
            deadline.saturating_duration_since(Instant::now())
        };
        match tokio::time::timeout(patience, tab.events.recv()).await {
            Err(_) if idle => return Ok(true),
            Err(_) | Ok(None) => return Ok(false),
            Ok(Some(TabEvent::Committed { .. })) => loaded = false,
            Ok(Some(TabEvent::Loaded)) => loaded = true,
            Ok(Some(TabEvent::RequestStarted { id, .. })) => drop(pending.insert(id)),
            Ok(Some(TabEvent::RequestFinished { id, .. } | TabEvent::RequestFailed { id, .. })) => {
                pending.remove(&id);
            }
            Ok(Some(_)) => {}
        }
        match strategy {
            Strategy::Load if loaded => return Ok(true),
            Strategy::Sleep(ms) if loaded => {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                return Ok(true);
            }
            _ => {}
        }
    }
}

/// Returns why a navigation stopped waiting, from its answer.
fn reason_of(answer: &str) -> &str {
    let mut lines = answer.lines().skip_while(|line| line.starts_with(LATE_CHANGES));
    let reason = lines.nth(1).unwrap_or_default();
    reason.rsplit_once(" after ").map_or(reason, |(reason, _)| reason)
}

/// Returns why the answer of an action says that the page is not at rest; "ready" if it does not.
fn unrest_of(answer: &str) -> &str {
    let unrest = |line: &&str| line.starts_with("still ") || line.starts_with("timed out");
    answer.lines().find(unrest).unwrap_or("ready")
}

/// Returns the number of the page's button in an outline.
fn number_of(outline: &str) -> Option<u64> {
    let (before, _) = outline.split_once("] button: Go")?;
    before.rsplit_once('[')?.1.parse().ok()
}
