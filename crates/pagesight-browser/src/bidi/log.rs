//! Entries that a tab writes to its log over BiDi: console calls, exceptions, and the bodies of
//! requests, which stay in the browser until they are asked for.

use std::time::Duration;

use base64::Engine as _;
use serde_json::json;

use super::protocol as p;
use super::state::BidiTabState;
use crate::api::events::TabEvent;
use crate::api::log::{BodyData, BodySide, ConsoleLevel, ConsoleMessage, ScriptFrame};
use crate::engine::console::{ConsoleArgument, STACK_LIMIT, bounded, frame, joined};
use crate::error::{BrowserError, Result};

impl BidiTabState {
    /// Handles a message of the console, or an uncaught exception.
    pub(crate) fn logged(&self, entry: p::LogAdded) {
        let level = match entry.level.as_str() {
            "error" => ConsoleLevel::Error,
            "warn" => ConsoleLevel::Warning,
            "debug" => ConsoleLevel::Debug,
            _ if entry.method.as_deref() == Some("log") => ConsoleLevel::Log,
            _ => ConsoleLevel::Info,
        };
        // An error argument has no text of its own.
        let plain = entry.args.is_empty() || entry.args.iter().any(|one| one.kind == "error");
        let mut text = match plain {
            true => bounded(entry.text.as_deref().unwrap_or_default()),
            false => {
                let arguments: Vec<ConsoleArgument> = entry
                    .args
                    .iter()
                    .take(20)
                    .map(|argument| ConsoleArgument {
                        text: argument.short(),
                        is_string: argument.kind == "string",
                    })
                    .collect();
                joined(&arguments)
            }
        };
        if entry.method.as_deref() == Some("assert") {
            text = format!("Assertion failed: {text}");
        }
        let calls = entry.stack_trace.map(|stack| stack.call_frames).unwrap_or_default();
        let stack: Vec<ScriptFrame> = calls
            .into_iter()
            .filter(|call| !call.url.is_empty())
            .take(STACK_LIMIT)
            .map(|call| frame(call.url, call.line_number, call.column_number, call.function_name))
            .collect();
        let message = ConsoleMessage { level, text, stack, about_request: false };
        self.report(TabEvent::Console(message));
    }

    /// Returns a body that the browser still has.
    pub(crate) async fn body(
        &self,
        request: &str,
        side: BodySide,
        limit: Duration,
    ) -> Result<BodyData> {
        let kind = match side {
            BodySide::Request => "request",
            BodySide::Response => "response",
        };
        let params = json!({"dataType": kind, "request": request});
        match self.call::<p::NetworkData>("network.getData", params, limit).await {
            Ok(data) if data.bytes.kind == "base64" => {
                let decoded = base64::engine::general_purpose::STANDARD.decode(data.bytes.value);
                Ok(decoded.map_or(BodyData::Missing, BodyData::of_bytes))
            }
            Ok(data) => Ok(BodyData::Text(data.bytes.value)),
            Err(BrowserError::Refused { message, .. })
                if message.starts_with("unknown command") =>
            {
                let what = "reading the bodies of requests before version 143";
                Err(BrowserError::Unsupported { what, engine: "Firefox" })
            }
            // It was not collected, or not kept.
            Err(BrowserError::Refused { .. }) => Ok(BodyData::Missing),
            Err(error) => Err(error),
        }
    }
}
