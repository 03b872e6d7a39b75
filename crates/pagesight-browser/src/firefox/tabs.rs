//! The tabs of a connected Firefox: their frames, their windows, and the tabs that have no owner
//! yet.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::json;
use tokio::sync::{mpsc, oneshot};

use super::download_watch::DownloadWatch;
use super::subscription::RequestWatch;
use crate::api::events::TabEvent;
use crate::api::traits::{BrowserEvent, CALL_LIMIT, FoundTab, OpenedTab, Viewport};
use crate::bidi::protocol::ContextInfo;
use crate::bidi::state::BidiTabState;
use crate::connections::AnsweredLogins;
use crate::downloads::{DownloadBudget, EmptiedFiles};
use crate::engine::launch::OwnBrowser;
use crate::error::{BrowserError, Result};
use crate::sync::lock;
use crate::wire::connection::{Connection, Pending, read_reply};

/// A tab that nobody has claimed yet.
pub(super) struct UnclaimedTab {
    pub(super) state: Arc<BidiTabState>,
    /// The window that it was opened in.
    pub(super) window: Option<String>,
    /// The context that it is in.
    pub(super) user_context: Option<String>,
    pub(super) events: mpsc::UnboundedReceiver<TabEvent>,
}

/// The set-up of a tab of the user that was chosen, which is needed to choose it again.
pub(super) struct ChosenTab {
    pub(super) window: Option<String>,
    pub(super) user_context: Option<String>,
    /// The command that registered the page script.
    pub(super) script: Pending,
    /// The command that made Firefox keep the bodies of requests.
    pub(super) bodies: Pending,
}

/// The place of a frame inside a tab.
struct FrameParent {
    tab: String,
    parent: String,
}

/// The tabs of a browser.
#[derive(Default)]
pub(super) struct FirefoxTabs {
    tabs: Mutex<HashMap<String, Arc<BidiTabState>>>,
    frames: Mutex<HashMap<String, FrameParent>>,
    events: Mutex<Option<mpsc::UnboundedSender<BrowserEvent>>>,
    /// Held while we open a tab and its id is not known yet, so that it does not count as a pop-up.
    pub(super) opening: tokio::sync::Mutex<()>,
    /// Tabs that we opened and that are not ready yet.
    awaited: Mutex<HashMap<String, oneshot::Sender<UnclaimedTab>>>,
    /// Open tabs that are kept for later: Firefox has one when it starts, and ends with its last
    /// one.
    spare: Mutex<Vec<UnclaimedTab>>,
    /// Tabs of the user that the caller has not chosen, with their addresses.
    unchosen: Mutex<HashMap<String, (UnclaimedTab, String)>>,
    /// Tabs of the user that the caller has chosen.
    chosen: Mutex<HashMap<String, ChosenTab>>,
    /// Whether the browser is the user's.
    pub(super) theirs: bool,
    /// Tabs that are being closed.
    closing: Mutex<HashSet<String>>,
    /// Whether all tabs that existed before us have been reported.
    pub(super) started: AtomicBool,
    /// The name and version of the browser, once they are known.
    pub(super) product: OnceLock<String>,
    /// Whether it shows windows.
    pub(super) headed: OnceLock<bool>,
    /// Whether our preferences are set, so that the mouse goes through the window.
    pub(super) mouse_through_window: bool,
    /// Set if we started the browser.
    pub(super) own: Option<OwnBrowser>,
    /// The requests that got a login.
    pub(super) logins: AnsweredLogins,
    /// The tabs whose requests are reported.
    pub(super) watch: RequestWatch,
    /// The space that is left for downloads, whether they are watched, and which files were too
    /// large.
    pub(super) budget: DownloadBudget,
    pub(super) download_watch: DownloadWatch,
    pub(super) emptied: EmptiedFiles,
}

/// Returns the size of the window for a tab of this size: the toolbars are 86 pixels high.
pub(super) fn window_size(viewport: Viewport) -> (u32, u32) {
    (viewport.width.max(1280) + 86, viewport.height + 120)
}

impl FirefoxTabs {
    /// Creates the tabs of a browser that reports to `events`.
    pub(super) fn new(
        events: mpsc::UnboundedSender<BrowserEvent>,
        own: Option<OwnBrowser>,
        theirs: bool,
        mouse_through_window: bool,
    ) -> FirefoxTabs {
        FirefoxTabs {
            theirs,
            events: Mutex::new(Some(events)),
            mouse_through_window,
            own,
            ..FirefoxTabs::default()
        }
    }

    /// Returns the error for something that this Firefox cannot do; `what` begins the sentence.
    pub(super) fn lacks(&self, what: &str, able: &'static str) -> BrowserError {
        let product = self.product.get().cloned().unwrap_or_else(|| "Firefox".to_owned());
        BrowserError::LacksHere { what: what.to_owned(), product, able }
    }

    /// The tab with this top frame.
    pub(super) fn top(&self, context: &str) -> Option<Arc<BidiTabState>> {
        lock(&self.tabs).get(context).cloned()
    }

    /// The tab that a frame is in.
    pub(super) fn of_frame(&self, context: &str) -> Option<Arc<BidiTabState>> {
        self.top(context).or_else(|| {
            let tab = lock(&self.frames).get(context)?.tab.clone();
            self.top(&tab)
        })
    }

    pub(super) fn all(&self) -> Vec<Arc<BidiTabState>> {
        lock(&self.tabs).values().cloned().collect()
    }

    /// Adds a tab. Returns nothing if it is known already: an event and a list of tabs may name it
    /// at the same time.
    pub(super) fn add(
        &self,
        connection: &Connection,
        created: &ContextInfo,
    ) -> Option<UnclaimedTab> {
        let mut tabs = lock(&self.tabs);
        let Entry::Vacant(place) = tabs.entry(created.context.clone()) else { return None };
        let (state, events) = BidiTabState::new(connection.clone(), created.context.clone());
        let state = place.insert(Arc::new(state)).clone();
        Some(UnclaimedTab {
            state,
            window: created.client_window.clone(),
            user_context: created.user_context.clone(),
            events,
        })
    }

    /// Adds a frame inside `parent`.
    pub(super) fn add_frame(&self, context: String, parent: String) {
        let mut frames = lock(&self.frames);
        let tab = frames.get(&parent).map_or_else(|| parent.clone(), |frame| frame.tab.clone());
        frames.insert(context, FrameParent { tab, parent });
    }

    /// Removes a tab or a frame that is gone.
    pub(super) fn remove(&self, context: &str) {
        if let Some(tab) = self.of_frame(context).filter(|tab| tab.id != context) {
            // The end of the frames inside it is not reported.
            for frame in self.remove_frame(context) {
                tab.frame_destroyed(&frame);
            }
        }
        let gone = lock(&self.tabs).remove(context);
        lock(&self.closing).remove(context);
        if let Some(state) = gone {
            if lock(&self.unchosen).remove(context).is_some() {
                self.send(BrowserEvent::TabGone(context.to_owned()));
            }
            lock(&self.frames).retain(|_, frame| frame.tab != context);
            lock(&self.spare).retain(|spare| spare.state.id != context);
            lock(&self.chosen).remove(context);
            state.ended();
        }
    }

    /// Removes a frame and the frames inside it, and returns all of them.
    fn remove_frame(&self, context: &str) -> Vec<String> {
        let mut frames = lock(&self.frames);
        let mut removed = vec![context.to_owned()];
        let mut next = 0;
        while let Some(parent) = removed.get(next).cloned() {
            let inside = frames.extract_if(|_, frame| frame.parent == parent);
            removed.extend(inside.map(|(context, _)| context));
            next += 1;
        }
        frames.remove(context);
        removed
    }

    /// Ends all tabs, because the connection ended, and reports that.
    pub(super) fn disconnected(&self) {
        let tabs: Vec<_> = lock(&self.tabs).drain().collect();
        for (_, state) in tabs {
            state.ended();
        }
        lock(&self.awaited).clear();
        lock(&self.spare).clear();
        lock(&self.unchosen).clear();
        lock(&self.chosen).clear();
        if let Some(sender) = lock(&self.events).take() {
            let _ = sender.send(BrowserEvent::Disconnected);
        }
        if let Some(own) = &self.own {
            own.process.release();
        }
    }

    /// Reports a tab that the caller did not open.
    pub(super) fn report(&self, opened: OpenedTab, opener: Option<String>) {
        self.send(BrowserEvent::TabOpened { opened, opener });
    }

    fn send(&self, event: BrowserEvent) {
        if let Some(sender) = &*lock(&self.events) {
            let _ = sender.send(event);
        }
    }

    /// Reports a tab of the user, and keeps it until the caller chooses it.
    pub(super) fn find(&self, tab: UnclaimedTab, url: String) {
        let id = tab.state.id.clone();
        lock(&self.unchosen).insert(id.clone(), (tab, url.clone()));
        self.send(BrowserEvent::TabFound(FoundTab { id, url, ..FoundTab::default() }));
    }

    /// Drops the events of a tab that was not chosen. Returns whether it was not.
    pub(super) fn is_unchosen(&self, id: &str) -> bool {
        let mut unchosen = lock(&self.unchosen);
        let Some((tab, _)) = unchosen.get_mut(id) else { return false };
        while tab.events.try_recv().is_ok() {}
        true
    }

    /// Whether a tab is ours or was chosen.
    pub(super) fn is_used(&self, id: &str) -> bool {
        lock(&self.tabs).contains_key(id) && !lock(&self.unchosen).contains_key(id)
    }

    /// Notes the new address of a tab that was not chosen.
    pub(super) fn moved(&self, id: &str, url: &str) {
        if let Some((_, known)) = lock(&self.unchosen).get_mut(id) {
            *known = url.to_owned();
            let (id, url) = (id.to_owned(), url.to_owned());
            self.send(BrowserEvent::TabFound(FoundTab { id, url, ..FoundTab::default() }));
        }
    }

    /// Takes a tab that the caller chooses.
    pub(super) fn take_unchosen(&self, id: &str) -> Option<(UnclaimedTab, String)> {
        lock(&self.unchosen).remove(id)
    }

    /// Gives back a tab that could not be used.
    pub(super) fn give_back(&self, tab: UnclaimedTab, url: String) {
        lock(&self.unchosen).insert(tab.state.id.clone(), (tab, url));
    }

    /// Notes what was set up in a tab that the caller chose.
    pub(super) fn keep_chosen(&self, id: &str, chosen: ChosenTab) {
        lock(&self.chosen).insert(id.to_owned(), chosen);
    }

    /// Takes what was set up in a tab that is given back.
    pub(super) fn take_chosen(&self, id: &str) -> Option<ChosenTab> {
        lock(&self.chosen).remove(id)
    }

    /// Removes and returns the sender for a tab that we opened.
    pub(super) fn awaited(&self, id: &str) -> Option<oneshot::Sender<UnclaimedTab>> {
        lock(&self.awaited).remove(id)
    }

    /// Keeps a tab for later.
    pub(super) fn keep(&self, tab: UnclaimedTab) {
        lock(&self.spare).push(tab);
    }

    /// Returns a tab of a context that nobody has claimed: one that was kept, or a new one.
    pub(super) async fn unclaimed(
        &self,
        connection: &Connection,
        context: Option<&str>,
    ) -> Result<UnclaimedTab> {
        // Only tabs of the browser's own context are kept.
        let spare = context.is_none().then(|| lock(&self.spare).pop()).flatten();
        match spare {
            Some(spare) => Ok(spare),
            None => self.create(connection, context).await,
        }
    }

    /// Opens a tab that nobody has claimed yet.
    async fn create(&self, connection: &Connection, context: Option<&str>) -> Result<UnclaimedTab> {
        let receiver = {
            let _opening = self.opening.lock().await;
            // Each tab gets a window: Firefox draws only the front tab of a window and throttles
            // the others; and if the mouse goes through the window, the front tab would get the
            // clicks.
            let beside = self.headed.get() == Some(&true) && !self.mouse_through_window;
            let kind = if beside { "tab" } else { "window" };
            let mut params = json!({"type": kind});
            if let Some(context) = context {
                params["userContext"] = json!(context);
            }
            let raw = connection.call(None, "browsingContext.create", params, CALL_LIMIT).await?;
            let ContextInfo { context, .. } = read_reply("browsingContext.create", &raw)?;
            let (sender, receiver) = oneshot::channel();
            lock(&self.awaited).insert(context, sender);
            receiver
        };
        let late =
            |_| BrowserError::TimedOut { what: "opening a tab".to_owned(), limit: CALL_LIMIT };
        let created = tokio::time::timeout(CALL_LIMIT, receiver).await.map_err(late)?;
        created.map_err(|_| BrowserError::Disconnected)
    }

    /// Makes sure that a tab is left when this one closes: Firefox does not close its last tab.
    /// Tabs that are being closed do not count.
    pub(super) async fn keep_one_besides(&self, tab: &BidiTabState) -> Result<()> {
        let alone = {
            let mut closing = lock(&self.closing);
            closing.insert(tab.id.clone());
            lock(&self.tabs).keys().all(|id| closing.contains(id))
        };
        if alone {
            let created = self.create(&tab.connection, None).await?;
            self.keep(created);
        }
        Ok(())
    }

    /// Makes a tab's window large enough for the tab: content outside the window is drawn but gets
    /// no mouse events. A window that the user looks at is not resized.
    pub(super) fn resize_window(
        &self,
        connection: &Connection,
        window: Option<&str>,
        viewport: Viewport,
    ) -> Option<Pending> {
        let theirs = self.own.is_none() && self.headed.get() == Some(&true);
        let window = window.filter(|_| !theirs)?;
        let (width, height) = window_size(viewport);
        let params =
            json!({"clientWindow": window, "state": "normal", "width": width, "height": height});
        Some(connection.begin(None, "browser.setClientWindowState", params))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::firefox::events::{FirefoxEvents, attach};
    use crate::wire::pipe::{PipeIn, PipeOut};

    #[tokio::test]
    async fn a_tab_that_is_found_twice_is_added_once() {
        let (sender, mut events) = mpsc::unbounded_channel();
        let tabs = Arc::new(FirefoxTabs::new(sender, None, true, false));
        let (ours, _theirs) = tokio::io::duplex(64);
        let (reader, writer) = tokio::io::split(ours);
        let handler = Box::new(FirefoxEvents(tabs.clone()));
        let connection = Connection::open(PipeIn::new(reader), PipeOut(writer), handler);
        let created = || ContextInfo {
            context: "a".to_owned(),
            url: "about:blank".to_owned(),
            parent: None,
            original_opener: None,
            client_window: None,
            user_context: None,
        };
        attach(&tabs, &connection, created());
        let first = tabs.top("a").unwrap();
        assert!(tabs.add(&connection, &created()).is_none());
        attach(&tabs, &connection, created());
        assert!(Arc::ptr_eq(&first, &tabs.top("a").unwrap()), "the state is kept");
        assert!(matches!(events.try_recv(), Ok(BrowserEvent::TabFound(_))));
        assert!(events.try_recv().is_err(), "it is reported once");
    }
}
