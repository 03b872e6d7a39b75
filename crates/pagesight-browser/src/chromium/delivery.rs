//! Sends events of input, and waits until the browser has handled them.

use std::time::Duration;

use serde_json::{Value, json};

use super::script::is_lost;
use super::state::ChromiumTabState;
use crate::api::traits::CALL_LIMIT;
use crate::error::{BrowserError, Result};
use crate::wire::connection::Pending;

/// How long a page may take to answer after the browser has acknowledged the input.
const FENCE_LIMIT: Duration = Duration::from_millis(250);

/// Waits until the browser has handled all events.
pub(super) async fn finish(state: &ChromiumTabState, sent: Vec<Pending>) -> Result<()> {
    let answered = state.unless_blocked(true, async {
        for pending in sent {
            pending.wait(CALL_LIMIT).await?;
        }
        Ok(())
    });
    let answered = answered.await;
    if answered.is_ok() {
        fence(state).await;
    }
    arrived(answered)
}

/// Turns errors that are an effect of the input into success.
pub(super) fn arrived(answered: Result<()>) -> Result<()> {
    match answered {
        // The input arrived and had this effect, which events report.
        Err(BrowserError::DialogOpen { .. } | BrowserError::TabClosed) => Ok(()),
        Err(BrowserError::Refused { message, .. }) if is_lost(&message) => Ok(()),
        Err(BrowserError::TimedOut { limit, .. }) => {
            Err(BrowserError::TimedOut { what: "input".to_owned(), limit })
        }
        other => other,
    }
}

/// Sends an event and waits until it was handled.
pub(super) async fn handled(
    state: &ChromiumTabState,
    method: &'static str,
    event: Value,
) -> Result<()> {
    let pending = state.begin(method, event);
    state.unless_blocked(true, pending.wait(CALL_LIMIT)).await.map(drop)
}

/// Waits for an answer of the page. The browser acknowledges input on a different channel than the
/// page's events. An answer of the page comes on the same channel as the events: after it,
/// immediate effects of the input (a requested navigation, a dialog) are known.
async fn fence(state: &ChromiumTabState) {
    fence_in(state, state.session()).await;
}

/// Waits for an answer of one of the page's processes.
pub(super) async fn fence_in(state: &ChromiumTabState, session: &str) {
    let pending = state.begin_in(session, "Runtime.evaluate", json!({"expression": "0"}));
    // A page that is gone or busy does not answer; then there is nothing to wait for.
    let _ = state.unless_blocked(true, pending.wait(FENCE_LIMIT)).await;
}
