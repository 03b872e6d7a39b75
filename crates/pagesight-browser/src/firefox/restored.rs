//! Documents restored from the back/forward cache. Firefox shows them without any event: no
//! request, no commit, no load. So a document that appears without a request is asked whether it
//! finished loading long ago; if it did, it counts as restored.

use std::sync::Arc;
use std::time::Duration;

use crate::api::traits::CALL_LIMIT;
use crate::bidi::script;
use crate::bidi::state::BidiTabState;

/// How long a document that needs no request may take to be committed before it is asked.
const COMMIT_LIMIT: Duration = Duration::from_millis(500);

/// Checks for a restored document after the top document was replaced without a request.
pub(super) fn document_replaced(state: &Arc<BidiTabState>) {
    let navigation = state.traffic().without_request().map(str::to_owned);
    if let (Some(navigation), true) = (navigation, state.status.borrow().frames.between) {
        let state = state.clone();
        tokio::spawn(async move { check(&state, &navigation).await });
    }
}

/// Checks for a restored document for a while after a navigation began. The realm events of the
/// document may have come before it, and a busy browser takes its time, so the tab is asked more
/// than once. Its address proves nothing: the one in the history may have been redirected.
pub(super) fn navigation_began(state: &Arc<BidiTabState>, navigation: String) {
    let state = state.clone();
    tokio::spawn(async move {
        for pause in [1, 1, 2, 4, 8] {
            tokio::time::sleep(COMMIT_LIMIT * pause).await;
            if state.traffic().without_request() != Some(&navigation) {
                return;
            }
            let between = state.status.borrow().frames.between;
            if between {
                check(&state, &navigation).await;
            }
        }
    });
}

/// Asks the top document whether it has finished loading, and reports it as restored if so.
async fn check(state: &BidiTabState, navigation: &str) {
    let question = "JSON.stringify([location.href, document.readyState])";
    let Ok(answer) = script::ask(state, question, CALL_LIMIT).await else { return };
    let Ok((url, ready)) = serde_json::from_str::<(String, String)>(&answer) else { return };
    if ready != "complete" {
        return;
    }
    if url.starts_with("about:") {
        // It may be the empty document before the next one.
        let mut status = state.status.subscribe();
        let committed = status.wait_for(|status| !status.frames.between);
        let _ = tokio::time::timeout(COMMIT_LIMIT, committed).await;
    }
    state.restored(navigation, url);
}
