//! A connected Chromium: its set-up, its product name, and its end.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::mpsc;

use super::cookies;
use super::protocol::{CreatedContext, Version, in_context};
use super::tabs::{ChromiumEvents, ChromiumTabs};
use crate::api::cookies::StoredCookie;
use crate::api::traits::{Browser, CALL_LIMIT, Connected, OpenedTab, Tab, Viewport};
use crate::engine::launch::OwnBrowser;
use crate::error::Result;
use crate::options::Engine;
use crate::wire::connection::{Connection, read_reply};
use crate::wire::{Incoming, Outgoing};

/// How long the browser may take to confirm that it will end.
const GOODBYE_LIMIT: Duration = Duration::from_millis(400);

/// Permissions that pages can ask for; a browser that we started denies them.
const PERMISSIONS: [&str; 10] = [
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

struct Chromium {
    connection: Connection,
    tabs: Arc<ChromiumTabs>,
    product: String,
    /// The context that it is; `None` is the whole browser.
    context: Option<String>,
}

/// How we got a browser.
pub(crate) enum ChromiumOrigin {
    Launched(OwnBrowser),
    /// It was running already: it and its tabs are the user's.
    Running,
    /// A driver started it for us.
    Driven,
}

/// Sets up the connection to a browser, which has `limit` to name its version.
pub(crate) async fn greet(
    incoming: impl Incoming,
    outgoing: impl Outgoing,
    origin: ChromiumOrigin,
    limit: Duration,
) -> Result<Connected> {
    let (sender, events) = mpsc::unbounded_channel();
    let (own, theirs) = match origin {
        ChromiumOrigin::Launched(own) => (Some(own), false),
        ChromiumOrigin::Running => (None, true),
        ChromiumOrigin::Driven => (None, false),
    };
    let tabs = Arc::new(ChromiumTabs::new(sender, own, theirs));
    let connection = Connection::open(incoming, outgoing, Box::new(ChromiumEvents(tabs.clone())));
    // From here on, whatever goes wrong, dropping the browser closes the connection.
    let mut browser =
        Chromium { connection: connection.clone(), tabs, product: String::new(), context: None };
    let version = connection.call(None, "Browser.getVersion", json!({}), limit).await?;
    let given = read_reply::<Version>("Browser.getVersion", &version)?.product;
    browser.product = product(&given);
    let number = given.split_once('/').map_or("", |(_, version)| version);
    let _ = browser.tabs.version.set(number.into());
    if let Some(own) = &browser.tabs.own {
        allow_downloads(&connection, own.downloads.clone(), None);
        deny_permissions(&connection, own, None);
    }
    let pages = json!([{"type": "page"}]);
    if theirs {
        // The user's tabs are only listed. Attaching would be visible to their pages, and a tab
        // that hangs would hold up the others. They are reported before the reply.
        let params = json!({"discover": true, "filter": pages});
        connection.call(None, "Target.setDiscoverTargets", params, CALL_LIMIT).await?;
        browser.tabs.arrived().await;
        return Ok(Connected { browser: Arc::new(browser), events });
    }
    let params = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": pages});
    connection.call(None, "Target.setAutoAttach", params, CALL_LIMIT).await?;
    if browser.tabs.own.is_none() {
        // The driver's tabs are reported before the caller asks for them.
        browser.tabs.arrived().await;
    }
    Ok(Connected { browser: Arc::new(browser), events })
}

/// Lets the pages of a context save files in a folder.
fn allow_downloads(connection: &Connection, folder: PathBuf, context: Option<&str>) {
    let mut params =
        json!({"behavior": "allowAndName", "downloadPath": folder, "eventsEnabled": true});
    in_context(&mut params, context);
    drop(connection.begin(None, "Browser.setDownloadBehavior", params));
}

/// Denies the permissions that pages ask for: nobody can answer the prompts. Without a window the
/// browser denies them on its own, and the page script can see that.
fn deny_permissions(connection: &Connection, own: &OwnBrowser, context: Option<&str>) {
    for name in PERMISSIONS.into_iter().filter(|_| own.headed) {
        let mut params = json!({"permission": {"name": name}, "setting": "denied"});
        in_context(&mut params, context);
        drop(connection.begin(None, "Browser.setPermission", params));
    }
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

#[async_trait]
impl Browser for Chromium {
    fn product(&self) -> &str {
        &self.product
    }

    fn is_alive(&self) -> bool {
        self.connection.is_open()
    }

    async fn open_tab(&self, viewport: Viewport) -> Result<OpenedTab> {
        self.tabs.open(&self.connection, self.context(), viewport).await
    }

    async fn create_context(&self) -> Result<Arc<dyn Browser>> {
        // The browser disposes of it when the connection ends.
        let params = json!({"disposeOnDetach": true});
        let method = "Target.createBrowserContext";
        let raw = self.connection.call(None, method, params, CALL_LIMIT).await?;
        let id = read_reply::<CreatedContext>(method, &raw)?.browser_context_id;
        if let Some(own) = &self.tabs.own {
            let folder = self.tabs.downloads.add_context(&id);
            allow_downloads(&self.connection, folder, Some(&id));
            deny_permissions(&self.connection, own, Some(&id));
        }
        Ok(Arc::new(Chromium {
            connection: self.connection.clone(),
            tabs: self.tabs.clone(),
            product: self.product.clone(),
            context: Some(id),
        }))
    }

    fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }

    async fn end_busiest_page_process(&self) -> Result<()> {
        // Not necessary: each tab can end its own process.
        Err(Engine::Chromium.lacks("ending the busiest process"))
    }

    async fn cookies(&self) -> Result<Vec<StoredCookie>> {
        cookies::all(&self.connection, self.context()).await
    }

    async fn set_cookie(&self, cookie: &StoredCookie) -> Result<()> {
        cookies::set(&self.connection, self.context(), cookie).await
    }

    async fn attach_tab(&self, id: &str) -> Result<OpenedTab> {
        self.tabs.attach(&self.connection, id).await
    }

    async fn release_tab(&self, tab: &dyn Tab) -> Result<()> {
        self.tabs.release(&self.connection, tab.id()).await
    }

    async fn close(&self) {
        if let Some(context) = &self.context {
            let params = json!({"browserContextId": context});
            let method = "Target.disposeBrowserContext";
            if let Err(error) = self.connection.call(None, method, params, CALL_LIMIT).await {
                tracing::warn!(%error, "while closing a context");
            }
            self.tabs.downloads.remove_context(context);
            return;
        }
        if let Some(own) = &self.tabs.own {
            // It may reply, or end without a reply, or neither; the guard ends it in any case.
            own.end_asked(async {
                let _ = self.connection.call(None, "Browser.close", json!({}), GOODBYE_LIMIT).await;
            })
            .await;
        }
        self.connection.shut();
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // A context ends when it is closed, or with the browser.
        if self.context.is_none() {
            self.connection.shut();
        }
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
