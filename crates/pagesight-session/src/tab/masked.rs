//! Hides values in everything that a tab reports: answers of the page script, events and errors.
//! All text of a page passes here before the session uses it, so it is hidden before it is cut,
//! compared or stored. Pictures are not changed.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pagesight_browser::{
    BodyData, BodySide, BrowserError, Download, DownloadState, Emulation, Gesture, HiddenParts,
    HistoryStep, NavigationStart, ReadValue, ReadingExpression, Result, ScriptFrame, ShotRequest,
    Tab, TabEvent, Viewport,
};
use pagesight_core::text::hidden_values::HiddenValues;

/// A tab whose texts do not contain certain values.
pub(crate) struct MaskedTab {
    tab: Arc<dyn Tab>,
    hidden: Arc<HiddenValues>,
}

impl MaskedTab {
    /// Hides values in what a tab reports.
    pub(crate) fn new(tab: Arc<dyn Tab>, hidden: Arc<HiddenValues>) -> MaskedTab {
        MaskedTab { tab, hidden }
    }

    /// Hides values in JSON.
    fn value(&self, text: String) -> String {
        match serde_json::from_str(&text) {
            Ok(mut value) => {
                self.hidden.hide_in_value(&mut value);
                value.to_string()
            }
            // It is not JSON; that is reported later.
            Err(_) => self.hidden.hide(text),
        }
    }

    fn answer<T>(&self, answer: Result<T>) -> Result<T> {
        answer.map_err(|error| hide_in_error(&self.hidden, error))
    }
}

/// Hides values in an error.
pub(crate) fn hide_in_error(hidden: &HiddenValues, mut error: BrowserError) -> BrowserError {
    let texts: [Option<&mut String>; 2] = match &mut error {
        BrowserError::NotStarted { program, reason } => [Some(program), Some(reason)],
        BrowserError::NotConnected { url, reason } | BrowserError::LoadFailed { url, reason } => {
            [Some(url), Some(reason)]
        }
        BrowserError::LoginWanted { url } => [Some(url), None],
        BrowserError::TimedOut { what, .. } => [Some(what), None],
        BrowserError::DialogOpen { message, .. } => [Some(message), None],
        BrowserError::Script(text) => [Some(text), None],
        BrowserError::Refused { message, .. } => [Some(message), None],
        _ => [None, None],
    };
    for text in texts.into_iter().flatten() {
        *text = hidden.hide(std::mem::take(text));
    }
    error
}

/// Hides values in an event.
pub(crate) fn hide_in_event(hidden: &HiddenValues, mut event: TabEvent) -> TabEvent {
    let hide_frames = |frames: &mut Vec<ScriptFrame>| {
        for frame in frames {
            frame.url = hidden.hide(std::mem::take(&mut frame.url));
            frame.function = hidden.hide(std::mem::take(&mut frame.function));
        }
    };
    let hide_headers = |headers: &mut Vec<(String, String)>| {
        for (name, value) in headers {
            *name = hidden.hide(std::mem::take(name));
            *value = hidden.hide(std::mem::take(value));
        }
    };
    if hidden.is_empty() {
        return event;
    }
    let text = match &mut event {
        TabEvent::RequestStarted { url, method, initiator, .. } => {
            hide_frames(initiator);
            // A page chooses the words of its methods.
            *method = hidden.hide(std::mem::take(method));
            url
        }
        TabEvent::RequestHeaders { headers, .. } => {
            hide_headers(headers);
            return event;
        }
        TabEvent::Responded { head, .. } => {
            hide_headers(&mut head.headers);
            &mut head.media_type
        }
        TabEvent::Console(message) => {
            hide_frames(&mut message.stack);
            &mut message.text
        }
        TabEvent::Committed { url, .. }
        | TabEvent::SameDocument { url }
        | TabEvent::Answered { url, .. }
        | TabEvent::Redirected { url, .. } => url,
        TabEvent::NavigationFailed { reason, .. } | TabEvent::RequestFailed { reason, .. } => {
            reason
        }
        TabEvent::DialogOpened { message, .. } => message,
        TabEvent::Download(Download { name, state, .. }) => {
            if let DownloadState::Done { path: Some(path), .. } = state
                && let Some(shown) = hidden.hidden(&path.to_string_lossy())
            {
                *path = PathBuf::from(shown);
            }
            name
        }
        TabEvent::NavigationStarted
        | TabEvent::DomReady
        | TabEvent::Loaded
        | TabEvent::ErrorPage
        | TabEvent::BodyProgressed { .. }
        | TabEvent::RequestFinished { .. }
        | TabEvent::RequestsUnwatched { .. }
        | TabEvent::RequestsWatched
        | TabEvent::DialogClosed
        | TabEvent::WindowOpened
        | TabEvent::Crashed
        | TabEvent::Closed => return event,
    };
    *text = hidden.hide(std::mem::take(text));
    event
}

#[async_trait]
impl Tab for MaskedTab {
    fn id(&self) -> &str {
        self.tab.id()
    }

    async fn navigate(&self, url: &str, limit: Duration) -> Result<NavigationStart> {
        self.answer(self.tab.navigate(url, limit).await)
    }

    async fn reload(&self) -> Result<()> {
        self.answer(self.tab.reload().await)
    }

    async fn step(&self, step: HistoryStep) -> Result<NavigationStart> {
        self.answer(self.tab.step(step).await)
    }

    async fn stop(&self) -> Result<()> {
        self.answer(self.tab.stop().await)
    }

    async fn interrupt(&self) -> Result<()> {
        self.answer(self.tab.interrupt().await)
    }

    async fn responds(&self) -> Result<()> {
        self.answer(self.tab.responds().await)
    }

    fn mute(&self) {
        self.tab.mute();
    }

    async fn end_page_process(&self) -> Result<()> {
        self.answer(self.tab.end_page_process().await)
    }

    async fn script(
        &self,
        frame: Option<&str>,
        function: &str,
        arguments: &str,
        limit: Duration,
    ) -> Result<String> {
        let text = self.answer(self.tab.script(frame, function, arguments, limit).await)?;
        Ok(self.hidden.hidden_in_answer(&text).unwrap_or(text))
    }

    async fn evaluate_beside(
        &self,
        frame: Option<&str>,
        expression: &str,
        limit: Duration,
    ) -> Result<String> {
        let text = self.answer(self.tab.evaluate_beside(frame, expression, limit).await)?;
        Ok(self.hidden.hidden_in_answer(&text).unwrap_or(text))
    }

    async fn frames_of(
        &self,
        frame: Option<&str>,
        elements: &[u32],
        limit: Duration,
    ) -> Result<Vec<Option<String>>> {
        self.answer(self.tab.frames_of(frame, elements, limit).await)
    }

    async fn find_hidden_parts(&self, limit: Duration) -> Result<HiddenParts> {
        self.answer(self.tab.find_hidden_parts(limit).await)
    }

    async fn lacks_closed_roots(&self, limit: Duration) -> Result<bool> {
        self.answer(self.tab.lacks_closed_roots(limit).await)
    }

    async fn listeners(
        &self,
        frame: Option<&str>,
        element: u32,
        limit: Duration,
    ) -> Result<Option<Vec<String>>> {
        let types = self.answer(self.tab.listeners(frame, element, limit).await)?;
        let hide = |kind: String| self.hidden.hide(kind);
        Ok(types.map(|types| types.into_iter().map(hide).collect()))
    }

    async fn evaluate(&self, expression: &str, limit: Duration) -> Result<String> {
        let text = self.answer(self.tab.evaluate(expression, limit).await)?;
        Ok(self.value(text))
    }

    async fn evaluate_on(
        &self,
        frame: Option<&str>,
        element: u32,
        function: &str,
        limit: Duration,
    ) -> Result<Option<String>> {
        let text = self.answer(self.tab.evaluate_on(frame, element, function, limit).await)?;
        Ok(text.map(|text| self.value(text)))
    }

    async fn evaluate_reading(
        &self,
        frame: Option<&str>,
        element: Option<u32>,
        expression: &ReadingExpression<'_>,
    ) -> Result<Option<ReadValue>> {
        let value = self.answer(self.tab.evaluate_reading(frame, element, expression).await)?;
        Ok(value.map(|value| match value {
            ReadValue::Whole(text) => ReadValue::Whole(self.value(text)),
            ReadValue::Cut { start, characters } => {
                ReadValue::Cut { start: self.hidden.hide(start), characters }
            }
        }))
    }

    async fn gesture(&self, gesture: &Gesture) -> Result<()> {
        self.answer(self.tab.gesture(gesture).await)
    }

    async fn set_files(
        &self,
        frame: Option<&str>,
        field: u32,
        files: &[PathBuf],
        limit: Duration,
    ) -> Result<()> {
        self.answer(self.tab.set_files(frame, field, files, limit).await)
    }

    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()> {
        self.answer(self.tab.answer_dialog(accept, text).await)
    }

    async fn screenshot(&self, shot: &ShotRequest) -> Result<Vec<u8>> {
        self.answer(self.tab.screenshot(shot).await)
    }

    fn scales_screenshots(&self) -> bool {
        self.tab.scales_screenshots()
    }

    async fn body(&self, request: &str, side: BodySide, limit: Duration) -> Result<BodyData> {
        Ok(match self.answer(self.tab.body(request, side, limit).await)? {
            BodyData::Text(text) => BodyData::Text(self.hidden.hide(text)),
            other => other,
        })
    }

    async fn answer_empty(&self) -> Result<()> {
        self.answer(self.tab.answer_empty().await)
    }

    async fn resize(&self, viewport: Viewport) -> Result<()> {
        self.answer(self.tab.resize(viewport).await)
    }

    async fn emulate(&self, emulation: &Emulation) -> Result<()> {
        self.answer(self.tab.emulate(emulation).await)
    }

    fn emulation(&self) -> Emulation {
        self.tab.emulation()
    }

    async fn close(&self) -> Result<()> {
        self.answer(self.tab.close().await)
    }
}

#[cfg(test)]
mod tests {
    use pagesight_browser::RequestKind;

    use super::*;

    #[test]
    fn a_page_cannot_report_a_value_as_the_method_of_a_request() {
        let mut hidden = HiddenValues::default();
        hidden.add("PASSWORD", "hunter22");
        let event = TabEvent::RequestStarted {
            id: "1".to_owned(),
            kind: RequestKind::Fetch,
            method: "HUNTER-hunter22".to_owned(),
            url: "http://x/hunter22".to_owned(),
            framed: false,
            streams: false,
            initiator: Vec::new(),
        };
        let shown = format!("{:?}", hide_in_event(&hidden, event));
        assert!(!shown.contains("hunter22") && shown.contains("HUNTER-${PASSWORD}"), "{shown}");
    }
}
