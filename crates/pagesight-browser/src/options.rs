//! The options of a caller who starts a browser or connects to one.

use std::path::PathBuf;

use crate::api::traits::Viewport;
use crate::error::BrowserError;

/// A kind of browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Chromium, Chrome, Edge or Brave.
    #[default]
    Chromium,
    /// Firefox.
    Firefox,
}

impl Engine {
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
