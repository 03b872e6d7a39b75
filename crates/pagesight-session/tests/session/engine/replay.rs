//! The player: an engine that answers as a recorded one did. Calls that change something must come
//! in the recorded order. A question gets the answer that was recorded for the same question in the
//! same step. The player knows nothing about browsers: a call that was not recorded is an error,
//! and the case fails.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use pagesight_browser::lock;
use pagesight_browser::{
    Browser, BrowserError, BrowserEvent, Connected, OpenedTab, Result, TabEvent, Viewport,
};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::time::Instant;

use super::case_tab::{AnswerSource, CALL_LIMIT, CaseTab, HIDDEN_PARTS, Pending, RESPONDS};
use super::format::{Answer, Call, Exchange, Happened, Question, line};

/// The function of the page script that answers only when there is news, and reports it once.
const NEWS: &str = "script nextChange";
/// How much later than the limit an answer may come. The recorded error of a call that took too
/// long is more exact than the one that would be made here.
const SLACK: Duration = Duration::from_millis(500);

#[derive(Clone)]
pub struct Player(Arc<Shared>);

struct Shared {
    exchange: Exchange,
    state: Mutex<State>,
    /// The step that is being played.
    step: watch::Sender<usize>,
    browser_events: UnboundedSender<BrowserEvent>,
}

struct State {
    begun: Instant,
    /// How many events of the step were delivered.
    delivered: usize,
    /// Which questions of the step were answered.
    used: Vec<bool>,
    tabs: HashMap<String, UnboundedSender<TabEvent>>,
    surprises: Vec<String>,
}

impl Player {
    /// Makes a browser that plays an exchange. Must be called inside a runtime whose clock is
    /// paused.
    pub fn start(exchange: Exchange) -> (Player, Connected) {
        let (browser_events, events) = unbounded_channel();
        let used = vec![false; exchange.steps[0].questions.len()];
        let state = State {
            begun: Instant::now(),
            delivered: 0,
            used,
            tabs: HashMap::new(),
            surprises: Vec::new(),
        };
        let (step, state) = (watch::Sender::new(0), Mutex::new(state));
        let player = Player(Arc::new(Shared { exchange, state, step, browser_events }));
        player.deliver_in_time(0);
        (player.clone(), Connected { browser: Arc::new(player), events })
    }

    /// Returns the calls that were not recorded.
    pub fn surprises(&self) -> Vec<String> {
        self.state().surprises.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0.state)
    }

    fn now(&self) -> usize {
        *self.0.step.borrow()
    }

    fn surprise<T>(&self, what: String) -> Result<T> {
        let what = format!("step {}: {what}", self.now());
        self.state().surprises.push(what.clone());
        Err(BrowserError::Script(format!("not recorded: {what}")))
    }

    /// Makes a tab whose events come through the channel that is opened here.
    fn open(&self, id: String, url: String) -> OpenedTab {
        let (sender, events) = unbounded_channel();
        self.state().tabs.insert(id.clone(), sender);
        OpenedTab {
            tab: Arc::new(CaseTab { id, recorded: None, source: Arc::new(self.clone()) }),
            url,
            context: None,
            events,
        }
    }

    /// Delivers the events of the current step that came before `order`.
    fn deliver(&self, order: usize) {
        let events = &self.0.exchange.steps[self.now()].events;
        loop {
            let next = self.state().delivered;
            let Some(event) = events.get(next).filter(|event| event.order < order) else { return };
            self.state().delivered += 1;
            match &event.what {
                Happened::Opened { tab, url, opener } => {
                    let opened = self.open(tab.clone(), url.clone());
                    let opener = opener.clone();
                    let _ = self.0.browser_events.send(BrowserEvent::TabOpened { opened, opener });
                }
                Happened::InTab { tab, event } => {
                    let sender = self.state().tabs.get(tab).cloned();
                    if let Some(sender) = sender {
                        let _ = sender.send(event.clone());
                    }
                }
            }
        }
    }

    /// Delivers the events of a step as time passes.
    fn deliver_in_time(&self, step: usize) {
        let player = self.clone();
        let begun = self.state().begun;
        tokio::spawn(async move {
            for event in &player.0.exchange.steps[step].events {
                tokio::time::sleep_until(begun + Duration::from_millis(event.at)).await;
                if player.now() != step {
                    return;
                }
                player.deliver(event.order + 1);
            }
        });
    }

    /// Waits until an answer is due. An answer from a later step waits for that step. Any other
    /// takes as long as it took, and the answer to `nextChange` comes when the news came.
    async fn wait_for(&self, answer: &Answer, call: &Call) {
        let asked = Instant::now();
        let mut steps = self.0.step.subscribe();
        let now = self.now();
        let _ = steps.wait_for(|step| *step >= answer.step).await;
        if self.now() == answer.step {
            let at = match now == answer.step && call.method != NEWS {
                true => asked + Duration::from_millis(answer.took),
                false => self.state().begun + Duration::from_millis(answer.at),
            };
            tokio::select! {
                () = tokio::time::sleep_until(at) => {}
                _ = steps.wait_for(|step| *step > answer.step) => {}
            }
        }
        if self.now() == answer.step {
            self.deliver(answer.order);
        }
        // The events must be read before the answer is.
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
    }

    async fn play(&self, answer: Option<Answer>, call: &Call, limit: Duration) -> Result<String> {
        let late = || BrowserError::TimedOut { what: call.method.clone(), limit };
        let Some(answer) = answer else {
            tokio::time::sleep(limit).await;
            return Err(late());
        };
        let came = tokio::time::timeout(limit + SLACK, self.wait_for(&answer, call)).await;
        came.map_err(|_| late())?;
        match (answer.error, answer.json) {
            (Some(error), _) => Err(error.into()),
            (None, json) => Ok(json.unwrap_or_else(|| "null".to_owned())),
        }
    }

    /// Plays a call that changes something: the next step.
    async fn change(&self, call: Call) -> Result<String> {
        let next = self.now() + 1;
        let Some(step) = self.0.exchange.steps.get(next) else {
            return self.surprise(format!("{} after the last step", line(&call)));
        };
        if step.call.as_ref() != Some(&call) {
            let recorded = line(&step.call);
            return self.surprise(format!("{} where {recorded} was recorded", line(&call)));
        }
        self.deliver(usize::MAX);
        {
            let mut state = self.state();
            state.begun = Instant::now();
            state.delivered = 0;
            state.used = vec![false; step.questions.len()];
        }
        self.0.step.send_replace(next);
        self.deliver_in_time(next);
        self.play(step.answer.clone(), &call, CALL_LIMIT).await
    }

    /// Answers a question with its next answer in this step, or with the last one again.
    async fn ask(&self, call: Call, limit: Duration) -> Result<String> {
        match self.recorded(&call) {
            Some(answer) => self.play(answer, &call, limit).await,
            // Whether a prefetch happens depends on the speed of the machine. The page may refuse
            // it at any time.
            None if is_ahead(&call) || call.method == HIDDEN_PARTS => {
                Err(BrowserError::Script("not recorded".to_owned()))
            }
            None => self.surprise(line(&call)),
        }
    }

    /// Answers whether a page hangs. Whether that is asked depends on the speed of the machine, so
    /// a page that was not asked does not hang.
    async fn awake(&self, call: &Call) {
        let now = self.now();
        let questions = &self.0.exchange.steps[now].questions;
        let asked = questions.iter().rfind(|question| question.call == *call);
        let answered_in = match asked.map(|question| &question.answer) {
            Some(None) => usize::MAX,
            Some(Some(answer)) => answer.step,
            None => now,
        };
        let mut steps = self.0.step.subscribe();
        let _ = steps.wait_for(|step| *step >= answered_in).await;
    }

    /// Returns the recorded answer to a question, if it was asked; it may never have been answered.
    fn recorded(&self, call: &Call) -> Option<Option<Answer>> {
        let now = self.now();
        let steps = &self.0.exchange.steps;
        let wanted = essence(call);
        let same = |question: &&Question| essence(&question.call) == wanted;
        // The answer to a prefetch is also the answer to the look after it.
        let alike =
            |question: &&Question| !is_ahead(call) && essence(&behind(&question.call)) == wanted;
        let mut state = self.state();
        let mut in_step = |fits: &dyn Fn(&&Question) -> bool| {
            let questions = steps[now].questions.iter().enumerate();
            let fitting: Vec<usize> =
                questions.filter(|(_, question)| fits(question)).map(|(at, _)| at).collect();
            let next = fitting.iter().find(|at| !state.used[**at]).copied();
            if let Some(next) = next {
                state.used[next] = true;
            }
            let at = next.or(fitting.last().copied().filter(|_| call.method != NEWS))?;
            Some(steps[now].questions[at].answer.clone())
        };
        if let Some(answer) = in_step(&same).or_else(|| in_step(&alike)) {
            return Some(answer);
        }
        if call.method == NEWS {
            // There are no more answers.
            return Some(None);
        }
        let before = steps[..now].iter().rev().flat_map(|step| step.questions.iter().rev());
        let mut before = before.filter(|question| same(question) || alike(question));
        before.next().map(|question| question.answer.clone())
    }
}

/// Whether a call is a prefetch, while an action is still settling.
fn is_ahead(call: &Call) -> bool {
    call.method == "script walk" && call.arguments.contains("\"ahead\":true")
}

/// Returns a prefetch as the look after the action.
fn behind(call: &Call) -> Call {
    Call { arguments: call.arguments.replace("\"ahead\":true", "\"ahead\":false"), ..call.clone() }
}

/// Returns what two equal questions have in common: everything except the times in their arguments,
/// which depend on the speed of the machine, and the order of the members of an object.
fn essence(call: &Call) -> (&str, Option<&str>, &str, Value) {
    let Call { tab, frame, method, arguments } = call;
    let mut read = serde_json::from_str(arguments).unwrap_or_else(|_| arguments.as_str().into());
    let time = match method.as_str() {
        "script nextChange" => "/0",
        "script waitForText" => "/1",
        "script walk" => "/0/limit",
        _ => return (tab, frame.as_deref(), method, read),
    };
    if let Some(time) = read.pointer_mut(time) {
        *time = Value::Null;
    }
    (tab, frame.as_deref(), method, read)
}

#[async_trait]
impl AnswerSource for Player {
    async fn answer(
        &self,
        call: Call,
        changes: bool,
        limit: Duration,
        _asked: Option<Pending<'_, String>>,
    ) -> Result<String> {
        if call.method == RESPONDS {
            self.awake(&call).await;
            return Ok("null".to_owned());
        }
        if changes { self.change(call).await } else { self.ask(call, limit).await }
    }
}

#[async_trait]
impl Browser for Player {
    fn product(&self) -> &str {
        &self.0.exchange.browser
    }

    fn is_alive(&self) -> bool {
        true
    }

    async fn end_busiest_page_process(&self) -> Result<()> {
        Err(BrowserError::Disconnected)
    }

    async fn open_tab(&self, viewport: Viewport) -> Result<OpenedTab> {
        #[derive(Deserialize)]
        struct Opened {
            tab: String,
            url: String,
        }
        // The events of a new tab come before the call is answered, so its channel must exist
        // first.
        let next = self.0.exchange.steps.get(self.now() + 1);
        let answer =
            next.and_then(|step| step.answer.as_ref()).and_then(|answer| answer.json.as_deref());
        let opened: Option<Opened> = answer.and_then(|json| serde_json::from_str(json).ok());
        let opened = opened.map(|opened| self.open(opened.tab, opened.url));
        self.change(Call::new("", None, "open_tab", format!("{viewport:?}"))).await?;
        Ok(opened.expect("a tab was opened in the recording"))
    }

    async fn close(&self) {}
}
