//! The question that Chromium asks a person. While nothing is pressed, calls say so and answer
//! soon. After Allow the tabs are there, after Cancel the refusal is reported.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Attach;
use super::browser::{Debugging, PersonsBrowser};
use crate::mcp::{McpClient, ToolReply};
use crate::product::{AWAITS_CONSENT, CONSENT_REFUSED, Engine};
use crate::report::Report;

/// How long a call may take while nothing is pressed.
const ANSWER: Duration = Duration::from_secs(5);
/// How long the outcome may take after a key was pressed.
const OUTCOME: Duration = Duration::from_secs(15);

pub async fn run(attach: &Attach, allowed: bool) -> anyhow::Result<Vec<String>> {
    let urls = [attach.site.url(1)];
    let asks = Debugging::AsksThePerson;
    let browser = PersonsBrowser::start(Engine::Chromium, asks, &attach.display, &urls).await?;
    let client = browser.pagesight(&attach.program, "consent").await?;
    let misses = exchange(&client, attach, allowed).await;
    let _ = client.close().await;
    browser.end().await;
    misses
}

async fn exchange(
    client: &McpClient,
    attach: &Attach,
    allowed: bool,
) -> anyhow::Result<Vec<String>> {
    let mut report = Report::default();
    for call in ["first call", "second call"] {
        let reply = list(client).await?;
        println!("- {call}, nothing pressed: {}", shown(&reply));
        let waits = reply.failed && reply.text.contains(AWAITS_CONSENT) && reply.took < ANSWER;
        report.require(waits, || format!("{call} does not wait: {}", shown(&reply)));
    }
    // The question has the focus on Cancel.
    let (name, keys): (_, &[_]) =
        if allowed { ("Allow", &["Tab", "Return"]) } else { ("Cancel", &["Return"]) };
    attach.display.press("chromium", keys).await?;
    let pressed = Instant::now();
    let reply = loop {
        let reply = list(client).await?;
        if !reply.text.contains(AWAITS_CONSENT) || pressed.elapsed() > OUTCOME {
            break reply;
        }
    };
    println!("- {name} pressed: {}", shown(&reply));
    if allowed {
        let listed = !reply.failed && reply.text.starts_with("t1 \"Tab 1\" http://127.0.0.1:");
        report.require(listed, || format!("the tab is not listed: {}", shown(&reply)));
        let look = client.ask("inspect_tab", json!({ "tab": "t1" })).await?;
        println!("- a look at the tab: {} ms", look.took.as_millis());
        let seen = !look.failed && look.text.contains("button: Save");
        report.require(seen, || format!("the tab is not seen: {}", shown(&look)));
    } else {
        let refused = reply.failed && reply.text.contains(CONSENT_REFUSED);
        report.require(refused, || format!("the refusal is not reported: {}", shown(&reply)));
        let again = list(client).await?;
        println!("- the next call: {}", shown(&again));
        let asks = again.text.contains(AWAITS_CONSENT);
        report.require(asks, || format!("the next call does not ask again: {}", shown(&again)));
    }
    Ok(report.misses)
}

async fn list(client: &McpClient) -> anyhow::Result<ToolReply> {
    client.ask("browser_tabs", json!({ "action": "list" })).await
}

fn shown(reply: &ToolReply) -> String {
    let text: String = reply.text.trim().chars().take(160).collect();
    format!("{} ms, {text:?}", reply.took.as_millis())
}
