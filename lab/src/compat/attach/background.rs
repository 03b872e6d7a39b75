//! Measures fills and a click in a tab that is in front, and in the same tab behind another one.

use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};

use super::Attach;
use super::browser::{Debugging, PersonsBrowser};
use crate::mcp::McpClient;
use crate::outline::ParsedOutline;
use crate::processes::wait_for;
use crate::product::Engine;
use crate::report::{Report, median, ms, quantile};

/// How much longer it may take in the background, in Chromium.
const LARGEST_RATIO: f64 = 1.2;
/// How long it may take until the tabs are switched.
const SWITCH: Duration = Duration::from_secs(20);
/// How long a picture, or the answer that there is none, may take.
const PICTURE: Duration = Duration::from_secs(6);
/// How long the browser is left alone after tabs were switched.
const PAUSE: Duration = Duration::from_millis(1000);
const FIELDS: [&str; 6] = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"];
/// The tabs: one that covers the other, and the one with the form.
const COVER: u32 = 1;
const FORM: u32 = 2;

pub async fn run(attach: &Attach, engine: Engine, rounds: usize) -> anyhow::Result<Vec<String>> {
    attach.site.forget();
    let urls = [attach.site.url(COVER), attach.site.url(FORM)];
    let browser = PersonsBrowser::start(engine, Debugging::Port, &attach.display, &urls).await?;
    let client = browser.pagesight(&attach.program, "background").await?;
    let misses = measure(&client, attach, engine, rounds).await;
    let _ = client.close().await;
    browser.end().await;
    misses
}

async fn measure(
    client: &McpClient,
    attach: &Attach,
    engine: Engine,
    rounds: usize,
) -> anyhow::Result<Vec<String>> {
    let site = &attach.site;
    wait_for(SWITCH, "both tabs load", || site.beats().len() == 2).await?;
    let outline = form(client).await?;
    let fields = FIELDS.iter().map(|name| outline.number("textbox", name));
    let fields = fields.collect::<anyhow::Result<Vec<_>>>()?;
    let button = outline.number("button", "Save")?;
    let (class, modifier) = match engine {
        Engine::Chromium => ("chromium", "ctrl"),
        Engine::Firefox => ("firefox", "alt"),
    };
    let mut report = Report::default();
    let (mut front, mut back) = (Vec::new(), Vec::new());
    // The first round only warms up.
    for round in 0..=rounds {
        let turns = if round % 2 == 0 { [FORM, COVER] } else { [COVER, FORM] };
        for in_front in turns {
            attach.display.press(class, &[&format!("{modifier}+{in_front}")]).await?;
            let shown = if in_front == COVER { "visible" } else { "hidden" };
            let is_shown = || site.beats().get(&COVER).is_some_and(|beat| beat["shown"] == shown);
            wait_for(SWITCH, "the tabs are switched", is_shown).await?;
            tokio::time::sleep(PAUSE).await;
            let word = format!("{round}{in_front}");
            let fill = |field| json!({ "type": "fill", "element": field, "text": word });
            let mut actions: Vec<Value> = fields.iter().map(fill).collect();
            actions.push(json!({ "type": "click", "element": button }));
            let (text, took) = client.act(json!(actions)).await?;
            let saved = format!("saved {}", vec![word; FIELDS.len()].join("-"));
            anyhow::ensure!(text.contains(&saved), "{saved} is missing: {text}");
            if round > 0 {
                let times = if in_front == FORM { &mut front } else { &mut back };
                times.push(ms(took));
            }
            if round == rounds {
                let place = if in_front == FORM { "in front" } else { "in the background" };
                let picture = client.ask("take_screenshot", json!({})).await?;
                let words = if picture.failed { picture.text.trim() } else { "drawn" };
                println!("- a picture {place}: {} ms, {words}", picture.took.as_millis());
                let late = || format!("a picture {place} took {:?}", picture.took);
                report.require(picture.took < PICTURE, late);
            }
        }
    }
    for (place, times) in [("in front", &front), ("in the background", &back)] {
        let (middle, least, most) = (median(times), quantile(times, 0.0), quantile(times, 1.0));
        println!("- {place}: {middle:.0} ms ({least:.0} to {most:.0}, {rounds} rounds)");
    }
    let ratio = median(&back) / median(&front);
    println!("- ratio of the medians: {ratio:.2}");
    let judged = engine == Engine::Chromium;
    report.require(!judged || ratio <= LARGEST_RATIO, || format!("the ratio is {ratio:.2}"));
    Ok(report.misses)
}

/// Chooses the tab with the form and looks at it. Firefox lists tabs without their titles.
async fn form(client: &McpClient) -> anyhow::Result<ParsedOutline> {
    let (listed, _) = client.call("browser_tabs", json!({ "action": "list" })).await?;
    let titled = format!(" \"Tab {FORM}\" ");
    let has_titles = listed.contains(&titled);
    for line in listed.lines().filter(|line| !has_titles || line.contains(&titled)) {
        let tab = line.split(' ').next().unwrap_or_default();
        client.call("browser_tabs", json!({ "action": "select", "tab": tab })).await?;
        let (outline, _) = client.call("inspect_tab", json!({ "tab": tab })).await?;
        if outline.contains(&format!("tab?id={FORM}")) {
            return Ok(ParsedOutline::read(&outline));
        }
    }
    None.context("the tab with the form is not listed")
}
