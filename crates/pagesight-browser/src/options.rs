//! How a browser of our own is started, as far as it is the same for every engine: the caller's
//! options, the folder of the profile, and the words for one that did not start.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::backend::Viewport;
use crate::error::BrowserError;

/// How long a browser may take until it answers.
pub(crate) const START_LIMIT: Duration = Duration::from_secs(26);
/// More flags, separated by white space.
const ARGUMENTS_VARIABLE: &str = "PAGESIGHT_BROWSER_ARGS";

/// A kind of browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Chromium, Chrome, Edge or Brave.
    #[default]
    Chromium,
    /// Firefox.
    Firefox,
}

impl Engine {
    /// Every engine, the default first.
    pub const ALL: [Engine; 2] = [Engine::Chromium, Engine::Firefox];

    /// Its name in options and files: `chromium` or `firefox`.
    pub fn id(self) -> &'static str {
        match self {
            Engine::Chromium => "chromium",
            Engine::Firefox => "firefox",
        }
    }

    /// Its name as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Chromium => "Chromium",
            Engine::Firefox => "Firefox",
        }
    }

    /// The error for what cannot be done in it; `what` begins the sentence.
    pub(crate) fn lacks(self, what: &'static str) -> BrowserError {
        BrowserError::Unsupported { what, engine: self.name() }
    }
}

/// How to start a browser.
#[derive(Clone, Debug, Default)]
pub struct LaunchOptions {
    /// Which kind of browser.
    pub engine: Engine,
    /// Show the browser's window.
    pub headed: bool,
    /// The folder of the profile to use and keep; without one, a temporary profile that is removed
    /// afterwards.
    pub profile: Option<PathBuf>,
    /// The size of tabs that open by themselves (and of the window, if it is shown).
    pub viewport: Viewport,
    /// The program to start; without one, the first that is found.
    pub program: Option<PathBuf>,
    /// More flags for it.
    pub args: Vec<String>,
}

/// The user's flags for every browser, separated by white space.
pub(crate) fn more_arguments() -> String {
    std::env::var(ARGUMENTS_VARIABLE).unwrap_or_default()
}

/// The error for a browser that did not start.
pub(crate) fn not_started(program: &Path, reason: String) -> BrowserError {
    BrowserError::NotStarted { program: program.display().to_string(), reason }
}

/// The folder of a profile.
pub(crate) struct Profile {
    /// Its absolute path.
    pub(crate) folder: PathBuf,
    /// What goes with the browser: the same, or for a profile that is kept a folder for downloads.
    pub(crate) temporary: tempfile::TempDir,
    /// Where downloads go, inside of it.
    pub(crate) downloads: PathBuf,
}

impl Profile {
    /// The profile that the options ask for; errors are reasons.
    pub(crate) fn of(options: &LaunchOptions) -> std::result::Result<Profile, String> {
        let failed = |error: std::io::Error| format!("no temporary profile can be made: {error}");
        let temporary = temporary_profile().map_err(failed)?;
        let downloads = temporary.path().join("downloads");
        std::fs::create_dir(&downloads).map_err(failed)?;
        let folder = match &options.profile {
            Some(kept) => {
                std::fs::create_dir_all(kept)
                    .map_err(|error| format!("the profile {}: {error}", kept.display()))?;
                std::path::absolute(kept).unwrap_or_else(|_| kept.clone())
            }
            None => temporary.path().to_owned(),
        };
        Ok(Profile { folder, temporary, downloads })
    }
}

/// A new folder that only its owner can look into.
fn temporary_profile() -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("pagesight-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// The browser's environment: what it leaves in the temporary folder when it is killed then goes
/// with its profile.
pub(crate) fn environment(profile: &Path, temporary: bool) -> Vec<(&'static str, OsString)> {
    let inside = temporary && cfg!(target_os = "linux") && profile.as_os_str().len() < 50;
    if inside { vec![("TMPDIR", profile.into())] } else { Vec::new() }
}

/// Why the browser did not start, in its own words where it said something.
pub(crate) fn why(error: &BrowserError, log: &[String]) -> String {
    let all = log.join("\n");
    let taken = ["existing browser session", "ProcessSingleton", "Firefox is already running"];
    if taken.iter().any(|words| all.contains(words)) {
        return "its profile is in use by another browser".to_owned();
    }
    let noise = ["dbus", "unexpected operator", "running in headless mode"];
    let telling = |line: &&String| !noise.iter().any(|words| line.contains(words));
    let words: Vec<&str> = log.iter().filter(telling).map(String::as_str).collect();
    let words = words[words.len().saturating_sub(5)..].join(" | ");
    let what = match error {
        BrowserError::Disconnected => "it ended at once".to_owned(),
        BrowserError::TimedOut { limit, .. } => {
            format!("it did not answer within {} s", limit.as_secs())
        }
        other => other.to_string(),
    };
    if words.is_empty() { what } else { format!("{what}, saying: {words}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons() {
        let log = ["x:dbus: no".to_owned(), "No usable sandbox!".to_owned()];
        assert_eq!(
            why(&BrowserError::Disconnected, &log),
            "it ended at once, saying: No usable sandbox!"
        );
        assert_eq!(why(&BrowserError::Disconnected, &[]), "it ended at once");
        for words in ["Opening in existing browser session.", "Firefox is already running, but"] {
            assert!(why(&BrowserError::Disconnected, &[words.to_owned()]).contains("in use"));
        }
    }
}
