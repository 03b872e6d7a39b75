//! In which form rows are printed, and how many.

use serde::{Deserialize, Serialize};

use crate::hint::Wording;

/// The formats of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowsFormat {
    /// One line per row.
    #[default]
    Text,
    /// Comma-separated values (RFC 4180).
    Csv,
    /// JSON.
    Json,
    /// A table in Markdown.
    Markdown,
}

impl RowsFormat {
    /// Returns the format that the name of a file says.
    pub fn of_file(name: &str) -> Option<RowsFormat> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "txt" => Some(RowsFormat::Text),
            "csv" => Some(RowsFormat::Csv),
            "json" => Some(RowsFormat::Json),
            "md" => Some(RowsFormat::Markdown),
            _ => None,
        }
    }

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            RowsFormat::Text => "text",
            RowsFormat::Csv => "csv",
            RowsFormat::Json => "json",
            RowsFormat::Markdown => "markdown",
        }
    }
}

/// How much of the rows is printed, and in which form.
#[derive(Clone, Copy, Debug)]
pub struct RowsOptions {
    /// The form.
    pub format: RowsFormat,
    /// The most rows.
    pub limit: usize,
    /// How many rows the reader has already.
    pub after: usize,
    /// The largest answer, in o200k tokens.
    pub max_tokens: usize,
    /// The words of hints.
    pub wording: Wording,
}

impl Default for RowsOptions {
    fn default() -> RowsOptions {
        RowsOptions {
            format: RowsFormat::Text,
            limit: 20,
            after: 0,
            max_tokens: 1_000,
            wording: Wording::PLAIN,
        }
    }
}
