//! One tab of a Firefox: navigation, pictures, dialogs, size. Calls into the page are in
//! `script.rs`, input in `input.rs`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use serde::Deserialize;
use serde_json::{Value, json};

use super::browser::Hub;
use super::{hidden_parts, input};
use crate::api::input::Gesture;
use crate::api::traits::{
    Begun, CALL_LIMIT, HistoryStep, ImageFormat, Reached, ShotArea, Tab, Viewport,
};
use crate::bidi::events::short_reason;
use crate::bidi::protocol::{Navigated, Screenshot};
use crate::bidi::script;
use crate::bidi::state::{TabState, gone, read};
use crate::error::{BrowserError, Result};
use crate::options::Engine;

/// The tallest and widest picture of a whole page.
const TALLEST: f64 = 16384.0;
/// How long a step in the history may take to show whether it leaves the document.
const STEP_LIMIT: Duration = Duration::from_secs(1);

/// How long a page may take to be stopped.
const STOP_LIMIT: Duration = Duration::from_secs(2);

/// One tab.
pub(super) struct FirefoxTab {
    pub(super) state: Arc<TabState>,
    pub(super) hub: Arc<Hub>,
}

/// An answer without anything that we read.
#[derive(Deserialize)]
struct Done {}

/// A viewport as BiDi wants it.
pub(super) fn size(viewport: Viewport) -> Value {
    json!({"width": viewport.width, "height": viewport.height})
}

impl FirefoxTab {
    async fn command(&self, method: &'static str, params: Value) -> Result<()> {
        self.state.call(method, params, CALL_LIMIT).await.map(|Done {}| ())
    }

    fn id(&self) -> &str {
        &self.state.id
    }
}

#[async_trait]
impl Tab for FirefoxTab {
    fn id(&self) -> &str {
        &self.state.id
    }

    async fn navigate(&self, url: &str, limit: Duration) -> Result<Begun> {
        // Answered when the new document is committed.
        let params = json!({"context": self.id(), "url": url, "wait": "none"});
        let failed = |reason: &str| BrowserError::LoadFailed {
            url: url.to_owned(),
            reason: reason.to_owned(),
        };
        let before = self.state.facts.borrow().begun;
        match self.state.call("browsingContext.navigate", params, limit).await {
            Ok(Navigated { navigation }) => {
                let within =
                    navigation.is_some() && self.state.facts.borrow().last_within == navigation;
                Ok(if within { Begun::SameDocument } else { Begun::NewDocument })
            }
            // The page was asked for its leave and does not answer.
            Err(BrowserError::TimedOut { .. }) if self.state.facts.borrow().begun == before => {
                Err(hangs())
            }
            // The server has not answered yet; the navigation goes on.
            Err(BrowserError::TimedOut { .. }) => Ok(Begun::NewDocument),
            Err(BrowserError::Refused { message, .. }) => match load_error(&message) {
                // Events tell what became of it.
                None => Ok(Begun::NewDocument),
                Some(reason) => Err(failed(reason)),
            },
            Err(error) => Err(error),
        }
    }

    async fn reload(&self) -> Result<()> {
        let (mut facts, before) = self.begun();
        let pending = self
            .state
            .begin("browsingContext.reload", json!({"context": self.id(), "wait": "none"}));
        // Answered when the document is committed; that it began is enough.
        let begun = async {
            tokio::select! {
                reply = pending.wait(CALL_LIMIT) => reply.map(|_| ()),
                _ = facts.wait_for(|facts| facts.begun > before) => Ok(()),
            }
        };
        match self.state.unless_stopped(false, begun).await.map_err(gone) {
            Err(BrowserError::TimedOut { .. }) => Err(hangs()),
            Err(BrowserError::Refused { message, .. }) if load_error(&message).is_none() => Ok(()),
            answer => answer,
        }
    }

    async fn step(&self, step: HistoryStep) -> Result<Begun> {
        let delta = match step {
            HistoryStep::Back => -1,
            HistoryStep::Forward => 1,
        };
        let (mut facts, before) = self.begun();
        let params = json!({"context": self.id(), "delta": delta});
        match self.command("browsingContext.traverseHistory", params).await {
            Ok(()) => {}
            Err(BrowserError::Refused { message, .. })
                if message.starts_with("no such history entry") =>
            {
                return Ok(Begun::Nothing);
            }
            Err(error) => return Err(error),
        }
        let begun = self.state.unless_stopped(false, async {
            let begun =
                tokio::time::timeout(STEP_LIMIT, facts.wait_for(|facts| facts.begun > before))
                    .await;
            Ok(matches!(begun, Ok(Ok(facts)) if facts.within))
        });
        Ok(if begun.await? { Begun::SameDocument } else { Begun::NewDocument })
    }

    async fn stop(&self) -> Result<()> {
        // The protocol has no command for it; the page's own does the same.
        match script::ask(&self.state, "window.stop(); ''", STOP_LIMIT).await {
            Err(BrowserError::TimedOut { .. }) => Err(hangs()),
            answer => answer.map(|_| ()),
        }
    }

    async fn interrupt(&self) -> Result<()> {
        Err(Engine::Firefox.lacks("ending a script that runs"))
    }

    async fn script(
        &self,
        frame: Option<&str>,
        function: &str,
        arguments: &str,
        limit: Duration,
    ) -> Result<String> {
        script::script(&self.state, frame, function, arguments, limit).await
    }

    async fn frames_of(
        &self,
        frame: Option<&str>,
        elements: &[u32],
        limit: Duration,
    ) -> Result<Vec<Option<String>>> {
        script::frames_of(&self.state, frame, elements, limit).await
    }

    async fn reach(&self, limit: Duration) -> Result<Reached> {
        hidden_parts::reach(&self.state, limit).await
    }

    async fn evaluate(&self, expression: &str, limit: Duration) -> Result<String> {
        script::evaluate(&self.state, expression, limit).await
    }

    async fn gesture(&self, gesture: &Gesture) -> Result<()> {
        input::perform(&self.state, gesture).await
    }

    async fn set_files(
        &self,
        frame: Option<&str>,
        field: u32,
        files: &[PathBuf],
        limit: Duration,
    ) -> Result<()> {
        let Some(shared) = script::element(&self.state, frame, field, limit).await? else {
            return Err(BrowserError::Navigated);
        };
        let context = frame.unwrap_or(self.id());
        let params = json!({"context": context, "element": {"sharedId": shared}, "files": files});
        self.state.call("input.setFiles", params, limit).await.map(|Done {}| ())
    }

    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()> {
        let mut params = json!({"context": self.id(), "accept": accept});
        // Left out it would be an empty answer, not the one that the prompt proposes.
        let proposed =
            self.state.facts.borrow().dialog.as_ref().and_then(|dialog| dialog.proposed.clone());
        if let Some(text) = text.map(str::to_owned).or(proposed.filter(|_| accept)) {
            params["userText"] = json!(text);
        }
        self.state.begin("browsingContext.handleUserPrompt", params).wait(CALL_LIMIT).await?;
        // The event that says so may come after the reply; until then every other call would fail.
        let mut facts = self.state.facts.subscribe();
        let closed = facts.wait_for(|facts| facts.dialog.is_none() || facts.closed);
        let _ = tokio::time::timeout(Duration::from_secs(1), closed).await;
        Ok(())
    }

    async fn screenshot(&self, area: ShotArea, format: ImageFormat) -> Result<Vec<u8>> {
        self.state.ready(true)?;
        let format = match format {
            ImageFormat::Png => json!({"type": "image/png"}),
            ImageFormat::Jpeg => json!({"type": "image/jpeg", "quality": 0.8}),
            ImageFormat::Webp => json!({"type": "image/webp", "quality": 0.8}),
        };
        let mut params = json!({"context": self.id(), "origin": "document", "format": format});
        // A clip is cut down to the document.
        match area {
            ShotArea::Viewport => params["origin"] = json!("viewport"),
            ShotArea::FullPage => params["clip"] = clip(0.0, 0.0, TALLEST, TALLEST),
            ShotArea::Box { x, y, width, height } => {
                let question = "JSON.stringify([scrollX, scrollY])";
                let (left, top) =
                    serde_json::from_str(&script::ask(&self.state, question, CALL_LIMIT).await?)
                        .unwrap_or((0.0, 0.0));
                params["clip"] =
                    clip(x + left, y + top, width.max(1.0), height.clamp(1.0, TALLEST));
            }
        }
        let method = "browsingContext.captureScreenshot";
        let pending = self.state.begin(method, params);
        let raw = self.state.unless_stopped(true, pending.wait(CALL_LIMIT)).await.map_err(gone)?;
        let shot: Screenshot = read(method, &raw)?;
        let decoded = base64::engine::general_purpose::STANDARD.decode(shot.data);
        decoded.map_err(|error| BrowserError::Refused {
            method: method.to_owned(),
            message: error.to_string(),
        })
    }

    async fn resize(&self, viewport: Viewport) -> Result<()> {
        let params =
            json!({"context": self.id(), "viewport": size(viewport), "devicePixelRatio": 1});
        let fitting = self.hub.window_around(&self.state, viewport);
        self.command("browsingContext.setViewport", params).await?;
        if let Some(fitting) = fitting
            && let Err(error) = fitting.wait(CALL_LIMIT).await
        {
            tracing::warn!(%error, "the window is smaller than its tab: what is outside of it feels no mouse");
        }
        Ok(())
    }

    async fn close(&self) -> Result<()> {
        if self.state.facts.borrow().closed {
            return Ok(());
        }
        self.hub.keep_one_besides(&self.state).await?;
        let mut facts = self.state.facts.subscribe();
        let pending = self.state.begin("browsingContext.close", json!({"context": self.id()}));
        match pending.wait(CALL_LIMIT).await.map_err(gone) {
            Ok(_) => {}
            // It is gone already.
            Err(BrowserError::TabClosed) => return Ok(()),
            Err(error) => return Err(error),
        }
        let late =
            |_| BrowserError::TimedOut { what: "closing the tab".to_owned(), limit: CALL_LIMIT };
        tokio::time::timeout(CALL_LIMIT, facts.wait_for(|facts| facts.closed))
            .await
            .map_err(late)?
            .map(|_| ())
            .or(Ok(()))
    }
}

impl FirefoxTab {
    /// Something to wait with for the next navigation, and how many there were.
    fn begun(&self) -> (tokio::sync::watch::Receiver<crate::bidi::state::Facts>, u64) {
        let mut facts = self.state.facts.subscribe();
        let before = facts.borrow_and_update().begun;
        (facts, before)
    }
}

/// Firefox asks the page before it leaves it, and nothing ends a script that never ends; the tab
/// can still be closed.
fn hangs() -> BrowserError {
    Engine::Firefox.lacks("leaving a page whose script never ends (open a url, or close the tab)")
}

/// Why a load failed, in Firefox's words; none if it was only given up: a download, an answer
/// without content, another navigation.
fn load_error(message: &str) -> Option<&str> {
    let reason = message.strip_prefix("unknown error: ").unwrap_or(message);
    let reason = reason.strip_prefix("Error: ").unwrap_or(reason);
    let given_up = [
        "NS_BINDING_ABORTED",
        "NS_BINDING_RETARGETED",
        "Beforeunload prompt was rejected",
        "AbortError",
    ];
    (!given_up.iter().any(|words| reason.contains(words))).then(|| short_reason(reason))
}

fn clip(x: f64, y: f64, width: f64, height: f64) -> Value {
    json!({"type": "box", "x": x, "y": y, "width": width, "height": height})
}

#[cfg(test)]
mod tests {
    #[test]
    fn load_errors() {
        assert_eq!(super::load_error("unknown error: Error: NS_BINDING_ABORTED"), None);
        let refused = "unknown error: Error: NS_ERROR_CONNECTION_REFUSED";
        assert_eq!(super::load_error(refused), Some("NS_ERROR_CONNECTION_REFUSED"));
    }
}
