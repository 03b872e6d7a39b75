//! `pagesight doctor`: reports which browsers are found, whether they can open and read a page,
//! which running browsers can be connected to, whether the MCP server answers, which agents have
//! it, and which files of the project are used. Ends with what to do about each finding.

mod handshake;

use std::process::ExitCode;
use std::time::Instant;

use pagesight_browser::{NoSandbox, discover, no_sandbox, running_browsers};
use pagesight_session::{Engine, LaunchOptions, LookOptions, Options, Session};
use serde_json::{Value, json};

use super::install::{FoundAgent, found_agents};
use crate::cli::options::Output;
use crate::cli::{exit, print};
use crate::hints;
use crate::project::error::ProjectError;
use crate::project::store::ProjectStore;
use crate::tools::error::ToolError;
use handshake::Handshake;
use pagesight_check::settings::{current_folder, settings_file};

/// A warning for users of Windows, where pagesight cannot pass a pipe on.
const OPEN_PORT: &str = "its debugging port is open to every user of this machine while it runs; use --browser firefox on a shared machine";

/// The result for one engine.
struct BrowserFinding {
    engine: Engine,
    path: Result<String, String>,
    product: Result<String, String>,
    /// Whether pages of this browser know what their scripts have scheduled.
    hooks: bool,
    milliseconds: u64,
    no_sandbox: Option<NoSandbox>,
}

/// Prints the results. Fails if Chromium does not work, because it is the default.
pub(crate) async fn run(output: Output) -> anyhow::Result<ExitCode> {
    let mut findings = Vec::new();
    for engine in Engine::ALL {
        findings.push(examine(engine).await);
    }
    let files = ProjectFiles::find();
    // Looking for them does not ask their user.
    let running: Vec<String> = running_browsers().await.iter().map(|one| one.described()).collect();
    let handshake = handshake::examine().await;
    let agents = found_agents();
    let to_do = to_do(&findings, &handshake, &agents, &files);
    match output {
        Output::Json => {
            let has_entry = |found: &FoundAgent| found.has_entry.clone().unwrap_or(false);
            let agents = agents.iter().map(|found| (found.agent.id(), has_entry(found)));
            let mut all = json!({
                "version": env!("CARGO_PKG_VERSION"),
                "settings": files.settings.as_ref().ok(),
                "baselines": files.baselines.as_ref().ok(),
                "running": running,
                "mcp": {
                    "works": handshake.tools.is_ok(),
                    "tools": handshake.tools.as_ref().ok(),
                    "milliseconds": handshake.milliseconds,
                    "problem": handshake.tools.as_ref().err(),
                },
                "agents": agents.collect::<std::collections::BTreeMap<_, _>>(),
                "to_do": to_do,
            });
            for finding in &findings {
                all[finding.engine.id()] = finding.json();
            }
            print::json(&all, output);
        }
        Output::Text => {
            let mut text = format!("pagesight {}\n", env!("CARGO_PKG_VERSION"));
            findings.iter().for_each(|finding| text.push_str(&finding.text()));
            text.push_str(&running_text(&running));
            text.push_str(&match &handshake.tools {
                Ok(tools) => {
                    format!("mcp: works, {tools} tools in {} ms\n", handshake.milliseconds)
                }
                Err(error) => format!("mcp: does not work: {error}\n"),
            });
            for found in &agents {
                let state = match &found.has_entry {
                    Ok(true) => "has pagesight",
                    Ok(false) => "does not have pagesight",
                    Err(error) => error,
                };
                text.push_str(&format!("{}: {state}\n", found.agent.name()));
            }
            text.push_str(&files.text());
            text.push_str(&match to_do.as_slice() {
                [] => "nothing to do\n".to_owned(),
                steps => format!("to do:\n- {}\n", steps.join("\n- ")),
            });
            print::result(&text);
        }
    }
    let default_works = findings
        .iter()
        .any(|finding| finding.engine == Engine::default() && finding.product.is_ok());
    let works = default_works && handshake.tools.is_ok();
    Ok(if works { ExitCode::SUCCESS } else { ExitCode::from(exit::FAILED) })
}

/// Returns what to do about each finding, the most important first.
fn to_do(
    findings: &[BrowserFinding],
    handshake: &Handshake,
    agents: &[FoundAgent],
    files: &ProjectFiles,
) -> Vec<String> {
    let mut steps: Vec<String> = findings.iter().filter_map(BrowserFinding::step).collect();
    if handshake.tools.is_err() {
        steps.push(
            "the MCP server: run PAGESIGHT_LOG=debug pagesight mcp to see why, or install pagesight again"
                .to_owned(),
        );
    }
    for found in agents {
        let (name, id) = (found.agent.name(), found.agent.id());
        match &found.has_entry {
            Ok(true) => {}
            Ok(false) => steps.push(format!("{name}: add pagesight with pagesight install {id}")),
            Err(_) => steps
                .push(format!("{name}: repair its configuration, then run pagesight install {id}")),
        }
    }
    if files.settings.is_err() {
        steps.push("settings: fix the file that is named above".to_owned());
    }
    if files.baselines.is_err() {
        steps.push("baselines: fix the folder that is named above".to_owned());
    }
    steps
}

/// Returns the line on running browsers whose user has switched remote debugging on.
fn running_text(running: &[String]) -> String {
    match running {
        [] => "running, with remote debugging: none\n".to_owned(),
        some => format!("running, with remote debugging: {}\n", some.join("; ")),
    }
}

/// The files of the project that commands use here; an error is a sentence.
struct ProjectFiles {
    settings: Result<Option<String>, String>,
    baselines: Result<String, String>,
}

impl ProjectFiles {
    fn find() -> ProjectFiles {
        let sentence = |error: ProjectError| ToolError::from(error).sentence(hints::COMMAND_LINE);
        let settings = settings_file(&current_folder())
            .map(|path| path.map(|path| path.display().to_string()));
        let baselines = ProjectStore::default().shown();
        ProjectFiles {
            settings: settings.map_err(ProjectError::from).map_err(sentence),
            baselines: baselines.map_err(sentence),
        }
    }

    fn text(&self) -> String {
        let settings = match &self.settings {
            Ok(Some(path)) | Err(path) => path,
            Ok(None) => "none",
        };
        let (Ok(baselines) | Err(baselines)) = &self.baselines;
        format!("settings: {settings}\nbaselines: {baselines}\n")
    }
}

impl BrowserFinding {
    /// Returns what to do. A missing browser matters only if it is the default one.
    fn step(&self) -> Option<String> {
        let name = self.engine.id();
        let optional = if self.engine == Engine::default() { "" } else { " (only if you need it)" };
        match (&self.path, &self.product) {
            (_, Ok(_)) => self.no_sandbox.map(|why| match why {
                NoSandbox::Root => format!(
                    "{name}: run pagesight as a user who is not root, so that the browser has its sandbox"
                ),
                NoSandbox::Argument => format!(
                    "{name}: take --no-sandbox out of PAGESIGHT_BROWSER_ARGS, so that the browser has its sandbox"
                ),
            }),
            (Ok(path), Err(_)) => Some(format!(
                "{name}: start {path} once by hand to see why, or name a different one in {}",
                variable(self.engine)
            )),
            (Err(_), Err(_)) if std::env::var_os(variable(self.engine)).is_some() => {
                Some(format!("{name}: correct or unset {}", variable(self.engine)))
            }
            (Err(_), Err(_)) => Some(match discover::install_command(self.engine) {
                Some(command) => format!("{name}{optional}: {command}"),
                None => format!(
                    "{name}{optional}: install it, or set {} to its path",
                    variable(self.engine)
                ),
            }),
        }
    }

    fn json(&self) -> Value {
        json!({
            "path": self.path.as_ref().ok(),
            "product": self.product.as_ref().ok(),
            "works": self.product.is_ok(),
            "milliseconds": self.milliseconds,
            "problem": self.product.as_ref().err(),
            "hooks": self.product.is_ok().then_some(self.hooks),
            "sandbox": self.product.is_ok().then_some(self.no_sandbox.is_none()),
            "note": open_port(self.engine, cfg!(unix)),
        })
    }

    fn text(&self) -> String {
        let name = self.engine.id();
        let milliseconds = self.milliseconds;
        let note = open_port(self.engine, cfg!(unix))
            .map_or_else(String::new, |note| format!("  note: {note}\n"));
        match (&self.path, &self.product) {
            (Err(error), _) => format!("{name}: {error}\n"),
            (Ok(path), Ok(product)) => {
                let hooks = if self.hooks { "with" } else { "without" };
                format!(
                    "{name}: {path}\n  works: {product}, opened and read a page in {milliseconds} ms, {hooks} hooks\n{note}"
                )
            }
            (Ok(path), Err(error)) => format!("{name}: {path}\n  does not work: {error}\n"),
        }
    }
}

/// Returns what to know about the port of a browser, if other users can connect to it. Firefox
/// accepts a single session, which is ours.
fn open_port(engine: Engine, has_pipe: bool) -> Option<&'static str> {
    (engine == Engine::Chromium && !has_pipe).then_some(OPEN_PORT)
}

fn variable(engine: Engine) -> &'static str {
    match engine {
        Engine::Chromium => discover::BROWSER_VARIABLE,
        Engine::Firefox => discover::FIREFOX_VARIABLE,
    }
}

async fn examine(engine: Engine) -> BrowserFinding {
    let path = discover::find(engine)
        .map(|path| path.display().to_string())
        .map_err(|error| error.to_string());
    let begun = Instant::now();
    let launch = LaunchOptions { engine, ..LaunchOptions::default() };
    let no_sandbox = no_sandbox(&launch);
    let tried = try_browser(launch).await.map_err(|error| hints::command_error(&error));
    let milliseconds = begun.elapsed().as_millis() as u64;
    let (product, hooks) = match tried {
        Ok((product, hooks)) => (Ok(product), hooks),
        Err(error) => (Err(error), false),
    };
    BrowserFinding { engine, path, product, hooks, milliseconds, no_sandbox }
}

/// Starts a browser, opens a page and reads it. Returns its product, and whether it has hooks.
async fn try_browser(launch: LaunchOptions) -> anyhow::Result<(String, bool)> {
    let session = Session::new(Options { launch, ..Options::default() });
    let tried = async {
        let tab = session.tab(None).await?;
        session
            .navigate(&tab, &session.address("data:text/html,<button>It works</button>")?, None)
            .await?;
        let look = session.look(&tab, LookOptions::default()).await?;
        let outline = session.outline(&look, &Default::default());
        anyhow::ensure!(
            outline.text.contains("button: It works"),
            "the page was opened but not read correctly"
        );
        Ok((session.product().await?, session.has_hooks(&tab).await?))
    }
    .await;
    session.close().await;
    tried
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_port_is_reported() {
        let (path, product) = (Ok("chrome.exe".to_owned()), Ok("Chromium 1".to_owned()));
        let (engine, milliseconds) = (Engine::Chromium, 5);
        let finding =
            BrowserFinding { engine, path, product, hooks: true, milliseconds, no_sandbox: None };
        assert!(finding.text().contains(" in 5 ms, with hooks\n"), "{}", finding.text());
        assert_eq!(finding.text().contains("note: "), !cfg!(unix), "{}", finding.text());
        assert_eq!(open_port(Engine::Chromium, false), Some(OPEN_PORT));
        assert_eq!(open_port(Engine::Chromium, true), None);
        assert_eq!(open_port(Engine::Firefox, false), None);
    }

    #[test]
    fn a_missing_sandbox_has_a_step() {
        let (path, product) = (Ok("/bin/chromium".to_owned()), Ok("Chromium 1".to_owned()));
        let (engine, milliseconds) = (Engine::Chromium, 5);
        let mut finding =
            BrowserFinding { engine, path, product, hooks: false, milliseconds, no_sandbox: None };
        assert_eq!((finding.step(), &finding.json()["sandbox"]), (None, &json!(true)));
        for (why, says) in [
            (NoSandbox::Root, "chromium: run pagesight as a user who is not root"),
            (NoSandbox::Argument, "chromium: take --no-sandbox out of PAGESIGHT_BROWSER_ARGS"),
        ] {
            finding.no_sandbox = Some(why);
            assert!(finding.step().is_some_and(|step| step.starts_with(says)), "{why:?}");
            assert_eq!(finding.json()["sandbox"], json!(false));
        }
    }
}
