//! The parts of a page that the page script cannot see. Closed shadow roots: the protocol describes
//! the root of an element in any mode, so the page script names elements that may have one and gets
//! the closed roots, in every frame. Listeners added by script: Firefox does not expose them, so
//! hooks in the page's own realm note them; without hooks, the page script looks for marks that
//! common libraries leave on elements.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::api::traits::HiddenParts;
use crate::bidi::protocol::Evaluated;
use crate::bidi::script;
use crate::bidi::state::BidiTabState;
use crate::engine::page_script::{IS_INSTALLED, WORLD};
use crate::error::{BrowserError, Result};
use crate::wire::connection::read_reply;

/// How deep nested closed roots are followed in one call.
const DEEPEST: usize = 8;
/// How long a frame may take to answer.
const FRAME_PATIENCE: Duration = Duration::from_millis(500);

/// A node as the protocol describes it, with the fields that we use.
#[derive(Deserialize)]
struct NodeValue {
    value: Option<NodeProperties>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeProperties {
    shadow_root: Option<ShadowRootValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShadowRootValue {
    shared_id: Option<String>,
    value: Option<ShadowRootProperties>,
}

#[derive(Deserialize)]
struct ShadowRootProperties {
    mode: Option<String>,
}

impl NodeValue {
    /// The id of its closed root, if it has one.
    fn closed_root(&self) -> Option<&String> {
        let root = self.value.as_ref()?.shadow_root.as_ref()?;
        let mode = root.value.as_ref()?.mode.as_deref();
        root.shared_id.as_ref().filter(|_| mode == Some("closed"))
    }
}

/// Passes to the page scripts of all frames the closed roots that they do not know, and makes them
/// look for marks of listeners.
pub(super) async fn find(state: &BidiTabState, limit: Duration) -> Result<HiddenParts> {
    state.ready(true)?;
    let deadline = Instant::now() + limit;
    let mut contexts: Vec<String> =
        state.status.borrow().frames.realms.iter().map(|(_, context)| context.clone()).collect();
    contexts.sort_unstable();
    contexts.dedup();
    let frames = contexts.into_iter().map(|context| {
        let patience = if context == state.id { limit } else { FRAME_PATIENCE };
        async move { (context == state.id, enter(state, &context, deadline, patience).await) }
    });
    let (mut news, mut listeners) = (false, true);
    for (top, outcome) in futures_util::future::join_all(frames).await {
        match outcome {
            Ok(entered) => {
                news |= entered.news;
                listeners &= entered.all_listeners;
            }
            Err(
                error @ (BrowserError::TabClosed
                | BrowserError::TabCrashed
                | BrowserError::Disconnected
                | BrowserError::DialogOpen { .. }),
            ) if top => return Err(error),
            // The page can be captured all the same; the next capture tries again.
            Err(error) => {
                tracing::debug!(%error, "the search for closed roots failed");
                news = true;
                listeners = false;
            }
        }
    }
    Ok(HiddenParts { listeners, roots_left_out: 0, news })
}

/// The result of a search in one frame.
struct Entered {
    /// Whether its script got to know something new.
    news: bool,
    /// Whether all listeners are known, and not only those that leave marks.
    all_listeners: bool,
}

/// The answer of the page script's search for listeners.
#[derive(Deserialize)]
struct ListenerSearch {
    changed: bool,
    all: bool,
}

/// Enters the closed roots of one frame, and those in them, and looks for listeners.
async fn enter(
    state: &BidiTabState,
    context: &str,
    deadline: Instant,
    patience: Duration,
) -> Result<Entered> {
    if let Some(document) = state.document_in(context) {
        script::install(state, &document, deadline, patience).await?;
    }
    let until = deadline.min(Instant::now() + patience);
    let target = json!({"context": context, "sandbox": WORLD});
    let marks = json!({
        "expression": format!("{IS_INSTALLED} ? pagesight.learnMarks() : ''"),
        "target": target,
        "awaitPromise": true,
    });
    // In parallel: most documents have no closed root, and one round trip is enough for both.
    let (entered, marked) = tokio::join!(
        enter_roots(state, &target, until),
        ask(state, "script.evaluate", marks.clone(), until)
    );
    let mut marked = marked?;
    let entered = entered?;
    if entered {
        marked = ask(state, "script.evaluate", marks, until).await?;
    }
    let answer = marked.result.and_then(|answer| answer.text());
    // Without the script it is the document that a frame begins with.
    let search = answer.and_then(|answer| serde_json::from_str(&answer).ok());
    let ListenerSearch { changed, all } =
        search.unwrap_or(ListenerSearch { changed: false, all: true });
    Ok(Entered { news: entered || changed, all_listeners: all })
}

/// Passes the closed roots of a frame to its script; returns whether there were unknown ones.
async fn enter_roots(state: &BidiTabState, target: &Value, until: Instant) -> Result<bool> {
    for round in 0..DEEPEST {
        let hosts = json!({
            // Without the script it is the document that a frame begins with, nearly always empty.
            "expression": format!("{IS_INSTALLED} ? pagesight.possibleHosts() : []"),
            "target": target,
            "awaitPromise": false,
            "serializationOptions": {"maxObjectDepth": 1, "maxDomDepth": 0, "includeShadowTree": "all"},
        });
        let answer = ask(state, "script.evaluate", hosts, until).await?;
        let roots = closed_roots(&answer);
        if roots.is_empty() {
            return Ok(round > 0);
        }
        let handed = json!({
            "functionDeclaration": "(...roots) => pagesight.learnRoots(...roots)",
            "target": target,
            "awaitPromise": false,
            "arguments": roots.into_iter().map(|id| json!({"sharedId": id})).collect::<Vec<Value>>(),
        });
        ask(state, "script.callFunction", handed, until).await?;
    }
    Ok(true)
}

/// Returns whether no element of the top document and its open roots has a closed root. False if
/// there are too many elements to check.
pub(super) async fn lacks_closed_roots(state: &BidiTabState, limit: Duration) -> Result<bool> {
    state.ready(true)?;
    let hosts = json!({
        "expression": format!("{IS_INSTALLED} ? pagesight.everyHost() : null"),
        "target": {"context": state.id, "sandbox": WORLD},
        "awaitPromise": false,
        "serializationOptions": {"maxObjectDepth": 1, "maxDomDepth": 0, "includeShadowTree": "all"},
    });
    let answer = ask(state, "script.evaluate", hosts, Instant::now() + limit).await?;
    // Every HTML document has a body, so an empty list was not read.
    let hosts: Vec<NodeValue> =
        answer.result.as_ref().map(|result| result.items()).unwrap_or_default();
    let closed = hosts.iter().any(|host| host.closed_root().is_some());
    Ok(!hosts.is_empty() && !closed)
}

/// Sends a script command and reads its reply, or the exception in it.
async fn ask(
    state: &BidiTabState,
    method: &'static str,
    params: Value,
    until: Instant,
) -> Result<Evaluated> {
    let pending = state.begin(method, params);
    let left = until.saturating_duration_since(Instant::now());
    let evaluated: Evaluated =
        read_reply(method, &state.unless_blocked(true, pending.wait(left)).await?)?;
    match evaluated.exception_details {
        Some(thrown) => Err(BrowserError::Script(thrown.text)),
        None => Ok(evaluated),
    }
}

/// Returns the ids of the closed roots in a list of nodes.
fn closed_roots(answer: &Evaluated) -> Vec<String> {
    let nodes: Vec<NodeValue> =
        answer.result.as_ref().map(|result| result.items()).unwrap_or_default();
    nodes.iter().filter_map(NodeValue::closed_root).cloned().collect()
}
