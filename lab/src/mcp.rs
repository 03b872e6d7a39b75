//! An MCP client: starts the program and calls its tools.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context;
use rmcp::model::{CallToolRequestParams, ContentBlock};
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};

use crate::outline::ParsedOutline;
use crate::processes;

/// More tokens than an answer has.
pub const MOST_TOKENS: usize = 10_000_000;

/// A running server and the client connected to it.
pub struct McpClient {
    service: RunningService<RoleClient, ()>,
    pub pid: u32,
}

/// The answer of a tool.
pub struct ToolReply {
    pub text: String,
    /// Whether it is marked as an error.
    pub failed: bool,
    /// From the call to the answer.
    pub took: Duration,
}

impl McpClient {
    /// Starts the program and connects to it.
    pub async fn start(program: &Path, arguments: &[&str]) -> anyhow::Result<McpClient> {
        let mut command = tokio::process::Command::new(program);
        command.arg("mcp").args(arguments);
        McpClient::serve(command, Stdio::inherit()).await
    }

    /// Starts the program with its standard error in a file.
    pub async fn start_with_log(
        program: &Path,
        arguments: &[&str],
        log: File,
        environment: &[(&str, &str)],
    ) -> anyhow::Result<McpClient> {
        let mut command = tokio::process::Command::new(program);
        command.arg("mcp").args(arguments).envs(environment.iter().copied());
        McpClient::serve(command, log.into()).await
    }

    /// Starts any MCP server and connects to it.
    pub async fn serve(command: tokio::process::Command, log: Stdio) -> anyhow::Result<McpClient> {
        let (process, _) = TokioChildProcess::builder(command).stderr(log).spawn()?;
        let pid = process.id().unwrap_or_default();
        Ok(McpClient { service: ().serve(process).await?, pid })
    }

    /// The tool list as JSON.
    pub async fn tools(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(&self.service.list_all_tools().await?)?)
    }

    /// Calls a tool and returns its text and the time it took; an error of the tool is an error.
    pub async fn call(&self, tool: &str, arguments: Value) -> anyhow::Result<(String, Duration)> {
        let reply = self.ask(tool, arguments).await?;
        anyhow::ensure!(!reply.failed, "{tool}: {}", reply.text);
        Ok((reply.text, reply.took))
    }

    /// Calls a tool and returns its answer, also if that is an error.
    pub async fn ask(&self, tool: &str, arguments: Value) -> anyhow::Result<ToolReply> {
        let Value::Object(arguments) = arguments else { anyhow::bail!("arguments are an object") };
        let begun = Instant::now();
        let result = self
            .service
            .call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments))
            .await?;
        let took = begun.elapsed();
        let text: String = result
            .content
            .iter()
            .map(|block| match block {
                ContentBlock::Text(text) => text.text.as_str(),
                _ => "",
            })
            .collect();
        Ok(ToolReply { text, failed: result.is_error == Some(true), took })
    }

    /// Evaluates an expression in the page, which the server must allow.
    pub async fn evaluate(&self, expression: &str) -> anyhow::Result<Value> {
        let asked = json!({ "expression": expression, "max_tokens": MOST_TOKENS });
        let (text, _) = self.call("browser_evaluate", asked).await?;
        serde_json::from_str(&text).with_context(|| format!("no JSON: {text}"))
    }

    /// Opens a page without a look at it.
    pub async fn open(&self, url: &str) -> anyhow::Result<Duration> {
        let to = json!({ "url": url, "max_tokens": 0 });
        Ok(self.call("browser_navigate", to).await?.1)
    }

    /// Looks at the page.
    pub async fn look(&self) -> anyhow::Result<ParsedOutline> {
        Ok(ParsedOutline::read(&self.call("inspect_tab", json!({})).await?.0))
    }

    /// Does actions; one that fails is an error.
    pub async fn act(&self, actions: Value) -> anyhow::Result<(String, Duration)> {
        self.call("browser_interact", json!({ "actions": actions })).await
    }

    /// Returns the server's memory, in MiB.
    pub fn memory(&self) -> f64 {
        processes::resident(self.pid)
    }

    /// Returns the most memory that the server had so far, in MiB.
    pub fn peak_memory(&self) -> f64 {
        processes::peak(self.pid)
    }

    /// Returns the memory of the browser's processes, in MiB.
    pub fn browser_memory(&self) -> f64 {
        self.family().into_iter().map(processes::proportional).sum()
    }

    /// Returns all descendants of the server's process.
    pub fn family(&self) -> Vec<u32> {
        processes::family_of(self.pid)
    }

    pub async fn close(self) -> anyhow::Result<()> {
        self.service.cancel().await?;
        Ok(())
    }
}
