//! Reading what the page script answers.

use pagesight_browser::BrowserError;

use crate::error::{Result, SessionError};

/// Reads an answer of the page script.
pub(crate) fn read<T: serde::de::DeserializeOwned>(answer: &str) -> Result<T> {
    serde_json::from_str(answer).map_err(|error| {
        SessionError::Browser(BrowserError::Script(format!(
            "an answer of the page script could not be read ({error})"
        )))
    })
}
