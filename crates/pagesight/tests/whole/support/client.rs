//! A real MCP client, connected to the real program over standard input and output.
//!
//! Starting a browser for each test is slow. Tests that do not need their own browser share
//! programs: [`Client::shared`] takes a program that no other test uses at the moment and gives the
//! test a new tab in it.

use std::path::Path;
use std::process::Stdio;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use pagesight_browser::lock;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ContentBlock, Tool};
use rmcp::service::{PeerRequestOptions, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::reply::{Reply, verdicts_end};
use super::{engine, outside_ci, program};

/// Programs outlive the test that started them, so their connections do not belong to its runtime.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
});

/// The shared programs that no test uses at the moment, with their arguments.
static IDLE: Mutex<Vec<(Vec<String>, Connection)>> = Mutex::new(Vec::new());

struct Connection {
    service: RunningService<RoleClient, ()>,
    pid: u32,
}

impl Connection {
    async fn start(mut command: tokio::process::Command) -> Connection {
        let started = RUNTIME.spawn(async move {
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let process = TokioChildProcess::new(command).unwrap();
            let pid = process.id().unwrap();
            Connection { service: ().serve(process).await.unwrap(), pid }
        });
        started.await.unwrap()
    }
}

/// A client of the program.
pub struct Client {
    /// `None` after it was closed.
    connection: Option<Connection>,
    /// The arguments of a shared program.
    shared: Option<Vec<String>>,
    pub pid: u32,
}

/// Returns the arguments that select the browser, unless the test selects one.
fn browser(arguments: &[&str]) -> Vec<String> {
    let said = arguments.iter().any(|argument| ["--browser", "--connect"].contains(argument));
    if said { Vec::new() } else { vec!["--browser".to_owned(), engine().name().to_lowercase()] }
}

fn command(arguments: &[&str]) -> tokio::process::Command {
    let mut command = tokio::process::Command::from(outside_ci());
    command.arg("mcp").args(browser(arguments)).args(arguments);
    command
}

impl Client {
    fn of(connection: Connection, shared: Option<Vec<String>>) -> Client {
        let pid = connection.pid;
        Client { connection: Some(connection), shared, pid }
    }

    /// Starts a program for this test only.
    pub async fn start(arguments: &[&str]) -> Client {
        Client::of(Connection::start(command(arguments)).await, None)
    }

    /// Starts a program in a folder, which also holds the user's data and browser profiles.
    pub async fn start_in(folder: &Path, arguments: &[&str]) -> Client {
        let mut command = command(arguments);
        command.current_dir(folder).env("XDG_DATA_HOME", folder);
        command.env("CHROME_CONFIG_HOME", folder).env("HOME", folder);
        Client::of(Connection::start(command).await, None)
    }

    /// Starts a program in a folder with variables in its environment. A file gets its log.
    pub async fn start_logged(
        folder: &Path,
        arguments: &[&str],
        environment: &[(&str, &str)],
        log: &Path,
    ) -> Client {
        // The client library connects the standard error of its programs to our own.
        let mut shell = tokio::process::Command::new("sh");
        shell.arg("-c").arg("log=$1; shift; exec \"$@\" 2>\"$log\"").arg("sh").arg(log);
        shell.arg(program()).arg("mcp").args(browser(arguments)).args(arguments);
        shell.current_dir(folder).env("XDG_DATA_HOME", folder);
        shell.envs(environment.iter().copied());
        Client::of(Connection::start(shell).await, None)
    }

    /// Returns a program that other tests may have used, with one new tab. It offers
    /// `browser_evaluate` too. The numbers of references and tabs continue from earlier tests. If
    /// the test fails, its program is not used again.
    pub async fn shared(arguments: &[&str]) -> Client {
        let mut key = browser(arguments);
        key.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        while let Some(connection) = take_idle(&key) {
            let client = Client::of(connection, Some(key.clone()));
            if client.clear().await {
                return client;
            }
            // The state that an earlier test left cannot be cleared.
            client.discard().await;
        }
        let mut command = command(arguments);
        command.arg("--allow-evaluate");
        Client::of(Connection::start(command).await, Some(key))
    }

    /// Opens a new tab and closes all others. Returns false if that failed.
    async fn clear(&self) -> bool {
        let tabs = self.call_once("browser_tabs", json!({ "action": "list" })).await;
        let opened = self.call_once("browser_tabs", json!({ "action": "new" })).await;
        let Some(new) = opened.text.strip_prefix("opened tab ").map(str::trim) else {
            return false;
        };
        let selected =
            self.call_once("browser_tabs", json!({ "action": "select", "tab": new })).await;
        let mut cleared = !tabs.is_error && !selected.is_error;
        for line in tabs.text.lines().filter(|line| line.starts_with('t')) {
            let old = line.split(' ').next().unwrap_or_default();
            let close = json!({ "action": "close", "tab": old });
            cleared &= !self.call_once("browser_tabs", close).await.is_error;
        }
        cleared
    }

    pub async fn tools(&self) -> Vec<Tool> {
        self.service().list_all_tools().await.unwrap()
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> Reply {
        let reply = self.call_once(tool, arguments.clone()).await;
        // On a busy machine a browser may be too slow to start. Nothing was done then, and the next
        // call starts a new one.
        let late = reply.is_error && reply.text.contains("did not start: it did not answer within");
        if late { self.call_once(tool, arguments).await } else { reply }
    }

    async fn call_once(&self, tool: &str, arguments: Value) -> Reply {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result =
            tokio::time::timeout(Duration::from_secs(70), self.service().call_tool(request)).await;
        let result = result.expect("nothing hangs").expect("the protocol works");
        let is_error = result.is_error == Some(true);
        let mut reply =
            Reply { text: String::new(), changes: String::new(), is_error, image: None };
        for block in result.content {
            match block {
                ContentBlock::Text(text) => reply.text.push_str(&text.text),
                ContentBlock::Image(image) => reply.image = Some(image.data),
                _ => {}
            }
        }
        if tool == "browser_interact" {
            reply.changes = reply.text.split_off(verdicts_end(&reply.text));
        }
        reply
    }

    /// Makes a call that must succeed.
    pub async fn ok(&self, tool: &str, arguments: Value) -> Reply {
        let reply = self.call(tool, arguments).await;
        assert!(!reply.is_error, "{tool}: {}", reply.text);
        reply
    }

    /// Makes a call that must fail, and returns its text.
    pub async fn fails(&self, tool: &str, arguments: Value) -> String {
        let reply = self.call(tool, arguments).await;
        assert!(reply.is_error, "{tool} should have failed: {}", reply.text);
        reply.text
    }

    /// Makes a call and cancels it when something has happened.
    pub async fn cancel_when(&self, tool: &str, arguments: Value, event: impl Future<Output = ()>) {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let options = PeerRequestOptions::default();
        let sent = self.service().send_cancellable_request(request, options).await.unwrap();
        event.await;
        sent.cancel(None).await.unwrap();
    }

    /// Ends the program and waits for it. A shared program is returned to the pool instead.
    pub async fn close(self) {
        if self.shared.is_none() {
            self.discard().await;
        }
    }

    async fn discard(mut self) {
        if let Some(connection) = self.connection.take() {
            connection.service.cancel().await.unwrap();
        }
    }

    fn service(&self) -> &RunningService<RoleClient, ()> {
        &self.connection.as_ref().expect("it is open until it is closed").service
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let (Some(connection), Some(key)) = (self.connection.take(), self.shared.take()) else {
            return;
        };
        if !std::thread::panicking() {
            lock(&IDLE).push((key, connection));
        }
    }
}

fn take_idle(key: &[String]) -> Option<Connection> {
    let mut idle = lock(&IDLE);
    let at = idle.iter().position(|(arguments, _)| arguments == key)?;
    Some(idle.remove(at).1)
}
