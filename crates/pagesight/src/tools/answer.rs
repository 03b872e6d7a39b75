//! The answer of a tool, before MCP or the command line formats it.

use pagesight_core::text::json;
use pagesight_session::HiddenValues;
use serde_json::Value;

use super::error::ToolError;
use super::seen_page::SeenPage;

/// The answer of an operation.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) content: Content,
    /// The operation failed; the content says what was done before.
    pub(crate) failed: bool,
    /// A notice that does not fit into the content.
    pub(crate) beside: Option<String>,
    /// The page that the content shows, as data.
    pub(crate) page: Option<Box<SeenPage>>,
}

/// The content of an answer.
#[derive(Debug)]
pub(crate) enum Content {
    Text(String),
    Json(Value),
    /// JSON that is already serialized, with its keys in a fixed order.
    JsonText(String),
    Image {
        bytes: Vec<u8>,
        media_type: &'static str,
    },
}

impl Answer {
    /// Creates an answer of text.
    pub(crate) fn text(text: impl Into<String>) -> Answer {
        Content::Text(text.into()).into()
    }

    /// Adds a notice: before text, as a member of a JSON object, beside anything else.
    pub(super) fn with_notice(mut self, notice: &str) -> Answer {
        match &mut self.content {
            Content::Text(text) => text.insert_str(0, &format!("{notice}\n")),
            Content::Json(Value::Object(object)) => {
                object.insert("notice".to_owned(), notice.into());
            }
            Content::Json(_) | Content::JsonText(_) | Content::Image { .. } => {
                self.beside = Some(match self.beside {
                    Some(other) => format!("{notice}\n{other}"),
                    None => notice.to_owned(),
                });
            }
        }
        self
    }

    /// Adds the page that the content shows.
    pub(crate) fn showing(self, page: impl Into<SeenPage>) -> Answer {
        Answer { page: Some(Box::new(page.into())), ..self }
    }

    /// Adds what changed after the last answer: before text, as a member of a JSON object.
    pub(crate) fn with_late_changes(mut self, line: &str) -> Answer {
        if let Some(page) = &mut self.page {
            page.changes.insert(0, line.to_owned());
        }
        match &mut self.content {
            Content::Text(text) => text.insert_str(0, &format!("{line}\n")),
            Content::Json(Value::Object(object)) => {
                object.insert("since_last".to_owned(), line.into());
            }
            Content::JsonText(text) if text.starts_with('{') => {
                let member = format!("\"since_last\":{},", json::string(line));
                text.insert_str(1, &member);
            }
            Content::Json(_) | Content::JsonText(_) | Content::Image { .. } => {}
        }
        self
    }

    /// Hides values, also where the text of a page was put together from parts.
    pub(crate) fn without(mut self, hidden: &HiddenValues) -> Answer {
        match &mut self.content {
            Content::Text(text) => *text = hidden.hide(std::mem::take(text)),
            Content::JsonText(text) => {
                if let Some(hidden) = hidden.hidden_in_answer(text) {
                    *text = hidden;
                }
            }
            Content::Json(value) => hidden.hide_in_strings(value),
            Content::Image { .. } => {}
        }
        self.beside = self.beside.map(|text| hidden.hide(text));
        self
    }

    /// Creates an answer of serialized JSON.
    pub(crate) fn json_text(text: String) -> Answer {
        Content::JsonText(text).into()
    }

    /// Creates an answer of JSON.
    pub(crate) fn json(value: &impl serde::Serialize) -> Result<Answer, ToolError> {
        Ok(Content::Json(serde_json::to_value(value)?).into())
    }
}

impl Content {
    /// Returns the content as text for people; empty for an image.
    pub(crate) fn into_text(self) -> String {
        match self {
            Content::Text(text) | Content::JsonText(text) => text,
            Content::Json(value) => format!("{value:#}"),
            Content::Image { .. } => String::new(),
        }
    }
}

impl From<Content> for Answer {
    fn from(content: Content) -> Answer {
        Answer { content, failed: false, beside: None, page: None }
    }
}
