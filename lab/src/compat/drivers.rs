//! geckodriver and chromedriver start the browser: pagesight must give the same answers as in a
//! browser of its own, and the driver's browser must end with the session.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::json;
use tokio::process::{Child, Command};

use super::CompatArgs;
use crate::install::drivers::{chromedriver, geckodriver};
use crate::mcp::McpClient;
use crate::outline::ParsedOutline;
use crate::pages;
use crate::processes::{family_of, free_port, left_running};

pub const ITEMS: [&str; 2] = ["firefox", "chromium"];

/// A page that asks before it is left.
const ASKING: &str = "data:text/html,<title>Asking</title><button onclick=\"onbeforeunload = (e) => e.preventDefault()\">Arm</button>";
/// How long a driver may take to start, and its browser to end.
const LIMIT: Duration = Duration::from_secs(15);

/// Compares each driver's answers with those of a browser without a driver.
pub async fn run(args: &CompatArgs, browsers: &[&str]) -> anyhow::Result<Vec<String>> {
    let program = args.program()?;
    let url = format!("{}/dashboard.html", pages::fixtures().await?);
    let mut misses = Vec::new();
    for browser in browsers {
        let driver =
            if *browser == "firefox" { geckodriver().await? } else { chromedriver().await? };
        let began = Instant::now();
        let arguments = ["--browser", browser, "--viewport", "800x600"];
        let own = visit(McpClient::start(&program, &arguments).await?, &url, None).await?;
        let (running, endpoint) = start(browser, &driver).await?;
        let arguments = [arguments.as_slice(), &["--connect", &endpoint]].concat();
        let client = McpClient::start(&program, &arguments).await?;
        let driven = visit(client, &url, running.id()).await?;
        println!("{browser} over {}: {:?}", driver.display(), began.elapsed());
        if own != driven {
            misses.push(format!("{browser} gives different answers:\n{own}\n---\n{driven}"));
        }
    }
    Ok(misses)
}

/// Starts a driver; returns it with its address.
async fn start(browser: &str, driver: &PathBuf) -> anyhow::Result<(Child, String)> {
    let port = free_port()?;
    let mut command = Command::new(driver);
    command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
    if browser == "firefox" {
        command.arg(format!("--websocket-port={}", free_port()?));
    }
    let running = command.kill_on_drop(true).spawn();
    let running = running.with_context(|| format!("{} did not start", driver.display()))?;
    let listening = async {
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(LIMIT, listening).await.context("the driver does not listen")?;
    Ok((running, format!("http://127.0.0.1:{port}")))
}

/// Looks at a page, uses it and ends the server. Returns all answers as one text. The process
/// `driver` must have no child left afterwards.
async fn visit(client: McpClient, url: &str, driver: Option<u32>) -> anyhow::Result<String> {
    let mut said = String::new();
    let mut add = |text: String| said.push_str(&text);
    add(client.call("browser_navigate", json!({"url": url})).await?.0);
    let outline = client.call("inspect_tab", json!({})).await?.0;
    let read = ParsedOutline::read(&outline);
    let click = |element: u32| json!([{"type": "click", "element": element}]);
    let accept = json!([{"type": "dialog", "accept": true}]);
    add(client.act(click(read.number("button", "New Project")?)).await?.0);
    let field = read.number("textbox", "Search projects")?;
    add(client.act(json!([{"type": "fill", "element": field, "text": "Mercury"}])).await?.0);
    let delete = json!({"actions": click(read.number("button", "Delete")?)});
    add(client.ask("browser_interact", delete).await?.text);
    add(client.act(accept.clone()).await?.0);
    add(client.call("inspect_tab", json!({})).await?.0);
    // The tab is as large as was asked for.
    add(client.call("get_page_info", json!({})).await?.0);
    let fingerprint = client.call("get_dom_fingerprint", json!({})).await?.0;
    client.call("take_screenshot", json!({})).await?;
    // A page that asks is not left without an answer, and the tab is ours to close.
    add(client.call("browser_navigate", json!({"url": ASKING})).await?.0);
    add(client.act(click(client.look().await?.number("button", "Arm")?)).await?.0);
    let held = client.ask("browser_navigate", json!({"url": url})).await?.text;
    anyhow::ensure!(held.contains("dialog open (beforeunload)"), "the page was left: {held}");
    client.act(accept).await?;
    add(client.call("browser_tabs", json!({"action": "close", "tab": "t1"})).await?.0);
    let family = driver.map(family_of);
    client.close().await?;
    if let Some(family) = family {
        anyhow::ensure!(!family.is_empty(), "the driver has started nothing");
        let left = left_running(&family, LIMIT).await;
        anyhow::ensure!(left.is_empty(), "the driver's browser was left running");
    }
    anyhow::ensure!(fingerprint.contains("New Project"), "{outline}");
    Ok(format!("{outline}\n{}", without_times(&said)))
}

/// Returns the text without what differs from run to run: times and tab numbers.
fn without_times(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let number = word.trim_end_matches([',', '.', ')', ';']);
        if number.parse::<f64>().is_ok() { "N" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}
