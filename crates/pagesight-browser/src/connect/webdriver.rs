//! A W3C WebDriver endpoint: geckodriver, chromedriver, Selenium Grid. It starts a browser for us,
//! maybe on a different machine, and names its socket: BiDi for Firefox, the DevTools protocol for
//! Chromium. When the session is closed, it ends the browser.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use hyper::Method;
use serde_json::{Value, json};

use super::address::EndpointAddress;
use super::http::ask;
use crate::api::cookies::StoredCookie;
use crate::api::traits::{Browser, Connected, OpenedTab, Tab, Viewport};
use crate::error::{Result, short};
use crate::options::{Engine, LaunchOptions};
use crate::{chromium, firefox};

/// How long a driver may take to end its browser before we stop waiting.
const END_LIMIT: Duration = Duration::from_secs(5);

/// A session that a driver opened for us.
pub(super) struct DriverSession {
    authority: String,
    /// `/session/ID`, below the path of the driver's address.
    path: String,
    /// The address of the browser's socket.
    pub(super) socket: EndpointAddress,
    /// The capabilities of the session.
    pub(super) capabilities: Value,
}

/// Returns whether there is a driver at an address.
pub(super) async fn is_there(address: &EndpointAddress) -> std::result::Result<bool, String> {
    let answer =
        ask(Method::GET, &address.authority, &format!("{}/status", address.path), None).await?;
    Ok(answer.json()["value"]["ready"].is_boolean())
}

/// Requests a browser from a driver; the error is a reason.
pub(super) async fn start(
    address: &EndpointAddress,
    options: &LaunchOptions,
) -> std::result::Result<DriverSession, String> {
    // For Firefox a plain string does not cover the `beforeunload` dialog, which would be accepted.
    let always = match options.engine {
        Engine::Firefox => json!({"unhandledPromptBehavior": {"default": "ignore"}}),
        Engine::Chromium => json!({"unhandledPromptBehavior": "ignore"}),
    };
    let wanted = match options.engine {
        Engine::Firefox => firefox::launch::wanted(options),
        Engine::Chromium => chromium::launch::wanted(options, address.is_local()),
    };
    let body = json!({"capabilities": {"alwaysMatch": always, "firstMatch": wanted}});
    let path = format!("{}/session", address.path);
    let answer = ask(Method::POST, &address.authority, &path, Some(&body)).await?;
    let value = answer.json()["value"].take();
    let Some(id) =
        value["sessionId"].as_str().filter(|id| id.chars().all(|c| c.is_ascii_graphic()))
    else {
        let said = value["message"].as_str().unwrap_or_default();
        let said: String = said.lines().next().unwrap_or_default().chars().take(300).collect();
        let what =
            format!("the driver did not start {} (HTTP {})", options.engine.name(), answer.status);
        return Err(if said.is_empty() { what } else { format!("{what}: {said}") });
    };
    let mut session = DriverSession {
        authority: address.authority.clone(),
        path: format!("{path}/{id}"),
        socket: address.clone(),
        capabilities: value["capabilities"].clone(),
    };
    match socket(options.engine, &session.capabilities) {
        Ok(socket) => {
            session.socket = socket.seen_from(answer.place);
            Ok(session)
        }
        Err(reason) => {
            session.end().await;
            Err(reason)
        }
    }
}

/// Returns the address of the socket that a driver names.
fn socket(engine: Engine, capabilities: &Value) -> std::result::Result<EndpointAddress, String> {
    let named = match engine {
        Engine::Firefox => capabilities["webSocketUrl"].as_str().map(str::to_owned),
        Engine::Chromium => {
            let debugger = ["goog:chromeOptions", "ms:edgeOptions"]
                .iter()
                .find_map(|options| capabilities[*options]["debuggerAddress"].as_str());
            // Selenium Grid forwards the protocol; other drivers name the browser's own port.
            let through = capabilities["se:cdp"].as_str().map(str::to_owned);
            through.or(debugger.map(|debugger| format!("http://{debugger}")))
        }
    };
    let named = named
        .ok_or_else(|| format!("the driver did not name the socket of its {}", engine.name()))?;
    EndpointAddress::parse(&named)
        .map_err(|reason| format!("the driver named the socket {}: {reason}", short(&named)))
}

impl DriverSession {
    /// Ends the session and its browser.
    pub(super) async fn end(&self) {
        let ending = ask(Method::DELETE, &self.authority, &self.path, None);
        match tokio::time::timeout(END_LIMIT, ending).await {
            Ok(Ok(answer)) if answer.status < 400 => {}
            _ => tracing::warn!("the driver did not end its browser in time"),
        }
    }
}

/// A browser that a driver started. It ends with its session.
pub(super) struct DrivenBrowser {
    browser: Arc<dyn Browser>,
    session: Option<DriverSession>,
    ended: tokio::sync::OnceCell<()>,
}

impl DrivenBrowser {
    /// Wraps a browser so that it ends with its session. The tab that the driver opened is not
    /// reported: it does not have the requested size, and would count as the user's. It stays open,
    /// so that the browser does not end with our last tab.
    pub(super) fn wrap(mut connected: Connected, session: DriverSession) -> Connected {
        while connected.events.try_recv().is_ok() {}
        let ended = tokio::sync::OnceCell::new();
        let browser = DrivenBrowser { browser: connected.browser, session: Some(session), ended };
        Connected { browser: Arc::new(browser), events: connected.events }
    }
}

#[async_trait]
impl Browser for DrivenBrowser {
    fn product(&self) -> &str {
        self.browser.product()
    }

    fn is_alive(&self) -> bool {
        self.browser.is_alive()
    }

    async fn open_tab(&self, viewport: Viewport) -> Result<OpenedTab> {
        self.browser.open_tab(viewport).await
    }

    async fn create_context(&self) -> Result<Arc<dyn Browser>> {
        self.browser.create_context().await
    }

    async fn end_busiest_page_process(&self) -> Result<()> {
        self.browser.end_busiest_page_process().await
    }

    async fn cookies(&self) -> Result<Vec<StoredCookie>> {
        self.browser.cookies().await
    }

    async fn set_cookie(&self, cookie: &StoredCookie) -> Result<()> {
        self.browser.set_cookie(cookie).await
    }

    async fn release_tab(&self, tab: &dyn Tab) -> Result<()> {
        self.browser.release_tab(tab).await
    }

    async fn attach_tab(&self, id: &str) -> Result<OpenedTab> {
        self.browser.attach_tab(id).await
    }

    async fn close(&self) {
        self.browser.close().await;
        let end = async {
            if let Some(session) = &self.session {
                session.end().await;
            }
        };
        self.ended.get_or_init(|| end).await;
    }
}

impl Drop for DrivenBrowser {
    fn drop(&mut self) {
        let session = self.session.take().filter(|_| !self.ended.initialized());
        if let (Some(session), Ok(runtime)) = (session, tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move { session.end().await });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets() {
        let named = |engine, capabilities: Value| {
            socket(engine, &capabilities).map(|socket| socket.authority + &socket.path)
        };
        let firefox = json!({"webSocketUrl": "ws://127.0.0.1:9/session/a"});
        assert_eq!(named(Engine::Firefox, firefox), Ok("127.0.0.1:9/session/a".to_owned()));
        let grid = json!({"se:cdp": "ws://grid:4444/session/a/se/cdp", "goog:chromeOptions": {"debuggerAddress": "localhost:1"}});
        assert_eq!(named(Engine::Chromium, grid), Ok("grid:4444/session/a/se/cdp".to_owned()));
        let chrome = json!({"goog:chromeOptions": {"debuggerAddress": "localhost:1"}});
        assert_eq!(named(Engine::Chromium, chrome), Ok("localhost:1".to_owned()));
        assert!(named(Engine::Firefox, json!({"webSocketUrl": true})).is_err());
        let secure = json!({"webSocketUrl": "wss://me:word@grid/session/a?token=word"});
        let error = named(Engine::Firefox, secure).unwrap_err();
        assert!(
            error.starts_with("the driver named the socket wss://grid/session/a…: "),
            "{error}"
        );
    }
}
