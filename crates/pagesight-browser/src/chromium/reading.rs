//! Evaluates expressions of callers that may only read: in an isolated world of their own, under
//! the browser's check for side effects. The check is V8's `throwOnSideEffect`: it ends the
//! expression before the first call that could change something, and no `catch` keeps it from that.
//!
//! The script of that world compiles the expression without the check, and runs it and makes a text
//! of its value under the check. Only that text is read: the browser would read an object, and call
//! its getters, without the check.

use std::sync::LazyLock;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::protocol::{DescribedNode, Evaluated, ResolvedNode};
use super::script::{element, is_lost, is_missing, isolated_world};
use super::state::ChromiumTabState;
use crate::api::traits::{ReadValue, ReadingExpression};
use crate::engine::page_script::{read_answer, reading_expression};
use crate::engine::tab::Done;
use crate::error::{BrowserError, Result};
use crate::wire::connection::read_reply;

/// The world is not the page script's: an expression can neither see nor harm that.
const WORLD: &str = "pagesight-reading";
/// How long the preparation may take.
const PREPARE_LIMIT: Duration = Duration::from_secs(5);
/// How much later than its limit an ended expression may be reported.
const GRACE: Duration = Duration::from_millis(500);
const EVALUATE: &str = "Runtime.evaluate";

static SCRIPT: LazyLock<String> = LazyLock::new(reading_expression);

/// The answer of the script of that world.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadingAnswer {
    /// The value as JSON.
    value: Option<Box<RawValue>>,
    /// The beginning of the value, if it is too long.
    start: Option<String>,
    /// The length of a value that is too long.
    #[serde(default)]
    characters: u64,
    /// Why there is no value.
    #[serde(default)]
    error: String,
}

/// The world of one frame.
struct ReadingWorld<'a> {
    state: &'a ChromiumTabState,
    session: String,
    context: i64,
}

impl ReadingWorld<'_> {
    /// Evaluates a call of the script, and returns its text.
    async fn ask(&self, call: &str) -> Result<Option<String>> {
        let params = json!({"expression": call, "contextId": self.context, "returnByValue": true});
        let evaluated: Evaluated =
            self.state.call_in(&self.session, EVALUATE, params, PREPARE_LIMIT).await?;
        let value = evaluated.value()?.value;
        value.map(|value| read_reply(EVALUATE, &value)).transpose()
    }

    /// Gives the script the element; returns whether it still exists.
    async fn take(&self, frame: Option<&str>, id: u32) -> Result<bool> {
        let Some((object, session)) = element(self.state, frame, id, PREPARE_LIMIT).await? else {
            return Ok(false);
        };
        let about = json!({"objectId": object});
        let described: DescribedNode =
            self.state.call_in(&session, "DOM.describeNode", about, PREPARE_LIMIT).await?;
        let node = json!({
            "backendNodeId": described.node.backend_node_id,
            "executionContextId": self.context,
        });
        let ResolvedNode { object: own } =
            self.state.call_in(&session, "DOM.resolveNode", node, PREPARE_LIMIT).await?;
        let take = "function () { pagesightReading.take(this) }";
        let params = json!({"objectId": own.object_id, "functionDeclaration": take});
        let _: Done =
            self.state.call_in(&session, "Runtime.callFunctionOn", params, PREPARE_LIMIT).await?;
        for object in [Some(object), own.object_id].into_iter().flatten() {
            let about = json!({"objectId": object});
            drop(self.state.begin_in(&session, "Runtime.releaseObject", about));
        }
        Ok(true)
    }

    /// Runs the prepared expression under the check.
    async fn run(&self, limit: Duration) -> Result<ReadValue> {
        let milliseconds = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        let params = json!({
            "expression": "pagesightReading.run()",
            "contextId": self.context,
            "throwOnSideEffect": true,
            "timeout": milliseconds,
            "returnByValue": true,
        });
        let pending = self.state.begin_in(&self.session, EVALUATE, params);
        let reply = self.state.unless_blocked(true, pending.wait(limit + GRACE)).await;
        let raw = reply.map_err(|error| match error {
            BrowserError::TimedOut { .. } => {
                BrowserError::TimedOut { what: "the expression".to_owned(), limit }
            }
            BrowserError::Refused { message, .. } if is_ended(&message) => {
                BrowserError::RanTooLong { limit }
            }
            error => error,
        })?;
        let evaluated: Evaluated = read_reply(EVALUATE, &raw)?;
        if let Some(thrown) = evaluated.exception_details {
            let message = thrown.message();
            return Err(match message.contains("side-effect") {
                true => BrowserError::WouldChange,
                false => BrowserError::Script(message),
            });
        }
        let text = evaluated.result.value.map(|value| read_reply(EVALUATE, &value)).transpose()?;
        let answer: ReadingAnswer = serde_json::from_str(&read_answer(text)?)
            .map_err(|error| BrowserError::Script(error.to_string()))?;
        match (answer.value, answer.start) {
            (Some(value), _) => Ok(ReadValue::Whole(value.get().to_owned())),
            (None, Some(start)) => Ok(ReadValue::Cut { start, characters: answer.characters }),
            // JSON's null is no text.
            (None, None) if answer.error.is_empty() => Ok(ReadValue::Whole("null".to_owned())),
            (None, None) => Err(BrowserError::Script(answer.error)),
        }
    }
}

/// Returns whether a message of Chromium means that it ended an expression at its time limit.
fn is_ended(message: &str) -> bool {
    message.contains("Execution was terminated") || message.contains("Internal error")
}

/// Evaluates an expression; `None` if the element is gone.
pub(super) async fn evaluate(
    state: &ChromiumTabState,
    frame: Option<&str>,
    element: Option<u32>,
    expression: &ReadingExpression<'_>,
) -> Result<Option<ReadValue>> {
    state.ready(true)?;
    state.wake();
    let evaluated = evaluate_in_world(state, frame, element, expression).await;
    evaluated.map_err(|error| match error {
        BrowserError::Refused { message, .. } if is_lost(&message) || is_missing(&message) => {
            BrowserError::Navigated
        }
        error => error,
    })
}

async fn evaluate_in_world(
    state: &ChromiumTabState,
    frame: Option<&str>,
    element: Option<u32>,
    expression: &ReadingExpression<'_>,
) -> Result<Option<ReadValue>> {
    let (world, session) = isolated_world(state, frame, WORLD, PREPARE_LIMIT).await?;
    let world = ReadingWorld { state, session, context: world.execution_context_id };
    let ReadingExpression { source, secret_values, most_characters, limit } = *expression;
    // An element of the page may be called so; it is a property of the window, but not an own one.
    let there = "String(Object.hasOwn(globalThis, 'pagesightReading'))";
    if world.ask(there).await?.as_deref() != Some("true") {
        world.ask(&SCRIPT).await?;
    }
    if let Some(id) = element
        && !world.take(frame, id).await?
    {
        return Ok(None);
    }
    let arguments = format!("{},{},{most_characters}", json!(source), json!(secret_values));
    let prepared = world.ask(&format!("pagesightReading.prepare({arguments})")).await?;
    match prepared.as_deref() {
        Some("") => {}
        Some("async") => return Err(BrowserError::WouldChange),
        why => return Err(BrowserError::Script(why.unwrap_or_default().to_owned())),
    }
    let value = world.run(limit).await;
    let forget = json!({"expression": "pagesightReading.forget()", "contextId": world.context});
    drop(state.begin_in(&world.session, EVALUATE, forget));
    value.map(Some)
}
