//! The options for starting a browser or connecting to one.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::api::traits::Viewport;
use crate::connections::Connections;
use crate::error::BrowserError;

/// A kind of browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

    /// Returns its name in options and files: `chromium` or `firefox`.
    pub fn id(self) -> &'static str {
        match self {
            Engine::Chromium => "chromium",
            Engine::Firefox => "firefox",
        }
    }

    /// Returns its name as people write it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Chromium => "Chromium",
            Engine::Firefox => "Firefox",
        }
    }

    /// Returns the error for something that the engine does not support; `what` begins the
    /// sentence.
    pub(crate) fn lacks(self, what: &'static str) -> BrowserError {
        BrowserError::Unsupported { what, engine: self.name() }
    }
}

type Rename = dyn Fn(&str) -> String + Send + Sync;

/// Changes the name of a file.
#[derive(Clone, Default)]
pub struct NameFilter(Option<Arc<Rename>>);

impl NameFilter {
    /// Makes a filter of a function.
    pub fn new(filter: impl Fn(&str) -> String + Send + Sync + 'static) -> NameFilter {
        NameFilter(Some(Arc::new(filter)))
    }

    pub(crate) fn apply(&self, name: &str) -> String {
        self.0.as_ref().map_or_else(|| name.to_owned(), |filter| filter(name))
    }
}

impl std::fmt::Debug for NameFilter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("NameFilter").field(&self.0.is_some()).finish()
    }
}

/// Why a browser that we start has no sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSandbox {
    /// We run as root, and Chromium does not start then unless its sandbox is turned off.
    Root,
    /// Its arguments turn it off.
    Argument,
}

/// The options for starting a browser.
#[derive(Clone, Debug, Default)]
pub struct LaunchOptions {
    /// The engine of the browser to start.
    pub engine: Engine,
    /// Whether the browser shows a window.
    pub headed: bool,
    /// The folder of a profile to use and keep. Without one, a temporary profile is used and
    /// removed afterwards.
    pub profile: Option<PathBuf>,
    /// The size of tabs that the caller does not open, and of the window if there is one.
    pub viewport: Viewport,
    /// The program to start; without one, the first that is found.
    pub program: Option<PathBuf>,
    /// Additional arguments of the program.
    pub args: Vec<String>,
    /// The connections of the browser.
    pub connections: Connections,
    /// Names of environment variables that the browser gets, besides those that every browser gets
    /// ([`crate::is_passed_to_browsers`]).
    pub variables: Vec<String>,
    /// Called when a browser is started that has no sandbox.
    pub no_sandbox: Option<fn(NoSandbox)>,
    /// Whether scripts of pages run without the hooks that observe what they schedule.
    pub no_hooks: bool,
    /// Changes the names of downloads before they are stored.
    pub download_names: NameFilter,
    /// How long a WebDriver endpoint may take to start the browser, if not as long as a program: a
    /// grid queues its callers.
    pub driver_limit: Option<Duration>,
}
