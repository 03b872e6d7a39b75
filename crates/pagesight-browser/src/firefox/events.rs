//! Passes the events of a Firefox on to the tabs they belong to, and hands new tabs to their
//! owners.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;

use super::emulation::begin_inherited;
use super::tab::FirefoxTab;
use super::tabs::{FirefoxTabs, UnclaimedTab};
use super::{downloads, login, request_watch, restored};
use crate::api::events::{Download, DownloadState, TabEvent};
use crate::bidi::protocol::{self as p, ContextInfo, RealmInfo};
use crate::bidi::state::BidiTabState;
use crate::downloads::renamed;
use crate::wire::connection::{Connection, Handler, ProtocolEvent};

/// How long a document that was received from a `data:` URL may take to be shown.
const DATA_LIMIT: Duration = Duration::from_millis(500);

/// Passes the events of a connection on to the tabs.
pub(super) struct FirefoxEvents(pub(super) Arc<FirefoxTabs>);

impl Handler for FirefoxEvents {
    fn event(&self, connection: &Connection, event: &ProtocolEvent<'_>) {
        let tabs = &self.0;
        match event.method {
            "browsingContext.contextCreated" => {
                event.with_params(|created| attach(tabs, connection, created));
            }
            "browsingContext.contextDestroyed" => {
                event.with_params(|gone: ContextInfo| {
                    tabs.remove(&gone.context);
                    request_watch::removed(tabs, connection, &gone.context);
                });
            }
            "script.realmDestroyed" => event.with_params(|gone: RealmInfo| {
                // The event names only the realm.
                for tab in tabs.all() {
                    if tab.realm_destroyed(&gone.realm) {
                        restored::document_replaced(&tab);
                    }
                }
            }),
            "script.realmCreated" => event.with_params(|created: RealmInfo| {
                let tab = created.context.as_deref().and_then(|context| tabs.of_frame(context));
                if let Some(tab) = tab
                    && tab.realm_created(created)
                {
                    restored::document_replaced(&tab);
                }
            }),
            "log.entryAdded" => event.with_params(|entry: p::LogAdded| {
                let context = entry.source.context.as_deref();
                let tab = context.and_then(|context| tabs.of_frame(context));
                // The log of a user's tab begins when it is chosen.
                if let Some(tab) = tab.filter(|tab| !tabs.is_unchosen(&tab.id)) {
                    tab.logged(entry);
                }
            }),
            "browsingContext.userPromptOpened" => event.with_params(|prompt: p::PromptOpened| {
                if let Some(tab) = tabs.of_frame(&prompt.context) {
                    tab.prompt_opened(prompt);
                }
            }),
            "browsingContext.userPromptClosed" => event.with_params(|gone: ContextInfo| {
                if let Some(tab) = tabs.of_frame(&gone.context) {
                    tab.dialog_closed();
                }
            }),
            "browsingContext.downloadWillBegin" => {
                event.with_params(|moves| navigation(tabs, event.method, moves));
                event.with_params(|begun| download(tabs, begun));
            }
            "browsingContext.downloadEnd" => event.with_params(|ended| download(tabs, ended)),
            method if method.starts_with("browsingContext.") => {
                event.with_params(|moves| navigation(tabs, method, moves));
            }
            "network.authRequired" => event.with_params(|asked: p::AuthRequired| {
                let params = login::answer(&tabs.logins, tabs.own.as_ref(), &asked);
                drop(connection.begin(None, "network.continueWithAuth", params));
            }),
            method if method.starts_with("network.") => {
                event.with_params(|sent: p::Exchange| {
                    if sent.is_blocked && method == "network.beforeRequestSent" {
                        drop(connection.begin(None, "network.provideResponse", empty(&sent)));
                    }
                    exchange(tabs, method, sent);
                });
            }
            _ => {}
        }
    }

    fn disconnected(&self) {
        self.0.disconnected();
    }
}

/// Returns an empty document as the answer to a request.
fn empty(asked: &p::Exchange) -> serde_json::Value {
    let html = json!({"type": "string", "value": "text/html"});
    json!({
        "request": asked.request.id, "statusCode": 200, "reasonPhrase": "OK",
        "headers": [{"name": "Content-Type", "value": html}],
        "body": {"type": "string", "value": "<!doctype html>"},
    })
}

/// Passes on an event about a navigation of a top frame.
fn navigation(tabs: &Arc<FirefoxTabs>, method: &str, moves: p::NavigationInfo) {
    let Some(tab) = tabs.top(&moves.context) else { return };
    let arrives = method != "browsingContext.navigationStarted" && !moves.url.is_empty();
    if arrives && tabs.is_unchosen(&tab.id) {
        tabs.moved(&tab.id, &moves.url);
    }
    match method {
        "browsingContext.navigationStarted" => {
            if let Some(navigation) = tab.navigation_started(moves) {
                restored::navigation_began(&tab, navigation);
            }
            watch_again(tabs, &tab);
        }
        "browsingContext.navigationCommitted" => {
            tab.committed(moves);
            watch_again(tabs, &tab);
        }
        "browsingContext.fragmentNavigated" | "browsingContext.historyUpdated" => tab.within(moves),
        "browsingContext.navigationFailed"
        | "browsingContext.navigationAborted"
        | "browsingContext.downloadWillBegin" => tab.navigation_aborted(&moves),
        "browsingContext.domContentLoaded" => tab.report(TabEvent::DomReady),
        "browsingContext.load" => tab.loaded(),
        _ => {}
    }
}

/// Watches the requests of a tab again, if they are not and its page is being left.
fn watch_again(tabs: &Arc<FirefoxTabs>, tab: &Arc<BidiTabState>) {
    if tab.ignores_requests() {
        let (tabs, tab) = (tabs.clone(), tab.clone());
        tokio::spawn(async move { request_watch::take_in(&tabs, &tab).await });
    }
}

/// Passes on an event about a request or its response.
fn exchange(tabs: &Arc<FirefoxTabs>, method: &str, exchange: p::Exchange) {
    let context = exchange.context.as_deref();
    let Some(tab) = context.and_then(|context| tabs.of_frame(context)) else { return };
    if tab.ignores_requests() {
        return;
    }
    if method == "network.beforeRequestSent"
        && let Some(per_second) = tab.counts_as_flood(&exchange)
        && request_watch::leave_out(tabs, &tab, Some(per_second))
    {
        return;
    }
    if tabs.is_unchosen(&tab.id) {
        // It may have sent requests before it was chosen; their ends change nothing.
        return;
    }
    match method {
        "network.beforeRequestSent" => tab.request(exchange),
        "network.responseStarted" => tab.answered(exchange),
        "network.responseCompleted" => {
            if let Some(navigation) = tab.navigates_to_data(&exchange) {
                tokio::spawn(refuse(tab.clone(), navigation));
            }
            tab.completed(exchange)
        }
        "network.fetchError" => tab.fetch_failed(exchange),
        _ => {}
    }
}

/// Ends a navigation to a `data:` URL that was received and is not shown: Firefox does not let
/// pages navigate there, and does not report that it refused.
async fn refuse(tab: Arc<BidiTabState>, navigation: String) {
    tokio::time::sleep(DATA_LIMIT).await;
    tab.navigation_refused(&navigation);
}

/// Reports a download that began or ended.
fn download(tabs: &Arc<FirefoxTabs>, info: p::DownloadInfo) {
    // The navigation id alone is not unique: a file that a script saves has the navigation id of
    // the previous download.
    let id = info
        .download
        .unwrap_or_else(|| format!("{} {}", info.navigation.unwrap_or_default(), info.url));
    let limited = tabs.own.is_some();
    if limited && info.status.is_none() {
        downloads::begun(tabs);
    }
    let path = info.filepath.map(PathBuf::from);
    let last = path.as_ref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy());
    let name = info.suggested_filename.or(last.map(|name| name.into_owned())).unwrap_or_default();
    let state = match info.status.as_deref() {
        None => DownloadState::Running { received: 0, total: None },
        Some("complete") => {
            let file = path.as_ref().and_then(|path| std::fs::metadata(path).ok());
            let size = file.as_ref().map(|file| file.len());
            let emptied = path.as_ref().zip(file.as_ref());
            let emptied = emptied.and_then(|(path, file)| tabs.emptied.limit_of(path, file));
            let exceeded =
                limited.then(|| tabs.budget.saved(&id, size.unwrap_or_default())).flatten();
            match emptied.or(exceeded) {
                Some(limit) => {
                    let _ = path.map(std::fs::remove_file);
                    DownloadState::TooLarge(limit)
                }
                None => {
                    let names = tabs.own.as_ref().map(|own| &own.download_names);
                    let path = match (path, names) {
                        (Some(path), Some(names)) => Some(renamed(path, names)),
                        (path, _) => path,
                    };
                    DownloadState::Done { size, path }
                }
            }
        }
        Some(_) => DownloadState::Stopped,
    };
    let Some(tab) = tabs.of_frame(&info.context) else { return };
    tab.report(TabEvent::Download(Download { id, name, state }));
}

/// Records a frame or a tab that appeared.
pub(super) fn attach(tabs: &Arc<FirefoxTabs>, connection: &Connection, created: ContextInfo) {
    if let Some(parent) = created.parent {
        return tabs.add_frame(created.context, parent);
    }
    // A tab that is known was found before its page answered.
    let Some(tab) = tabs.add(connection, &created) else { return };
    if tabs.started.load(Ordering::SeqCst) {
        tokio::spawn(hand_over(tabs.clone(), tab, created.original_opener, created.url));
    } else if tabs.own.is_some() {
        tabs.keep(tab);
    } else {
        // A tab that was open already. Report it at once, before later events.
        if tabs.theirs {
            tabs.find(tab, created.url);
        } else {
            tabs.report(FirefoxTab::opened(tabs, tab, created.url), created.original_opener);
        }
    }
}

/// Hands a new tab to the call that opened it, or reports it as a pop-up.
async fn hand_over(tabs: Arc<FirefoxTabs>, tab: UnclaimedTab, opener: Option<String>, url: String) {
    let known = tabs.opening.lock().await;
    let awaited = tabs.awaited(&tab.state.id);
    drop(known);
    if tabs.watch.is_partial() {
        watch_new(&tabs, &tab.state, awaited.is_some()).await;
    }
    match awaited {
        Some(awaited) => drop(awaited.send(tab)),
        // Only pop-ups of tabs that we use are used.
        None if tabs.theirs && !opener.as_ref().is_some_and(|opener| tabs.is_used(opener)) => {
            tabs.find(tab, url);
        }
        None => {
            if let Some(opener) = opener.as_ref().and_then(|opener| tabs.top(opener)) {
                begin_inherited(&tab.state, &opener).into_iter().for_each(drop);
            }
            tabs.report(FirefoxTab::opened(&tabs, tab, url), opener);
        }
    }
}

/// Watches the requests of a new tab, while those of a different tab are not watched. What a pop-up
/// has requested until then is not known, so it is left out.
async fn watch_new(tabs: &Arc<FirefoxTabs>, tab: &Arc<BidiTabState>, is_ours: bool) {
    if !is_ours {
        request_watch::leave_out(tabs, tab, None);
        return;
    }
    request_watch::include(tabs, &tab.connection).await;
}
