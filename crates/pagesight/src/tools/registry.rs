//! The list of all tools.

use std::future::Future;
use std::pin::Pin;

use pagesight_session::SessionError;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use super::baselines::ManageBaselines;
use super::compare::Compare;
use super::evaluate::Evaluate;
use super::expand::Expand;
use super::experiments::Experiments;
use super::fingerprint::GetFingerprint;
use super::info::Info;
use super::inspect::Inspect;
use super::interact::Interact;
use super::log::Log;
use super::navigate::Navigate;
use super::operation::{self, Effect, Operation};
use super::schema;
use super::screenshot::TakeScreenshot;
use super::snapshot::TakeSnapshot;
use super::tabs::ManageTabs;
use super::workspace::Workspace;

type ToolFuture<'a> = Pin<Box<dyn Future<Output = Result<Answer, SessionError>> + Send + 'a>>;

/// An operation as data, to be listed and called by name.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) effect: Effect,
    pub(crate) schema: fn() -> Map<String, Value>,
    call: for<'a> fn(&'a Workspace, Value, &'a CancellationToken) -> ToolFuture<'a>,
}

impl Tool {
    fn of<O: Operation>() -> Tool {
        Tool {
            name: O::NAME,
            description: O::DESCRIPTION,
            effect: O::EFFECT,
            schema: schema::of::<O::Parameters>,
            call: |workspace, arguments, stop| {
                Box::pin(async move {
                    let parameters = serde_json::from_value(arguments)
                        .map_err(|error| wrong_arguments(O::NAME, &error))?;
                    operation::run_until::<O>(workspace, parameters, stop).await
                })
            },
        }
    }

    /// Calls it with JSON arguments. The call ends early if `stop` is given.
    pub(crate) fn call<'a>(
        &self,
        workspace: &'a Workspace,
        arguments: Value,
        stop: &'a CancellationToken,
    ) -> ToolFuture<'a> {
        (self.call)(workspace, arguments, stop)
    }
}

/// Describes what is wrong with the arguments, without the names of Rust's number types.
fn wrong_arguments(tool: &str, error: &serde_json::Error) -> SessionError {
    let mut text = error.to_string();
    for own in ["usize", "u64", "u32"] {
        text = text.replace(&format!("expected {own}"), "expected a whole number");
    }
    text = text.replace("expected f64", "expected a number");
    SessionError::Input(format!(
        "{tool}: {}; see the tool's schema",
        text.chars().take(300).collect::<String>()
    ))
}

/// Returns every tool that is offered, in the order that agents see.
pub(crate) fn all(allow_evaluate: bool) -> Vec<Tool> {
    let mut tools = vec![
        Tool::of::<Navigate>(),
        Tool::of::<Inspect>(),
        Tool::of::<Interact>(),
        Tool::of::<Expand>(),
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
    if allow_evaluate {
        tools.push(Tool::of::<Evaluate>());
    }
    tools
}
