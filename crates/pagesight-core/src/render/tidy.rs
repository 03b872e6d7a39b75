//! The second pass over the items, when their neighbours are known: removes repetitions and lone
//! wrappers, merges nested elements that are one thing, and guesses what fields without a name are
//! for.

use crate::page::role::Role;
use crate::page::{NodeId, Page};
use crate::render::items::{Item, ItemFate, ItemKind, Items, apply, children, line_parents};
use crate::render::{labels, nested};
use crate::text::escape::{TEXT_LIMIT, clean, safe_line};

/// Drops repetitions, unwraps lone containers, merges nested elements and counts lists and tables.
/// The items are those of the subtree at `root`.
pub(crate) fn tidy(page: &Page, mut items: Items, root: NodeId) -> Items {
    count_contents(&mut items);
    let fates = lone_containers(&mut items);
    let items = apply(items, &fates);
    let fates = repetitions(&items);
    let mut items = apply(items, &fates);
    // A container that lost a text may hold only one thing now.
    let fates = lone_containers(&mut items);
    let mut items = apply(items, &fates);
    let fates = nested::merge(page, &mut items, root);
    let mut items = apply(items, &fates);
    labels::add_guesses(page, &mut items);
    let fates = led_items(&mut items);
    apply(items, &fates)
}

/// Unwraps list items that begin with a link or button and contain more (a menu entry with its
/// submenu). The link takes the place of the item, and the rest goes below it.
fn led_items(items: &mut Items) -> Vec<ItemFate> {
    let mut fates = vec![ItemFate::Keep; items.len()];
    for at in 0..items.len() {
        let item = &items[at];
        let bare = item.kind == ItemKind::Group
            && item.role == Role::ListItem
            && !item.numbered
            && item.name.is_empty();
        let leads = |first: &Item| first.kind == ItemKind::Usable && first.end as usize == at + 2;
        if bare && items.get(at + 1).is_some_and(leads) {
            items[at + 1].end = items[at].end;
            fates[at] = ItemFate::Unwrap;
        }
    }
    fates
}

/// Adds counts to lists and tables: `list: Recent (5)`, `table: Orders (300 rows)`.
fn count_contents(items: &mut Items) {
    for at in 0..items.len() {
        let count = |wanted: &[Role]| rows_below(items, at, wanted);
        let suffix = match items[at].role {
            Role::List | Role::Feed => {
                Some(count(&[Role::ListItem, Role::Article])).map(|n| format!(" ({n})"))
            }
            Role::Table | Role::Grid | Role::TreeGrid => match count(&[Role::Row]) {
                1 => Some(" (1 row)".to_owned()),
                n => Some(format!(" ({n} rows)")),
            },
            _ => None,
        };
        items[at].count = suffix.unwrap_or_default();
    }
}

/// Returns how many items of these roles are directly below an item, looking through wrappers
/// without a line.
fn rows_below(items: &[Item], parent: usize, wanted: &[Role]) -> usize {
    let (mut at, end, mut count) = (parent + 1, items[parent].end as usize, 0);
    while at < end {
        if items[at].kind == ItemKind::Soft {
            at += 1;
            continue;
        }
        count += usize::from(wanted.contains(&items[at].role));
        at = items[at].end as usize;
    }
    count
}

/// Drops texts that only repeat the name of the control they label or of the container they are in.
fn repetitions(items: &Items) -> Vec<ItemFate> {
    let above = line_parents(items);
    let said_above = |at: usize, text: &str| {
        above[at].is_some_and(|parent| {
            let name = clean(&items[parent].name);
            // A caption may come in pieces.
            name == text || (items[parent].role == Role::Figure && name.contains(text))
        })
    };
    // Wrappers without a line are looked through, up to a limit.
    let neighbours = |at: usize| {
        let before = items[..at].iter().rev().take(8).find(|item| item.kind != ItemKind::Soft);
        let after = items[at + 1..].iter().take(8).find(|item| item.kind != ItemKind::Soft);
        [before, after]
    };
    (0..items.len())
        .map(|at| {
            let item = &items[at];
            if item.kind != ItemKind::Text || item.name.is_empty() {
                return ItemFate::Keep;
            }
            let text = clean(&item.name);
            let beside = || {
                neighbours(at).into_iter().flatten().any(|other| {
                    let control = other.role.is_field()
                        || matches!(
                            other.role,
                            Role::Checkbox
                                | Role::Radio
                                | Role::Switch
                                | Role::Image
                                | Role::RadioGroup
                                | Role::Meter
                                | Role::ProgressBar
                        );
                    control
                        && other.kind != ItemKind::Note
                        && same_label(&clean(&other.name), &text)
                })
            };
            if said_above(at, &text) || beside() { ItemFate::Drop } else { ItemFate::Keep }
        })
        .collect()
}

/// Whether two texts label the same field: `Name`, `Name:` and `Name *` do.
fn same_label(name: &str, text: &str) -> bool {
    let bare = |text: &str| text.trim_end_matches([':', '*', ' ']).to_owned();
    !name.is_empty() && bare(name) == bare(text)
}

/// Unwraps containers that hold nothing or only one thing, and wrappers that hold no group.
fn lone_containers(items: &mut Items) -> Vec<ItemFate> {
    let mut fates = vec![ItemFate::Keep; items.len()];
    // How many lines an item has among its siblings: 1, or as many as are below it if it is
    // unwrapped.
    let mut lines = vec![1usize; items.len()];
    for at in (0..items.len()).rev() {
        let inside: usize = children(items, Some(at)).map(|child| lines[child]).sum();
        let item = &mut items[at];
        let unnamed = clean(&item.name).is_empty();
        let plain = !item.numbered;
        let fate = match (item.kind, item.role) {
            (ItemKind::Soft, _) if inside < 2 => ItemFate::Unwrap,
            (ItemKind::Soft, _) => ItemFate::Keep,
            (ItemKind::Group, Role::ListItem | Role::Term | Role::Definition) if plain => {
                match (unnamed, inside) {
                    (true, 0) => ItemFate::Drop,
                    (true, 1) => ItemFate::Unwrap,
                    (false, 0) => {
                        // A list item that is only text is a plain line.
                        item.kind = ItemKind::Text;
                        item.body = safe_line(&item.name, TEXT_LIMIT);
                        ItemFate::Keep
                    }
                    _ => ItemFate::Keep,
                }
            }
            (
                ItemKind::Group,
                Role::Row | Role::Alert | Role::Status | Role::Log | Role::Timer | Role::Tooltip,
            ) if plain && unnamed && inside == 0 => ItemFate::Drop,
            (ItemKind::Group, Role::Row) if plain && unnamed && inside == 1 => ItemFate::Unwrap,
            (
                ItemKind::Group,
                Role::Group
                | Role::Article
                | Role::Figure
                | Role::Document
                | Role::Application
                | Role::Status,
            ) if plain && unnamed && (inside < 2 || item.role != Role::Article) => ItemFate::Unwrap,
            (
                ItemKind::Group,
                Role::List
                | Role::Feed
                | Role::TabPanel
                | Role::Toolbar
                | Role::Menu
                | Role::TabList,
            ) if plain && unnamed && inside == 0 => ItemFate::Drop,
            (ItemKind::Group, Role::List) if plain && unnamed && inside == 1 => ItemFate::Unwrap,
            (ItemKind::Region, role) if inside == 0 && unnamed && role != Role::Main => {
                ItemFate::Drop
            }
            _ => ItemFate::Keep,
        };
        lines[at] = match fate {
            ItemFate::Drop => 0,
            ItemFate::Unwrap => inside,
            ItemFate::Keep if items[at].kind == ItemKind::Soft => inside,
            ItemFate::Keep => 1,
        };
        fates[at] = fate;
    }
    fates
}
