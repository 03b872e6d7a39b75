//! Many workspaces of one `pagesight serve`: memory, and the time of each step. One page in each
//! workspace, opened one after the other.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::mcp::McpClient;
use crate::pages;
use crate::processes::{family_of, proportional, resident};
use crate::report::{median, ms, quantile, table};
use crate::serve_process::ServeProcess;

/// How often `pagesight mcp` is started.
const STARTS: usize = 20;

/// Opens the workspaces, looks at them and closes them; prints the table.
pub async fn run(program: &Path, browser: &str, count: usize) -> anyhow::Result<()> {
    let url = format!("{}/dashboard.html", pages::fixtures().await?);
    let folder = tempfile::tempdir()?;
    let process = ServeProcess::start(program, folder.path(), &["--browser", browser]).await?;
    let empty = resident(process.pid());
    let (mut created, mut looked, mut closed) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..count {
        let begun = Instant::now();
        let to = json!({"url": url, "max_tokens": 0});
        process.call(&format!("/mcp/w{number}"), "browser_navigate", to).await?;
        created.push(begun.elapsed());
    }
    let full = resident(process.pid());
    let whole: f64 = family_of(process.pid()).into_iter().map(proportional).sum();
    for number in 0..count {
        let begun = Instant::now();
        process.call(&format!("/mcp/w{number}"), "inspect_tab", json!({})).await?;
        looked.push(begun.elapsed());
    }
    let looked_at = resident(process.pid());
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
    drop(process);
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let begun = Instant::now();
        let client = McpClient::start(program, &[]).await?;
        starts.push(begun.elapsed());
        client.close().await?;
    }
    table(&format!("{count} workspaces in {browser} | "));
    println!(
        "| our process: empty / all open / all looked at | {empty:.0} / {full:.0} / {looked_at:.0} MiB |"
    );
    println!("| the browser, all open | {whole:.0} MiB |");
    println!("| create and navigate, median / slowest | {} |", shown(&created));
    println!("| first look, median / slowest | {} |", shown(&looked));
    println!("| close, with starting the command, median / slowest | {} |", shown(&closed));
    println!(
        "| `pagesight mcp`: from start to initialized, median / slowest | {} |",
        shown(&starts)
    );
    Ok(())
}

fn shown(times: &[Duration]) -> String {
    format!("{:.1} / {:.1} ms", ms(median(times)), ms(quantile(times, 1.0)))
}
