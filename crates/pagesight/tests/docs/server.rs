//! The MCP server of a page of the documentation, which uses the browser of the sessions.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use super::machine::{Machine, end_group};
use super::shell::LIMIT;

/// A server, and its answers as they come.
pub struct McpServer {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Value>,
    last: u64,
}

impl McpServer {
    /// Starts the server and greets it.
    pub fn start(machine: &Machine, folder: &Path) -> Result<McpServer, String> {
        let mut child = machine
            .command("pagesight", folder)
            .args(["mcp", "--shared"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (to, answers) = channel();
        let output = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = to.send(serde_json::from_str(&line).unwrap_or_default());
            }
        });
        let input = child.stdin.take().unwrap();
        let mut server = McpServer { child, input, answers, last: 0 };
        server.request(
            "initialize",
            &json!({
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "docs", "version": "0"},
            }),
        )?;
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(server)
    }

    /// Calls a tool, written as its name and its parameters, and returns the text of its answer.
    pub fn call(&mut self, call: &str) -> Result<String, String> {
        let (name, parameters) = call.split_once(' ').unwrap_or((call, "{}"));
        let parameters: Value = serde_json::from_str(parameters)
            .map_err(|error| format!("> {call}\nhas parameters that are not JSON: {error}"))?;
        let answer = self.request("tools/call", &json!({"name": name, "arguments": parameters}))?;
        let result = &answer["result"];
        let text = |content: &Value| match content["text"].as_str() {
            Some(text) => text.trim_end().to_owned() + "\n",
            None => format!("({})\n", content["mimeType"].as_str().unwrap_or_default()),
        };
        let contents = result["content"].as_array().into_iter().flatten();
        let text: String = contents.map(text).collect();
        match result["isError"].as_bool().unwrap_or_default() || text.is_empty() {
            true => Err(format!("> {call}\nfailed: {answer}")),
            false => Ok(text),
        }
    }

    fn request(&mut self, method: &str, parameters: &Value) -> Result<Value, String> {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}))?;
        loop {
            let answer = self.answers.recv_timeout(LIMIT);
            let answer = answer.map_err(|error| format!("{method} has no answer: {error}"))?;
            if answer["id"] == id {
                return Ok(answer);
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        writeln!(self.input, "{message}").map_err(|error| format!("the server ended: {error}"))
    }
}

impl Drop for McpServer {
    fn drop(&mut self) {
        end_group(&mut self.child);
    }
}
