//! An MCP client: starts the program and calls its tools.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rmcp::model::{CallToolRequestParams, ContentBlock};
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt};
use serde_json::Value;

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
        McpClient::begin(program, arguments, Stdio::inherit(), &[]).await
    }

    /// Starts the program with its standard error in a file.
    pub async fn start_with_log(
        program: &Path,
        arguments: &[&str],
        log: File,
        environment: &[(&str, &str)],
    ) -> anyhow::Result<McpClient> {
        McpClient::begin(program, arguments, log.into(), environment).await
    }

    async fn begin(
        program: &Path,
        arguments: &[&str],
        log: Stdio,
        environment: &[(&str, &str)],
    ) -> anyhow::Result<McpClient> {
        let mut command = tokio::process::Command::new(program);
        command.arg("mcp").args(arguments).envs(environment.iter().copied());
        McpClient::serve(command, log).await
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

    /// Returns the server's memory, in MiB.
    pub fn memory(&self) -> f64 {
        self.status_in_mib("VmRSS:")
    }

    /// Returns the most memory that the server had so far, in MiB.
    pub fn peak_memory(&self) -> f64 {
        self.status_in_mib("VmHWM:")
    }

    fn status_in_mib(&self, line: &str) -> f64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let value = status.lines().find_map(|text| text.strip_prefix(line)).unwrap_or("0");
        let kilobytes: f64 =
            value.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0.0);
        kilobytes / 1024.0
    }

    /// Returns the memory of the browser's processes in MiB, with shared parts divided among them.
    pub fn browser_memory(&self) -> f64 {
        let kilobytes = |pid: u32| -> f64 {
            let rollup =
                std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
            let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:")).unwrap_or("0");
            line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0.0)
        };
        self.family().into_iter().map(kilobytes).sum::<f64>() / 1024.0
    }

    /// Returns all descendants of the server's process.
    pub fn family(&self) -> Vec<u32> {
        family_of(self.pid)
    }

    pub async fn close(self) -> anyhow::Result<()> {
        self.service.cancel().await?;
        Ok(())
    }
}

/// Returns all descendants of a process.
pub fn family_of(ancestor: u32) -> Vec<u32> {
    let parents = processes();
    let below = |mut pid: u32| {
        while let Some((_, parent)) = parents.iter().find(|(child, _)| *child == pid) {
            if *parent == ancestor {
                return true;
            }
            pid = *parent;
        }
        false
    };
    parents.iter().map(|(pid, _)| *pid).filter(|pid| below(*pid)).collect()
}

/// Returns all processes, each with its parent.
fn processes() -> Vec<(u32, u32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let status = std::fs::read_to_string(entry.path().join("status")).ok()?;
            let parent =
                status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()?;
            Some((pid, parent))
        })
        .collect()
}
