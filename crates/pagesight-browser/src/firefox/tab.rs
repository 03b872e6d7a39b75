//! One tab of a Firefox: navigation, screenshots, dialogs, size. Calls into the page are in
//! `bidi/script.rs`, input in `input.rs`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::drag::Mouse;
use super::tabs::{FirefoxTabs, UnclaimedTab};
use super::{emulation, hidden_parts, input, request_watch};
use crate::api::emulation::Emulation;
use crate::api::input::Gesture;
use crate::api::log::{BodyData, BodySide};
use crate::api::traits::{
    CALL_LIMIT, HiddenParts, HistoryStep, ImageFormat, NavigationStart, OpenedTab, ShotArea,
    ShotRequest, Tab, Viewport,
};
use crate::bidi::events::short_reason;
use crate::bidi::protocol::Navigated;
use crate::bidi::script;
use crate::bidi::state::{BidiTabState, explain_refusal};
use crate::engine::tab::{Done, LONGEST_HANG, TALLEST_SCREENSHOT};
use crate::error::{BrowserError, Result};
use crate::options::Engine;
use crate::sync::lock;

/// How long a page may take to be stopped.
const STOP_LIMIT: Duration = Duration::from_secs(2);

/// How often a navigation is tried if the page navigates at the same time.
const TRIES: u32 = 6;

pub(super) struct FirefoxTab {
    state: Arc<BidiTabState>,
    tabs: Arc<FirefoxTabs>,
    /// The window that it was opened in.
    window: Option<String>,
    /// The context that it is in.
    user_context: Option<String>,
    mouse: Mouse,
}

impl FirefoxTab {
    /// Turns an unclaimed tab into one that its new owner can use.
    pub(super) fn opened(tabs: &Arc<FirefoxTabs>, tab: UnclaimedTab, url: String) -> OpenedTab {
        let UnclaimedTab { state, window, user_context, events } = tab;
        let mouse = Mouse::new(tabs.mouse_through_window);
        let tab = FirefoxTab {
            state,
            tabs: tabs.clone(),
            window,
            user_context: user_context.clone(),
            mouse,
        };
        OpenedTab { tab: Arc::new(tab), url, context: user_context, events }
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

    async fn navigate(&self, url: &str, limit: Duration) -> Result<NavigationStart> {
        request_watch::take_in(&self.tabs, &self.state).await;
        emulation::allow_position(&self.state, url, self.user_context.as_deref()).await;
        // The reply comes when the new document is committed.
        let params = json!({"context": self.id(), "url": url, "wait": "none"});
        let failed = |reason: &str| BrowserError::LoadFailed {
            url: url.to_owned(),
            reason: reason.to_owned(),
        };
        let before = self.state.status.borrow().navigations;
        let deadline = Instant::now() + limit;
        let mut tries = 0;
        let answer = loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // Only what is given up from here on counts.
            {
                let mut traffic = self.state.traffic();
                (traffic.given_up, traffic.revived) = (false, false);
            }
            let opening = self.state.opening();
            let answer = self.state.call("browsingContext.navigate", &params, left).await;
            drop(opening);
            tries += 1;
            // The page began to navigate at the same time, and won.
            let lost = answer.is_ok() && self.state.traffic().revived;
            if !lost || tries == TRIES {
                break answer;
            }
            tracing::debug!(url, "a navigation of the page itself came first");
        };
        match answer {
            Ok(Navigated { navigation }) => {
                let within = navigation.is_some()
                    && self.state.status.borrow().frames.last_within == navigation;
                Ok(if within {
                    NavigationStart::SameDocument
                } else {
                    NavigationStart::NewDocument
                })
            }
            // Firefox asks the page before it leaves it, and the page does not answer.
            Err(BrowserError::TimedOut { .. })
                if self.state.status.borrow().navigations == before =>
            {
                Err(hangs())
            }
            // The server has not answered yet; the navigation goes on.
            Err(BrowserError::TimedOut { .. }) => Ok(NavigationStart::NewDocument),
            Err(BrowserError::Refused { message, .. }) => match load_error(&message) {
                // Events report the result.
                None => Ok(NavigationStart::NewDocument),
                Some(reason) => Err(failed(reason)),
            },
            Err(error) => Err(error),
        }
    }

    async fn reload(&self) -> Result<()> {
        request_watch::take_in(&self.tabs, &self.state).await;
        let (mut status, before) = self.state.navigations();
        let pending = self
            .state
            .begin("browsingContext.reload", json!({"context": self.id(), "wait": "none"}));
        // The reply comes when the document is committed; the beginning is enough.
        let begun = async {
            tokio::select! {
                reply = pending.wait(CALL_LIMIT) => reply.map(|_| ()),
                _ = status.wait_for(|status| status.navigations > before) => Ok(()),
            }
        };
        match self.state.unless_blocked(false, begun).await.map_err(explain_refusal) {
            Err(BrowserError::TimedOut { .. }) => Err(hangs()),
            Err(BrowserError::Refused { message, .. }) if load_error(&message).is_none() => Ok(()),
            answer => answer,
        }
    }

    async fn step(&self, step: HistoryStep) -> Result<NavigationStart> {
        let delta = match step {
            HistoryStep::Back => -1,
            HistoryStep::Forward => 1,
        };
        request_watch::take_in(&self.tabs, &self.state).await;
        let navigations = self.state.navigations();
        let params = json!({"context": self.id(), "delta": delta});
        match self.state.command("browsingContext.traverseHistory", params).await {
            Ok(()) => {}
            Err(BrowserError::Refused { message, .. })
                if message.starts_with("no such history entry") =>
            {
                return Ok(NavigationStart::Nothing);
            }
            Err(error) => return Err(error),
        }
        self.state.step_began(navigations).await
    }

    async fn stop(&self) -> Result<()> {
        // The protocol has no command for this; the page's own function does the same.
        match script::ask(&self.state, "window.stop(); ''", STOP_LIMIT).await {
            Err(BrowserError::TimedOut { .. }) => Err(hangs()),
            answer => answer.map(|_| ()),
        }
    }

    async fn interrupt(&self) -> Result<()> {
        Err(Engine::Firefox.lacks("stopping a running script"))
    }

    async fn responds(&self) -> Result<()> {
        script::ask(&self.state, "''", LONGEST_HANG).await.map(drop)
    }

    fn mute(&self) {
        request_watch::leave_out(&self.tabs, &self.state, None);
    }

    async fn end_page_process(&self) -> Result<()> {
        Err(Engine::Firefox.lacks("ending the process of a page"))
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

    async fn evaluate_beside(
        &self,
        frame: Option<&str>,
        expression: &str,
        limit: Duration,
    ) -> Result<String> {
        script::evaluate_beside(&self.state, frame, expression, limit).await
    }

    async fn frames_of(
        &self,
        frame: Option<&str>,
        elements: &[u32],
        limit: Duration,
    ) -> Result<Vec<Option<String>>> {
        script::frames_of(&self.state, frame, elements, limit).await
    }

    async fn find_hidden_parts(&self, limit: Duration) -> Result<HiddenParts> {
        hidden_parts::find(&self.state, limit).await
    }

    async fn lacks_closed_roots(&self, limit: Duration) -> Result<bool> {
        hidden_parts::lacks_closed_roots(&self.state, limit).await
    }

    async fn evaluate(&self, expression: &str, limit: Duration) -> Result<String> {
        script::evaluate(&self.state, expression, limit).await
    }

    async fn evaluate_on(
        &self,
        frame: Option<&str>,
        element: u32,
        function: &str,
        limit: Duration,
    ) -> Result<Option<String>> {
        script::evaluate_on(&self.state, frame, element, function, limit).await
    }

    async fn gesture(&self, gesture: &Gesture) -> Result<()> {
        input::perform(&self.state, &self.mouse, gesture).await
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
        if let Some(text) = self.state.dialog_text(accept, text) {
            params["userText"] = json!(text);
        }
        self.state.answer_dialog("browsingContext.handleUserPrompt", params).await
    }

    async fn screenshot(&self, shot: &ShotRequest) -> Result<Vec<u8>> {
        self.state.ready(true)?;
        if shot.scale.is_some() {
            return Err(Engine::Firefox.lacks("scaling a screenshot"));
        }
        let quality = f64::from(shot.quality) / 100.0;
        let format = match shot.format {
            ImageFormat::Png => json!({"type": "image/png"}),
            ImageFormat::Jpeg => json!({"type": "image/jpeg", "quality": quality}),
            ImageFormat::Webp => json!({"type": "image/webp", "quality": quality}),
        };
        let mut params = json!({"context": self.id(), "origin": "document", "format": format});
        // A clip is cut down to the document.
        match shot.area {
            ShotArea::Viewport => params["origin"] = json!("viewport"),
            ShotArea::Document { x, y, width, height } => {
                params["clip"] = clip(x, y, width.max(1.0), height.clamp(1.0, TALLEST_SCREENSHOT));
            }
            ShotArea::Box { x, y, width, height } => {
                let question = "JSON.stringify([scrollX, scrollY])";
                let (left, top) =
                    serde_json::from_str(&script::ask(&self.state, question, CALL_LIMIT).await?)
                        .unwrap_or((0.0, 0.0));
                params["clip"] =
                    clip(x + left, y + top, width.max(1.0), height.clamp(1.0, TALLEST_SCREENSHOT));
            }
        }
        self.state.take_screenshot("browsingContext.captureScreenshot", params).await
    }

    fn scales_screenshots(&self) -> bool {
        false
    }

    async fn resize(&self, viewport: Viewport) -> Result<()> {
        let ratio = lock(&self.state.conditions).device.map_or(1.0, |device| device.pixel_ratio);
        let params = json!({"context": self.id(), "viewport": emulation::size(viewport), "devicePixelRatio": ratio});
        let window = self.window.as_deref();
        let fitting = self.tabs.resize_window(&self.state.connection, window, viewport);
        self.state.command("browsingContext.setViewport", params).await?;
        if let Some(fitting) = fitting
            && let Err(error) = fitting.wait(CALL_LIMIT).await
        {
            tracing::warn!(%error, "the window is smaller than its tab: content outside it gets no mouse events");
        }
        Ok(())
    }

    async fn emulate(&self, wanted: &Emulation) -> Result<()> {
        emulation::change(&self.tabs, &self.state, wanted).await
    }

    fn emulation(&self) -> Emulation {
        lock(&self.state.conditions).clone()
    }

    async fn body(&self, request: &str, side: BodySide, limit: Duration) -> Result<BodyData> {
        self.state.body(request, side, limit).await
    }

    async fn answer_empty(&self) -> Result<()> {
        let params = json!({"phases": ["beforeRequestSent"], "contexts": [self.id()]});
        self.state.begin("network.addIntercept", params).wait(CALL_LIMIT).await.map(drop)
    }

    async fn close(&self) -> Result<()> {
        if self.state.status.borrow().closed {
            return Ok(());
        }
        self.tabs.keep_one_besides(&self.state).await?;
        let pending = self.state.begin("browsingContext.close", json!({"context": self.id()}));
        match pending.wait(CALL_LIMIT).await.map_err(explain_refusal) {
            Ok(_) => self.state.until_closed().await,
            // It is gone already.
            Err(BrowserError::TabClosed) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// The error of a page whose script never ends: Firefox asks the page before it leaves it, and has
/// no way to end the script. The tab can still be closed.
fn hangs() -> BrowserError {
    Engine::Firefox.lacks(
        "leaving a page whose script never ends (except by opening a URL or closing the tab)",
    )
}

/// Returns why a load failed, in Firefox's words; `None` if it was cancelled: a download, a
/// response without content, a different navigation.
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
