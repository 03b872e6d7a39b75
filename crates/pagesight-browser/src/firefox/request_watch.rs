//! Chooses the tabs whose requests Firefox reports. It reports those of all tabs, until one sends
//! so many that reporting them keeps the browser itself busy: then it would neither open a tab nor
//! leave the page. That tab is left out until its page is left.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinHandle;

use super::subscription::{RequestSubscription, events_of};
use super::tabs::FirefoxTabs;
use crate::api::traits::CALL_LIMIT;
use crate::bidi::protocol::Subscribed;
use crate::bidi::state::BidiTabState;
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Connection, read_reply};

/// How long a navigation waits until requests are reported again.
const AGAIN_LIMIT: Duration = Duration::from_secs(1);
/// How long requests that began before count as pending; as long as others that do not end. A page
/// that still sends too many is recognised earlier.
const PENDING_LIMIT: Duration = Duration::from_secs(6);
/// How often a subscription is changed in a row, because tabs come and go meanwhile.
const MOST_TRIES: usize = 8;

/// Replaces the subscription by one for the tabs that are to be watched.
async fn fit(tabs: &FirefoxTabs, connection: &Connection) -> Result<()> {
    let mut current = tabs.watch.current.lock().await;
    let mut last = Ok(());
    for _ in 0..MOST_TRIES {
        let ids = tabs.all().into_iter().map(|tab| tab.id.clone());
        let wanted = tabs.watch.wanted(ids);
        if current.tabs == wanted {
            return Ok(());
        }
        let id = if wanted.as_ref().is_some_and(BTreeSet::is_empty) {
            None
        } else {
            match subscribe(connection, wanted.as_ref()).await {
                Ok(id) => id,
                // A tab may be gone.
                Err(error @ BrowserError::Refused { .. }) => {
                    last = Err(error);
                    continue;
                }
                Err(error) => return Err(error),
            }
        };
        let old = std::mem::replace(&mut *current, RequestSubscription { id, tabs: wanted });
        // No event is lost: the new one is there already. No event comes twice.
        if let Some(id) = old.id {
            let ended = json!({"subscriptions": [id]});
            connection.call(None, "session.unsubscribe", ended, CALL_LIMIT).await?;
        }
    }
    last
}

async fn subscribe(
    connection: &Connection,
    tabs: Option<&BTreeSet<String>>,
) -> Result<Option<String>> {
    let method = "session.subscribe";
    let raw = connection.call(None, method, events_of(tabs), CALL_LIMIT).await?;
    Ok(read_reply::<Subscribed>(method, &raw)?.subscription)
}

/// Leaves out a tab. `per_second`: how many requests it sends, if it is the reason. Returns whether
/// that is possible.
pub(super) fn leave_out(
    tabs: &Arc<FirefoxTabs>,
    tab: &Arc<BidiTabState>,
    per_second: Option<u32>,
) -> bool {
    if !tabs.watch.can_leave_out() || !tabs.watch.leave_out(&tab.id) {
        return false;
    }
    tracing::warn!(tab = %tab.id, ?per_second, "the requests of a tab are not watched any more");
    tab.ignore_requests(per_second);
    drop(refit(tabs, &tab.connection));
    true
}

/// Forgets a tab that is gone.
pub(super) fn removed(tabs: &Arc<FirefoxTabs>, connection: &Connection, id: &str) {
    if tabs.watch.take_in(id) {
        drop(refit(tabs, connection));
    }
}

fn refit(tabs: &Arc<FirefoxTabs>, connection: &Connection) -> JoinHandle<()> {
    let (tabs, connection) = (tabs.clone(), connection.clone());
    tokio::spawn(async move {
        if let Err(error) = fit(&tabs, &connection).await {
            tracing::warn!(%error, "while choosing the tabs whose requests are watched");
        }
    })
}

/// Watches the requests of new tabs, too. Returns when they are reported, or after a second.
pub(super) async fn include(tabs: &Arc<FirefoxTabs>, connection: &Connection) {
    let _ = tokio::time::timeout(AGAIN_LIMIT, refit(tabs, connection)).await;
}

/// Watches the requests of a tab that was left out again, because its page is being left. Returns
/// when they are reported, or after a second.
pub(super) async fn take_in(tabs: &Arc<FirefoxTabs>, tab: &Arc<BidiTabState>) {
    if !tabs.watch.take_in(&tab.id) {
        return;
    }
    let (tabs, tab) = (tabs.clone(), tab.clone());
    // Nothing that ends the caller must leave it half done.
    let again = tokio::spawn(async move {
        if let Err(error) = fit(&tabs, &tab.connection).await {
            tracing::warn!(%error, "while watching the requests of a tab again");
            // The events that may come are ignored until the next try.
            if !tab.status.borrow().closed {
                tabs.watch.leave_out(&tab.id);
            }
            return;
        }
        let moment = tab.reports_requests();
        tokio::spawn(async move {
            tokio::time::sleep(PENDING_LIMIT).await;
            tab.older_requests_ended(moment);
        });
    });
    let _ = tokio::time::timeout(AGAIN_LIMIT, again).await;
}
