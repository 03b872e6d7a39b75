//! Runs the plan of one page: finds the elements in the outline, does the actions through the MCP
//! server in one call, and then reads the page's own list, which an agent cannot do.

use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};

use super::claims::read;
use super::judge::{DiffVerdict, TruthEntry, judge};
use crate::mcp::McpClient;
use crate::outline::{OutlineLine, ParsedOutline};
use crate::product::count_tokens;

/// How long changes after the reply are waited for; such changes were missed.
const AFTERWARDS: Duration = Duration::from_millis(200);

/// The result of one call.
pub struct DiffRun {
    pub verdict: DiffVerdict,
    /// Of the block of changes.
    pub tokens: usize,
    /// Of the whole reply.
    pub reply_tokens: usize,
    pub took: Duration,
    pub reply: String,
}

impl DiffRun {
    /// A failed run counts as one change that was not reported.
    pub fn failed(error: anyhow::Error) -> DiffRun {
        let verdict = DiffVerdict {
            weight: 1.0,
            faults: vec![format!("failed: {error:#}")],
            ..DiffVerdict::default()
        };
        DiffRun { verdict, tokens: 0, reply_tokens: 0, took: Duration::ZERO, reply: String::new() }
    }
}

/// Looks at the whole page, unfolded.
pub async fn look(client: &McpClient) -> anyhow::Result<ParsedOutline> {
    let (outline, _) =
        client.call("inspect_tab", json!({ "fold": false, "max_tokens": 200_000 })).await?;
    Ok(ParsedOutline::read(&outline))
}

/// Opens a page and runs its plan.
pub async fn play(client: &McpClient, url: &str) -> anyhow::Result<DiffRun> {
    client.call("browser_navigate", json!({ "url": url })).await?;
    let plan = client.evaluate("({ plan: window.plan, rest: window.rest ?? 0 })").await?;
    let sight = look(client).await?;
    tokio::time::sleep(Duration::from_millis(plan["rest"].as_u64().unwrap_or(0))).await;
    act(client, &sight, plan["plan"].as_array().context("the page has no plan")?).await
}

/// Does the actions, and judges the diff in the reply.
pub async fn act(
    client: &McpClient,
    sight: &ParsedOutline,
    plan: &[Value],
) -> anyhow::Result<DiffRun> {
    let actions = plan
        .iter()
        .map(|action| resolved(sight, action))
        .collect::<anyhow::Result<Vec<Value>>>()?;
    client.evaluate("window.truth.length = 0").await?;
    let reply = client.ask("browser_interact", json!({ "actions": actions })).await?;
    tokio::time::sleep(AFTERWARDS).await;
    let truth: Vec<TruthEntry> = serde_json::from_value(client.evaluate("window.truth").await?)?;
    anyhow::ensure!(!reply.failed, "{}", reply.text);
    let reported = read(&reply.text);
    let mut verdict = judge(&reported, &truth);
    verdict.faults.extend(reported.refused.clone());
    Ok(DiffRun {
        verdict,
        tokens: count_tokens(&reported.block),
        reply_tokens: count_tokens(&reply.text),
        took: reply.took,
        reply: reply.text,
    })
}

/// The action with the number of what it names: `on`, `from`, `to` are role and name.
fn resolved(sight: &ParsedOutline, action: &Value) -> anyhow::Result<Value> {
    let mut resolved = action.clone();
    for (key, field) in [("on", "element"), ("from", "from"), ("to", "to")] {
        if let Some([role, name]) = action[key].as_array().map(Vec::as_slice) {
            let (role, name) =
                (role.as_str().unwrap_or_default(), name.as_str().unwrap_or_default());
            let fits = |line: &&OutlineLine| {
                // `treeitem 2`: the level follows the role. `News (10)`: the count follows the
                // name. `*` is any role, or none.
                let named = |text: &str| {
                    text == name
                        || text.strip_prefix(name).is_some_and(|rest| rest.starts_with(" ("))
                };
                let roled = role == "*" || line.role.split(' ').next() == Some(role);
                line.number.is_some()
                    && roled
                    && (named(&line.name) || role == "*" && named(&line.role))
            };
            let line = sight.lines.iter().find(fits);
            let line = line.with_context(|| format!("no {role} {name:?} is listed"))?;
            resolved[field] = json!(line.number()?);
        }
    }
    if let Some(action) = resolved.as_object_mut() {
        action.remove("on");
    }
    Ok(resolved)
}
