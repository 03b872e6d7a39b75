//! `cargo xtask drivers`: the server over WebDriver endpoints, as they run on other machines:
//! geckodriver (built from crates.io) for Firefox, chromedriver for Chromium. Each must answer as a
//! browser of our own does, and end its browser when we go.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use axum::Router;
use axum::response::Html;
use axum::routing::get;
use serde_json::json;

use crate::mcp::{McpClient, family_of};

/// A page that asks before it is left, once its button was clicked.
const ASKING: &str = "data:text/html,<title>Asking</title><button onclick=\"onbeforeunload = (e) => e.preventDefault()\">Arm</button>";
/// The version of geckodriver that is built.
const GECKODRIVER: &str = "geckodriver@0.37.1";
/// How long a driver may take to listen, and to end its browser.
const LIMIT: Duration = Duration::from_secs(15);

/// What is asked for.
#[derive(clap::Args)]
pub struct DriversArgs {
    /// A program that is built already
    #[arg(long)]
    program: Option<PathBuf>,
}

/// A driver that is ended with us.
struct RunningDriver(std::process::Child);

impl Drop for RunningDriver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs both.
pub async fn run(args: DriversArgs) -> anyhow::Result<()> {
    let program = match args.program {
        Some(program) => program,
        None => crate::release_program()?,
    };
    let page = std::fs::read_to_string(crate::root().join("tests/fixtures/dashboard.html"))?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/dashboard.html", listener.local_addr()?);
    let app = Router::new().route("/dashboard.html", get(move || async move { Html(page) }));
    tokio::spawn(async move { axum::serve(listener, app).await });
    for (browser, driver) in [("firefox", geckodriver()?), ("chromium", chromedriver()?)] {
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
            "{browser} over its driver answers otherwise:\n{own}\n---\n{driven}"
        );
        println!(
            "{browser} over {}: the same answers, its browser ended ({:?})",
            driver.display(),
            began.elapsed()
        );
    }
    Ok(())
}

/// Looks at a page, uses it, and goes; answers with all that was said. `driver`: must have no
/// browser left afterwards.
async fn visit(client: McpClient, url: &str, driver: Option<u32>) -> anyhow::Result<String> {
    let mut said = String::new();
    let mut tell = |text: String| said.push_str(&text);
    tell(client.call("browser_navigate", json!({"url": url})).await?.0);
    let outline = client.call("inspect_tab", json!({})).await?.0;
    let number = |name: &str| number_in(&outline, name);
    let click = |element: u32| json!({"actions": [{"type": "click", "element": element}]});
    tell(client.call("browser_interact", click(number("New Project")?)).await?.0);
    let fill = json!({"actions": [{"type": "fill", "element": number("Search projects")?, "text": "Mercury"}]});
    tell(client.call("browser_interact", fill).await?.0);
    let reply = client.ask("browser_interact", click(number("Delete")?)).await?;
    tell(reply.text);
    let answer = json!({"actions": [{"type": "dialog", "accept": true}]});
    tell(client.call("browser_interact", answer).await?.0);
    tell(client.call("inspect_tab", json!({})).await?.0);
    // The tab is as large as was asked for.
    tell(client.call("get_page_info", json!({})).await?.0);
    let fingerprint = client.call("get_dom_fingerprint", json!({})).await?.0;
    let picture = client.ask("take_screenshot", json!({})).await?;
    anyhow::ensure!(!picture.failed, "no picture: {}", picture.text);
    // A page that asks is not left without an answer, and the tab is ours to close.
    tell(client.call("browser_navigate", json!({"url": ASKING})).await?.0);
    let asking = client.call("inspect_tab", json!({})).await?.0;
    tell(client.call("browser_interact", click(number_in(&asking, "Arm")?)).await?.0);
    let held = client.ask("browser_navigate", json!({"url": url})).await?.text;
    anyhow::ensure!(held.contains("dialog open (beforeunload)"), "the page was left: {held}");
    let answer = json!({"actions": [{"type": "dialog", "accept": true}]});
    client.call("browser_interact", answer).await?;
    tell(client.call("browser_tabs", json!({"action": "close", "tab": "t1"})).await?.0);
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

/// The number in front of what is called so.
fn number_in(outline: &str, name: &str) -> anyhow::Result<u32> {
    let line = outline
        .lines()
        .find(|line| line.contains(&format!(": {name}")))
        .with_context(|| format!("no {name}"))?;
    let number = line.trim().trim_start_matches('[').split(']').next().unwrap_or_default();
    Ok(number.parse()?)
}

/// Without what differs from run to run: milliseconds, and the number of the tab.
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

fn geckodriver() -> anyhow::Result<PathBuf> {
    let folder = crate::root().join("target/drivers");
    let driver = folder.join("bin/geckodriver");
    if !driver.exists() {
        let built = Command::new("cargo")
            .args(["install", GECKODRIVER, "--locked", "--root"])
            .arg(&folder)
            .status()?;
        anyhow::ensure!(built.success(), "geckodriver was not built");
    }
    Ok(driver)
}

fn chromedriver() -> anyhow::Result<PathBuf> {
    let found = |driver: &str| {
        Command::new(driver).arg("--version").output().is_ok_and(|out| out.status.success())
    };
    if !found("chromedriver") {
        let _ = Command::new("apt-get").args(["install", "-y", "chromium-driver"]).status();
    }
    anyhow::ensure!(
        found("chromedriver"),
        "chromedriver is missing; install it (Debian: apt-get install chromium-driver)"
    );
    Ok("chromedriver".into())
}
