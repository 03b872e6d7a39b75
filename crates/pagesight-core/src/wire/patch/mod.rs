//! Applies a patch of the wire format to the last page. The result equals the page from a whole
//! capture; texts that stayed are not decoded again. Like [`crate::wire::decode`], it does not
//! trust its input: a patch that does not fit is refused, and the caller asks for the whole page.

use serde::Deserialize;

use crate::page::role::Role;
use crate::page::{Flags, Hidden, Page, Record, Rect};
use crate::text::address;
use crate::wire::decode::{CaptureError, Columns, Decoder, Nesting, Sparse, damaged};

#[derive(Deserialize)]
struct WirePatch {
    patch: String,
    key: String,
    url: String,
    title: String,
    viewport: (f64, f64, f64),
    scroll: (f64, f64),
    size: (f64, f64),
    strings: Vec<Box<str>>,
    /// Runs of nodes that stay (from, to), each with the number of new nodes that follow it.
    slices: Vec<u32>,
    nodes: Columns,
    value: Vec<u32>,
    level: Vec<u32>,
    scrolls: Vec<u32>,
    options: Vec<u32>,
    attrs: Vec<u32>,
    #[serde(default)]
    clues: Vec<u32>,
    rooted: Vec<u32>,
    frames: Vec<u32>,
    views: Vec<i64>,
    /// Runs of nodes that moved: from, to, right, down.
    shifts: Vec<i64>,
    boxes: Vec<i64>,
    flags: Vec<u32>,
    /// Pairs that are added to those that stayed. The `…All` lists replace them instead.
    #[serde(default)]
    covered: Vec<u32>,
    #[serde(default, rename = "coveredAll")]
    covered_all: Option<Vec<u32>>,
    #[serde(default)]
    labels: Vec<u32>,
    #[serde(default, rename = "labelsAll")]
    labels_all: Option<Vec<u32>>,
    withheld: u32,
    elements: u32,
    roots: u32,
    #[serde(default)]
    newest: u32,
}

const NOWHERE: u32 = u32::MAX;

/// Whether the page script's `walk` sent a patch.
pub fn is_patch(text: &str) -> bool {
    text.starts_with(r#"{"patch":"#)
}

/// Applies a patch to the page before it.
pub fn apply(base: &Page, text: &str) -> Result<Page, CaptureError> {
    let wire: WirePatch = serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
    if base.key.as_deref() != Some(wire.patch.as_str()) || base.documents.len() != 1 {
        return Err(damaged("it is a patch of a different page"));
    }
    Patching::new(base, &wire)?.run()
}

struct Patching<'a> {
    base: &'a Page,
    wire: &'a WirePatch,
    decoder: Decoder,
    page: Page,
    /// The new position of each node of the page before.
    now: Vec<u32>,
    /// Whether each node was there before.
    stayed: Vec<bool>,
}

impl<'a> Patching<'a> {
    fn new(base: &'a Page, wire: &'a WirePatch) -> Result<Patching<'a>, CaptureError> {
        wire.nodes.check()?;
        let count = count(base, wire)?;
        let mut strings = Vec::with_capacity(base.strings.len() + wire.strings.len());
        strings.extend(base.strings.iter().cloned());
        strings.extend(wire.strings.iter().cloned());
        let decoder = Decoder { strings: strings.len() as u32, nodes: count as u32 };
        let page = Page {
            title: wire.title.clone(),
            documents: base.documents.clone(),
            viewport: (wire.viewport.0 as u32, wire.viewport.1 as u32),
            scroll: (wire.scroll.0 as i32, wire.scroll.1 as i32),
            size: (wire.size.0 as u32, wire.size.1 as u32),
            withheld: wire.withheld,
            elements: wire.elements,
            shadow_roots: wire.roots,
            frames_left_out: wire.frames.len() as u32,
            deaf: base.deaf,
            key: Some(wire.key.clone()),
            records: Vec::with_capacity(count),
            strings,
            attributes: Vec::with_capacity(base.attributes.len() + wire.attrs.len() / 3),
            options: Vec::with_capacity(base.options.len() + wire.options.len() / 2),
            views: decoder.views(&wire.views)?,
            ..Page::default()
        };
        let (now, stayed) = (vec![NOWHERE; base.len()], Vec::with_capacity(count));
        Ok(Patching { base, wire, decoder, page, now, stayed })
    }

    fn run(mut self) -> Result<Page, CaptureError> {
        let (base, wire) = (self.base, self.wire);
        self.nodes()?;
        self.moves()?;
        let now = |node: u32| Some(self.now[node as usize]).filter(|now| *now != NOWHERE);
        let pairs = |before: &[(u32, u32)], more: &[u32], all: &Option<Vec<u32>>, name: &str| {
            let mut pairs = self.decoder.pairs(all.as_deref().unwrap_or(more), name)?;
            if all.is_none() {
                pairs.extend(
                    before.iter().filter_map(|(node, other)| Some((now(*node)?, now(*other)?))),
                );
                pairs.sort_unstable();
            }
            Ok(pairs)
        };
        self.page.covers = pairs(&base.covers, &wire.covered, &wire.covered_all, "covered")?;
        self.page.labels = pairs(&base.labels, &wire.labels, &wire.labels_all, "labels")?;
        self.page.scrolls =
            base.scrolls.iter().filter_map(|(node, room)| Some((now(*node)?, *room))).collect();
        let stays = |(node, kind, text): &(u32, _, _)| Some((now(*node)?, *kind, *text));
        self.page.clues = base.clues.iter().filter_map(stays).collect();
        self.page.shadow_tops = base.shadow_tops.iter().filter_map(|node| now(*node)).collect();
        let WirePatch { value, level, scrolls, options, attrs, clues, rooted, .. } = wire;
        for (column, width) in [
            (value, 2),
            (level, 2),
            (scrolls, 5),
            (options, 2),
            (attrs, 3),
            (clues, 3),
            (rooted, 1),
        ] {
            let named = |node: &u32| self.stayed.get(*node as usize).copied().unwrap_or_default();
            if column.iter().step_by(width).any(named) {
                return Err(damaged("a node that stayed is sent again"));
            }
        }
        let sparse = Sparse { value, level, scrolls, options, attrs, clues, rooted };
        self.decoder.add(&mut self.page, &sparse)?;
        if let Some(document) = self.page.documents.first_mut() {
            document.url = address::display(&wire.url).into_owned();
            document.newest = wire.newest;
        }
        Ok(self.page)
    }

    /// Writes the nodes that stayed and the new ones.
    fn nodes(&mut self) -> Result<(), CaptureError> {
        let mut nesting = Nesting::new(self.decoder.nodes as usize)?;
        let mut fresh = 0;
        let (slices, _) = self.wire.slices.as_chunks::<3>();
        for [from, to, new] in slices {
            for at in *from..*to {
                let old = &self.base.records[at as usize];
                let mut record = old.clone();
                (record.parent, record.end) = nesting.place(old.end - at - 1)?;
                self.carry(&mut record);
                self.now[at as usize] = self.page.records.len() as u32;
                self.page.records.push(record);
                self.stayed.push(true);
            }
            for _ in 0..*new {
                let strings = &self.page.strings;
                let role = |role: crate::page::Text| Role::parse(&strings[role.0 as usize]);
                let mut record = self.decoder.record(&self.wire.nodes, fresh, role)?;
                (record.parent, record.end) = nesting.place(self.wire.nodes.size[fresh])?;
                self.page.records.push(record);
                self.stayed.push(false);
                fresh += 1;
            }
        }
        Ok(())
    }

    /// Copies the attributes and options of a node.
    fn carry(&mut self, record: &mut Record) {
        let range = |range: &std::ops::Range<u32>| range.start as usize..range.end as usize;
        let start = self.page.attributes.len() as u32;
        self.page.attributes.extend_from_slice(&self.base.attributes[range(&record.attributes)]);
        record.attributes = start..self.page.attributes.len() as u32;
        let start = self.page.options.len() as u32;
        self.page.options.extend_from_slice(&self.base.options[range(&record.options)]);
        record.options = start..self.page.options.len() as u32;
    }

    /// Updates the boxes, flags and hidden states of nodes that stayed.
    fn moves(&mut self) -> Result<(), CaptureError> {
        let (shifts, rest) = self.wire.shifts.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(damaged("column shifts is cut"));
        }
        let mut last = 0;
        for [from, to, right, down] in shifts {
            let place =
                |at: i64| usize::try_from(at).ok().filter(|at| *at <= self.page.records.len());
            let (Some(from), Some(to)) = (place(*from), place(*to)) else {
                return Err(damaged("a node is missing"));
            };
            if from < last || to < from {
                return Err(damaged("column shifts is out of order"));
            }
            last = to;
            for record in &mut self.page.records[from..to] {
                if record.local != 0 && record.rect != Rect::default() {
                    record.rect.x = pixels(i64::from(record.rect.x).saturating_add(*right));
                    record.rect.y = pixels(i64::from(record.rect.y).saturating_add(*down));
                }
            }
        }
        let (boxes, rest) = self.wire.boxes.as_chunks::<5>();
        if !rest.is_empty() {
            return Err(damaged("column boxes is cut"));
        }
        for [node, x, y, width, height] in boxes {
            let node = self.decoder.node(u32::try_from(*node).unwrap_or(NOWHERE))?;
            let rect = Rect {
                x: pixels(*x),
                y: pixels(*y),
                width: pixels(*width),
                height: pixels(*height),
            };
            self.page.records[node as usize].rect = rect;
        }
        for [node, flags] in self.decoder.rows::<2>(&self.wire.flags, "flags")? {
            let record = &mut self.page.records[*node as usize];
            record.flags = Flags::from_bits_truncate(*flags) - Flags::BLOCKED;
            record.hidden = Hidden::from_bits(*flags);
        }
        Ok(())
    }
}

/// Returns the number of nodes of the new page. Each node of the page before may stay once, in
/// order.
fn count(base: &Page, wire: &WirePatch) -> Result<usize, CaptureError> {
    let (slices, rest) = wire.slices.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(damaged("column slices is cut"));
    }
    let (mut last, mut stayed, mut fresh) = (0, 0_usize, 0_usize);
    for [from, to, new] in slices {
        if *from < last || to < from || *to as usize > base.len() {
            return Err(damaged("column slices is out of order"));
        }
        last = *to;
        stayed += (to - from) as usize;
        fresh = fresh.saturating_add(*new as usize);
    }
    if fresh != wire.nodes.id.len() {
        return Err(damaged("nodes are missing"));
    }
    Ok(stayed + fresh)
}

fn pixels(n: i64) -> i32 {
    n.clamp(-1_000_000_000, 1_000_000_000) as i32
}

#[cfg(test)]
mod tests;
