//! Texts that may say what a control belongs to: headings, labels, rows and containers around it.

use crate::page::Page;
use crate::page::role::Role;
use crate::render::cells::cells;
use crate::render::items::{Item, ItemKind};
use crate::text::escape::clean;

/// Among how many containers around a control its owner is looked for, and among how many lines of
/// each.
const REACH: usize = 8;
const MOST_LINES: usize = 60;
/// A longer text is not the name of something.
const LONGEST: usize = 60;

/// Returns the texts that may name what an item belongs to, the nearest first. `same`: its equals.
pub(crate) fn texts_around(
    page: &Page,
    items: &[Item],
    parents: &[Option<usize>],
    same: &[usize],
    at: usize,
) -> Vec<String> {
    let mut texts = Vec::new();
    let mut add = |text: &str| {
        let text = clean(text);
        let text = text.trim_end_matches([':', '*', ' ']);
        if is_title(text) && !texts.iter().any(|known| known == text) {
            texts.push(text.to_owned());
        }
    };
    let above = std::iter::successors(parents[at], |above| parents[*above]);
    for around in above.take(REACH) {
        let end = items[around].end as usize;
        let others = same.iter().copied().filter(|other| *other != at);
        let inside: Vec<usize> = others.filter(|other| (around..end).contains(other)).collect();
        named(page, &items[around]).iter().for_each(|name| add(name));
        let lines: Vec<usize> = if inside.is_empty() {
            // The title of a card is at its beginning.
            (around + 1..end).take(MOST_LINES).collect()
        } else {
            // Where there are several in one container, it is right before each of them.
            let before = inside.iter().rfind(|other| **other < at);
            let start = before.map_or(around + 1, |other| items[*other].end as usize);
            let beside = |line: &usize| is_beside(items, parents, *line, around);
            (start..at).rev().take(MOST_LINES).filter(beside).collect()
        };
        for kind in [ItemKind::Heading, ItemKind::Text] {
            let is_kind = |line: &&usize| items[**line].kind == kind;
            if let Some(line) = lines.iter().find(is_kind) {
                add(&items[*line].name);
            }
        }
    }
    texts
}

/// Whether a line of a container is in no other one there that has a name or controls of its own.
fn is_beside(items: &[Item], parents: &[Option<usize>], line: usize, container: usize) -> bool {
    let above = std::iter::successors(parents[line], |above| parents[*above]);
    let mut between = above.take_while(|above| *above != container).take(REACH);
    between.all(|above| {
        let wrapper = &items[above];
        let mut inside = items[above..wrapper.end as usize].iter().take(MOST_LINES);
        let named = wrapper.kind != ItemKind::Soft && !wrapper.name.is_empty();
        !named && !inside.any(|item| item.kind == ItemKind::Usable)
    })
}

/// Whether a text may be the name of something.
fn is_title(text: &str) -> bool {
    text.chars().any(char::is_alphabetic) && text.chars().count() <= LONGEST
}

/// Returns what a container is called: the first cell of a row and all its text, or its name.
fn named(page: &Page, item: &Item) -> Vec<String> {
    let mut names = Vec::new();
    if item.role == Role::Row {
        let cells = cells(page.node(item.node));
        names.extend(
            cells
                .iter()
                .map(|cell| clean(cell.name()))
                .find(|name| name.chars().any(char::is_alphabetic)),
        );
    }
    if item.kind != ItemKind::Soft {
        names.push(item.name.clone());
    }
    names
}
