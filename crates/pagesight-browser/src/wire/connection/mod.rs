//! One connection to a browser: calls and their replies, and events in their order. Owns the two
//! tasks that read and write. Events go to a [`Handler`] in the reading task itself, so the effects
//! of an event come before any later reply. Results stay raw JSON; only the caller knows their
//! type.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

use crate::error::{BrowserError, Result};
use crate::sync::lock;
use crate::wire::{Incoming, Outgoing, json};

/// An event of the browser.
pub(crate) struct ProtocolEvent<'a> {
    pub(crate) method: &'a str,
    /// The session it belongs to; `None` for the browser itself.
    pub(crate) session: Option<&'a str>,
    params: Option<&'a RawValue>,
}

impl ProtocolEvent<'_> {
    /// Reads the event's parameters; `None`, with a warning in the log, if they cannot be read.
    pub(crate) fn params<T: DeserializeOwned>(&self) -> Option<T> {
        let text = self.params.map_or("{}", RawValue::get);
        json::decode_text(text)
            .inspect_err(|error| tracing::warn!(method = self.method, %error, "unreadable event"))
            .ok()
    }

    /// Hands the event's parameters to `take`, if they can be read.
    pub(crate) fn with_params<T: DeserializeOwned>(&self, take: impl FnOnce(T)) {
        if let Some(params) = self.params() {
            take(params);
        }
    }
}

/// Handles events as they come. Runs in the reading task: it must not block.
pub(crate) trait Handler: Send + Sync + 'static {
    fn event(&self, connection: &Connection, event: &ProtocolEvent<'_>);
    /// Called once when the connection ended; no event follows.
    fn disconnected(&self);
}

/// A connection to a browser. Clones are the same connection.
#[derive(Clone)]
pub(crate) struct Connection(Arc<ConnectionInner>);

struct ConnectionInner {
    next_id: AtomicU64,
    table: Mutex<CallTable>,
    outgoing: mpsc::UnboundedSender<String>,
    tasks: OnceLock<[AbortHandle; 2]>,
    handler: Box<dyn Handler>,
}

struct CallTable {
    open: bool,
    calls: HashMap<u64, WaitingCall>,
}

struct WaitingCall {
    session: Option<String>,
    method: &'static str,
    begun: Instant,
    reply: oneshot::Sender<Result<Box<RawValue>>>,
}

#[derive(Serialize)]
struct Command<'a, P> {
    id: u64,
    method: &'a str,
    params: P,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
}

#[derive(Deserialize)]
struct Message<'a> {
    id: Option<u64>,
    method: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Refusal>,
    /// The message of an error that is only a code.
    message: Option<String>,
    #[serde(rename = "sessionId")]
    session: Option<String>,
}

/// The two forms of an error: `{"error": {"code": …, "message": …}}` and `{"error": CODE,
/// "message": …}`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Refusal {
    Numbered {
        #[serde(default)]
        code: i64,
        #[serde(default)]
        message: String,
    },
    Named(String),
}

/// Chromium's error code for a session that is gone.
const NO_SESSION: i64 = -32001;

/// A call that was sent and not yet answered. Dropping it forgets the call.
pub(crate) struct Pending {
    id: u64,
    method: &'static str,
    connection: Connection,
    reply: oneshot::Receiver<Result<Box<RawValue>>>,
}

impl Pending {
    /// Waits for the reply, `limit` at most.
    pub(crate) async fn wait(mut self, limit: Duration) -> Result<Box<RawValue>> {
        match tokio::time::timeout(limit, &mut self.reply).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) => Err(BrowserError::Disconnected),
            Err(_) => Err(BrowserError::TimedOut { what: self.method.to_owned(), limit }),
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.connection.0.table().calls.remove(&self.id);
    }
}

impl Connection {
    /// Starts to read and write. Must be called inside a tokio runtime.
    pub(crate) fn open(
        incoming: impl Incoming,
        outgoing: impl Outgoing,
        handler: Box<dyn Handler>,
    ) -> Connection {
        let (sender, receiver) = mpsc::unbounded_channel();
        let connection = Connection(Arc::new(ConnectionInner {
            next_id: AtomicU64::new(1),
            table: Mutex::new(CallTable { open: true, calls: HashMap::new() }),
            outgoing: sender,
            tasks: OnceLock::new(),
            handler,
        }));
        let reading = tokio::spawn(read(connection.clone(), incoming)).abort_handle();
        let writing = tokio::spawn(write(connection.clone(), outgoing, receiver)).abort_handle();
        let tasks = connection.0.tasks.get_or_init(|| [reading, writing]);
        if !connection.is_open() {
            tasks.iter().for_each(AbortHandle::abort);
        }
        connection
    }

    /// Returns whether the connection is open.
    pub(crate) fn is_open(&self) -> bool {
        self.0.table().open
    }

    /// Sends a call at once, in the order of the calls to this function; the reply can be waited
    /// for later.
    pub(crate) fn begin(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: impl Serialize,
    ) -> Pending {
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, reply) = oneshot::channel();
        let pending = Pending { id, method, connection: self.clone(), reply };
        let text = match serde_json::to_string(&Command { id, method, params, session }) {
            Ok(text) => text,
            Err(error) => {
                let refused =
                    BrowserError::Refused { method: method.to_owned(), message: error.to_string() };
                // The receiver is right here, in `pending`.
                let _ = sender.send(Err(refused));
                return pending;
            }
        };
        let mut table = self.0.table();
        // Dropping `sender` instead answers the call with `Disconnected`.
        if table.open {
            table.calls.insert(
                id,
                WaitingCall {
                    session: session.map(str::to_owned),
                    method,
                    begun: Instant::now(),
                    reply: sender,
                },
            );
            let _ = self.0.outgoing.send(text);
        }
        drop(table);
        pending
    }

    /// Sends a call and waits for its reply, `limit` at most.
    pub(crate) async fn call(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: impl Serialize + Send,
        limit: Duration,
    ) -> Result<Box<RawValue>> {
        self.begin(session, method, params).wait(limit).await
    }

    /// Fails every call that waits in a session that is gone.
    pub(crate) fn end_session(&self, session: &str) {
        let gone: Vec<WaitingCall> = {
            let mut table = self.0.table();
            table
                .calls
                .extract_if(|_, call| call.session.as_deref() == Some(session))
                .map(|(_, call)| call)
                .collect()
        };
        for call in gone {
            let _ = call.reply.send(Err(BrowserError::TabClosed));
        }
    }

    /// Ends the connection from our side.
    pub(crate) fn shut(&self) {
        let calls = {
            let mut table = self.0.table();
            if !std::mem::replace(&mut table.open, false) {
                return;
            }
            std::mem::take(&mut table.calls)
        };
        for (_, call) in calls {
            let _ = call.reply.send(Err(BrowserError::Disconnected));
        }
        self.0.handler.disconnected();
        if let Some(tasks) = self.0.tasks.get() {
            tasks.iter().for_each(AbortHandle::abort);
        }
    }

    fn receive(&self, bytes: &[u8]) {
        match serde_json::from_slice(bytes) {
            Ok(message) => self.handle(message),
            // The message of an error may quote the page, with lone surrogates.
            Err(error) => match std::str::from_utf8(bytes).map(json::repair) {
                Ok(Cow::Owned(repaired)) => self.receive(repaired.as_bytes()),
                _ => {
                    let length = bytes.len();
                    tracing::warn!(%error, length, "unreadable message from the browser");
                }
            },
        }
    }

    fn handle(&self, message: Message<'_>) {
        match message {
            Message { id: Some(id), result, error, message, .. } => {
                let Some(call) = self.0.table().calls.remove(&id) else { return };
                tracing::trace!(method = call.method, took = ?call.begun.elapsed(), "reply");
                let reply = match (result, error) {
                    (_, Some(Refusal::Numbered { code: NO_SESSION, .. })) => {
                        Err(BrowserError::TabClosed)
                    }
                    (_, Some(Refusal::Numbered { message, .. })) => {
                        Err(BrowserError::Refused { method: call.method.to_owned(), message })
                    }
                    (_, Some(Refusal::Named(code))) => {
                        let message = format!("{code}: {}", message.unwrap_or_default());
                        Err(BrowserError::Refused { method: call.method.to_owned(), message })
                    }
                    (Some(result), None) => Ok(result.to_owned()),
                    (None, None) => Ok(RawValue::NULL.to_owned()),
                };
                let _ = call.reply.send(reply);
            }
            Message { method: Some(method), params, session, .. } => {
                let event = ProtocolEvent { method: &method, session: session.as_deref(), params };
                self.0.handler.event(self, &event);
            }
            _ => tracing::debug!("ignored a message that is neither a reply nor an event"),
        }
    }
}

impl ConnectionInner {
    fn table(&self) -> MutexGuard<'_, CallTable> {
        lock(&self.table)
    }
}

/// Reads the reply to a command.
pub(crate) fn read_reply<T: DeserializeOwned>(method: &'static str, raw: &RawValue) -> Result<T> {
    json::decode(raw).map_err(|error| BrowserError::Refused {
        method: method.to_owned(),
        message: format!("its reply cannot be read: {error}"),
    })
}

async fn read(connection: Connection, mut incoming: impl Incoming) {
    loop {
        match incoming.next().await {
            Ok(Some(message)) => connection.receive(message),
            Ok(None) => break,
            Err(error) => {
                tracing::debug!(%error, "the connection broke");
                break;
            }
        }
    }
    connection.shut();
}

async fn write(
    connection: Connection,
    mut outgoing: impl Outgoing,
    mut messages: mpsc::UnboundedReceiver<String>,
) {
    while let Some(message) = messages.recv().await {
        if let Err(error) = outgoing.send(message).await {
            tracing::debug!(%error, "the connection broke");
            break;
        }
    }
    connection.shut();
}

#[cfg(test)]
mod tests;
