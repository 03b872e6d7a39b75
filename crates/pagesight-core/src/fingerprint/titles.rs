//! Finds what a text belongs to: the heading of its card, or the first words of its row or item.

use crate::page::role::Role;
use crate::page::{Flags, Node};
use crate::text::escape::{bounded, stored};

/// Among how many elements around a text its title is looked for, and among how many nodes of each.
const REACH: usize = 8;
const MOST_READ: usize = 60;
/// A longer text is not the title of something.
const LONGEST: usize = 80;

/// Returns the title of what a node belongs to; empty if nothing near it is one.
pub(super) fn title_of(node: Node<'_>) -> String {
    let mut inner = node;
    for around in node.ancestors().take(REACH) {
        if let Some(title) = title_in(around, inner) {
            return title;
        }
        if around.role().is_landmark() {
            break;
        }
        inner = around;
    }
    String::new()
}

/// Returns the first heading in an element, else the first words of an item, outside of a part of
/// it and of the cards and items in it.
fn title_in(around: Node<'_>, part: Node<'_>) -> Option<String> {
    let may_have_words = is_item(around);
    let mut words = None;
    let mut skip = 0;
    for node in around.descendants().take(MOST_READ) {
        if node.id().index() < skip {
            continue;
        }
        if part.id() == node.id() || is_item(node) && !is_row_part(around, node) {
            skip = node.end();
            continue;
        }
        let is_seen = match node.is_text() {
            true => {
                !node.is(Flags::WITHHELD) && node.parent().is_none_or(|at| at.hidden().is_none())
            }
            false => node.hidden().is_none(),
        };
        if !is_seen {
            continue;
        }
        if node.role() == Role::Heading && is_title(node.name()) {
            return Some(bounded(&stored(node.name()), LONGEST));
        }
        if may_have_words && node.is_text() && words.is_none() && is_title(node.name()) {
            words = Some(bounded(&stored(node.name()), LONGEST));
        }
    }
    words
}

/// Whether an element stands for one thing.
fn is_item(node: Node<'_>) -> bool {
    let has_role = matches!(
        node.role(),
        Role::ListItem | Role::Article | Role::Row | Role::Option | Role::Link | Role::Figure
    );
    has_role || matches!(node.tag(), "li" | "article" | "tr" | "section" | "figure" | "dd")
}

/// Whether an inner element says what an outer one is: a link in a card.
fn is_row_part(around: Node<'_>, node: Node<'_>) -> bool {
    is_item(around) && node.role() == Role::Link
}

/// Whether a text has words and no number, which may change on its own.
fn is_title(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
        && !text.contains(|c: char| c.is_ascii_digit())
        && text.trim().chars().count() <= LONGEST
}
