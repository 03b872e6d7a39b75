//! A running tool: visits pages, clicks the button, and checks that the answers show the page and
//! the effect, so that only calls are compared that end with the same knowledge.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::install::PeerFiles;
use super::processes;
use super::tools::{BUTTON, Peer, ToolCall};
use crate::mcp::McpClient;
use crate::options::run_file;

/// How long a call may take.
const LIMIT: Duration = Duration::from_secs(60);

/// The line of the page after the button was clicked once.
const EFFECT: &str = "clicked 1";

/// A tool's server with its browser.
pub struct RunningPeer {
    pub peer: Peer,
    client: McpClient,
    /// The mark of its processes. It ends with a dot, so that no other mark starts like it.
    pub mark: String,
    /// From the start of the process to the list of tools.
    pub started: Duration,
    /// The list of tools, as JSON.
    pub tools: String,
    begun: Instant,
    home: tempfile::TempDir,
}

/// An answer and how long its calls took together.
pub struct TimedAnswer {
    pub took: Duration,
    pub text: String,
}

/// The result of a visit.
pub struct Visit {
    /// The calls up to the answer that shows the page.
    pub shown: TimedAnswer,
    /// The same and the full look, for tools that first answer with an outline.
    pub full: Option<TimedAnswer>,
    /// The reference of the button.
    pub button: String,
}

impl RunningPeer {
    /// Starts the server and asks for its tools. The browser starts with the first visit.
    pub async fn start(peer: Peer, files: &PeerFiles, mark: String) -> anyhow::Result<RunningPeer> {
        RunningPeer::start_with(peer, files, mark, &[]).await
    }

    /// Starts the server with further arguments.
    pub async fn start_with(
        peer: Peer,
        files: &PeerFiles,
        mark: String,
        arguments: &[&str],
    ) -> anyhow::Result<RunningPeer> {
        // The path is short, because sockets in it have a limit.
        let home = tempfile::tempdir()?;
        let mut command = peer.command(files, home.path())?;
        command.args(arguments).env(processes::MARK, &mark);
        let log = format!("peers-{}.log", peer.name().replace(['/', ' ', ',', '`'], "-"));
        let log = std::fs::File::create(run_file(&log)?)?;
        let begun = Instant::now();
        let started = async {
            let client = McpClient::serve(command, Stdio::from(log)).await?;
            let tools = client.tools().await?;
            anyhow::Ok((client, tools))
        };
        let (client, tools) = tokio::time::timeout(LIMIT, started).await.context("no start")??;
        let started = begun.elapsed();
        Ok(RunningPeer { peer, client, mark, started, tools, begun, home })
    }

    /// Goes to a page until an answer shows it.
    pub async fn visit(&self, url: &str) -> anyhow::Result<Visit> {
        let shown = self.run(&self.peer.visit(url)).await?;
        anyhow::ensure!(
            shown.text.contains(BUTTON),
            "the answer does not show the page: {}",
            beginning(&shown.text)
        );
        let full = match self.peer.full_look() {
            Some(look) => {
                let mut full = self.run(&[look]).await?;
                full.took += shown.took;
                Some(full)
            }
            None => None,
        };
        let seen = full.as_ref().unwrap_or(&shown);
        let button = self.peer.control(&seen.text, BUTTON);
        let button = button.with_context(|| format!("no button in {}", beginning(&seen.text)))?;
        Ok(Visit { shown, full, button })
    }

    /// Clicks the button of a page that was just loaded, until an answer shows the changed line.
    pub async fn click(&self, button: &str) -> anyhow::Result<TimedAnswer> {
        let answer = self.run(&self.peer.click(button)).await?;
        anyhow::ensure!(
            answer.text.contains(EFFECT),
            "the answer does not show the effect: {}",
            beginning(&answer.text)
        );
        Ok(answer)
    }

    /// Returns the process of the server.
    pub fn pid(&self) -> u32 {
        self.client.pid
    }

    /// Returns the time since the process was started.
    pub fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Ends the server. Returns how many of its processes did not end and were killed.
    pub async fn close(self) -> usize {
        if let Some(close) = self.peer.close() {
            // What a failure leaves running is counted below.
            let _ = self.run(&[close]).await;
        }
        let _ = tokio::time::timeout(LIMIT, self.client.close()).await;
        processes::end(&self.mark).await
    }

    /// Runs calls one after the other; returns the last answer and the time of all.
    pub async fn run(&self, calls: &[ToolCall]) -> anyhow::Result<TimedAnswer> {
        let mut answer = TimedAnswer { took: Duration::ZERO, text: String::new() };
        for ToolCall { tool, arguments } in calls {
            let asked = tokio::time::timeout(LIMIT, self.client.ask(tool, arguments.clone()));
            let reply = asked
                .await
                .with_context(|| format!("{tool}: no answer within {} s", LIMIT.as_secs()))??;
            anyhow::ensure!(!reply.failed, "{tool}: {}", beginning(&reply.text));
            answer.took += reply.took;
            answer.text = reply.text;
        }
        let begun = Instant::now();
        if let Some(file) = self.peer.file(&answer.text) {
            answer.text = std::fs::read_to_string(self.home.path().join(file))?;
            answer.took += begun.elapsed();
        }
        Ok(answer)
    }
}

/// Returns the beginning of a text, on one line.
pub fn beginning(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(200).collect()
}
