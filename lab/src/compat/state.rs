//! Logs in to Django's admin site, saves the state and opens the site with it in fresh browsers:
//! pagesight in both engines and Playwright log in and save, and each of them loads what each of
//! them saved. Playwright uses the Chromium of this machine.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Deserialize;
use serde_json::json;
use tokio::process::Command;

use super::CompatArgs;
use crate::install::apps;
use crate::install::packages;
use crate::mcp::McpClient;
use crate::options::{repository, run_file};
use crate::product::{Engine, find_browser};
use crate::report;

/// The title of the page that only an administrator sees.
const INSIDE: &str = "Site administration";
/// The theme that is chosen before the state is saved. The site keeps it in localStorage.
const THEME: &str = "dark";
/// The path that leads to the log-in page, unless one is logged in.
const PATH: &str = "/admin/";

/// The program that logs in, saves and loads, with the browser that `--browser` names; Playwright
/// has none.
const DRIVERS: [(&str, Option<&str>); 3] = [
    ("pagesight, Chromium", Some("chromium")),
    ("pagesight, Firefox", Some("firefox")),
    ("Playwright, Chromium", None),
];

/// The visible part of the site.
#[derive(Debug, Deserialize)]
struct Seen {
    title: String,
    theme: Option<String>,
}

/// Runs all pairs. A pair that is not logged in is a miss.
pub async fn run(args: &CompatArgs) -> anyhow::Result<Vec<String>> {
    let program = args.program()?;
    let folder = crate::install::folder()?;
    packages::python(&folder, &["playwright"]).await?;
    let mut running = apps::find("Django")?.start().await?;
    let files = tempfile::tempdir()?;
    let run = StateRun {
        program,
        python: folder.join("venv/bin/python"),
        origin: running.address.clone(),
        files: files.path().to_owned(),
    };
    let misses = run.all().await;
    running.end().await;
    misses
}

struct StateRun {
    program: PathBuf,
    python: PathBuf,
    origin: String,
    files: PathBuf,
}

impl StateRun {
    async fn all(&self) -> anyhow::Result<Vec<String>> {
        let mut misses = Vec::new();
        report::table("saved by | loaded by | logged in | theme");
        let mut savers = vec![("nobody", None)];
        for (saved, engine) in DRIVERS {
            savers.push((saved, Some(self.save(engine).await.context(saved)?)));
        }
        for (saved, file) in &savers {
            // Without a state nobody is logged in: the check can fail.
            let expected = file.is_some();
            for (loaded, engine) in DRIVERS {
                let seen = self.open(engine, file.as_deref()).await;
                let seen = seen.with_context(|| format!("{saved} → {loaded}"))?;
                let theme = seen.theme.as_deref().unwrap_or("none");
                let is_inside = seen.title.contains(INSIDE);
                println!("| {saved} | {loaded} | {is_inside} | {theme} |");
                if is_inside != expected || (theme == THEME) != expected {
                    misses.push(format!("{saved}, loaded by {loaded}: {seen:?}"));
                }
            }
        }
        Ok(misses)
    }

    /// Logs in and saves the state; returns its file.
    async fn save(&self, engine: Option<&str>) -> anyhow::Result<String> {
        let at = |name: String| self.files.join(name).display().to_string();
        let Some(engine) = engine else {
            let file = at("playwright.json".to_owned());
            let seen = self.playwright("login", Some(&file)).await?;
            anyhow::ensure!(seen.title.contains(INSIDE), "not logged in: {seen:?}");
            return Ok(file);
        };
        let (file, profile) = (at(format!("{engine}.json")), at(engine.to_owned()));
        let arguments = ["--browser", engine, "--profile", &profile, "--allow-evaluate"];
        let client = self.start(&arguments).await?;
        let logged_in = self.log_in(&client).await;
        client.close().await?;
        logged_in?;
        let saved = Command::new(&self.program)
            .args(["state", "save", &file, "--browser", engine])
            .args(["--profile", &profile, "--origin", &self.origin])
            .output()
            .await?;
        let said = String::from_utf8_lossy(&saved.stderr);
        anyhow::ensure!(saved.status.success(), "the state was not saved: {said}");
        Ok(file)
    }

    /// Logs in as a person would, and chooses a theme.
    async fn log_in(&self, client: &McpClient) -> anyhow::Result<()> {
        client.open(&format!("{}{PATH}", self.origin)).await?;
        let outline = client.look().await?;
        let actions = json!([
            { "type": "fill", "element": outline.number("textbox", "Username:")?, "text": "admin" },
            { "type": "fill", "element": outline.number("textbox", "Password:")?, "text": "sight" },
            { "type": "click", "element": outline.number("button", "Log in")? },
        ]);
        client.act(actions).await?;
        client.evaluate(&format!("localStorage.setItem('theme', '{THEME}') ?? null")).await?;
        Ok(())
    }

    /// Opens the site in a fresh browser.
    async fn open(&self, engine: Option<&str>, file: Option<&str>) -> anyhow::Result<Seen> {
        let Some(engine) = engine else { return self.playwright("open", file).await };
        let mut arguments = vec!["--browser", engine, "--allow-evaluate"];
        arguments.extend(file.iter().flat_map(|file| ["--state", *file]));
        let client = self.start(&arguments).await?;
        let seen = async {
            client.open(&format!("{}{PATH}", self.origin)).await?;
            let ask = "({ title: document.title, theme: localStorage.theme })";
            Ok(serde_json::from_value(client.evaluate(ask).await?)?)
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
