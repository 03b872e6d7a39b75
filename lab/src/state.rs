//! `cargo lab state`: logs in to Django's admin site, saves the state and opens the site with it in
//! fresh browsers: pagesight in both engines and Playwright log in and save, and each of them loads
//! what each of them saved. Playwright uses the Chromium of this machine.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde::Deserialize;
use serde_json::json;
use tokio::process::Command;

use crate::install::apps::APPS;
use crate::install::packages::{self, Packages};
use crate::mcp::McpClient;
use crate::options::{ProgramArgs, repository, run_file};
use crate::outline::ParsedOutline;
use crate::product::{Engine, find_browser};

/// The title of the page that only an administrator sees.
const INSIDE: &str = "Site administration";
/// The theme that is chosen before the state is saved. The site keeps it in localStorage.
const THEME: &str = "dark";
/// The path that leads to the log-in page, unless one is logged in.
const PATH: &str = "/admin/";

/// Options of `cargo lab state`.
#[derive(Args)]
pub struct StateArgs {
    #[command(flatten)]
    program: ProgramArgs,
}

/// Who logs in, saves and loads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Driver {
    Chromium,
    Firefox,
    Playwright,
}

const DRIVERS: [Driver; 3] = [Driver::Chromium, Driver::Firefox, Driver::Playwright];

impl Driver {
    fn name(self) -> &'static str {
        match self {
            Driver::Chromium => "pagesight, Chromium",
            Driver::Firefox => "pagesight, Firefox",
            Driver::Playwright => "Playwright, Chromium",
        }
    }

    fn engine(self) -> &'static str {
        if self == Driver::Firefox { "firefox" } else { "chromium" }
    }
}

/// What is seen of the site.
#[derive(Debug, Deserialize)]
struct Seen {
    title: String,
    theme: Option<String>,
}

impl Seen {
    fn is_logged_in(&self) -> bool {
        self.title.contains(INSIDE)
    }
}

/// Runs all pairs; fails if one of them is not logged in.
pub async fn run(args: StateArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let app = APPS.iter().find(|app| app.name.starts_with("Django")).context("no Django")?;
    let apps = crate::install::folder()?;
    packages::install(&apps, &Packages::Python(&["playwright"])).await?;
    let mut running = app.start().await?;
    let folder = tempfile::tempdir()?;
    let run = StateRun {
        program,
        python: apps.join("venv/bin/python"),
        origin: running.address.clone(),
        folder: folder.path().to_owned(),
    };
    let outcome = run.all().await;
    running.end().await;
    let misses = outcome?;
    misses.iter().for_each(|miss| println!("MISS: {miss}"));
    anyhow::ensure!(misses.is_empty(), "{} misses", misses.len());
    Ok(())
}

struct StateRun {
    program: PathBuf,
    python: PathBuf,
    origin: String,
    folder: PathBuf,
}

impl StateRun {
    async fn all(&self) -> anyhow::Result<Vec<String>> {
        let mut misses = Vec::new();
        println!("| saved by | loaded by | logged in | theme |\n|---|---|---|---|");
        let mut row = |saved: &str, loaded: Driver, seen: &Seen, expected: bool| {
            let theme = seen.theme.as_deref().unwrap_or("none");
            let is_logged_in = seen.is_logged_in();
            let yes = if is_logged_in { "yes" } else { "no" };
            println!("| {saved} | {} | {yes} | {theme} |", loaded.name());
            if is_logged_in != expected || (theme == THEME) != expected {
                misses.push(format!("{saved}, loaded by {}: {seen:?}", loaded.name()));
            }
        };
        // Without a state nobody is logged in: the check can fail.
        for loaded in DRIVERS {
            row("nobody", loaded, &self.open(loaded, None).await?, false);
        }
        for saved in DRIVERS {
            let file = self.save(saved).await.context(saved.name())?;
            for loaded in DRIVERS {
                let seen = self.open(loaded, Some(&file)).await;
                let seen = seen.with_context(|| format!("{} → {}", saved.name(), loaded.name()))?;
                row(saved.name(), loaded, &seen, true);
            }
        }
        Ok(misses)
    }

    /// Logs in and saves the state; returns its file.
    async fn save(&self, driver: Driver) -> anyhow::Result<String> {
        let at = |name: String| self.folder.join(name).display().to_string();
        let number = DRIVERS.iter().position(|one| *one == driver).unwrap_or_default();
        let file = at(format!("state-{number}.json"));
        if driver == Driver::Playwright {
            let seen = self.playwright("login", Some(&file)).await?;
            anyhow::ensure!(seen.is_logged_in(), "Playwright did not log in: {seen:?}");
            return Ok(file);
        }
        let profile = at(format!("profile-{number}"));
        let arguments = ["--browser", driver.engine(), "--profile", &profile, "--allow-evaluate"];
        let client = self.start(&arguments).await?;
        let logged_in = self.log_in(&client).await;
        client.close().await?;
        logged_in?;
        let saved = Command::new(&self.program)
            .args(["state", "save", &file, "--browser", driver.engine()])
            .args(["--profile", &profile, "--origin", &self.origin])
            .output()
            .await?;
        let said = String::from_utf8_lossy(&saved.stderr);
        anyhow::ensure!(saved.status.success(), "the state was not saved: {said}");
        Ok(file)
    }

    /// Logs in as a person would, and chooses a theme.
    async fn log_in(&self, client: &McpClient) -> anyhow::Result<()> {
        let url = format!("{}{PATH}", self.origin);
        let arguments = json!({ "url": url, "max_tokens": 2000 });
        client.call("browser_navigate", arguments).await?;
        let (outline, _) = client.call("inspect_tab", json!({})).await?;
        let outline = ParsedOutline::read(&outline);
        let number = |role: &str, name: &str| {
            let line = outline.named(role, name).and_then(|line| line.number);
            line.with_context(|| format!("{name} is not listed"))
        };
        let actions = json!([
            { "type": "fill", "element": number("textbox", "Username:")?, "text": "admin" },
            { "type": "fill", "element": number("textbox", "Password:")?, "text": "sight" },
            { "type": "click", "element": number("button", "Log in")? },
        ]);
        client.call("browser_interact", json!({ "actions": actions })).await?;
        let theme = format!("localStorage.setItem('theme', '{THEME}')");
        client.call("browser_evaluate", json!({ "expression": theme })).await?;
        Ok(())
    }

    /// Opens the site in a fresh browser.
    async fn open(&self, driver: Driver, file: Option<&str>) -> anyhow::Result<Seen> {
        if driver == Driver::Playwright {
            return self.playwright("open", file).await;
        }
        let mut arguments = vec!["--browser", driver.engine(), "--allow-evaluate"];
        arguments.extend(file.iter().flat_map(|file| ["--state", *file]));
        let client = self.start(&arguments).await?;
        let seen = async {
            let url = format!("{}{PATH}", self.origin);
            client.call("browser_navigate", json!({ "url": url, "max_tokens": 0 })).await?;
            let ask = "JSON.stringify({ title: document.title, theme: localStorage.theme })";
            let (answer, _) = client.call("browser_evaluate", json!({ "expression": ask })).await?;
            let text: String = serde_json::from_str(answer.trim()).unwrap_or(answer);
            serde_json::from_str(&text).with_context(|| text.clone())
        }
        .await;
        client.close().await?;
        seen
    }

    async fn start(&self, arguments: &[&str]) -> anyhow::Result<McpClient> {
        let log = std::fs::File::create(run_file("state.log")?)?;
        McpClient::start_with_log(&self.program, arguments, log, &[]).await
    }

    async fn playwright(&self, what: &str, file: Option<&str>) -> anyhow::Result<Seen> {
        let script: &Path = &repository().join("lab/state/playwright_state.py");
        let output = Command::new(&self.python)
            .arg(script)
            .arg(find_browser(Engine::Chromium)?)
            .args([what, &format!("{}{PATH}", self.origin), file.unwrap_or_default()])
            .output()
            .await?;
        let said = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(output.status.success(), "Playwright failed: {said}");
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}
