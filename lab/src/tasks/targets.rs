//! `cargo lab tasks --targets N`: acts on elements by their names on generated pages. The pages
//! report which element each event reached, and the generator knows which one is meant or that the
//! action must be refused. Nothing else may be reached.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{Query, State};
use axum::response::Html;
use axum::routing::get;
use serde_json::{Value, json};

use super::target_cases::{KINDS, MOVING, TargetCase};
use crate::mcp::{McpClient, ToolReply};
use crate::options::OnlyArgs;
use crate::pages::listen;
use crate::random::Random;
use crate::report::table;

/// The share of the actions with an element that may be refused.
const WRONGLY_REFUSED: f64 = 0.01;
/// How many cases a whole run has at least.
const LEAST_CASES: usize = 300;
/// How many browsers act at the same time.
const LANES: usize = 3;
/// The time in which the last report of a page arrives.
const LAST_REPORT: Duration = Duration::from_millis(500);

const PAGE: &str = include_str!("targets.html");

/// The keys that each case reported, by its number.
type Reports = Arc<Mutex<HashMap<usize, Vec<String>>>>;

struct Site {
    cases: Vec<TargetCase>,
    reports: Reports,
    /// The port, for frames of a different origin.
    far: Mutex<String>,
}

/// How one case went.
enum Outcome {
    Right,
    WronglyRefused(String),
    /// The element went from under the mouse, and the answer says so.
    Admitted(String),
    /// Something was reached that was not meant.
    Wrong(String),
}

/// Runs the cases, prints the table, and fails if a wrong element was reached or too many actions
/// were refused.
pub async fn run(
    program: &Path,
    browser: &str,
    only: &OnlyArgs,
    count: usize,
    seed: u64,
) -> anyhow::Result<()> {
    let kinds: Vec<_> = KINDS.into_iter().filter(|(name, _)| only.includes(name)).collect();
    anyhow::ensure!(!kinds.is_empty(), "no kind of targets has such a name");
    let cases: Vec<TargetCase> = (0..count)
        .map(|at| {
            let (kind, made) = kinds[at % kinds.len()];
            let mut random = Random::new(seed.wrapping_mul(1_000_003) ^ at as u64);
            TargetCase { kind, ..made(&mut random) }
        })
        .collect();
    let site = Arc::new(Site { cases, reports: Reports::default(), far: Mutex::default() });
    let address = serve(Arc::clone(&site)).await?;
    *site.far.lock().expect("nobody panics with it") = address.replace("127.0.0.1", "localhost");
    let mut clients = Vec::new();
    for _ in 0..LANES {
        let client = McpClient::start(program, &["--browser", browser]).await?;
        // The browsers start one after the other, because a start takes all of a small machine.
        client.open("about:blank").await?;
        clients.push(client);
    }
    let lanes = clients.into_iter().enumerate();
    let lanes = lanes.map(|(lane, client)| act(client, &site, &address, lane));
    let mut replies: Vec<(usize, String, bool)> = Vec::new();
    for lane in futures_util::future::join_all(lanes).await {
        replies.extend(lane?);
    }
    tokio::time::sleep(LAST_REPORT).await;
    replies.sort();
    let reports = site.reports.lock().expect("nobody panics with it").clone();
    let none = Vec::new();
    let outcomes: Vec<(&TargetCase, Outcome, String)> = replies
        .into_iter()
        .map(|(at, text, failed)| {
            let case = &site.cases[at];
            let outcome = judge(case, reports.get(&at).unwrap_or(&none), failed, &text);
            (case, outcome, format!("{address}/case?number={at}"))
        })
        .collect();
    report(&kinds.iter().map(|(name, _)| *name).collect::<Vec<_>>(), &outcomes);
    enough(&outcomes, only.is_set())
}

fn report(kinds: &[&str], outcomes: &[(&TargetCase, Outcome, String)]) {
    table(
        "targets | cases | with an element | wrong element | missed, and reported so | wrongly refused",
    );
    let row = |what: &str, fits: &dyn Fn(&TargetCase) -> bool| {
        let fitting = outcomes.iter().filter(|(case, ..)| fits(case));
        let count = |is: fn(&TargetCase, &Outcome) -> bool| {
            fitting.clone().filter(|(case, outcome, _)| is(case, outcome)).count()
        };
        println!(
            "| {what} | {} | {} | {} | {} | {} |",
            count(|_, _| true),
            count(|case, _| case.gold.is_some()),
            count(|_, outcome| matches!(outcome, Outcome::Wrong(_))),
            count(|_, outcome| matches!(outcome, Outcome::Admitted(_))),
            count(|_, outcome| matches!(outcome, Outcome::WronglyRefused(_))),
        );
    };
    for kind in kinds {
        row(kind, &|case| case.kind == *kind);
    }
    row("**all**", &|_| true);
    println!();
    for (case, outcome, url) in outcomes {
        if let Outcome::Wrong(why) | Outcome::Admitted(why) | Outcome::WronglyRefused(why) = outcome
        {
            println!("{}, {url}, {}: {why}\n", case.kind, case.actions);
        }
    }
}

fn enough(outcomes: &[(&TargetCase, Outcome, String)], part: bool) -> anyhow::Result<()> {
    let count =
        |is: fn(&Outcome) -> bool| outcomes.iter().filter(|(_, outcome, _)| is(outcome)).count();
    let wrong = count(|outcome| matches!(outcome, Outcome::Wrong(_)));
    let refused =
        count(|outcome| matches!(outcome, Outcome::WronglyRefused(_) | Outcome::Admitted(_)));
    let meant = outcomes.iter().filter(|(case, ..)| case.gold.is_some()).count();
    anyhow::ensure!(wrong == 0, "{wrong} actions reached a wrong element");
    anyhow::ensure!(
        refused as f64 <= WRONGLY_REFUSED * meant as f64,
        "{refused} of {meant} actions were wrongly refused or missed their element"
    );
    anyhow::ensure!(part || outcomes.len() >= LEAST_CASES, "only {} cases", outcomes.len());
    Ok(())
}

/// Does the cases of one lane: number, answer, and whether it is a failure.
async fn act(
    client: McpClient,
    site: &Site,
    address: &str,
    lane: usize,
) -> anyhow::Result<Vec<(usize, String, bool)>> {
    let mut out = Vec::new();
    for (at, case) in site.cases.iter().enumerate().skip(lane).step_by(LANES) {
        client.open(&format!("{address}/case?number={at}")).await?;
        let actions = json!({ "actions": case.actions });
        let ToolReply { text, failed, .. } = client.ask("browser_interact", actions).await?;
        out.push((at, text, failed));
    }
    client.close().await?;
    Ok(out)
}

fn judge(case: &TargetCase, reported: &[String], failed: bool, answer: &str) -> Outcome {
    let reached: Vec<&String> = reported.iter().filter(|key| *key != "begin").collect();
    let moved = case.kind == MOVING && failed && answer.contains(" did not get the ");
    match &case.gold {
        Some(_) if moved => Outcome::Admitted(format!("reached {reached:?}: {answer}")),
        Some(gold) if reached.iter().any(|key| *key != gold) => {
            Outcome::Wrong(format!("reached {reached:?} instead of {gold}: {answer}"))
        }
        None if !reached.is_empty() => {
            Outcome::Wrong(format!("reached {reached:?} instead of nothing: {answer}"))
        }
        None if !failed => Outcome::Wrong(format!("reported as done: {answer}")),
        Some(_) if failed => Outcome::WronglyRefused(answer.to_owned()),
        Some(_) if reached.is_empty() => Outcome::Wrong(format!("reached nothing: {answer}")),
        _ => Outcome::Right,
    }
}

/// Serves the pages, the frames of a different origin, and what receives the reports.
async fn serve(site: Arc<Site>) -> anyhow::Result<String> {
    let app = Router::new()
        .route("/case", get(page))
        .route("/far", get(far))
        .route("/reached", get(reached))
        .route("/later", get(later))
        .with_state(site);
    listen(app).await
}

fn number(query: &HashMap<String, String>) -> usize {
    query.get("number").and_then(|number| number.parse().ok()).unwrap_or(usize::MAX)
}

async fn page(
    State(site): State<Arc<Site>>,
    Query(query): Query<HashMap<String, String>>,
) -> Html<String> {
    let number = number(&query);
    let Some(case) = site.cases.get(number) else { return Html(String::new()) };
    let far = site.far.lock().expect("nobody panics with it").clone();
    let script = match case.on_begin.as_str() {
        "" => case.script.clone(),
        on_begin => format!("{}; begin.onclick = () => {{ {on_begin} }};", case.script),
    };
    Html(filled(&case.html, &script, number, &far))
}

/// The content of a frame is part of its address.
async fn far(Query(query): Query<HashMap<String, String>>) -> Html<String> {
    let html = query.get("html").cloned().unwrap_or_default();
    Html(filled(&html, "", number(&query), ""))
}

fn filled(html: &str, script: &str, number: usize, far: &str) -> String {
    let settings: Value = json!({ "number": number, "far": far });
    let settings = PAGE.replace("{{settings}}", &settings.to_string());
    settings.replace("{{content}}", html).replace("{{script}}", script)
}

/// Answers after some time.
async fn later(Query(query): Query<HashMap<String, String>>) {
    let ms = query.get("ms").and_then(|ms| ms.parse().ok()).unwrap_or_default();
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

async fn reached(State(site): State<Arc<Site>>, Query(query): Query<HashMap<String, String>>) {
    let key = query.get("key").cloned().unwrap_or_default();
    let mut reports = site.reports.lock().expect("nobody panics with it");
    reports.entry(number(&query)).or_default().push(key);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(gold: Option<&str>, reported: &[&str], failed: bool) -> &'static str {
        outcome_of("", gold, reported, failed, "")
    }

    fn outcome_of(
        kind: &'static str,
        gold: Option<&str>,
        reported: &[&str],
        failed: bool,
        answer: &str,
    ) -> &'static str {
        let case = TargetCase {
            kind,
            html: String::new(),
            script: String::new(),
            on_begin: String::new(),
            actions: json!([]),
            gold: gold.map(str::to_owned),
        };
        let reported: Vec<String> = reported.iter().map(|key| (*key).to_owned()).collect();
        match judge(&case, &reported, failed, answer) {
            Outcome::Right => "right",
            Outcome::WronglyRefused(_) => "refused",
            Outcome::Admitted(_) => "admitted",
            Outcome::Wrong(_) => "wrong",
        }
    }

    #[test]
    fn only_what_is_meant_may_be_reached() {
        assert_eq!(outcome(Some("gold"), &["begin", "gold", "gold"], false), "right");
        assert_eq!(outcome(Some("gold"), &["gold", "twin"], false), "wrong");
        assert_eq!(outcome(Some("gold"), &[], false), "wrong");
        assert_eq!(outcome(Some("gold"), &["twin"], true), "wrong");
        assert_eq!(outcome(Some("gold"), &[], true), "refused");
        assert_eq!(outcome(None, &[], true), "right");
        assert_eq!(outcome(None, &["twin"], true), "wrong");
        assert_eq!(outcome(None, &[], false), "wrong");
    }

    #[test]
    fn only_where_the_page_moves_a_reported_miss_is_not_wrong() {
        let lost = "failed: [1] button: Save did not get the click: it moved";
        let with = |kind, failed, answer| outcome_of(kind, Some("gold"), &["near"], failed, answer);
        assert_eq!(with(MOVING, true, lost), "admitted");
        assert_eq!(with("late", true, lost), "wrong");
        assert_eq!(with(MOVING, true, "failed: nothing matches"), "wrong");
        assert_eq!(with(MOVING, false, "clicked"), "wrong");
    }
}
