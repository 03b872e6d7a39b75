//! The list of all tools.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use pagesight_session::SessionError;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::baselines::ManageBaselines;
use super::compare::Compare;
use super::error::ArgumentError;
use super::evaluate::{self, Evaluate};
use super::evaluate_permission::EvaluatePermission;
use super::expand::Expand;
use super::experiments::Experiments;
use super::fingerprint::GetFingerprint;
use super::info::Info;
use super::inspect::Inspect;
use super::interact::Interact;
use super::log::Log;
use super::navigate::Navigate;
use super::operation::{Effect, Operation, SteppedOperation, ToolResult, complete};
use super::rows::ReadRows;
use super::schema;
use super::screenshot::TakeScreenshot;
use super::snapshot::TakeSnapshot;
use super::tabs::ManageTabs;
use super::workspace::Workspace;

type ToolFuture<'a> = Pin<Box<dyn Future<Output = ToolResult> + Send + 'a>>;

/// An operation as data, to be listed and called by name.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) effect: Effect,
    pub(crate) schema: fn() -> Map<String, Value>,
    limit: Duration,
    run: for<'a> fn(&'a Workspace, Value, &'a CancellationToken) -> ToolFuture<'a>,
}

impl Tool {
    fn of<O: Operation>() -> Tool {
        Tool {
            name: O::NAME,
            description: O::DESCRIPTION,
            effect: O::EFFECT,
            schema: schema::of::<O::Parameters>,
            limit: O::LIMIT,
            run: |workspace, arguments, stop| {
                Box::pin(async move {
                    let running = O::run(workspace, parameters::<O>(arguments)?);
                    tokio::select! {
                        biased;
                        answer = running => answer,
                        () = stop.cancelled() => Err(SessionError::Cancelled.into()),
                    }
                })
            },
        }
    }

    fn stepped<O: SteppedOperation>() -> Tool {
        Tool {
            run: |workspace, arguments, stop| {
                Box::pin(
                    async move { O::run_until(workspace, parameters::<O>(arguments)?, stop).await },
                )
            },
            ..Tool::of::<O>()
        }
    }

    /// Calls it with JSON arguments. The call ends early if `stop` is given.
    pub(crate) async fn call(
        &self,
        workspace: &Workspace,
        arguments: Value,
        stop: &CancellationToken,
    ) -> ToolResult {
        complete(workspace, self.limit, (self.run)(workspace, arguments, stop)).await
    }
}

/// Reads the arguments of a call.
fn parameters<O: Operation>(arguments: Value) -> Result<O::Parameters, ArgumentError> {
    serde_json::from_value(arguments).map_err(|error| {
        let reason = described(&error).chars().take(300).collect();
        ArgumentError::NotInSchema { tool: O::NAME, reason }
    })
}

/// Returns what is wrong with JSON, without the names of Rust's number types.
pub(crate) fn described(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    for own in ["usize", "u64", "u32"] {
        text = text.replace(&format!("expected {own}"), "expected a whole number");
    }
    text.replace("expected f64", "expected a number")
}

/// Finds a tool by its name.
pub(crate) fn find<'a>(tools: &'a [Tool], name: &str) -> Result<&'a Tool, UnknownTool> {
    tools.iter().find(|tool| tool.name == name).ok_or_else(|| {
        let known: Vec<&str> = tools.iter().map(|tool| tool.name).collect();
        UnknownTool { given: name.chars().take(60).collect(), known: known.join(", ") }
    })
}

/// There is no tool of this name.
#[derive(Debug, thiserror::Error)]
#[error("unknown tool {given:?}; the tools are {known}")]
pub(crate) struct UnknownTool {
    given: String,
    known: String,
}

/// Returns every tool that is offered, in the order that agents see.
pub(crate) fn all(evaluate: EvaluatePermission) -> Vec<Tool> {
    let mut tools = vec![
        Tool::of::<Navigate>(),
        Tool::of::<Inspect>(),
        Tool::stepped::<Interact>(),
        Tool::of::<Expand>(),
        Tool::of::<ReadRows>(),
        Tool::of::<TakeSnapshot>(),
        Tool::of::<GetFingerprint>(),
        Tool::of::<Compare>(),
        Tool::of::<ManageBaselines>(),
        Tool::of::<TakeScreenshot>(),
        Tool::of::<Info>(),
        Tool::of::<Log>(),
        Tool::of::<ManageTabs>(),
        Tool::of::<Experiments>(),
    ];
    match evaluate {
        EvaluatePermission::Off => {}
        EvaluatePermission::ReadByDefault | EvaluatePermission::Read => tools.push(Tool {
            description: evaluate::READING,
            effect: Effect::Reads,
            ..Tool::of::<Evaluate>()
        }),
        EvaluatePermission::All => tools.push(Tool::of::<Evaluate>()),
    }
    tools
}
