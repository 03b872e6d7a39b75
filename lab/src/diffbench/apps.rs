//! Apps of other projects: TodoMVC in several frameworks, with one fixed plan, and web apps in
//! which a seeded generator chooses the actions. They keep no list of what they change, so `live`
//! judges them.

use serde_json::{Value, json};

use super::DiffRow;
use super::live;
use super::play::{DiffRun, look};
use crate::install::packages;
use crate::install::{self, apps};
use crate::mcp::McpClient;
use crate::options::OnlyArgs;
use crate::outline::OutlineLine;
use crate::pages;
use crate::random::Random;

/// The frameworks of the package `todomvc`, each in a folder of that name.
const FRAMEWORKS: &str =
    "angularjs backbone canjs emberjs knockoutjs mithril ractive react vanillajs vue";

/// The apps that are used, and the path at which each is entered.
const STARTS: [(&str, &str); 6] = [
    ("Swagger UI", "/swagger.html"),
    ("Shoelace", "/gallery.html"),
    ("NiceGUI", "/"),
    ("Gradio", "/"),
    ("Node-RED", "/"),
    ("JupyterLab", "/lab?reset"),
];

/// Words in names of controls that end an app or open a system dialog; these are not used.
const SPARED: [&str; 8] =
    ["shut down", "log out", "quit", "fullscreen", "file", "picture", "upload", "download"];

/// Runs the plan in TodoMVC of every framework.
pub async fn todo(client: &McpClient, seed: u64) -> anyhow::Result<Vec<DiffRow>> {
    let folder = install::folder()?;
    packages::node(&folder, &["todomvc@0.1.1", "todomvc-react@1.0.4"]).await?;
    let modules = folder.join("npm/node_modules");
    let address = pages::serve(modules.join("todomvc/examples")).await?;
    let modern = pages::serve(modules.join("todomvc-react/dist")).await?;
    let old =
        FRAMEWORKS.split(' ').map(|name| (name.to_owned(), format!("{address}/{name}/index.html")));
    let mut rows = Vec::new();
    for (name, url) in old.chain([("react 16".to_owned(), format!("{modern}/index.html"))]) {
        let row = DiffRow {
            name: format!("TodoMVC, {name}"),
            runs: todo_runs(client, &url, seed).await?,
        };
        row.print();
        rows.push(row);
    }
    Ok(rows)
}

/// Adds three items, completes one, filters, completes all, clears.
async fn todo_runs(client: &McpClient, url: &str, seed: u64) -> anyhow::Result<Vec<DiffRun>> {
    let mut random = Random::new(seed);
    let mut name =
        || format!("Call {} about {}", random.below(9_000) + 1_000, random.below(900) + 100);
    let names = [name(), name(), name()];
    client.call("browser_navigate", json!({ "url": url })).await?;
    client.ask("browser_evaluate", json!({ "expression": "localStorage.clear()" })).await?;
    client.call("browser_navigate", json!({ "action": "reload" })).await?;
    let mut runs = Vec::new();
    for step in 0..9 {
        let sight = look(client).await?;
        let find = |role: &str, begin: &str, place: usize| {
            let fits = |line: &&OutlineLine| {
                line.role == role && line.name.starts_with(begin) && line.number.is_some()
            };
            sight.lines.iter().filter(fits).nth(place).and_then(|line| line.number)
        };
        let Some(field) = find("textbox", "", 0) else { break };
        let click = |number: u32| json!([{ "type": "click", "element": number }]);
        // The box that ticks all stands in front of those of the things, or is not listed because
        // it does not show.
        let boxes = sight.all("checkbox").len();
        let actions = match step {
            0..=2 => Some(
                json!([{ "type": "fill", "element": field, "text": names.get(step) }, { "type": "press", "key": "Enter", "element": field }]),
            ),
            3 => find("checkbox", "", boxes.saturating_sub(2)).map(click),
            4 => find("link", "Active", 0).map(click),
            5 => find("link", "Completed", 0).map(click),
            6 => find("link", "All", 0).map(click),
            7 => find("checkbox", "", boxes.saturating_sub(1)).map(click),
            _ => find("button", "Clear completed", 0).map(click),
        };
        let Some(actions) = actions else { continue };
        runs.extend(judged(client, actions).await?);
    }
    Ok(runs)
}

/// Does this many actions in each app.
pub async fn live(
    client: &McpClient,
    seed: u64,
    actions: usize,
    only: &OnlyArgs,
) -> anyhow::Result<Vec<DiffRow>> {
    // A restriction that fits no app is meant for the kinds of change.
    let restricted = STARTS.iter().any(|(name, _)| only.includes(name));
    let mut rows = Vec::new();
    for (name, path) in STARTS.iter().filter(|(name, _)| !restricted || only.includes(name)) {
        let app = apps::find(name)?;
        let Some(mut running) = app.start_or_skip().await else { continue };
        let played = wander(client, &format!("{}{path}", running.address), seed, actions).await;
        running.end().await;
        let row = DiffRow { name: format!("live: {}", app.name), runs: played? };
        row.print();
        rows.push(row);
    }
    Ok(rows)
}

/// Does random actions; goes back to the start when the page was left.
async fn wander(
    client: &McpClient,
    start: &str,
    seed: u64,
    actions: usize,
) -> anyhow::Result<Vec<DiffRun>> {
    let mut random = Random::new(seed);
    let mut runs = Vec::new();
    let mut home = true;
    for turn in 0..actions * 3 {
        if runs.len() >= actions {
            break;
        }
        if home || turn % 12 == 0 {
            go(client, start).await?;
            home = false;
        }
        let sight = look(client).await?;
        let usable: Vec<&OutlineLine> = sight.lines.iter().filter(|line| wanted(line)).collect();
        let Some(line) = random.one(&usable) else {
            home = true;
            continue;
        };
        let number = line.number()?;
        let action = match line.role.as_str() {
            "textbox" | "searchbox" => {
                json!({ "type": "fill", "element": number, "text": format!("Text {}", random.below(1_000)) })
            }
            _ => json!({ "type": "click", "element": number }),
        };
        match judged(client, json!([action])).await? {
            Some(run) => runs.push(run),
            None => home = true,
        }
    }
    Ok(runs)
}

/// Goes to the start page; accepts the dialog that an app may show before it is left.
async fn go(client: &McpClient, start: &str) -> anyhow::Result<()> {
    for _ in 0..3 {
        let reply = client.ask("browser_navigate", json!({ "url": start })).await?;
        if !reply.failed {
            return Ok(());
        }
        client
            .ask("browser_interact", json!({ "actions": [{ "type": "dialog", "accept": true }] }))
            .await?;
    }
    anyhow::bail!("{start} cannot be gone to")
}

fn wanted(line: &OutlineLine) -> bool {
    let name = line.name.to_lowercase();
    line.number.is_some()
        && !matches!(line.role.as_str(), "link" | "scrollable" | "iframe")
        && !SPARED.iter().any(|word| name.contains(word))
        && !line.states.iter().any(|state| state == "disabled" || state.starts_with("covered"))
}

async fn judged(client: &McpClient, actions: Value) -> anyhow::Result<Option<DiffRun>> {
    let run = live::act(client, actions).await?;
    if let Some(run) = run.as_ref().filter(|run| !run.verdict.faults.is_empty()) {
        eprintln!("  {}\n{}\n", run.verdict.faults.join("\n  "), run.reply.trim_end());
    }
    Ok(run)
}
