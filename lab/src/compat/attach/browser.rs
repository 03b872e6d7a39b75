//! The browser of a person: a window on a display, a profile of its own, tabs that the person
//! opened. pagesight finds it as it would find any.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::process::{Child, Command};

use crate::install::display::Display;
use crate::mcp::McpClient;
use crate::options::run_file;
use crate::processes;
use crate::product::{Engine, find_browser};

/// How long a browser may take to listen: a busy machine starts thirty tabs at the same time.
const START: Duration = Duration::from_secs(90);
/// Notices that a person's Firefox shows only once.
const FIREFOX_SETTINGS: &str = r#"
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("termsofuse.bypassNotification", true);
user_pref("browser.tabs.warnOnOpen", false);
user_pref("browser.tabs.unloadOnLowMemory", false);
user_pref("app.update.auto", false);
"#;

/// How the browser may be connected to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Debugging {
    /// The person switched it on in the browser's settings, and is asked each time.
    AsksThePerson,
    /// It was started with a port.
    Port,
}

/// A running browser of a person.
pub struct PersonsBrowser {
    process: Child,
    /// The value of `--connect`, with the options that go with it.
    pub connect: Vec<String>,
    /// The address of its DevTools, if it has them.
    pub devtools: Option<String>,
    folder: tempfile::TempDir,
}

impl PersonsBrowser {
    /// Starts the browser with these tabs; the first is in front.
    pub async fn start(
        engine: Engine,
        debugging: Debugging,
        display: &Display,
        urls: &[String],
    ) -> anyhow::Result<PersonsBrowser> {
        let folder = tempfile::tempdir()?;
        let profile = folder.path().join("chromium");
        std::fs::create_dir_all(&profile)?;
        let mut command = match engine {
            Engine::Chromium => chromium(&profile, debugging)?,
            Engine::Firefox => firefox(&profile)?,
        };
        let log = folder.path().join("log");
        command
            .args(urls)
            .env("DISPLAY", &display.name)
            // Nothing of this machine's user is used.
            .env("HOME", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log)?)
            // A process group of its own, so that all its processes end with it.
            .process_group(0)
            .kill_on_drop(true);
        let process = command.spawn().context("the browser does not start")?;
        let mut browser = PersonsBrowser { process, connect: Vec::new(), devtools: None, folder };
        let begun = Instant::now();
        while !browser.finds_address(engine, &profile, &log) {
            if begun.elapsed() > START {
                browser.end().await;
                anyhow::bail!("the browser did not listen within {START:?}");
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(browser)
    }

    fn finds_address(&mut self, engine: Engine, profile: &Path, log: &Path) -> bool {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        match engine {
            Engine::Chromium => {
                let file = std::fs::read_to_string(profile.join("DevToolsActivePort"));
                let file = file.unwrap_or_default();
                let Some((port, path)) = file.trim().split_once('\n') else { return false };
                self.devtools = Some(format!("ws://127.0.0.1:{port}{path}"));
                self.connect = words(&["--connect", "chromium"]);
            }
            Engine::Firefox => {
                let log = std::fs::read_to_string(log).unwrap_or_default();
                let Some((_, rest)) = log.split_once("WebDriver BiDi listening on ") else {
                    return false;
                };
                let address = rest.split_whitespace().next().unwrap_or_default();
                self.connect = words(&["--browser", "firefox", "--connect", address]);
            }
        }
        true
    }

    /// Starts pagesight, connected to this browser.
    pub async fn pagesight(&self, program: &Path, log: &str) -> anyhow::Result<McpClient> {
        let log = std::fs::File::create(run_file(&format!("attach-{log}.log"))?)?;
        let folder = self.folder.path().to_str().context("a folder with a strange name")?;
        let arguments: Vec<&str> = self.connect.iter().map(String::as_str).collect();
        let environment = [("CHROME_CONFIG_HOME", folder), ("HOME", folder)];
        McpClient::start_with_log(program, &arguments, log, &environment).await
    }

    /// Returns whether it still runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    /// Ends it with all its processes.
    pub async fn end(mut self) {
        processes::end_group(&mut self.process).await;
    }
}

/// The command of a Chromium with a window.
fn chromium(profile: &Path, debugging: Debugging) -> anyhow::Result<Command> {
    let mut command = Command::new(find_browser(Engine::Chromium)?);
    command.args([
        "--no-sandbox",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1000,700",
    ]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    match debugging {
        Debugging::Port => drop(command.arg("--remote-debugging-port=0")),
        Debugging::AsksThePerson => {
            let settings = r#"{"devtools":{"remote_debugging":{"user-enabled":true}}}"#;
            std::fs::write(profile.join("Local State"), settings)?;
        }
    }
    Ok(command)
}

/// The command of a Firefox with a window.
fn firefox(profile: &Path) -> anyhow::Result<Command> {
    std::fs::write(profile.join("user.js"), FIREFOX_SETTINGS)?;
    let program: PathBuf = find_browser(Engine::Firefox)?;
    let mut command = Command::new(program);
    command.args(["--new-instance", "--remote-debugging-port=0", "--profile"]).arg(profile);
    Ok(command)
}
