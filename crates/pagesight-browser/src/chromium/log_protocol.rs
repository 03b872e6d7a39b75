//! The messages of the DevTools protocol that only the log needs, and headers.

use serde::Deserialize;
use serde_json::Map;

#[derive(Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Headers(Map<String, serde_json::Value>);

impl Headers {
    /// Whether there is one of this name, given in lower case.
    pub(super) fn contain(&self, wanted: &str) -> bool {
        self.0.keys().any(|name| name.eq_ignore_ascii_case(wanted))
    }

    /// Returns the value of the one of this name, given in lower case.
    pub(super) fn get(&self, wanted: &str) -> Option<&str> {
        let mut all = self.0.iter();
        all.find(|(name, _)| name.eq_ignore_ascii_case(wanted))
            .and_then(|(_, value)| value.as_str())
    }

    /// How many headers, and how many characters of each, are kept.
    const MOST: usize = 60;
    const LONGEST: usize = 1_000;

    /// Returns all of them, to be sent again.
    pub(super) fn all(self) -> Vec<(String, String)> {
        let text = |value: serde_json::Value| match value {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        self.0.into_iter().map(|(name, value)| (name, text(value))).collect()
    }

    /// Returns them as a list, within bounds.
    pub(super) fn list(self) -> Vec<(String, String)> {
        let text = |value: serde_json::Value| match value {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        let cut = |text: String| match text.char_indices().nth(Headers::LONGEST) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        };
        let all = self.0.into_iter().take(Headers::MOST);
        all.map(|(name, value)| (cut(name), cut(text(value)))).collect()
    }
}

/// Times of a request: seconds for the start, then milliseconds since it; -1 if it did not happen.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResourceTiming {
    #[serde(default)]
    pub(super) dns_start: f64,
    #[serde(default)]
    pub(super) connect_start: f64,
    #[serde(default)]
    pub(super) connect_end: f64,
    #[serde(default)]
    pub(super) send_start: f64,
    #[serde(default)]
    pub(super) receive_headers_end: f64,
}

impl ResourceTiming {
    /// Returns how long connecting took.
    pub(super) fn connect(&self) -> Option<f64> {
        let start = if self.dns_start >= 0.0 { self.dns_start } else { self.connect_start };
        (self.connect_start >= 0.0).then_some(self.connect_end - start)
    }

    /// Returns how long the first byte took.
    pub(super) fn wait(&self) -> Option<f64> {
        (self.receive_headers_end > 0.0).then_some(self.receive_headers_end - self.send_start)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PostData {
    pub(super) post_data: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResponseBody {
    pub(super) body: String,
    #[serde(default, rename = "base64Encoded")]
    pub(super) base64_encoded: bool,
}

/// The short form of an object that was logged.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ObjectPreview {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    pub(super) subtype: Option<String>,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) overflow: bool,
    #[serde(default)]
    pub(super) properties: Vec<PropertyPreview>,
    #[serde(default)]
    pub(super) entries: Vec<EntryPreview>,
}

#[derive(Deserialize)]
pub(super) struct PropertyPreview {
    pub(super) name: String,
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) value: String,
}

/// An entry of a map or a set.
#[derive(Deserialize)]
pub(super) struct EntryPreview {
    pub(super) key: Option<ObjectPreview>,
    pub(super) value: ObjectPreview,
}

/// The calls that led to something.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StackTrace {
    #[serde(default)]
    pub(super) call_frames: Vec<CallFrame>,
    /// The calls that scheduled it.
    pub(super) parent: Option<Box<StackTrace>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallFrame {
    #[serde(default)]
    pub(super) function_name: String,
    #[serde(default)]
    pub(super) url: String,
    #[serde(default)]
    pub(super) line_number: i64,
    #[serde(default)]
    pub(super) column_number: i64,
}

#[derive(Deserialize)]
pub(super) struct LogAdded {
    pub(super) entry: BrowserLogEntry,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BrowserLogEntry {
    #[serde(default)]
    pub(super) source: String,
    #[serde(default)]
    pub(super) level: String,
    #[serde(default)]
    pub(super) text: String,
    pub(super) url: Option<String>,
    pub(super) line_number: Option<i64>,
    pub(super) stack_trace: Option<StackTrace>,
    pub(super) network_request_id: Option<String>,
}
