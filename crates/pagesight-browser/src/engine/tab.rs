//! The part of a tab that is the same in every engine: its connection, its status and its events.
//! Events arrive in the connection's reading task, so the status that a call reads is never older
//! than the last reply that the call saw.

use std::future::Future;
use std::sync::Mutex;
use std::time::Duration;

use base64::Engine as _;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};

use crate::api::events::TabEvent;
use crate::api::traits::{CALL_LIMIT, NavigationStart};
use crate::error::{BrowserError, Result};
use crate::sync::lock;
use crate::wire::connection::{Connection, Pending, read_reply};

/// The tallest screenshot of a whole page; browsers repeat or drop everything below.
pub(crate) const TALLEST_SCREENSHOT: f64 = 16384.0;
/// How long a step in the history may take to show whether it leaves the document.
pub(crate) const STEP_LIMIT: Duration = Duration::from_secs(1);
/// How long a page that hangs is waited for; no other call waits meanwhile.
pub(crate) const LONGEST_HANG: Duration = Duration::from_secs(24 * 3600);
/// How long the event for a closed dialog may come after the reply to the command that closed it.
const DIALOG_LIMIT: Duration = Duration::from_secs(1);

/// One tab. `F` is the engine's state of the tab's frames.
pub(crate) struct EngineTab<F> {
    /// The engine's id of the tab.
    pub(crate) id: String,
    /// The connection to its browser.
    pub(crate) connection: Connection,
    /// The status that calls depend on and wait for.
    pub(crate) status: watch::Sender<TabStatus<F>>,
    /// The protocol session that commands of the tab are sent to, if the protocol has sessions.
    session: Option<String>,
    events: Mutex<Option<mpsc::UnboundedSender<TabEvent>>>,
    /// Turns refusals of the engine into errors that say what happened.
    explain: fn(BrowserError) -> BrowserError,
}

/// The status that calls depend on and wait for.
#[derive(Default)]
pub(crate) struct TabStatus<F> {
    /// The JavaScript dialog that is open.
    pub(crate) dialog: Option<Dialog>,
    /// Whether the page's process died and no document has been committed since.
    pub(crate) crashed: bool,
    /// Whether the tab is gone.
    pub(crate) closed: bool,
    /// How many navigations of the top frame have begun.
    pub(crate) navigations: u64,
    /// Whether the last of them stays in its document.
    pub(crate) same_document: bool,
    /// The engine's state of the tab's frames.
    pub(crate) frames: F,
}

/// An open JavaScript dialog.
#[derive(Clone, Debug)]
pub(crate) struct Dialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub(crate) kind: String,
    pub(crate) message: String,
    /// The answer that a prompt proposes.
    pub(crate) proposed: Option<String>,
}

/// A reply whose content does not matter.
#[derive(Deserialize)]
pub(crate) struct Done {}

/// The reply to a screenshot command.
#[derive(Deserialize)]
struct Screenshot {
    data: String,
}

impl<F> TabStatus<F> {
    /// Returns why no call is possible in the tab, if so. `alive`: a crashed page counts.
    fn blocked(&self, alive: bool) -> Option<BrowserError> {
        if self.closed {
            return Some(BrowserError::TabClosed);
        }
        if self.crashed && alive {
            return Some(BrowserError::TabCrashed);
        }
        let Dialog { kind, message, .. } = self.dialog.clone()?;
        Some(BrowserError::DialogOpen { kind, message })
    }

    /// Counts a navigation of the top frame.
    pub(crate) fn navigation_began(&mut self, same_document: bool) {
        self.navigations += 1;
        self.same_document = same_document;
    }
}

impl<F> EngineTab<F> {
    /// Creates a tab and the channel of its events.
    pub(crate) fn new(
        connection: Connection,
        id: String,
        session: Option<String>,
        frames: F,
        explain: fn(BrowserError) -> BrowserError,
    ) -> (EngineTab<F>, mpsc::UnboundedReceiver<TabEvent>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let status = TabStatus {
            dialog: None,
            crashed: false,
            closed: false,
            navigations: 0,
            same_document: false,
            frames,
        };
        let events = Mutex::new(Some(sender));
        let status = watch::Sender::new(status);
        (EngineTab { id, connection, status, session, events, explain }, receiver)
    }

    /// The protocol session of the tab; empty if the protocol has none.
    pub(crate) fn session(&self) -> &str {
        self.session.as_deref().unwrap_or_default()
    }

    /// Reports an event to the listener, if there still is one.
    pub(crate) fn report(&self, event: TabEvent) {
        if let Some(sender) = &*lock(&self.events) {
            let _ = sender.send(event);
        }
    }

    /// Opens a new channel of events, and ends the old one.
    pub(crate) fn new_events(&self) -> mpsc::UnboundedReceiver<TabEvent> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut events = lock(&self.events);
        // A tab that has ended reports nothing.
        if events.is_some() {
            *events = Some(sender);
        }
        receiver
    }

    /// Reports requests whose end the engine will never report.
    pub(crate) fn report_abandoned(&self, requests: Vec<String>, reason: &str) {
        for id in requests {
            let reason = reason.to_owned();
            self.report(TabEvent::RequestFailed { id, reason, cancelled: true });
        }
    }

    /// Marks the tab as closed, reports that once, and ends its events.
    pub(crate) fn ended(&self) {
        self.status.send_modify(|status| status.closed = true);
        if let Some(sender) = lock(&self.events).take() {
            let _ = sender.send(TabEvent::Closed);
        }
    }

    /// Records a dialog that opened, and reports it.
    pub(crate) fn dialog_opened(&self, dialog: Dialog) {
        let Dialog { kind, message, .. } = dialog.clone();
        self.report(TabEvent::DialogOpened { kind, message });
        self.status.send_modify(|status| status.dialog = Some(dialog));
    }

    /// Records that the dialog is gone, and reports it; returns the dialog.
    pub(crate) fn dialog_closed(&self) -> Option<Dialog> {
        let mut closed = None;
        self.status.send_modify(|status| closed = status.dialog.take());
        self.report(TabEvent::DialogClosed);
        closed
    }

    /// Sends a command to the tab; the reply can be waited for later.
    pub(crate) fn begin(&self, method: &'static str, params: impl Serialize) -> Pending {
        self.connection.begin(self.session.as_deref(), method, params)
    }

    /// Sends a command to the tab and reads its reply. Fails at once if the tab closes or a dialog
    /// opens. A crashed tab still takes commands, because it can be navigated.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: impl Serialize,
        limit: Duration,
    ) -> Result<T> {
        self.ready(false)?;
        let pending = self.begin(method, params);
        let raw = self.unless_blocked(false, pending.wait(limit)).await.map_err(self.explain)?;
        read_reply(method, &raw)
    }

    /// Sends a command whose reply does not matter, and waits until it is done.
    pub(crate) async fn command(&self, method: &'static str, params: impl Serialize) -> Result<()> {
        self.call(method, params, CALL_LIMIT).await.map(|Done {}| ())
    }

    /// Fails if no call is possible in the tab now. `alive`: the page must not have crashed.
    pub(crate) fn ready(&self, alive: bool) -> Result<()> {
        if !self.connection.is_open() {
            return Err(BrowserError::Disconnected);
        }
        self.status.borrow().blocked(alive).map_or(Ok(()), Err)
    }

    /// Waits for `call` as long as the tab can answer.
    pub(crate) async fn unless_blocked<T>(
        &self,
        alive: bool,
        call: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let mut status = self.status.subscribe();
        let blocked = async {
            let blocked = status.wait_for(|status| status.blocked(alive).is_some()).await;
            blocked.map(|status| status.blocked(alive))
        };
        tokio::select! {
            biased;
            answer = call => answer,
            blocked = blocked => {
                self.ready(alive)?;
                Err(blocked.ok().flatten().unwrap_or(BrowserError::TabClosed))
            }
        }
    }

    /// Returns a receiver for navigations that begin from now on, and how many began before.
    pub(crate) fn navigations(&self) -> (watch::Receiver<TabStatus<F>>, u64) {
        let mut status = self.status.subscribe();
        let before = status.borrow_and_update().navigations;
        (status, before)
    }

    /// Waits for the navigation that a step in the history begins.
    pub(crate) async fn step_began(
        &self,
        (mut status, before): (watch::Receiver<TabStatus<F>>, u64),
    ) -> Result<NavigationStart> {
        let same_document = self.unless_blocked(false, async {
            let next = status.wait_for(|status| status.navigations > before);
            let next = tokio::time::timeout(STEP_LIMIT, next).await;
            Ok(matches!(next, Ok(Ok(status)) if status.same_document))
        });
        Ok(if same_document.await? {
            NavigationStart::SameDocument
        } else {
            NavigationStart::NewDocument
        })
    }

    /// Returns the text to answer the open dialog with. If the caller gave none, it is the text
    /// that the prompt proposes: a command without a text would answer with an empty one.
    pub(crate) fn dialog_text(&self, accept: bool, text: Option<&str>) -> Option<String> {
        let proposed =
            self.status.borrow().dialog.as_ref().and_then(|dialog| dialog.proposed.clone());
        text.map(str::to_owned).or(proposed.filter(|_| accept))
    }

    /// Sends the command that answers the open dialog, and waits until the dialog is gone: the
    /// event may come after the reply, and until then every other call would fail.
    pub(crate) async fn answer_dialog(
        &self,
        method: &'static str,
        params: impl Serialize,
    ) -> Result<()> {
        self.begin(method, params).wait(CALL_LIMIT).await?;
        let mut status = self.status.subscribe();
        let closed = status.wait_for(|status| status.dialog.is_none() || status.closed);
        let _ = tokio::time::timeout(DIALOG_LIMIT, closed).await;
        Ok(())
    }

    /// Sends the command that takes a screenshot, and returns the image.
    pub(crate) async fn take_screenshot(
        &self,
        method: &'static str,
        params: impl Serialize,
    ) -> Result<Vec<u8>> {
        let pending = self.begin(method, params);
        let raw =
            self.unless_blocked(true, pending.wait(CALL_LIMIT)).await.map_err(self.explain)?;
        let Screenshot { data } = read_reply(method, &raw)?;
        base64::engine::general_purpose::STANDARD.decode(data).map_err(|error| {
            BrowserError::Refused { method: method.to_owned(), message: error.to_string() }
        })
    }

    /// Waits until the tab is gone.
    pub(crate) async fn until_closed(&self) -> Result<()> {
        let mut status = self.status.subscribe();
        match tokio::time::timeout(CALL_LIMIT, status.wait_for(|status| status.closed)).await {
            Ok(_) => Ok(()),
            Err(_) => {
                let what = "closing the tab".to_owned();
                Err(BrowserError::TimedOut { what, limit: CALL_LIMIT })
            }
        }
    }
}
