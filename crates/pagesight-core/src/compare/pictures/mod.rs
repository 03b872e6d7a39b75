//! Compares the pictures of two pages. Each element is compared with itself, wherever it is now, so
//! that content that was pushed aside is not a difference. What lies between the elements is
//! compared where nothing in the region moved. Content that changes all the time is left out, as in
//! comparisons of fingerprints.

mod pixels;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde_json::json;

use super::change::{Change, ChangeType, Severity};
use super::collector::Collector;
use super::comparison::Comparison;
use super::entry::Entry;
use super::ignore_rules::IgnoreRules;
use super::landmarks;
use super::layout::{Layouts, changed_fonts, is_volatile};
use crate::fingerprint::{Fingerprint, Layout, LayoutBox};
use crate::page::Rect;
use pixels::PixelPair;
pub use pixels::PixelPicture;

/// How many different pixels of an element count, and which share of it, in thousandths.
const FEWEST: usize = 12;
const LEAST_SHARE: usize = 8;
/// The side of the tiles in which the area between elements is compared, and how many different
/// pixels of a tile count.
const TILE: i32 = 16;
const FEWEST_IN_TILE: usize = 10;
/// How many changes are reported one by one.
const MOST: usize = 20;
/// How far an element may draw beyond its box.
const OVERHANG: i32 = 6;

/// How pictures are compared.
#[derive(Clone, Copy, Debug)]
pub struct PictureRules<'a> {
    /// The distance from which on two colours differ, from 0 to 1.
    pub threshold: f32,
    /// The changes that are left out.
    pub ignore: &'a IgnoreRules,
}

/// Adds the differences between two pictures to a comparison of the pages that they show.
pub fn compare_pictures(
    comparison: &mut Comparison,
    (was, before): (&Fingerprint, &PixelPicture),
    (now, after): (&Fingerprint, &PixelPicture),
    rules: &PictureRules<'_>,
) {
    let (Some(old), Some(new)) = (&was.structure.layout, &now.structure.layout) else { return };
    let mut found = Collector::new(was, now, rules.ignore);
    // Only the regions are needed; what landmarks report is known already.
    let regions = landmarks::compare(&mut Collector::new(was, now, rules.ignore));
    let layouts = Layouts::new((&was.structure, old), (&now.structure, new), &regions);
    let pair = PixelPair { was: before, now: after, threshold: rules.threshold };
    let view = PictureView { layouts, pair, fonts_differ: !changed_fonts(old, new).is_empty() };
    view.elements(&mut found, comparison);
    view.areas(&mut found);
    let added = found.finish();
    comparison.add(added.changes, added.ignored);
}

struct PictureView<'f, 'p> {
    layouts: Layouts<'f>,
    pair: PixelPair<'p>,
    fonts_differ: bool,
}

impl<'f> PictureView<'f, '_> {
    /// Compares the elements that are on both pages.
    fn elements(&self, found: &mut Collector<'f>, known: &Comparison) {
        let mut reported = 0;
        // A different style is known already, and so is a different file.
        let explained: HashSet<usize> = known
            .changes
            .iter()
            .filter(|it| matches!(it.kind, ChangeType::StyleChanged | ChangeType::PictureChanged))
            .filter_map(|change| change.now_at.map(|at| at.index))
            .collect();
        for (old, new) in self.layouts.both() {
            let (was, now) = (&self.layouts.old.boxes[old], &self.layouts.new.boxes[new]);
            let has_text = now.kind != "image";
            let apart = now.region
                || is_dynamic(was, now)
                || was.name != now.name
                || was.style != now.style
                || explained.contains(&new)
                || has_text && self.fonts_differ;
            let (before, after) = (rect(was), rect(now));
            let is_drawn =
                inside(before, self.pair.was.area()) && inside(after, self.pair.now.area());
            let resized =
                (before.width - after.width).abs() > 1 || (before.height - after.height).abs() > 1;
            if apart || resized || !is_drawn || self.is_masked(before, after) {
                continue;
            }
            let Some(share) = self.difference(before, after) else { continue };
            reported += 1;
            if reported > MOST {
                continue;
            }
            let label = now.label();
            let words = format!("{label} looks different: {share} of its pixels changed");
            let finding = self.layouts.finding(ChangeType::PictureChanged, (old, new), words);
            found.report(finding.draft);
        }
        if reported > MOST {
            let words = format!("{} more elements look different", reported - MOST);
            let draft = Change::of_page(ChangeType::PictureChanged, words);
            found.report(draft.severity(Severity::Warning));
        }
    }

    /// Returns how much of an element is different, if a person sees it. An element that moved by
    /// a part of a pixel is drawn one pixel aside, so its neighbourhood is tried, too.
    fn difference(&self, before: Rect, after: Rect) -> Option<String> {
        let area = (after.width.max(1) as usize) * (after.height.max(1) as usize);
        let least = FEWEST.max(area * LEAST_SHARE / 1000);
        let mut best = usize::MAX;
        for (x, y) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)] {
            let aside = Rect { x: after.x + x, y: after.y + y, ..after };
            best = best.min(self.pair.count(before, aside));
            if best < least {
                return None;
            }
        }
        let percent = (best * 100 / area).max(1);
        Some(format!("{percent} %"))
    }

    fn is_masked(&self, before: Rect, after: Rect) -> bool {
        let hides = |layout: &Layout, drawn: Rect| {
            layout.masks.iter().any(|mask| of(*mask).intersects(&drawn))
        };
        hides(self.layouts.old, before) || hides(self.layouts.new, after)
    }

    /// Compares what lies between the elements of the regions in which nothing moved.
    fn areas(&self, found: &mut Collector<'f>) {
        if self.fonts_differ || self.layouts.has_moved() {
            return;
        }
        let (width, height) = (self.pair.now.area().width, self.pair.now.area().height);
        let (columns, rows) = ((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
        let mut hidden = vec![false; (columns.max(0) * rows.max(0)) as usize];
        let mut hide = |drawn: Rect| {
            let from = |at: i32| (at - OVERHANG).max(0) / TILE;
            let until = |at: i32, most: i32| ((at + OVERHANG) / TILE).min(most - 1);
            for row in from(drawn.y)..=until(drawn.y.saturating_add(drawn.height), rows) {
                for column in from(drawn.x)..=until(drawn.x.saturating_add(drawn.width), columns) {
                    hidden[(row * columns + column) as usize] = true;
                }
            }
        };
        for layout in [self.layouts.old, self.layouts.new] {
            layout.boxes.iter().filter(|drawn| !drawn.region).for_each(|drawn| hide(rect(drawn)));
            layout.masks.iter().for_each(|mask| hide(of(*mask)));
        }
        let mut different: Option<Rect> = None;
        for row in 0..rows {
            for column in 0..columns {
                if hidden[(row * columns + column) as usize] {
                    continue;
                }
                let tile = Rect { x: column * TILE, y: row * TILE, width: TILE, height: TILE };
                if self.pair.count(tile, tile) >= FEWEST_IN_TILE {
                    different = Some(different.map_or(tile, |known| around(known, tile)));
                }
            }
        }
        let Some(area) = different else { return };
        let words = format!(
            "The page looks different between its elements, in an area of {}x{} px at {}, {}",
            area.width, area.height, area.x, area.y
        );
        let area = json!([area.x, area.y, area.width, area.height]);
        let draft = Change::of_page(ChangeType::PictureChanged, words);
        found.report(draft.severity(Severity::Warning).values(json!({}), json!({"box": area})));
    }
}

/// Whether what an element shows may change at any time.
fn is_dynamic(was: &LayoutBox, now: &LayoutBox) -> bool {
    was.moving || now.moving || was.ignored || now.ignored || is_volatile(&now.name)
}

fn rect(drawn: &LayoutBox) -> Rect {
    of(drawn.rect)
}

fn of([x, y, width, height]: [i32; 4]) -> Rect {
    Rect { x, y, width, height }
}

fn inside(inner: Rect, outer: Rect) -> bool {
    inner.x >= 0
        && inner.y >= 0
        && inner.width > 0
        && inner.height > 0
        && inner.x.saturating_add(inner.width) <= outer.width
        && inner.y.saturating_add(inner.height) <= outer.height
}

fn around(one: Rect, other: Rect) -> Rect {
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    let right = (one.x + one.width).max(other.x + other.width);
    let bottom = (one.y + one.height).max(other.y + other.height);
    Rect { x, y, width: right - x, height: bottom - y }
}
