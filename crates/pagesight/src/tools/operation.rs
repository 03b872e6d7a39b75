//! The traits that tools implement, and the functions that run them.

use std::future::Future;
use std::time::Duration;

use pagesight_session::SessionError;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use super::error::ToolError;
use super::workspace::Workspace;

/// The answer of a tool, or the error that it reports.
pub(crate) type ToolResult = Result<Answer, ToolError>;

/// How long a call may take.
const CALL_LIMIT: Duration = Duration::from_secs(30);

/// The effect of an operation, for the annotations that MCP clients show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Reads,
    /// Navigates, or changes settings of the session.
    Steers,
    /// May change data on a server or in a store.
    Acts,
}

/// A tool: its name, its parameters and its implementation.
pub(crate) trait Operation {
    const NAME: &'static str;
    /// The description that agents read; short, because it costs tokens.
    const DESCRIPTION: &'static str;
    const EFFECT: Effect;
    /// How long it may take.
    const LIMIT: Duration = CALL_LIMIT;
    type Parameters: DeserializeOwned + JsonSchema + Send;

    fn run(
        workspace: &Workspace,
        parameters: Self::Parameters,
    ) -> impl Future<Output = ToolResult> + Send;
}

/// An operation of several steps. A call that is cancelled ends between two of them, because a step
/// must not end halfway.
pub(crate) trait SteppedOperation: Operation {
    /// Runs it until `stop` is given.
    fn run_until(
        workspace: &Workspace,
        parameters: Self::Parameters,
        stop: &CancellationToken,
    ) -> impl Future<Output = ToolResult> + Send;
}

/// Completes a call: ends it at its time limit, and adds the session's notice, for example that the
/// browser was restarted.
pub(super) async fn complete(
    workspace: &Workspace,
    limit: Duration,
    running: impl Future<Output = ToolResult>,
) -> ToolResult {
    let too_long = || SessionError::TookTooLong { seconds: limit.as_secs() };
    let done = tokio::time::timeout(limit, running).await;
    let answer = done.unwrap_or_else(|_| Err(too_long().into()));
    let Some(notice) = workspace.session.take_notice() else { return answer };
    match answer {
        Ok(answer) => Ok(answer.with_notice(&notice)),
        Err(error) => Err(ToolError::WithNotice { error: Box::new(error), notice }),
    }
}
