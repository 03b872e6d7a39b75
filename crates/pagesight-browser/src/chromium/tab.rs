//! One tab of a Chromium: navigation, dialogs, size. Calls into the page are in `script.rs`, input
//! in `input.rs`, screenshots in `screenshot.rs`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::Mutex;

use super::hidden_parts::known::KnownParts;
use super::hidden_parts::{self, listeners};
use super::protocol::{ABORTED, History, NO_LOGIN, Navigated};
use super::state::ChromiumTabState;
use super::{emulation, input, reading, screenshot, script};
use crate::api::emulation::Emulation;
use crate::api::input::Gesture;
use crate::api::log::{BodyData, BodySide};
use crate::api::traits::{
    CALL_LIMIT, HiddenParts, HistoryStep, NavigationStart, ReadValue, ReadingExpression,
    ShotRequest, Tab, Viewport,
};
use crate::engine::tab::{Done, LONGEST_HANG, STEP_LIMIT};
use crate::error::{BrowserError, Result};
use crate::sync::lock;

/// How often a page may navigate away before our own navigation takes effect.
const OVERTAKEN: usize = 5;

/// How long the process of a page may take to end.
const END_LIMIT: Duration = Duration::from_secs(1);

/// How long one document may take to replace another.
const REPLACEMENT_LIMIT: Duration = Duration::from_secs(2);

/// The pause before Chromium is asked again while one document replaces another.
const REPLACEMENT_PAUSE: Duration = Duration::from_millis(20);

pub(super) struct ChromiumTab {
    state: Arc<ChromiumTabState>,
    /// The hidden parts of their documents that the page scripts know.
    hidden_parts: Mutex<KnownParts>,
}

impl ChromiumTab {
    /// Creates the tab with this state.
    pub(super) fn new(state: Arc<ChromiumTabState>) -> ChromiumTab {
        ChromiumTab { state, hidden_parts: Mutex::default() }
    }

    /// Reads the tab's history. Chromium refuses while one document replaces another.
    async fn history(&self) -> Result<History> {
        let deadline = tokio::time::Instant::now() + REPLACEMENT_LIMIT;
        loop {
            let limit = deadline.saturating_duration_since(tokio::time::Instant::now());
            match self.state.call("Page.getNavigationHistory", json!({}), CALL_LIMIT).await {
                Err(BrowserError::Refused { message, .. })
                    if script::is_between_documents(&message) && !limit.is_zero() =>
                {
                    tokio::time::sleep(REPLACEMENT_PAUSE).await;
                }
                outcome => return outcome,
            }
        }
    }
}

#[async_trait]
impl Tab for ChromiumTab {
    fn id(&self) -> &str {
        &self.state.id
    }

    async fn navigate(&self, url: &str, limit: Duration) -> Result<NavigationStart> {
        let deadline = tokio::time::Instant::now() + limit;
        // A page that keeps navigating would override every navigation that has to wait for a
        // server, so an empty page is loaded first: it is there at once.
        for _ in 0..OVERTAKEN {
            if !self.state.traffic().keeps_navigating() || self.state.status.borrow().frames.blank {
                break;
            }
            drop(self.state.begin("Page.stopLoading", json!({})));
            let _: Navigated =
                self.state.call("Page.navigate", json!({"url": "about:blank"}), limit).await?;
            let mut status = self.state.status.subscribe();
            let _ = tokio::time::timeout(STEP_LIMIT, status.wait_for(|status| status.frames.blank))
                .await;
        }
        let mut answer: Result<Navigated>;
        let mut tries = 0;
        loop {
            let left = deadline.saturating_duration_since(tokio::time::Instant::now());
            let requested = self.state.traffic().requested;
            answer = self.state.call("Page.navigate", json!({"url": url}), left).await;
            // The page itself may navigate at the same moment; it must not prevent us from leaving.
            let overtaken = matches!(&answer, Ok(Navigated { error_text: Some(reason), is_download: false, .. }) if reason == ABORTED)
                && self.state.traffic().requested != requested;
            tries += 1;
            if !overtaken || tries > OVERTAKEN {
                break;
            }
            self.state.command("Page.stopLoading", json!({})).await?;
        }
        match answer {
            Ok(Navigated { error_text: Some(reason), .. }) if reason == NO_LOGIN => {
                Err(BrowserError::LoginWanted { url: url.to_owned() })
            }
            Ok(Navigated { error_text: Some(reason), .. }) if reason != ABORTED => {
                Err(BrowserError::LoadFailed { url: url.to_owned(), reason })
            }
            Ok(Navigated { error_text: Some(_), .. } | Navigated { loader_id: Some(_), .. }) => {
                Ok(NavigationStart::NewDocument)
            }
            Ok(Navigated { .. }) => Ok(NavigationStart::SameDocument),
            // The server has not answered yet; the navigation goes on.
            Err(BrowserError::TimedOut { .. }) => Ok(NavigationStart::NewDocument),
            Err(BrowserError::Refused { message, .. }) => {
                Err(BrowserError::LoadFailed { url: url.to_owned(), reason: message })
            }
            Err(error) => Err(error),
        }
    }

    async fn reload(&self) -> Result<()> {
        self.state.command("Page.reload", json!({})).await
    }

    async fn step(&self, step: HistoryStep) -> Result<NavigationStart> {
        let history = self.history().await?;
        let index = match step {
            HistoryStep::Back => history.current_index.checked_sub(1),
            HistoryStep::Forward => history.current_index.checked_add(1),
        };
        let Some(entry) = index.and_then(|index| history.entries.get(index)) else {
            return Ok(NavigationStart::Nothing);
        };
        let navigations = self.state.navigations();
        self.state.command("Page.navigateToHistoryEntry", json!({"entryId": entry.id})).await?;
        self.state.step_began(navigations).await
    }

    async fn stop(&self) -> Result<()> {
        self.state.command("Page.stopLoading", json!({})).await
    }

    async fn interrupt(&self) -> Result<()> {
        let pending = self.state.begin("Runtime.terminateExecution", json!({}));
        if self.state.status.borrow().dialog.is_some() {
            // The script ends, and replies, as soon as the dialog is closed.
            return Ok(());
        }
        self.state.unless_blocked(false, pending.wait(CALL_LIMIT)).await.map(drop)
    }

    async fn responds(&self) -> Result<()> {
        let params = json!({"expression": "0", "returnByValue": true});
        self.state.call("Runtime.evaluate", params, LONGEST_HANG).await.map(|Done {}| ())
    }

    async fn end_page_process(&self) -> Result<()> {
        // Chromium does not end the process of a page that is loading.
        drop(self.state.begin("Page.stopLoading", json!({})));
        let mut status = self.state.status.subscribe();
        // A crash has no reply.
        let crash = self.state.begin("Page.crash", json!({})).wait(END_LIMIT);
        let crashed = status.wait_for(|status| status.crashed || status.closed);
        let crashed = tokio::time::timeout(END_LIMIT, crashed);
        tokio::select! {
            biased;
            Ok(_) = crashed => Ok(()),
            Err(error) = crash => Err(error),
            else => {
                let what = "ending the page's process".to_owned();
                Err(BrowserError::TimedOut { what, limit: END_LIMIT })
            }
        }
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

    async fn listeners(
        &self,
        frame: Option<&str>,
        element: u32,
        limit: Duration,
    ) -> Result<Option<Vec<String>>> {
        listeners::listeners(&self.state, frame, element, limit).await.map(Some)
    }

    async fn find_hidden_parts(&self, limit: Duration) -> Result<HiddenParts> {
        hidden_parts::find(&self.state, &self.hidden_parts, limit).await
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

    async fn evaluate_reading(
        &self,
        frame: Option<&str>,
        element: Option<u32>,
        expression: &ReadingExpression<'_>,
    ) -> Result<Option<ReadValue>> {
        reading::evaluate(&self.state, frame, element, expression).await
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
        let Some((object, session)) = script::element(&self.state, frame, field, limit).await?
        else {
            return Err(BrowserError::Navigated);
        };
        let params = json!({"files": files, "objectId": object});
        self.state.call_in(&session, "DOM.setFileInputFiles", params, limit).await.map(|Done {}| ())
    }

    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()> {
        let mut params = json!({"accept": accept});
        if let Some(text) = self.state.dialog_text(accept, text) {
            params["promptText"] = json!(text);
        }
        self.state.answer_dialog("Page.handleJavaScriptDialog", params).await
    }

    async fn screenshot(&self, shot: &ShotRequest) -> Result<Vec<u8>> {
        screenshot::take(&self.state, shot).await
    }

    async fn resize(&self, viewport: Viewport) -> Result<()> {
        let metrics = {
            let mut conditions = lock(&self.state.conditions);
            conditions.viewport = viewport;
            conditions.metrics()
        };
        self.state.command("Emulation.setDeviceMetricsOverride", metrics).await
    }

    async fn emulate(&self, wanted: &Emulation) -> Result<()> {
        emulation::change(&self.state, wanted).await
    }

    fn emulation(&self) -> Emulation {
        lock(&self.state.conditions).emulation.clone()
    }

    async fn body(&self, request: &str, side: BodySide, limit: Duration) -> Result<BodyData> {
        self.state.body(request, side, limit).await
    }

    async fn answer_empty(&self) -> Result<()> {
        // A service worker would answer instead, with the real page.
        let bypass = json!({"bypass": true});
        let _: Done = self.state.call("Network.setBypassServiceWorker", bypass, CALL_LIMIT).await?;
        self.state.answers_empty.store(true, Ordering::Relaxed);
        let _: Done = self.state.call("Fetch.enable", json!({}), CALL_LIMIT).await?;
        Ok(())
    }

    async fn close(&self) -> Result<()> {
        let params = json!({"targetId": self.state.id});
        match self.state.connection.call(None, "Target.closeTarget", params, CALL_LIMIT).await {
            Ok(_) => self.state.until_closed().await,
            // It is gone already.
            Err(BrowserError::Refused { message, .. }) if message.contains("No target") => Ok(()),
            Err(error) => Err(error),
        }
    }
}
