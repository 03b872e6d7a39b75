//! Closed shadow roots: the protocol tells the root of an element that it is asked about, whatever
//! its mode. The page script names those that may have one, and is handed what is found, in every
//! frame. Which listeners scripts have added, Firefox tells nobody; the page script looks for what
//! common libraries leave on elements (`marks.ts`).

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::api::traits::Reached;
use crate::bidi::protocol::Evaluated;
use crate::bidi::script::SANDBOX;
use crate::bidi::state::{TabState, read};
use crate::error::{BrowserError, Result};

/// How deep closed roots in closed roots are followed in one look.
const DEEPEST: usize = 8;
/// How long a frame is waited for.
const FRAME_PATIENCE: Duration = Duration::from_millis(500);

/// A node as the protocol describes it; what else is in there is passed over.
#[derive(Deserialize)]
struct Described {
    value: Option<Facts>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    shadow_root: Option<Root>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Root {
    shared_id: Option<String>,
    value: Option<RootFacts>,
}

#[derive(Deserialize)]
struct RootFacts {
    mode: Option<String>,
}

/// Hands the page scripts of all frames the closed roots that they do not know, and has them look
/// for marks of listeners.
pub(super) async fn reach(state: &TabState, limit: Duration) -> Result<Reached> {
    state.ready(true)?;
    let deadline = Instant::now() + limit;
    let mut contexts: Vec<String> =
        state.facts.borrow().realms.iter().map(|(_, context)| context.clone()).collect();
    contexts.sort_unstable();
    contexts.dedup();
    let frames = contexts.into_iter().map(|context| {
        let patience = if context == state.id { limit } else { FRAME_PATIENCE };
        let until = deadline.min(Instant::now() + patience);
        async move { (context == state.id, enter(state, &context, until).await) }
    });
    for (top, outcome) in futures_util::future::join_all(frames).await {
        match outcome {
            Ok(()) => {}
            Err(
                error @ (BrowserError::TabClosed
                | BrowserError::TabCrashed
                | BrowserError::Disconnected
                | BrowserError::DialogOpen { .. }),
            ) if top => return Err(error),
            // The page is looked at all the same; the next look tries again.
            Err(error) => tracing::debug!(%error, "closed roots were not looked for"),
        }
    }
    Ok(Reached { listeners: false, roots_left_out: 0 })
}

/// Enters the closed roots of one frame, and those in them, and looks for marks of listeners.
async fn enter(state: &TabState, context: &str, until: Instant) -> Result<()> {
    let target = json!({"context": context, "sandbox": SANDBOX});
    let marks = json!({
        "expression": "typeof pagesight === 'undefined' || pagesight.learnMarks()",
        "target": target,
        "awaitPromise": true,
    });
    // Side by side: most documents have no closed root, and one way there and back is enough for
    // both.
    let (entered, marked) = tokio::join!(
        enter_roots(state, &target, until),
        ask(state, "script.evaluate", marks.clone(), until)
    );
    marked?;
    if entered? {
        ask(state, "script.evaluate", marks, until).await?;
    }
    Ok(())
}

/// Says whether there were any that were not known.
async fn enter_roots(state: &TabState, target: &Value, until: Instant) -> Result<bool> {
    for round in 0..DEEPEST {
        let hosts = json!({
            // A document that has no script yet has been seen by nobody.
            "expression": "typeof pagesight === 'undefined' ? [] : pagesight.hosts()",
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

async fn ask(
    state: &TabState,
    method: &'static str,
    params: Value,
    until: Instant,
) -> Result<Evaluated> {
    let pending = state.begin(method, params);
    let left = until.saturating_duration_since(Instant::now());
    let evaluated: Evaluated =
        read(method, &state.unless_stopped(true, pending.wait(left)).await?)?;
    match evaluated.exception_details {
        Some(thrown) => Err(BrowserError::Script(thrown.text)),
        None => Ok(evaluated),
    }
}

/// The closed roots in a list of nodes.
fn closed_roots(answer: &Evaluated) -> Vec<String> {
    let nodes: Vec<Described> =
        answer.result.as_ref().map(|result| result.items()).unwrap_or_default();
    let closed = |node: Described| {
        let root = node.value?.shadow_root?;
        root.shared_id
            .filter(|_| root.value.is_some_and(|facts| facts.mode.as_deref() == Some("closed")))
    };
    nodes.into_iter().filter_map(closed).collect()
}
