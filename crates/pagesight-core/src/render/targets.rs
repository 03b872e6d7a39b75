//! Folds click targets without a name into the line of a named element of the same unit, which
//! counts them: `link: Apollo (+1 click target)`. A unit is a list item, a row or a card. What has
//! a value, a state or a guessed name is never folded, and neither is what stands beside icons with
//! a guessed name.

use std::collections::HashMap;

use crate::page::role::Role;
use crate::page::{Node, NodeId, Page};
use crate::render::fold::shape;
use crate::render::items::{Item, ItemFate, ItemKind, Items, apply, children, parents};
use crate::text::escape::clean;

/// How many levels above a click target its unit is looked for.
const REACH: usize = 8;
/// A container with more items than this is not one unit: an article with its text, a page in a
/// list.
const LARGEST_UNIT: usize = 24;

/// A click target and the named item that counts it.
struct FoldedTarget {
    target: usize,
    named: usize,
    unit: usize,
}

/// Folds click targets without a name. Those of the unit that the reader opened stay.
pub(super) fn fold(mut items: Items, opened: Option<NodeId>) -> Items {
    let mut fates = vec![ItemFate::Keep; items.len()];
    let mut gone: HashMap<usize, usize> = HashMap::new();
    for FoldedTarget { target, named, unit } in folded_targets(&items) {
        if opened.is_some_and(|node| [items[named].node, items[unit].node].contains(&node)) {
            continue;
        }
        fates[target] = ItemFate::Drop;
        let role = items[target].role;
        items[named].counted.push(role);
        *gone.entry(unit).or_default() += 1;
    }
    for item in items.iter_mut().filter(|item| !item.counted.is_empty()) {
        let plural = if item.counted.len() == 1 { "" } else { "s" };
        item.count.push_str(&format!(" (+{} click target{plural})", item.counted.len()));
    }
    for (unit, gone) in gone {
        if is_lone(&items, unit, gone) {
            fates[unit] = ItemFate::Unwrap;
        }
    }
    apply(items, &fates)
}

/// Returns the element around a named element and the click targets that its line counts. None if
/// its line counts none.
pub(super) fn unit_of(page: &Page, items: &[Item], named: NodeId) -> Option<NodeId> {
    let targets: Vec<NodeId> = folded_targets(items)
        .into_iter()
        .filter(|folded| items[folded.named].node == named)
        .map(|folded| items[folded.target].node)
        .collect();
    let holds_all = |above: &Node<'_>| targets.iter().all(|at| above.contains(*at));
    let mut around = page.node(named).ancestors();
    if targets.is_empty() { None } else { around.find(holds_all).map(|above| above.id()) }
}

/// Whether a list item or row without a text holds only one thing besides its folded targets.
fn is_lone(items: &[Item], unit: usize, gone: usize) -> bool {
    let item = &items[unit];
    item.kind == ItemKind::Group
        && matches!(item.role, Role::ListItem | Role::Row)
        && clean(&item.name).is_empty()
        && !item.numbered
        && children(items, Some(unit)).take(gone + 2).count() == gone + 1
}

/// Returns the click targets without a name that share a unit with a named element: the last one
/// before the target, or else the first one after it.
fn folded_targets(items: &[Item]) -> Vec<FoldedTarget> {
    let targets: Vec<usize> = (0..items.len()).filter(|at| is_nameless(items, *at)).collect();
    if targets.is_empty() {
        return Vec::new();
    }
    let parents = parents(items);
    let cards = cards(items, &parents);
    let mut out = Vec::new();
    for target in targets {
        let above = std::iter::successors(parents[target], |at| parents[*at]).take(REACH);
        let mut inside = above.take_while(|at| !ends_search(&items[*at]));
        let unit = inside.find(|at| cards[*at] || is_record(items, *at));
        let Some(unit) = unit.filter(|unit| size(&items[*unit], *unit) <= LARGEST_UNIT) else {
            continue;
        };
        // Beside icons that are understood, one that is not is as likely to be wanted.
        let is_icon = |at: usize| {
            let item = &items[at];
            item.kind == ItemKind::Usable && clean(&item.name).is_empty() && !item.guess.is_empty()
        };
        if children(items, parents[target]).any(is_icon) {
            continue;
        }
        let named = |at: &usize| counts_targets(&items[*at]);
        let before = (unit..target).rev().find(named);
        let named = before.or_else(|| (target + 1..items[unit].end as usize).find(named));
        out.extend(named.map(|named| FoldedTarget { target, named, unit }));
    }
    out
}

/// Whether an item is a click target about which nothing is known.
fn is_nameless(items: &[Item], at: usize) -> bool {
    let item = &items[at];
    item.kind == ItemKind::Usable
        && matches!(item.role, Role::None | Role::Clickable | Role::Button | Role::Link)
        && clean(&item.name).is_empty()
        && item.guess.is_empty()
        && item.value.is_empty()
        && item.states.is_empty()
        && item.cover.is_none()
        && item.more.is_none()
        && item.end as usize == at + 1
}

/// Returns how many items are inside an item.
fn size(item: &Item, at: usize) -> usize {
    item.end as usize - at - 1
}

/// Whether the line of an item may count click targets. The button without a name beside a field
/// does something with the field, so it keeps its line.
fn counts_targets(item: &Item) -> bool {
    is_named(item) && !item.role.is_field()
}

/// Whether an item is usable and says what it is.
fn is_named(item: &Item) -> bool {
    item.numbered
        && item.more.is_none()
        && matches!(item.kind, ItemKind::Usable | ItemKind::Group)
        && (!item.guess.is_empty() || !clean(&item.name).is_empty())
}

/// Whether an item is one record among others. A link that leads a list item stands for it.
fn is_record(items: &[Item], at: usize) -> bool {
    let item = &items[at];
    matches!(item.role, Role::ListItem | Role::Row | Role::Article)
        || (item.kind == ItemKind::Usable && is_named(item))
}

/// Whether a unit cannot be around this item.
fn ends_search(item: &Item) -> bool {
    item.kind == ItemKind::Region
        || matches!(item.role, Role::Table | Role::Grid | Role::TreeGrid | Role::List)
}

/// Returns which items are cards: small wrappers among wrappers of the same shape, with something
/// that says what they are about. Three of a shape are enough; two must hold the same roles in the
/// same order, because two different parts of a page may have the same shape.
fn cards(items: &[Item], parents: &[Option<usize>]) -> Vec<bool> {
    let mut out = vec![false; items.len()];
    let shapes: Vec<Option<u64>> = items
        .iter()
        .enumerate()
        .map(|(at, item)| if item.kind == ItemKind::Soft { shape(items, at) } else { None })
        .collect();
    let next_alike = |at: usize| {
        let next = items[at].end as usize;
        let same = shapes[at].is_some() && shapes.get(next) == Some(&shapes[at]);
        (same && parents[next] == parents[at]).then_some(next)
    };
    for at in 0..items.len() {
        let Some(second) = next_alike(at) else { continue };
        let third = next_alike(second);
        if third.is_some() || out[at] || roles(items, at).eq(roles(items, second)) {
            (out[at], out[second]) = (true, true);
        }
    }
    for at in 0..items.len() {
        let inside = at + 1..items[at].end as usize;
        out[at] &=
            inside.len() <= LARGEST_UNIT && inside.into_iter().any(|at| is_subject(&items[at]));
    }
    out
}

fn roles(items: &[Item], at: usize) -> impl Iterator<Item = Role> {
    children(items, Some(at)).take(LARGEST_UNIT).map(|child| items[child].role)
}

fn is_subject(item: &Item) -> bool {
    let says = !clean(&item.name).is_empty();
    says && (matches!(item.kind, ItemKind::Heading | ItemKind::Text) || item.role == Role::Link)
}

#[cfg(test)]
mod tests {
    use crate::page::test_page::page;
    use crate::page::{NodeId, Scope};
    use crate::render::tests::{check, lines};
    use crate::render::{OutlineOptions, SequentialNumbers, outline};

    const LIST: &str = "ul list \"Todo\" block
  li listitem block
    'Eggs'
    button button \"Delete\" usable
    button button usable
  li listitem block
    a link \"Apollo\" usable
    span clickable usable
    a link usable
  li listitem block
    'Milk'
    span clickable usable
    span clickable usable
    input checkbox \"Done\" usable
    input checkbox usable
    button button usable disabled";

    #[test]
    fn click_targets_without_a_name_are_counted_by_a_named_one() {
        check(
            LIST,
            "list: Todo (3)\n  listitem: Eggs\n    [1] button: Delete (+1 click target)\n  [2] link: Apollo (+2 click targets)\n  listitem: Milk\n    [3] checkbox: Done (+2 click targets)\n    [4] checkbox\n    [5] button — disabled",
        );
    }

    #[test]
    fn nothing_is_folded_without_a_named_one_or_outside_of_a_unit() {
        check(
            "ul list block\n  li listitem block\n    'Eggs'\n    button button usable\n  li listitem block\n    'Milk'\n    button button usable\ndiv toolbar block\n  button button \"Bold\" usable\n  button button usable",
            "list (2)\n  listitem: Eggs\n    [1] button (Eggs)\n  listitem: Milk\n    [2] button (Milk)\ntoolbar\n  [3] button: Bold\n  [4] button",
        );
        check(
            "ul list block\n  li listitem block\n    input searchbox \"Find\" usable value=\n    button button usable\n  li listitem block\n    'x'",
            "list (2)\n  [1] searchbox: Find = \"\"\n    [2] button\n  x",
        );
        let long = "  p block\n    'A text'\n".repeat(30);
        let text = lines(
            &format!(
                "article article \"News\" block\n  a link \"A\" usable\n{long}  a link usable"
            ),
            &OutlineOptions::default(),
        );
        assert!(!text.contains("(+"), "{text}");
    }

    #[test]
    fn cards_are_units() {
        let card = "  div block\n    h3 heading \"H\" level=3 block\n    button button \"Buy\" usable\n    button button usable\n";
        let text = lines(&format!("main main block\n{card}{card}"), &OutlineOptions::default());
        assert_eq!(text.matches("button: Buy (+1 click target)\n").count(), 2, "{text}");
        let other = card.replace("    button", "    button button \"Sell\" usable\n    button");
        let text = lines(&format!("main main block\n{card}{other}"), &OutlineOptions::default());
        assert!(!text.contains("(+"), "{text}");
        let text = lines(&format!("main main block\n{card}"), &OutlineOptions::default());
        assert_eq!(text, "main\n  heading 3: H\n  [1] button: Buy\n  [2] button\n");
    }

    #[test]
    fn the_scope_of_the_line_and_an_outline_without_folding_show_the_targets() {
        let page = page(LIST);
        let named =
            |name: &str| page.nodes().find(|node| node.name() == name).map(|node| node.id());
        let text = |options: &OutlineOptions| {
            outline(&page, options, &mut SequentialNumbers::default()).text
        };
        let scope = |node: Option<NodeId>| Scope::Node(node.expect("it is there"));
        let options =
            |scope, fold| OutlineOptions { scope, fold, header: false, ..Default::default() };
        assert_eq!(
            text(&options(scope(named("Apollo")), true)),
            "[1] link: Apollo\n  [2] clickable\n  [3] link\n"
        );
        assert!(!text(&options(Scope::Full, false)).contains("(+"));
    }

    #[test]
    fn what_a_folded_region_holds_counts_folded_targets() {
        let mut picture = String::from(
            "main main block\n  button button \"Go\" usable\nfooter contentinfo block\n",
        );
        for n in 0..10 {
            picture.push_str(&format!("  div block\n    p block\n      'A text of some length {n}'\n    a link \"A link of some length {n}\" usable\n    button button usable\n"));
        }
        let options = OutlineOptions { max_tokens: 200, ..OutlineOptions::default() };
        let text = lines(&picture, &options);
        assert!(text.contains("10 buttons, 10 links"), "{text}");
    }
}
