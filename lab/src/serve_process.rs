//! A running `pagesight serve`, and calls to it over HTTP that are written by hand.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// How long an answer may take.
const ANSWER_LIMIT: Duration = Duration::from_secs(70);
const VERSION: &str = "2026-07-28";

/// A running `pagesight serve`, which ends when this is dropped.
pub struct ServeProcess {
    child: Child,
    pub address: String,
    pub token: String,
}

impl ServeProcess {
    /// Starts it with its socket and settings in a folder.
    pub async fn start(program: &Path, folder: &Path, arguments: &[&str]) -> anyhow::Result<Self> {
        let mut child = Command::new(program)
            .arg("serve")
            .args(arguments)
            .env("XDG_RUNTIME_DIR", folder)
            .env("XDG_STATE_HOME", folder.join("state"))
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let mut lines = BufReader::new(child.stderr.take().context("standard error")?).lines();
        let first = lines.next_line().await?.unwrap_or_default();
        let address = first
            .strip_prefix("listening on http://")
            .and_then(|rest| rest.strip_suffix("/mcp"))
            .with_context(|| format!("it did not start: {first}"))?
            .to_owned();
        // Nobody reads what it reports later, but it must be able to write it.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let kept = std::fs::read(folder.join("state/pagesight/serve.json"))?;
        let kept: Value = serde_json::from_slice(&kept)?;
        let token = kept["token"].as_str().context("a token")?.to_owned();
        Ok(ServeProcess { child, address, token })
    }

    pub fn pid(&self) -> u32 {
        self.child.id().unwrap_or_default()
    }

    /// Calls a tool in a workspace with the stateless protocol.
    pub async fn call(&self, path: &str, tool: &str, arguments: Value) -> anyhow::Result<String> {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientInfo": {"name": "lab", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let body = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\nconnection: close\r\ncontent-length: {}\r\n\
             mcp-protocol-version: {VERSION}\r\nmcp-method: tools/call\r\nmcp-name: {tool}\r\n",
            self.address,
            self.token,
            body.len()
        );
        let exchange = async {
            let mut stream = TcpStream::connect(&self.address).await?;
            stream.write_all(format!("{head}\r\n{body}").as_bytes()).await?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await?;
            anyhow::Ok(answer)
        };
        let answer = tokio::time::timeout(ANSWER_LIMIT, exchange).await.context("no answer")??;
        let result = answer.lines().find_map(|line| {
            let data = line.strip_prefix("data: ").unwrap_or(line);
            let read: Value = serde_json::from_str(data).ok()?;
            let blocks = read["result"]["content"].as_array()?.clone();
            let texts = blocks.iter().filter_map(|block| block["text"].as_str());
            Some(texts.collect::<Vec<_>>().join("\n"))
        });
        result.with_context(|| format!("{tool}: no result: {answer}"))
    }
}
