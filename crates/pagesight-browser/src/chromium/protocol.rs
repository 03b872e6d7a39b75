//! The messages of the DevTools protocol that we read, with the fields that we use. Commands are
//! written where they are sent.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::log_protocol::{Headers, ObjectPreview, ResourceTiming, StackTrace};
use crate::api::events::asks_for_stream;
use crate::engine::console::bounded;
use crate::engine::page_script::first_line;
use crate::error::{BrowserError, Result};
use crate::wire::json::decode;

/// The error of a navigation that ended without a document but did not fail.
pub(super) const ABORTED: &str = "net::ERR_ABORTED";
/// The error of a page that asks for a name and a password.
pub(super) const NO_LOGIN: &str = "net::ERR_INVALID_AUTH_CREDENTIALS";

#[derive(Deserialize)]
pub(super) struct Version {
    pub(super) product: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetInfo {
    pub(super) target_id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) subtype: Option<String>,
    #[serde(default)]
    pub(super) title: String,
    #[serde(default)]
    pub(super) url: String,
    pub(super) opener_id: Option<String>,
    pub(super) browser_context_id: Option<String>,
}

/// The parameters of events about a target: created, changed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetNews {
    pub(super) target_info: TargetInfo,
}

/// The parameters of events about the end of a target: destroyed, crashed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetEnd {
    pub(super) target_id: String,
}

/// The reply to `Target.attachToTarget`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AttachedSession {
    pub(super) session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AttachedToTarget {
    pub(super) session_id: String,
    pub(super) target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DetachedFromTarget {
    pub(super) session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreatedTarget {
    pub(super) target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreatedContext {
    pub(super) browser_context_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Frame {
    pub(super) id: String,
    pub(super) parent_id: Option<String>,
    #[serde(default)]
    pub(super) loader_id: String,
    pub(super) url: String,
    #[serde(default)]
    pub(super) url_fragment: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameTree {
    pub(super) frame_tree: FrameNavigated,
}

#[derive(Deserialize)]
pub(super) struct FrameNavigated {
    pub(super) frame: Frame,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
}

/// `Page.frameStartedNavigating`, `Page.frameRequestedNavigation`, `Page.navigatedWithinDocument`,
/// `Page.frameClearedScheduledNavigation`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameMoves {
    pub(super) frame_id: String,
    #[serde(default)]
    pub(super) url: String,
    #[serde(default)]
    pub(super) navigation_type: String,
    #[serde(default)]
    pub(super) disposition: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DialogOpening {
    pub(super) message: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// The text that a prompt proposes.
    pub(super) default_prompt: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct DialogClosed {
    pub(super) result: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Navigated {
    pub(super) loader_id: Option<String>,
    pub(super) error_text: Option<String>,
    #[serde(default)]
    pub(super) is_download: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct History {
    pub(super) current_index: usize,
    pub(super) entries: Vec<HistoryEntry>,
}

#[derive(Deserialize)]
pub(super) struct HistoryEntry {
    pub(super) id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LayoutMetrics {
    pub(super) css_visual_viewport: VisualViewport,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VisualViewport {
    pub(super) page_x: f64,
    pub(super) page_y: f64,
    pub(super) client_width: f64,
    pub(super) client_height: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestWillBeSent {
    pub(super) request_id: String,
    #[serde(default)]
    pub(super) loader_id: String,
    pub(super) request: Request,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    pub(super) frame_id: Option<String>,
    /// Seconds on the browser's clock.
    #[serde(default)]
    pub(super) timestamp: f64,
    pub(super) initiator: Option<RequestInitiator>,
    /// The response that redirected to this request.
    pub(super) redirect_response: Option<Response>,
}

#[derive(Deserialize)]
pub(super) struct RequestInitiator {
    pub(super) stack: Option<StackTrace>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    pub(super) url: String,
    #[serde(default)]
    pub(super) url_fragment: String,
    pub(super) method: String,
    #[serde(default)]
    pub(super) headers: Headers,
}

impl Request {
    /// Returns whether its accept header asks for a stream.
    pub(super) fn streams(&self) -> bool {
        self.headers.get("accept").is_some_and(asks_for_stream)
    }
}

/// `Network.requestWillBeSentExtraInfo`, `Network.responseReceivedExtraInfo`: the headers that were
/// really sent and received.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExtraInfo {
    pub(super) request_id: String,
    #[serde(default)]
    pub(super) headers: Headers,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResponseReceived {
    pub(super) request_id: String,
    pub(super) response: Response,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    pub(super) url: String,
    #[serde(default)]
    pub(super) status: i64,
    #[serde(default)]
    pub(super) headers: Headers,
    #[serde(default)]
    pub(super) mime_type: String,
    pub(super) timing: Option<ResourceTiming>,
}

impl Response {
    /// Returns whether the browser will load the page again, or a different one, later.
    pub(super) fn refreshes(&self) -> bool {
        self.headers.contain("refresh")
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DataReceived {
    pub(super) request_id: String,
    #[serde(default)]
    pub(super) data_length: u64,
    /// As it was sent: compressed, and with the framing of chunks.
    #[serde(default)]
    pub(super) encoded_data_length: u64,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LoadingEnded {
    pub(super) request_id: String,
    #[serde(default)]
    pub(super) error_text: String,
    #[serde(default)]
    pub(super) canceled: bool,
    /// Seconds on the browser's clock.
    #[serde(default)]
    pub(super) timestamp: f64,
    pub(super) encoded_data_length: Option<f64>,
}

#[derive(Deserialize)]
pub(super) struct ContextCreated {
    pub(super) context: Context,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Context {
    pub(super) id: i64,
    pub(super) unique_id: String,
    pub(super) name: String,
    pub(super) aux_data: Option<ContextData>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextData {
    pub(super) frame_id: Option<String>,
    #[serde(default)]
    pub(super) is_default: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextDestroyed {
    pub(super) execution_context_id: i64,
    pub(super) execution_context_unique_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluated {
    pub(super) result: RemoteObject,
    pub(super) exception_details: Option<ExceptionDetails>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct IsolatedWorld {
    pub(super) execution_context_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RemoteObject {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) value: Option<Box<RawValue>>,
    pub(super) unserializable_value: Option<String>,
    pub(super) description: Option<String>,
    pub(super) object_id: Option<String>,
    pub(super) deep_serialized_value: Option<DeepWindows>,
    pub(super) subtype: Option<String>,
    pub(super) preview: Option<ObjectPreview>,
}

/// A list of windows, serialised deeply: each is the id of its frame.
#[derive(Deserialize)]
pub(super) struct DeepWindows {
    pub(super) value: Option<Vec<DeepWindow>>,
}

/// A window; `null` in a list has no value.
#[derive(Deserialize)]
pub(super) struct DeepWindow {
    pub(super) value: Option<WindowProxy>,
}

#[derive(Deserialize)]
pub(super) struct WindowProxy {
    pub(super) context: String,
}

#[derive(Deserialize)]
pub(super) struct Properties {
    pub(super) result: Vec<Property>,
}

#[derive(Deserialize)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) value: Option<RemoteObject>,
}

#[derive(Deserialize)]
pub(super) struct ResolvedNode {
    pub(super) object: RemoteObject,
}

#[derive(Deserialize)]
pub(super) struct DescribedNode {
    pub(super) node: NodeNumber,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NodeNumber {
    pub(super) backend_node_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Searched {
    pub(super) search_id: String,
    pub(super) result_count: i64,
}

#[derive(Deserialize)]
pub(super) struct Metrics {
    pub(super) metrics: Vec<Metric>,
}

#[derive(Deserialize)]
pub(super) struct Metric {
    pub(super) name: String,
    pub(super) value: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PausedRequest {
    pub(super) request_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DownloadWillBegin {
    pub(super) frame_id: String,
    pub(super) guid: String,
    #[serde(default)]
    pub(super) suggested_filename: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DownloadProgress {
    pub(super) guid: String,
    #[serde(default)]
    pub(super) total_bytes: f64,
    #[serde(default)]
    pub(super) received_bytes: f64,
    pub(super) state: String,
}

#[derive(Deserialize)]
pub(super) struct Listeners {
    pub(super) listeners: Vec<Listener>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Listener {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) backend_node_id: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExceptionDetails {
    #[serde(default)]
    pub(super) text: String,
    pub(super) exception: Option<RemoteObject>,
    pub(super) execution_context_id: Option<i64>,
    #[serde(default)]
    pub(super) url: String,
    #[serde(default)]
    pub(super) line_number: i64,
    #[serde(default)]
    pub(super) column_number: i64,
    pub(super) stack_trace: Option<StackTrace>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExceptionThrown {
    pub(super) exception_details: ExceptionDetails,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConsoleCalled {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) args: Vec<RemoteObject>,
    pub(super) stack_trace: Option<StackTrace>,
}

impl RemoteObject {
    /// The value as the console shows it. A string keeps its lines.
    pub(super) fn text_of_lines(&self, is_string: bool) -> String {
        let text = self.value.as_ref().filter(|_| is_string);
        match text.and_then(|raw| decode::<String>(raw).ok()) {
            Some(text) => bounded(&text),
            None => self.text(),
        }
    }

    /// The value as the console shows it, on one line.
    pub(super) fn text(&self) -> String {
        if let Some(text) = self.value.as_ref().and_then(|raw| decode::<String>(raw).ok()) {
            return first_line(&text);
        }
        let text = self.description.as_deref().or(self.unserializable_value.as_deref());
        first_line(text.or(self.value.as_ref().map(|raw| raw.get())).unwrap_or(&self.kind))
    }
}

impl Evaluated {
    /// Returns the value, or the exception as an error.
    pub(super) fn value(self) -> Result<RemoteObject> {
        match self.exception_details {
            Some(exception) => Err(BrowserError::Script(exception.message())),
            None => Ok(self.result),
        }
    }
}

impl ExceptionDetails {
    /// The exception, on one line.
    pub(super) fn message(&self) -> String {
        match &self.exception {
            Some(thrown) => thrown.text(),
            None => first_line(&self.text),
        }
    }
}

/// Names the context that a command concerns.
pub(super) fn in_context(params: &mut Value, context: Option<&str>) {
    if let Some(context) = context {
        params["browserContextId"] = Value::from(context);
    }
}
