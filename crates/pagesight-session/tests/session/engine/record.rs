//! The recorder: an engine around a real one that writes down every call, answer and event.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use pagesight_browser::lock;
use pagesight_browser::{
    Browser, BrowserEvent, Connected, DownloadState, Gesture, HiddenParts, HistoryStep,
    NavigationStart, OpenedTab, Result, ShotRequest, Tab, TabEvent, Viewport,
};
use serde::Serialize;
use tokio::sync::mpsc::unbounded_channel;

use super::format::{Answer, Call, Event, Exchange, Happened, Question, Step, VERSION, line};

/// How many bytes of a picture are recorded; the session does not look at them.
const PICTURE: usize = 16;

/// The recording so far.
pub struct Recording {
    begun: Instant,
    order: usize,
    steps: Vec<Step>,
    /// The engine's ids of the tabs.
    tabs: Vec<String>,
}

impl Default for Recording {
    fn default() -> Recording {
        let (begun, steps) = (Instant::now(), vec![Step::default()]);
        Recording { begun, order: 0, steps, tabs: Vec::new() }
    }
}

#[derive(Clone, Default)]
pub struct Recorder(Arc<Mutex<Recording>>);

/// A call without an answer yet: where the answer will be written, a step or a question of it.
#[derive(Clone, Copy)]
struct Pending {
    step: usize,
    question: Option<usize>,
    since: Instant,
}

impl Recorder {
    fn with<T>(&self, work: impl FnOnce(&mut Recording) -> T) -> T {
        work(&mut lock(&self.0))
    }

    /// Wraps a browser in one that records everything.
    pub fn around(&self, connected: Connected) -> Connected {
        let (sender, events) = unbounded_channel();
        let (recorder, mut inner) = (self.clone(), connected.events);
        tokio::spawn(async move {
            while let Some(event) = inner.recv().await {
                let event = match event {
                    BrowserEvent::TabOpened { opened, opener } => {
                        let (tab, url) = (opened.tab.id().to_owned(), opened.url.clone());
                        recorder.happened(Happened::Opened { tab, url, opener: opener.clone() });
                        BrowserEvent::TabOpened { opened: recorder.tab(opened), opener }
                    }
                    event => event,
                };
                let _ = sender.send(event);
            }
        });
        let browser = RecordedBrowser { inner: connected.browser, recorder: self.clone() };
        Connected { browser: Arc::new(browser), events }
    }

    /// Returns the file of everything that was recorded. Tabs have short names in it.
    pub fn finish(&self, browser: &str) -> String {
        let (steps, tabs) = self.with(|recording| {
            (std::mem::take(&mut recording.steps), std::mem::take(&mut recording.tabs))
        });
        let exchange = Exchange { version: VERSION, browser: browser.to_owned(), steps };
        tabs.iter()
            .enumerate()
            .fold(exchange.write(), |text, (at, tab)| text.replace(tab, &format!("tab{}", at + 1)))
    }

    fn tab(&self, opened: OpenedTab) -> OpenedTab {
        let (sender, events) = unbounded_channel();
        let (recorder, mut inner, id) = (self.clone(), opened.events, opened.tab.id().to_owned());
        self.with(|recording| recording.tabs.push(id.clone()));
        tokio::spawn(async move {
            while let Some(event) = inner.recv().await {
                let event = portable(event);
                recorder.happened(Happened::InTab { tab: id.clone(), event: event.clone() });
                let _ = sender.send(event);
            }
        });
        let tab = Arc::new(RecordedTab { inner: opened.tab, recorder: self.clone() });
        OpenedTab { tab, url: opened.url, context: opened.context, events }
    }

    fn happened(&self, what: Happened) {
        self.with(|recording| {
            let at = recording.begun.elapsed().as_millis() as u64;
            recording.order += 1;
            let event = Event { at, order: recording.order, what };
            recording.steps.last_mut().expect("there is always a step").events.push(event);
        });
    }

    /// Records a call; a call that changes something begins a step.
    fn called(&self, call: Call, changes: bool) -> Pending {
        let since = Instant::now();
        self.with(|recording| {
            if changes {
                recording.begun = Instant::now();
                recording.steps.push(Step { call: Some(call), ..Step::default() });
                return Pending { step: recording.steps.len() - 1, question: None, since };
            }
            let step = recording.steps.len() - 1;
            let questions = &mut recording.steps[step].questions;
            questions.push(Question { call, answer: None });
            Pending { step, question: Some(questions.len() - 1), since }
        })
    }

    fn answered<T>(&self, call: Pending, answer: &Result<T>, json: impl Fn(&T) -> String) {
        self.with(|recording| {
            recording.order += 1;
            let answer = Answer {
                step: recording.steps.len() - 1,
                at: recording.begun.elapsed().as_millis() as u64,
                took: call.since.elapsed().as_millis() as u64,
                order: recording.order,
                error: answer.as_ref().err().map(Into::into),
                json: answer.as_ref().ok().map(json),
            };
            let step = &mut recording.steps[call.step];
            match call.question {
                Some(question) => step.questions[question].answer = Some(answer),
                None => step.answer = Some(answer),
            }
        });
    }
}

/// Removes paths of this machine from an event.
fn portable(event: TabEvent) -> TabEvent {
    match event {
        TabEvent::Download(mut download) => {
            if let DownloadState::Done { path: Some(path), .. } = &mut download.state {
                *path = Path::new("/downloads").join(path.file_name().unwrap_or_default());
            }
            TabEvent::Download(download)
        }
        event => event,
    }
}

struct RecordedBrowser {
    inner: Arc<dyn Browser>,
    recorder: Recorder,
}

#[derive(Serialize)]
struct Opened<'a> {
    tab: &'a str,
    url: &'a str,
}

#[async_trait]
impl Browser for RecordedBrowser {
    fn product(&self) -> &str {
        self.inner.product()
    }

    fn is_alive(&self) -> bool {
        self.inner.is_alive()
    }

    async fn open_tab(&self, viewport: Viewport) -> Result<OpenedTab> {
        let call = call("", None, "open_tab", format!("{viewport:?}"));
        let place = self.recorder.called(call, true);
        let opened = self.inner.open_tab(viewport).await;
        self.recorder.answered(place, &opened, |opened| {
            line(&Opened { tab: opened.tab.id(), url: &opened.url })
        });
        Ok(self.recorder.tab(opened?))
    }

    async fn end_busiest_page_process(&self) -> Result<()> {
        // Only in browsers that a page keeps busy, which are not recorded.
        self.inner.end_busiest_page_process().await
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}

/// Returns a call as it is recorded.
pub fn call(tab: &str, frame: Option<&str>, method: &str, arguments: String) -> Call {
    let (tab, frame) = (tab.to_owned(), frame.map(str::to_owned));
    Call { tab, frame, method: method.to_owned(), arguments }
}

/// Returns the names of uploaded files, without the folders of this machine.
pub fn file_names(files: &[PathBuf]) -> Vec<String> {
    files.iter().map(|file| file.file_name().unwrap_or_default().to_string_lossy().into()).collect()
}

struct RecordedTab {
    inner: Arc<dyn Tab>,
    recorder: Recorder,
}

impl RecordedTab {
    async fn record<T>(
        &self,
        call: Call,
        changes: bool,
        answer: impl Future<Output = Result<T>> + Send,
        json: impl Fn(&T) -> String,
    ) -> Result<T> {
        let place = self.recorder.called(call, changes);
        let answer = answer.await;
        self.recorder.answered(place, &answer, json);
        answer
    }

    /// Records a call that changes something.
    async fn change<T>(
        &self,
        method: &str,
        arguments: String,
        answer: impl Future<Output = Result<T>> + Send,
        json: impl Fn(&T) -> String,
    ) -> Result<T> {
        self.record(call(self.id(), None, method, arguments), true, answer, json).await
    }
}

#[async_trait]
impl Tab for RecordedTab {
    fn id(&self) -> &str {
        self.inner.id()
    }

    async fn navigate(&self, url: &str, limit: Duration) -> Result<NavigationStart> {
        let answer = self.inner.navigate(url, limit);
        self.change("navigate", url.to_owned(), answer, |begun| line(&format!("{begun:?}"))).await
    }

    async fn reload(&self) -> Result<()> {
        self.change("reload", String::new(), self.inner.reload(), line).await
    }

    async fn step(&self, step: HistoryStep) -> Result<NavigationStart> {
        let json = |begun: &NavigationStart| line(&format!("{begun:?}"));
        self.change("step", format!("{step:?}"), self.inner.step(step), json).await
    }

    async fn stop(&self) -> Result<()> {
        self.change("stop", String::new(), self.inner.stop(), line).await
    }

    async fn interrupt(&self) -> Result<()> {
        self.change("interrupt", String::new(), self.inner.interrupt(), line).await
    }

    async fn responds(&self) -> Result<()> {
        let call = call(self.id(), None, "responds", String::new());
        self.record(call, false, self.inner.responds(), line).await
    }

    async fn end_page_process(&self) -> Result<()> {
        self.change("end_page_process", String::new(), self.inner.end_page_process(), line).await
    }

    async fn script(
        &self,
        frame: Option<&str>,
        function: &str,
        arguments: &str,
        limit: Duration,
    ) -> Result<String> {
        let call = call(self.id(), frame, &format!("script {function}"), arguments.to_owned());
        let answer = self.inner.script(frame, function, arguments, limit);
        self.record(call, false, answer, String::clone).await
    }

    async fn frames_of(
        &self,
        frame: Option<&str>,
        elements: &[u32],
        limit: Duration,
    ) -> Result<Vec<Option<String>>> {
        let call = call(self.id(), frame, "frames_of", line(&elements));
        self.record(call, false, self.inner.frames_of(frame, elements, limit), line).await
    }

    async fn find_hidden_parts(&self, limit: Duration) -> Result<HiddenParts> {
        let call = call(self.id(), None, "find_hidden_parts", String::new());
        let json = |hidden: &HiddenParts| line(&(hidden.listeners, hidden.roots_left_out));
        self.record(call, false, self.inner.find_hidden_parts(limit), json).await
    }

    async fn lacks_closed_roots(&self, limit: Duration) -> Result<bool> {
        let call = call(self.id(), None, "lacks_closed_roots", String::new());
        self.record(call, false, self.inner.lacks_closed_roots(limit), line).await
    }

    async fn listeners(
        &self,
        frame: Option<&str>,
        element: u32,
        limit: Duration,
    ) -> Result<Option<Vec<String>>> {
        let call = call(self.id(), frame, "listeners", element.to_string());
        self.record(call, false, self.inner.listeners(frame, element, limit), line).await
    }

    async fn evaluate(&self, expression: &str, limit: Duration) -> Result<String> {
        let answer = self.inner.evaluate(expression, limit);
        self.change("evaluate", expression.to_owned(), answer, String::clone).await
    }

    async fn evaluate_on(
        &self,
        frame: Option<&str>,
        element: u32,
        function: &str,
        limit: Duration,
    ) -> Result<Option<String>> {
        let arguments = line(&(element, function));
        let answer = self.inner.evaluate_on(frame, element, function, limit);
        self.record(call(self.id(), frame, "evaluate_on", arguments), true, answer, line).await
    }

    async fn gesture(&self, gesture: &Gesture) -> Result<()> {
        let answer = self.inner.gesture(gesture);
        self.change("gesture", format!("{gesture:?}"), answer, line).await
    }

    async fn set_files(
        &self,
        frame: Option<&str>,
        field: u32,
        files: &[PathBuf],
        limit: Duration,
    ) -> Result<()> {
        let call = call(self.id(), frame, "set_files", line(&(field, file_names(files))));
        let answer = self.inner.set_files(frame, field, files, limit);
        self.record(call, true, answer, line).await
    }

    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()> {
        let answer = self.inner.answer_dialog(accept, text);
        self.change("answer_dialog", format!("{accept} {text:?}"), answer, line).await
    }

    async fn screenshot(&self, shot: &ShotRequest) -> Result<Vec<u8>> {
        let call = call(self.id(), None, "screenshot", format!("{shot:?}"));
        let json = |image: &Vec<u8>| line(&image[..image.len().min(PICTURE)].to_vec());
        self.record(call, false, self.inner.screenshot(shot), json).await
    }

    async fn resize(&self, viewport: Viewport) -> Result<()> {
        self.change("resize", format!("{viewport:?}"), self.inner.resize(viewport), line).await
    }

    async fn close(&self) -> Result<()> {
        self.change("close", String::new(), self.inner.close(), line).await
    }
}
