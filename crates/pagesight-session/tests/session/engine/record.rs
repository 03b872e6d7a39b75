//! The recorder: an engine around a real one that writes down every call, answer and event.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use pagesight_browser::lock;
use pagesight_browser::{
    Browser, BrowserEvent, Connected, DownloadState, OpenedTab, Result, TabEvent, Viewport,
};
use serde::Serialize;
use tokio::sync::mpsc::unbounded_channel;

use super::case_tab::{AnswerSource, CaseTab, Pending};
use super::format::{Answer, Call, Event, Exchange, Happened, Question, Step, VERSION, line};

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
struct PendingAnswer {
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
        let tab_id = id.clone();
        self.with(|recording| recording.tabs.push(id.clone()));
        tokio::spawn(async move {
            while let Some(event) = inner.recv().await {
                let event = portable(event);
                recorder.happened(Happened::InTab { tab: id.clone(), event: event.clone() });
                let _ = sender.send(event);
            }
        });
        let (recorded, source) = (Some(opened.tab), Arc::new(self.clone()));
        let tab = Arc::new(CaseTab { id: tab_id, recorded, source });
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
    fn called(&self, call: Call, changes: bool) -> PendingAnswer {
        let since = Instant::now();
        self.with(|recording| {
            if changes {
                recording.begun = Instant::now();
                recording.steps.push(Step { call: Some(call), ..Step::default() });
                return PendingAnswer { step: recording.steps.len() - 1, question: None, since };
            }
            let step = recording.steps.len() - 1;
            let questions = &mut recording.steps[step].questions;
            questions.push(Question { call, answer: None });
            PendingAnswer { step, question: Some(questions.len() - 1), since }
        })
    }

    fn answered(&self, call: PendingAnswer, answer: &Result<String>) {
        self.with(|recording| {
            recording.order += 1;
            let answer = Answer {
                step: recording.steps.len() - 1,
                at: recording.begun.elapsed().as_millis() as u64,
                took: call.since.elapsed().as_millis() as u64,
                order: recording.order,
                error: answer.as_ref().err().map(Into::into),
                json: answer.as_ref().ok().cloned(),
            };
            let step = &mut recording.steps[call.step];
            match call.question {
                Some(question) => step.questions[question].answer = Some(answer),
                None => step.answer = Some(answer),
            }
        });
    }
}

#[async_trait]
impl AnswerSource for Recorder {
    async fn answer(
        &self,
        call: Call,
        changes: bool,
        _limit: Duration,
        asked: Option<Pending<'_, String>>,
    ) -> Result<String> {
        let pending = self.called(call, changes);
        let answer = asked.expect("there is a browser while a case is recorded").await;
        self.answered(pending, &answer);
        answer
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
        let call = Call::new("", None, "open_tab", format!("{viewport:?}"));
        let pending = self.recorder.called(call, true);
        let opened = self.inner.open_tab(viewport).await;
        let answer = opened.as_ref().map_err(Clone::clone);
        let answer = answer.map(|opened| line(&Opened { tab: opened.tab.id(), url: &opened.url }));
        self.recorder.answered(pending, &answer);
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
