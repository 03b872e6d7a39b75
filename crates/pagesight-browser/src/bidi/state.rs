//! What is known about one tab, shared by the events that change it and the calls that depend on
//! it. Events are taken in the connection's reading task (see `events.rs`), so what a call reads
//! here is never older than the last reply it saw.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, watch};

use crate::api::events::TabEvent;
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Connection, Pending};
use crate::wire::json;

/// How long a document may be on its way in before it is talked to whatever it is.
const BETWEEN_LIMIT: Duration = Duration::from_secs(2);

/// One tab.
pub(crate) struct TabState {
    /// The id of its browsing context.
    pub(crate) id: String,
    /// The window that it was opened in.
    pub(crate) window: Option<String>,
    /// The mouse goes through the window and is felt in frames of other sites; otherwise each frame
    /// has to be told.
    pub(crate) through_window: bool,
    pub(crate) connection: Connection,
    pub(crate) facts: watch::Sender<Facts>,
    pub(crate) traffic: Mutex<Traffic>,
    /// The frame that a drag began in whose button is still down.
    pub(crate) held: Mutex<Option<Option<String>>>,
    events: Mutex<Option<mpsc::UnboundedSender<TabEvent>>>,
}

/// What calls depend on and wait for.
#[derive(Default)]
pub(crate) struct Facts {
    /// Realms of the documents, the page's own and ours, and the frame each is in.
    pub(crate) realms: Vec<(String, String)>,
    /// How many documents came and went, by frame.
    pub(crate) documents: HashMap<String, u64>,
    /// The last top document is gone and the next has not been committed: what answers now is an
    /// empty one in between.
    pub(crate) between: bool,
    pub(crate) dialog: Option<Dialog>,
    pub(crate) crashed: bool,
    pub(crate) closed: bool,
    /// How many navigations of the top frame were begun, and whether the last one stays in its
    /// document.
    pub(crate) begun: u64,
    pub(crate) within: bool,
    /// The last navigation that stayed in its document.
    pub(crate) last_within: Option<String>,
}

/// A document of a frame.
pub(crate) struct Document {
    pub(crate) context: String,
    number: u64,
}

/// An open JavaScript dialog.
#[derive(Clone, Debug)]
pub(crate) struct Dialog {
    pub(crate) kind: String,
    pub(crate) message: String,
    /// The answer that a prompt proposes.
    pub(crate) proposed: Option<String>,
}

/// Requests that have not ended, and the navigation under way.
#[derive(Default)]
pub(crate) struct Traffic {
    /// By id; with who asked for it.
    pub(crate) requests: HashMap<String, Asker>,
    pub(crate) navigation: Option<Navigation>,
    /// The last navigation that was reported as failed.
    pub(crate) failed: Option<String>,
}

/// Who asked for something.
pub(crate) struct Asker {
    /// The navigation, where it is a document.
    pub(crate) navigation: Option<String>,
    /// The frame.
    pub(crate) context: Option<String>,
}

/// A navigation of the top frame that has neither committed nor failed.
pub(crate) struct Navigation {
    pub(crate) id: String,
    /// Whether the network was asked for it. What comes out of the back/forward cache needs no
    /// network.
    pub(crate) requested: bool,
}

impl Traffic {
    /// The navigation that is under way without having asked the network for anything.
    pub(crate) fn unasked(&self) -> Option<&str> {
        self.navigation
            .as_ref()
            .filter(|navigation| !navigation.requested)
            .map(|navigation| navigation.id.as_str())
    }
}

impl TabState {
    /// A new tab, and what it will report.
    pub(crate) fn new(
        connection: Connection,
        id: String,
        window: Option<String>,
        through_window: bool,
    ) -> (TabState, mpsc::UnboundedReceiver<TabEvent>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let state = TabState {
            id,
            window,
            through_window,
            connection,
            facts: watch::Sender::new(Facts::default()),
            traffic: Mutex::default(),
            held: Mutex::default(),
            events: Mutex::new(Some(sender)),
        };
        (state, receiver)
    }

    /// Reports an event to whoever listens.
    pub(crate) fn report(&self, event: TabEvent) {
        if let Some(sender) = &*lock(&self.events) {
            // A listener that went away misses nothing.
            let _ = sender.send(event);
        }
    }

    /// The tab is gone: says so once and ends its events.
    pub(crate) fn ended(&self) {
        self.facts.send_modify(|facts| facts.closed = true);
        if let Some(sender) = lock(&self.events).take() {
            let _ = sender.send(TabEvent::Closed);
        }
    }

    /// Sends a command; the reply can be waited for later.
    pub(crate) fn begin(&self, method: &'static str, params: impl Serialize) -> Pending {
        self.connection.begin(None, method, params)
    }

    /// Sends a command and reads its answer. Fails at once if the tab closes or a dialog opens. A
    /// crashed tab can be navigated.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: impl Serialize,
        limit: Duration,
    ) -> Result<T> {
        self.ready(false)?;
        let pending = self.begin(method, params);
        let raw = self.unless_stopped(false, pending.wait(limit)).await.map_err(gone)?;
        read(method, &raw)
    }

    /// Fails if nothing can be done in the tab now. `alive`: it needs a page that has not crashed.
    pub(crate) fn ready(&self, alive: bool) -> Result<()> {
        if !self.connection.is_open() {
            return Err(BrowserError::Disconnected);
        }
        self.facts.borrow().stopped(alive).map_or(Ok(()), Err)
    }

    /// Waits for `call`, but no longer than the tab can answer.
    pub(crate) async fn unless_stopped<T>(
        &self,
        alive: bool,
        call: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let mut facts = self.facts.subscribe();
        tokio::select! {
            biased;
            answer = call => answer,
            stopped = async { facts.wait_for(|facts| facts.stopped(alive).is_some()).await.map(|facts| facts.stopped(alive)) } => {
                self.ready(alive)?;
                Err(stopped.ok().flatten().unwrap_or(BrowserError::TabClosed))
            }
        }
    }

    /// The document that a frame (`None`: the top one) shows; waits for the one that is on its way
    /// in.
    pub(crate) async fn document(&self, frame: Option<&str>, limit: Duration) -> Result<Document> {
        let mut facts = self.facts.subscribe();
        let shown = async { Ok(facts.wait_for(|facts| !facts.between).await.is_ok()) };
        if tokio::time::timeout(limit.min(BETWEEN_LIMIT), self.unless_stopped(true, shown))
            .await
            .is_err()
        {
            // Nobody told what became of it; better an empty document than none.
            self.facts.send_modify(|facts| facts.between = false);
        }
        self.ready(true)?;
        let context = frame.unwrap_or(&self.id).to_owned();
        let number = self.facts.borrow().number(&context);
        Ok(Document { context, number })
    }

    /// Waits for `call`, but no longer than the tab can answer and the frame shows the same
    /// document.
    pub(crate) async fn within_document<T>(
        &self,
        document: &Document,
        call: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let mut facts = self.facts.subscribe();
        tokio::select! {
            biased;
            answer = self.unless_stopped(true, call) => answer.map_err(|error| match gone(error) {
                // A frame can go without its tab.
                BrowserError::TabClosed if document.context != self.id => BrowserError::Navigated,
                error => error,
            }),
            _ = facts.wait_for(|facts| facts.number(&document.context) != document.number) => {
                Err(BrowserError::Navigated)
            }
        }
    }

    /// The traffic, for reading and changing.
    pub(crate) fn traffic(&self) -> MutexGuard<'_, Traffic> {
        lock(&self.traffic)
    }
}

impl Facts {
    /// The number of the document that a frame shows.
    fn number(&self, context: &str) -> u64 {
        self.documents.get(context).copied().unwrap_or_default()
    }

    /// A frame shows another document, or none.
    pub(crate) fn next_document(&mut self, context: &str) {
        *self.documents.entry(context.to_owned()).or_default() += 1;
    }

    /// Why nothing can be done in the tab, if so.
    fn stopped(&self, alive: bool) -> Option<BrowserError> {
        if self.closed {
            return Some(BrowserError::TabClosed);
        }
        if self.crashed && alive {
            return Some(BrowserError::TabCrashed);
        }
        let Dialog { kind, message, .. } = self.dialog.clone()?;
        Some(BrowserError::DialogOpen { kind, message })
    }
}

/// What Firefox's refusal means where the tab or the document is gone.
pub(crate) fn gone(error: BrowserError) -> BrowserError {
    match &error {
        BrowserError::Refused { message, .. } if message.starts_with("no such frame") => {
            BrowserError::TabClosed
        }
        BrowserError::Refused { message, .. }
            if message.contains("AbortError")
                || message.contains("DiscardedBrowsingContextError") =>
        {
            BrowserError::Navigated
        }
        _ => error,
    }
}

/// Reads the answer to a command.
pub(crate) fn read<T: DeserializeOwned>(method: &'static str, raw: &RawValue) -> Result<T> {
    json::decode(raw).map_err(|error| BrowserError::Refused {
        method: method.to_owned(),
        message: format!("an answer that cannot be read: {error}"),
    })
}

/// The contents of a lock, whatever happened to its last holder.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
