//! One browser that several owners use, each in a part of its own. A part is a [`Browser`]: its
//! owner sees its own tabs only.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use async_trait::async_trait;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use crate::api::cookies::StoredCookie;
use crate::api::traits::{
    Browser, BrowserEvent, Connected, FoundTab, OpenedTab, Tab, Viewport, lacks,
};
use crate::error::{BrowserError, Result};
use crate::sync::lock;

/// State that the parts of a browser share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Nothing: each part is a context with its own cookies and storage.
    Separate,
    /// Cookies and storage, as in the user's own browser or in a profile that is kept. Only the
    /// tabs have owners.
    Cookies,
}

/// A browser that several owners use.
pub struct SharedBrowser {
    browser: Arc<dyn Browser>,
    sharing: Sharing,
    owners: Arc<Mutex<Owners>>,
}

/// Which part owns which tab.
#[derive(Default)]
struct Owners {
    last_part: u64,
    parts: HashMap<u64, PartRecord>,
    /// The owners of tabs, by the engine's id of the tab.
    tabs: HashMap<String, OwnedTab>,
    /// The user's tabs that no part has chosen.
    found: HashMap<String, FoundTab>,
}

struct PartRecord {
    context: Option<String>,
    events: UnboundedSender<BrowserEvent>,
}

struct OwnedTab {
    part: u64,
    tab: Weak<dyn Tab>,
    /// The user's tab that it was before the part chose it.
    chosen: Option<FoundTab>,
}

impl SharedBrowser {
    /// Shares a browser. Its events are passed on to the parts that they concern. Must be called
    /// inside a tokio runtime.
    pub fn new(connected: Connected, sharing: Sharing) -> SharedBrowser {
        let Connected { browser, events } = connected;
        let owners = Arc::new(Mutex::new(Owners::default()));
        tokio::spawn(pass_on(events, Arc::downgrade(&owners)));
        SharedBrowser { browser, sharing, owners }
    }

    /// Returns whether the browser is running.
    pub fn is_alive(&self) -> bool {
        self.browser.is_alive()
    }

    /// Creates a part for a new owner.
    pub async fn part(&self) -> Result<Connected> {
        let browser = match self.sharing {
            Sharing::Separate => self.browser.create_context().await?,
            Sharing::Cookies => self.browser.clone(),
        };
        let (sender, events) = mpsc::unbounded_channel();
        let key = lock(&self.owners).add(browser.context().map(str::to_owned), sender);
        let part = BrowserPart { key, browser, owners: self.owners.clone() };
        Ok(Connected { browser: Arc::new(part), events })
    }

    /// Whether no part is open.
    pub fn is_unused(&self) -> bool {
        lock(&self.owners).parts.is_empty()
    }

    /// Ends the browser, or disconnects from it if it is the user's.
    pub async fn close(&self) {
        self.browser.close().await;
    }
}

/// Passes the events of the browser on until it ends.
async fn pass_on(mut events: UnboundedReceiver<BrowserEvent>, owners: Weak<Mutex<Owners>>) {
    while let Some(event) = events.recv().await {
        let Some(owners) = owners.upgrade() else { return };
        lock(&owners).event(event);
    }
}

impl Owners {
    fn add(&mut self, context: Option<String>, events: UnboundedSender<BrowserEvent>) -> u64 {
        self.last_part += 1;
        for tab in self.found.values() {
            let _ = events.send(BrowserEvent::TabFound(tab.clone()));
        }
        self.parts.insert(self.last_part, PartRecord { context, events });
        self.last_part
    }

    /// Passes an event on.
    fn event(&mut self, event: BrowserEvent) {
        match event {
            BrowserEvent::TabOpened { opened, opener } => self.opened(opened, opener),
            BrowserEvent::TabFound(tab) => {
                if !self.tabs.contains_key(&tab.id) {
                    self.found.insert(tab.id.clone(), tab.clone());
                    self.send_to_all(|| BrowserEvent::TabFound(tab.clone()));
                }
            }
            BrowserEvent::TabGone(id) => {
                self.found.remove(&id);
                self.tabs.remove(&id);
                self.send_to_all(|| BrowserEvent::TabGone(id.clone()));
            }
            BrowserEvent::Disconnected => self.send_to_all(|| BrowserEvent::Disconnected),
        }
    }

    /// Hands a tab that a page opened to the owner of that page. A page in a context of its own may
    /// open tabs that do not name it; they are known by the context.
    fn opened(&mut self, opened: OpenedTab, opener: Option<String>) {
        let of_opener =
            opener.as_ref().and_then(|opener| self.tabs.get(opener)).map(|tab| tab.part);
        let of_context = || {
            let context = opened.context.as_ref()?;
            let mut parts = self.parts.iter();
            parts.find(|(_, part)| part.context.as_ref() == Some(context)).map(|(key, _)| *key)
        };
        let only = || match self.parts.len() {
            1 => self.parts.keys().next().copied(),
            _ => None,
        };
        // A tab that a tab of the user opened is the user's, too.
        let of_user = opener.as_ref().and_then(|opener| self.tabs.get(opener));
        let chosen = of_user.filter(|owned| owned.chosen.is_some()).map(|_| FoundTab {
            id: opened.tab.id().to_owned(),
            url: opened.url.clone(),
            ..FoundTab::default()
        });
        match of_opener.or_else(of_context).or_else(only) {
            Some(part) => {
                self.own(part, &opened, chosen);
                self.send(part, BrowserEvent::TabOpened { opened, opener });
            }
            None => tracing::warn!("a tab was opened that no part of the browser owns"),
        }
    }

    fn own(&mut self, part: u64, opened: &OpenedTab, chosen: Option<FoundTab>) {
        self.tabs.retain(|_, owned| owned.tab.strong_count() > 0);
        let owned = OwnedTab { part, tab: Arc::downgrade(&opened.tab), chosen };
        self.tabs.insert(opened.tab.id().to_owned(), owned);
    }

    fn send(&self, part: u64, event: BrowserEvent) {
        if let Some(part) = self.parts.get(&part) {
            let _ = part.events.send(event);
        }
    }

    fn send_to_all(&self, event: impl Fn() -> BrowserEvent) {
        for part in self.parts.values() {
            let _ = part.events.send(event());
        }
    }
}

/// A part of a shared browser. If its owner drops it without closing it, its context is closed, and
/// its tabs stay.
struct BrowserPart {
    key: u64,
    /// The context of the part, or the whole browser if cookies are shared.
    browser: Arc<dyn Browser>,
    owners: Arc<Mutex<Owners>>,
}

impl BrowserPart {
    fn is_open(&self) -> bool {
        lock(&self.owners).parts.contains_key(&self.key)
    }
}

#[async_trait]
impl Browser for BrowserPart {
    fn product(&self) -> &str {
        self.browser.product()
    }

    fn is_alive(&self) -> bool {
        self.browser.is_alive() && self.is_open()
    }

    async fn open_tab(&self, viewport: Viewport) -> Result<OpenedTab> {
        let opened = self.browser.open_tab(viewport).await?;
        let open = {
            let mut owners = lock(&self.owners);
            owners.own(self.key, &opened, None);
            owners.parts.contains_key(&self.key)
        };
        if !open {
            // The part was closed meanwhile; nobody else would close its tab.
            let _ = opened.tab.close().await;
            return Err(BrowserError::Disconnected);
        }
        Ok(opened)
    }

    fn context(&self) -> Option<&str> {
        self.browser.context()
    }

    async fn end_busiest_page_process(&self) -> Result<()> {
        // It may show pages of other parts.
        match lock(&self.owners).parts.len() {
            1 => {}
            _ => return Err(lacks("ending the process of a page while others use the browser")),
        }
        self.browser.end_busiest_page_process().await
    }

    async fn cookies(&self) -> Result<Vec<StoredCookie>> {
        self.browser.cookies().await
    }

    async fn set_cookie(&self, cookie: &StoredCookie) -> Result<()> {
        self.browser.set_cookie(cookie).await
    }

    async fn attach_tab(&self, id: &str) -> Result<OpenedTab> {
        // Taken first, so that two parts cannot choose the same tab.
        let Some(found) = lock(&self.owners).found.remove(id) else {
            return Err(BrowserError::TabClosed);
        };
        let opened = self.browser.attach_tab(id).await;
        let mut owners = lock(&self.owners);
        match opened {
            Ok(opened) => {
                owners.own(self.key, &opened, Some(found));
                for (_, part) in owners.parts.iter().filter(|(key, _)| **key != self.key) {
                    let _ = part.events.send(BrowserEvent::TabGone(id.to_owned()));
                }
                Ok(opened)
            }
            Err(error) => {
                owners.found.insert(id.to_owned(), found);
                Err(error)
            }
        }
    }

    async fn close(&self) {
        let (mut opened, mut released) = (Vec::new(), Vec::new());
        let existed = {
            let mut owners = lock(&self.owners);
            let mine = owners.tabs.extract_if(|_, owned| owned.part == self.key);
            let mine: Vec<OwnedTab> = mine.map(|(_, owned)| owned).collect();
            let existed = owners.parts.remove(&self.key).is_some();
            for owned in mine {
                match owned.chosen {
                    // The user's tab stays, and others may choose it.
                    Some(found) => {
                        if let Some(tab) = owned.tab.upgrade() {
                            released.push((found, tab));
                        }
                    }
                    None => opened.extend(owned.tab.upgrade()),
                }
            }
            existed
        };
        if !existed {
            return;
        }
        if self.browser.context().is_some() {
            return self.browser.close().await;
        }
        for tab in opened {
            let _ = tab.close().await;
        }
        for (found, tab) in released {
            // A tab that is gone, or that does not answer, is not given to others.
            if self.browser.release_tab(&*tab).await.is_ok() {
                lock(&self.owners).event(BrowserEvent::TabFound(found));
            }
        }
    }
}

impl Drop for BrowserPart {
    fn drop(&mut self) {
        let existed = lock(&self.owners).parts.remove(&self.key).is_some();
        let browser = self.browser.clone();
        if let (true, Some(_), Ok(runtime)) =
            (existed, browser.context(), tokio::runtime::Handle::try_current())
        {
            runtime.spawn(async move { browser.close().await });
        }
    }
}

#[cfg(test)]
mod tests;
