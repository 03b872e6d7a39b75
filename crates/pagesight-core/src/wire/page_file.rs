//! Page files (`*.page.json`): stored captures, so that tests, benchmarks and bug reports need no
//! browser. They hold what the page script sent; [`crate::wire::decode`] reads it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::hint::Hint;
use crate::page::Page;
use crate::text::address;
use crate::text::hidden_values::HiddenValues;
use crate::text::hidden_values::across::{CellKind, hidden_across};
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
/// document that holds their frame element, and with that element's local id. Hidden values that
/// are spread over several nodes are replaced; those in one text were, before.
pub fn write(
    texts: &[(String, Option<(usize, u32)>)],
    hidden: &HiddenValues,
) -> Result<String, PageFileError> {
    let damaged = |error: serde_json::Error| CaptureError::Damaged(error.to_string());
    let shown = texts.iter().map(|(text, _)| without_secrets(text, hidden).map_err(damaged));
    let shown = shown.collect::<Result<Vec<_>, CaptureError>>()?;
    let (mut captures, mut frames) = (Vec::new(), Vec::new());
    for (text, (_, within)) in shown.iter().zip(texts) {
        captures.push(serde_json::from_str(text).map_err(damaged)?);
        frames.extend(within);
    }
    let envelope = PageFile { pagesight_page: PAGE_FILE_VERSION, captures, frames };
    serde_json::to_string(&envelope).map_err(|error| PageFileError::NotAPageFile(error.to_string()))
}

/// The parts of a capture that have texts.
#[derive(Deserialize)]
struct CapturedTexts<'a> {
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(borrow)]
    strings: Vec<Cow<'a, str>>,
    nodes: CapturedNames,
    #[serde(default)]
    value: Vec<u32>,
    #[serde(default)]
    options: Vec<u32>,
    #[serde(default)]
    attrs: Vec<u32>,
    #[serde(default)]
    clues: Vec<u32>,
}

/// A column of a capture, or [`NAMES`], and a place in it.
type CellPlace = (&'static str, usize);

#[derive(Deserialize)]
struct CapturedNames {
    tag: Vec<u32>,
    name: Vec<u32>,
}

impl CapturedTexts<'_> {
    /// Returns all texts in the order of the page, with the places of their indices: a column of
    /// the capture, or the names of its nodes, and the place there.
    fn cells(&self) -> Vec<(CellPlace, (CellKind, u32))> {
        let mut cells = Vec::new();
        for (at, (tag, name)) in self.nodes.tag.iter().zip(&self.nodes.name).enumerate() {
            let kind = if *tag == 0 { CellKind::Text } else { CellKind::Name };
            cells.push(((NAMES, at), (kind, *name)));
        }
        for (column, rows, kind) in
            [("value", &self.value, CellKind::Value), ("options", &self.options, CellKind::Option)]
        {
            let (rows, _) = rows.as_chunks::<2>();
            let rows = rows.iter().enumerate();
            cells.extend(rows.map(|(at, [_, text])| ((column, at * 2 + 1), (kind, *text))));
        }
        let attribute: fn(u32) -> CellKind = CellKind::Attribute;
        for (column, rows, kind) in
            [("attrs", &self.attrs, attribute), ("clues", &self.clues, CellKind::Clue)]
        {
            let (rows, _) = rows.as_chunks::<3>();
            let rows = rows.iter().enumerate();
            cells
                .extend(rows.map(|(at, [_, of, text])| ((column, at * 3 + 2), (kind(*of), *text))));
        }
        cells
    }

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

/// Stands for the column of the names of all nodes.
const NAMES: &str = "name";

/// Returns a capture without the secrets in its addresses and without spread values. A capture
/// without any stays byte for byte.
fn without_secrets<'t>(
    text: &'t str,
    hidden: &HiddenValues,
) -> Result<Cow<'t, str>, serde_json::Error> {
    let text = repaired(text).map_or(Cow::Borrowed(text), Cow::Owned);
    let texts: CapturedTexts<'_> = serde_json::from_str(&text)?;
    let replaced = texts.replaced();
    let (places, cells): (Vec<CellPlace>, Vec<_>) = texts.cells().into_iter().unzip();
    let spread = hidden_across(hidden, &cells, &texts.strings);
    let url = address::display(&texts.url).into_owned();
    if url == texts.url && replaced.is_empty() && spread.is_empty() {
        return Ok(text);
    }
    let mut capture: serde_json::Value = serde_json::from_str(&text)?;
    capture["url"] = url.into();
    for (at, shown) in replaced {
        capture["strings"][at] = shown.into();
    }
    for (more, (cell, shown)) in spread.into_iter().enumerate() {
        let (column, at) = places[cell];
        if let Some(strings) = capture["strings"].as_array_mut() {
            strings.push(shown.into());
        }
        let columns = if column == NAMES { &mut capture["nodes"] } else { &mut capture };
        columns[column][at] = (texts.strings.len() + more).into();
    }
    Ok(Cow::Owned(capture.to_string()))
}

/// Reads a page file.
pub fn read(text: &str) -> Result<Page, PageFileError> {
    #[derive(Deserialize)]
    struct Versioned {
        pagesight_page: u32,
    }
    let wrong = |error: serde_json::Error| PageFileError::NotAPageFile(error.to_string());
    // The version comes first: in a newer form, everything else may be different.
    let Versioned { pagesight_page } = serde_json::from_str(text).map_err(wrong)?;
    if pagesight_page != PAGE_FILE_VERSION {
        return Err(PageFileError::Version { found: pagesight_page });
    }
    let envelope: PageFile<'_> = serde_json::from_str(text).map_err(wrong)?;
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
    page.block_behind_dialogs();
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
        for newer in [
            r#"{"pagesight_page":9,"captures":[]}"#,
            r#"{"pagesight_page":9,"captures":{"top":1}}"#,
            r#"{"pages":[],"pagesight_page":9}"#,
        ] {
            assert_eq!(read(newer).unwrap_err(), PageFileError::Version { found: 9 });
        }
    }

    #[test]
    fn secrets_in_addresses_are_not_stored() {
        let none = HiddenValues::default();
        let capture = r#"{"v":1,"doc":"d","url":"http://ci:PASS@x/?token=abc","title":"\ud83d","viewport":[1280,720,1],
            "scroll":[0,0],"size":[1280,720.5],"strings":["","a","href","/y?token=abc"],
            "nodes":{"size":[0],"id":[1],"tag":[1],"role":[0],"name":[0],"box":[0,0,9,9],"flags":[2]},"attrs":[0,2,3]}"#;
        let file = write(&[(capture.to_owned(), None)], &none).unwrap();
        assert!(
            !file.contains("PASS") && !file.contains("abc") && file.contains("720.5"),
            "{file}"
        );
        assert_eq!(read(&file).unwrap().url(), "http://x/?token=…");
        let plain = capture
            .replace("ci:PASS@x/?token=abc", "x/")
            .replace("?token=abc", "")
            .replace("\\ud83d", "T");
        assert!(
            write(&[(plain.clone(), None)], &none).unwrap().contains(&plain),
            "stored as it was sent"
        );
    }
    #[test]
    fn spread_values_are_not_stored() {
        let capture = r#"{"v":1,"doc":"d","url":"http://x/","title":"T","viewport":[1280,720,1],
            "scroll":[0,0],"size":[1280,720],"strings":["","p","hun","ter","22","a","data-char"],
            "nodes":{"size":[4,0,0,0,0],"id":[1,0,0,0,2],"tag":[1,0,0,0,5],"role":[0,0,0,0,0],
            "name":[0,2,3,4,0],"box":[0,0,9,9,0,0,9,9,0,0,9,9,0,0,9,9,0,0,9,9],"flags":[2,2,2,2,2]},
            "attrs":[0,6,2,4,6,3]}"#;
        let mut hidden = HiddenValues::default();
        hidden.add("X", "hunter22");
        hidden.add("Y", "hunter");
        let file = write(&[(capture.to_owned(), None)], &hidden).unwrap();
        let page = read(&file).unwrap();
        let names: Vec<&str> = page.nodes().map(|node| node.name()).collect();
        assert_eq!(names, ["", "${X}", "", "", ""]);
        let values: Vec<_> = page.nodes().filter_map(|node| node.attribute("data-char")).collect();
        assert_eq!(values, ["${Y}", ""]);
        let page = read(&write(&[(capture.to_owned(), None)], &HiddenValues::default()).unwrap());
        let page = page.unwrap().without_spread(&hidden).unwrap();
        assert_eq!(page.nodes().map(|node| node.name()).collect::<Vec<_>>(), names);
    }
}
