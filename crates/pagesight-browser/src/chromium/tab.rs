//! One tab of a Chromium: navigation, pictures, dialogs, size. Calls into the page are in
//! `script.rs`, input in `input.rs`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use serde::Deserialize;
use serde_json::{Value, json};

use super::events::ABORTED;
use super::protocol::{History, LayoutMetrics, Navigated, Screenshot};
use super::state::{TabState, read};
use super::{hidden_parts, input, script};
use crate::api::input::Gesture;
use crate::api::traits::{
    Begun, CALL_LIMIT, HistoryStep, ImageFormat, Reached, ShotArea, Tab, Viewport,
};
use crate::error::{BrowserError, Result};

/// The tallest picture of a whole page; Chromium repeats or drops what is further down.
const TALLEST: f64 = 16384.0;
/// What Chromium calls a page that wants a name and a password.
pub(super) const NO_LOGIN: &str = "net::ERR_INVALID_AUTH_CREDENTIALS";
/// How long a step in the history may take to show whether it leaves the document.
const STEP_LIMIT: Duration = Duration::from_secs(1);
/// How often a page may get ahead of a navigation.
const OVERTAKEN: usize = 5;

/// One tab.
pub(super) struct ChromiumTab(pub(super) Arc<TabState>);

/// An answer without anything in it.
#[derive(Deserialize)]
struct Done {}

/// The command that gives a tab its size.
pub(super) fn metrics(viewport: Viewport) -> Value {
    json!({"width": viewport.width, "height": viewport.height, "deviceScaleFactor": 1, "mobile": false})
}

impl ChromiumTab {
    async fn command(&self, method: &'static str, params: Value) -> Result<()> {
        self.0.call(method, params, CALL_LIMIT).await.map(|Done {}| ())
    }
}

#[async_trait]
impl Tab for ChromiumTab {
    fn id(&self) -> &str {
        &self.0.id
    }

    async fn navigate(&self, url: &str, limit: Duration) -> Result<Begun> {
        let deadline = tokio::time::Instant::now() + limit;
        // It would overtake every navigation that has to wait for a server; an empty page is there
        // at once.
        for _ in 0..OVERTAKEN {
            if !self.0.traffic().is_restless() || self.0.facts.borrow().blank {
                break;
            }
            drop(self.0.begin("Page.stopLoading", json!({})));
            let _: Navigated =
                self.0.call("Page.navigate", json!({"url": "about:blank"}), limit).await?;
            let mut facts = self.0.facts.subscribe();
            let _ = tokio::time::timeout(STEP_LIMIT, facts.wait_for(|facts| facts.blank)).await;
        }
        let mut answer: Result<Navigated>;
        let mut tries = 0;
        loop {
            let left = deadline.saturating_duration_since(tokio::time::Instant::now());
            let asked = self.0.traffic().asked;
            answer = self.0.call("Page.navigate", json!({"url": url}), left).await;
            // A page that goes on to somewhere else in the same moment must not keep its visitor.
            let overtaken = matches!(&answer, Ok(Navigated { error_text: Some(reason), is_download: false, .. }) if reason == ABORTED)
                && self.0.traffic().asked != asked;
            tries += 1;
            if !overtaken || tries > OVERTAKEN {
                break;
            }
            self.command("Page.stopLoading", json!({})).await?;
        }
        match answer {
            Ok(Navigated { error_text: Some(reason), .. }) if reason == NO_LOGIN => {
                Err(BrowserError::LoginWanted { url: url.to_owned() })
            }
            Ok(Navigated { error_text: Some(reason), .. }) if reason != ABORTED => {
                Err(BrowserError::LoadFailed { url: url.to_owned(), reason })
            }
            Ok(Navigated { error_text: Some(_), .. } | Navigated { loader_id: Some(_), .. }) => {
                Ok(Begun::NewDocument)
            }
            Ok(Navigated { .. }) => Ok(Begun::SameDocument),
            // The server has not answered yet; the navigation goes on.
            Err(BrowserError::TimedOut { .. }) => Ok(Begun::NewDocument),
            Err(BrowserError::Refused { message, .. }) => {
                Err(BrowserError::LoadFailed { url: url.to_owned(), reason: message })
            }
            Err(error) => Err(error),
        }
    }

    async fn reload(&self) -> Result<()> {
        self.command("Page.reload", json!({})).await
    }

    async fn step(&self, step: HistoryStep) -> Result<Begun> {
        let history: History =
            self.0.call("Page.getNavigationHistory", json!({}), CALL_LIMIT).await?;
        let index = match step {
            HistoryStep::Back => history.current_index.checked_sub(1),
            HistoryStep::Forward => history.current_index.checked_add(1),
        };
        let Some(entry) = index.and_then(|index| history.entries.get(index)) else {
            return Ok(Begun::Nothing);
        };
        let mut facts = self.0.facts.subscribe();
        let before = facts.borrow_and_update().begun;
        self.command("Page.navigateToHistoryEntry", json!({"entryId": entry.id})).await?;
        let begun = self.0.unless_stopped(false, async {
            let begun =
                tokio::time::timeout(STEP_LIMIT, facts.wait_for(|facts| facts.begun > before))
                    .await;
            Ok(matches!(begun, Ok(Ok(facts)) if facts.within))
        });
        Ok(if begun.await? { Begun::SameDocument } else { Begun::NewDocument })
    }

    async fn stop(&self) -> Result<()> {
        self.command("Page.stopLoading", json!({})).await
    }

    async fn interrupt(&self) -> Result<()> {
        self.command("Runtime.terminateExecution", json!({})).await
    }

    async fn script(
        &self,
        frame: Option<&str>,
        function: &str,
        arguments: &str,
        limit: Duration,
    ) -> Result<String> {
        script::script(&self.0, frame, function, arguments, limit).await
    }

    async fn frames_of(
        &self,
        frame: Option<&str>,
        elements: &[u32],
        limit: Duration,
    ) -> Result<Vec<Option<String>>> {
        script::frames_of(&self.0, frame, elements, limit).await
    }

    async fn listeners(
        &self,
        frame: Option<&str>,
        element: u32,
        limit: Duration,
    ) -> Result<Option<Vec<String>>> {
        hidden_parts::listeners(&self.0, frame, element, limit).await.map(Some)
    }

    async fn reach(&self, limit: Duration) -> Result<Reached> {
        hidden_parts::reach(&self.0, limit).await
    }

    async fn evaluate(&self, expression: &str, limit: Duration) -> Result<String> {
        script::evaluate(&self.0, expression, limit).await
    }

    async fn gesture(&self, gesture: &Gesture) -> Result<()> {
        input::perform(&self.0, gesture).await
    }

    async fn set_files(
        &self,
        frame: Option<&str>,
        field: u32,
        files: &[PathBuf],
        limit: Duration,
    ) -> Result<()> {
        let Some((object, session)) = script::element(&self.0, frame, field, limit).await? else {
            return Err(BrowserError::Navigated);
        };
        let params = json!({"files": files, "objectId": object});
        self.0.call_in(&session, "DOM.setFileInputFiles", params, limit).await.map(|Done {}| ())
    }

    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()> {
        let mut params = json!({"accept": accept});
        // Left out it would be an empty answer, not the one that the prompt proposes.
        let proposed =
            self.0.facts.borrow().dialog.as_ref().and_then(|dialog| dialog.proposed.clone());
        if let Some(text) = text.map(str::to_owned).or(proposed.filter(|_| accept)) {
            params["promptText"] = json!(text);
        }
        self.0.begin("Page.handleJavaScriptDialog", params).wait(CALL_LIMIT).await?;
        // The event that says so may come after the reply; until then every other call would fail.
        let mut facts = self.0.facts.subscribe();
        let closed = facts.wait_for(|facts| facts.dialog.is_none() || facts.closed);
        let _ = tokio::time::timeout(Duration::from_secs(1), closed).await;
        Ok(())
    }

    async fn screenshot(&self, area: ShotArea, format: ImageFormat) -> Result<Vec<u8>> {
        self.0.ready(true)?;
        self.0.wake();
        // A tab in the background draws nothing.
        self.command("Page.bringToFront", json!({})).await?;
        let mut params = match format {
            ImageFormat::Png => json!({"format": "png"}),
            ImageFormat::Jpeg => json!({"format": "jpeg", "quality": 80}),
            ImageFormat::Webp => json!({"format": "webp", "quality": 80}),
        };
        if area != ShotArea::Viewport {
            let metrics: LayoutMetrics =
                self.0.call("Page.getLayoutMetrics", json!({}), CALL_LIMIT).await?;
            params["clip"] = clip(area, &metrics);
            params["captureBeyondViewport"] = json!(true);
        }
        let pending = self.0.begin("Page.captureScreenshot", params);
        let raw = self.0.unless_stopped(true, pending.wait(CALL_LIMIT)).await?;
        let shot: Screenshot = read("Page.captureScreenshot", &raw)?;
        let decoded = base64::engine::general_purpose::STANDARD.decode(shot.data);
        decoded.map_err(|error| BrowserError::Refused {
            method: "Page.captureScreenshot".to_owned(),
            message: error.to_string(),
        })
    }

    async fn resize(&self, viewport: Viewport) -> Result<()> {
        self.command("Emulation.setDeviceMetricsOverride", metrics(viewport)).await
    }

    async fn close(&self) -> Result<()> {
        let mut facts = self.0.facts.subscribe();
        let params = json!({"targetId": self.0.id});
        match self.0.connection.call(None, "Target.closeTarget", params, CALL_LIMIT).await {
            Ok(_) => {}
            // It is gone already.
            Err(BrowserError::Refused { message, .. }) if message.contains("No target") => {
                return Ok(());
            }
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

/// The part of the document to draw, in CSS pixels of the document.
fn clip(area: ShotArea, metrics: &LayoutMetrics) -> Value {
    let (x, y, width, height) = match area {
        ShotArea::Box { x, y, width, height } => {
            let view = &metrics.css_visual_viewport;
            (x + view.page_x, y + view.page_y, width, height)
        }
        ShotArea::Viewport | ShotArea::FullPage => {
            (0.0, 0.0, metrics.css_content_size.width, metrics.css_content_size.height)
        }
    };
    json!({"x": x, "y": y, "width": width.max(1.0), "height": height.clamp(1.0, TALLEST), "scale": 1})
}
