//! A running `pagesight serve`, and clients of both protocol versions. The requests are written by
//! hand, so that nothing of the product's own stack judges it.

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

pub struct ServeProcess {
    child: Child,
    pub address: String,
    token: String,
}

impl ServeProcess {
    /// Starts the process with its own folders below `folder`.
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
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let kept = std::fs::read(folder.join("state/pagesight/serve.json"))?;
        let kept: Value = serde_json::from_slice(&kept)?;
        let token = kept["token"].as_str().context("a token")?.to_owned();
        Ok(ServeProcess { child, address, token })
    }

    /// The id of the process.
    pub fn pid(&self) -> u32 {
        self.child.id().unwrap_or_default()
    }

    /// The token that clients must send.
    pub fn token(&self) -> &str {
        &self.token
    }

    pub async fn kill(&mut self) {
        let _ = self.child.kill().await;
    }

    /// Returns a client that knows the address and the token.
    pub fn client(&self, path: &str, protocol: Protocol) -> HttpClient {
        HttpClient {
            address: self.address.clone(),
            token: self.token.clone(),
            path: path.to_owned(),
            protocol,
            session: None,
        }
    }
}

/// A version of the protocol.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Sessions,
    Stateless,
}

pub struct HttpClient {
    address: String,
    token: String,
    path: String,
    protocol: Protocol,
    session: Option<String>,
}

impl HttpClient {
    /// Calls a tool and returns its text; an error of the tool is text, too. A session that is gone
    /// is opened again with the next call.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> anyhow::Result<String> {
        if self.protocol == Protocol::Sessions && self.session.is_none() {
            self.initialize().await?;
        }
        let mut params = json!({"name": tool, "arguments": arguments});
        let mut headers = Vec::new();
        match (&self.session, self.protocol) {
            (Some(session), _) => {
                headers.push(("mcp-session-id", session.clone()));
                headers.push(("mcp-protocol-version", "2025-11-25".to_owned()));
            }
            (None, _) => {
                params["_meta"] = json!({
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientInfo": {"name": "lab", "version": "1"},
                    "io.modelcontextprotocol/clientCapabilities": {},
                });
                headers.push(("mcp-protocol-version", "2026-07-28".to_owned()));
                headers.push(("mcp-method", "tools/call".to_owned()));
                headers.push(("mcp-name", tool.to_owned()));
            }
        }
        let body = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        let answer = self.post(&headers, &body).await?;
        if answer.starts_with("HTTP/1.1 404") {
            self.session = None;
            anyhow::bail!("the session is gone");
        }
        let result = answer.lines().find_map(|line| {
            let data = line.strip_prefix("data: ").unwrap_or(line);
            let read: Value = serde_json::from_str(data).ok()?;
            let blocks = read["result"]["content"].as_array()?.clone();
            let texts = blocks.iter().filter_map(|block| block["text"].as_str());
            Some(texts.collect::<Vec<_>>().join("\n"))
        });
        result.with_context(|| format!("no result: {}", answer.lines().next().unwrap_or_default()))
    }

    async fn initialize(&mut self) -> anyhow::Result<()> {
        let info = json!({"name": "lab", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let answer = self.post(&[], &body).await?;
        let session = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        let session = session.context("no session id")?.trim().to_owned();
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.post(&[("mcp-session-id", session.clone())], &done).await?;
        self.session = Some(session);
        Ok(())
    }

    async fn post(&self, headers: &[(&str, String)], body: &Value) -> anyhow::Result<String> {
        let body = body.to_string();
        let mut head = format!(
            "POST {} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close\r\ncontent-length: {}\r\n",
            self.path,
            self.address,
            self.token,
            body.len()
        );
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let exchange = async {
            let mut stream = TcpStream::connect(&self.address).await?;
            stream.write_all(format!("{head}\r\n{body}").as_bytes()).await?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await?;
            anyhow::Ok(String::from_utf8_lossy(&answer).into_owned())
        };
        tokio::time::timeout(ANSWER_LIMIT, exchange).await.context("no answer in time")?
    }
}
