//! Random actions in one app: looks, chooses an element and an action, does it, has it judged, and
//! goes back to the start page when the app was left.

use std::io::Write;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};

use super::judge::{self, ActionVerdict};
use super::tally::AppTally;
use crate::install::apps::LOGIN;
use crate::mcp::{McpClient, ToolReply};
use crate::outline::{OutlineLine, ParsedOutline};
use crate::random::Random;

/// How long a call may take; what a batch may is longer, and there are none here.
const CALL_LIMIT: Duration = Duration::from_secs(30);
/// After so many actions it goes back to the start, so that it does not spend its time in one
/// corner.
const ROUND: usize = 40;
/// When a call counts as hanging.
const HANG: Duration = Duration::from_secs(70);

/// An event that ends an app or a session, rather than being an action in it.
const SPARED: &[&str] = &["shut down", "log out", "logout", "quit"];
const TEXTS: &[&str] = &[
    "a",
    "Ada Lovelace",
    "42",
    "-1.5",
    "x@example.org",
    "",
    "Grüße, 世界 🌍",
    "2026-11-15",
    "<b>&\"'",
    "a longer text of several words that goes on",
];
const KEYS: &[&str] =
    &["Enter", "Tab", "Escape", "ArrowDown", "ArrowUp", "Space", "Shift+Tab", "Control+A", "Home"];

/// The state of a run.
pub struct Monkey {
    pub client: McpClient,
    pub random: Random,
    /// Actions so far, over all apps.
    pub actions: usize,
    /// The server's memory after so many actions.
    pub memory_at: Option<(usize, f64)>,
    /// Every action and its reply, to be read when something went wrong.
    pub journal: std::fs::File,
    /// An outcome that must not happen.
    pub violations: Vec<String>,
    /// When the server's memory is taken down, in actions.
    pub mark: usize,
}

impl Monkey {
    /// Calls a tool and holds it to its limit.
    async fn ask(
        &mut self,
        tally: &mut AppTally,
        tool: &str,
        arguments: Value,
    ) -> anyhow::Result<ToolReply> {
        let said = arguments.to_string();
        let reply = tokio::time::timeout(HANG, self.client.ask(tool, arguments)).await;
        let reply =
            reply.with_context(|| format!("{tool} {said} did not answer within {HANG:?}"))?;
        let reply = reply.with_context(|| format!("the server is gone: {tool} {said}"))?;
        tally.slowest = tally.slowest.max(reply.took);
        if reply.took > CALL_LIMIT {
            self.violations.push(format!(
                "{}: {tool} {said} took {:.1} s",
                tally.app,
                reply.took.as_secs_f64()
            ));
        }
        Ok(reply)
    }

    /// Plays until `actions` are done in this app.
    pub async fn play(
        &mut self,
        tally: &mut AppTally,
        start: &str,
        actions: usize,
    ) -> anyhow::Result<()> {
        let site = start.split('/').take(3).collect::<Vec<_>>().join("/");
        self.home(tally, start).await?;
        // The exact counter of tokens is loaded when an answer comes near its budget, and holds 23
        // MiB from then on: that is no growth.
        self.ask(tally, "inspect_tab", json!({ "max_tokens": 200 })).await?;
        let mut idle = 0;
        while tally.actions < actions {
            anyhow::ensure!(idle < 20, "nothing can be done any more at {start}");
            let look = self.ask(tally, "inspect_tab", json!({})).await?;
            let here = look.text.lines().next().is_some_and(|first| first.contains(&site));
            let sight = ParsedOutline::read(&look.text);
            let lines: Vec<&OutlineLine> =
                sight.lines.iter().filter(|line| self.wanted(line)).collect();
            if look.failed || !here || lines.is_empty() {
                idle += 1;
                if look.text.contains("dialog open") {
                    self.answer(tally).await?;
                } else {
                    self.home(tally, start).await?;
                }
                continue;
            }
            let Some(line) = self.random.one(&lines) else { continue };
            if self.turn(tally, line).await? {
                idle = 0;
                if tally.actions.is_multiple_of(ROUND) {
                    self.home(tally, start).await?;
                }
            } else {
                idle += 1;
            }
        }
        Ok(())
    }

    /// Something that may be tried; what is disabled only now and then.
    fn wanted(&mut self, line: &OutlineLine) -> bool {
        let name = line.name.to_lowercase();
        line.number.is_some()
            && !SPARED.iter().any(|word| name.contains(word))
            && (!line.states.iter().any(|state| state == "disabled") || self.random.percent(5))
    }

    /// One action; false if there was nothing to act on after all.
    async fn turn(&mut self, tally: &mut AppTally, line: &OutlineLine) -> anyhow::Result<bool> {
        let number = line.number()?;
        let about = self.ask(tally, "expand_dom_selector", json!({ "elementId": number })).await?;
        if about.failed {
            return Ok(false);
        }
        let about: Value =
            serde_json::from_str(&about.text).context("expand_dom_selector answered no JSON")?;
        let id = self.actions + 1;
        let unknown = match judge::arm(&self.client, line, &about, id).await {
            Ok(unknown) => unknown,
            Err(contradiction) => {
                self.violations.push(format!("{}: {contradiction:#}", tally.app));
                Some("contradiction")
            }
        };
        let action = self.choose(line, number);
        let kind = action["type"].as_str().unwrap_or_default().to_owned();
        let reply = self.ask(tally, "browser_interact", json!({ "actions": [action] })).await?;
        self.actions += 1;
        tally.count(&reply.text, reply.failed);
        if self.actions == self.mark {
            self.memory_at = Some((self.actions, self.client.memory()));
        }
        self.said(tally, number, &about, &reply);
        writeln!(self.journal, "{} {id}: {action} → {}", tally.app, reply.text.trim())?;
        if reply.text.contains("opened dialog") || reply.text.contains("dialog open") {
            self.answer(tally).await?;
        }
        let judged = match unknown {
            Some(why) => ActionVerdict::Unknown(why),
            None => judge::read(&self.client, id, &kind, reply.failed, &reply.text).await?,
        };
        match judged {
            ActionVerdict::Right(how) => *tally.judged.entry(how).or_default() += 1,
            ActionVerdict::Admitted => {
                *tally.judged.entry("missed, and said so".to_owned()).or_default() += 1
            }
            ActionVerdict::Unknown(why) => *tally.unjudged.entry(why).or_default() += 1,
            ActionVerdict::Wrong(what) => {
                let violation = format!(
                    "{}, action {id}: {action}: {what}; the reply: {}",
                    tally.app,
                    reply.text.trim()
                );
                eprintln!("{violation}");
                self.violations.push(violation);
            }
        }
        self.tidy_tabs(tally, &reply.text).await?;
        Ok(true)
    }

    /// The reply must name what was asked for.
    fn said(&mut self, tally: &AppTally, number: u32, about: &Value, reply: &ToolReply) {
        let Some((_, rest)) = reply.text.split_once(&format!("[{number}] ")) else {
            if !reply.failed {
                self.violations.push(format!(
                    "{}: asked for [{number}], the reply says {:?}",
                    tally.app, reply.text
                ));
            }
            return;
        };
        let reported =
            OutlineLine::read(&format!("[{number}] {}", rest.lines().next().unwrap_or_default()));
        let role = about["role"].as_str().unwrap_or_default();
        let name = about["name"].as_str().unwrap_or_default();
        // `[12] switch: Dark is checked already` continues after the name.
        let plain = |text: &str| {
            text.split_whitespace().collect::<String>().chars().take(30).collect::<String>()
        };
        let same = |reported: &str, name: &str| plain(reported).starts_with(&plain(name));
        // What merely scrolls has no role of ARIA's.
        let known = reported.role == "scrollable" || name.is_empty() || same(&reported.name, name);
        let roled =
            reported.role == "scrollable" || role.is_empty() || reported.role.starts_with(role);
        if !(reply.failed || known && roled) {
            self.violations.push(format!(
                "{}: [{number}] is {role}: {name:?}, the reply says {:?}",
                tally.app,
                reply.text.trim()
            ));
        }
    }

    /// Something that fits the thing; a click mostly.
    fn choose(&mut self, line: &OutlineLine, number: u32) -> Value {
        let field = ["textbox", "searchbox", "spinbutton"].contains(&line.role.as_str());
        let draw = self.random.below(100);
        let boxed = ["checkbox", "switch"].contains(&line.role.as_str());
        let kind = match (field, draw) {
            _ if boxed && draw < 25 => "check",
            _ if boxed && draw < 45 => "uncheck",
            (true, 0..40) => "fill",
            (true, 40..55) => "type",
            (true, 55..70) => "press",
            (false, 7..11) => "scroll",
            (false, 0..7) => "press",
            (_, 85..93) => "hover",
            (_, 93..97) => "double_click",
            (_, 97..) => "right_click",
            _ => "click",
        };
        let mut action = json!({ "type": kind, "element": number });
        match kind {
            "fill" | "type" => action["text"] = json!(self.random.one(TEXTS)),
            "press" => action["key"] = json!(self.random.one(KEYS)),
            _ => {}
        }
        action
    }

    /// Answers the open dialog, one way or the other.
    async fn answer(&mut self, tally: &mut AppTally) -> anyhow::Result<()> {
        for _ in 0..10 {
            let accept = self.random.percent(70);
            let actions = json!([{ "type": "dialog", "accept": accept }]);
            let reply = self.ask(tally, "browser_interact", json!({ "actions": actions })).await?;
            if reply.failed || !reply.text.contains("opened dialog") {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Closes the tabs that an action opened, and has one to go on with if it closed its own.
    async fn tidy_tabs(&mut self, tally: &mut AppTally, text: &str) -> anyhow::Result<()> {
        for opened in text.split("opened tab ").skip(1) {
            let tab = opened.split_whitespace().next().unwrap_or_default();
            self.ask(tally, "browser_tabs", json!({ "action": "close", "tab": tab })).await?;
        }
        if text.contains("the tab closed itself") {
            self.ask(tally, "browser_tabs", json!({ "action": "new" })).await?;
        }
        Ok(())
    }

    /// Goes to the start.
    async fn home(&mut self, tally: &mut AppTally, start: &str) -> anyhow::Result<()> {
        tally.returns += 1;
        for _ in 0..5 {
            let reply = self.ask(tally, "browser_navigate", json!({ "url": start })).await?;
            if reply.text.contains("dialog") {
                self.answer(tally).await?;
            }
            if reply.text.contains("/login/") {
                self.ask(tally, "browser_evaluate", json!({ "expression": LOGIN })).await?;
                self.ask(
                    tally,
                    "browser_interact",
                    json!({ "actions": [{ "type": "wait", "text": "Site administration" }] }),
                )
                .await?;
                return Ok(());
            }
            if !reply.failed {
                return Ok(());
            }
        }
        anyhow::bail!("the start of {} cannot be reached any more", tally.app)
    }
}
