//! A connected Firefox: its session, its set-up, and its end.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::chosen::{self, Contexts, bodies};
use super::cookies;
use super::emulation::size;
use super::events::{FirefoxEvents, attach};
use super::subscription::events_of;
use super::tab::FirefoxTab;
use super::tabs::FirefoxTabs;
use crate::api::cookies::StoredCookie;
use crate::api::traits::{Browser, CALL_LIMIT, Connected, OpenedTab, Tab, Viewport};
use crate::bidi::protocol::{Capabilities, CreatedContext, Session};
use crate::bidi::script;
use crate::connections::Connections;
use crate::engine::launch::{OwnBrowser, private_folder};
use crate::error::{BrowserError, Result};
use crate::options::Engine;
use crate::wire::connection::{Connection, Pending, read_reply};
use crate::wire::{Incoming, Outgoing};

/// How long a browser that is not ours may take to end our session.
const GOODBYE_LIMIT: Duration = Duration::from_secs(1);
/// How long the pages of the user's browser may take to agree that their events are reported.
const LISTEN_LIMIT: Duration = Duration::from_secs(2);
/// The oldest Firefox that reports commits of documents and the other events that we need.
const OLDEST: u32 = 140;

struct Firefox {
    connection: Connection,
    tabs: Arc<FirefoxTabs>,
    product: String,
    /// Whether a driver opened its session, and will end it.
    driven: bool,
    /// The context that it is; `None` is the whole browser.
    context: Option<String>,
}

/// How we got a browser.
pub(crate) enum Origin<'a> {
    /// We started it.
    Launched(OwnBrowser),
    /// It was running already.
    Running,
    /// A driver started it and opened its session with these capabilities.
    Driven(&'a Value),
}

/// Sets up the connection to a browser, which has `limit` to open a session.
pub(crate) async fn greet(
    incoming: impl Incoming,
    outgoing: impl Outgoing,
    origin: Origin<'_>,
    limit: Duration,
) -> Result<Connected> {
    let theirs = matches!(origin, Origin::Running);
    let (own, given, mouse_through_window) = match origin {
        // Its profile has our preferences, which include this one.
        Origin::Launched(own) => (Some(own), None, true),
        Origin::Running => (None, None, false),
        // We passed our preferences to the driver.
        Origin::Driven(capabilities) => (None, Some(capabilities), true),
    };
    let (sender, events) = mpsc::unbounded_channel();
    let tabs = Arc::new(FirefoxTabs::new(sender, own, theirs, mouse_through_window));
    let connection = Connection::open(incoming, outgoing, Box::new(FirefoxEvents(tabs.clone())));
    // From here on, whatever goes wrong, dropping the browser closes the connection.
    let mut browser = Firefox {
        connection: connection.clone(),
        tabs,
        product: String::new(),
        driven: given.is_some(),
        context: None,
    };
    let capabilities = match given {
        Some(given) => {
            Capabilities::deserialize(given).map_err(|error| refused(error.to_string()))?
        }
        None => {
            let none = Connections::default();
            let own = browser.tabs.own.as_ref();
            let connections = own.map_or(&none, |own| own.connections.as_ref());
            new_session(&connection, connections, limit).await?
        }
    };
    check_version(&capabilities.browser_version)?;
    browser.product = format!("Firefox {}", capabilities.browser_version);
    let _ = browser.tabs.product.set(browser.product.clone());
    let _ = browser.tabs.headed.set(!capabilities.headless);
    // Login prompts are reported of all tabs, also of those whose other requests are not.
    let modules = json!({"events": ["browsingContext", "log", "script", "network.authRequired"]});
    let listening = connection.begin(None, "session.subscribe", modules);
    let watching = connection.begin(None, "session.subscribe", events_of(None));
    let mut optional = Vec::new();
    if let Some(own) = &browser.tabs.own {
        optional.extend(set_up_context(&connection, own, "default", &own.downloads));
        optional.push(connection.begin(None, "network.addIntercept", no_logins(None)));
        // Older ones do not know it; then bodies are not available.
        drop(connection.begin(None, "network.addDataCollector", bodies(None)));
    }
    // Before the page script, whose start gets to know them.
    if browser.tabs.own.as_ref().is_some_and(|own| own.hooks) {
        optional.push(script::announce_hooks(&connection));
    }
    // In the user's browser, the script is registered for the tabs that are used.
    let announced = (!theirs).then(|| script::announce(&connection, None));
    // Existing tabs are reported before the reply.
    let limit = if theirs { LISTEN_LIMIT } else { CALL_LIMIT };
    let (listening, watching) = tokio::join!(listening.wait(limit), watching.wait(limit));
    if let Ok(watching) = &watching {
        browser.tabs.watch.begun(read_reply("session.subscribe", watching)?).await;
    }
    match listening.and(watching) {
        // Firefox replies when all its pages have; a page of the user may hang.
        Err(BrowserError::TimedOut { .. }) if theirs => {
            tracing::warn!("a tab does not answer; what happens in it is not seen");
            find_silent_tabs(&browser).await?;
        }
        listening => drop(listening?),
    }
    browser.tabs.started.store(true, Ordering::SeqCst);
    if let Some(announced) = announced {
        announced.wait(CALL_LIMIT).await?;
    }
    for optional in optional {
        if let Err(error) = optional.wait(CALL_LIMIT).await {
            tracing::warn!(%error, "while setting up Firefox");
        }
    }
    Ok(Connected { browser: Arc::new(browser), events })
}

/// Sets up a context of a browser that we started: the size of its tabs, and its downloads.
fn set_up_context(
    connection: &Connection,
    own: &OwnBrowser,
    context: &str,
    downloads: &Path,
) -> [Pending; 2] {
    let everywhere =
        json!({"userContexts": [context], "viewport": size(own.viewport), "devicePixelRatio": 1});
    let folder = json!({"type": "allowed", "destinationFolder": downloads});
    let mut allowed = json!({"downloadBehavior": folder});
    if context != "default" {
        allowed["userContexts"] = json!([context]);
    }
    [
        connection.begin(None, "browsingContext.setViewport", everywhere),
        connection.begin(None, "browser.setDownloadBehavior", allowed),
    ]
}

/// Finds the tabs of the user that were not reported because their pages do not answer.
async fn find_silent_tabs(browser: &Firefox) -> Result<()> {
    let method = "browsingContext.getTree";
    let raw = browser.connection.call(None, method, json!({"maxDepth": 0}), CALL_LIMIT).await?;
    let Contexts { contexts } = read_reply(method, &raw)?;
    for context in contexts {
        attach(&browser.tabs, &browser.connection, context);
    }
    Ok(())
}

async fn new_session(
    connection: &Connection,
    connections: &Connections,
    limit: Duration,
) -> Result<Capabilities> {
    let mut wanted = json!({"alwaysMatch": {"unhandledPromptBehavior": {"default": "ignore"}}});
    if connections.ignore_https_errors {
        wanted["alwaysMatch"]["acceptInsecureCerts"] = json!(true);
    }
    let raw = connection.call(None, "session.new", json!({"capabilities": wanted}), limit).await;
    let raw = raw.map_err(|error| {
        match error {
        BrowserError::Refused { message, .. }
            if message.contains("Maximum number of active sessions") =>
        {
            refused(
                "another client holds Firefox's only session; close that client, or restart Firefox"
                    .to_owned(),
            )
        }
        other => other,
    }
    })?;
    Ok(read_reply::<Session>("session.new", &raw)?.capabilities)
}

/// Returns the parameters that intercept HTTP login prompts: nobody is there to answer them, and
/// the page would wait forever.
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
        let tab = self.tabs.unclaimed(&self.connection, self.context()).await?;
        let opened = FirefoxTab::opened(&self.tabs, tab, "about:blank".to_owned());
        match &self.tabs.own {
            // A tab of the default size already fits its window. For other sizes the window is
            // resized too, because on a large screen Firefox opens windows smaller than the screen.
            Some(own) if own.viewport == viewport && viewport == Viewport::default() => {}
            Some(_) => opened.tab.resize(viewport).await?,
            None => {
                let params = no_logins(Some(opened.tab.id()));
                let logins = self.connection.begin(None, "network.addIntercept", params);
                let collected = bodies(Some(opened.tab.id()));
                drop(self.connection.begin(None, "network.addDataCollector", collected));
                if self.tabs.theirs {
                    drop(script::announce(&self.connection, Some(opened.tab.id())));
                }
                opened.tab.resize(viewport).await?;
                if let Err(error) = logins.wait(CALL_LIMIT).await {
                    tracing::warn!(%error, "while opening a tab");
                }
            }
        }
        Ok(opened)
    }

    async fn create_context(&self) -> Result<Arc<dyn Browser>> {
        let method = "browser.createUserContext";
        let raw = self.connection.call(None, method, json!({}), CALL_LIMIT).await?;
        let id = read_reply::<CreatedContext>(method, &raw)?.user_context;
        if let Some(own) = &self.tabs.own {
            let folder = own.downloads.join(&id);
            if let Err(error) = private_folder(&folder) {
                tracing::warn!(%error, "while creating the folder of a context's downloads");
            }
            for pending in set_up_context(&self.connection, own, &id, &folder) {
                if let Err(error) = pending.wait(CALL_LIMIT).await {
                    tracing::warn!(%error, "while setting up a context");
                }
            }
        }
        Ok(Arc::new(Firefox {
            connection: self.connection.clone(),
            tabs: self.tabs.clone(),
            product: self.product.clone(),
            driven: self.driven,
            context: Some(id),
        }))
    }

    fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }

    async fn end_busiest_page_process(&self) -> Result<()> {
        let lacks = || Engine::Firefox.lacks("ending the process of a page");
        let own = self.tabs.own.as_ref().ok_or_else(lacks)?;
        let ended = own.process.kill_busiest(is_page_process).await;
        if ended { Ok(()) } else { Err(lacks()) }
    }

    async fn cookies(&self) -> Result<Vec<StoredCookie>> {
        cookies::all(&self.connection, self.context()).await
    }

    async fn set_cookie(&self, cookie: &StoredCookie) -> Result<()> {
        cookies::set(&self.connection, self.context(), cookie).await
    }

    async fn attach_tab(&self, id: &str) -> Result<OpenedTab> {
        chosen::choose(&self.tabs, &self.connection, id).await
    }

    async fn release_tab(&self, tab: &dyn Tab) -> Result<()> {
        chosen::release(&self.tabs, &self.connection, tab.id()).await
    }

    async fn close(&self) {
        if let Some(context) = &self.context {
            let params = json!({"userContext": context});
            let method = "browser.removeUserContext";
            if let Err(error) = self.connection.call(None, method, params, CALL_LIMIT).await {
                tracing::warn!(%error, "while closing a context");
            }
            if let Some(own) = &self.tabs.own {
                let _ = std::fs::remove_dir_all(own.downloads.join(context));
            }
            return;
        }
        match &self.tabs.own {
            Some(own) if own.keeps_profile => {
                own.end_asked(async {
                    let close =
                        self.connection.call(None, "browser.close", json!({}), GOODBYE_LIMIT);
                    let _ = close.await;
                })
                .await;
            }
            // The guard's signal is quicker than `browser.close`.
            Some(own) => own.end().await,
            None if !self.driven => end_session(&self.connection).await,
            None => {}
        }
        self.connection.shut();
    }
}

/// Whether a process shows pages, by its name and its command line. The process of the extensions
/// has the same command line.
fn is_page_process(name: &str, command: &str) -> bool {
    name != "WebExtensions" && command.contains("-contentproc") && command.ends_with(" tab")
}

/// Ends our session. Firefox allows only one session and does not end it when the connection is
/// lost, so the next client could not open one.
async fn end_session(connection: &Connection) {
    if connection.is_open() {
        let _ = connection.call(None, "session.end", json!({}), GOODBYE_LIMIT).await;
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        if self.context.is_some() {
            // It ends when it is closed, or with the browser.
            return;
        }
        let connection = self.connection.clone();
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if self.tabs.own.is_none() && !self.driven => {
                runtime.spawn(async move {
                    end_session(&connection).await;
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
