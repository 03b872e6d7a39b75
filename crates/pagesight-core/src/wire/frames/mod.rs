//! Merges the documents of frames into their page: many captures become one page, in document
//! order, in the coordinates of the top viewport.

use crate::page::{Flags, FrameView, NodeId, Page, Record, Rect, Text};

/// A captured document of a frame, with its frame element.
pub struct FrameDocument {
    /// The frame element, in the page that holds it.
    pub owner: NodeId,
    /// The engine's id of the frame.
    pub frame: Option<String>,
    /// The document, with the documents of its own frames merged.
    pub page: Page,
}

/// Merges documents into the page that holds their frame elements. Documents without a visible
/// frame element, and duplicates, are dropped.
pub fn merge_frames(page: Page, mut frames: Vec<FrameDocument>) -> Page {
    frames
        .retain(|frame| page.views.binary_search_by_key(&frame.owner.0, |(node, _)| *node).is_ok());
    frames.sort_by_key(|frame| frame.owner);
    frames.dedup_by_key(|frame| frame.owner);
    if frames.is_empty() {
        return page;
    }
    FrameMerge::new(page, &frames).run(frames)
}

struct FrameMerge {
    page: Page,
    /// The records of the page before the merge.
    old: Vec<Record>,
    /// For each node of the old page (and the position after the last) how many nodes come in
    /// before it.
    shift: Vec<u32>,
}

impl FrameMerge {
    fn new(mut page: Page, frames: &[FrameDocument]) -> FrameMerge {
        let old = std::mem::take(&mut page.records);
        let mut shift = Vec::with_capacity(old.len() + 1);
        let mut next = frames.iter().peekable();
        let mut so_far = 0;
        for index in 0..=old.len() as u32 {
            while let Some(frame) = next.next_if(|frame| frame.owner.0 < index) {
                so_far += frame.page.len() as u32;
            }
            shift.push(so_far);
        }
        FrameMerge { page, old, shift }
    }

    fn run(mut self, frames: Vec<FrameDocument>) -> Page {
        let moved = |shift: &[u32], index: u32| index + shift[index as usize];
        let old = std::mem::take(&mut self.old);
        let views = std::mem::take(&mut self.page.views);
        let shift = &self.shift;
        for (node, _) in &mut self.page.scrolls {
            *node = moved(shift, *node);
        }
        for (node, ..) in &mut self.page.clues {
            *node = moved(shift, *node);
        }
        for (node, other) in self.page.covers.iter_mut().chain(&mut self.page.labels) {
            (*node, *other) = (moved(shift, *node), moved(shift, *other));
        }
        for node in &mut self.page.shadow_tops {
            *node = moved(shift, *node);
        }
        for document in &mut self.page.documents {
            document.owner = document.owner.map(|owner| NodeId(moved(shift, owner.0)));
        }
        for node in &mut self.page.changing {
            *node = NodeId(moved(shift, node.0));
        }
        // A merged page has no key, because each of its documents has its own.
        self.page.key = None;
        self.page.scope = self.page.scope.map(|scope| NodeId(moved(shift, scope.0)));
        let mut frames = frames.into_iter().peekable();
        self.page.records.reserve(old.len() + *self.shift.last().unwrap_or(&0) as usize);
        for (index, mut record) in old.into_iter().enumerate() {
            record.parent = moved(&self.shift, record.parent);
            record.end = moved(&self.shift, record.end);
            self.page.records.push(record);
            if let Some(frame) = frames.next_if(|frame| frame.owner.index() == index)
                && let Ok(at) = views.binary_search_by_key(&(index as u32), |(node, _)| *node)
            {
                self.insert(frame, views[at].1);
            }
        }
        let page = &mut self.page;
        page.views = views
            .into_iter()
            .map(|(node, view)| (moved(&self.shift, node), view))
            .filter(|(node, _)| {
                page.records.get(*node as usize + 1).is_none_or(|next| next.parent != *node)
            })
            .collect();
        page.scrolls.sort_by_key(|(node, _)| *node);
        page.clues.sort_by_key(|(node, ..)| *node);
        page.covers.sort_unstable();
        page.labels.sort_unstable();
        page.shadow_tops.sort_unstable();
        self.page
    }

    /// Inserts one document right after its frame element, which was pushed last.
    fn insert(&mut self, frame: FrameDocument, view: FrameView) {
        let page = &mut self.page;
        let inner = frame.page;
        let owner = page.records.len() as u32 - 1;
        let base = owner + 1;
        let place = FramePosition { view, viewport: inner.viewport };
        let outer = page.records[owner as usize].flags;
        // An element inside has the focus only if the frame element has it. Then the inner element
        // is the focused one.
        let focused = outer.contains(Flags::FOCUSED);
        if focused && inner.records.iter().any(|record| record.flags.contains(Flags::FOCUSED)) {
            page.records[owner as usize].flags.remove(Flags::FOCUSED);
        }
        let documents = page.documents.len() as u16;
        let strings = page.strings.len() as u32;
        let attributes = page.attributes.len() as u32;
        let options = page.options.len() as u32;
        let text = |text: Text| Text(text.0 + strings);
        for (index, mut record) in inner.records.into_iter().enumerate() {
            record.parent = if index == 0 { owner } else { record.parent + base };
            record.end += base;
            record.frame += documents;
            (record.tag, record.name) = (text(record.tag), text(record.name));
            record.value = record.value.map(text);
            if !record.attributes.is_empty() {
                record.attributes =
                    record.attributes.start + attributes..record.attributes.end + attributes;
            }
            if !record.options.is_empty() {
                record.options = record.options.start + options..record.options.end + options;
            }
            if record.local != 0 {
                record.rect = place.rect(record.rect);
            }
            if !record.rect.intersects(&view.seen) {
                record.flags.remove(Flags::IN_VIEWPORT);
            }
            if !focused {
                record.flags.remove(Flags::FOCUSED);
            }
            record.flags |= outer & Flags::ARIA_HIDDEN;
            if record.flags.contains(Flags::USABLE) {
                record.flags |= outer & (Flags::DISABLED | Flags::INERT);
            }
            page.records.push(record);
        }
        for (at, mut document) in inner.documents.into_iter().enumerate() {
            document.owner = Some(match document.owner {
                Some(owner) => NodeId(owner.0 + base),
                None => NodeId(owner),
            });
            if at == 0 {
                document.frame.clone_from(&frame.frame);
            }
            page.documents.push(document);
        }
        page.strings.extend(inner.strings);
        page.attributes
            .extend(inner.attributes.into_iter().map(|(name, value)| (text(name), text(value))));
        page.options.extend(inner.options.into_iter().map(text));
        page.scrolls.extend(inner.scrolls.into_iter().map(|(node, room)| (node + base, room)));
        let clue = |(node, kind, words)| (node + base, text(kind), text(words));
        page.clues.extend(inner.clues.into_iter().map(clue));
        let pair = |(node, other): (u32, u32)| (node + base, other + base);
        // An element that covers the whole frame covers everything in it.
        let over = page.covers.iter().find(|(node, _)| *node == owner).map(|(_, cover)| *cover);
        if let Some(cover) = over {
            let usable = (base..page.records.len() as u32)
                .filter(|node| page.records[*node as usize].flags.contains(Flags::USABLE));
            let covered: Vec<(u32, u32)> = usable.map(|node| (node, cover)).collect();
            page.covers.extend(covered);
        } else {
            page.covers.extend(inner.covers.into_iter().map(pair));
        }
        page.labels.extend(inner.labels.into_iter().map(pair));
        page.shadow_tops.extend(inner.shadow_tops.into_iter().map(|node| node + base));
        page.withheld += inner.withheld;
        page.elements += inner.elements;
        page.shadow_roots += inner.shadow_roots;
        page.truncated |= inner.truncated;
        page.left = page.left.saturating_add(inner.left);
        page.changing.extend(inner.changing.into_iter().map(|node| NodeId(node.0 + base)));
        page.scope = page.scope.or(inner.scope.map(|scope| NodeId(scope.0 + base)));
    }
}

/// Converts the coordinates of a document in a frame to those of the document around it.
struct FramePosition {
    view: FrameView,
    viewport: (u32, u32),
}

impl FramePosition {
    fn rect(&self, inner: Rect) -> Rect {
        let outer = self.view.rect;
        let scaled = |length: i32, shown: i32, own: u32| {
            if own == 0 || shown as i64 == i64::from(own) {
                return length;
            }
            let scaled = (i64::from(length) * i64::from(shown)) / i64::from(own);
            scaled.clamp(-1_000_000_000, 1_000_000_000) as i32
        };
        let (across, down) = (self.viewport.0, self.viewport.1);
        Rect {
            x: outer.x.saturating_add(scaled(inner.x, outer.width, across)),
            y: outer.y.saturating_add(scaled(inner.y, outer.height, down)),
            width: scaled(inner.width, outer.width, across),
            height: scaled(inner.height, outer.height, down),
        }
    }
}

#[cfg(test)]
mod tests;
