//! Page files (`*.page.json`): stored captures, so that tests, benchmarks and bug reports need no
//! browser. They hold what the page script sent; [`crate::wire::decode`] reads it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::hint::Hint;
use crate::page::Page;
use crate::text::address;
use crate::text::surrogates::repaired;
use crate::wire::decode::{CaptureError, decode};
use crate::wire::frames::{FrameDocument, merge_frames};

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
    let damaged = |error: serde_json::Error| CaptureError::Damaged(error.to_string());
    let shown = texts.iter().map(|(text, _)| without_secrets(text).map_err(damaged));
    let shown = shown.collect::<Result<Vec<_>, CaptureError>>()?;
    let (mut captures, mut frames) = (Vec::new(), Vec::new());
    for (text, (_, within)) in shown.iter().zip(texts) {
        captures.push(serde_json::from_str(text).map_err(damaged)?);
        frames.extend(within);
    }
    let envelope = PageFile { pagesight_page: PAGE_FILE_VERSION, captures, frames };
    serde_json::to_string(&envelope).map_err(|error| PageFileError::NotAPageFile(error.to_string()))
}

/// The parts of a capture that have addresses.
#[derive(Deserialize)]
struct CapturedAddresses<'a> {
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(borrow)]
    strings: Vec<Cow<'a, str>>,
    #[serde(default)]
    attrs: Vec<u32>,
}

impl CapturedAddresses<'_> {
    /// Returns the strings that have to be replaced, with what replaces them.
    fn replaced(&self) -> Vec<(usize, String)> {
        let (rows, _) = self.attrs.as_chunks::<3>();
        let string = |at: u32| Some((at as usize, self.strings.get(at as usize)?));
        rows.iter()
            .filter_map(|[_, name, value]| {
                let ((_, name), (at, value)) = (string(*name)?, string(*value)?);
                Some((at, address::attribute(name, value)?))
            })
            .collect()
    }
}

/// Returns a capture without the secrets in its addresses. A capture without any stays byte for
/// byte.
fn without_secrets(text: &str) -> Result<Cow<'_, str>, serde_json::Error> {
    let text = repaired(text).map_or(Cow::Borrowed(text), Cow::Owned);
    let addresses: CapturedAddresses<'_> = serde_json::from_str(&text)?;
    let replaced = addresses.replaced();
    let url = address::display(&addresses.url).into_owned();
    if url == addresses.url && replaced.is_empty() {
        return Ok(text);
    }
    let mut capture: serde_json::Value = serde_json::from_str(&text)?;
    capture["url"] = url.into();
    for (at, shown) in replaced {
        capture["strings"][at] = shown.into();
    }
    Ok(Cow::Owned(capture.to_string()))
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
    let mut frames: Vec<Vec<FrameDocument>> = pages.iter().map(|_| Vec::new()).collect();
    for (at, (holder, local)) in envelope.frames.iter().enumerate().rev() {
        // A document comes after the one that holds its frame.
        let here = at + 1;
        let (Some(inner), Some(page)) = (frames.pop(), pages.pop().filter(|_| *holder < here))
        else {
            return Err(PageFileError::NotAPageFile("a frame is out of order".into()));
        };
        let token = &pages[*holder].documents[0].token;
        let owner = pages[*holder].find(token, *local);
        let owner = owner
            .ok_or_else(|| PageFileError::NotAPageFile("a frame element is missing".into()))?;
        frames[*holder].push(FrameDocument { owner, frame: None, page: merge_frames(page, inner) });
    }
    let (Some(top), Some(inner)) = (pages.pop(), frames.pop()) else {
        return Err(PageFileError::NotAPageFile("no capture in it".into()));
    };
    let mut page = merge_frames(top, inner);
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

    #[test]
    fn secrets_in_addresses_are_not_stored() {
        let capture = r#"{"v":1,"doc":"d","url":"http://ci:PASS@x/?token=abc","title":"\ud83d","viewport":[1280,720,1],
            "scroll":[0,0],"size":[1280,720.5],"strings":["","a","href","/y?token=abc"],
            "nodes":{"size":[0],"id":[1],"tag":[1],"role":[0],"name":[0],"box":[0,0,9,9],"flags":[2]},"attrs":[0,2,3]}"#;
        let file = write(&[(capture.to_owned(), None)]).unwrap();
        assert!(
            !file.contains("PASS") && !file.contains("abc") && file.contains("720.5"),
            "{file}"
        );
        assert_eq!(read(&file).unwrap().url(), "http://x/?token=…");
        let plain = capture
            .replace("ci:PASS@x/?token=abc", "x/")
            .replace("?token=abc", "")
            .replace("\\ud83d", "T");
        assert!(write(&[(plain.clone(), None)]).unwrap().contains(&plain), "stored as it was sent");
    }
}
