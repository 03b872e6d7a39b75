//! Calls the page script in its isolated world. Each document has one, which the page can neither
//! see nor change. Also evaluates callers' expressions in the page's main world.

use std::sync::LazyLock;
use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use super::protocol::{
    DeepWindow, DescribedNode, Evaluated, IsolatedWorld, RemoteObject, ResolvedNode,
};
use super::state::{ChromiumTabState, World};
use crate::engine::page_script::{
    self, EngineTraits, WORLD, check_frames, element_expression, is_not_installed, name_timeout,
    read_answer, windows_expression,
};
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Pending, read_reply};
use crate::wire::json::plain;

/// The word that the hooks of this process answer to.
static SCHEDULE_WORD: LazyLock<String> = LazyLock::new(page_script::secret_word);

/// The page script for a browser that we started, and for one whose pages have hooks.
static PAGE_SCRIPT: LazyLock<String> =
    LazyLock::new(|| page_script::install_expression(&EngineTraits::default()));
static PAGE_SCRIPT_WITH_HOOKS: LazyLock<String> = LazyLock::new(|| {
    let schedule_word = Some(SCHEDULE_WORD.clone());
    page_script::install_expression(&EngineTraits { schedule_word, ..Default::default() })
});

/// The page script for the user's browser.
static PAGE_SCRIPT_FOR_USER: LazyLock<String> = LazyLock::new(|| {
    page_script::install_expression(&EngineTraits { may_be_undrawn: true, ..Default::default() })
});

/// Returns the page script for a tab.
fn page_script_for(state: &ChromiumTabState) -> &'static str {
    match (state.host.theirs, state.host.hooks) {
        (true, _) => &PAGE_SCRIPT_FOR_USER,
        (false, true) => &PAGE_SCRIPT_WITH_HOOKS,
        (false, false) => &PAGE_SCRIPT,
    }
}

/// Registers the page script for this and every later document, and the hooks before it.
pub(super) fn announce(state: &ChromiumTabState, session: &str) -> Pending {
    if state.host.hooks {
        let hooks = page_script::hooks_expression(&SCHEDULE_WORD, true);
        let params = json!({"source": hooks, "runImmediately": true});
        drop(state.begin_in(session, "Page.addScriptToEvaluateOnNewDocument", params));
    }
    let params =
        json!({"source": page_script_for(state), "worldName": WORLD, "runImmediately": true});
    state.begin_in(session, "Page.addScriptToEvaluateOnNewDocument", params)
}

/// Why a call in a world failed.
enum WorldCallError {
    /// The world was gone before the call reached it.
    NoWorld,
    /// The world has no page script.
    NoScript,
    Failed(BrowserError),
}

impl From<BrowserError> for WorldCallError {
    fn from(error: BrowserError) -> Self {
        match &error {
            BrowserError::Refused { message, .. } if is_missing(message) => WorldCallError::NoWorld,
            // The session of a frame ended; the end of the tab itself is reported separately.
            BrowserError::TabClosed => WorldCallError::Failed(BrowserError::Navigated),
            BrowserError::Refused { message, .. } if is_lost(message) => {
                WorldCallError::Failed(BrowserError::Navigated)
            }
            _ => WorldCallError::Failed(error),
        }
    }
}

/// Returns whether a message of Chromium means that a world does not exist.
pub(super) fn is_missing(message: &str) -> bool {
    message.contains("uniqueContextId not found")
        || message.contains("Cannot find context with specified id")
}

/// Returns whether a message of Chromium means that one document is replacing another right now.
pub(super) fn is_between_documents(message: &str) -> bool {
    message.contains("Not attached to an active page")
}

/// Returns whether a message of Chromium means that the document went away during a call.
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

/// Calls a function of the page script in a frame and returns its JSON text.
pub(super) async fn script(
    state: &ChromiumTabState,
    frame: Option<&str>,
    function: &str,
    arguments: &str,
    limit: Duration,
) -> Result<String> {
    let expression = page_script::call_expression(function, arguments)?;
    state.wake();
    let object = in_frame(state, frame, &expression, json!({"returnByValue": true}), limit)
        .await
        .map_err(|error| name_timeout(error, function, limit))?;
    let value = object.value.filter(|_| object.kind == "string");
    read_answer(value.map(|value| read_reply("Runtime.evaluate", &value)).transpose()?)
}

/// Evaluates an expression beside the page script and returns its JSON text.
pub(super) async fn evaluate_beside(
    state: &ChromiumTabState,
    frame: Option<&str>,
    expression: &str,
    limit: Duration,
) -> Result<String> {
    state.wake();
    let object = in_frame(state, frame, expression, json!({"returnByValue": true}), limit).await?;
    let value = object.value.filter(|_| object.kind == "string");
    read_answer(value.map(|value| read_reply("Runtime.evaluate", &value)).transpose()?)
}

/// Returns the frames of frame elements.
pub(super) async fn frames_of(
    state: &ChromiumTabState,
    frame: Option<&str>,
    elements: &[u32],
    limit: Duration,
) -> Result<Vec<Option<String>>> {
    let expression = windows_expression(elements);
    // A deeply serialized window is the id of its frame, also across processes.
    let deep = json!({"serializationOptions": {"serialization": "deep", "maxDepth": 1}});
    let found = in_frame(state, frame, &expression, deep, limit).await?.deep_serialized_value;
    let windows = found.and_then(|list| list.value).unwrap_or_default();
    let frame = |window: DeepWindow| window.value.map(|value| value.context);
    check_frames(windows.into_iter().map(frame).collect(), elements)
}

/// Returns an element as an object of our world, and the session of its frame.
pub(super) async fn element(
    state: &ChromiumTabState,
    frame: Option<&str>,
    id: u32,
    limit: Duration,
) -> Result<Option<(String, String)>> {
    let object = in_frame(state, frame, &element_expression(id), json!({}), limit).await?;
    let session = current_world(state, frame).map(|world| world.session);
    Ok(object.object_id.zip(session))
}

/// Evaluates in our world of a frame. Creates the world and installs the script if they are
/// missing.
async fn in_frame(
    state: &ChromiumTabState,
    frame: Option<&str>,
    expression: &str,
    form: serde_json::Value,
    limit: Duration,
) -> Result<RemoteObject> {
    let deadline = Instant::now() + limit;
    let mut installed = false;
    // A world can vanish before the call arrives, once per navigation; the number of attempts is
    // limited.
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
            Err(WorldCallError::NoWorld) => state.status.send_modify(|status| {
                status.frames.worlds.retain(|known| known.unique != world.unique)
            }),
            Err(WorldCallError::NoScript) if !installed => {
                installed = true;
                install(state, &world, left).await?;
            }
            Err(WorldCallError::NoScript) => {
                return Err(BrowserError::Script("the page script cannot be installed".to_owned()));
            }
            Err(WorldCallError::Failed(error)) => return Err(error),
        }
    }
    Err(BrowserError::Navigated)
}

fn current_world(state: &ChromiumTabState, frame: Option<&str>) -> Option<World> {
    let status = state.status.borrow();
    let frame = frame.unwrap_or(&status.frames.top);
    status.frames.worlds.iter().rev().find(|world| world.frame == frame).cloned()
}

/// Evaluates in a world, and waits for the reply as long as the world exists. `form`: how the
/// result is serialized.
async fn call_in(
    state: &ChromiumTabState,
    world: &World,
    expression: &str,
    form: serde_json::Value,
    limit: Duration,
) -> std::result::Result<RemoteObject, WorldCallError> {
    let mut params = form;
    params["expression"] = json!(expression);
    params["uniqueContextId"] = json!(world.unique);
    params["awaitPromise"] = json!(true);
    let pending = state.begin_in(&world.session, "Runtime.evaluate", params);
    let mut status = state.status.subscribe();
    let gone = async {
        let _ = status
            .wait_for(|status| {
                !status.frames.worlds.iter().any(|known| known.unique == world.unique)
            })
            .await;
    };
    let raw = tokio::select! {
        biased;
        reply = state.unless_blocked(true, pending.wait(limit)) => reply?,
        () = gone => return Err(WorldCallError::Failed(BrowserError::Navigated)),
    };
    let evaluated: Evaluated = read_reply("Runtime.evaluate", &raw)?;
    if let Some(exception) = evaluated.exception_details {
        let message = exception.message();
        if is_not_installed(&message) {
            return Err(WorldCallError::NoScript);
        }
        return Err(WorldCallError::Failed(BrowserError::Script(message)));
    }
    Ok(evaluated.result)
}

/// Creates the world in a document where the registered script did not run.
async fn make_world(state: &ChromiumTabState, frame: Option<&str>, limit: Duration) -> Result<()> {
    // The new world was reported before the reply.
    isolated_world(state, frame, WORLD, limit).await.map(drop)
}

/// Returns the isolated world of that name in a frame, and its session; creates it if there is
/// none.
pub(super) async fn isolated_world(
    state: &ChromiumTabState,
    frame: Option<&str>,
    name: &str,
    limit: Duration,
) -> Result<(IsolatedWorld, String)> {
    let (frame, sessions) = {
        let status = state.status.borrow();
        let frame = frame.unwrap_or(&status.frames.top).to_owned();
        // An out-of-process frame has its own session; any other is in one of the known sessions.
        let own = status.frames.out_of_process.iter().filter(|remote| remote.frame == frame);
        let mut sessions: Vec<String> = own.map(|remote| remote.session.clone()).collect();
        if sessions.is_empty() {
            sessions.push(state.session().to_owned());
            sessions
                .extend(status.frames.out_of_process.iter().map(|remote| remote.session.clone()));
        }
        (frame, sessions)
    };
    for session in sessions {
        let params = json!({"frameId": frame, "worldName": name, "grantUniveralAccess": false});
        let pending = state.begin_in(&session, "Page.createIsolatedWorld", params);
        match state.unless_blocked(true, pending.wait(limit)).await {
            Ok(raw) => {
                return Ok((read_reply("Page.createIsolatedWorld", &raw)?, session));
            }
            Err(BrowserError::Refused { message, .. }) if message.contains("No frame") => {}
            Err(error) => return Err(error),
        }
    }
    Err(BrowserError::Navigated)
}

/// Runs the page script in a world that does not have it.
async fn install(state: &ChromiumTabState, world: &World, limit: Duration) -> Result<()> {
    let params = json!({"expression": page_script_for(state), "uniqueContextId": world.unique, "returnByValue": false});
    let pending = state.begin_in(&world.session, "Runtime.evaluate", params);
    let raw = state.unless_blocked(true, pending.wait(limit)).await?;
    read_reply::<Evaluated>("Runtime.evaluate", &raw)?.value().map(drop)
}

/// Evaluates an expression in the page's main world and returns its value as JSON.
pub(super) async fn evaluate(
    state: &ChromiumTabState,
    expression: &str,
    limit: Duration,
) -> Result<String> {
    state.ready(true)?;
    state.wake();
    let began = Instant::now();
    let late = || BrowserError::TimedOut { what: "the expression".to_owned(), limit };
    // `timeout` ends an endless loop; a promise that never settles is only abandoned.
    let milliseconds = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true, "timeout": milliseconds});
    let pending = state.begin("Runtime.evaluate", params);
    let reply = state.unless_blocked(true, pending.wait(limit + Duration::from_millis(200))).await;
    let raw = reply.map_err(|error| match error {
        BrowserError::Refused { message, .. } if is_lost(&message) => BrowserError::Navigated,
        // Chromium reports a loop that it ended as "Internal error".
        BrowserError::Refused { .. } if began.elapsed() >= limit => late(),
        BrowserError::Refused { message, .. } => BrowserError::Script(message),
        BrowserError::TimedOut { .. } => late(),
        other => other,
    })?;
    as_json(read_reply("Runtime.evaluate", &raw)?)
}

/// Returns the value of an evaluation as JSON.
fn as_json(evaluated: Evaluated) -> Result<String> {
    let object = evaluated.value()?;
    Ok(match (object.value, object.unserializable_value.as_deref()) {
        (Some(value), _) => plain(value.get()),
        (None, Some("-0")) => "0".to_owned(),
        (None, Some(big)) if big.ends_with('n') => json!(big.trim_end_matches('n')).to_string(),
        // `undefined`, NaN and the infinities become `null`, as in JSON.stringify.
        (None, _) => "null".to_owned(),
    })
}

/// How long a page may take to show that no script runs in it.
const HANG_PROBE: Duration = Duration::from_millis(300);

/// Calls a function in the page's main world with an element, and returns its value as JSON.
pub(super) async fn evaluate_on(
    state: &ChromiumTabState,
    frame: Option<&str>,
    id: u32,
    function: &str,
    limit: Duration,
) -> Result<Option<String>> {
    state.wake();
    let Some((object, session)) = element(state, frame, id, limit).await? else { return Ok(None) };
    let about = |object: &str| json!({"objectId": object});
    let described: DescribedNode =
        state.call_in(&session, "DOM.describeNode", about(&object), limit).await?;
    // The same element in the page's main world.
    let node = json!({"backendNodeId": described.node.backend_node_id});
    let ResolvedNode { object: own } =
        state.call_in(&session, "DOM.resolveNode", node, limit).await?;
    let Some(own) = own.object_id else { return Ok(None) };
    let params = json!({
        "objectId": own,
        "functionDeclaration": function,
        "arguments": [{"objectId": own}],
        "awaitPromise": true,
        "returnByValue": true,
    });
    let pending = state.begin_in(&session, "Runtime.callFunctionOn", params);
    let reply = state.unless_blocked(true, pending.wait(limit)).await;
    for object in [object, own] {
        drop(state.begin_in(&session, "Runtime.releaseObject", about(&object)));
    }
    if matches!(reply, Err(BrowserError::TimedOut { .. })) {
        // This command has no limit of its own that would end an endless loop. A promise that never
        // settles is only abandoned: ending the script would end one of the page.
        let question = json!({"expression": "0"});
        let question = state.begin_in(&session, "Runtime.evaluate", question);
        if question.wait(HANG_PROBE).await.is_err() {
            drop(state.begin_in(&session, "Runtime.terminateExecution", json!({})));
        }
    }
    let raw = reply.map_err(|error| match error {
        BrowserError::Refused { message, .. } if is_lost(&message) => BrowserError::Navigated,
        BrowserError::Refused { message, .. } => BrowserError::Script(message),
        BrowserError::TimedOut { .. } => {
            BrowserError::TimedOut { what: "the function".to_owned(), limit }
        }
        other => other,
    })?;
    as_json(read_reply("Runtime.callFunctionOn", &raw)?).map(Some)
}
