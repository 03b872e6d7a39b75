//! Calls a tool and turns its answer into the form of MCP.

use base64::Engine;
use pagesight_core::text::{escape, json};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::tools::answer::{Answer, Content};
use crate::tools::registry::Tool;
use crate::tools::workspace::Workspace;

/// The result of a call.
pub(crate) struct Called {
    pub(crate) result: CallToolResult,
    /// Nothing could be done, because there is no browser.
    pub(crate) impossible: bool,
}

/// Calls a tool. If `cancelled` ends first, the call is stopped; a batch ends between two actions.
pub(crate) async fn call(
    workspace: &Workspace,
    tool: &Tool,
    arguments: Map<String, Value>,
    cancelled: impl Future<Output = ()>,
) -> Called {
    let stop = CancellationToken::new();
    let call = tool.call(workspace, Value::Object(arguments), &stop);
    tokio::pin!(call);
    let done = tokio::select! {
        biased;
        done = &mut call => done,
        () = cancelled => {
            stop.cancel();
            call.await
        }
    };
    let hidden = workspace.session.hidden_values();
    match done {
        Ok(answer) => Called { result: result_of(answer.without(&hidden)), impossible: false },
        Err(error) => {
            let sentence = error.sentence(workspace.session.wording());
            let text = text_block(&hidden.hide(sentence));
            let impossible = error.is_without_browser();
            Called { result: CallToolResult::error(vec![text]), impossible }
        }
    }
}

/// Returns lines of text, without anything that a page must not write.
pub(super) fn text_block(text: &str) -> ContentBlock {
    ContentBlock::text(escape::lines(text))
}

pub(crate) fn result_of(answer: Answer) -> CallToolResult {
    let block = match answer.content {
        Content::Text(text) => text_block(&text),
        Content::JsonText(text) => ContentBlock::text(json::escaped(&text)),
        Content::Json(value) => ContentBlock::text(json::to_text(&value)),
        Content::Image { bytes, media_type } => {
            ContentBlock::image(base64::engine::general_purpose::STANDARD.encode(bytes), media_type)
        }
    };
    let blocks = std::iter::once(block).chain(answer.beside.as_deref().map(text_block)).collect();
    if answer.failed { CallToolResult::error(blocks) } else { CallToolResult::success(blocks) }
}
