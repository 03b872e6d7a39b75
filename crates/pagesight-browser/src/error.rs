//! What can go wrong between us and a browser. Each message is one sentence that says what to do
//! next.

use std::time::Duration;

/// The result of anything done with a browser.
pub type Result<T> = std::result::Result<T, BrowserError>;

/// What can go wrong between us and a browser.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
pub enum BrowserError {
    /// No browser is installed where we look.
    #[error(
        "no {wanted} was found; install one (Debian: apt-get install {package}) or name it with {variable}=/path"
    )]
    NotInstalled {
        /// `Chromium or Chrome`.
        wanted: &'static str,
        /// The Debian package that brings one.
        package: &'static str,
        /// The environment variable that names one.
        variable: &'static str,
    },
    /// The browser did not start.
    #[error("the browser {program} did not start: {reason}; run pagesight doctor")]
    NotStarted {
        /// The program that was tried.
        program: String,
        /// Why, in its own words where there are some.
        reason: String,
    },
    /// A running browser could not be reached.
    #[error(
        "cannot connect to {url}: {reason}; start the browser with --remote-debugging-port=9222 and try again"
    )]
    NotConnected {
        /// The address given.
        url: String,
        /// Why.
        reason: String,
    },
    /// The browser ended or the connection broke.
    #[error("the browser is gone; the next call starts a new one")]
    Disconnected,
    /// The tab was closed.
    #[error("the tab is closed; open another with browser_tabs")]
    TabClosed,
    /// The tab's process died.
    #[error("the tab crashed; reload it with browser_navigate")]
    TabCrashed,
    /// A load failed outright.
    #[error(
        "{} could not be loaded: {reason}; check the address, or start the server and try again",
        short(url)
    )]
    LoadFailed {
        /// The address.
        url: String,
        /// The engine's reason, such as `net::ERR_NAME_NOT_RESOLVED`.
        reason: String,
    },
    /// The server wants a name and a password before it shows anything.
    #[error(
        "{} asks for a name and password (HTTP 401); give them in the address, as in http://name:password@host/",
        short(url)
    )]
    LoginWanted {
        /// The address.
        url: String,
    },
    /// The engine did not answer in time.
    #[error("the page did not answer within {} ms ({what}); it may be busy: try again, or reload it with browser_navigate", limit.as_millis())]
    TimedOut {
        /// What was asked.
        what: String,
        /// How long we waited.
        limit: Duration,
    },
    /// The document went away while something was done in it.
    #[error("the page navigated away in the middle of the call; call inspect_tab again")]
    Navigated,
    /// A JavaScript dialog is open; nothing else can be done in the tab until it is answered.
    #[error("dialog open ({kind}): {}; answer it with browser_interact", quoted(message))]
    DialogOpen {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        kind: String,
        /// Its text.
        message: String,
    },
    /// The engine cannot do this yet.
    #[error("{what} is not supported in {engine} yet; use --browser chromium")]
    Unsupported {
        /// What was asked for; begins the sentence.
        what: &'static str,
        /// The engine.
        engine: &'static str,
    },
    /// A key that nobody knows.
    #[error(transparent)]
    UnknownKey(#[from] crate::keys::UnknownKey),
    /// A script threw.
    #[error("the script failed: {0}")]
    Script(String),
    /// The engine refused a command.
    #[error("the browser refused {method}: {message}")]
    Refused {
        /// The command.
        method: String,
        /// Its words.
        message: String,
    },
}

/// The beginning of an address.
fn short(url: &str) -> String {
    let start: String = url.chars().take(120).collect();
    if start.len() < url.len() { format!("{start}…") } else { start }
}

/// Text of the page's as a JSON string, 200 characters at most.
fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(200).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    serde_json::Value::String(short).to_string()
}
