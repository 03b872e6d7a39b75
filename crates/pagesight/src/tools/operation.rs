//! The trait that every tool implements, and the function that runs tools.

use std::future::Future;
use std::time::Duration;

use pagesight_session::SessionError;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use super::workspace::Workspace;

/// The answer of a tool, or the error that it reports.
pub(crate) type ToolResult = Result<Answer, SessionError>;

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

    /// Runs it until `stop` is given.
    fn run_until(
        workspace: &Workspace,
        parameters: Self::Parameters,
        stop: &CancellationToken,
    ) -> impl Future<Output = ToolResult> + Send {
        async move {
            tokio::select! {
                biased;
                answer = Self::run(workspace, parameters) => answer,
                () = stop.cancelled() => Err(SessionError::Cancelled),
            }
        }
    }
}

/// Runs an operation within its time limit.
pub(crate) async fn run<O: Operation>(
    workspace: &Workspace,
    parameters: O::Parameters,
) -> ToolResult {
    run_until::<O>(workspace, parameters, &CancellationToken::new()).await
}

/// Runs an operation within its time limit, or until `stop` is given. Adds the session's notice,
/// for example that the browser was restarted.
pub(crate) async fn run_until<O: Operation>(
    workspace: &Workspace,
    parameters: O::Parameters,
    stop: &CancellationToken,
) -> ToolResult {
    let done = tokio::time::timeout(O::LIMIT, O::run_until(workspace, parameters, stop)).await;
    let answer = done.unwrap_or(Err(SessionError::TookTooLong { seconds: O::LIMIT.as_secs() }));
    let Some(notice) = workspace.session.take_notice() else { return answer };
    match answer {
        Ok(answer) => Ok(answer.with_notice(&notice)),
        Err(error) => {
            Err(SessionError::Input(format!("{} ({notice})", workspace.sentence(&error))))
        }
    }
}
