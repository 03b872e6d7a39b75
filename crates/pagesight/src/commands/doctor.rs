//! `pagesight doctor`: reports which browsers are found, whether they can open and read a page, and
//! which files of the project are used.

use std::process::ExitCode;
use std::time::Instant;

use pagesight_browser::discover;
use pagesight_session::{Engine, LaunchOptions, LookOptions, Options, Session, SessionError};
use serde_json::{Value, json};

use crate::cli::options::Output;
use crate::cli::{exit, print};
use crate::hints;
use crate::project::config::settings_file;
use crate::project::store::ProjectStore;

/// What users of Windows have to know: pagesight cannot pass a pipe on there.
const OPEN_PORT: &str = "its debugging port is open to every user of this machine while it runs; use --browser firefox on a shared machine";

/// The result for one engine.
struct BrowserFinding {
    engine: Engine,
    path: Result<String, String>,
    product: Result<String, String>,
    milliseconds: u64,
}

/// Prints the results. Fails if Chromium does not work, because it is the default.
pub(crate) async fn run(output: Output) -> anyhow::Result<ExitCode> {
    let mut findings = Vec::new();
    for engine in Engine::ALL {
        findings.push(examine(engine).await);
    }
    let files = ProjectFiles::find();
    match output {
        Output::Json => {
            let mut all = json!({
                "version": env!("CARGO_PKG_VERSION"),
                "settings": files.settings.as_ref().ok(),
                "baselines": files.baselines.as_ref().ok(),
            });
            for finding in &findings {
                all[finding.engine.id()] = finding.json();
            }
            print::json(&all, output);
        }
        Output::Text => {
            let mut text = format!("pagesight {}\n", env!("CARGO_PKG_VERSION"));
            findings.iter().for_each(|finding| text.push_str(&finding.text()));
            text.push_str(&files.text());
            print::result(&text);
        }
    }
    let default_works = findings
        .iter()
        .any(|finding| finding.engine == Engine::default() && finding.product.is_ok());
    Ok(if default_works { ExitCode::SUCCESS } else { ExitCode::from(exit::FAILED) })
}

/// The files of the project that commands use here; an error is a sentence.
struct ProjectFiles {
    settings: Result<Option<String>, String>,
    baselines: Result<String, String>,
}

impl ProjectFiles {
    fn find() -> ProjectFiles {
        let sentence = |error: SessionError| hints::sentence(hints::COMMAND_LINE, &error);
        let settings = settings_file().map(|path| path.map(|path| path.display().to_string()));
        let baselines = ProjectStore::path().map(|path| path.display().to_string());
        ProjectFiles {
            settings: settings.map_err(sentence),
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
    fn json(&self) -> Value {
        json!({
            "path": self.path.as_ref().ok(),
            "product": self.product.as_ref().ok(),
            "works": self.product.is_ok(),
            "milliseconds": self.milliseconds,
            "problem": self.product.as_ref().err(),
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
                format!(
                    "{name}: {path}\n  works: {product}, opened and read a page in {milliseconds} ms\n{note}"
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

async fn examine(engine: Engine) -> BrowserFinding {
    let path = discover::find(engine)
        .map(|path| path.display().to_string())
        .map_err(|error| error.to_string());
    let begun = Instant::now();
    let product = try_browser(engine).await.map_err(|error| hints::command_error(&error));
    BrowserFinding { engine, path, product, milliseconds: begun.elapsed().as_millis() as u64 }
}

/// Starts a browser, opens a page and reads it.
async fn try_browser(engine: Engine) -> anyhow::Result<String> {
    let launch = LaunchOptions { engine, ..LaunchOptions::default() };
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
        Ok(session.product().await?)
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
        let finding = BrowserFinding { engine: Engine::Chromium, path, product, milliseconds: 5 };
        assert_eq!(finding.text().contains("note: "), !cfg!(unix), "{}", finding.text());
        assert_eq!(open_port(Engine::Chromium, false), Some(OPEN_PORT));
        assert_eq!(open_port(Engine::Chromium, true), None);
        assert_eq!(open_port(Engine::Firefox, false), None);
    }
}
