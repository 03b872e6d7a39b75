//! Folds runs of equal siblings: three samples, and one line that counts the rest. A table of 300
//! rows becomes three rows and a note.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::page::NodeId;
use crate::page::role::Role;
use crate::render::items::{
    How, Item, ItemFate, ItemKind, Items, More, Tally, apply, children, line_parents,
};

/// A run longer than this is folded …
const LONGEST_RUN: usize = 12;
/// … to this many samples.
const SAMPLES: usize = 3;

/// A text longer than this is prose.
const PROSE: usize = 100;

/// Folds runs, except those that lie right below one of the `opened` nodes.
pub(crate) fn fold(mut items: Items, opened: &[NodeId]) -> Items {
    let above = line_parents(&items);
    let shapes: Vec<Option<u64>> = (0..items.len()).map(|at| shape(&items, at)).collect();
    let mut fates = vec![ItemFate::Keep; items.len()];
    let mut parents: Vec<Option<usize>> = vec![None];
    parents.extend((0..items.len()).filter(|at| items[*at].end as usize > at + 1).map(Some));
    for parent in parents {
        let siblings: Vec<usize> = children(&items, parent).collect();
        if siblings.len() <= LONGEST_RUN {
            continue;
        }
        let mut start = 0;
        while start < siblings.len() {
            let shape = shapes[siblings[start]];
            let same = siblings[start..]
                .iter()
                .take_while(|at| shape.is_some() && shapes[**at] == shape)
                .count();
            let run = &siblings[start..start + same.max(1)];
            let holder = above[run[0]];
            let open = holder
                .map_or(opened.contains(&NodeId::ROOT), |at| opened.contains(&items[at].node));
            if run.len() > LONGEST_RUN && !open {
                fold_run(&mut items, &mut fates, run, holder);
            }
            start += same.max(1);
        }
    }
    apply(items, &fates)
}

/// Keeps the samples of a run, turns the next item into a note about the rest, and drops the rest.
fn fold_run(items: &mut Items, fates: &mut [ItemFate], run: &[usize], holder: Option<usize>) {
    let rest = &run[SAMPLES..];
    let tally = Tally::of(rest.iter().flat_map(|at| &items[*at..items[*at].end as usize]));
    let noun = match &items[run[0]] {
        item if item.kind == ItemKind::Soft => "items like these",
        item => item.role.plural(),
    };
    let what = format!("{} more {noun}", rest.len());
    let (inside, how) = match holder {
        Some(at) => {
            items[at].numbered = true;
            let short = items[at].body.clone();
            (Some((items[at].node, short)), How::Scope(items[at].node))
        }
        None => (None, How::After(items[run[SAMPLES - 1]].node, None)),
    };
    let note = rest[0];
    fates[note + 1..items[note].end as usize].fill(ItemFate::Drop);
    for at in &rest[1..] {
        fates[*at] = ItemFate::Drop;
    }
    items[note] = std::mem::take(&mut items[note]).into_note(More { what, inside, how, tally });
}

/// Returns what makes siblings equal: the role, for fields also the name, for wrappers their
/// content. `None` is never folded.
pub(super) fn shape(items: &[Item], at: usize) -> Option<u64> {
    let item = &items[at];
    let mut hasher = DefaultHasher::new();
    item.role.hash(&mut hasher);
    match item.kind {
        ItemKind::Region | ItemKind::Heading | ItemKind::Note => return None,
        ItemKind::Text
            if item.role != Role::ListItem
                && item.role != Role::Definition
                && item.role != Role::Image =>
        {
            return None;
        }
        ItemKind::Text | ItemKind::Group => {}
        ItemKind::Usable if item.role.is_field() => (&item.name, &item.guess).hash(&mut hasher),
        ItemKind::Usable => {}
        // Prose is not folded just because its paragraphs have the same layout.
        ItemKind::Soft
            if children(items, Some(at)).take(20).any(|child| is_prose(&items[child])) =>
        {
            return None;
        }
        ItemKind::Soft => {
            let mut roles: Vec<Role> =
                children(items, Some(at)).take(20).map(|child| items[child].role).collect();
            roles.sort_unstable();
            roles.dedup();
            (u8::MAX, roles).hash(&mut hasher);
        }
    }
    Some(hasher.finish())
}

fn is_prose(item: &Item) -> bool {
    item.kind == ItemKind::Text && item.body.len() > PROSE
}
