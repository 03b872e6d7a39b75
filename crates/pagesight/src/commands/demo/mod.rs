//! `pagesight demo`: shows the tools in under a minute, on a small web app that the program serves.
//! The printed answers come from a real browser.

pub(crate) mod server;

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Instant;

use anyhow::{Context, anyhow};
use pagesight_core::text::tokens::count;
use pagesight_session::{Options, Session};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::cli::{print, signals};
use crate::hints;
use crate::serve::port_owner::{PortFlag, in_use};
use crate::tools::evaluate_permission::EvaluatePermission;
use crate::tools::registry::{self, Tool};
use crate::tools::workspace::Workspace;

/// How many lines of an answer are shown.
const LINES_SHOWN: usize = 24;

/// Options for serving the page only.
pub(crate) struct ServeOptions {
    /// The port; 0 is any.
    pub(crate) port: u16,
    /// The fault that the page shows on every visit.
    pub(crate) fault: Option<String>,
}

/// Runs the demo, or only serves the page.
pub(crate) async fn run(options: Options, serving: Option<ServeOptions>) -> anyhow::Result<()> {
    if let Some(ServeOptions { port, fault }) = serving {
        let site = server::DemoSite::start_with(port, fault.as_deref()).await;
        let site = site.map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => {
                anyhow!("{}", in_use(SocketAddr::from(([127, 0, 0, 1], port)), PortFlag::Port))
            }
            _ => anyhow!("--port: cannot listen on port {port}: {error}"),
        })?;
        print::result(&format!(
            "{}\nPress Ctrl-C to stop. The faults are listed in the page's app.js.",
            site.url()
        ));
        signals::ended_by_signal().await;
        return Ok(());
    }
    let site = server::DemoSite::start().await?;
    // The demo calls tools, as an agent does.
    let options = Options { wording: hints::MCP, ..options };
    let workspace = Workspace::new(Session::new(options), EvaluatePermission::All);
    let mut story = Story {
        workspace: &workspace,
        tools: registry::all(EvaluatePermission::All),
        calls: 0,
        tokens: 0,
        begun: Instant::now(),
    };
    let url = site.url();
    let ended = signals::until_signal(story.run(&url), "ended by a signal").await;
    workspace.session.close().await;
    ended
}

struct Story<'w> {
    workspace: &'w Workspace,
    tools: Vec<Tool>,
    calls: usize,
    tokens: usize,
    begun: Instant,
}

impl Story<'_> {
    async fn run(&mut self, url: &str) -> anyhow::Result<()> {
        print::heading("pagesight lets AI agents see live web pages");
        print::paragraph(&format!(
            "A task board is served at {url}\n{} opens it. The answers below are what an agent would read.",
            self.workspace.session.product().await?
        ));

        print::heading("1. Look: what is on the page, and what can be used?");
        self.call("browser_navigate", json!({ "url": url })).await?;
        let look = self.call("inspect_tab", json!({})).await?;
        let raw = self.html().await?;
        let (seen, whole) = (count(&look), count(&raw));
        print::paragraph(&format!("{seen} tokens; the page's HTML would be {whole}."));

        print::heading("2. Act: fill in the form, add a task, and read the result");
        let actions = json!({ "actions": [
            { "type": "fill", "element": number(&look, "textbox: Title")?, "text": "Water the plants" },
            { "type": "click", "element": number(&look, "button: Add task")? },
        ] });
        self.call("browser_interact", actions).await?;

        print::heading("3. Changes: the answer to a click says what it changed");
        let actions = json!({ "actions": [
            { "type": "press", "key": "ArrowDown", "element": number(&look, "combobox: Assignee")? },
            { "type": "click", "element": number(&look, "button: Add task")? },
        ] });
        let done = self.call("browser_interact", actions).await?;
        let again = self.uncounted_call("inspect_tab", json!({})).await?;
        print::paragraph(&format!(
            "{} tokens for the actions and their changes; looking again would cost {} more.",
            count(&done),
            count(&again)
        ));

        print::heading("4. Zoom in: selectors that were tested in the live page");
        self.call(
            "expand_dom_selector",
            json!({ "elementId": number(&look, "button: Add task")? }),
        )
        .await?;

        print::heading("5. A dialog blocks the page: the call returns at once and reports it");
        let delete = number(&look, "button: Delete")?;
        self.call(
            "browser_interact",
            json!({ "actions": [{ "type": "click", "element": delete }] }),
        )
        .await?;
        self.call(
            "browser_interact",
            json!({ "actions": [{ "type": "dialog", "accept": false }] }),
        )
        .await?;

        print::heading("6. Faults are reported: a banner covers the button, a request fails");
        self.call("browser_navigate", json!({ "url": format!("{url}?fault=covered") })).await?;
        let covered = self.quiet_call("inspect_tab", json!({})).await?;
        let add = number(&covered, "button: Add task")?;
        self.call("browser_interact", json!({ "actions": [{ "type": "click", "element": add }] }))
            .await?;
        self.call("browser_navigate", json!({ "url": format!("{url}?fault=error") })).await?;
        self.call("inspect_tab", json!({ "query": "alert" })).await?;

        print::heading("7. Compare with the page before an edit: two edits that broke something");
        self.call("browser_navigate", json!({ "url": url })).await?;
        let good = self.call("get_dom_fingerprint", json!({})).await?;
        let good: serde_json::Value = serde_json::from_str(&good)?;
        for fault in ["hidden-search", "empty"] {
            self.call("browser_navigate", json!({ "url": format!("{url}?fault={fault}") })).await?;
            self.call("compare_dom_fingerprint", json!({ "against": good["hash"] })).await?;
        }

        print::heading("Done");
        let (calls, tokens, seconds) =
            (self.calls, self.tokens, self.begun.elapsed().as_secs_f64());
        print::result(&format!(
            "{calls} calls, {tokens} tokens in total, {seconds:.1} s including the start of the browser.\nAdd it to your agent: pagesight install claude (or cursor, vscode, codex, gemini)"
        ));
        Ok(())
    }

    /// Calls a tool as an agent would, and prints the call and the answer.
    async fn call(&mut self, name: &str, arguments: serde_json::Value) -> anyhow::Result<String> {
        print::command(&format!("{name} {arguments}"));
        let text = self.quiet_call(name, arguments).await?;
        let mut lines: Vec<&str> = text.lines().collect();
        let left = lines.len().saturating_sub(LINES_SHOWN);
        lines.truncate(LINES_SHOWN);
        let mut shown = lines.join("\n");
        if left > 0 {
            shown.push_str(&format!("\n  (and {left} more lines)"));
        }
        print::paragraph(&shown);
        Ok(text)
    }

    async fn quiet_call(
        &mut self,
        name: &str,
        arguments: serde_json::Value,
    ) -> anyhow::Result<String> {
        let text = self.uncounted_call(name, arguments).await?;
        self.calls += 1;
        self.tokens += count(&text);
        Ok(text)
    }

    /// Calls a tool to measure how many tokens its answer would cost.
    async fn uncounted_call(
        &self,
        name: &str,
        arguments: serde_json::Value,
    ) -> anyhow::Result<String> {
        let tool = self.tools.iter().find(|tool| tool.name == name);
        let tool = tool.with_context(|| format!("there is no tool {name}"))?;
        let answer = tool.call(self.workspace, arguments, &CancellationToken::new()).await?;
        Ok(answer.content.into_text())
    }

    /// Returns the HTML of the page, to measure how many tokens it would cost.
    async fn html(&self) -> anyhow::Result<String> {
        let tab = self.workspace.tab(&None).await?;
        let html = self.workspace.session.evaluate(&tab, "document.documentElement.outerHTML");
        Ok(html.await?.as_str().unwrap_or_default().to_owned())
    }
}

/// Returns the reference of the first line that contains these words.
fn number(outline: &str, words: &str) -> anyhow::Result<String> {
    let line =
        outline.lines().find(|line| line.contains(words) && line.trim_start().starts_with('['));
    let number = line.and_then(|line| {
        line.trim_start().strip_prefix('[')?.split_once(']').map(|(number, _)| number)
    });
    number.map(str::to_owned).ok_or_else(|| anyhow::anyhow!("the demo page has no {words:?}"))
}
