//! Connects to a browser that asks its user first. The WebSocket upgrade is held until the user
//! answers, consent is given for one socket and not remembered, and a client that gives up leaves
//! the question open. So one socket is opened and kept while callers come and go.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio_tungstenite::tungstenite;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::CONNECT_LIMIT;
use super::address::dial;
use super::listener::is_foreign;
use super::running::{RunningBrowser, find};
use crate::api::traits::Connected;
use crate::chromium::browser::{ChromiumOrigin, greet};
use crate::error::{BrowserError, Result};
use crate::sync::lock;
use crate::wire::websocket::shake_hands;

/// How long the user may take to answer.
pub const CONSENT_LIMIT: Duration = Duration::from_secs(180);

/// A connection to a running browser that its user may still have to allow. Clones share the same
/// socket, which is closed with the last of them.
#[derive(Clone)]
pub struct PendingConsent(Arc<ConsentInner>);

struct ConsentInner {
    /// The browser's name, as people write it.
    browser: &'static str,
    /// Cancelled when the outcome is there.
    answered: CancellationToken,
    outcome: Arc<Mutex<Option<Result<Connected>>>>,
    _task: AbortOnDropHandle<()>,
}

impl PendingConsent {
    /// Finds the running browser that a name stands for, and opens a connection to it. Must be
    /// called inside a tokio runtime.
    pub async fn begin(wanted: &str) -> Result<PendingConsent> {
        let browser = find(wanted).await?;
        Ok(PendingConsent::to(browser, CONSENT_LIMIT))
    }

    /// Opens a connection that waits for `patience`.
    fn to(browser: RunningBrowser, patience: Duration) -> PendingConsent {
        let name = browser.channel.name;
        let outcome: Arc<Mutex<Option<Result<Connected>>>> = Arc::default();
        let answered = CancellationToken::new();
        let (result, done) = (outcome.clone(), answered.clone());
        let _task = AbortOnDropHandle::new(tokio::spawn(async move {
            let connected = open(&browser, patience).await;
            *lock(&result) = Some(connected);
            done.cancel();
        }));
        PendingConsent(Arc::new(ConsentInner { browser: name, answered, outcome, _task }))
    }

    /// Waits for the outcome, and returns whether it is there.
    pub async fn is_answered(&self, limit: Duration) -> bool {
        tokio::time::timeout(limit, self.0.answered.cancelled()).await.is_ok()
    }

    /// Takes the outcome, if it is there and nobody took it before.
    pub fn take(&self) -> Option<Result<Connected>> {
        lock(&self.0.outcome).take()
    }

    /// Returns the error for callers that do not wait any longer.
    pub fn still_waiting(&self) -> BrowserError {
        BrowserError::AwaitsConsent { browser: self.0.browser }
    }
}

/// Opens the socket, waits until the user allows it, and sets up the connection.
async fn open(browser: &RunningBrowser, patience: Duration) -> Result<Connected> {
    let name = browser.channel.name;
    let authority = format!("127.0.0.1:{}", browser.port);
    let broken = |reason: String| BrowserError::AttachFailed { browser: name, reason };
    let (stream, _) = dial(&authority).await.map_err(broken)?;
    if is_foreign(browser.port) {
        return Err(BrowserError::ForeignPort { browser: name, port: browser.port });
    }
    let url = format!("ws://{authority}{}", browser.path);
    let shaken = match tokio::time::timeout(patience, shake_hands(&url, stream)).await {
        Ok(shaken) => shaken,
        Err(_) => {
            let minutes = patience.as_secs() / 60;
            return Err(BrowserError::NoConsent { browser: name, minutes });
        }
    };
    let (incoming, outgoing) = shaken.map_err(|error| match error {
        tungstenite::Error::Http(answer) if answer.status() == 403 => {
            BrowserError::ConsentRefused { browser: name }
        }
        // The browser does not know the path: the file is older than the browser.
        tungstenite::Error::Http(answer) => {
            broken(format!("it answered with HTTP {}", answer.status().as_u16()))
        }
        _ => broken("it closed the connection before Allow was pressed".to_owned()),
    })?;
    greet(incoming, outgoing, ChromiumOrigin::Running, CONNECT_LIMIT).await
}

#[cfg(test)]
mod tests;
