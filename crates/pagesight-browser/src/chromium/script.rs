//! The page script and the world it lives in: an isolated world of its own in every document, which
//! the page can neither see nor break. Also evaluates expressions of the caller's, in the page's
//! world.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use super::protocol::{Evaluated, RemoteObject};
use super::state::{TabState, World, read};
use crate::error::{BrowserError, Result};
use crate::wire::connection::Pending;
use crate::wire::json as text;

/// The name of the world.
pub(super) const WORLD: &str = "pagesight";
/// The page script, made from `page/`.
const BUNDLE: &str = include_str!("../page.js");

/// Asks for the page script in this and every later document.
pub(super) fn announce(state: &TabState, session: &str) -> Pending {
    let params = json!({"source": BUNDLE, "worldName": WORLD, "runImmediately": true});
    state.begin_in(session, "Page.addScriptToEvaluateOnNewDocument", params)
}

/// Why a call in a world did not answer.
enum Miss {
    /// The world was gone before the call reached it.
    NoWorld,
    /// The world is there, but the page script is not.
    NoScript,
    Failed(BrowserError),
}

impl From<BrowserError> for Miss {
    fn from(error: BrowserError) -> Self {
        match &error {
            BrowserError::Refused { message, .. } if is_missing(message) => Miss::NoWorld,
            // The session of a frame ended; the tab itself says so in another way.
            BrowserError::TabClosed => Miss::Failed(BrowserError::Navigated),
            BrowserError::Refused { message, .. } if is_lost(message) => {
                Miss::Failed(BrowserError::Navigated)
            }
            _ => Miss::Failed(error),
        }
    }
}

/// Chromium's words for a world that is not there.
fn is_missing(message: &str) -> bool {
    message.contains("uniqueContextId not found")
        || message.contains("Cannot find context with specified id")
}

/// Chromium's words for a document that went away under a call.
pub(super) fn is_lost(message: &str) -> bool {
    [
        "context was destroyed",
        "navigated or closed",
        "Promise was collected",
        "Cannot find default execution context",
    ]
    .iter()
    .any(|words| message.contains(words))
}

/// Calls `pagesight.FUNCTION(...ARGUMENTS)` in a frame.
pub(super) async fn script(
    state: &TabState,
    frame: Option<&str>,
    function: &str,
    arguments: &str,
    limit: Duration,
) -> Result<String> {
    let plain = !function.is_empty()
        && function.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !plain {
        return Err(BrowserError::Script(format!(
            "{function:?} is no function of the page script"
        )));
    }
    let expression = format!("pagesight.{function}(...{arguments})");
    state.wake();
    let late = |error| match error {
        BrowserError::TimedOut { .. } => {
            BrowserError::TimedOut { what: format!("the page script's {function}"), limit }
        }
        error => error,
    };
    let object = in_frame(state, frame, &expression, json!({"returnByValue": true}), limit)
        .await
        .map_err(late)?;
    let value = object.value.filter(|_| object.kind == "string");
    let Some(value) = value else {
        return Err(BrowserError::Script(
            "the page script answered with something that is no text".to_owned(),
        ));
    };
    let answer: String = read("Runtime.evaluate", &value)?;
    // The answer is JSON itself, and may hold lone surrogates of the page's texts one level further
    // in.
    Ok(match text::repair(&answer) {
        std::borrow::Cow::Owned(repaired) => repaired,
        std::borrow::Cow::Borrowed(_) => answer,
    })
}

/// The frames that these frame elements show, as the engine names them.
pub(super) async fn frames_of(
    state: &TabState,
    frame: Option<&str>,
    elements: &[u32],
    limit: Duration,
) -> Result<Vec<Option<String>>> {
    let expression = format!("pagesight.windows({})", json!(elements));
    // A window serialised deeply is the id of its frame, also across processes.
    let deep = json!({"serializationOptions": {"serialization": "deep", "maxDepth": 1}});
    let found = in_frame(state, frame, &expression, deep, limit).await?.deep_serialized_value;
    let windows = found.and_then(|list| list.value).unwrap_or_default();
    let frames: Vec<Option<String>> =
        windows.into_iter().map(|window| window.value.map(|value| value.context)).collect();
    if frames.len() != elements.len() {
        return Err(BrowserError::Script("the frames of the page cannot be told apart".to_owned()));
    }
    Ok(frames)
}

/// An element of a frame as an object of our world there, and the session it is reached through.
pub(super) async fn element(
    state: &TabState,
    frame: Option<&str>,
    id: u32,
    limit: Duration,
) -> Result<Option<(String, String)>> {
    let object =
        in_frame(state, frame, &format!("pagesight.element({id})"), json!({}), limit).await?;
    let session = current_world(state, frame).map(|world| world.session);
    Ok(object.object_id.zip(session))
}

/// Evaluates in the world of a frame; makes the world and installs the script where they are
/// missing.
async fn in_frame(
    state: &TabState,
    frame: Option<&str>,
    expression: &str,
    form: serde_json::Value,
    limit: Duration,
) -> Result<RemoteObject> {
    let deadline = Instant::now() + limit;
    let mut installed = false;
    // A world can vanish between our look at it and the call's arrival, once a navigation; do not
    // follow that for ever.
    for _ in 0..4 {
        state.ready(true)?;
        let left = deadline.saturating_duration_since(Instant::now());
        let current = current_world(state, frame);
        let Some(world) = current else {
            make_world(state, frame, left).await?;
            continue;
        };
        match call_in(state, &world, expression, form.clone(), left).await {
            Ok(answer) => return Ok(answer),
            Err(Miss::NoWorld) => state
                .facts
                .send_modify(|facts| facts.worlds.retain(|known| known.unique != world.unique)),
            Err(Miss::NoScript) if !installed => {
                installed = true;
                install(state, &world, left).await?;
            }
            Err(Miss::NoScript) => {
                return Err(BrowserError::Script("the page script cannot be installed".to_owned()));
            }
            Err(Miss::Failed(error)) => return Err(error),
        }
    }
    Err(BrowserError::Navigated)
}

fn current_world(state: &TabState, frame: Option<&str>) -> Option<World> {
    let facts = state.facts.borrow();
    let frame = frame.unwrap_or(&facts.top_frame);
    facts.worlds.iter().rev().find(|world| world.frame == frame).cloned()
}

/// Evaluates in a world; the reply is waited for no longer than the world lives. `form`: how the
/// result is to be given.
async fn call_in(
    state: &TabState,
    world: &World,
    expression: &str,
    form: serde_json::Value,
    limit: Duration,
) -> std::result::Result<RemoteObject, Miss> {
    let mut params = form;
    params["expression"] = json!(expression);
    params["uniqueContextId"] = json!(world.unique);
    params["awaitPromise"] = json!(true);
    let pending = state.begin_in(&world.session, "Runtime.evaluate", params);
    let mut facts = state.facts.subscribe();
    let gone = async {
        let _ = facts
            .wait_for(|facts| !facts.worlds.iter().any(|known| known.unique == world.unique))
            .await;
    };
    let raw = tokio::select! {
        biased;
        reply = state.unless_stopped(true, pending.wait(limit)) => reply?,
        () = gone => return Err(Miss::Failed(BrowserError::Navigated)),
    };
    let evaluated: Evaluated = read("Runtime.evaluate", &raw)?;
    if let Some(exception) = evaluated.exception_details {
        let message = exception.message();
        if message.contains("pagesight is not defined") {
            return Err(Miss::NoScript);
        }
        return Err(Miss::Failed(BrowserError::Script(message)));
    }
    Ok(evaluated.result)
}

/// Makes the world in a document that has none (the script asked for did not run there).
async fn make_world(state: &TabState, frame: Option<&str>, limit: Duration) -> Result<()> {
    let (frame, sessions) = {
        let facts = state.facts.borrow();
        let frame = frame.unwrap_or(&facts.top_frame).to_owned();
        // A frame in a process of its own has a session; any other lives in one of the known ones.
        let own = facts.remote.iter().filter(|remote| remote.frame == frame);
        let mut sessions: Vec<String> = own.map(|remote| remote.session.clone()).collect();
        if sessions.is_empty() {
            sessions.push(state.session.clone());
            sessions.extend(facts.remote.iter().map(|remote| remote.session.clone()));
        }
        (frame, sessions)
    };
    for session in sessions {
        let params = json!({"frameId": frame, "worldName": WORLD, "grantUniveralAccess": false});
        let pending = state.begin_in(&session, "Page.createIsolatedWorld", params);
        match state.unless_stopped(true, pending.wait(limit)).await {
            // The new world was reported before the reply.
            Ok(_) => return Ok(()),
            Err(BrowserError::Refused { message, .. }) if message.contains("No frame") => {}
            Err(error) => return Err(error),
        }
    }
    Err(BrowserError::Navigated)
}

/// Runs the page script in a world that does not have it.
async fn install(state: &TabState, world: &World, limit: Duration) -> Result<()> {
    let params =
        json!({"expression": BUNDLE, "uniqueContextId": world.unique, "returnByValue": false});
    let pending = state.begin_in(&world.session, "Runtime.evaluate", params);
    let raw = state.unless_stopped(true, pending.wait(limit)).await?;
    let evaluated: Evaluated = read("Runtime.evaluate", &raw)?;
    match evaluated.exception_details {
        Some(exception) => Err(BrowserError::Script(exception.message())),
        None => Ok(()),
    }
}

/// Evaluates an expression in the page's own world and answers with JSON.
pub(super) async fn evaluate(
    state: &TabState,
    expression: &str,
    limit: Duration,
) -> Result<String> {
    state.ready(true)?;
    state.wake();
    let began = Instant::now();
    let late = || BrowserError::TimedOut { what: "the expression".to_owned(), limit };
    // `timeout` stops a loop that never ends; a promise that never settles is only left alone.
    let milliseconds = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true, "timeout": milliseconds});
    let pending = state.begin("Runtime.evaluate", params);
    let reply = state.unless_stopped(true, pending.wait(limit + Duration::from_millis(200))).await;
    let raw = reply.map_err(|error| match error {
        BrowserError::Refused { message, .. } if is_lost(&message) => BrowserError::Navigated,
        // All Chromium says of a loop that it stopped is "Internal error".
        BrowserError::Refused { .. } if began.elapsed() >= limit => late(),
        BrowserError::Refused { message, .. } => BrowserError::Script(message),
        BrowserError::TimedOut { .. } => late(),
        other => other,
    })?;
    let evaluated: Evaluated = read("Runtime.evaluate", &raw)?;
    if let Some(exception) = evaluated.exception_details {
        return Err(BrowserError::Script(exception.message()));
    }
    let object = evaluated.result;
    Ok(match (object.value, object.unserializable_value.as_deref()) {
        (Some(value), _) => text::plain(value.get()),
        (None, Some("-0")) => "0".to_owned(),
        (None, Some(big)) if big.ends_with('n') => json!(big.trim_end_matches('n')).to_string(),
        // `undefined`, and NaN and the infinities as JSON.stringify has them.
        (None, _) => "null".to_owned(),
    })
}
