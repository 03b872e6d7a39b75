//! A connected Firefox: takes its tabs in, tells ours from others, hands each its events, and ends
//! it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::tab::{FirefoxTab, size};
use crate::api::events::{Download, DownloadState, TabEvent};
use crate::api::traits::{Browser, BrowserEvent, CALL_LIMIT, Connected, OpenedTab, Viewport};
use crate::bidi::protocol::{self as p, Capabilities, ContextInfo, RealmInfo, Session};
use crate::bidi::script;
use crate::bidi::state::{TabState, lock, read};
use crate::error::{BrowserError, Result};
use crate::process::Guarded;
use crate::wire::connection::{Connection, Event, Handler, Pending};
use crate::wire::{Incoming, Outgoing};

/// How long a browser of our own may take to end before it is killed and we stop waiting.
const CLOSE_LIMIT: Duration = Duration::from_millis(4500);
/// How long a browser that is not ours may take to say good-bye.
const GOODBYE_LIMIT: Duration = Duration::from_secs(1);
/// The oldest Firefox that reports when a document is committed, and the rest that we rest on.
const OLDEST: u32 = 140;

/// A connected Firefox.
struct Firefox {
    connection: Connection,
    hub: Arc<Hub>,
    product: String,
    /// Its session was opened by somebody else, and is theirs to end.
    given: bool,
}

/// A tab that nobody has yet.
type Fresh = (Arc<TabState>, mpsc::UnboundedReceiver<TabEvent>);

/// Where a frame is.
struct Within {
    tab: String,
    parent: String,
}

/// Knows the tabs and hands each its events.
pub(super) struct Hub {
    tabs: Mutex<HashMap<String, Arc<TabState>>>,
    frames: Mutex<HashMap<String, Within>>,
    events: Mutex<Option<mpsc::UnboundedSender<BrowserEvent>>>,
    /// Held while a tab is opened and its id not yet known, so that nobody takes it for a pop-up.
    opening: tokio::sync::Mutex<()>,
    /// Tabs of ours that are not ready yet.
    awaited: Mutex<HashMap<String, oneshot::Sender<Fresh>>>,
    /// Tabs that are open and nobody's: Firefox has one when it starts, and needs one to go on
    /// living.
    spare: Mutex<Vec<Fresh>>,
    /// Tabs that were told to close and have not yet.
    closing: Mutex<HashSet<String>>,
    starting: Mutex<bool>,
    /// It shows windows.
    headed: std::sync::OnceLock<bool>,
    /// Our preferences are set, so that the mouse goes through the window.
    through_window: bool,
    own: Option<Own>,
}

/// What makes a browser ours.
pub(super) struct Own {
    /// Its process.
    pub(super) process: Arc<Guarded>,
    /// The size of tabs that open by themselves.
    pub(super) viewport: Viewport,
    /// Where its downloads go.
    pub(super) downloads: std::path::PathBuf,
    /// Its mouse goes through the window: its profile has our preferences.
    pub(super) through_window: bool,
}

struct HubHandler(Arc<Hub>);

/// Begins to talk to a browser; it has `limit` to say what it is. `given`: a session is open there
/// already, and this is what is known of the browser.
pub(super) async fn greet(
    incoming: impl Incoming,
    outgoing: impl Outgoing,
    own: Option<Own>,
    given: Option<&Value>,
    limit: Duration,
) -> Result<Connected> {
    let (sender, events) = mpsc::unbounded_channel();
    let hub = Arc::new(Hub {
        tabs: Mutex::default(),
        frames: Mutex::default(),
        events: Mutex::new(Some(sender)),
        opening: tokio::sync::Mutex::default(),
        awaited: Mutex::default(),
        spare: Mutex::default(),
        closing: Mutex::default(),
        starting: Mutex::new(true),
        headed: std::sync::OnceLock::new(),
        // A driver was told our preferences.
        through_window: own.as_ref().map_or(given.is_some(), |own| own.through_window),
        own,
    });
    let connection = Connection::open(incoming, outgoing, Box::new(HubHandler(hub.clone())));
    // From here on, whatever goes wrong, dropping the browser closes the connection.
    let mut browser = Firefox {
        connection: connection.clone(),
        hub,
        product: String::new(),
        given: given.is_some(),
    };
    let capabilities = match given {
        Some(given) => {
            Capabilities::deserialize(given).map_err(|error| refused(error.to_string()))?
        }
        None => {
            let wanted = json!({"alwaysMatch": {"unhandledPromptBehavior": {"default": "ignore"}}});
            let raw =
                connection.call(None, "session.new", json!({"capabilities": wanted}), limit).await;
            let raw = raw.map_err(|error| match error {
                BrowserError::Refused { message, .. }
                    if message.contains("Maximum number of active sessions") =>
                {
                    refused(
                        "another client has its only session; end that client, or restart Firefox"
                            .to_owned(),
                    )
                }
                other => other,
            })?;
            read::<Session>("session.new", &raw)?.capabilities
        }
    };
    check_version(&capabilities.browser_version)?;
    browser.product = format!("Firefox {}", capabilities.browser_version);
    let _ = browser.hub.headed.set(!capabilities.headless);
    let modules = json!({"events": ["browsingContext", "network", "log", "script"]});
    let listening = connection.begin(None, "session.subscribe", modules);
    let mut optional = Vec::new();
    if let Some(own) = &browser.hub.own {
        let everywhere = json!({"userContexts": ["default"], "viewport": size(own.viewport), "devicePixelRatio": 1});
        optional.push(connection.begin(None, "browsingContext.setViewport", everywhere));
        let folder = json!({"type": "allowed", "destinationFolder": own.downloads});
        let allowed = json!({"downloadBehavior": folder});
        optional.push(connection.begin(None, "browser.setDownloadBehavior", allowed));
        optional.push(connection.begin(None, "network.addIntercept", no_logins(None)));
    }
    let announced = script::announce(&connection);
    // The tabs that are there are reported before the reply.
    listening.wait(CALL_LIMIT).await?;
    *lock(&browser.hub.starting) = false;
    announced.wait(CALL_LIMIT).await?;
    for optional in optional {
        if let Err(error) = optional.wait(CALL_LIMIT).await {
            tracing::warn!(%error, "while setting up Firefox");
        }
    }
    Ok(Connected { browser: Arc::new(browser), events })
}

/// How large a window must be for a tab of this size: its toolbars are 86 pixels high.
pub(super) fn window_size(viewport: Viewport) -> (u32, u32) {
    (viewport.width.max(1280) + 86, viewport.height + 120)
}

/// Nobody is there to log in; without this a page that asks for it would wait for ever.
fn no_logins(tab: Option<&str>) -> Value {
    match tab {
        None => json!({"phases": ["authRequired"]}),
        Some(tab) => json!({"phases": ["authRequired"], "contexts": [tab]}),
    }
}

fn refused(message: String) -> BrowserError {
    BrowserError::Refused { method: "session.new".to_owned(), message }
}

fn check_version(version: &str) -> Result<()> {
    let major: u32 =
        version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(OLDEST);
    if major >= OLDEST {
        return Ok(());
    }
    Err(refused(format!("Firefox {version} is too old; install Firefox {OLDEST} or newer")))
}

impl Handler for HubHandler {
    fn event(&self, connection: &Connection, event: &Event<'_>) {
        let hub = &self.0;
        match event.method {
            "browsingContext.contextCreated" => {
                on(event, |created| attach(hub, connection, created))
            }
            "browsingContext.contextDestroyed" => {
                on(event, |gone: ContextInfo| hub.detach(&gone.context))
            }
            "script.realmDestroyed" => on(event, |gone: RealmInfo| {
                // Only the realm is named.
                let tabs: Vec<_> = lock(&hub.tabs).values().cloned().collect();
                tabs.iter().for_each(|tab| tab.realm_destroyed(&gone.realm));
            }),
            "script.realmCreated" => on(event, |created: RealmInfo| {
                if let Some(tab) = created.context.as_deref().and_then(|context| hub.tab(context)) {
                    tab.realm_created(created);
                }
            }),
            "log.entryAdded" => on(event, |entry: p::LogEntry| {
                if let Some(tab) =
                    entry.source.context.as_deref().and_then(|context| hub.tab(context))
                {
                    tab.logged(&entry);
                }
            }),
            "browsingContext.userPromptOpened" => on(event, |prompt: p::PromptOpened| {
                if let Some(tab) = hub.tab(&prompt.context) {
                    tab.prompt_opened(prompt);
                }
            }),
            "browsingContext.userPromptClosed" => on(event, |gone: ContextInfo| {
                if let Some(tab) = hub.tab(&gone.context) {
                    tab.prompt_closed();
                }
            }),
            "browsingContext.downloadWillBegin" => {
                on(event, |moves| hub.moves(event.method, moves));
                on(event, |begun: p::DownloadInfo| hub.download(begun));
            }
            "browsingContext.downloadEnd" => {
                on(event, |ended: p::DownloadInfo| hub.download(ended))
            }
            method if method.starts_with("browsingContext.") => {
                on(event, |moves| hub.moves(method, moves))
            }
            "network.authRequired" => on(event, |asked: p::Exchange| {
                let params = json!({"request": asked.request.id, "action": "cancel"});
                drop(connection.begin(None, "network.continueWithAuth", params));
            }),
            method if method.starts_with("network.") => {
                on(event, |exchange| hub.exchange(method, exchange))
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
        lock(&self.0.spare).clear();
        if let Some(sender) = lock(&self.0.events).take() {
            let _ = sender.send(BrowserEvent::Disconnected);
        }
        if let Some(own) = &self.0.own {
            own.process.release();
        }
    }
}

/// Hands an event's parameters on, if they can be read.
fn on<T: DeserializeOwned>(event: &Event<'_>, take: impl FnOnce(T)) {
    if let Some(params) = event.params() {
        take(params);
    }
}

impl Hub {
    /// The tab whose top frame this is.
    fn top(&self, context: &str) -> Option<Arc<TabState>> {
        lock(&self.tabs).get(context).cloned()
    }

    /// The tab that this frame is in.
    fn tab(&self, context: &str) -> Option<Arc<TabState>> {
        self.top(context).or_else(|| {
            let tab = lock(&self.frames).get(context)?.tab.clone();
            self.top(&tab)
        })
    }

    /// A navigation, of a top frame or of another.
    fn moves(&self, method: &str, moves: p::NavigationInfo) {
        let Some(tab) = self.top(&moves.context) else { return };
        match method {
            "browsingContext.navigationStarted" => tab.navigation_started(moves),
            "browsingContext.navigationCommitted" => tab.committed(moves),
            "browsingContext.fragmentNavigated" | "browsingContext.historyUpdated" => {
                tab.within(moves)
            }
            "browsingContext.navigationFailed"
            | "browsingContext.navigationAborted"
            | "browsingContext.downloadWillBegin" => tab.navigation_aborted(&moves),
            "browsingContext.domContentLoaded" => tab.report(TabEvent::DomReady),
            "browsingContext.load" => tab.report(TabEvent::Loaded),
            _ => {}
        }
    }

    /// A download began or ended.
    fn download(&self, info: p::DownloadInfo) {
        let Some(tab) = self.tab(&info.context) else { return };
        let path = info.filepath.map(std::path::PathBuf::from);
        let last =
            path.as_ref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
        let name =
            info.suggested_filename.or(last.map(|name| name.into_owned())).unwrap_or_default();
        let state = match info.status.as_deref() {
            None => DownloadState::Running { received: 0, total: None },
            Some("complete") => {
                let size = path
                    .as_ref()
                    .and_then(|path| std::fs::metadata(path).ok())
                    .map(|file| file.len());
                DownloadState::Done { size, path }
            }
            Some(_) => DownloadState::Stopped,
        };
        // The navigation alone is not enough: what a script saves has that of the download before
        // it.
        let id = info
            .download
            .unwrap_or_else(|| format!("{} {}", info.navigation.unwrap_or_default(), info.url));
        tab.report(TabEvent::Download(Download { id, name, state }));
    }

    fn exchange(&self, method: &str, exchange: p::Exchange) {
        let Some(tab) = exchange.context.as_deref().and_then(|context| self.tab(context)) else {
            return;
        };
        match method {
            "network.beforeRequestSent" => tab.request(exchange),
            "network.responseStarted" => tab.answered(exchange),
            "network.responseCompleted" => tab.completed(exchange),
            "network.fetchError" => tab.fetch_failed(exchange),
            _ => {}
        }
    }

    /// Makes a tab's window as large as the tab has to be: what sticks out of it is drawn but feels
    /// no mouse. A window that somebody looks at is theirs to size.
    pub(super) fn window_around(&self, tab: &TabState, viewport: Viewport) -> Option<Pending> {
        let theirs = self.own.is_none() && self.headed.get() == Some(&true);
        let window = tab.window.as_ref().filter(|_| !theirs)?;
        let (width, height) = window_size(viewport);
        let params =
            json!({"clientWindow": window, "state": "normal", "width": width, "height": height});
        Some(tab.connection.begin(None, "browser.setClientWindowState", params))
    }

    /// Tells of a tab that opened by itself.
    fn report(&self, opened: OpenedTab, opener: Option<String>) {
        if let Some(sender) = &*lock(&self.events) {
            let _ = sender.send(BrowserEvent::TabOpened { opened, opener });
        }
    }

    fn detach(&self, context: &str) {
        if let Some(tab) = self.tab(context).filter(|tab| tab.id != context) {
            // Of the frames inside it nothing is told.
            for frame in self.take_frame(context) {
                tab.frame_destroyed(&frame);
            }
        }
        let gone = lock(&self.tabs).remove(context);
        lock(&self.closing).remove(context);
        if let Some(state) = gone {
            lock(&self.frames).retain(|_, frame| frame.tab != context);
            lock(&self.spare).retain(|(spare, _)| spare.id != context);
            state.ended();
        }
    }

    /// Forgets a frame and those inside it, and says which they were.
    fn take_frame(&self, context: &str) -> Vec<String> {
        let mut frames = lock(&self.frames);
        let mut taken = vec![context.to_owned()];
        let mut next = 0;
        while let Some(parent) = taken.get(next).cloned() {
            taken.extend(
                frames.extract_if(|_, frame| frame.parent == parent).map(|(context, _)| context),
            );
            next += 1;
        }
        frames.remove(context);
        taken
    }

    /// Opens a tab that is nobody's yet.
    async fn create(&self, connection: &Connection) -> Result<Fresh> {
        let receiver = {
            let _opening = self.opening.lock().await;
            // A window for each: Firefox draws only the tab in front of a window and slows the
            // others down; and where the mouse goes through the window, the one in front would get
            // the clicks.
            let beside = self.headed.get() == Some(&true) && !self.through_window;
            let kind = if beside { "tab" } else { "window" };
            let raw = connection
                .call(None, "browsingContext.create", json!({"type": kind}), CALL_LIMIT)
                .await?;
            let ContextInfo { context, .. } = read("browsingContext.create", &raw)?;
            let (sender, receiver) = oneshot::channel();
            lock(&self.awaited).insert(context, sender);
            receiver
        };
        let late =
            |_| BrowserError::TimedOut { what: "opening a tab".to_owned(), limit: CALL_LIMIT };
        let fresh = tokio::time::timeout(CALL_LIMIT, receiver).await.map_err(late)?;
        fresh.map_err(|_| BrowserError::Disconnected)
    }

    /// Sees to it that a tab is left when this one is closed: Firefox does not close its last.
    /// Others that are being closed do not count.
    pub(super) async fn keep_one_besides(&self, tab: &TabState) -> Result<()> {
        let alone = {
            let mut closing = lock(&self.closing);
            closing.insert(tab.id.clone());
            lock(&self.tabs).keys().all(|id| closing.contains(id))
        };
        if alone {
            let fresh = self.create(&tab.connection).await?;
            lock(&self.spare).push(fresh);
        }
        Ok(())
    }
}

/// A frame or a tab appeared.
fn attach(hub: &Arc<Hub>, connection: &Connection, created: ContextInfo) {
    if let Some(parent) = created.parent {
        let mut frames = lock(&hub.frames);
        let tab = frames.get(&parent).map_or_else(|| parent.clone(), |frame| frame.tab.clone());
        frames.insert(created.context, Within { tab, parent });
        return;
    }
    let (state, events) = TabState::new(
        connection.clone(),
        created.context.clone(),
        created.client_window,
        hub.through_window,
    );
    let state = Arc::new(state);
    lock(&hub.tabs).insert(created.context, state.clone());
    if !*lock(&hub.starting) {
        tokio::spawn(hand_over(hub.clone(), (state, events), created.original_opener, created.url));
    } else if hub.own.is_some() {
        lock(&hub.spare).push((state, events));
    } else {
        // The user's, who is told of it before anything is asked.
        hub.report(opened(hub, (state, events), created.url), created.original_opener);
    }
}

/// Hands a tab to whoever it belongs to.
async fn hand_over(hub: Arc<Hub>, fresh: Fresh, opener: Option<String>, url: String) {
    let _known = hub.opening.lock().await;
    let awaited = lock(&hub.awaited).remove(&fresh.0.id);
    if let Some(awaited) = awaited {
        drop(awaited.send(fresh));
    } else {
        hub.report(opened(&hub, fresh, url), opener);
    }
}

fn opened(hub: &Arc<Hub>, (state, events): Fresh, url: String) -> OpenedTab {
    OpenedTab { tab: Arc::new(FirefoxTab { state, hub: hub.clone() }), url, events }
}

#[async_trait]
impl Browser for Firefox {
    fn product(&self) -> &str {
        &self.product
    }

    fn is_alive(&self) -> bool {
        self.connection.is_open()
    }

    async fn open_tab(&self, viewport: Viewport) -> Result<OpenedTab> {
        if !self.connection.is_open() {
            return Err(BrowserError::Disconnected);
        }
        let spare = lock(&self.hub.spare).pop();
        let fresh = match spare {
            Some(spare) => spare,
            None => self.hub.create(&self.connection).await?,
        };
        let opened = opened(&self.hub, fresh, "about:blank".to_owned());
        match &self.hub.own {
            // On a screen that is larger than usual Firefox opens windows that are smaller than it.
            Some(own) if own.viewport == viewport && viewport == Viewport::default() => {}
            Some(_) => opened.tab.resize(viewport).await?,
            None => {
                let logins = self.connection.begin(
                    None,
                    "network.addIntercept",
                    no_logins(Some(opened.tab.id())),
                );
                opened.tab.resize(viewport).await?;
                if let Err(error) = logins.wait(CALL_LIMIT).await {
                    tracing::warn!(%error, "while opening a tab");
                }
            }
        }
        Ok(opened)
    }

    async fn close(&self) {
        match &self.hub.own {
            // The guard asks it to end, which is quicker than `browser.close` and leaves as little
            // behind.
            Some(own) => {
                let gone = own.process.end(CLOSE_LIMIT).await;
                if !gone {
                    tracing::warn!("the browser did not end in time");
                }
            }
            None if !self.given => say_good_bye(&self.connection).await,
            None => {}
        }
        self.connection.shut();
    }
}

/// There is room for one session, which a lost connection does not end: the next who connects finds
/// it free.
async fn say_good_bye(connection: &Connection) {
    if connection.is_open() {
        let _ = connection.call(None, "session.end", json!({}), GOODBYE_LIMIT).await;
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let connection = self.connection.clone();
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if self.hub.own.is_none() && !self.given => {
                runtime.spawn(async move {
                    say_good_bye(&connection).await;
                    connection.shut();
                });
            }
            _ => connection.shut(),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions() {
        assert!(super::check_version("153.0").is_ok());
        assert!(
            super::check_version("128.3.1")
                .is_err_and(|error| error.to_string().contains("too old"))
        );
        assert!(super::check_version("odd").is_ok());
    }
}
