//! The tab of a case. Each call is answered by a browser and recorded, or answered from the
//! recording. How a call is written is decided here only, so that both agree.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pagesight_browser::{
    Gesture, HiddenParts, HistoryStep, NavigationStart, Result, ShotRequest, Tab, Viewport,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::format::{Call, line};

/// How long a call without its own limit may take; longer than any recorded call took.
pub const CALL_LIMIT: Duration = Duration::from_secs(60);
/// The search before each look, also before a prefetch.
pub const HIDDEN_PARTS: &str = "find_hidden_parts";
/// The question whether the main thread of a page answers.
pub const RESPONDS: &str = "responds";
/// How many bytes of a picture are recorded; the session does not look at them.
const PICTURE: usize = 16;

/// A call whose answer is awaited.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Where the answers come from.
#[async_trait]
pub trait AnswerSource: Send + Sync {
    /// Returns the answer to a call as JSON. `changes`: the call begins a step. `asked` is the call
    /// to the browser, if there is one.
    async fn answer(
        &self,
        call: Call,
        changes: bool,
        limit: Duration,
        asked: Option<Pending<'_, String>>,
    ) -> Result<String>;
}

pub struct CaseTab {
    pub id: String,
    /// The tab of a browser whose answers are recorded.
    pub recorded: Option<Arc<dyn Tab>>,
    pub source: Arc<dyn AnswerSource>,
}

impl CaseTab {
    fn call(&self, frame: Option<&str>, method: &str, arguments: String) -> Call {
        Call::new(&self.id, frame, method, arguments)
    }

    async fn exchange<'s>(
        &'s self,
        (call, changes): (Call, bool),
        limit: Duration,
        ask: impl FnOnce(&'s dyn Tab) -> Pending<'s, String>,
    ) -> Result<String> {
        let asked = self.recorded.as_deref().map(ask);
        self.source.answer(call, changes, limit, asked).await
    }

    async fn typed<'s, T: Serialize + DeserializeOwned + 's>(
        &'s self,
        call: (Call, bool),
        limit: Duration,
        ask: impl FnOnce(&'s dyn Tab) -> Pending<'s, T>,
    ) -> Result<T> {
        let ask = |tab: &'s dyn Tab| -> Pending<'s, String> {
            let answer = ask(tab);
            Box::pin(async move { answer.await.map(|answer| line(&answer)) })
        };
        let json = self.exchange(call, limit, ask).await?;
        Ok(serde_json::from_str(&json).expect("the answer was recorded as JSON"))
    }

    /// Answers a call that changes something.
    async fn change<'s, T: Serialize + DeserializeOwned + 's>(
        &'s self,
        method: &str,
        arguments: String,
        ask: impl FnOnce(&'s dyn Tab) -> Pending<'s, T>,
    ) -> Result<T> {
        self.typed((self.call(None, method, arguments), true), CALL_LIMIT, ask).await
    }

    /// Answers a call that only asks.
    async fn question<'s, T: Serialize + DeserializeOwned + 's>(
        &'s self,
        frame: Option<&str>,
        (method, arguments): (&str, String),
        limit: Duration,
        ask: impl FnOnce(&'s dyn Tab) -> Pending<'s, T>,
    ) -> Result<T> {
        self.typed((self.call(frame, method, arguments), false), limit, ask).await
    }
}

#[async_trait]
impl Tab for CaseTab {
    fn id(&self) -> &str {
        &self.id
    }

    async fn navigate(&self, url: &str, limit: Duration) -> Result<NavigationStart> {
        self.change("navigate", url.to_owned(), |tab| tab.navigate(url, limit)).await
    }

    async fn reload(&self) -> Result<()> {
        self.change("reload", String::new(), |tab| tab.reload()).await
    }

    async fn step(&self, step: HistoryStep) -> Result<NavigationStart> {
        self.change("step", format!("{step:?}"), |tab| tab.step(step)).await
    }

    async fn stop(&self) -> Result<()> {
        self.change("stop", String::new(), |tab| tab.stop()).await
    }

    async fn interrupt(&self) -> Result<()> {
        self.change("interrupt", String::new(), |tab| tab.interrupt()).await
    }

    async fn responds(&self) -> Result<()> {
        let call = (RESPONDS, String::new());
        self.question(None, call, CALL_LIMIT, |tab| tab.responds()).await
    }

    async fn end_page_process(&self) -> Result<()> {
        self.change("end_page_process", String::new(), |tab| tab.end_page_process()).await
    }

    async fn script(
        &self,
        frame: Option<&str>,
        function: &str,
        arguments: &str,
        limit: Duration,
    ) -> Result<String> {
        let call = self.call(frame, &format!("script {function}"), arguments.to_owned());
        self.exchange((call, false), limit, |tab| tab.script(frame, function, arguments, limit))
            .await
    }

    async fn frames_of(
        &self,
        frame: Option<&str>,
        elements: &[u32],
        limit: Duration,
    ) -> Result<Vec<Option<String>>> {
        self.question(frame, ("frames_of", line(&elements)), limit, |tab| {
            tab.frames_of(frame, elements, limit)
        })
        .await
    }

    async fn find_hidden_parts(&self, limit: Duration) -> Result<HiddenParts> {
        let call = (HIDDEN_PARTS, String::new());
        self.question(None, call, limit, |tab| tab.find_hidden_parts(limit)).await
    }

    async fn lacks_closed_roots(&self, limit: Duration) -> Result<bool> {
        let call = ("lacks_closed_roots", String::new());
        self.question(None, call, limit, |tab| tab.lacks_closed_roots(limit)).await
    }

    async fn listeners(
        &self,
        frame: Option<&str>,
        element: u32,
        limit: Duration,
    ) -> Result<Option<Vec<String>>> {
        self.question(frame, ("listeners", element.to_string()), limit, |tab| {
            tab.listeners(frame, element, limit)
        })
        .await
    }

    async fn evaluate(&self, expression: &str, limit: Duration) -> Result<String> {
        let call = self.call(None, "evaluate", expression.to_owned());
        self.exchange((call, true), limit, |tab| tab.evaluate(expression, limit)).await
    }

    async fn evaluate_on(
        &self,
        frame: Option<&str>,
        element: u32,
        function: &str,
        limit: Duration,
    ) -> Result<Option<String>> {
        let call = self.call(frame, "evaluate_on", line(&(element, function)));
        self.typed((call, true), limit, |tab| tab.evaluate_on(frame, element, function, limit))
            .await
    }

    async fn gesture(&self, gesture: &Gesture) -> Result<()> {
        self.change("gesture", format!("{gesture:?}"), |tab| tab.gesture(gesture)).await
    }

    async fn set_files(
        &self,
        frame: Option<&str>,
        field: u32,
        files: &[PathBuf],
        limit: Duration,
    ) -> Result<()> {
        // Without the folders of this machine.
        let names: Vec<String> = files
            .iter()
            .map(|file| file.file_name().unwrap_or_default().to_string_lossy().into())
            .collect();
        let call = self.call(frame, "set_files", line(&(field, names)));
        self.typed((call, true), limit, |tab| tab.set_files(frame, field, files, limit)).await
    }

    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()> {
        let arguments = format!("{accept} {text:?}");
        self.change("answer_dialog", arguments, |tab| tab.answer_dialog(accept, text)).await
    }

    async fn screenshot(&self, shot: &ShotRequest) -> Result<Vec<u8>> {
        let call = ("screenshot", format!("{shot:?}"));
        self.question(None, call, CALL_LIMIT, |tab| {
            let drawn = tab.screenshot(shot);
            Box::pin(
                async move { drawn.await.map(|image| image.into_iter().take(PICTURE).collect()) },
            )
        })
        .await
    }

    async fn resize(&self, viewport: Viewport) -> Result<()> {
        self.change("resize", format!("{viewport:?}"), |tab| tab.resize(viewport)).await
    }

    async fn close(&self) -> Result<()> {
        self.change("close", String::new(), |tab| tab.close()).await
    }
}
