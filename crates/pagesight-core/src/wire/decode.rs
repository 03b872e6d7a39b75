//! Decodes the wire format of the page script into a [`Page`]. It does not trust its input: a page
//! can make the script send anything, and page files come from anywhere.

use serde::Deserialize;

use crate::hint::Hint;
use crate::page::role::Role;
use crate::page::{
    Document, Flags, FrameView, Hidden, NodeId, Page, Record, Rect, ScrollRoom, Text,
};
use crate::text::address;
use crate::text::surrogates::repaired;

/// The version of the wire format that this build reads.
pub const WIRE_VERSION: u32 = 1;

/// Why a capture could not be read.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum CaptureError {
    /// The caller's selector does not parse.
    #[error("{0}; give a CSS selector such as main or #buy, a reference, full or viewport")]
    Selector(String),
    /// The page script failed.
    #[error("the page could not be read ({0})")]
    Script(String),
    /// Written by a different version.
    #[error(
        "the capture has wire version {found} but this build reads {WIRE_VERSION}; capture the page again"
    )]
    Version {
        /// The version found.
        found: u32,
    },
    /// Not valid.
    #[error("the capture is damaged ({0}); capture the page again")]
    Damaged(String),
}

impl CaptureError {
    /// Returns what to do next, unless the sentence says it.
    pub fn hint(&self) -> Option<Hint> {
        matches!(self, CaptureError::Script(_)).then_some(Hint::RetryOrReload)
    }
}

#[derive(Deserialize)]
struct WireFailure {
    error: String,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct WireCapture {
    v: u32,
    doc: String,
    url: String,
    title: String,
    viewport: (f64, f64, f64),
    scroll: (f64, f64),
    size: (f64, f64),
    strings: Vec<Box<str>>,
    nodes: Columns,
    #[serde(default)]
    value: Vec<u32>,
    #[serde(default)]
    level: Vec<u32>,
    #[serde(default)]
    scrolls: Vec<u32>,
    #[serde(default)]
    options: Vec<u32>,
    #[serde(default)]
    attrs: Vec<u32>,
    #[serde(default)]
    clues: Vec<u32>,
    #[serde(default)]
    rooted: Vec<u32>,
    #[serde(default)]
    covered: Vec<u32>,
    #[serde(default)]
    labels: Vec<u32>,
    #[serde(default)]
    frames: Vec<u32>,
    #[serde(default)]
    views: Vec<i64>,
    #[serde(default)]
    withheld: u32,
    #[serde(default)]
    elements: u32,
    #[serde(default)]
    roots: u32,
    #[serde(default)]
    truncated: bool,
    #[serde(default)]
    left: u32,
    #[serde(default)]
    changing: Vec<u32>,
    #[serde(default)]
    key: Option<String>,
    #[serde(default)]
    unentered: u32,
    #[serde(default)]
    newest: u32,
    #[serde(default)]
    scope: Option<i64>,
}

/// Columns with values for few nodes.
pub(crate) struct Sparse<'w> {
    pub(crate) value: &'w [u32],
    pub(crate) level: &'w [u32],
    pub(crate) scrolls: &'w [u32],
    pub(crate) options: &'w [u32],
    pub(crate) attrs: &'w [u32],
    pub(crate) clues: &'w [u32],
    pub(crate) rooted: &'w [u32],
}

/// Columns with a value for every node.
#[derive(Deserialize)]
pub(crate) struct Columns {
    pub(crate) size: Vec<u32>,
    pub(crate) id: Vec<u32>,
    tag: Vec<u32>,
    role: Vec<u32>,
    name: Vec<u32>,
    #[serde(rename = "box")]
    rect: Vec<i32>,
    flags: Vec<u32>,
}

impl Columns {
    fn is_empty(&self) -> bool {
        let columns = [&self.size, &self.id, &self.tag, &self.role, &self.name, &self.flags];
        self.rect.is_empty() && columns.iter().all(|column| column.is_empty())
    }

    /// Whether every column has as many entries as there are nodes.
    pub(crate) fn check(&self) -> Result<(), CaptureError> {
        let count = self.id.len();
        for (length, column) in [
            (self.size.len(), "size"),
            (self.tag.len(), "tag"),
            (self.role.len(), "role"),
            (self.name.len(), "name"),
            (self.flags.len(), "flags"),
        ] {
            if length != count {
                return Err(damaged(format!(
                    "column {column} has {length} entries instead of {count}"
                )));
            }
        }
        if self.rect.len() != count * 4 {
            return Err(damaged("column box has the wrong length"));
        }
        Ok(())
    }

    /// Returns the columns of an empty page. A document may have no element at all, after
    /// `document.open()` or `documentElement.remove()`.
    fn bare_root(tag: u32) -> Columns {
        let zero = || vec![0];
        // No element has the highest possible number.
        let id = vec![u32::MAX];
        Columns {
            size: zero(),
            id,
            tag: vec![tag],
            role: zero(),
            name: zero(),
            rect: vec![0; 4],
            flags: zero(),
        }
    }
}

/// Whether the page script's `walk` answered that nothing changed since the answer with the given
/// key.
pub fn is_unchanged(text: &str) -> bool {
    text.starts_with(r#"{"same":"#)
}

/// Decodes the answer of the page script's `walk`.
pub fn decode(text: &str) -> Result<Page, CaptureError> {
    let read = |text: &str| serde_json::from_str::<WireCapture>(text);
    let mut wire: WireCapture = read(text)
        .or_else(|error| repaired(text).map_or(Err(error), |text| read(&text)))
        .map_err(|error| match serde_json::from_str::<WireFailure>(text) {
            Ok(failure) if failure.error == "selector" => {
                CaptureError::Selector(first_line(&failure.message))
            }
            Ok(failure) => {
                CaptureError::Script(format!("{}: {}", failure.error, first_line(&failure.message)))
            }
            Err(_) => CaptureError::Damaged(error.to_string()),
        })?;
    if wire.v != WIRE_VERSION {
        return Err(CaptureError::Version { found: wire.v });
    }
    if wire.elements == 0 && wire.nodes.is_empty() {
        wire.nodes = Columns::bare_root(wire.strings.len() as u32);
        wire.strings.push("html".into());
    }
    Decoder { strings: wire.strings.len() as u32, nodes: wire.nodes.id.len() as u32 }.page(wire)
}

/// Computes parents and ends of nodes from the number of their descendants.
pub(crate) struct Nesting {
    count: u32,
    next: u32,
    /// The ancestors of the next node, with their ends.
    open: Vec<(u32, u32)>,
}

impl Nesting {
    pub(crate) fn new(count: usize) -> Result<Nesting, CaptureError> {
        if count == 0 || count > u32::MAX as usize / 8 {
            return Err(damaged("the tree has no single root"));
        }
        Ok(Nesting { count: count as u32, next: 0, open: Vec::new() })
    }

    /// Adds the next node with its number of descendants; returns its parent and its end.
    pub(crate) fn place(&mut self, size: u32) -> Result<(u32, u32), CaptureError> {
        let index = self.next;
        self.next += 1;
        while self.open.last().is_some_and(|(_, end)| *end <= index) {
            self.open.pop();
        }
        let (parent, limit) = self.open.last().copied().unwrap_or((0, self.count));
        let end = index.checked_add(size).and_then(|last| last.checked_add(1));
        let end = end
            .filter(|end| *end <= limit)
            .ok_or_else(|| damaged("a subtree leaves its parent"))?;
        if index == 0 && end != self.count {
            return Err(damaged("the tree has no single root"));
        }
        self.open.push((index, end));
        Ok((parent, end))
    }
}

/// The limits of the indices in the wire format.
pub(crate) struct Decoder {
    pub(crate) strings: u32,
    pub(crate) nodes: u32,
}

impl Decoder {
    fn page(&self, mut wire: WireCapture) -> Result<Page, CaptureError> {
        let columns = &wire.nodes;
        columns.check()?;
        let count = columns.id.len();
        if wire.strings.first().is_none_or(|first| !first.is_empty()) {
            return Err(damaged("string 0 is not empty"));
        }
        let roles: Vec<Role> = wire.strings.iter().map(|text| Role::parse(text)).collect();
        let mut records = Vec::with_capacity(count);
        let mut nesting = Nesting::new(count)?;
        for at in 0..count {
            let mut record = self.record(columns, at, |role| roles[role.0 as usize])?;
            (record.parent, record.end) = nesting.place(columns.size[at])?;
            records.push(record);
        }
        let frames_left_out = wire.frames.len() as u32;
        let mut page = Page {
            title: std::mem::take(&mut wire.title),
            documents: vec![Document {
                token: std::mem::take(&mut wire.doc),
                url: address::display(&wire.url).into_owned(),
                frame: None,
                owner: None,
                newest: wire.newest,
            }],
            viewport: (wire.viewport.0 as u32, wire.viewport.1 as u32),
            scroll: (wire.scroll.0 as i32, wire.scroll.1 as i32),
            size: (wire.size.0 as u32, wire.size.1 as u32),
            withheld: wire.withheld,
            elements: wire.elements,
            shadow_roots: wire.roots,
            frames_left_out,
            roots_left_out: wire.unentered,
            truncated: wire.truncated,
            left: wire.left,
            key: wire.key.take(),
            scope: wire
                .scope
                .and_then(|at| u32::try_from(at).ok())
                .filter(|at| *at < self.nodes)
                .map(NodeId),
            records,
            strings: std::mem::take(&mut wire.strings),
            ..Page::default()
        };
        let WireCapture { value, level, scrolls, options, attrs, clues, rooted, .. } = &wire;
        self.add(&mut page, &Sparse { value, level, scrolls, options, attrs, clues, rooted })?;
        page.covers = self.pairs(&wire.covered, "covered")?;
        page.labels = self.pairs(&wire.labels, "labels")?;
        for row in self.rows::<1>(&wire.changing, "changing")? {
            page.changing.push(NodeId(row[0]));
        }
        page.views = self.views(&wire.views)?;
        Ok(page)
    }

    /// Reads the sparse columns.
    pub(crate) fn add(&self, page: &mut Page, sparse: &Sparse<'_>) -> Result<(), CaptureError> {
        for pair in self.rows::<2>(sparse.value, "value")? {
            page.records[pair[0] as usize].value = Some(self.string(pair[1])?);
        }
        for pair in self.rows::<2>(sparse.level, "level")? {
            page.records[pair[0] as usize].level = pair[1].min(99) as u8;
        }
        for row in self.rows::<5>(sparse.scrolls, "scrolls")? {
            page.scrolls.push((
                row[0],
                ScrollRoom { up: row[1], down: row[2], left: row[3], right: row[4] },
            ));
        }
        for pair in self.rows::<2>(sparse.options, "options")? {
            let start = page.options.len() as u32;
            page.options.push(self.string(pair[1])?);
            extend(&mut page.records[pair[0] as usize].options, start, "options")?;
        }
        for row in self.rows::<3>(sparse.attrs, "attrs")? {
            let start = page.attributes.len() as u32;
            let (name, value) = (self.string(row[1])?, self.string(row[2])?);
            let strings = &mut page.strings;
            if let Some(hidden) =
                address::attribute(&strings[name.0 as usize], &strings[value.0 as usize])
            {
                strings[value.0 as usize] = hidden.into();
            }
            page.attributes.push((name, value));
            extend(&mut page.records[row[0] as usize].attributes, start, "attrs")?;
        }
        for row in self.rows::<3>(sparse.clues, "clues")? {
            page.clues.push((row[0], self.string(row[1])?, self.string(row[2])?));
        }
        for row in self.rows::<1>(sparse.rooted, "rooted")? {
            page.shadow_tops.push(row[0]);
        }
        page.scrolls.sort_by_key(|(node, _)| *node);
        page.clues.sort_by_key(|(node, ..)| *node);
        page.shadow_tops.sort_unstable();
        Ok(())
    }

    /// Reads one node, without its position.
    pub(crate) fn record(
        &self,
        columns: &Columns,
        at: usize,
        role: impl Fn(Text) -> Role,
    ) -> Result<Record, CaptureError> {
        let flags = columns.flags[at];
        Ok(Record {
            parent: 0,
            end: 0,
            local: columns.id[at],
            frame: 0,
            level: 0,
            role: role(self.string(columns.role[at])?),
            tag: self.string(columns.tag[at])?,
            name: self.string(columns.name[at])?,
            value: None,
            rect: Rect {
                x: columns.rect[at * 4],
                y: columns.rect[at * 4 + 1],
                width: columns.rect[at * 4 + 2],
                height: columns.rect[at * 4 + 3],
            },
            flags: Flags::from_bits_truncate(flags) - Flags::BLOCKED,
            hidden: Hidden::from_bits(flags),
            attributes: 0..0,
            options: 0..0,
        })
    }

    /// Reads the visible frame elements with the boxes of their documents, in order.
    pub(crate) fn views(&self, column: &[i64]) -> Result<Vec<(u32, FrameView)>, CaptureError> {
        let (rows, rest) = column.as_chunks::<9>();
        if !rest.is_empty() {
            return Err(damaged("column views is cut"));
        }
        let mut views = Vec::with_capacity(rows.len());
        for [node, x, y, width, height, x0, y0, x1, y1] in rows {
            let node = self.node(u32::try_from(*node).unwrap_or(u32::MAX))?;
            let seen = rect(*x0, *y0, x1.saturating_sub(*x0), y1.saturating_sub(*y0));
            views.push((node, FrameView { rect: rect(*x, *y, *width, *height), seen }));
        }
        views.sort_by_key(|(node, _)| *node);
        views.dedup_by_key(|(node, _)| *node);
        Ok(views)
    }

    /// Reads pairs of nodes, in order.
    pub(crate) fn pairs(
        &self,
        column: &[u32],
        name: &str,
    ) -> Result<Vec<(u32, u32)>, CaptureError> {
        let rows = self.rows::<2>(column, name)?;
        let mut pairs = rows
            .map(|row| Ok((row[0], self.node(row[1])?)))
            .collect::<Result<Vec<_>, CaptureError>>()?;
        pairs.sort_unstable();
        Ok(pairs)
    }

    pub(crate) fn string(&self, index: u32) -> Result<Text, CaptureError> {
        if index < self.strings { Ok(Text(index)) } else { Err(damaged("a string is missing")) }
    }

    pub(crate) fn node(&self, index: u32) -> Result<u32, CaptureError> {
        if index < self.nodes { Ok(index) } else { Err(damaged("a node is missing")) }
    }

    /// Returns the rows of a sparse column; each begins with its node.
    pub(crate) fn rows<'w, const WIDTH: usize>(
        &self,
        column: &'w [u32],
        name: &str,
    ) -> Result<impl Iterator<Item = &'w [u32; WIDTH]> + use<'w, WIDTH>, CaptureError> {
        let (rows, rest) = column.as_chunks::<WIDTH>();
        if !rest.is_empty() {
            return Err(damaged(format!("column {name} is cut")));
        }
        for row in rows {
            self.node(row[0])?;
        }
        Ok(rows.iter())
    }
}

/// Reads a box, limited to a sensible size.
fn rect(x: i64, y: i64, width: i64, height: i64) -> Rect {
    let pixels = |n: i64| n.clamp(-1_000_000_000, 1_000_000_000) as i32;
    Rect { x: pixels(x), y: pixels(y), width: pixels(width).max(0), height: pixels(height).max(0) }
}

/// Extends a node's range by the entry at `at`; the entries of a node are adjacent.
fn extend(range: &mut std::ops::Range<u32>, at: u32, column: &str) -> Result<(), CaptureError> {
    if range.start == range.end {
        *range = at..at + 1;
    } else if range.end == at {
        range.end += 1;
    } else {
        return Err(damaged(format!("column {column} is out of order")));
    }
    Ok(())
}

/// Returns the beginning of a message, in one line.
fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().chars().take(120).collect()
}

pub(crate) fn damaged(what: impl Into<String>) -> CaptureError {
    CaptureError::Damaged(what.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"{"v":1,"doc":"d","url":"http://x/","title":"T","viewport":[1280,720,1],"scroll":[0,0],"size":[1280,720],
        "strings":["","html","button","Save","id","s"],
        "nodes":{"size":[2,1,0],"id":[1,2,0],"tag":[1,2,0],"role":[0,2,0],"name":[0,3,3],
                 "box":[0,0,9,9,1,2,3,4,0,0,0,0],"flags":[2,1025,0]},
        "attrs":[1,4,5],"value":[1,3]}"#;

    #[test]
    fn a_small_capture_reads() {
        let page = decode(SMALL).unwrap();
        let button = page.node(NodeId(1));
        assert_eq!((button.tag(), button.role(), button.name()), ("button", Role::Button, "Save"));
        assert!(button.is(Flags::USABLE | Flags::DISABLED));
        assert_eq!(button.attribute("id"), Some("s"));
        assert_eq!(button.value(), Some("Save"));
        assert_eq!(button.parent().unwrap().tag(), "html");
        assert_eq!(page.node(NodeId::ROOT).descendants().len(), 2);
        assert_eq!(page.find("d", 2), Some(NodeId(1)));
        assert_eq!(page.find("other", 2), None);
    }

    #[test]
    fn secrets_in_addresses_do_not_get_into_the_page() {
        let capture = SMALL
            .replace("http://x/", "http://ci:PASS@x/?page=2&token=abc")
            .replace("\"id\",\"s\"", "\"href\",\"http://ci:PASS@y/?code=123456\"");
        let page = decode(&capture).unwrap();
        assert_eq!(page.url(), "http://x/?page=2&token=…");
        assert_eq!(page.node(NodeId(1)).attribute("href"), Some("http://y/?code=…"));
    }

    #[test]
    fn a_document_without_any_element_is_an_empty_page() {
        let bare = r#"{"v":1,"doc":"d","url":"http://x/","title":"","viewport":[1280,720,1],"scroll":[0,0],"size":[0,0],"strings":[""],
            "nodes":{"size":[],"id":[],"tag":[],"role":[],"name":[],"box":[],"flags":[]},"elements":0}"#;
        let page = decode(bare).unwrap();
        assert_eq!((page.node(NodeId::ROOT).tag(), page.nodes().count()), ("html", 1));
        assert!(decode(&bare.replace("\"elements\":0", "\"elements\":3")).is_err());
    }

    #[test]
    fn damage_is_reported_and_never_a_panic() {
        for (from, to) in [
            (r#""size":[2,1,0]"#, r#""size":[2,9,0]"#),
            (r#""size":[2,1,0]"#, r#""size":[2,4294967295,0]"#),
            (r#""size":[2,1,0]"#, r#""size":[1,1,0]"#),
            (r#""size":[2,1,0]"#, r#""size":[2,1]"#),
            (r#""name":[0,3,3]"#, r#""name":[0,99,3]"#),
            (r#""attrs":[1,4,5]"#, r#""attrs":[1,4]"#),
            (r#""attrs":[1,4,5]"#, r#""attrs":[7,4,5]"#),
            (r#""strings":["#, r#""strings":["x","#),
            (r#""box":[0,"#, r#""box":["#),
        ] {
            let broken = SMALL.replacen(from, to, 1);
            assert_ne!(broken, SMALL);
            assert!(matches!(decode(&broken), Err(CaptureError::Damaged(_))), "{to}");
        }
        assert!(matches!(
            decode(&SMALL.replace(r#""v":1"#, r#""v":7"#)),
            Err(CaptureError::Version { found: 7 })
        ));
        let failure = r#"{"error":"selector","message":"no"}"#;
        assert!(matches!(decode(failure), Err(CaptureError::Selector(_))));
        assert!(decode("").is_err());
    }
}
