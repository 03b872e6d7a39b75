//! The steps of starting a browser that all engines share: its profile and environment, its
//! process, and the reason when it does not start.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::environment::passed;
use crate::api::traits::{Connected, Viewport};
use crate::connections::Connections;
use crate::error::{BrowserError, Result};
use crate::options::{LaunchOptions, NameFilter};
use crate::process::GuardedProcess;

/// How long a browser may take until it answers.
pub(crate) const START_LIMIT: Duration = Duration::from_secs(26);
/// How long a browser that we started may take to end before it is killed and we stop waiting.
const CLOSE_LIMIT: Duration = Duration::from_millis(4500);
/// How long a browser may take to write a profile that is kept.
const PROFILE_LIMIT: Duration = Duration::from_secs(4);
/// How long a browser that failed to start may take to end.
const FAILED_LIMIT: Duration = Duration::from_secs(5);
/// The environment variable with additional flags, separated by white space.
const ARGUMENTS_VARIABLE: &str = "PAGESIGHT_BROWSER_ARGS";

/// A browser that we started.
pub(crate) struct OwnBrowser {
    pub(crate) process: Arc<GuardedProcess>,
    /// The size of tabs that the page or the user opens.
    pub(crate) viewport: Viewport,
    /// The folder of its downloads, and what their names become.
    pub(crate) downloads: PathBuf,
    pub(crate) download_names: NameFilter,
    /// Whether it shows a window.
    pub(crate) headed: bool,
    /// Whether hooks observe what the scripts of its pages schedule.
    pub(crate) hooks: bool,
    /// Its connections.
    pub(crate) connections: Arc<Connections>,
    /// Whether its profile is kept, so that it must write it before it ends.
    pub(crate) keeps_profile: bool,
}

impl OwnBrowser {
    /// Describes a browser that was started with these options.
    pub(crate) fn of(
        process: Arc<GuardedProcess>,
        options: &LaunchOptions,
        downloads: PathBuf,
    ) -> OwnBrowser {
        OwnBrowser {
            process,
            hooks: !options.no_hooks,
            viewport: options.viewport,
            downloads,
            download_names: options.download_names.clone(),
            headed: options.headed,
            connections: Arc::new(options.connections.clone()),
            keeps_profile: options.profile.is_some(),
        }
    }

    /// Ends the browser and waits until it is gone, with a limit.
    pub(crate) async fn end(&self) {
        let gone = self.process.end(CLOSE_LIMIT).await;
        if !gone {
            tracing::warn!("the browser did not end in time");
        }
    }

    /// Ends the browser as `ask` asks for, and waits until it is gone. A profile that is kept must
    /// be written before: a signal would end the browser at once.
    pub(crate) async fn end_asked(&self, ask: impl Future<Output = ()>) {
        match self.keeps_profile {
            true => self.process.ends_asked(PROFILE_LIMIT, ask).await,
            false => ask.await,
        }
        self.end().await;
    }
}

/// The folder of a profile.
pub(crate) struct Profile {
    pub(crate) folder: PathBuf,
    /// The folder that is removed with the browser: the profile itself, or for a profile that is
    /// kept a folder for downloads.
    pub(crate) temporary: tempfile::TempDir,
    /// The folder of downloads, inside `temporary`.
    pub(crate) downloads: PathBuf,
}

impl Profile {
    /// Creates the profile that the options ask for; the error is a reason.
    pub(crate) fn of(options: &LaunchOptions) -> std::result::Result<Profile, String> {
        let failed = |error: std::io::Error| format!("cannot create a temporary profile: {error}");
        let temporary = temporary_profile().map_err(failed)?;
        let downloads = temporary.path().join("downloads");
        private_folder(&downloads).map_err(failed)?;
        let folder = match &options.profile {
            Some(kept) => {
                private_folder(kept)
                    .map_err(|error| format!("the profile {}: {error}", kept.display()))?;
                std::path::absolute(kept).unwrap_or_else(|_| kept.clone())
            }
            None => temporary.path().to_owned(),
        };
        Ok(Profile { folder, temporary, downloads })
    }
}

/// Creates a folder that only its owner can read.
fn temporary_profile() -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("pagesight-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// Creates a folder that only its owner can read, unless it is there.
pub(crate) fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Returns the user's flags for every browser, separated by white space.
pub(crate) fn more_arguments() -> String {
    std::env::var(ARGUMENTS_VARIABLE).unwrap_or_default()
}

/// Returns the browser's environment. Its temporary files go into a temporary profile, so that they
/// are removed with it even if the browser is killed.
pub(crate) fn environment(options: &LaunchOptions, profile: &Path) -> Vec<(OsString, OsString)> {
    let mut environment = passed(&options.variables);
    let inside = options.profile.is_none() && cfg!(target_os = "linux");
    if inside && profile.as_os_str().len() < 50 {
        environment.push(("TMPDIR".into(), profile.into()));
    }
    environment
}

/// Returns the error for a browser that did not start.
pub(crate) fn not_started(program: &Path, reason: String) -> BrowserError {
    BrowserError::NotStarted { program: program.display().to_string(), reason }
}

/// Ends a browser that could not be connected to, and explains why.
pub(crate) async fn started(
    program: &Path,
    process: &GuardedProcess,
    outcome: Result<Connected>,
) -> Result<Connected> {
    match outcome {
        Ok(connected) => Ok(connected),
        Err(error) => {
            process.end(FAILED_LIMIT).await;
            Err(not_started(program, why(&error, &process.log().await)))
        }
    }
}

/// Explains why the browser did not start, with its own log where there is one.
fn why(error: &BrowserError, log: &[String]) -> String {
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

    #[cfg(unix)]
    #[test]
    fn profiles_are_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept/profile");
        let options = LaunchOptions { profile: Some(kept.clone()), ..LaunchOptions::default() };
        let profile = Profile::of(&options).unwrap();
        for path in [&kept, profile.temporary.path(), &profile.downloads] {
            let mode = std::fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700, "{path:?}");
        }
    }

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
