//! Finds faults of single elements: lost icons, different pictures, texts that are cut off,
//! covered or overlap others, and content that spills out.

use super::layouts::{Finding, Layouts, TOLERANCE};
use super::motion::is_volatile;
use crate::compare::change::ChangeType;
use crate::compare::entry::Entry;

/// How many pixels of a text may be cut off in addition.
const CUT: u32 = 3;
/// The share of an element that a new overlap has at least, in hundredths.
const OVERLAP: u32 = 15;
/// How many covered elements are reported one by one.
const MOST_COVERED: usize = 5;
/// How many elements that spill out are looked at.
const MOST_SPILLING: usize = 80;

/// Reports images that show a different file.
pub(super) fn pictures<'f>(layouts: &Layouts<'f>) -> Vec<Finding<'f>> {
    let changed = |(old, new): (usize, usize)| {
        let (was, now) = (&layouts.old.boxes[old], &layouts.new.boxes[new]);
        let differs = was.file != now.file && !was.file.is_empty() && !now.file.is_empty();
        // A different image in the same place is reported as such.
        if !differs || was.name != now.name || was.name.is_empty() {
            return None;
        }
        let words = format!("{} shows {} now, not {}", now.label(), now.file, was.file);
        Some(layouts.finding(ChangeType::PictureChanged, (old, new), words))
    };
    layouts.both().filter_map(changed).collect()
}

/// Reports controls that lost their icons.
pub(super) fn icons<'f>(layouts: &Layouts<'f>) -> Vec<Finding<'f>> {
    let lost = |(old, new): (usize, usize)| {
        let (was, now) = (&layouts.old.boxes[old], &layouts.new.boxes[new]);
        (was.icons > 0 && now.icons == 0).then(|| {
            let words = format!("{} has no icon now", now.label());
            layouts.finding(ChangeType::LayoutChanged, (old, new), words)
        })
    };
    layouts.both().filter_map(lost).collect()
}

/// Reports headings, texts and images over which something else is drawn. Controls that nobody can
/// reach are reported as covered already.
pub(super) fn covered<'f>(layouts: &Layouts<'f>) -> Vec<Finding<'f>> {
    let is_plain = |kind: &str| matches!(kind, "heading" | "text" | "image");
    let under: Vec<(usize, usize)> = layouts
        .both()
        .filter(|(old, new)| {
            let (was, now) = (&layouts.old.boxes[*old], &layouts.new.boxes[*new]);
            now.under && !was.under && is_plain(&now.kind) && !now.moving
        })
        .collect();
    if under.len() > MOST_COVERED {
        let first = under[0];
        let (label, more) = (layouts.new.boxes[first.1].label(), under.len() - 1);
        let words = format!("{label} and {more} more elements are under something else now");
        return vec![layouts.finding(ChangeType::LayoutChanged, first, words)];
    }
    let words = |at: (usize, usize)| {
        let words = format!("{} is under something else now", layouts.new.boxes[at.1].label());
        layouts.finding(ChangeType::LayoutChanged, at, words)
    };
    under.into_iter().map(words).collect()
}

/// Reports texts of which more is cut off.
pub(super) fn cut<'f>(layouts: &Layouts<'f>) -> Vec<Finding<'f>> {
    let worse = |(old, new): (usize, usize)| {
        let (was, now) = (&layouts.old.boxes[old], &layouts.new.boxes[new]);
        let same = was.name == now.name && !now.moving && !is_volatile(&now.name);
        (same && now.cut > was.cut + CUT).then(|| {
            let words = format!("{} is cut off by {} px", now.label(), now.cut);
            layouts.finding(ChangeType::LayoutChanged, (old, new), words)
        })
    };
    layouts.both().filter_map(worse).collect()
}

/// Reports elements that overlap others more than before.
pub(super) fn overlapping<'f>(layouts: &Layouts<'f>) -> Vec<Finding<'f>> {
    let mut found = Vec::new();
    for (old, new) in layouts.both() {
        let (was, now) = (&layouts.old.boxes[old], &layouts.new.boxes[new]);
        let before = |with: &str| {
            was.overlaps.iter().find(|known| known.with == with).map_or(0, |known| known.share)
        };
        let worst = now
            .overlaps
            .iter()
            .filter(|overlap| overlap.share >= OVERLAP.max(before(&overlap.with) * 2))
            .min_by_key(|overlap| std::cmp::Reverse(overlap.share));
        if let Some(overlap) = worst {
            let words = format!("{} overlaps {}", now.label(), overlap.with);
            found.push(layouts.finding(ChangeType::LayoutChanged, (old, new), words));
        }
    }
    found
}

/// Reports elements whose content spills out. It spills out of everything around them, too, so only
/// the smallest of those around each other is reported.
pub(super) fn spilling<'f>(layouts: &Layouts<'f>) -> Vec<Finding<'f>> {
    let mut worse: Vec<(usize, usize)> = layouts
        .both()
        .filter(|(old, new)| {
            let (was, now) = (&layouts.old.boxes[*old], &layouts.new.boxes[*new]);
            now.spill > was.spill + TOLERANCE as u32 && !now.moving
        })
        .collect();
    let area = |new: usize| {
        let [_, _, width, height] = layouts.new.boxes[new].rect;
        i64::from(width) * i64::from(height)
    };
    worse.sort_by_key(|(_, new)| area(*new));
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for at in worse.into_iter().take(MOST_SPILLING) {
        let [x, y, width, height] = layouts.new.boxes[at.1].rect;
        let holds = |inner: &(usize, usize)| {
            let [left, top, ..] = layouts.new.boxes[inner.1].rect;
            left >= x && top >= y && left < x + width && top < y + height
        };
        if !kept.iter().any(holds) {
            kept.push(at);
        }
    }
    let words = |at: (usize, usize)| {
        let now = &layouts.new.boxes[at.1];
        let words = format!("{}: its content is {} px wider than it is", now.label(), now.spill);
        layouts.finding(ChangeType::LayoutChanged, at, words)
    };
    kept.into_iter().map(words).collect()
}
