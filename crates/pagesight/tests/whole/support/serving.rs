//! A running `pagesight serve`, and requests to it that are written by hand.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use super::outside_ci;

/// How long an answer may take.
pub const SERVE_LIMIT: Duration = Duration::from_secs(60);

/// A running `pagesight serve` with folders of its own.
pub struct Serving {
    pub process: Child,
    pub address: String,
    pub token: String,
    /// The folder of its socket and its settings, and of the commands that use it.
    pub folder: tempfile::TempDir,
}

/// Returns the program with runtime and state folders that no other test uses.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::from(outside_ci());
    command.env("XDG_RUNTIME_DIR", folder).env("XDG_STATE_HOME", folder.join("state"));
    command.env_remove("PAGESIGHT_SESSION").kill_on_drop(true).current_dir(folder);
    command
}

impl Serving {
    pub async fn start(arguments: &[&str]) -> Serving {
        Serving::start_in(tempfile::tempdir().unwrap(), arguments).await
    }

    /// Starts it with the settings of an earlier start.
    pub async fn start_in(folder: tempfile::TempDir, arguments: &[&str]) -> Serving {
        let mut command = command(folder.path());
        command.arg("serve").args(arguments);
        let mut process = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let first =
            tokio::time::timeout(SERVE_LIMIT, lines.next_line()).await.unwrap().unwrap().unwrap();
        let address =
            first.strip_prefix("listening on http://").unwrap_or_else(|| panic!("{first}"));
        let address = address.trim_end_matches("/mcp").to_owned();
        let kept = std::fs::read(folder.path().join("state/pagesight/serve.json")).unwrap();
        let kept: Value = serde_json::from_slice(&kept).unwrap();
        let token = kept["token"].as_str().unwrap().to_owned();
        Serving { process, address, token, folder }
    }

    /// Sends a request with these headers, besides those that every client sends.
    pub async fn send(&self, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        self.send_as("POST", path, headers, body).await
    }

    async fn send_as(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response {
        let sending = async {
            let mut stream = TcpStream::connect(&self.address).await.unwrap();
            let mut head =
                format!("{method} {path} HTTP/1.1\r\ncontent-length: {}\r\n", body.len());
            let names_host = headers.iter().any(|(name, _)| *name == "host");
            if !names_host {
                head += &format!("host: {}\r\n", self.address);
            }
            head += "content-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close\r\n";
            for (name, value) in headers {
                head += &format!("{name}: {value}\r\n");
            }
            stream.write_all(format!("{head}\r\n").as_bytes()).await.unwrap();
            // The server may refuse a large body before it is sent.
            let _ = stream.write_all(body.as_bytes()).await;
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer).await;
            Response(String::from_utf8_lossy(&answer).into_owned())
        };
        tokio::time::timeout(SERVE_LIMIT, sending).await.expect("an answer in time")
    }

    pub async fn authorized(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Response {
        let token = format!("Bearer {}", self.token);
        let mut all = vec![("authorization", token.as_str())];
        all.extend(headers);
        self.send(path, &all, &body.to_string()).await
    }

    /// Opens a protocol session and returns its id.
    pub async fn session(&self) -> String {
        let client = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let answer = self.authorized("/mcp", &[], &body).await;
        let id = answer.header("mcp-session-id");
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.authorized("/mcp", &[("mcp-session-id", &id)], &done).await.status(), 202);
        id
    }

    /// Calls a tool in a protocol session.
    pub async fn call(&self, session: &str, tool: &str, arguments: Value) -> String {
        self.respond(session, tool, arguments).await.text()
    }

    /// Calls a tool in a protocol session, and returns the answer with its status.
    pub async fn respond(&self, session: &str, tool: &str, arguments: Value) -> Response {
        let params = json!({"name": tool, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        let version = ("mcp-protocol-version", "2025-11-25");
        self.authorized("/mcp", &[("mcp-session-id", session), version], &body).await
    }

    /// Ends a protocol session, and returns the status.
    pub async fn delete(&self, session: &str) -> u16 {
        let token = format!("Bearer {}", self.token);
        let headers = [("authorization", token.as_str()), ("mcp-session-id", session)];
        self.send_as("DELETE", "/mcp", &headers, "").await.status()
    }

    /// Runs a shell command in its folder, and returns what it prints.
    pub async fn shell(&self, arguments: &[&str]) -> String {
        let output = command(self.folder.path()).args(arguments).output().await.unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Calls a tool with the stateless protocol.
    pub async fn call_stateless(&self, path: &str, tool: &str, arguments: Value) -> String {
        let (headers, body) = stateless(tool, arguments);
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.authorized(path, &headers, &body).await.text()
    }

    /// Sends a request and does not wait for the answer.
    pub async fn begin(&self, path: &str, headers: &[(&str, String)], body: &Value) -> TcpStream {
        let body = body.to_string();
        let mut head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close\r\ncontent-length: {}\r\n",
            self.address,
            self.token,
            body.len()
        );
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).await.unwrap();
        stream
    }

    pub async fn end(mut self) {
        self.process.start_kill().unwrap();
        self.process.wait().await.unwrap();
    }
}

/// Returns the headers and the body of a call with the stateless protocol.
pub fn stateless(tool: &str, arguments: Value) -> (Vec<(&'static str, String)>, Value) {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
    let headers = vec![
        ("mcp-protocol-version", "2026-07-28".to_owned()),
        ("mcp-method", "tools/call".to_owned()),
        ("mcp-name", tool.to_owned()),
    ];
    (headers, body)
}

/// An answer, with its head.
pub struct Response(pub String);

impl Response {
    pub fn status(&self) -> u16 {
        self.0.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> String {
        let line = self.0.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:")));
        line.unwrap_or_else(|| panic!("no {name} in {}", self.0))[name.len() + 1..]
            .trim()
            .to_owned()
    }

    /// Returns the text of a tool's answer.
    pub fn text(&self) -> String {
        let result = self.0.lines().find_map(|line| {
            let json = line.strip_prefix("data: ").unwrap_or(line);
            let read: Value = serde_json::from_str(json).ok()?;
            let blocks = read["result"]["content"].as_array()?;
            let texts = blocks.iter().filter_map(|block| block["text"].as_str());
            Some(texts.collect::<Vec<_>>().join("\n"))
        });
        result.unwrap_or_else(|| panic!("no result in {}", self.0))
    }
}
