//! Errors of this crate. Each message is one sentence and does not name a tool or a command.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::load_fault::described;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, BrowserError>;

/// An error in driving a browser.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
pub enum BrowserError {
    /// No browser was found.
    #[error(
        "no {wanted} was found; install one{} or set {variable} to its path",
        .install.as_ref().map_or_else(String::new, |command| format!(" with `{command}`,"))
    )]
    NotInstalled {
        /// The browser that was searched for, such as `Chromium or Chrome`.
        wanted: &'static str,
        /// The command that installs one on this machine, if its package manager is known.
        install: Option<String>,
        /// The environment variable that names one.
        variable: &'static str,
    },
    /// The browser did not start.
    #[error("the browser {program} did not start: {reason}")]
    NotStarted {
        /// The program that was tried.
        program: String,
        /// The reason, from the browser's log if there is one.
        reason: String,
    },
    /// A running browser could not be reached.
    #[error(
        "cannot connect to {}: {reason}; start the browser with --remote-debugging-port=9222 and try again",
        short(url)
    )]
    NotConnected {
        /// The address of the browser.
        url: String,
        /// The cause, as a clause.
        reason: String,
    },
    /// The browser ended or the connection broke.
    #[error("the browser is gone; the next call starts a new one or connects again")]
    Disconnected,
    /// No running browser has remote debugging switched on.
    #[error(
        "no running {wanted} with remote debugging was found; switch it on at {page} in the browser (Chrome 144 or newer) and try again"
    )]
    NoneRunning {
        /// The browser that was searched for, such as `Chrome`.
        wanted: &'static str,
        /// The browser's page with the switch.
        page: &'static str,
    },
    /// The port of a browser belongs to a different user of the machine.
    #[error(
        "port {port}, where {browser} was found before, belongs to a different user of this machine now; switch remote debugging off and on again in the browser"
    )]
    ForeignPort {
        /// The name of the browser, as people write it.
        browser: &'static str,
        /// The port on 127.0.0.1.
        port: u16,
    },
    /// Several running browsers have remote debugging switched on.
    #[error("several running browsers can be connected to; choose one by its name: {found}")]
    SeveralRunning {
        /// The names of the browsers that were found.
        found: String,
    },
    /// The user has not answered yet whether we may connect.
    #[error(
        "waiting for you to press Allow in {browser}; the question is in its window, try again after it was answered"
    )]
    AwaitsConsent {
        /// The name of the browser, as people write it.
        browser: &'static str,
    },
    /// The user did not allow the connection.
    #[error("{browser} refused the connection: Allow was not pressed; the next call asks again")]
    ConsentRefused {
        /// The name of the browser, as people write it.
        browser: &'static str,
    },
    /// The user did not answer.
    #[error(
        "nobody pressed Allow in {browser} within {minutes} minutes; close the old question, the next call asks again"
    )]
    NoConsent {
        /// The name of the browser, as people write it.
        browser: &'static str,
        /// How long the answer was waited for.
        minutes: u64,
    },
    /// The connection to a running browser failed.
    #[error(
        "cannot connect to {browser}: {reason}; switch remote debugging off and on again in the browser and try again"
    )]
    AttachFailed {
        /// The name of the browser, as people write it.
        browser: &'static str,
        /// The cause, as a clause.
        reason: String,
    },
    /// A tab of the user does not answer.
    #[error(
        "the tab did not answer within {} s and was left as it was; it may hang or be discarded, so show it in the browser and try again",
        limit.as_secs()
    )]
    TabSilent {
        /// How long it was waited for.
        limit: Duration,
    },
    /// The tab was closed.
    #[error("the tab is closed")]
    TabClosed,
    /// The tab's process died.
    #[error("the tab crashed")]
    TabCrashed,
    /// A load failed.
    #[error("{} could not be loaded: {}", short(url), described(reason))]
    LoadFailed {
        /// The address that was opened.
        url: String,
        /// The engine's reason, such as `net::ERR_NAME_NOT_RESOLVED`.
        reason: String,
    },
    /// The server asks for a name and a password.
    #[error(
        "{} asks for a name and password (HTTP 401); give them in the address, as in http://name:password@host/",
        short(url)
    )]
    LoginWanted {
        /// The address that was opened.
        url: String,
    },
    /// The engine did not answer in time.
    #[error("the page did not answer within {} ms ({what}); it may be busy", limit.as_millis())]
    TimedOut {
        /// The call that timed out.
        what: String,
        /// The limit of the call.
        limit: Duration,
    },
    /// It is not known which frame has the focus.
    #[error(
        "a frame did not report whether it has the focus, so the keys were not sent; the page may be busy or changing, try again"
    )]
    FocusUncertain,
    /// A different frame than the one that keys are meant for has the focus.
    #[error(
        "a different frame has the focus, so the keys were not sent; choose the field and try again"
    )]
    FocusElsewhere,
    /// The main thread of the page does not answer.
    #[error("the page has not answered since {}; its script may never end", clock(*since))]
    Hangs {
        /// When it was asked.
        since: SystemTime,
    },
    /// The document went away during a call.
    #[error("the page navigated away during the call")]
    Navigated,
    /// A JavaScript dialog is open; the tab takes no other call until it is answered.
    #[error("dialog open ({kind}): {}", quoted(message))]
    DialogOpen {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        kind: String,
        /// The text that the page shows in it.
        message: String,
    },
    /// The engine does not support this.
    #[error("{what} is not supported in {engine} yet")]
    Unsupported {
        /// The unsupported action; it begins the sentence.
        what: &'static str,
        /// The name of the engine.
        engine: &'static str,
    },
    /// The browser is too old, or of the wrong kind, for what was asked for.
    #[error("{what} is not possible in {product}; {able} can do it")]
    LacksHere {
        /// The wanted thing; it begins the sentence.
        what: String,
        /// The name and version of the browser.
        product: String,
        /// The browsers that can do it.
        able: &'static str,
    },
    /// A condition could not be emulated.
    #[error("{what} cannot be emulated: {reason}")]
    NotEmulated {
        /// The condition; it begins the sentence.
        what: String,
        /// Why, and what to do, as clauses.
        reason: String,
    },
    /// The key is unknown.
    #[error(transparent)]
    UnknownKey(#[from] crate::keys::UnknownKey),
    /// An expression that may only read would change something.
    #[error(
        "the expression was refused, because it would change something or wait for something; only read here, for example with querySelectorAll, textContent, filter and map"
    )]
    WouldChange,
    /// An expression ran too long.
    #[error("the expression was ended after {} s; give one that reads less", limit.as_secs())]
    RanTooLong {
        /// How long it could run.
        limit: Duration,
    },
    /// A script threw.
    #[error("the script failed: {0}")]
    Script(String),
    /// The engine refused a command.
    #[error("the browser refused {method}: {message}")]
    Refused {
        /// The command's name in the protocol.
        method: String,
        /// The engine's own words.
        message: String,
    },
}

/// Returns an address without user name, password and parameters, which may hold secrets, and cut
/// after 120 characters.
pub(crate) fn short(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = path.split_at(path.find("//").map_or(0, |at| at + 2));
    let host = rest.split('/').next().and_then(|host| host.rfind('@')).map_or(0, |at| at + 1);
    let mut shown = (scheme.chars().chain(rest[host..].chars())).take(121);
    let start: String = shown.by_ref().take(120).collect();
    let is_cut = path.len() < url.len() || shown.next().is_some();
    if is_cut { format!("{start}…") } else { start }
}

/// Returns a time as people write it: `10:04:31 UTC (14 s ago)`.
pub fn clock(time: SystemTime) -> String {
    let at = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (hours, minutes, seconds) = (at / 3600 % 24, at / 60 % 60, at % 60);
    let ago = time.elapsed().unwrap_or_default().as_secs();
    format!("{hours:02}:{minutes:02}:{seconds:02} UTC ({ago} s ago)")
}

/// Quotes a text of the page as a JSON string, cut after 200 characters.
fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(200).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    serde_json::Value::String(short).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_message_contains_the_secrets_of_an_address() {
        let url = "https://ci:PASS@staging:8443/a@b?token=abc#access_token=abc".to_owned();
        let reason = "no".to_owned();
        for error in [
            BrowserError::NotConnected { url: url.clone(), reason: reason.clone() },
            BrowserError::LoadFailed { url: url.clone(), reason },
            BrowserError::LoginWanted { url },
        ] {
            let text = error.to_string();
            assert!(text.contains("https://staging:8443/a@b…"), "{text}");
        }
        assert_eq!(short("ws://host:3000?token=abc"), "ws://host:3000…");
        assert_eq!(short("host:9222"), "host:9222");
        assert_eq!(short("ci:PASS@host:9222"), "host:9222");
    }

    #[test]
    fn a_hang_has_a_beginning() {
        let since = SystemTime::now() - Duration::from_secs(14);
        let text = BrowserError::Hangs { since }.to_string();
        assert!(text.ends_with(" UTC (14 s ago); its script may never end"), "{text}");
        assert_eq!(
            clock(UNIX_EPOCH + Duration::from_secs(36_271)).split(' ').next(),
            Some("10:04:31")
        );
    }
}
