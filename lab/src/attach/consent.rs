//! Connects to a real Chromium whose user switched on remote debugging, and presses the buttons of
//! its question.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::Findings;
use super::person::{BrowserName, Debugging, PersonsBrowser};
use super::site::AttachSite;
use crate::install::display::Display;
use crate::mcp::{McpClient, ToolReply};
use crate::product::{AWAITS_CONSENT, CONSENT_REFUSED};

/// How soon the call has to say what it waits for.
const ANSWER: Duration = Duration::from_secs(5);
/// How soon after the key stroke a call has to know the outcome.
const OUTCOME: Duration = Duration::from_secs(15);

/// What the person answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PersonsAnswer {
    Allow,
    Cancel,
}

impl PersonsAnswer {
    /// The keys, in the question's window: the button for Cancel has the focus.
    fn keys(self) -> &'static [&'static str] {
        match self {
            PersonsAnswer::Allow => &["Tab", "Return"],
            PersonsAnswer::Cancel => &["Return"],
        }
    }
}

/// Runs the whole exchange with one answer.
pub async fn run(
    program: &Path,
    display: &Display,
    site: &AttachSite,
    answer: PersonsAnswer,
) -> anyhow::Result<Findings> {
    let browser = PersonsBrowser::start(
        BrowserName::Chromium,
        Debugging::AsksThePerson,
        display,
        &[site.url(1)],
    )
    .await?;
    let client = browser.pagesight(program, "consent").await?;
    let found = exchange(&client, display, answer).await;
    let _ = client.close().await;
    browser.end().await;
    found
}

async fn exchange(
    client: &McpClient,
    display: &Display,
    answer: PersonsAnswer,
) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    // Nothing is pressed: the browser really holds the connection.
    for call in ["first call", "second call"] {
        let reply = list(client).await?;
        found.lines.push(format!("- {call}, nothing pressed: {}", shown(&reply)));
        found.require(reply.failed && reply.text.contains(AWAITS_CONSENT), || {
            format!("{call}: it does not say that it waits: {}", shown(&reply))
        });
        found.require(reply.took < ANSWER, || format!("{call}: {:?}", reply.took));
    }
    display.press("chromium", answer.keys()).await?;
    let pressed = Instant::now();
    let reply = loop {
        let reply = list(client).await?;
        if !reply.text.contains(AWAITS_CONSENT) || pressed.elapsed() > OUTCOME {
            break reply;
        }
    };
    let name = if answer == PersonsAnswer::Allow { "Allow" } else { "Cancel" };
    found.lines.push(format!("- {name} pressed: {}", shown(&reply)));
    match answer {
        PersonsAnswer::Allow => {
            let listed = !reply.failed && reply.text.starts_with("t1 \"Tab 1\" http://127.0.0.1:");
            found.require(listed, || format!("the tab is not listed: {}", shown(&reply)));
            let look = client.ask("inspect_tab", json!({ "tab": "t1" })).await?;
            let seen = !look.failed && look.text.contains("button: Save");
            found.lines.push(format!("- a look at the tab: {} ms", look.took.as_millis()));
            found.require(seen, || format!("the tab is not seen: {}", shown(&look)));
        }
        PersonsAnswer::Cancel => {
            let refused = reply.failed && reply.text.contains(CONSENT_REFUSED);
            found.require(refused, || format!("the refusal is not reported: {}", shown(&reply)));
            let again = list(client).await?;
            found.lines.push(format!("- the next call: {}", shown(&again)));
            found.require(again.text.contains(AWAITS_CONSENT), || {
                format!("the next call does not ask again: {}", shown(&again))
            });
        }
    }
    Ok(found)
}

async fn list(client: &McpClient) -> anyhow::Result<ToolReply> {
    client.ask("browser_tabs", json!({ "action": "list" })).await
}

fn shown(reply: &ToolReply) -> String {
    let text: String = reply.text.trim().chars().take(160).collect();
    format!("{} ms, {text:?}", reply.took.as_millis())
}
