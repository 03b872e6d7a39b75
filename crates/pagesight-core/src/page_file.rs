//! Page files (`*.page.json`): a capture with a label, so that tests, benches and bug reports need no browser.
//! The captures inside are the page script's own words; [`crate::capture`] reads them.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::capture::{CaptureError, decode};
use crate::page::Page;

/// The version of page files that this build writes and reads.
pub const PAGE_FILE_VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Envelope<'a> {
    pagesight_page: u32,
    #[serde(borrow)]
    captures: Vec<&'a RawValue>,
}

/// Why a page file could not be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PageFileError {
    /// Not a page file.
    #[error("this is no page file ({0}); write one with --save-page FILE")]
    NotAPageFile(String),
    /// From a newer pagesight.
    #[error(
        "the page file has version {found} but this build reads {PAGE_FILE_VERSION}; use a newer pagesight"
    )]
    Version {
        /// The version found.
        found: u32,
    },
    /// The capture inside cannot be read.
    #[error(transparent)]
    Capture(#[from] CaptureError),
}

/// Puts what the page script sent into a page file.
pub fn write(capture: &str) -> Result<String, PageFileError> {
    let raw = serde_json::from_str(capture).map_err(|error| CaptureError::Damaged(error.to_string()))?;
    let envelope = Envelope { pagesight_page: PAGE_FILE_VERSION, captures: vec![raw] };
    serde_json::to_string(&envelope).map_err(|error| PageFileError::NotAPageFile(error.to_string()))
}

/// Reads a page file.
pub fn read(text: &str) -> Result<Page, PageFileError> {
    let envelope: Envelope<'_> =
        serde_json::from_str(text).map_err(|error| PageFileError::NotAPageFile(error.to_string()))?;
    if envelope.pagesight_page != PAGE_FILE_VERSION {
        return Err(PageFileError::Version { found: envelope.pagesight_page });
    }
    let top =
        envelope.captures.first().ok_or_else(|| PageFileError::NotAPageFile("no capture in it".into()))?;
    Ok(decode(top.get())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_page_file_is_refused() {
        assert!(matches!(read("{}"), Err(PageFileError::NotAPageFile(_))));
        assert!(matches!(read("<html>"), Err(PageFileError::NotAPageFile(_))));
        let newer = r#"{"pagesight_page":9,"captures":[]}"#;
        assert_eq!(read(newer).unwrap_err(), PageFileError::Version { found: 9 });
    }
}
