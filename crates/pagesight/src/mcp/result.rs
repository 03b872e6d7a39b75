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

/// Calls a tool in a workspace. If `stop` is given, the call may finish the step that it is in.
pub(crate) async fn call(
    workspace: &Workspace,
    tool: &Tool,
    arguments: Map<String, Value>,
    stop: &CancellationToken,
) -> Called {
    let done = tool.call(workspace, Value::Object(arguments), stop).await;
    let hidden = workspace.session.hidden_values();
    match done {
        Ok(answer) => Called { result: result_of(answer.without(&hidden)), impossible: false },
        Err(error) => {
            let sentence = error.sentence(workspace.session.wording());
            let result = failure(&hidden.hide(sentence));
            Called { result, impossible: error.is_without_browser() }
        }
    }
}

/// Runs a call. When `cancelled` ends, `stop` is given, and the call ends soon.
pub(crate) async fn stop_when<T>(
    cancelled: impl Future<Output = ()>,
    stop: &CancellationToken,
    call: impl Future<Output = T>,
) -> T {
    tokio::pin!(call);
    tokio::select! {
        biased;
        done = &mut call => done,
        () = cancelled => {
            stop.cancel();
            call.await
        }
    }
}

/// Returns the result of a call that failed with a sentence.
pub(crate) fn failure(sentence: &str) -> CallToolResult {
    CallToolResult::error(vec![text_block(sentence)])
}

/// Returns lines of text, without anything that a page must not write.
fn text_block(text: &str) -> ContentBlock {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use pagesight_browser::{Browser, BrowserError, Connected, LaunchOptions, OpenedTab, Viewport};
    use pagesight_session::{Options, Session};
    use tokio::sync::mpsc;

    use super::*;
    use crate::tools::evaluate_permission::EvaluatePermission;
    use crate::tools::registry::{all, find};

    /// A browser that has ended.
    struct EndedBrowser;

    #[async_trait]
    impl Browser for EndedBrowser {
        fn product(&self) -> &str {
            "Ended 1"
        }

        fn is_alive(&self) -> bool {
            false
        }

        async fn open_tab(&self, _viewport: Viewport) -> Result<OpenedTab, BrowserError> {
            Err(BrowserError::Disconnected)
        }

        async fn end_busiest_page_process(&self) -> Result<(), BrowserError> {
            Ok(())
        }

        async fn close(&self) {}
    }

    #[tokio::test]
    async fn a_cancelled_call_is_awaited() {
        let stop = CancellationToken::new();
        let call = async {
            stop.cancelled().await;
            "stopped"
        };
        assert_eq!(stop_when(std::future::ready(()), &stop, call).await, "stopped");
        let (stop, never) = (CancellationToken::new(), std::future::pending());
        assert_eq!(stop_when(never, &stop, async { "done" }).await, "done");
        assert!(!stop.is_cancelled());
    }

    #[tokio::test]
    async fn a_browser_that_cannot_be_restarted_is_reported_as_ended() {
        let (_events, events) = mpsc::unbounded_channel();
        let connected = Connected { browser: Arc::new(EndedBrowser), events };
        let program = Some("/no/such/browser".into());
        let launch = LaunchOptions { program, ..LaunchOptions::default() };
        let options = Options { launch, ..Options::default() };
        let workspace =
            Workspace::new(Session::with_browser(options, connected), EvaluatePermission::Off);
        let (tools, stop) = (all(EvaluatePermission::Off), CancellationToken::new());
        let tool = find(&tools, "get_page_info").unwrap();
        let mut calls = Vec::new();
        for _ in 0..2 {
            let Called { result, impossible } = call(&workspace, tool, Map::new(), &stop).await;
            assert!(impossible, "there is no browser: {result:?}");
            let value = serde_json::to_value(result).unwrap();
            calls.push(value["content"][0]["text"].as_str().unwrap().to_owned());
        }
        assert!(calls[0].starts_with(&calls[1]), "{calls:?}");
        let notice = &calls[0][calls[1].len()..];
        assert_eq!(notice, " (the browser had ended; its tabs and references are gone)");
    }
}
