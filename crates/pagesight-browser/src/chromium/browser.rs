//! A connected Chromium: attaches to its pages before they run, tells ours from others, and ends
//! it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::{mpsc, oneshot, watch};

use super::downloads::{Begun, Downloads};
use super::protocol::{AttachedToTarget, CreatedTarget, DetachedFromTarget, Version};
use super::script;
use super::state::{TabState, read};
use super::tab::{ChromiumTab, metrics};
use crate::api::events::TabEvent;
use crate::api::traits::{Browser, BrowserEvent, CALL_LIMIT, Connected, OpenedTab, Viewport};
use crate::error::{BrowserError, Result};
use crate::process::Guarded;
use crate::wire::connection::{Connection, Event, Handler, Pending};
use crate::wire::{Incoming, Outgoing};

/// How long a browser of our own may take to end before it is killed and we stop waiting.
const CLOSE_LIMIT: Duration = Duration::from_millis(4500);
/// How long the tabs of a browser that we connect to may take to be set up.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(2);
/// How long it may take to say that it will end.
const GOODBYE_LIMIT: Duration = Duration::from_millis(400);

/// What pages ask people for; in a browser of ours the answer is no.
const ASKED_FOR: [&str; 10] = [
    "geolocation",
    "notifications",
    "camera",
    "microphone",
    "midi",
    "clipboard-read",
    "idle-detection",
    "local-fonts",
    "storage-access",
    "window-management",
];

/// A connected Chromium.
struct Chromium {
    connection: Connection,
    hub: Arc<Hub>,
    product: String,
}

/// Knows the tabs and hands each its events.
struct Hub {
    tabs: Mutex<HashMap<String, Arc<TabState>>>,
    events: Mutex<Option<mpsc::UnboundedSender<BrowserEvent>>>,
    /// Held while a tab is opened and its id not yet known, so that nobody takes it for a pop-up.
    opening: tokio::sync::Mutex<()>,
    /// Tabs of ours that are not ready yet, by target.
    awaited: Mutex<HashMap<String, oneshot::Sender<Result<OpenedTab>>>>,
    /// How many tabs are being set up.
    arriving: watch::Sender<usize>,
    own: Option<Own>,
    downloads: Downloads,
    /// Which tab opened a tab, by target.
    openers: Mutex<HashMap<String, String>>,
}

/// What makes a browser ours.
pub(super) struct Own {
    /// Its process.
    pub(super) process: Arc<Guarded>,
    /// The size of tabs that open by themselves.
    pub(super) viewport: Viewport,
    /// Where its downloads go.
    pub(super) downloads: PathBuf,
    /// It has a window.
    pub(super) headed: bool,
}

struct HubHandler(Arc<Hub>);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to talk to a browser; it has `limit` to say what it is.
pub(super) async fn greet(
    incoming: impl Incoming,
    outgoing: impl Outgoing,
    own: Option<Own>,
    limit: Duration,
) -> Result<Connected> {
    let (sender, events) = mpsc::unbounded_channel();
    let hub = Arc::new(Hub {
        tabs: Mutex::default(),
        events: Mutex::new(Some(sender)),
        opening: tokio::sync::Mutex::default(),
        awaited: Mutex::default(),
        arriving: watch::Sender::new(0),
        downloads: Downloads::new(own.as_ref().map(|own| own.downloads.clone())),
        openers: Mutex::default(),
        own,
    });
    let connection = Connection::open(incoming, outgoing, Box::new(HubHandler(hub.clone())));
    // From here on, whatever goes wrong, dropping the browser closes the connection.
    let mut browser = Chromium { connection: connection.clone(), hub, product: String::new() };
    let version = connection.call(None, "Browser.getVersion", json!({}), limit).await?;
    browser.product = product(&read::<Version>("Browser.getVersion", &version)?.product);
    if let Some(own) = &browser.hub.own {
        let params = json!({"behavior": "allowAndName", "downloadPath": own.downloads, "eventsEnabled": true});
        drop(connection.begin(None, "Browser.setDownloadBehavior", params));
        // Nobody is there to be asked. Without a window the browser says no by itself, and the page
        // script sees that it did.
        for name in ASKED_FOR.into_iter().filter(|_| own.headed) {
            let params = json!({"permission": {"name": name}, "setting": "denied"});
            drop(connection.begin(None, "Browser.setPermission", params));
        }
    }
    let pages = json!([{"type": "page"}]);
    let params = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": pages});
    connection.call(None, "Target.setAutoAttach", params, CALL_LIMIT).await?;
    if browser.hub.own.is_none() {
        // The user's tabs are there before the caller asks for them; one that hangs is not waited
        // for.
        let mut arriving = browser.hub.arriving.subscribe();
        let _ = tokio::time::timeout(ARRIVAL_LIMIT, arriving.wait_for(|count| *count == 0)).await;
    }
    Ok(Connected { browser: Arc::new(browser), events })
}

/// `HeadlessChrome/156.0.1` → `Chromium 156.0.1`.
fn product(given: &str) -> String {
    let (name, version) = given.split_once('/').unwrap_or((given, ""));
    let name = match name {
        "HeadlessChrome" | "Chrome" | "Chromium" => "Chromium",
        "Edg" => "Edge",
        other => other,
    };
    format!("{name} {version}").trim().to_owned()
}

impl Handler for HubHandler {
    fn event(&self, connection: &Connection, event: &Event<'_>) {
        match (event.session, event.method) {
            (None, "Target.attachedToTarget") => {
                if let Some(attached) = event.params() {
                    attach(&self.0, connection, attached);
                }
            }
            (Some(session), "Target.attachedToTarget") => {
                let state = lock(&self.0.tabs).get(session).cloned();
                if let (Some(state), Some(attached)) = (state, event.params()) {
                    attach_frame(&self.0, connection, &state, attached);
                }
            }
            (_, "Target.detachedFromTarget") => {
                let Some(DetachedFromTarget { session_id }) = event.params() else { return };
                let gone = lock(&self.0.tabs).remove(&session_id);
                match gone {
                    Some(state) if state.session == session_id => {
                        lock(&self.0.openers).remove(&state.id);
                        state.ended();
                    }
                    Some(state) => state.frame_left(&session_id),
                    None => {}
                }
                connection.end_session(&session_id);
            }
            (None, "Browser.downloadWillBegin") => {
                if let Some(begun) = event.params() {
                    self.0.download_begun(begun);
                }
            }
            (None, "Browser.downloadProgress") => {
                if let Some(progress) = event.params() {
                    self.0.downloads.progress(connection, &progress);
                }
            }
            // A browser of the user's tells its pages only.
            (Some(_), "Page.downloadWillBegin") if self.0.own.is_none() => {
                if let Some(begun) = event.params() {
                    self.0.download_begun(begun);
                }
            }
            (Some(_), "Page.downloadProgress") if self.0.own.is_none() => {
                if let Some(progress) = event.params() {
                    self.0.downloads.progress(connection, &progress);
                }
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

impl Hub {
    /// A download began in a frame. Its tab is told, and the tab that opened it: a tab that turns
    /// out to be a download is gone in a moment.
    fn download_begun(&self, begun: Begun) {
        let frame = &begun.frame_id;
        let opener = lock(&self.openers).get(frame).cloned();
        let tabs = lock(&self.tabs);
        let mut told: Vec<Arc<TabState>> = Vec::new();
        for state in tabs.values() {
            let holds = {
                let facts = state.facts.borrow();
                let in_it =
                    facts.own_worlds.iter().chain(&facts.worlds).any(|world| world.frame == *frame);
                in_it || facts.top_frame == *frame || opener.as_ref() == Some(&state.id)
            };
            if holds && told.iter().all(|known| known.id != state.id) {
                told.push(state.clone());
            }
        }
        drop(tabs);
        self.downloads.begun(begun, told);
    }
}

/// A page appeared and waits for us: sets it up, lets it run, and hands it to whoever it belongs
/// to.
fn attach(hub: &Arc<Hub>, connection: &Connection, attached: AttachedToTarget) {
    let AttachedToTarget { session_id, target_info } = attached;
    let wanted =
        target_info.kind == "page" && target_info.subtype.as_deref().unwrap_or_default().is_empty();
    if !wanted || target_info.url.starts_with("devtools://") {
        drop(connection.begin(Some(&session_id), "Runtime.runIfWaitingForDebugger", json!({})));
        drop(connection.begin(None, "Target.detachFromTarget", json!({"sessionId": session_id})));
        return;
    }
    hub.arriving.send_modify(|count| *count += 1);
    if let Some(opener) = &target_info.opener_id {
        lock(&hub.openers).insert(target_info.target_id.clone(), opener.clone());
    }
    let (state, events) =
        TabState::new(connection.clone(), target_info.target_id, session_id.clone());
    let state = Arc::new(state);
    lock(&hub.tabs).insert(session_id, state.clone());
    let set_up = set_up(&state, hub.own.as_ref().map(|own| own.viewport));
    tokio::spawn(hand_over(
        hub.clone(),
        state,
        events,
        set_up,
        target_info.opener_id,
        target_info.url,
    ));
}

/// A frame got a process of its own and waits for us. It belongs to the tab that it is in, however
/// deep.
fn attach_frame(
    hub: &Arc<Hub>,
    connection: &Connection,
    state: &Arc<TabState>,
    attached: AttachedToTarget,
) {
    let AttachedToTarget { session_id, target_info } = attached;
    if target_info.kind == "iframe" {
        lock(&hub.tabs).insert(session_id.clone(), state.clone());
        state.frame_came(session_id.clone(), target_info.target_id);
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Inspector.enable", json!({})),
            ("Network.enable", without_bodies()),
            ("Runtime.enable", json!({})),
            ("DOM.enable", json!({})),
            ("Performance.enable", json!({})),
            ("Target.setAutoAttach", frames_of_their_own()),
        ] {
            drop(state.begin_in(&session_id, method, params));
        }
        drop(script::announce(state, &session_id));
        drop(state.begin_in(&session_id, "Runtime.runIfWaitingForDebugger", json!({})));
        return;
    }
    drop(state.begin_in(&session_id, "Runtime.runIfWaitingForDebugger", json!({})));
    drop(connection.begin(None, "Target.detachFromTarget", json!({"sessionId": session_id})));
}

/// Bodies of answers are never asked for; nothing of them need be kept.
fn without_bodies() -> serde_json::Value {
    json!({"maxTotalBufferSize": 1, "maxResourceBufferSize": 1, "maxPostDataSize": 0})
}

/// Asks for a session for every frame that has a process of its own.
fn frames_of_their_own() -> serde_json::Value {
    let frames = json!([{"type": "iframe"}]);
    json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": frames})
}

/// Sends everything a tab needs, in order: the question for its top frame first, the permission to
/// run last. The page's own first script comes after all of it.
fn set_up(state: &TabState, viewport: Option<Viewport>) -> Vec<Pending> {
    let mut sent = vec![
        state.begin("Page.getFrameTree", json!({})),
        state.begin("Page.enable", json!({})),
        state.begin("Inspector.enable", json!({})),
        state.begin("Network.enable", without_bodies()),
        state.begin("Runtime.enable", json!({})),
        script::announce(state, &state.session),
        state.begin("DOM.enable", json!({})),
        state.begin("Performance.enable", json!({})),
        state.begin("Target.setAutoAttach", frames_of_their_own()),
    ];
    if let Some(viewport) = viewport {
        sent.push(state.begin("Emulation.setDeviceMetricsOverride", metrics(viewport)));
        state.wake();
    }
    sent.push(state.begin("Runtime.runIfWaitingForDebugger", json!({})));
    sent
}

async fn hand_over(
    hub: Arc<Hub>,
    state: Arc<TabState>,
    events: mpsc::UnboundedReceiver<TabEvent>,
    set_up: Vec<Pending>,
    opener: Option<String>,
    url: String,
) {
    let mut outcome = Ok(());
    let deadline = tokio::time::Instant::now() + CALL_LIMIT;
    for (index, pending) in set_up.into_iter().enumerate() {
        let left = deadline.saturating_duration_since(tokio::time::Instant::now());
        match pending.wait(left).await {
            Ok(tree) if index == 0 => state.learn_top_frame(&tree),
            Ok(_) => {}
            Err(error @ (BrowserError::Disconnected | BrowserError::TabClosed)) => {
                outcome = Err(error)
            }
            // A tab that hangs, or a browser too old for one of these, can still be looked at.
            Err(error) => tracing::warn!(%error, "while setting up a tab"),
        }
    }
    state.live.store(true, Ordering::Relaxed);
    let id = state.id.clone();
    let opened = outcome.map(|()| OpenedTab { tab: Arc::new(ChromiumTab(state)), url, events });
    let _known = hub.opening.lock().await;
    let awaited = lock(&hub.awaited).remove(&id);
    match (awaited, opened) {
        (Some(opener), opened) => drop(opener.send(opened)),
        (None, Ok(opened)) => {
            if let Some(sender) = &*lock(&hub.events) {
                let _ = sender.send(BrowserEvent::TabOpened { opened, opener });
            }
        }
        (None, Err(_)) => {}
    }
    hub.arriving.send_modify(|count| *count -= 1);
}

#[async_trait]
impl Browser for Chromium {
    fn product(&self) -> &str {
        &self.product
    }

    fn is_alive(&self) -> bool {
        self.connection.is_open()
    }

    async fn open_tab(&self, viewport: Viewport) -> Result<OpenedTab> {
        let (target_id, receiver) = {
            let _opening = self.hub.opening.lock().await;
            let raw = self
                .connection
                .call(None, "Target.createTarget", json!({"url": "about:blank"}), CALL_LIMIT)
                .await?;
            let CreatedTarget { target_id } = read("Target.createTarget", &raw)?;
            let (sender, receiver) = oneshot::channel();
            lock(&self.hub.awaited).insert(target_id.clone(), sender);
            (target_id, receiver)
        };
        let opened = self.arrival(receiver, viewport).await;
        if opened.is_err() {
            // A tab that nobody knows of must not stay behind.
            lock(&self.hub.awaited).remove(&target_id);
            drop(self.connection.begin(None, "Target.closeTarget", json!({"targetId": target_id})));
        }
        opened
    }

    async fn close(&self) {
        if let Some(own) = &self.hub.own {
            // It may answer, or end without an answer, or neither; the guard sees to it either way.
            let _ = self.connection.call(None, "Browser.close", json!({}), GOODBYE_LIMIT).await;
            let gone = own.process.end(CLOSE_LIMIT).await;
            if !gone {
                tracing::warn!("the browser did not end in time");
            }
        }
        self.connection.shut();
    }
}

impl Chromium {
    /// Waits for a tab of ours to be set up, and gives it its size.
    async fn arrival(
        &self,
        receiver: oneshot::Receiver<Result<OpenedTab>>,
        viewport: Viewport,
    ) -> Result<OpenedTab> {
        let late =
            |_| BrowserError::TimedOut { what: "opening a tab".to_owned(), limit: CALL_LIMIT };
        // The set-up is bounded by itself; this is the bound for a tab that is never attached to.
        let opened = tokio::time::timeout(CALL_LIMIT + Duration::from_secs(1), receiver)
            .await
            .map_err(late)?;
        let opened = opened.map_err(|_| BrowserError::Disconnected)??;
        opened.tab.resize(viewport).await?;
        Ok(opened)
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        self.connection.shut();
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn products() {
        assert_eq!(super::product("HeadlessChrome/156.0.8078.79"), "Chromium 156.0.8078.79");
        assert_eq!(super::product("Edg/156.0"), "Edge 156.0");
        assert_eq!(super::product("odd"), "odd");
    }
}
