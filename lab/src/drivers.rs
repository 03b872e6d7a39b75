//! `cargo lab drivers`: the server connects to WebDriver servers, as it would on another machine:
//! geckodriver for Firefox, chromedriver for Chromium. The answers must be those of a browser that
//! pagesight started, and the driver must end its browser when the server ends.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use serde_json::json;

use crate::install::drivers::{chromedriver, geckodriver};
use crate::mcp::{McpClient, family_of};
use crate::options::{ProgramArgs, repository};
use crate::pages;

/// A page that asks before it is left, once its button was clicked.
const ASKING: &str = "data:text/html,<title>Asking</title><button onclick=\"onbeforeunload = (e) => e.preventDefault()\">Arm</button>";
/// How long a driver may take to listen, and to end its browser.
const LIMIT: Duration = Duration::from_secs(15);

/// Options of `cargo lab drivers`.
#[derive(Args)]
pub struct DriversArgs {
    #[command(flatten)]
    program: ProgramArgs,
}

/// A driver's process, which ends when this is dropped.
struct RunningDriver(std::process::Child);

impl Drop for RunningDriver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs both drivers; fails if answers differ or a browser keeps running.
pub async fn run(args: DriversArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let site = pages::serve(repository().join("tests/fixtures")).await?;
    let url = format!("{site}/dashboard.html");
    let drivers = [("firefox", geckodriver().await?), ("chromium", chromedriver().await?)];
    for (browser, driver) in drivers {
        let began = Instant::now();
        let arguments = ["--browser", browser, "--viewport", "800x600"];
        let own = visit(McpClient::start(&program, &arguments).await?, &url, None).await?;
        let port = free_port()?;
        let mut command = Command::new(&driver);
        command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
        if browser == "firefox" {
            command.arg(format!("--websocket-port={}", free_port()?));
        }
        let running = RunningDriver(
            command.spawn().with_context(|| format!("{} did not start", driver.display()))?,
        );
        let listening = async {
            while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(LIMIT, listening).await.context("the driver does not listen")?;
        let endpoint = format!("http://127.0.0.1:{port}");
        let arguments = [arguments.as_slice(), &["--connect", &endpoint]].concat();
        let client = McpClient::start(&program, &arguments).await?;
        let driven = visit(client, &url, Some(running.0.id())).await?;
        anyhow::ensure!(
            own == driven,
            "{browser} gives different answers over its driver:\n{own}\n---\n{driven}"
        );
        println!(
            "{browser} over {}: the same answers, its browser ended ({:?})",
            driver.display(),
            began.elapsed()
        );
    }
    Ok(())
}

/// Looks at a page, uses it and ends the server. Returns all answers as one text. The process
/// `driver` must have no child left afterwards.
async fn visit(client: McpClient, url: &str, driver: Option<u32>) -> anyhow::Result<String> {
    let mut said = String::new();
    let mut add = |text: String| said.push_str(&text);
    add(client.call("browser_navigate", json!({"url": url})).await?.0);
    let outline = client.call("inspect_tab", json!({})).await?.0;
    let number = |name: &str| number_in(&outline, name);
    let click = |element: u32| json!({"actions": [{"type": "click", "element": element}]});
    add(client.call("browser_interact", click(number("New Project")?)).await?.0);
    let fill = json!({"actions": [{"type": "fill", "element": number("Search projects")?, "text": "Mercury"}]});
    add(client.call("browser_interact", fill).await?.0);
    let reply = client.ask("browser_interact", click(number("Delete")?)).await?;
    add(reply.text);
    let answer = json!({"actions": [{"type": "dialog", "accept": true}]});
    add(client.call("browser_interact", answer).await?.0);
    add(client.call("inspect_tab", json!({})).await?.0);
    // The tab is as large as was asked for.
    add(client.call("get_page_info", json!({})).await?.0);
    let fingerprint = client.call("get_dom_fingerprint", json!({})).await?.0;
    let picture = client.ask("take_screenshot", json!({})).await?;
    anyhow::ensure!(!picture.failed, "no picture: {}", picture.text);
    // A page that asks is not left without an answer, and the tab is ours to close.
    add(client.call("browser_navigate", json!({"url": ASKING})).await?.0);
    let asking = client.call("inspect_tab", json!({})).await?.0;
    add(client.call("browser_interact", click(number_in(&asking, "Arm")?)).await?.0);
    let held = client.ask("browser_navigate", json!({"url": url})).await?.text;
    anyhow::ensure!(held.contains("dialog open (beforeunload)"), "the page was left: {held}");
    let answer = json!({"actions": [{"type": "dialog", "accept": true}]});
    client.call("browser_interact", answer).await?;
    add(client.call("browser_tabs", json!({"action": "close", "tab": "t1"})).await?.0);
    if let Some(driver) = driver {
        anyhow::ensure!(!family_of(driver).is_empty(), "the driver has started nothing");
    }
    client.close().await?;
    if let Some(driver) = driver {
        let began = Instant::now();
        while !family_of(driver).is_empty() {
            anyhow::ensure!(began.elapsed() < LIMIT, "the driver's browser was left running");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    anyhow::ensure!(
        outline.contains("New Project") && fingerprint.contains("New Project"),
        "{outline}"
    );
    Ok(format!("{outline}\n{}", without_times(&said)))
}

/// Returns the reference of the element of this name.
fn number_in(outline: &str, name: &str) -> anyhow::Result<u32> {
    let line = outline
        .lines()
        .find(|line| line.contains(&format!(": {name}")))
        .with_context(|| format!("no {name}"))?;
    let number = line.trim().trim_start_matches('[').split(']').next().unwrap_or_default();
    Ok(number.parse()?)
}

/// Returns the text without what differs from run to run: times and tab numbers.
fn without_times(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let number = word.trim_end_matches([',', '.', ')', ';']);
        if number.parse::<f64>().is_ok() { "N" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn free_port() -> anyhow::Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
