//! The web apps of other projects that the commands visit: their packages, how each is started, and
//! the states of it that are visited. Apps run on 127.0.0.1 and are ended by their process ids.

use std::sync::LazyLock;
use std::time::Duration;

use anyhow::Context;
use serde::Deserialize;
use tokio::process::{Child, Command};

use super::packages;
use crate::pages::{self, PageState};
use crate::processes::{end_group, free_port};

/// An app and its states, as `apps.json` has them.
#[derive(Deserialize)]
pub struct App {
    pub name: String,
    /// The packages of npm and of PyPI that it needs.
    #[serde(default)]
    node: Vec<String>,
    #[serde(default)]
    python: Vec<String>,
    /// The folder of `target/lab-apps` whose files are served; `{html}` stands for the pages of
    /// MiniWoB++.
    files: Option<String>,
    /// A program that runs in `target/lab-apps` instead; `{port}` stands for its port.
    #[serde(default)]
    program: Vec<String>,
    /// A state has a name, a path (empty: stay on the page), and a step: nothing, `click SELECTOR`
    /// with the mouse, or a script.
    states: Vec<(String, String, String)>,
}

/// A script that logs in to Django's admin site.
pub const LOGIN: &str = "document.querySelector('#id_username').value = 'admin'; document.querySelector('#id_password').value = 'sight'; document.forms['login-form'].submit()";

/// The apps, in the order in which they are visited.
pub static APPS: LazyLock<Vec<App>> = LazyLock::new(|| read(include_str!("apps.json")));
/// Apps with many icons, for the commands that judge hints.
pub static ICON_APPS: LazyLock<Vec<App>> = LazyLock::new(|| read(include_str!("icon_apps.json")));
/// Apps whose values change all the time, for the commands that measure looks at them.
pub static LIVING_APPS: LazyLock<Vec<App>> =
    LazyLock::new(|| read(include_str!("living_apps.json")));

fn read(list: &str) -> Vec<App> {
    // A test reads the lists.
    serde_json::from_str(list).unwrap_or_default()
}

pub struct RunningApp {
    process: Option<Child>,
    /// Its URL, without a path.
    pub address: String,
    pub page_states: Vec<PageState>,
}

/// Returns the app whose name starts with this.
pub fn find(name: &str) -> anyhow::Result<&'static App> {
    let app = APPS.iter().chain(LIVING_APPS.iter()).find(|app| app.name.starts_with(name));
    app.with_context(|| format!("there is no app {name}"))
}

impl App {
    /// Starts the app, or prints why it is skipped.
    pub async fn start_or_skip(&self) -> Option<RunningApp> {
        match self.start().await {
            Ok(running) => Some(running),
            Err(error) => {
                println!("skipped: {}: {error:#}", self.name);
                None
            }
        }
    }

    /// Installs and starts the app.
    pub async fn start(&self) -> anyhow::Result<RunningApp> {
        let folder = super::folder()?;
        packages::node(&folder, &self.node).await?;
        packages::python(&folder, &self.python).await?;
        let (process, address) = match &self.files {
            Some(below) => (None, pages::serve(packages::files(&folder, below)?).await?),
            None => {
                let port = free_port()?;
                let filled = |word: &String| word.replace("{port}", &port.to_string());
                let words: Vec<String> = self.program.iter().map(filled).collect();
                let log = format!("{}.log", self.name.replace([' ', '(', ')', ',', '/'], "-"));
                let log = std::fs::File::create(folder.join(log))?;
                let mut command = Command::new(if words[0].contains('/') {
                    folder.join(&words[0])
                } else {
                    words[0].clone().into()
                });
                command
                    .args(&words[1..])
                    .current_dir(&folder)
                    .stdin(std::process::Stdio::null())
                    .stdout(log.try_clone()?)
                    .stderr(log);
                // A process group of its own, so that kernels and workers end with the app.
                command.process_group(0).kill_on_drop(true);
                let mut process = command.spawn().context("the app does not start")?;
                if let Err(error) = wait_for_port(port).await {
                    end_group(&mut process).await;
                    return Err(error);
                }
                (Some(process), format!("http://127.0.0.1:{port}"))
            }
        };
        let page_states = self.states.iter().map(|(state, path, step)| PageState {
            name: if state.is_empty() {
                self.name.clone()
            } else {
                format!("{}: {state}", self.name)
            },
            url: (!path.is_empty()).then(|| format!("{address}{path}")),
            step: (!step.is_empty()).then(|| step.clone()),
        });
        let page_states = page_states.collect();
        Ok(RunningApp { process, address, page_states })
    }
}

impl RunningApp {
    /// Ends the process and its children.
    pub async fn end(&mut self) {
        if let Some(mut process) = self.process.take() {
            end_group(&mut process).await;
        }
    }
}

/// Waits until the port accepts connections, for at most a minute.
async fn wait_for_port(port: u16) -> anyhow::Result<()> {
    for _ in 0..240 {
        if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    anyhow::bail!("the app did not open its port within a minute; its log is in target/lab-apps")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_read() {
        assert_eq!((APPS.len(), ICON_APPS.len(), LIVING_APPS.len()), (11, 10, 1));
        let all = APPS.iter().chain(ICON_APPS.iter()).chain(LIVING_APPS.iter());
        assert!(all.into_iter().all(|app| !app.states.is_empty()));
    }
}
