//! Calls the page script in its sandbox. Each document has one sandbox, which sees the page through
//! wrappers that the page can neither see nor change. Also evaluates callers' expressions in the
//! page's own realm.

use std::sync::LazyLock;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::protocol::Evaluated;
use super::remote_value::{DEPTH, RemoteValue};
use super::state::{BidiDocument, BidiTabState, FirstCall};
use crate::engine::page_script::{
    self, EngineTraits, WORLD, check_frames, element_expression, is_not_installed, name_timeout,
    read_answer, windows_expression,
};
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Connection, Pending, read_reply};

const EVALUATE: &str = "script.evaluate";

/// The word that the hooks of this process answer to.
static SCHEDULE_WORD: LazyLock<String> = LazyLock::new(page_script::secret_word);

/// The traits of Firefox. A document that comes out of the back/forward cache has lost its sandbox;
/// the new page script takes over element ids and secret fields from the old one.
static TRAITS: LazyLock<EngineTraits> = LazyLock::new(|| EngineTraits {
    handover_word: Some(page_script::secret_word()),
    schedule_word: Some(SCHEDULE_WORD.clone()),
    select_list_takes_clicks: true,
    may_be_undrawn: false,
});

static PAGE_SCRIPT: LazyLock<String> = LazyLock::new(|| page_script::install_expression(&TRAITS));

/// Registers the hooks for every later document: in the page's own realm, before its scripts.
pub(crate) fn announce_hooks(connection: &Connection) -> Pending {
    let hooks = page_script::hooks_expression(&SCHEDULE_WORD, false);
    let params = json!({"functionDeclaration": format!("() => {{\n{hooks}\n}}")});
    connection.begin(None, "script.addPreloadScript", params)
}

/// Registers the start of the page script for every later document, before the page's own scripts.
/// The first call installs the rest. `tab`: only for the documents of this tab.
pub(crate) fn announce(connection: &Connection, tab: Option<&str>) -> Pending {
    let declaration = format!("() => {{\n{}\n}}", page_script::start_expression(&TRAITS));
    let mut params = json!({"functionDeclaration": declaration, "sandbox": WORLD});
    if let Some(tab) = tab {
        params["contexts"] = json!([tab]);
    }
    connection.begin(None, "script.addPreloadScript", params)
}

/// Calls a function of the page script in a frame and returns its JSON text.
pub(crate) async fn script(
    state: &BidiTabState,
    frame: Option<&str>,
    function: &str,
    arguments: &str,
    limit: Duration,
) -> Result<String> {
    let expression = page_script::call_expression(function, arguments)?;
    let result = in_frame(state, frame, &expression, limit).await;
    read_answer(result.map_err(|error| name_timeout(error, function, limit))?.text())
}

/// Evaluates an expression beside the page script and returns its JSON text.
pub(crate) async fn evaluate_beside(
    state: &BidiTabState,
    frame: Option<&str>,
    expression: &str,
    limit: Duration,
) -> Result<String> {
    read_answer(in_frame(state, frame, expression, limit).await?.text())
}

/// Returns the frames of frame elements.
pub(crate) async fn frames_of(
    state: &BidiTabState,
    frame: Option<&str>,
    elements: &[u32],
    limit: Duration,
) -> Result<Vec<Option<String>>> {
    let windows = in_frame(state, frame, &windows_expression(elements), limit).await?;
    check_frames(windows.frames(), elements)
}

/// Returns the protocol's id of an element.
pub(crate) async fn element(
    state: &BidiTabState,
    frame: Option<&str>,
    id: u32,
    limit: Duration,
) -> Result<Option<String>> {
    Ok(in_frame(state, frame, &element_expression(id), limit).await?.shared_id)
}

/// Calls a function of the page script in a frame and reads its answer, or the error in it.
pub(crate) async fn call<T: DeserializeOwned>(
    state: &BidiTabState,
    frame: Option<&str>,
    function: &str,
    arguments: &Value,
    limit: Duration,
) -> Result<T> {
    let text = script(state, frame, function, &arguments.to_string(), limit).await?;
    let answer: Value =
        serde_json::from_str(&text).map_err(|error| BrowserError::Script(error.to_string()))?;
    if let Some(error) = answer["error"].as_str() {
        let message = answer["message"].as_str().unwrap_or(error);
        return Err(BrowserError::Script(message.lines().next().unwrap_or_default().to_owned()));
    }
    serde_json::from_value(answer).map_err(|error| BrowserError::Script(error.to_string()))
}

/// Evaluates in the sandbox of a frame; installs the script where it is missing.
async fn in_frame(
    state: &BidiTabState,
    frame: Option<&str>,
    expression: &str,
    limit: Duration,
) -> Result<RemoteValue> {
    let deadline = Instant::now() + limit;
    let left = || deadline.saturating_duration_since(Instant::now());
    let document = state.document(frame, left()).await?;
    let missing = |answer: &Evaluated| {
        let thrown = answer.exception_details.as_ref();
        thrown.is_some_and(|thrown| is_not_installed(&thrown.text))
    };
    let whole = match first_call(state, &document, deadline).await? {
        Some(FirstCall::Top) => Some(format!("{}\n{expression}", *PAGE_SCRIPT)),
        // The call may take long; only the installation needs the permit.
        Some(FirstCall::Frame(_permit)) => {
            run(state, &document, &PAGE_SCRIPT, left()).await?.value()?;
            None
        }
        None => None,
    };
    let mut evaluated =
        run(state, &document, whole.as_deref().unwrap_or(expression), left()).await?;
    if missing(&evaluated) {
        // The first call was cut off, or this one overtook it, or the document came out of the
        // back/forward cache.
        run(state, &document, &PAGE_SCRIPT, left()).await?.value()?;
        evaluated = run(state, &document, expression, left()).await?;
    }
    let value = evaluated.value()?;
    value.ok_or_else(|| BrowserError::Script("the page script did not answer".to_owned()))
}

/// Installs the page script in a document, unless a call did so. It may have to wait for other
/// frames until `deadline`; the document may take `patience`.
pub(crate) async fn install(
    state: &BidiTabState,
    document: &BidiDocument,
    deadline: Instant,
    patience: Duration,
) -> Result<()> {
    if let Some(_first) = first_call(state, document, deadline).await? {
        let left = deadline.saturating_duration_since(Instant::now());
        run(state, document, &PAGE_SCRIPT, left.min(patience)).await?.value()?;
    }
    Ok(())
}

/// Returns the right to install the script, if the next call in a document has to do it.
async fn first_call<'t>(
    state: &'t BidiTabState,
    document: &BidiDocument,
    deadline: Instant,
) -> Result<Option<FirstCall<'t>>> {
    let begun = Instant::now();
    tokio::time::timeout_at(deadline, state.first_call(document)).await.map_err(|_| {
        let limit = deadline.saturating_duration_since(begun);
        BrowserError::TimedOut { what: EVALUATE.to_owned(), limit }
    })
}

/// Evaluates in the sandbox of a document.
async fn run(
    state: &BidiTabState,
    document: &BidiDocument,
    expression: &str,
    limit: Duration,
) -> Result<Evaluated> {
    let pending = state.begin(EVALUATE, in_sandbox(&document.context, expression));
    read_reply(EVALUATE, &state.within_document(document, pending.wait(limit)).await?)
}

fn in_sandbox(context: &str, expression: &str) -> Value {
    let target = json!({"context": context, "sandbox": WORLD});
    json!({"expression": expression, "target": target, "awaitPromise": true})
}

/// Evaluates one of our own short expressions in the document that is there now, even an
/// intermediate one.
pub(crate) async fn ask(state: &BidiTabState, expression: &str, limit: Duration) -> Result<String> {
    let pending = state.begin(EVALUATE, in_sandbox(&state.id, expression));
    let evaluated: Evaluated =
        read_reply(EVALUATE, &state.unless_blocked(true, pending.wait(limit)).await?)?;
    let answer = evaluated.result.and_then(|result| result.text());
    answer.ok_or_else(|| BrowserError::Script("the page did not answer".to_owned()))
}

/// Evaluates an expression in the page's own realm and returns its value as JSON.
pub(crate) async fn evaluate(
    state: &BidiTabState,
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
    as_json(read_reply(EVALUATE, &raw)?)
}

/// Returns the value of an evaluation as JSON.
fn as_json(evaluated: Evaluated) -> Result<String> {
    let value = evaluated.value()?.map_or(Some("null".to_owned()), |value| value.json());
    value.ok_or_else(|| {
        BrowserError::Script("the value contains itself, so it has no JSON form".to_owned())
    })
}

/// Calls a function in the page's own realm with an element, and returns its value as JSON.
pub(crate) async fn evaluate_on(
    state: &BidiTabState,
    frame: Option<&str>,
    id: u32,
    function: &str,
    limit: Duration,
) -> Result<Option<String>> {
    let late = || BrowserError::TimedOut { what: "the function".to_owned(), limit };
    let Some(shared) = element(state, frame, id, limit).await? else { return Ok(None) };
    let document = state.document(frame, limit).await?;
    let params = json!({
        "functionDeclaration": function,
        "target": {"context": frame.unwrap_or(&state.id)},
        "arguments": [{"sharedId": shared}],
        "awaitPromise": true,
        "serializationOptions": {"maxObjectDepth": DEPTH, "maxDomDepth": 0},
    });
    let pending = state.begin("script.callFunction", params);
    let reply = state.within_document(&document, pending.wait(limit)).await;
    let raw = reply.map_err(|error| match error {
        BrowserError::Refused { message, .. } => BrowserError::Script(message),
        BrowserError::TimedOut { .. } => late(),
        other => other,
    })?;
    as_json(read_reply("script.callFunction", &raw)?).map(Some)
}
