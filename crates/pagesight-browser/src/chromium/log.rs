//! Entries that a tab of a Chromium writes to its log: console calls, exceptions, messages of the
//! browser, and the bodies of requests, which stay in the browser until they are asked for.

use std::sync::atomic::Ordering;
use std::time::Duration;

use base64::Engine as _;
use serde_json::json;

use super::log_protocol::{LogAdded, ObjectPreview, PostData, ResponseBody, StackTrace};
use super::protocol as p;
use super::state::{ChromiumTabState, World};
use crate::api::events::TabEvent;
use crate::api::log::{BodyData, BodySide, ConsoleLevel, ConsoleMessage, ScriptFrame};
use crate::engine::console::{ConsoleArgument, STACK_LIMIT, bounded, frame, joined, quoted};
use crate::error::{BrowserError, Result};

impl ChromiumTabState {
    /// Handles an uncaught exception.
    pub(super) fn exception(&self, session: &str, thrown: p::ExceptionThrown) {
        let details = thrown.exception_details;
        let context = details.execution_context_id;
        let is_ours = |world: &World| world.session == session && Some(world.id) == context;
        let ours = self.status.borrow().frames.worlds.iter().any(is_ours);
        if ours {
            tracing::warn!(message = details.message(), "the page script threw");
            return;
        }
        if !self.live.load(Ordering::Relaxed) {
            return;
        }
        let text = details.message();
        let mut stack = frames(details.stack_trace);
        if stack.is_empty() && !details.url.is_empty() {
            stack.push(frame(
                details.url,
                details.line_number,
                details.column_number,
                String::new(),
            ));
        }
        self.logged(ConsoleLevel::Error, text, stack, false);
    }

    /// Handles a call of the console.
    pub(super) fn console(&self, called: p::ConsoleCalled) {
        if !self.live.load(Ordering::Relaxed) {
            return;
        }
        let level = match called.kind.as_str() {
            "error" | "assert" => ConsoleLevel::Error,
            "warning" => ConsoleLevel::Warning,
            "info" => ConsoleLevel::Info,
            "debug" => ConsoleLevel::Debug,
            // These say nothing.
            "clear" | "endGroup" | "profile" | "profileEnd" => return,
            _ => ConsoleLevel::Log,
        };
        let arguments: Vec<ConsoleArgument> =
            called.args.iter().take(20).map(p::RemoteObject::argument).collect();
        let mut text = joined(&arguments);
        if called.kind == "assert" {
            text = format!("Assertion failed: {text}");
        }
        self.logged(level, text, frames(called.stack_trace), false);
    }

    /// Handles a message that the browser itself wrote.
    pub(super) fn browser_message(&self, added: LogAdded) {
        let entry = added.entry;
        // The request says the same.
        if !self.live.load(Ordering::Relaxed) || entry.source == "network" {
            return;
        }
        let level = match entry.level.as_str() {
            "error" => ConsoleLevel::Error,
            "warning" => ConsoleLevel::Warning,
            "verbose" => ConsoleLevel::Debug,
            _ => ConsoleLevel::Info,
        };
        let mut stack = frames(entry.stack_trace);
        if let (true, Some(url), Some(line)) = (stack.is_empty(), entry.url, entry.line_number) {
            stack.push(frame(url, line, 0, String::new()));
        }
        self.logged(level, bounded(&entry.text), stack, entry.network_request_id.is_some());
    }

    fn logged(
        &self,
        level: ConsoleLevel,
        text: String,
        stack: Vec<ScriptFrame>,
        about_request: bool,
    ) {
        let message = ConsoleMessage { level, text, stack, about_request };
        self.report(TabEvent::Console(message));
    }

    /// Returns a body that the browser still has.
    pub(super) async fn body(
        &self,
        request: &str,
        side: BodySide,
        limit: Duration,
    ) -> Result<BodyData> {
        // The session of the request is not known any more.
        let mut sessions = vec![self.session().to_owned()];
        let frames: Vec<String> = {
            let status = self.status.borrow();
            status.frames.out_of_process.iter().map(|frame| frame.session.clone()).collect()
        };
        sessions.extend(frames.into_iter().take(20));
        let params = json!({"requestId": request});
        for session in sessions {
            let body = match side {
                BodySide::Request => {
                    let method = "Network.getRequestPostData";
                    let sent = self.call_in::<PostData>(&session, method, &params, limit).await;
                    sent.map(|sent| BodyData::Text(sent.post_data))
                }
                BodySide::Response => {
                    let method = "Network.getResponseBody";
                    let got = self.call_in::<ResponseBody>(&session, method, &params, limit).await;
                    got.map(decoded)
                }
            };
            match body {
                // Not in this session, or not any more.
                Err(BrowserError::Refused { .. }) => {}
                other => return other,
            }
        }
        Ok(BodyData::Missing)
    }
}

fn decoded(body: ResponseBody) -> BodyData {
    match body.base64_encoded {
        false => BodyData::Text(body.body),
        true => match base64::engine::general_purpose::STANDARD.decode(body.body) {
            Ok(bytes) => BodyData::of_bytes(bytes),
            Err(_) => BodyData::Missing,
        },
    }
}

/// Returns the calls of a stack; of one that is empty, those that scheduled it.
pub(super) fn frames(stack: Option<StackTrace>) -> Vec<ScriptFrame> {
    let mut stack = stack;
    while let Some(one) = stack {
        let calls: Vec<ScriptFrame> = one
            .call_frames
            .into_iter()
            .filter(|call| !call.url.is_empty())
            .take(STACK_LIMIT)
            .map(|call| frame(call.url, call.line_number, call.column_number, call.function_name))
            .collect();
        if !calls.is_empty() {
            return calls;
        }
        stack = one.parent.map(|parent| *parent);
    }
    Vec::new()
}

impl p::RemoteObject {
    /// Returns it as an argument of the console.
    fn argument(&self) -> ConsoleArgument {
        let is_string = self.kind == "string";
        let text = match &self.preview {
            Some(preview) if self.subtype.as_deref() != Some("error") => preview.short(),
            _ => self.text_of_lines(is_string),
        };
        ConsoleArgument { text, is_string }
    }
}

impl ObjectPreview {
    /// Returns the short form of an object: `{a: 1, b: "x", …}`.
    fn short(&self) -> String {
        let subtype = self.subtype.as_deref().unwrap_or_default();
        if !matches!(subtype, "" | "array" | "map" | "set" | "typedarray" | "arraybuffer") {
            return self.description.clone();
        }
        let is_list = matches!(subtype, "array" | "set" | "typedarray");
        let mut members: Vec<String> = Vec::new();
        for property in &self.properties {
            // The length of a list is in its description.
            if subtype == "array" && property.name.parse::<u32>().is_err() {
                continue;
            }
            let value = match property.kind.as_str() {
                "string" => quoted(&property.value),
                "function" => "function".to_owned(),
                "accessor" => "getter".to_owned(),
                _ => property.value.clone(),
            };
            members.push(if is_list { value } else { format!("{}: {value}", property.name) });
        }
        for entry in &self.entries {
            let value = entry.value.short_value();
            members.push(match &entry.key {
                Some(key) => format!("{} => {value}", key.short_value()),
                None => value,
            });
        }
        if self.overflow {
            members.push("…".to_owned());
        }
        let named = !matches!(self.description.as_str(), "" | "Object")
            && (subtype != "array" || !self.description.starts_with("Array("));
        let name = if named { format!("{} ", self.description) } else { String::new() };
        match is_list {
            true => format!("{name}[{}]", members.join(", ")),
            false => format!("{name}{{{}}}", members.join(", ")),
        }
    }

    fn short_value(&self) -> String {
        match self.kind.as_str() {
            "string" => quoted(&self.description),
            _ => self.description.clone(),
        }
    }
}
