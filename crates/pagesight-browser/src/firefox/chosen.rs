//! Tabs of the user's browser: the caller chooses one, works in it, and gives it back.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::emulation;
use super::request_watch;
use super::tab::FirefoxTab;
use super::tabs::{ChosenTab, FirefoxTabs, UnclaimedTab};
use crate::api::emulation::Emulation;
use crate::api::events::TabEvent;
use crate::api::traits::OpenedTab;
use crate::bidi::protocol::ContextInfo;
use crate::bidi::script;
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Connection, Pending, read_reply};

/// How long a tab of the user may take to answer when it is chosen or given back.
const ATTACH_LIMIT: Duration = Duration::from_secs(3);

/// The top contexts of a browser.
#[derive(Deserialize)]
pub(super) struct Contexts {
    pub(super) contexts: Vec<ContextInfo>,
}

/// Returns the parameters that make Firefox keep the bodies of requests for the log.
pub(super) fn bodies(tab: Option<&str>) -> Value {
    let mut params = json!({"dataTypes": ["request", "response"], "maxEncodedDataSize": 1 << 20});
    if let Some(tab) = tab {
        params["contexts"] = json!([tab]);
    }
    params
}

/// Attaches to a tab that was not chosen before. If its page does not answer, it is left as it was.
pub(super) async fn choose(
    tabs: &Arc<FirefoxTabs>,
    connection: &Connection,
    id: &str,
) -> Result<OpenedTab> {
    let Some((tab, url)) = tabs.take_unchosen(id) else {
        return Err(BrowserError::TabClosed);
    };
    // Its document may be there already, and no event will report that.
    match script::ask(&tab.state, "document.readyState", ATTACH_LIMIT).await {
        Ok(ready) => {
            let chosen = ChosenTab {
                window: tab.window.clone(),
                user_context: tab.user_context.clone(),
                script: script::announce(connection, Some(id)),
                bodies: connection.begin(None, "network.addDataCollector", bodies(Some(id))),
            };
            tabs.keep_chosen(id, chosen);
            if tab.state.ignores_requests() {
                tab.state.report(TabEvent::RequestsUnwatched { per_second: None });
                request_watch::take_in(tabs, &tab.state).await;
            }
            match ready.as_str() {
                "complete" => tab.state.report(TabEvent::Loaded),
                "interactive" => tab.state.report(TabEvent::DomReady),
                _ => {}
            }
            Ok(FirefoxTab::opened(tabs, tab, url))
        }
        // The caller can answer it.
        Err(BrowserError::DialogOpen { .. }) => Ok(FirefoxTab::opened(tabs, tab, url)),
        Err(error) => {
            tabs.give_back(tab, url);
            Err(match error {
                BrowserError::TimedOut { .. } => BrowserError::TabSilent { limit: ATTACH_LIMIT },
                other => other,
            })
        }
    }
}

/// Gives a tab back to the user: undoes what was set up in it, and reports it as found.
pub(super) async fn release(
    tabs: &Arc<FirefoxTabs>,
    connection: &Connection,
    id: &str,
) -> Result<()> {
    let state = tabs.top(id).ok_or(BrowserError::TabClosed)?;
    emulation::change(tabs, &state, &Emulation::default()).await?;
    // A pop-up of a chosen tab was not chosen itself; nothing was set up in it.
    let (window, user_context) = match tabs.take_chosen(id) {
        Some(chosen) => {
            remove(connection, chosen.script, "script", "script.removePreloadScript").await;
            remove(connection, chosen.bodies, "collector", "network.removeDataCollector").await;
            (chosen.window, chosen.user_context)
        }
        None => (None, None),
    };
    let method = "browsingContext.getTree";
    let params = json!({"root": id, "maxDepth": 0});
    let raw = connection.call(None, method, params, ATTACH_LIMIT).await?;
    let Contexts { contexts } = read_reply(method, &raw)?;
    let shown = contexts.into_iter().next().ok_or(BrowserError::TabClosed)?;
    let events = state.new_events();
    tabs.find(UnclaimedTab { state, window, user_context, events }, shown.url);
    Ok(())
}

/// Removes what a command added. `key` names the id in its reply.
async fn remove(connection: &Connection, added: Pending, key: &'static str, method: &'static str) {
    let Ok(reply) = added.wait(ATTACH_LIMIT).await else { return };
    let reply: Value = serde_json::from_str(reply.get()).unwrap_or_default();
    if let Some(id) = reply[key].as_str() {
        drop(connection.begin(None, method, json!({ key: id })));
    }
}
