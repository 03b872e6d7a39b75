//! The page script and the sandbox it lives in, one a document: it sees the page through wrappers
//! that the page can neither see nor change. Also evaluates expressions of the caller's, in the
//! page's own realm.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::LazyLock;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::protocol::{Evaluated, first_line};
use super::remote_value::{DEPTH, RemoteValue};
use super::state::{Document, TabState, read};
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Connection, Pending};
use crate::wire::json as text;

/// The name of the sandbox.
pub(crate) const SANDBOX: &str = "pagesight";
/// The page script, made from `page/`.
const BUNDLE: &str = include_str!("../page.js");
const EVALUATE: &str = "script.evaluate";

/// The page script with a word that no page knows: by it a document that comes out of the
/// back/forward cache, which has lost its sandbox then, is known again.
static BUNDLE_HERE: LazyLock<String> = LazyLock::new(|| {
    let random = || RandomState::new().hash_one(std::process::id());
    format!("globalThis.pagesightWord = \"w{:016x}{:016x}\";\n{BUNDLE}", random(), random())
});

/// Asks for the page script in every later document, before the page's own scripts.
pub(crate) fn announce(connection: &Connection) -> Pending {
    let declaration = format!("() => {{\n{}\n}}", *BUNDLE_HERE);
    let params = json!({"functionDeclaration": declaration, "sandbox": SANDBOX});
    connection.begin(None, "script.addPreloadScript", params)
}

/// Calls `pagesight.FUNCTION(...ARGUMENTS)` in a frame.
pub(crate) async fn script(
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
    let late = |error| match error {
        BrowserError::TimedOut { .. } => {
            BrowserError::TimedOut { what: format!("the page script's {function}"), limit }
        }
        error => error,
    };
    let result = in_frame(state, frame, &expression, limit).await.map_err(late)?;
    let Some(answer) = result.text() else {
        return Err(BrowserError::Script(
            "the page script answered with something that is no text".to_owned(),
        ));
    };
    // The answer is JSON itself, and may hold lone surrogates of the page's texts one level further
    // in.
    Ok(match text::repair(&answer) {
        std::borrow::Cow::Owned(repaired) => repaired,
        std::borrow::Cow::Borrowed(_) => answer,
    })
}

/// The frames that these frame elements show.
pub(crate) async fn frames_of(
    state: &TabState,
    frame: Option<&str>,
    elements: &[u32],
    limit: Duration,
) -> Result<Vec<Option<String>>> {
    let expression = format!("pagesight.windows({})", json!(elements));
    let frames = in_frame(state, frame, &expression, limit).await?.frames();
    if frames.len() != elements.len() {
        return Err(BrowserError::Script("the frames of the page cannot be told apart".to_owned()));
    }
    Ok(frames)
}

/// An element of a frame, as the protocol names it.
pub(crate) async fn element(
    state: &TabState,
    frame: Option<&str>,
    id: u32,
    limit: Duration,
) -> Result<Option<String>> {
    Ok(in_frame(state, frame, &format!("pagesight.element({id})"), limit).await?.shared_id)
}

/// Evaluates in the sandbox of a frame; installs the script where it is missing.
async fn in_frame(
    state: &TabState,
    frame: Option<&str>,
    expression: &str,
    limit: Duration,
) -> Result<RemoteValue> {
    let deadline = Instant::now() + limit;
    let left = || deadline.saturating_duration_since(Instant::now());
    let document = state.document(frame, left()).await?;
    let missing = |answer: &Evaluated| {
        let thrown = answer.exception_details.as_ref();
        thrown.is_some_and(|thrown| thrown.text.contains("pagesight is not defined"))
    };
    let mut evaluated = run(state, &document, expression, left()).await?;
    if missing(&evaluated) {
        // A document that was there before we were, or that came out of the back/forward cache.
        if let Some(thrown) = run(state, &document, &BUNDLE_HERE, left()).await?.exception_details {
            return Err(BrowserError::Script(first_line(&thrown.text)));
        }
        evaluated = run(state, &document, expression, left()).await?;
    }
    if let Some(thrown) = evaluated.exception_details {
        return Err(BrowserError::Script(first_line(&thrown.text)));
    }
    evaluated
        .result
        .ok_or_else(|| BrowserError::Script("the page script did not answer".to_owned()))
}

/// Evaluates in the sandbox of a document.
async fn run(
    state: &TabState,
    document: &Document,
    expression: &str,
    limit: Duration,
) -> Result<Evaluated> {
    let pending = state.begin(EVALUATE, in_sandbox(&document.context, expression));
    read(EVALUATE, &state.within_document(document, pending.wait(limit)).await?)
}

fn in_sandbox(context: &str, expression: &str) -> Value {
    let target = json!({"context": context, "sandbox": SANDBOX});
    json!({"expression": expression, "target": target, "awaitPromise": true})
}

/// Asks whatever document is there now, also one in between; for our own small questions.
pub(crate) async fn ask(state: &TabState, expression: &str, limit: Duration) -> Result<String> {
    let pending = state.begin(EVALUATE, in_sandbox(&state.id, expression));
    let evaluated: Evaluated =
        read(EVALUATE, &state.unless_stopped(true, pending.wait(limit)).await?)?;
    let answer = evaluated.result.and_then(|result| result.text());
    answer.ok_or_else(|| BrowserError::Script("the page did not answer".to_owned()))
}

/// Evaluates an expression in the page's own realm and answers with JSON.
pub(crate) async fn evaluate(
    state: &TabState,
    expression: &str,
    limit: Duration,
) -> Result<String> {
    let late = || BrowserError::TimedOut { what: "the expression".to_owned(), limit };
    let document = state.document(None, limit).await?;
    let params = json!({
        "expression": expression,
        "target": {"context": state.id},
        "awaitPromise": true,
        "serializationOptions": {"maxObjectDepth": DEPTH, "maxDomDepth": 0},
    });
    let pending = state.begin(EVALUATE, params);
    let reply = state.within_document(&document, pending.wait(limit)).await;
    let raw = reply.map_err(|error| match error {
        BrowserError::Refused { message, .. } => BrowserError::Script(message),
        BrowserError::TimedOut { .. } => late(),
        other => other,
    })?;
    let evaluated: Evaluated = read(EVALUATE, &raw)?;
    if let Some(thrown) = evaluated.exception_details {
        return Err(BrowserError::Script(first_line(&thrown.text)));
    }
    let value = evaluated.result.map_or(Some("null".to_owned()), |result| result.json());
    value
        .ok_or_else(|| BrowserError::Script("the value holds itself, so it has no JSON".to_owned()))
}
