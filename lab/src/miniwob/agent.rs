//! The abilities of the program of a task: look, act, and ask for the details of an element,
//! through the tools that an agent has. Counts calls and the tokens of their answers.

use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::{Value, json};

use super::shell::ShellSession;
use crate::mcp::McpClient;
use crate::outline::ParsedOutline;
use crate::product::count_tokens;

/// The result of a task's program.
pub type SolveResult = anyhow::Result<()>;

/// The effort of solving a task.
#[derive(Clone, Copy, Default)]
pub struct MiniwobCost {
    pub calls: usize,
    /// Tokens of their answers.
    pub tokens: usize,
    /// From the first call to the last answer.
    pub time: Duration,
}

/// How the program is reached.
pub enum MiniwobWay {
    /// The tools of MCP.
    Mcp(McpClient),
    /// Commands in the shell.
    Shell(Box<ShellSession>),
}

impl MiniwobWay {
    async fn call(&self, tool: &str, arguments: Value) -> anyhow::Result<String> {
        match self {
            MiniwobWay::Mcp(client) => Ok(client.call(tool, arguments).await?.0),
            MiniwobWay::Shell(session) => session.call(tool, &arguments).await,
        }
    }
}

/// A client that counts its calls.
pub struct MiniwobAgent {
    way: MiniwobWay,
    /// The effort since the last call of `spent`.
    cost: MiniwobCost,
}

impl MiniwobAgent {
    /// Uses a running server.
    pub fn new(way: MiniwobWay) -> MiniwobAgent {
        MiniwobAgent { way, cost: MiniwobCost::default() }
    }

    pub async fn close(self) -> anyhow::Result<()> {
        match self.way {
            MiniwobWay::Mcp(client) => client.close().await,
            // The process ends with the session.
            MiniwobWay::Shell(_) => Ok(()),
        }
    }

    /// Returns what was used since the last call.
    pub fn spent(&mut self) -> MiniwobCost {
        std::mem::take(&mut self.cost)
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> anyhow::Result<String> {
        let begun = Instant::now();
        let answer = self.way.call(tool, arguments).await;
        self.cost.time += begun.elapsed();
        self.cost.calls += 1;
        self.cost.tokens += match &answer {
            Ok(text) => count_tokens(text),
            Err(error) => count_tokens(&error.to_string()),
        };
        answer
    }

    /// Goes to a page.
    pub async fn go(&mut self, url: &str) -> anyhow::Result<String> {
        self.call("browser_navigate", json!({ "url": url })).await
    }

    /// Looks at the whole page.
    pub async fn look(&mut self) -> anyhow::Result<ParsedOutline> {
        Ok(ParsedOutline::read(&self.call("inspect_tab", json!({})).await?))
    }

    /// Looks without folding runs of equal things.
    pub async fn look_unfolded(&mut self) -> anyhow::Result<ParsedOutline> {
        Ok(ParsedOutline::read(&self.call("inspect_tab", json!({ "fold": false })).await?))
    }

    /// Looks until there is an element of this role and name, for some seconds at most.
    pub async fn look_for(&mut self, role: &str, name: &str) -> anyhow::Result<ParsedOutline> {
        for _ in 0..20 {
            let sight = self.look().await?;
            if sight.named(role, name).is_some() {
                return Ok(sight);
            }
            self.act(json!([{ "type": "wait", "ms": 150 }])).await?;
        }
        anyhow::bail!("no {role} {name:?} came")
    }

    /// Acts and returns the reply; a failed action is an error.
    pub async fn act(&mut self, actions: Value) -> anyhow::Result<String> {
        self.call("browser_interact", json!({ "actions": actions })).await
    }

    pub async fn click(&mut self, element: u32) -> anyhow::Result<String> {
        self.act(json!([click(element)])).await
    }

    /// Fills one field and clicks.
    pub async fn fill_and_click(&mut self, field: u32, text: &str, button: u32) -> SolveResult {
        self.act(json!([fill(field, text), click(button)])).await.map(drop)
    }

    /// Returns everything about one element.
    pub async fn expand(&mut self, element: u32) -> anyhow::Result<Value> {
        Ok(serde_json::from_str(
            &self.call("expand_dom_selector", json!({ "elementId": element })).await?,
        )?)
    }

    /// Returns an attribute of an element; empty if there is none.
    pub async fn attribute(&mut self, element: u32, name: &str) -> anyhow::Result<String> {
        let all = self.expand(element).await?;
        Ok(all["attributes"][name].as_str().unwrap_or_default().to_owned())
    }

    /// Evaluates a script in the page; for the lab only, not counted.
    pub async fn evaluate(&mut self, expression: &str) -> anyhow::Result<Value> {
        let answer = match &mut self.way {
            MiniwobWay::Mcp(client) => {
                client.call("browser_evaluate", json!({ "expression": expression })).await?.0
            }
            MiniwobWay::Shell(session) => session.evaluate(expression).await?,
        };
        serde_json::from_str(&answer).context("browser_evaluate answered no JSON")
    }
}

/// Returns a click action.
pub fn click(element: u32) -> Value {
    json!({ "type": "click", "element": element })
}

/// Returns a fill action.
pub fn fill(element: u32, text: &str) -> Value {
    json!({ "type": "fill", "element": element, "text": text })
}
