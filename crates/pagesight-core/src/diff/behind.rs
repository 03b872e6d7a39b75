//! The page behind a dialog or an overlay: whether a change took nearly all of it out of reach, or
//! gave it back. That is one line of a diff, not one line for each element.

use std::collections::HashMap;

use super::lines::Lines;
use super::model::{Detail, LineChange, LineFate};
use crate::fingerprint::FAULT;
use crate::page::role::Role;
use crate::page::{Flags, Node, Rect};
use crate::render::ItemKind;

/// This share of the elements that can be judged must be out of reach, in percent.
const NEARLY_ALL: usize = 90;
/// How much narrower or lower than the viewport an overlay may be: it leaves out the scroll bars.
const SCROLL_BAR: i64 = 20;

/// A change of the page behind a dialog or an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageBehind {
    /// It takes no input any more.
    Inert,
    /// It takes input again.
    Active,
}

impl PageBehind {
    /// Returns its line in a diff.
    pub fn words(self) -> &'static str {
        match self {
            PageBehind::Inert => "the page behind is inert",
            PageBehind::Active => "the page behind is active again",
        }
    }
}

/// Why a person cannot use an element.
#[derive(Clone, Copy, PartialEq)]
enum OutOfReach {
    /// It takes no input, is hidden from assistive technology, or lets clicks through.
    Inert,
    /// A dialog, or something as large as the viewport, is over it.
    Overlay,
    /// Something else is over it.
    Covered,
}

/// How much of a page is out of reach, of the elements that both pages have.
#[derive(Default)]
struct Tally {
    judged: usize,
    out: usize,
    /// Out of reach in this page only.
    only_here: usize,
    /// Some of these for a reason that applies to a whole page.
    is_certain: bool,
    /// Out of reach in both pages, for such a reason.
    kept_out: usize,
}

impl Tally {
    fn add(&mut self, here: Option<OutOfReach>, there: Option<OutOfReach>, in_view: bool) {
        // Covers are not known of everything outside of the viewport.
        if here.is_none() && !in_view {
            return;
        }
        self.judged += 1;
        self.out += usize::from(here.is_some());
        if here.is_some() && there.is_none() {
            self.only_here += 1;
            self.is_certain |= here != Some(OutOfReach::Covered);
        }
        let is_page_wide = |reason| matches!(reason, Some(OutOfReach::Inert | OutOfReach::Overlay));
        self.kept_out += usize::from(is_page_wide(here) && is_page_wide(there));
    }

    fn is_nearly_all(&self) -> bool {
        self.out * 100 >= self.judged * NEARLY_ALL
    }
}

/// Judges the page behind, and takes what follows from that out of the changes. `partners`: for
/// each line of the new page, the line of the old page that it is paired with.
pub(super) fn page_behind(
    old: &Lines<'_>,
    new: &Lines<'_>,
    partners: &[Option<usize>],
    changes: &mut Vec<LineChange>,
) -> Option<PageBehind> {
    let (mut before, mut after) = (Tally::default(), Tally::default());
    let mut overlays = [HashMap::new(), HashMap::new()];
    for (at, partner) in partners.iter().enumerate() {
        let Some(partner) = *partner else { continue };
        if [old.item(partner), new.item(at)].iter().any(|item| item.kind != ItemKind::Usable) {
            continue;
        }
        let was = out_of_reach(old.node(partner), &mut overlays[0]);
        let now = out_of_reach(new.node(at), &mut overlays[1]);
        before.add(was, now, old.node(partner).is(Flags::IN_VIEWPORT));
        after.add(now, was, new.node(at).is(Flags::IN_VIEWPORT));
    }
    let behind = if after.is_certain && after.is_nearly_all() {
        PageBehind::Inert
    } else if before.is_certain && before.is_nearly_all() && after.only_here == 0 {
        PageBehind::Active
    } else {
        return None;
    };
    for change in changes.iter_mut().filter(|change| change.fate == LineFate::Changed) {
        let nodes =
            [change.before.map(|id| old.page.node(id)), change.after.map(|id| new.page.node(id))];
        let through = nodes.into_iter().flatten().any(lets_clicks_through);
        change.details.retain(|detail| match detail {
            Detail::State("inert", _) => false,
            Detail::State("disabled", _) => !through,
            _ => true,
        });
    }
    changes.retain(|change| change.fate != LineFate::Changed || !change.details.is_empty());
    // Only a dialog over a dialog was closed.
    let is_still_inert = behind == PageBehind::Active && before.kept_out > before.only_here;
    (!is_still_inert).then_some(behind)
}

fn out_of_reach(
    node: Node<'_>,
    overlays: &mut HashMap<crate::page::NodeId, bool>,
) -> Option<OutOfReach> {
    if node.is_inert() || node.is(Flags::ARIA_HIDDEN) || lets_clicks_through(node) {
        return Some(OutOfReach::Inert);
    }
    let cover = node.cover()?;
    let overlay = *overlays.entry(cover.id()).or_insert_with(|| is_overlay(cover));
    Some(if overlay { OutOfReach::Overlay } else { OutOfReach::Covered })
}

fn lets_clicks_through(node: Node<'_>) -> bool {
    node.attribute(FAULT) == Some("unclickable")
}

/// Whether a cover takes every click: it is in a dialog, or as large as the viewport.
fn is_overlay(cover: Node<'_>) -> bool {
    let (width, height) = cover.viewport();
    let Rect { x, y, width: across, height: down } = cover.rect();
    let fills = x <= 0
        && y <= 0
        && i64::from(x) + i64::from(across) + SCROLL_BAR >= i64::from(width)
        && i64::from(y) + i64::from(down) + SCROLL_BAR >= i64::from(height);
    let is_dialog = |node: Node<'_>| {
        matches!(node.role(), Role::Dialog | Role::AlertDialog) || node.is(Flags::MODAL)
    };
    fills || std::iter::once(cover).chain(cover.ancestors()).any(is_dialog)
}
