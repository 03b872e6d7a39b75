//! The tabs of a connected Chromium: attaches to each page before its scripts run, sets it up,
//! hands it to its owner, and passes events on to it. In the user's browser, only tabs that we open
//! or that the caller chooses are attached to, and their pop-ups.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot, watch};

use super::conditions::{LocatedTabs, TabConditions, TabPart};
use super::downloads::DownloadTracker;
use super::emulation::{begin_in_part, begin_inherited, inherited};
use super::found::{FoundTabs, is_tab};
use super::protocol::{
    AttachedSession, AttachedToTarget, CreatedTarget, DetachedFromTarget, DownloadWillBegin,
    Evaluated, TargetEnd, TargetInfo, TargetNews, in_context,
};
use super::state::{ChromiumTabState, HostFacts};
use super::tab::ChromiumTab;
use super::{interception, script};
use crate::api::events::TabEvent;
use crate::api::traits::{BrowserEvent, CALL_LIMIT, OpenedTab, Viewport};
use crate::engine::launch::OwnBrowser;
use crate::error::{BrowserError, Result};
use crate::sync::lock;
use crate::wire::connection::{Connection, Handler, Pending, ProtocolEvent, read_reply};

/// How long a tab of the user may take to be attached to.
const ATTACH_LIMIT: Duration = Duration::from_secs(3);

/// How long the tabs of a browser that we connect to may take to be set up.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(2);

/// The tabs of a browser.
#[derive(Default)]
pub(super) struct ChromiumTabs {
    tabs: Mutex<HashMap<String, Arc<ChromiumTabState>>>,
    events: Mutex<Option<mpsc::UnboundedSender<BrowserEvent>>>,
    /// Held while we open a tab and its id is not known yet, so that it does not count as a pop-up.
    opening: tokio::sync::Mutex<()>,
    /// Tabs that we opened and that are not ready yet, by target.
    awaited: Mutex<HashMap<String, oneshot::Sender<Result<OpenedTab>>>>,
    /// How many tabs are being set up.
    arriving: watch::Sender<usize>,
    /// Set if we started the browser.
    pub(super) own: Option<OwnBrowser>,
    pub(super) downloads: DownloadTracker,
    /// Whether the browser is the user's.
    pub(super) theirs: bool,
    found: FoundTabs,
    /// The version of the browser, once it is known.
    pub(super) version: OnceLock<Arc<str>>,
    located: Arc<LocatedTabs>,
    /// The tab that opened a tab, by target.
    openers: Mutex<HashMap<String, String>>,
}

/// Passes the events of a connection on to the tabs.
pub(super) struct ChromiumEvents(pub(super) Arc<ChromiumTabs>);

impl ChromiumTabs {
    /// Creates the tabs of a browser that reports to `events`.
    pub(super) fn new(
        events: mpsc::UnboundedSender<BrowserEvent>,
        own: Option<OwnBrowser>,
        theirs: bool,
    ) -> ChromiumTabs {
        ChromiumTabs {
            theirs,
            events: Mutex::new(Some(events)),
            downloads: DownloadTracker::new(own.as_ref()),
            own,
            ..ChromiumTabs::default()
        }
    }

    /// Returns the facts that a new tab needs.
    fn host(&self) -> HostFacts {
        HostFacts {
            theirs: self.theirs,
            hooks: self.own.as_ref().is_some_and(|own| own.hooks),
            headed: self.own.as_ref().is_some_and(|own| own.headed),
            version: self.version.get().cloned().unwrap_or_default(),
            connections: self.own.as_ref().map(|own| own.connections.clone()).unwrap_or_default(),
            located: self.located.clone(),
        }
    }

    /// Returns the tab of a target.
    fn by_target(&self, target: &str) -> Option<Arc<ChromiumTabState>> {
        lock(&self.tabs).values().find(|state| state.id == target).cloned()
    }

    /// Waits until the existing tabs are set up; does not wait for a tab that hangs.
    pub(super) async fn arrived(&self) {
        let mut arriving = self.arriving.subscribe();
        let _ = tokio::time::timeout(ARRIVAL_LIMIT, arriving.wait_for(|count| *count == 0)).await;
    }

    /// Opens a tab in a context and sets its size.
    pub(super) async fn open(
        &self,
        connection: &Connection,
        context: Option<&str>,
        viewport: Viewport,
    ) -> Result<OpenedTab> {
        let (target_id, receiver) = {
            let _opening = self.opening.lock().await;
            let _held = HeldTabs::hold(self);
            // The user goes on with the tab in front.
            let mut params = json!({"url": "about:blank", "background": self.theirs});
            in_context(&mut params, context);
            let raw = connection.call(None, "Target.createTarget", params, CALL_LIMIT).await?;
            let CreatedTarget { target_id } = read_reply("Target.createTarget", &raw)?;
            self.found.claim(&target_id);
            let (sender, receiver) = oneshot::channel();
            lock(&self.awaited).insert(target_id.clone(), sender);
            (target_id, receiver)
        };
        if self.theirs {
            drop(connection.begin(None, "Target.attachToTarget", attachment(&target_id)));
        }
        let opened = arrival(receiver, viewport).await;
        if opened.is_err() {
            // A tab that nobody knows of must not stay open.
            lock(&self.awaited).remove(&target_id);
            drop(connection.begin(None, "Target.closeTarget", json!({"targetId": target_id})));
        }
        opened
    }

    /// Attaches to a tab of the user. If its page does not answer, it is detached from again.
    pub(super) async fn attach(&self, connection: &Connection, id: &str) -> Result<OpenedTab> {
        let silent = || BrowserError::TabSilent { limit: ATTACH_LIMIT };
        let (sender, receiver) = oneshot::channel();
        lock(&self.awaited).insert(id.to_owned(), sender);
        let attached =
            connection.call(None, "Target.attachToTarget", attachment(id), ATTACH_LIMIT).await;
        let session = match attached {
            Ok(raw) => read_reply::<AttachedSession>("Target.attachToTarget", &raw)?.session_id,
            Err(error) => {
                lock(&self.awaited).remove(id);
                return Err(match error {
                    BrowserError::TimedOut { .. } => silent(),
                    BrowserError::Refused { .. } => BrowserError::TabClosed,
                    other => other,
                });
            }
        };
        // The set-up has the same limit, and reports why it failed.
        let limit = ATTACH_LIMIT + Duration::from_millis(500);
        let opened = match tokio::time::timeout(limit, receiver).await {
            Ok(opened) => opened.unwrap_or(Err(BrowserError::Disconnected)),
            Err(_) => Err(silent()),
        };
        if opened.is_err() {
            lock(&self.awaited).remove(id);
            drop(connection.begin(None, "Target.detachFromTarget", json!({"sessionId": session})));
        }
        opened
    }

    /// Detaches from a tab of the user.
    pub(super) async fn release(&self, connection: &Connection, id: &str) -> Result<()> {
        let session = {
            let tabs = lock(&self.tabs);
            let mut states = tabs.values();
            states.find(|state| state.id == id).map(|state| state.session().to_owned())
        };
        let session = session.ok_or(BrowserError::TabClosed)?;
        let params = json!({"sessionId": session});
        connection.call(None, "Target.detachFromTarget", params, ATTACH_LIMIT).await.map(drop)
    }

    /// Handles a tab of the user that was created or changed. The pop-ups of tabs that we are
    /// attached to are attached to; others are only reported.
    fn target_seen(&self, connection: &Connection, target: TargetInfo) {
        if !is_tab(&target) {
            return;
        }
        let opener = target.opener_id.as_ref();
        let is_pop_up =
            opener.is_some_and(|id| lock(&self.tabs).values().any(|state| state.id == *id));
        let id = target.target_id.clone();
        let known = self.found.is_known(&id);
        if is_pop_up && !known && self.found.claim(&id) {
            drop(connection.begin(None, "Target.attachToTarget", attachment(&id)));
        }
        if let Some(tab) = self.found.seen(target) {
            self.report(BrowserEvent::TabFound(tab));
        }
    }

    fn report(&self, event: BrowserEvent) {
        if let Some(sender) = &*lock(&self.events) {
            let _ = sender.send(event);
        }
    }

    /// Handles a download that began in a frame. It is reported by the frame's tab, and by the tab
    /// that opened that tab, because a tab that turns out to be a download closes at once.
    fn download_begun(&self, begun: DownloadWillBegin) {
        let frame = &begun.frame_id;
        let opener = lock(&self.openers).get(frame).cloned();
        let tabs = lock(&self.tabs);
        let mut reporting: Vec<Arc<ChromiumTabState>> = Vec::new();
        for state in tabs.values() {
            let holds = {
                let status = state.status.borrow();
                let in_it = status
                    .frames
                    .main_worlds
                    .iter()
                    .chain(&status.frames.worlds)
                    .any(|world| world.frame == *frame);
                in_it || status.frames.top == *frame || opener.as_ref() == Some(&state.id)
            };
            if holds && reporting.iter().all(|known| known.id != state.id) {
                reporting.push(state.clone());
            }
        }
        drop(tabs);
        self.downloads.begun(begun, reporting);
    }
}

/// Holds back the tabs that come while the id of a tab that we open is not known.
struct HeldTabs<'a>(&'a ChromiumTabs);

impl HeldTabs<'_> {
    fn hold(tabs: &ChromiumTabs) -> HeldTabs<'_> {
        tabs.found.opening();
        HeldTabs(tabs)
    }
}

impl Drop for HeldTabs<'_> {
    fn drop(&mut self) {
        for tab in self.0.found.opened() {
            self.0.report(BrowserEvent::TabFound(tab));
        }
    }
}

/// Returns the parameters that attach to a target.
fn attachment(target: &str) -> Value {
    json!({"targetId": target, "flatten": true})
}

/// Waits until a tab that we opened is set up, and sets its size.
async fn arrival(
    receiver: oneshot::Receiver<Result<OpenedTab>>,
    viewport: Viewport,
) -> Result<OpenedTab> {
    let late = |_| BrowserError::TimedOut { what: "opening a tab".to_owned(), limit: CALL_LIMIT };
    // The set-up has its own limit; this is the limit for a tab that is never attached to.
    let limit = CALL_LIMIT + Duration::from_secs(1);
    let opened = tokio::time::timeout(limit, receiver).await.map_err(late)?;
    let opened = opened.map_err(|_| BrowserError::Disconnected)??;
    opened.tab.resize(viewport).await?;
    Ok(opened)
}

impl Handler for ChromiumEvents {
    fn event(&self, connection: &Connection, event: &ProtocolEvent<'_>) {
        match (event.session, event.method) {
            (None, "Target.attachedToTarget") => {
                event.with_params(|attached| attach(&self.0, connection, attached));
            }
            (Some(session), "Target.attachedToTarget") => {
                let state = lock(&self.0.tabs).get(session).cloned();
                if let Some(state) = state {
                    event.with_params(|attached| attach_part(&self.0, session, &state, attached));
                }
            }
            (_, "Target.detachedFromTarget") => {
                let Some(DetachedFromTarget { session_id }) = event.params() else { return };
                let gone = lock(&self.0.tabs).remove(&session_id);
                match gone {
                    Some(state) if state.session() == session_id => {
                        lock(&self.0.openers).remove(&state.id);
                        self.0.located.gone(&state);
                        state.ended();
                    }
                    Some(state) => state.part_left(&session_id),
                    None => {}
                }
                connection.end_session(&session_id);
            }
            (None, "Target.targetCreated" | "Target.targetInfoChanged") if self.0.theirs => {
                event.with_params(|TargetNews { target_info }| {
                    self.0.target_seen(connection, target_info)
                });
            }
            (None, "Target.targetCrashed") if self.0.theirs => {
                event.with_params(|TargetEnd { target_id }| {
                    if let Some(tab) = self.0.found.crashed(&target_id) {
                        self.0.report(BrowserEvent::TabFound(tab));
                    }
                });
            }
            (None, "Target.targetDestroyed") if self.0.theirs => {
                event.with_params(|TargetEnd { target_id }| {
                    self.0.found.gone(&target_id);
                    self.0.report(BrowserEvent::TabGone(target_id));
                });
            }
            (None, "Browser.downloadWillBegin") => {
                event.with_params(|begun| self.0.download_begun(begun));
            }
            (None, "Browser.downloadProgress") => {
                event.with_params(|progress| self.0.downloads.progress(connection, &progress));
            }
            // The user's own browser reports downloads in the sessions of its pages only.
            (Some(_), "Page.downloadWillBegin") if self.0.own.is_none() => {
                event.with_params(|begun| self.0.download_begun(begun));
            }
            (Some(_), "Page.downloadProgress") if self.0.own.is_none() => {
                event.with_params(|progress| self.0.downloads.progress(connection, &progress));
            }
            (Some(session), _) => {
                let state = lock(&self.0.tabs).get(session).cloned();
                if let Some(state) = state {
                    state.event(event);
                }
            }
            _ => {}
        }
    }

    fn disconnected(&self) {
        let tabs: Vec<_> = lock(&self.0.tabs).drain().collect();
        for (_, state) in tabs {
            state.ended();
        }
        lock(&self.0.awaited).clear();
        if let Some(sender) = lock(&self.0.events).take() {
            let _ = sender.send(BrowserEvent::Disconnected);
        }
        if let Some(own) = &self.0.own {
            own.process.release();
        }
    }
}

/// Sets up a new page, which is paused until then, lets it run, and hands it to its owner.
fn attach(tabs: &Arc<ChromiumTabs>, connection: &Connection, attached: AttachedToTarget) {
    let AttachedToTarget { session_id, target_info } = attached;
    if !is_tab(&target_info) {
        drop(connection.begin(Some(&session_id), "Runtime.runIfWaitingForDebugger", json!({})));
        drop(connection.begin(None, "Target.detachFromTarget", json!({"sessionId": session_id})));
        return;
    }
    tabs.arriving.send_modify(|count| *count += 1);
    if let Some(opener) = &target_info.opener_id {
        lock(&tabs.openers).insert(target_info.target_id.clone(), opener.clone());
    }
    let viewport = tabs.own.as_ref().map(|own| own.viewport);
    let opener = target_info.opener_id.as_ref().and_then(|opener| tabs.by_target(opener));
    let conditions = match &opener {
        Some(opener) => inherited(opener, viewport.unwrap_or_default()),
        None => TabConditions { viewport: viewport.unwrap_or_default(), ..Default::default() },
    };
    let (state, events) = ChromiumTabState::new(
        connection.clone(),
        target_info.target_id,
        session_id.clone(),
        target_info.browser_context_id,
        tabs.host(),
        conditions,
    );
    let state = Arc::new(state);
    lock(&tabs.tabs).insert(session_id, state.clone());
    let mut set_up = set_up(&state, viewport.is_some());
    if tabs.theirs {
        // It is not paused: its document may be there already, and no event will report that. The
        // empty document of a new tab does not count.
        let expression = match tabs.found.is_claimed(&state.id) {
            true => "location.href === 'about:blank' ? '' : document.readyState",
            false => "document.readyState",
        };
        let params = json!({"expression": expression, "returnByValue": true});
        set_up.push(state.begin(READY_STATE, params));
    }
    tokio::spawn(hand_over(
        tabs.clone(),
        state,
        events,
        set_up,
        target_info.opener_id,
        target_info.url,
    ));
}

/// Sets up a frame that moved into its own process and is paused until then. It belongs to the tab
/// that contains it, at any depth. Workers are paused, too: they run on, and their requests are
/// followed.
fn attach_part(
    tabs: &Arc<ChromiumTabs>,
    parent: &str,
    state: &Arc<ChromiumTabState>,
    attached: AttachedToTarget,
) {
    let AttachedToTarget { session_id, target_info } = attached;
    if target_info.kind == "iframe" {
        lock(&tabs.tabs).insert(session_id.clone(), state.clone());
        state.frame_came(session_id.clone(), target_info.target_id);
        for (method, params) in subscriptions() {
            drop(state.begin_in(&session_id, method, params));
        }
        drop(script::announce(state, &session_id));
        begin_in_part(state, &session_id, TabPart::Frame);
        if let Some(params) = interception::wanted(&state.host.connections) {
            drop(state.begin_in(&session_id, "Fetch.enable", params));
        }
        drop(state.begin_in(&session_id, "Runtime.runIfWaitingForDebugger", json!({})));
        return;
    }
    if target_info.kind == "worker" {
        lock(&tabs.tabs).insert(session_id.clone(), state.clone());
        state.worker_came(&session_id, &target_info.target_id);
        drop(state.begin_in(&session_id, "Network.enable", body_limits()));
        drop(state.begin_in(&session_id, "Target.setAutoAttach", every_part()));
        begin_in_part(state, &session_id, TabPart::Worker);
        if let Some(params) = interception::wanted(&state.host.connections) {
            drop(state.begin_in(&session_id, "Fetch.enable", params));
        }
        drop(state.begin_in(&session_id, "Runtime.runIfWaitingForDebugger", json!({})));
        return;
    }
    drop(state.begin_in(&session_id, "Runtime.runIfWaitingForDebugger", json!({})));
    let params = json!({"sessionId": session_id});
    drop(state.begin_in(parent, "Target.detachFromTarget", params));
}

/// Returns parameters that limit the bodies that the browser keeps for the log, in bytes. Bodies of
/// requests are not sent with events; the log asks for them.
fn body_limits() -> Value {
    json!({"maxTotalBufferSize": 16 << 20, "maxResourceBufferSize": 2 << 20, "maxPostDataSize": 0})
}

/// Returns parameters that request a session for every out-of-process frame and every worker.
/// Chromium pauses workers and worklets even if a filter leaves them out, and nobody would let them
/// run on. Service workers are not paused.
fn every_part() -> Value {
    let parts = json!([{"type": "iframe"}, {"type": "worker"}, {"type": "worklet"}]);
    json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": parts})
}

/// Returns the commands after which a page, or a frame with its own process, reports its events.
fn subscriptions() -> [(&'static str, Value); 8] {
    [
        ("Page.enable", json!({})),
        ("Inspector.enable", json!({})),
        ("Network.enable", body_limits()),
        ("Runtime.enable", json!({})),
        ("Log.enable", json!({})),
        ("DOM.enable", json!({})),
        ("Performance.enable", json!({})),
        ("Target.setAutoAttach", every_part()),
    ]
}

/// Sends everything that sets up a tab, in order: the query for its top frame first, the permission
/// to run last. The page's own scripts run after all of it.
fn set_up(state: &ChromiumTabState, sized: bool) -> Vec<Pending> {
    let mut sent = vec![state.begin("Page.getFrameTree", json!({}))];
    sent.extend(subscriptions().map(|(method, params)| state.begin(method, params)));
    sent.push(script::announce(state, state.session()));
    if sized || lock(&state.conditions).emulation.device.is_some() {
        let metrics = lock(&state.conditions).metrics();
        sent.push(state.begin("Emulation.setDeviceMetricsOverride", metrics));
    }
    if sized {
        state.wake();
    }
    sent.extend(begin_inherited(state));
    if let Some(params) = interception::wanted(&state.host.connections) {
        sent.push(state.begin("Fetch.enable", params));
    }
    sent.push(state.begin("Runtime.runIfWaitingForDebugger", json!({})));
    sent
}

/// The command that asks for the state of a document that was loaded before.
const READY_STATE: &str = "Runtime.evaluate";

/// Reports the state of a document that was loaded before we were attached.
fn learn_ready_state(state: &ChromiumTabState, reply: &RawValue) {
    let Ok(evaluated) = read_reply::<Evaluated>(READY_STATE, reply) else { return };
    let value = evaluated.result.value.map(|value| value.get().to_owned()).unwrap_or_default();
    match value.trim_matches('"') {
        "complete" => state.report(TabEvent::Loaded),
        "interactive" => state.report(TabEvent::DomReady),
        _ => {}
    }
}

/// Waits until a tab is set up and hands it to its owner.
async fn hand_over(
    tabs: Arc<ChromiumTabs>,
    state: Arc<ChromiumTabState>,
    events: mpsc::UnboundedReceiver<TabEvent>,
    set_up: Vec<Pending>,
    opener: Option<String>,
    url: String,
) {
    let mut outcome = Ok(());
    // A tab that the caller chose: its page has to answer.
    let chosen = tabs.theirs && !tabs.found.is_claimed(&state.id);
    let limit = if chosen { ATTACH_LIMIT } else { CALL_LIMIT };
    let deadline = tokio::time::Instant::now() + limit;
    let last = set_up.len() - 1;
    for (index, pending) in set_up.into_iter().enumerate() {
        let left = deadline.saturating_duration_since(tokio::time::Instant::now());
        match state.unless_blocked(chosen, pending.wait(left)).await {
            Ok(tree) if index == 0 => state.learn_top_frame(&tree),
            Ok(reply) if index == last && tabs.theirs => learn_ready_state(&state, &reply),
            Ok(_) => {}
            Err(error @ (BrowserError::Disconnected | BrowserError::TabClosed)) => {
                outcome = Err(error)
            }
            // The caller can answer it.
            Err(BrowserError::DialogOpen { .. }) => {}
            Err(error) if chosen => {
                outcome = Err(match error {
                    BrowserError::TimedOut { .. } => BrowserError::TabSilent { limit },
                    other => other,
                });
                break;
            }
            // A tab that hangs, or a browser too old for a command, can still be captured.
            Err(error) => tracing::warn!(%error, "while setting up a tab"),
        }
    }
    state.live.store(true, Ordering::Relaxed);
    let id = state.id.clone();
    let context = state.context.clone();
    let opened = outcome.map(|()| OpenedTab {
        tab: Arc::new(ChromiumTab::new(state)),
        url,
        context,
        events,
    });
    let _known = tabs.opening.lock().await;
    let awaited = lock(&tabs.awaited).remove(&id);
    match (awaited, opened) {
        (Some(opener), opened) => drop(opener.send(opened)),
        (None, Ok(opened)) => tabs.report(BrowserEvent::TabOpened { opened, opener }),
        (None, Err(_)) => {
            if let Some(tab) = tabs.found.give_back(&id).filter(|_| tabs.theirs) {
                tabs.report(BrowserEvent::TabFound(tab));
            }
        }
    }
    tabs.arriving.send_modify(|count| *count -= 1);
}
