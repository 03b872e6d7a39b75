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

use crate::backend::TabEvent;
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Connection, Pending};
use crate::wire::json;

/// How long a document may be on its way in before it is talked to whatever it is.
const BETWEEN_LIMIT: Duration = Duration::from_secs(2);

/// One tab.
pub(super) struct TabState {
    /// The id of its browsing context.
    pub(super) id: String,
    /// The window that it was opened in.
    pub(super) window: Option<String>,
    /// The mouse goes through the window and is felt in frames of other sites; otherwise each frame
    /// has to be told.
    pub(super) through_window: bool,
    pub(super) connection: Connection,
    pub(super) facts: watch::Sender<Facts>,
    pub(super) traffic: Mutex<Traffic>,
    /// The frame that a drag began in whose button is still down.
    pub(super) held: Mutex<Option<Option<String>>>,
    events: Mutex<Option<mpsc::UnboundedSender<TabEvent>>>,
}

/// What calls depend on and wait for.
#[derive(Default)]
pub(super) struct Facts {
    /// Realms of the documents, the page's own and ours, and the frame each is in.
    pub(super) realms: Vec<(String, String)>,
    /// How many documents came and went, by frame.
    pub(super) documents: HashMap<String, u64>,
    /// The last top document is gone and the next has not been committed: what answers now is an
    /// empty one in between.
    pub(super) between: bool,
    pub(super) dialog: Option<Dialog>,
    pub(super) crashed: bool,
    pub(super) closed: bool,
    /// How many navigations of the top frame were begun, and whether the last one stays in its
    /// document.
    pub(super) begun: u64,
    pub(super) within: bool,
    /// The last navigation that stayed in its document.
    pub(super) last_within: Option<String>,
}

/// A document of a frame.
pub(super) struct Document {
    pub(super) context: String,
    number: u64,
}

/// An open JavaScript dialog.
#[derive(Clone, Debug)]
pub(super) struct Dialog {
    pub(super) kind: String,
    pub(super) message: String,
    /// The answer that a prompt proposes.
    pub(super) proposed: Option<String>,
}

/// Requests that have not ended, and the navigation under way.
#[derive(Default)]
pub(super) struct Traffic {
    /// By id; with who asked for it.
    pub(super) requests: HashMap<String, Asker>,
    pub(super) navigation: Option<Navigation>,
    /// The last navigation that was reported as failed.
    pub(super) failed: Option<String>,
}

/// Who asked for something.
pub(super) struct Asker {
    /// The navigation, where it is a document.
    pub(super) navigation: Option<String>,
    /// The frame.
    pub(super) context: Option<String>,
}

/// A navigation of the top frame that has neither committed nor failed.
pub(super) struct Navigation {
    pub(super) id: String,
    /// Whether the network was asked for it. What comes out of the back/forward cache needs no
    /// network.
    pub(super) requested: bool,
}

impl Traffic {
    /// The navigation that is under way without having asked the network for anything.
    pub(super) fn unasked(&self) -> Option<&str> {
        self.navigation
            .as_ref()
            .filter(|navigation| !navigation.requested)
            .map(|navigation| navigation.id.as_str())
    }
}

impl TabState {
    /// A new tab, and what it will report.
    pub(super) fn new(
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
    pub(super) fn report(&self, event: TabEvent) {
        if let Some(sender) = &*lock(&self.events) {
            // A listener that went away misses nothing.
            let _ = sender.send(event);
        }
    }

    /// The tab is gone: says so once and ends its events.
    pub(super) fn ended(&self) {
        self.facts.send_modify(|facts| facts.closed = true);
        if let Some(sender) = lock(&self.events).take() {
            let _ = sender.send(TabEvent::Closed);
        }
    }

    /// Sends a command; the reply can be waited for later.
    pub(super) fn begin(&self, method: &'static str, params: impl Serialize) -> Pending {
        self.connection.begin(None, method, params)
    }

    /// Sends a command and reads its answer. Fails at once if the tab closes or a dialog opens. A
    /// crashed tab can be navigated.
    pub(super) async fn call<T: DeserializeOwned>(
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
    pub(super) fn ready(&self, alive: bool) -> Result<()> {
        if !self.connection.is_open() {
            return Err(BrowserError::Disconnected);
        }
        self.facts.borrow().stopped(alive).map_or(Ok(()), Err)
    }

    /// Waits for `call`, but no longer than the tab can answer.
    pub(super) async fn unless_stopped<T>(
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
    pub(super) async fn document(&self, frame: Option<&str>, limit: Duration) -> Result<Document> {
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
    pub(super) async fn within_document<T>(
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
    pub(super) fn traffic(&self) -> MutexGuard<'_, Traffic> {
        lock(&self.traffic)
    }
}

impl Facts {
    /// The number of the document that a frame shows.
    fn number(&self, context: &str) -> u64 {
        self.documents.get(context).copied().unwrap_or_default()
    }

    /// A frame shows another document, or none.
    pub(super) fn next_document(&mut self, context: &str) {
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
pub(super) fn gone(error: BrowserError) -> BrowserError {
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
pub(super) fn read<T: DeserializeOwned>(method: &'static str, raw: &RawValue) -> Result<T> {
    json::decode(raw).map_err(|error| BrowserError::Refused {
        method: method.to_owned(),
        message: format!("an answer that cannot be read: {error}"),
    })
}

/// The contents of a lock, whatever happened to its last holder.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
