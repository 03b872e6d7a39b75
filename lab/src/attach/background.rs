//! Fills six fields and clicks a button in a tab of a person's browser, in front and in the
//! background in turn, and compares the times.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};

use super::Findings;
use super::person::{BrowserName, Debugging, PersonsBrowser};
use super::site::AttachSite;
use super::tabs::wait_for;
use crate::install::display::Display;
use crate::mcp::McpClient;
use crate::outline::ParsedOutline;

/// How much longer the work in the background may take, in Chromium.
const LARGEST_RATIO: f64 = 1.2;
/// How long switching tabs may take until the page has reported it.
const SWITCH: Duration = Duration::from_secs(20);
/// How soon a picture, or the reason why there is none, has to be there.
const PICTURE: Duration = Duration::from_secs(6);
/// How long the browser may take to calm down after a switch.
const CALM: Duration = Duration::from_millis(1000);
const FIELDS: [&str; 6] = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"];
/// The tab that hides the other one, and the tab with the form.
const COVER: u32 = 1;
const FORM: u32 = 2;

/// Runs the rounds in one browser.
pub async fn run(
    program: &Path,
    display: &Display,
    site: &AttachSite,
    name: BrowserName,
    rounds: usize,
) -> anyhow::Result<Findings> {
    site.forget();
    let urls = [site.url(COVER), site.url(FORM)];
    let browser = PersonsBrowser::start(name, Debugging::Port, display, &urls).await?;
    let client = browser.pagesight(program, "background").await;
    let outcome = match client {
        Ok(client) => {
            let outcome = measure(&client, display, site, name, rounds).await;
            let _ = client.close().await;
            outcome
        }
        Err(error) => Err(error),
    };
    browser.end().await;
    outcome
}

async fn measure(
    client: &McpClient,
    display: &Display,
    site: &AttachSite,
    name: BrowserName,
    rounds: usize,
) -> anyhow::Result<Findings> {
    wait_for(SWITCH, "both tabs load", || site.beats().len() == 2).await?;
    let (listed, _) = client.call("browser_tabs", json!({ "action": "list" })).await?;
    // Firefox lists its tabs without titles, and in no order of the window.
    let titled = format!(" \"Tab {FORM}\" ");
    let has_titles = listed.contains(&titled);
    let mut form = None;
    for line in listed.lines().filter(|line| !has_titles || line.contains(&titled)) {
        let tab = line.split(' ').next().unwrap_or_default();
        client.call("browser_tabs", json!({ "action": "select", "tab": tab })).await?;
        let (outline, _) = client.call("inspect_tab", json!({ "tab": tab })).await?;
        if outline.contains(&format!("tab?id={FORM}")) {
            form = Some(outline);
            break;
        }
    }
    let outline = form.context("the tab with the form is not listed")?;
    let outline = ParsedOutline::read(&outline);
    let number = |role: &str, name: &str| {
        let line = outline.named(role, name).and_then(|line| line.number);
        line.with_context(|| format!("{name} is not listed"))
    };
    let fields: Vec<_> =
        FIELDS.iter().map(|name| number("textbox", name)).collect::<anyhow::Result<_>>()?;
    let button = number("button", "Save")?;

    let (class, modifier) = match name {
        BrowserName::Chromium => ("chromium", "ctrl"),
        BrowserName::Firefox => ("firefox", "alt"),
    };
    let mut found = Findings::default();
    let (mut front, mut back) = (Vec::new(), Vec::new());
    // The first round of both is not counted.
    for round in 0..=rounds {
        let turns = if round % 2 == 0 { [FORM, COVER] } else { [COVER, FORM] };
        for in_front in turns {
            display.press(class, &[&format!("{modifier}+{in_front}")]).await?;
            // The form's own state is that of a visible tab while pagesight uses it.
            let shown = if in_front == COVER { "visible" } else { "hidden" };
            let is_shown = || site.beats().get(&COVER).is_some_and(|beat| beat.shown == shown);
            wait_for(SWITCH, "the tabs are switched", is_shown).await?;
            tokio::time::sleep(CALM).await;
            let word = format!("{round}{in_front}");
            let mut actions: Vec<Value> = fields
                .iter()
                .map(|field| json!({ "type": "fill", "element": field, "text": word }))
                .collect();
            actions.push(json!({ "type": "click", "element": button }));
            let (text, took) =
                client.call("browser_interact", json!({ "actions": actions })).await?;
            let saved = format!("saved {}", vec![word; FIELDS.len()].join("-"));
            anyhow::ensure!(text.contains(&saved), "{saved} is missing: {text}");
            if round > 0 {
                let times = if in_front == FORM { &mut front } else { &mut back };
                times.push(took.as_secs_f64() * 1000.0);
            }
            if round == rounds {
                let place = if in_front == FORM { "in front" } else { "in the background" };
                let picture = client.ask("take_screenshot", json!({})).await?;
                let words = if picture.failed { picture.text.trim() } else { "drawn" };
                let millis = picture.took.as_millis();
                found.lines.push(format!("- a picture {place}: {millis} ms, {words}"));
                let in_time = picture.took < PICTURE;
                found.require(in_time, || format!("a picture {place} took {millis} ms"));
            }
        }
    }
    let (front, back) = (Times::of(front), Times::of(back));
    let ratio = back.median / front.median;
    found.lines.push(format!("- in front: {front}"));
    found.lines.push(format!("- in the background: {back}"));
    found.lines.push(format!("- ratio of the medians: {ratio:.2}"));
    let judged = name == BrowserName::Chromium;
    found.require(!judged || ratio <= LARGEST_RATIO, || format!("the ratio is {ratio:.2}"));
    Ok(found)
}

/// The times of some rounds, in milliseconds.
struct Times {
    median: f64,
    least: f64,
    most: f64,
    rounds: usize,
}

impl Times {
    fn of(mut times: Vec<f64>) -> Times {
        times.sort_by(f64::total_cmp);
        let at = |index: usize| times.get(index).copied().unwrap_or_default();
        let rounds = times.len();
        Times { median: at(rounds / 2), least: at(0), most: at(rounds.saturating_sub(1)), rounds }
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Times { median, least, most, rounds } = self;
        write!(formatter, "{median:.0} ms ({least:.0} to {most:.0}, {rounds} rounds)")
    }
}
