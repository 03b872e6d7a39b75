//! What is known about one tab, shared by the events that change it and the calls that depend on
//! it. Events are taken in the connection's reading task (see `events.rs`), so what a call reads
//! here is never older than the last reply it saw.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, watch};

use super::hidden_parts::Told;
use super::protocol::FrameTree;
use crate::api::events::TabEvent;
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Connection, Pending};
use crate::wire::json;

/// What a page asks for again within this time, it asks for all the time.
const SOON: Duration = Duration::from_secs(2);

/// One tab.
pub(super) struct TabState {
    /// The target's id.
    pub(super) id: String,
    pub(super) session: String,
    pub(super) connection: Connection,
    pub(super) facts: watch::Sender<Facts>,
    pub(super) traffic: Mutex<Traffic>,
    events: Mutex<Option<mpsc::UnboundedSender<TabEvent>>>,
    /// Whether the set-up is done; what the tab said before is old.
    pub(super) live: AtomicBool,
    /// Whether the page was told that it is in front (see [`TabState::wake`]).
    awake: AtomicBool,
    /// When the wheel was last turned (see `input.rs`).
    pub(super) wheel: Mutex<Option<tokio::time::Instant>>,
    /// What the page script was told of what it cannot see by itself (see `hidden_parts`).
    pub(super) reached: tokio::sync::Mutex<Told>,
}

/// What calls depend on and wait for.
pub(super) struct Facts {
    pub(super) top_frame: String,
    /// Worlds of the page script, one a frame, newest last.
    pub(super) worlds: Vec<World>,
    /// The worlds of the page's own scripts, one a frame, newest last.
    pub(super) own_worlds: Vec<World>,
    /// Frames that live in a process of their own, each with its session.
    pub(super) remote: Vec<RemoteFrame>,
    pub(super) dialog: Option<Dialog>,
    pub(super) crashed: bool,
    pub(super) closed: bool,
    /// How many navigations of the top frame were begun, and whether the last one stays in its
    /// document.
    pub(super) begun: u64,
    pub(super) within: bool,
    /// Whether the top frame shows an empty page.
    pub(super) blank: bool,
}

/// A frame in a process of its own.
#[derive(Clone, Debug)]
pub(super) struct RemoteFrame {
    pub(super) session: String,
    pub(super) frame: String,
}

/// A world of the page script.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// The session that it is reached through.
    pub(super) session: String,
    /// Unique in the browser.
    pub(super) unique: String,
    /// Unique in its process.
    pub(super) id: i64,
    pub(super) frame: String,
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
    pub(super) requests: HashMap<String, Running>,
    /// The request for the next top document.
    pub(super) top_request: Option<String>,
    pub(super) navigating: Navigating,
    /// How often the page itself asked for a navigation of the top frame, and when it last did so
    /// again and again.
    pub(super) asked: u64,
    pub(super) restless: Option<(u32, std::time::Instant)>,
}

/// How far a navigation of the top frame is that has neither committed nor failed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Navigating {
    /// There is none.
    #[default]
    No,
    /// The page asked for one.
    Asked,
    /// The browser began it.
    Begun,
}

/// A request that has not ended.
pub(super) struct Running {
    /// Where it was heard of.
    pub(super) session: String,
    pub(super) loader: String,
    pub(super) status: Option<u16>,
}

impl TabState {
    /// A tab that was just attached to, and what it will report.
    pub(super) fn new(
        connection: Connection,
        id: String,
        session: String,
    ) -> (TabState, mpsc::UnboundedReceiver<TabEvent>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let facts = Facts {
            top_frame: id.clone(),
            worlds: Vec::new(),
            own_worlds: Vec::new(),
            remote: Vec::new(),
            dialog: None,
            crashed: false,
            closed: false,
            begun: 0,
            within: false,
            blank: true,
        };
        let state = TabState {
            id,
            session,
            connection,
            facts: watch::Sender::new(facts),
            traffic: Mutex::default(),
            events: Mutex::new(Some(sender)),
            live: AtomicBool::new(false),
            awake: AtomicBool::new(false),
            wheel: Mutex::default(),
            reached: tokio::sync::Mutex::default(),
        };
        (state, receiver)
    }

    /// Takes the top frame from the answer to `Page.getFrameTree`, unless a later event told it
    /// already. As a rule it is the target's id, but not in a page that was rendered ahead and then
    /// shown.
    pub(super) fn learn_top_frame(&self, tree: &RawValue) {
        if let Ok(FrameTree { frame_tree }) = read("Page.getFrameTree", tree) {
            self.facts.send_if_modified(|facts| {
                let unknown = facts.top_frame == self.id && frame_tree.frame.id != self.id;
                if unknown {
                    facts.top_frame = frame_tree.frame.id;
                }
                unknown
            });
        }
    }

    /// Reports an event to whoever listens.
    pub(super) fn report(&self, event: TabEvent) {
        if let Some(sender) = &*self.events.lock().unwrap_or_else(PoisonError::into_inner) {
            // A listener that went away misses nothing.
            let _ = sender.send(event);
        }
    }

    /// The tab is gone: says so once and ends its events.
    pub(super) fn ended(&self) {
        self.facts.send_modify(|facts| facts.closed = true);
        if let Some(sender) = self.events.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = sender.send(TabEvent::Closed);
        }
    }

    /// Sends a command to the tab; the reply can be waited for later.
    pub(super) fn begin(&self, method: &'static str, params: impl Serialize) -> Pending {
        self.connection.begin(Some(&self.session), method, params)
    }

    /// Sends a command to one of the tab's sessions; the reply can be waited for later.
    pub(super) fn begin_in(
        &self,
        session: &str,
        method: &'static str,
        params: impl Serialize,
    ) -> Pending {
        self.connection.begin(Some(session), method, params)
    }

    /// Sends a command to one of the tab's sessions and reads its answer.
    pub(super) async fn call_in<T: DeserializeOwned>(
        &self,
        session: &str,
        method: &'static str,
        params: impl Serialize,
        limit: Duration,
    ) -> Result<T> {
        self.ready(true)?;
        let pending = self.begin_in(session, method, params);
        let raw = self.unless_stopped(true, pending.wait(limit)).await?;
        read(method, &raw)
    }

    /// A frame moved into a process of its own.
    pub(super) fn frame_came(&self, session: String, frame: String) {
        self.facts.send_modify(|facts| facts.remote.push(RemoteFrame { session, frame }));
    }

    /// The session of a frame ended.
    pub(super) fn frame_left(&self, session: &str) {
        self.facts.send_modify(|facts| {
            facts.remote.retain(|frame| frame.session != session);
            facts.forget_worlds(|world| world.session == session);
        });
        self.abandon(|request| request.session == session);
    }

    /// Sends a command to the tab and reads its answer. Fails at once if the tab closes or a dialog
    /// opens.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: impl Serialize,
        limit: Duration,
    ) -> Result<T> {
        self.ready(false)?;
        let pending = self.begin(method, params);
        let raw = self.unless_stopped(false, pending.wait(limit)).await?;
        read(method, &raw)
    }

    /// Fails if nothing can be done in the tab now. A crashed tab can still be navigated.
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

    /// Tells the page that it is in front, so that it draws, runs its timers and takes input as a
    /// tab in front does. Tabs of the user's are told so when they are first used, not before.
    pub(super) fn wake(&self) {
        if !self.awake.swap(true, Ordering::Relaxed) {
            drop(
                self.begin(
                    "Emulation.setFocusEmulationEnabled",
                    serde_json::json!({"enabled": true}),
                ),
            );
        }
    }

    /// The traffic, for reading and changing.
    pub(super) fn traffic(&self) -> std::sync::MutexGuard<'_, Traffic> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Traffic {
    /// The page asked for a navigation.
    pub(super) fn asked_again(&mut self) {
        self.asked += 1;
        let soon = self.restless.filter(|(_, last)| last.elapsed() < SOON);
        self.restless = Some((soon.map_or(1, |(count, _)| count + 1), std::time::Instant::now()));
    }

    /// Whether the page goes from one document to the next all the time.
    pub(super) fn is_restless(&self) -> bool {
        self.restless.is_some_and(|(count, last)| count >= 3 && last.elapsed() < SOON)
    }
}

impl Facts {
    /// Worlds that are gone.
    pub(super) fn forget_worlds(&mut self, gone: impl Fn(&World) -> bool) {
        self.worlds.retain(|world| !gone(world));
        self.own_worlds.retain(|world| !gone(world));
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

/// Reads the answer to a command.
pub(super) fn read<T: DeserializeOwned>(method: &'static str, raw: &RawValue) -> Result<T> {
    json::decode(raw).map_err(|error| BrowserError::Refused {
        method: method.to_owned(),
        message: format!("an answer that cannot be read: {error}"),
    })
}
