//! A label and what it belongs to, in one line. The label of a field without a name is a guess in
//! the field's line: `slider (Small Range) = "128"`. A label and its value are one text:
//! `Status · active`.

use crate::nameless::{GuessedName, guessed_name};
use crate::page::role::Role;
use crate::page::{Node, Page};
use crate::render::cells::cells;
use crate::render::items::{
    Item, ItemFate, ItemKind, Items, apply, children, line_parents, parents,
};
use crate::render::line::head_with_guess;
use crate::text::escape::{clean, safe, safe_line};

const LABEL_LIMIT: usize = 60;
/// The longest line of a label and its value. Longer texts may be shortened later, which only works
/// for the text of one element.
const PAIR_LIMIT: usize = 150;

/// Among how many items at the beginning of a table its column heads are.
const FIRST_ITEMS: usize = 4;

/// A field without a name and the item that labels it.
struct LabelledField {
    label: usize,
    field: usize,
}

/// Adds the labels of fields without a name to their lines.
pub(super) fn add_guesses(page: &Page, items: &mut Items) {
    for pair in labelled_fields(page, items) {
        let label = printed(&items[pair.label]);
        let field = &mut items[pair.field];
        // An icon says more, and then the label keeps its line.
        let icon = guessed_name(page.node(field.node)).is_some_and(|guess| guess.source.is_icon());
        if !icon {
            field.body = head_with_guess(field.role, 0, &label, "");
            field.guess = label;
        }
    }
}

/// Removes the lines of labels that a field or a value says as well.
pub(super) fn join(page: &Page, mut items: Items) -> Items {
    let mut fates = vec![ItemFate::Keep; items.len()];
    for pair in labelled_fields(page, &items) {
        if items[pair.field].guess == printed(&items[pair.label]) {
            fates[pair.label] = ItemFate::Unwrap;
        }
    }
    for (label, value) in values(page, &items) {
        let body = paired(&items[label].name, &items[value].name);
        if body.chars().count() <= PAIR_LIMIT {
            items[value].name = format!("{} {}", items[label].name, items[value].name);
            items[value].body = body;
            fates[label] = ItemFate::Drop;
        }
    }
    apply(items, &fates)
}

/// Returns a label as the guessed name of a field.
fn printed(label: &Item) -> String {
    let label = clean(&label.name);
    GuessedName::label(label.trim_end_matches([':', '*', ' '])).printed()
}

/// Returns a label and its value as one text. The separator replaces the colon of the label.
fn paired(label: &str, value: &str) -> String {
    let label = clean(label);
    let label = label.trim_end_matches([':', ' ']);
    format!("{} · {}", safe_line(label, LABEL_LIMIT), safe(value, PAIR_LIMIT))
}

/// Returns the fields without a name that share a row with exactly one text, their label.
fn labelled_fields(page: &Page, items: &[Item]) -> Vec<LabelledField> {
    let mut out = Vec::new();
    let above = line_parents(items);
    let headed = |at: usize| {
        let table = above[at].map_or(0, |table| table + 1);
        items[table..at].iter().take(FIRST_ITEMS).any(|item| item.role == Role::ColumnHeader)
    };
    for (at, item) in items.iter().enumerate() {
        let mut inside = children(items, Some(at));
        let (first, second, third) = (inside.next(), inside.next(), inside.next());
        let pair = match (item.kind, first, second, third) {
            (ItemKind::Soft, Some(one), Some(other), None) => {
                let before = is_label(&items[one]) && takes_label(items, other);
                // Only check boxes and the like have their label after them.
                let after = takes_label(items, one)
                    && !items[one].role.is_field()
                    && is_label(&items[other]);
                match (before, after) {
                    (true, _) => Some(LabelledField { label: one, field: other }),
                    (_, true) => Some(LabelledField { label: other, field: one }),
                    _ => None,
                }
            }
            (ItemKind::Group, Some(field), None, None)
                if is_bare_row(page, item) && !headed(at) =>
            {
                takes_label(items, field).then_some(LabelledField { label: at, field })
            }
            _ => None,
        };
        out.extend(pair);
    }
    out
}

/// Whether an item is a list item with a short text, or such a row of two cells. It has no use of
/// its own.
fn is_bare_row(page: &Page, item: &Item) -> bool {
    let of_two = || cells(page.node(item.node)).len() == 2;
    !item.numbered
        && is_short(&item.name)
        && (item.role == Role::ListItem || (item.role == Role::Row && of_two()))
}

/// Whether an item is a plain text that can be a label.
fn is_label(item: &Item) -> bool {
    is_text(item) && item.role == Role::None && is_short(&item.name)
}

fn is_text(item: &Item) -> bool {
    item.kind == ItemKind::Text
        && item.more.is_none()
        && item.states.is_empty()
        && item.value.is_empty()
        && item.beyond == 0
        && !item.names
        && !item.numbered
}

/// Whether a text is short enough for a label and not a sentence.
fn is_short(text: &str) -> bool {
    let text = clean(text);
    !text.is_empty() && text.chars().count() <= LABEL_LIMIT && !text.ends_with(['.', '!', '…'])
}

/// Whether an item is a field without a name. Of a select, only the line of its options is below.
fn takes_label(items: &[Item], at: usize) -> bool {
    let item = &items[at];
    let mut inside = at + 1..item.end as usize;
    item.kind == ItemKind::Usable
        && clean(&item.name).is_empty()
        && (item.role.is_field()
            || matches!(item.role, Role::Checkbox | Role::Radio | Role::Switch))
        && inside.len() <= 1
        && inside.all(|inner| items[inner].role == Role::Option)
}

/// Returns labels with their values: a term and its only definition, or the two texts of a row.
fn values(page: &Page, items: &[Item]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let parents = parents(items);
    for at in 0..items.len() {
        let next = items[at].end as usize;
        let (Some(value), true) = (items.get(next), is_text(&items[at])) else { continue };
        if next != at + 1 || parents[next] != parents[at] || !is_text(value) {
            continue;
        }
        let after = items[next].end as usize;
        let last = after >= items.len() || parents[after] != parents[at];
        let first = at == 0 || parents[at] == Some(at - 1);
        let is = |at: usize, role: Role| items[at].role == role && parents[at] == parents[next];
        let pair = match items[at].role {
            Role::Term => {
                value.role == Role::Definition
                    && is_short(&items[at].name)
                    && (last || !is(after, Role::Definition))
                    && (first || !is(at - 1, Role::Term))
            }
            Role::None => {
                let row = parents[at].is_some_and(|row| items[row].kind == ItemKind::Soft);
                let short = is_short(&items[at].name) && is_short(&value.name);
                row && first
                    && last
                    && value.role == Role::None
                    && short
                    && in_one_row(page.node(items[at].node), page.node(value.node))
            }
            _ => false,
        };
        if pair {
            out.push((at, next));
        }
    }
    out
}

/// Whether two texts are drawn beside each other: they share most of their height.
fn in_one_row(label: Node<'_>, value: Node<'_>) -> bool {
    let (Some(label), Some(value)) = (label.parent(), value.parent()) else { return false };
    let (one, other) = (label.rect(), value.rect());
    let top = one.y.max(other.y);
    let bottom = one.y.saturating_add(one.height).min(other.y.saturating_add(other.height));
    let beside = one.x.saturating_add(one.width) <= other.x.saturating_add(1)
        || other.x.saturating_add(other.width) <= one.x.saturating_add(1);
    label.id() != value.id()
        && beside
        && one.height.min(other.height) > 0
        && bottom.saturating_sub(top).saturating_mul(2) > one.height.min(other.height)
}

#[cfg(test)]
mod tests {
    use crate::render::tests::check;

    #[test]
    fn the_label_of_a_field_without_a_name_is_its_hint() {
        check(
            "div block\n  span block\n    'Small Range:'\n  input slider usable value=128",
            "[1] slider (Small Range) = \"128\"",
        );
        check(
            "div block\n  input checkbox usable checked\n  span block\n    'Milk (2 l)'\nul list \"Todo\" block\n  li listitem block\n    'Eggs'\n    input checkbox usable\n  li listitem block\n    'Tea'",
            "[1] checkbox (\"Milk (2 l)\") — checked\nlist: Todo (2)\n  [2] checkbox (Eggs)\n  Tea",
        );
        check(
            "table table block\n  tr row block\n    td cell block\n      'Volume'\n    td cell block\n      input slider usable value=3\n  tr row block\n    td cell block\n      'Mute'\n    td cell block\n      input checkbox usable",
            "table (2 rows)\n  [1] slider (Volume) = \"3\"\n  [2] checkbox (Mute)",
        );
    }

    #[test]
    fn what_is_not_a_label_keeps_its_line() {
        // A message, a text after a field, a second text, a field with a name, a button.
        check(
            "div block\n  p block\n    'We never share it.'\n  input textbox usable value=\ndiv block\n  input textbox usable value=\n  p block\n    'In full'\ndiv block\n  p block\n    'A'\n  p block\n    'B'\n  input textbox usable value=\ndiv block\n  p block\n    'AC'\n  input switch \"Cooling\" usable\ndiv block\n  p block\n    'Saved'\n  button button usable",
            "We never share it.\n[1] textbox = \"\"\n[2] textbox = \"\"\nIn full\nA\nB\n[3] textbox = \"\"\nAC\n[4] switch: Cooling\nSaved\n[5] button",
        );
    }

    #[test]
    fn a_label_and_its_value_are_one_line() {
        check(
            "dl block\n  dt term block\n    'Status'\n  dd definition block\n    'active'\n  dt term block\n    'Tags'\n  dd definition block\n    'a'\n  dd definition block\n    'b'\n  dt term block\n    'main'\n  dd definition block\n    'x — y'",
            "Status · active\nTags\na\nb\n\"main\" · \"x — y\"",
        );
        let row = |y: i32| {
            format!(
                "div block\n  span block box=0,0,90,20\n    'Owner'\n  span block box=100,{y},90,20\n    'Ada'"
            )
        };
        check(&row(2), "Owner · Ada");
        check(&row(24), "Owner\nAda");
    }

    #[test]
    fn a_long_value_keeps_its_line() {
        let long = "word ".repeat(40);
        let picture =
            format!("dl block\n  dt term block\n    'About'\n  dd definition block\n    '{long}'");
        check(&picture, &format!("About\n{}", long.trim_end()));
    }
}
