//! Page files (`*.page.json`): stored captures, so that tests, benchmarks and bug reports need no
//! browser. They hold what the page script sent; [`crate::wire::decode`] reads it.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::hint::Hint;
use crate::page::Page;
use crate::wire::decode::{CaptureError, decode};
use crate::wire::frames::{FrameDocument, graft};

/// The version of page files that this build writes and reads.
pub const PAGE_FILE_VERSION: u32 = 1;

/// How many documents a page file may hold.
const MOST_DOCUMENTS: usize = 10_000;

#[derive(Serialize, Deserialize)]
struct PageFile<'a> {
    pagesight_page: u32,
    #[serde(borrow)]
    captures: Vec<&'a RawValue>,
    /// For each capture but the first: the capture that holds its frame element, and that element's
    /// local id there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    frames: Vec<(usize, u32)>,
}

/// Why a page file could not be read.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum PageFileError {
    /// Not a page file.
    #[error("this is not a page file ({0})")]
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

impl PageFileError {
    /// Returns what to do next, unless the message says it.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            PageFileError::NotAPageFile(_) => Some(Hint::SavePage),
            PageFileError::Version { .. } => None,
            PageFileError::Capture(error) => error.hint(),
        }
    }
}

/// Writes captures as a page file: the top document first. The others come with the index of the
/// document that holds their frame element, and with that element's local id.
pub fn write(texts: &[(String, Option<(usize, u32)>)]) -> Result<String, PageFileError> {
    let (mut captures, mut frames) = (Vec::new(), Vec::new());
    for (text, within) in texts {
        let raw =
            serde_json::from_str(text).map_err(|error| CaptureError::Damaged(error.to_string()))?;
        captures.push(raw);
        frames.extend(within);
    }
    let envelope = PageFile { pagesight_page: PAGE_FILE_VERSION, captures, frames };
    serde_json::to_string(&envelope).map_err(|error| PageFileError::NotAPageFile(error.to_string()))
}

/// Reads a page file.
pub fn read(text: &str) -> Result<Page, PageFileError> {
    let envelope: PageFile<'_> = serde_json::from_str(text)
        .map_err(|error| PageFileError::NotAPageFile(error.to_string()))?;
    if envelope.pagesight_page != PAGE_FILE_VERSION {
        return Err(PageFileError::Version { found: envelope.pagesight_page });
    }
    if envelope.captures.is_empty() || envelope.captures.len() > MOST_DOCUMENTS {
        return Err(PageFileError::NotAPageFile(format!(
            "{} captures in it",
            envelope.captures.len()
        )));
    }
    if envelope.frames.len() + 1 != envelope.captures.len() {
        return Err(PageFileError::NotAPageFile("captures and frames do not match".into()));
    }
    let mut pages = Vec::new();
    for capture in &envelope.captures {
        pages.push(decode(capture.get())?);
    }
    let left_out: u32 = pages.iter().map(|page| page.frames_left_out).sum();
    let mut scions: Vec<Vec<FrameDocument>> = pages.iter().map(|_| Vec::new()).collect();
    for (at, (holder, local)) in envelope.frames.iter().enumerate().rev() {
        // A document comes after the one that holds its frame.
        let here = at + 1;
        let (Some(inner), Some(page)) = (scions.pop(), pages.pop().filter(|_| *holder < here))
        else {
            return Err(PageFileError::NotAPageFile("a frame is out of order".into()));
        };
        let token = &pages[*holder].documents[0].token;
        let owner = pages[*holder].find(token, *local);
        let owner = owner
            .ok_or_else(|| PageFileError::NotAPageFile("a frame element is missing".into()))?;
        scions[*holder].push(FrameDocument { owner, frame: None, page: graft(page, inner) });
    }
    let (Some(top), Some(inner)) = (pages.pop(), scions.pop()) else {
        return Err(PageFileError::NotAPageFile("no capture in it".into()));
    };
    let mut page = graft(top, inner);
    page.frames_left_out = left_out.saturating_sub(envelope.frames.len() as u32);
    Ok(page)
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
