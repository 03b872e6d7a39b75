//! The state of one tab of a Chromium, shared by the events that change it (`events.rs`) and the
//! calls that depend on it.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use super::body::ReceivedBody;
use super::conditions::{LocatedTabs, TabConditions, TabPart};
use super::protocol::FrameTree;
use crate::api::events::TabEvent;
use crate::connections::{AnsweredLogins, Connections};
use crate::engine::tab::EngineTab;
use crate::error::Result;
use crate::sync::lock;
use crate::wire::connection::{Connection, Pending, read_reply};

/// Navigations that a page requests within this time of each other count as a series.
const SOON: Duration = Duration::from_secs(2);

pub(super) struct ChromiumTabState {
    tab: EngineTab<ChromiumFrames>,
    traffic: Mutex<ChromiumTraffic>,
    /// Whether the set-up is done; errors that the tab logged before are old.
    pub(super) live: AtomicBool,
    /// The context that the tab is in.
    pub(super) context: Option<String>,
    /// The facts about its browser.
    pub(super) host: HostFacts,
    /// The conditions that it emulates.
    pub(super) conditions: Mutex<TabConditions>,
    /// The requests that got a login.
    pub(super) logins: AnsweredLogins,
    /// Whether all its requests are answered with an empty document.
    pub(super) answers_empty: AtomicBool,
    /// The sessions of its workers.
    workers: Mutex<Vec<String>>,
    /// Whether the page was put in front (see [`ChromiumTabState::wake`]).
    awake: AtomicBool,
    /// When the wheel was last turned, and over which box (see `input.rs`).
    pub(super) wheel: Mutex<Option<(tokio::time::Instant, Option<String>)>>,
}

/// The facts about a browser that its tabs need.
#[derive(Clone, Default)]
pub(super) struct HostFacts {
    /// Whether the browser is the user's.
    pub(super) theirs: bool,
    /// Whether hooks observe what the scripts of its pages schedule.
    pub(super) hooks: bool,
    /// Whether it shows a window.
    pub(super) headed: bool,
    /// Its version.
    pub(super) version: Arc<str>,
    /// Its connections.
    pub(super) connections: Arc<Connections>,
    /// The tabs that emulate a position.
    pub(super) located: Arc<LocatedTabs>,
}

/// The frames of a tab and the worlds in them.
pub(super) struct ChromiumFrames {
    /// The id of the top frame.
    pub(super) top: String,
    /// Isolated worlds of the page script, one per frame, newest last.
    pub(super) worlds: Vec<World>,
    /// Main worlds, where the page's own scripts run, one per frame, newest last.
    pub(super) main_worlds: Vec<World>,
    /// Out-of-process frames, each with its session.
    pub(super) out_of_process: Vec<OutOfProcessFrame>,
    /// Whether the top frame shows an empty page.
    pub(super) blank: bool,
}

/// A frame in its own process.
#[derive(Clone, Debug)]
pub(super) struct OutOfProcessFrame {
    pub(super) session: String,
    pub(super) frame: String,
}

/// A JavaScript world of a frame.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// The session that it is reached through.
    pub(super) session: String,
    /// Its id, unique in the browser.
    pub(super) unique: String,
    /// Its id, unique in its process.
    pub(super) id: i64,
    pub(super) frame: String,
}

/// Requests that have not ended, and the navigation under way.
#[derive(Default)]
pub(super) struct ChromiumTraffic {
    pub(super) requests: HashMap<String, OpenRequest>,
    /// The request for the next top document.
    pub(super) top_request: Option<String>,
    pub(super) navigation: NavigationStage,
    /// How often the page itself requested a navigation of the top frame.
    pub(super) requested: u64,
    /// The series of requested navigations: how many, and when the last one was.
    series: Option<(u32, std::time::Instant)>,
}

/// The stage of a navigation of the top frame that has neither committed nor failed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum NavigationStage {
    #[default]
    None,
    /// The page requested one.
    Requested,
    /// The browser began it.
    Begun,
}

/// A request that has not ended.
pub(super) struct OpenRequest {
    /// The session that reported it.
    pub(super) session: String,
    pub(super) loader: String,
    pub(super) status: Option<u16>,
    /// Seconds on the browser's clock.
    pub(super) started: f64,
    /// The part of the body that came; only of `fetch` and `XMLHttpRequest`.
    pub(super) body: Option<ReceivedBody>,
}

impl Deref for ChromiumTabState {
    type Target = EngineTab<ChromiumFrames>;

    fn deref(&self) -> &Self::Target {
        &self.tab
    }
}

impl ChromiumTabState {
    /// Creates the state of a tab that was just attached to, and the channel of its events.
    pub(super) fn new(
        connection: Connection,
        id: String,
        session: String,
        context: Option<String>,
        host: HostFacts,
        conditions: TabConditions,
    ) -> (ChromiumTabState, mpsc::UnboundedReceiver<TabEvent>) {
        let frames = ChromiumFrames {
            top: id.clone(),
            worlds: Vec::new(),
            main_worlds: Vec::new(),
            out_of_process: Vec::new(),
            blank: true,
        };
        let (tab, events) =
            EngineTab::new(connection, id, Some(session), frames, std::convert::identity);
        let state = ChromiumTabState {
            tab,
            traffic: Mutex::default(),
            live: AtomicBool::new(false),
            context,
            host,
            conditions: Mutex::new(conditions),
            logins: AnsweredLogins::default(),
            answers_empty: AtomicBool::new(false),
            workers: Mutex::default(),
            awake: AtomicBool::new(false),
            wheel: Mutex::default(),
        };
        (state, events)
    }

    /// Takes the top frame from the reply to `Page.getFrameTree`, unless a later event named it
    /// already. It is the target's id, except in a page that was prerendered and then shown.
    pub(super) fn learn_top_frame(&self, tree: &RawValue) {
        if let Ok(FrameTree { frame_tree }) = read_reply("Page.getFrameTree", tree) {
            self.status.send_if_modified(|status| {
                let unknown = status.frames.top == self.id && frame_tree.frame.id != self.id;
                if unknown {
                    status.frames.top = frame_tree.frame.id;
                }
                unknown
            });
        }
    }

    /// Returns the sessions of its parts besides the page.
    pub(super) fn parts(&self) -> Vec<(String, TabPart)> {
        let mut parts: Vec<(String, TabPart)> = {
            let status = self.status.borrow();
            let frames = status.frames.out_of_process.iter();
            frames.map(|frame| (frame.session.clone(), TabPart::Frame)).collect()
        };
        let workers = lock(&self.workers);
        parts.extend(workers.iter().map(|session| (session.clone(), TabPart::Worker)));
        parts
    }

    /// Notes the session of a worker.
    pub(super) fn add_worker(&self, session: &str) {
        lock(&self.workers).push(session.to_owned());
    }

    /// Forgets the session of a worker.
    pub(super) fn forget_worker(&self, session: &str) {
        lock(&self.workers).retain(|worker| worker != session);
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

    /// Sends a command to one of the tab's sessions and reads its reply.
    pub(super) async fn call_in<T: DeserializeOwned>(
        &self,
        session: &str,
        method: &'static str,
        params: impl Serialize,
        limit: Duration,
    ) -> Result<T> {
        self.ready(true)?;
        let pending = self.begin_in(session, method, params);
        let raw = self.unless_blocked(true, pending.wait(limit)).await?;
        read_reply(method, &raw)
    }

    /// Puts the page in front, so that it draws, runs its timers and takes input as the front tab
    /// does. The user's own tabs are left as they are until they are first used.
    pub(super) fn wake(&self) {
        if !self.awake.swap(true, Ordering::Relaxed) {
            drop(self.begin("Emulation.setFocusEmulationEnabled", json!({"enabled": true})));
        }
    }

    /// Locks the traffic, for reading and changing.
    pub(super) fn traffic(&self) -> MutexGuard<'_, ChromiumTraffic> {
        lock(&self.traffic)
    }
}

impl ChromiumTraffic {
    /// Counts a navigation that the page requested.
    pub(super) fn navigation_requested(&mut self) {
        self.requested += 1;
        let series = self.series.filter(|(_, last)| last.elapsed() < SOON);
        self.series = Some((series.map_or(1, |(count, _)| count + 1), std::time::Instant::now()));
    }

    /// Returns whether the page keeps navigating from one document to the next.
    pub(super) fn keeps_navigating(&self) -> bool {
        self.series.is_some_and(|(count, last)| count >= 3 && last.elapsed() < SOON)
    }
}

impl ChromiumFrames {
    /// Forgets worlds that are gone.
    pub(super) fn forget_worlds(&mut self, gone: impl Fn(&World) -> bool) {
        self.worlds.retain(|world| !gone(world));
        self.main_worlds.retain(|world| !gone(world));
    }
}
