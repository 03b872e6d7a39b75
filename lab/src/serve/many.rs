//! Many workspaces with a page each: memory of the process and of the browser, and how long
//! creating, looking at and closing one takes.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::http::{Protocol, ServeProcess};
use crate::mcp::family_of;
use crate::options::repository;
use crate::pages;

/// How many workspaces are opened; Firefox opens a window for each tab.
const CHROMIUM: usize = 100;
const FIREFOX: usize = 20;
/// How often the start of `pagesight mcp` is measured.
const STARTS: usize = 20;

/// Opens the workspaces and prints the figures.
pub async fn run(program: &Path, browser: &str) -> anyhow::Result<()> {
    let count = if browser == "firefox" { FIREFOX } else { CHROMIUM };
    let site = pages::serve(repository().join("tests/fixtures")).await?;
    let url = format!("{site}/dashboard.html");
    let folder = tempfile::tempdir()?;
    let mut process = ServeProcess::start(program, folder.path(), &["--browser", browser]).await?;
    let empty = resident(process.pid());
    let mut clients = Vec::new();
    let (mut created, mut looked) = (Vec::new(), Vec::new());
    for number in 0..count {
        let mut client = process.client(&format!("/mcp/w{number}"), Protocol::Stateless);
        let begun = Instant::now();
        client.call("browser_navigate", json!({"url": url, "max_tokens": 0})).await?;
        created.push(begun.elapsed());
        clients.push(client);
    }
    let full = resident(process.pid());
    let whole: f64 = family_of(process.pid()).into_iter().map(proportional).sum();
    for client in &mut clients {
        let begun = Instant::now();
        client.call("inspect_tab", json!({})).await?;
        looked.push(begun.elapsed());
    }
    let looked_at = resident(process.pid());
    let mut closed = Vec::new();
    for number in 0..count {
        let begun = Instant::now();
        let ended = tokio::process::Command::new(program)
            .args(["close", "-s", &format!("w{number}")])
            .env("XDG_RUNTIME_DIR", folder.path())
            .output()
            .await?;
        anyhow::ensure!(ended.status.success(), "w{number} was not closed");
        closed.push(begun.elapsed());
    }
    println!("| {count} workspaces in {browser} | |\n|---|---|");
    println!(
        "| our process: empty / all open / all looked at | {empty:.0} / {full:.0} / {looked_at:.0} MiB |"
    );
    println!("| the browser, all open | {whole:.0} MiB |");
    println!("| create and navigate, median / slowest | {} |", shown(&mut created));
    println!("| first look, median / slowest | {} |", shown(&mut looked));
    println!("| close, with starting the command, median / slowest | {} |", shown(&mut closed));
    process.kill().await;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        starts.push(start_up(program).await?);
    }
    println!(
        "| `pagesight mcp`: from start to the answer of initialize, median / slowest | {} |",
        shown(&mut starts)
    );
    Ok(())
}

/// Measures from the start of `pagesight mcp` to its first answer.
async fn start_up(program: &Path) -> anyhow::Result<Duration> {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    let info = json!({"name": "lab", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let begun = Instant::now();
    let mut child = tokio::process::Command::new(program)
        .arg("mcp")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        anyhow::bail!("no pipes");
    };
    input.write_all(format!("{request}\n").as_bytes()).await?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).await?;
    let took = begun.elapsed();
    anyhow::ensure!(line.contains("serverInfo"), "{line}");
    child.kill().await?;
    Ok(took)
}

fn shown(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let ms = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    format!("{:.1} / {:.1} ms", ms(times.get(times.len() / 2)), ms(times.last()))
}

/// The memory of a process in MiB.
fn resident(pid: u32) -> f64 {
    field(&format!("/proc/{pid}/status"), "VmRSS:")
}

/// The memory of a process in MiB, with shared parts divided among the processes.
fn proportional(pid: u32) -> f64 {
    field(&format!("/proc/{pid}/smaps_rollup"), "Pss:")
}

fn field(path: &str, name: &str) -> f64 {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("0");
    let kilobytes = line.split_whitespace().next().and_then(|number| number.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
