//! Opens menus of UI libraries and chooses an item, as an agent does, in both browsers. Each
//! library reports to the page which item was chosen; only that counts. The first round chooses the
//! second item, later rounds a random one.

mod widgets;

use anyhow::Context;
use serde_json::{Value, json};

use super::CompatArgs;
use crate::install::bundle::bundle;
use crate::mcp::McpClient;
use crate::outline::ParsedOutline;
use crate::pages;
use crate::random::Random;
use crate::report;
use widgets::{ITEMS, Opening, WIDGETS, Widget};

/// How often the lab looks for an item.
const MOST_LOOKS: usize = 5;

/// How often an item of each menu is chosen.
const ROUNDS: usize = 5;

const BROWSERS: [&str; 2] = ["chromium", "firefox"];

/// The libraries, and the program that bundles them.
const PACKAGES: [&str; 13] = [
    "jquery@3",
    "jquery-ui@1",
    "jquery-ui-dist@1.12.1",
    "select2@4",
    "react@19",
    "react-dom@19",
    "react-select@5",
    "@mui/material@7",
    "@emotion/react@11",
    "@emotion/styled@11",
    "antd@5",
    "@headlessui/react@2",
    "esbuild@0.25",
];

/// The bundles: the source, and what is made of it.
const BUNDLES: [(&str, &str); 3] = [
    ("jquery.js", "jquery-bundle.js"),
    ("old-jquery.js", "old-jquery-bundle.js"),
    ("react.jsx", "react-bundle.js"),
];

/// The results of one menu in one browser.
#[derive(Default)]
struct MenuRow {
    name: String,
    right: usize,
    /// Wrong choices that the reply to the click mentions.
    reported: usize,
    calls: usize,
    milliseconds: u128,
    misses: Vec<String>,
}

/// The course of one choice.
struct Choice {
    /// The events that the library reported to the page.
    chosen: Value,
    /// The reply to the click.
    reply: String,
    calls: usize,
    milliseconds: u128,
}

/// Returns the items of `--only`: each menu in each browser.
pub fn items() -> Vec<String> {
    let in_browser =
        |browser| WIDGETS.iter().map(move |widget| format!("{browser}: {}", widget.name));
    BROWSERS.into_iter().flat_map(in_browser).collect()
}

/// Chooses items in the menus. A wrong item is a miss.
pub async fn run(args: &CompatArgs, chosen: &[&str]) -> anyhow::Result<Vec<String>> {
    let site = pages::serve(bundle("compat/menus/page", &PACKAGES, &BUNDLES).await?).await?;
    let (program, rounds) = (args.program()?, args.rounds.unwrap_or(ROUNDS));
    let mut random = Random::new(args.seed.seed);
    let mut rows = Vec::new();
    for browser in BROWSERS {
        let arguments = ["--allow-evaluate", "--browser", browser];
        let client = McpClient::start(&program, &arguments).await?;
        for widget in WIDGETS {
            let name = format!("{browser}: {}", widget.name);
            if chosen.contains(&name.as_str()) {
                rows.push(choose_in(&client, &site, widget, name, rounds, &mut random).await);
            }
        }
        client.close().await?;
    }
    print(&rows, rounds);
    Ok(rows.into_iter().flat_map(|row| row.misses).collect())
}

/// Chooses items in one menu.
async fn choose_in(
    client: &McpClient,
    site: &str,
    widget: &Widget,
    name: String,
    rounds: usize,
    random: &mut Random,
) -> MenuRow {
    let mut row = MenuRow { name, ..MenuRow::default() };
    for round in 0..rounds {
        let item = ITEMS[if round == 0 { 1 } else { random.below(ITEMS.len()) }];
        match choose(client, site, widget, item).await {
            Ok(Choice { chosen, reply, calls, milliseconds }) => {
                row.calls += calls;
                row.milliseconds += milliseconds;
                let right = chosen == json!([item]);
                let reported = reply.contains(" holds ") || reply.starts_with("failed");
                row.right += usize::from(right && !reported);
                row.reported += usize::from(!right && reported);
                if !right || reported {
                    row.misses.push(format!("{}: {item}: chosen {chosen}; {reply}", row.name));
                }
            }
            Err(error) => row.misses.push(format!("{}: {item}: {error:#}", row.name)),
        }
    }
    row
}

/// Opens a menu and clicks an item, with what the tools answer.
async fn choose(
    client: &McpClient,
    site: &str,
    widget: &Widget,
    item: &str,
) -> anyhow::Result<Choice> {
    let url = format!("{site}/index.html?kind={}", widget.kind);
    client.call("browser_navigate", json!({ "url": url, "max_tokens": 0 })).await?;
    let (outline, looked) = client.call("inspect_tab", json!({})).await?;
    let outline = ParsedOutline::read(&outline);
    let mut usable = outline.lines.iter().filter(|line| line.number.is_some());
    let field = usable
        .find(|line| line.role == widget.role && line.name.contains(widget.label))
        .with_context(|| format!("no {} {:?} is listed", widget.role, widget.label))?
        .number()?;
    let open = match widget.opening {
        Opening::Click => json!([{ "type": "click", "element": field }]),
        Opening::Fill(text) => {
            // The mouse lies where the menu will open.
            let point = below(client, field).await?;
            json!([point, { "type": "fill", "element": field, "text": text }])
        }
        Opening::Type(text) => json!([{ "type": "type", "element": field, "text": text }]),
    };
    let opened = client.ask("browser_interact", json!({ "actions": open })).await?;
    anyhow::ensure!(!opened.failed, "{}", opened.text.lines().next().unwrap_or_default());
    let (mut calls, mut took) = (2, looked + opened.took);
    let mut offered = None;
    for _ in 0..MOST_LOOKS {
        let (outline, looked) = client.call("inspect_tab", json!({ "fold": false })).await?;
        (calls, took) = (calls + 1, took + looked);
        let outline = ParsedOutline::read(&outline);
        let mut lines = outline.lines.iter();
        offered =
            lines.rfind(|line| line.number.is_some() && line.name == item).map(|it| it.number);
        if offered.is_some() {
            break;
        }
        // The menu is not there yet.
        let wait = json!([{ "type": "wait", "ms": 200 }]);
        let (_, waited) = client.call("browser_interact", json!({ "actions": wait })).await?;
        (calls, took) = (calls + 1, took + waited);
    }
    let offered = offered.context("the menu does not list it")?;
    let click = json!([{ "type": "click", "element": offered }]);
    let reply = client.ask("browser_interact", json!({ "actions": click })).await?;
    (calls, took) = (calls + 1, took + reply.took);
    let (chosen, _) = client.call("browser_evaluate", json!({ "expression": "chosen" })).await?;
    Ok(Choice {
        chosen: serde_json::from_str(&chosen)?,
        reply: reply.text.lines().next().unwrap_or_default().to_owned(),
        calls,
        milliseconds: took.as_millis(),
    })
}

/// Returns the action that moves the mouse below a field; not counted.
async fn below(client: &McpClient, field: u32) -> anyhow::Result<Value> {
    let (all, _) = client.call("expand_dom_selector", json!({ "elementId": field })).await?;
    let all: Value = serde_json::from_str(&all)?;
    let side = |index: usize| all["box"][index].as_i64().unwrap_or_default();
    Ok(json!({ "type": "hover", "x": side(0) + 30, "y": side(1) + side(3) + 20 }))
}

/// Prints the table; calls and time are per choice, without opening the page.
fn print(rows: &[MenuRow], rounds: usize) {
    report::table("menu | chosen right | wrong, but reported | calls | ms");
    for MenuRow { name, right, reported, calls, milliseconds, .. } in rows {
        let each = |sum: f64| sum / rounds.max(1) as f64;
        println!(
            "| {name} | {right} / {rounds} | {reported} | {:.1} | {:.0} |",
            each(*calls as f64),
            each(*milliseconds as f64)
        );
    }
    let right: usize = rows.iter().map(|row| row.right).sum();
    println!("| **{} menus** | {right} / {} | | | |", rows.len(), rows.len() * rounds);
}
