//! Merges nested usable elements that are one thing to a person: nearly the same box, and the same
//! name or a click target without one, such as an option around an option or a click target inside
//! a button. The line of the more specific element stays, with the states and the value of both.

use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page, Rect};
use crate::render::items::{Item, ItemFate, ItemKind, Items};
use crate::render::line::{merged_states, value_part};
use crate::text::escape::clean;

/// Boxes are nearly equal if no edge is further away than this, in CSS pixels …
const EDGE: i32 = 8;
/// … or if the inner box covers this much of the outer one, in percent.
const COVERED: i64 = 80;
/// Among how many items and lines right inside an element the inner one is looked for.
const STEPS: usize = 64;
const REACH: usize = 8;
/// How many elements one line stands for besides its own. Deeper nests get a second line, so that
/// the cost of a deep page does not grow faster than the page.
const MOST: usize = 8;

/// Merges nested elements into one item each. The element at `root` is what the reader asked for,
/// so it keeps its line, and so does what is inside it.
pub(super) fn merge(page: &Page, items: &mut Items, root: NodeId) -> Vec<ItemFate> {
    let mut fates = vec![ItemFate::Keep; items.len()];
    // From the inside out: of three nested elements, the inner two are merged first.
    for outer in (0..items.len()).rev() {
        if items[outer].node == root || !is_usable(&items[outer]) {
            continue;
        }
        let Some(inner) = inner_twin(page, items, &fates, outer) else { continue };
        let (kept, dropped) = match keeps_inner(page, &items[outer], &items[inner]) {
            true => (inner, outer),
            false => (outer, inner),
        };
        let node = items[dropped].node;
        let also = std::mem::take(&mut items[dropped].also);
        let cover = items[dropped].cover;
        fates[dropped] = ItemFate::Unwrap;
        let item = &mut items[kept];
        item.also.push(node);
        item.also.extend(also);
        item.cover = item.cover.or(cover);
        let all = || stands_for(page, item);
        let states = merged_states(all());
        let value = all().map(value_part).find(|value| !value.is_empty()).unwrap_or_default();
        (item.states, item.value) = (states, value);
    }
    fates
}

/// Returns the elements that a line stands for: its own first.
pub(crate) fn stands_for<'p>(page: &'p Page, item: &Item) -> impl Iterator<Item = Node<'p>> {
    std::iter::once(item.node).chain(item.also.iter().copied()).map(|node| page.node(node))
}

/// Whether an item is one usable element, or a usable list item or row.
fn is_usable(item: &Item) -> bool {
    item.kind == ItemKind::Usable || (item.numbered && is_record(item.role))
}

fn is_record(role: Role) -> bool {
    matches!(role, Role::ListItem | Role::Row | Role::Article | Role::Group)
}

/// Returns the item right inside another one that is the same thing.
fn inner_twin(page: &Page, items: &[Item], fates: &[ItemFate], outer: usize) -> Option<usize> {
    let name = clean(page.node(items[outer].node).name());
    let bare = is_bare(&items[outer], &name);
    if name.is_empty() && !bare {
        return None;
    }
    let mut lines = lines_inside(items, fates, outer).take(REACH);
    lines.find(|inner| {
        let item = &items[*inner];
        item.kind == ItemKind::Usable
            && item.also.len() < MOST
            && has_same_name(&name, bare, item)
            && is_same_thing(page.node(items[outer].node), page, item)
    })
}

/// Whether an item is a click target that says nothing: no name, no value.
fn is_bare(item: &Item, name: &str) -> bool {
    item.role == Role::Clickable && name.is_empty() && item.value.is_empty()
}

/// Whether an inner item has the name of the outer one, or one of both is only a click target.
fn has_same_name(outer: &str, outer_is_bare: bool, inner: &Item) -> bool {
    let name = clean(&inner.name);
    match (outer_is_bare, is_bare(inner, &name)) {
        (true, true) => false,
        (true, false) => !name.is_empty() || !inner.guess.is_empty(),
        (false, true) => true,
        (false, false) => name == outer,
    }
}

/// Returns the nearest lines inside an item, looking through what has no line.
fn lines_inside<'i>(
    items: &'i [Item],
    fates: &'i [ItemFate],
    outer: usize,
) -> impl Iterator<Item = usize> + 'i {
    let (mut at, end) = (outer + 1, items[outer].end as usize);
    let mut steps = 0;
    std::iter::from_fn(move || {
        while at < end && steps < STEPS {
            steps += 1;
            let line = at;
            let through = items[at].kind == ItemKind::Soft || fates[at] == ItemFate::Unwrap;
            at = if through { at + 1 } else { items[at].end as usize };
            if !through {
                return Some(line);
            }
        }
        None
    })
}

/// Whether an element and a line inside it are one thing: their boxes are nearly equal, and their
/// values and states do not contradict each other.
fn is_same_thing(outer: Node<'_>, page: &Page, item: &Item) -> bool {
    let opposite = |one: Flags, other: Flags| {
        stands_for(page, item)
            .any(|inner| (outer.is(one) && inner.is(other)) || (outer.is(other) && inner.is(one)))
    };
    let contradicts = stands_for(page, item)
        .any(|inner| inner.value().is_some_and(|value| outer.value().is_some_and(|v| v != value)));
    nearly_equal(outer.rect(), page.node(item.node).rect())
        && outer.contains(item.node)
        && !outer.is(Flags::SCROLLS)
        && !contradicts
        && !opposite(Flags::EXPANDED, Flags::COLLAPSED)
        && !opposite(Flags::CHECKED, Flags::MIXED)
}

/// Whether every edge of two boxes is near, or the inner box covers most of the outer one.
fn nearly_equal(outer: Rect, inner: Rect) -> bool {
    let edges = |rect: Rect| {
        let right = rect.x.saturating_add(rect.width);
        [rect.x, rect.y, right, rect.y.saturating_add(rect.height)]
    };
    let area = |rect: Rect| i64::from(rect.width) * i64::from(rect.height);
    if area(outer) <= 0 || area(inner) <= 0 {
        return false;
    }
    let (out, within) = (edges(outer), edges(inner));
    let near = out.iter().zip(&within).all(|(one, other)| one.abs_diff(*other) <= EDGE as u32);
    let width = out[2].min(within[2]).saturating_sub(out[0].max(within[0])).max(0);
    let height = out[3].min(within[3]).saturating_sub(out[1].max(within[1])).max(0);
    near || i64::from(width) * i64::from(height) * 100 >= area(outer) * COVERED
}

/// Whether the line of the inner element stays: it has the more specific role; of equal ones, it is
/// a native control.
fn keeps_inner(page: &Page, outer: &Item, inner: &Item) -> bool {
    if outer.name.is_empty() != inner.name.is_empty() {
        return outer.name.is_empty();
    }
    let (out, within) = (specificity(outer.role), specificity(inner.role));
    within > out || (within == out && is_native(page.node(inner.node)))
}

/// Returns how much a role says: a click target nothing, a list item little, a link or a button
/// what happens, and any other role also what it belongs to or which state it has.
fn specificity(role: Role) -> u8 {
    match role {
        Role::None | Role::Generic | Role::Clickable => 0,
        role if is_record(role) => 1,
        Role::Link | Role::Button => 2,
        _ => 3,
    }
}

fn is_native(node: Node<'_>) -> bool {
    matches!(
        node.tag(),
        "a" | "area" | "button" | "input" | "option" | "select" | "summary" | "textarea"
    )
}

#[cfg(test)]
mod tests {
    use crate::page::Scope;
    use crate::page::test_page::page;
    use crate::render::tests::{check, lines};
    use crate::render::{OutlineOptions, SequentialNumbers, outline};

    #[test]
    fn nested_elements_with_one_name_and_nearly_one_box_are_one_line() {
        check(
            "div option \"Overview\" usable box=0,0,200,40 selected\n  div option \"Overview\" usable box=4,4,192,32 focused",
            "[1] option: Overview — selected, focused",
        );
        // Three of them, with a wrapper in between.
        check(
            "div clickable \"Edit\" usable box=0,0,90,30\n  div clickable \"Edit\" usable box=0,0,90,30\n    div block\n      a link \"Edit\" usable box=2,2,86,26\n      p block\n        'x y'",
            "[1] link: Edit\nx y",
        );
    }

    #[test]
    fn the_more_specific_element_keeps_its_line() {
        let outer_and_inner = |outer: &str, inner: &str| {
            format!("{outer} \"A\" usable box=0,0,90,30\n  {inner} \"A\" usable box=0,0,90,30")
        };
        check(&outer_and_inner("div clickable", "a link"), "[1] link: A");
        check(&outer_and_inner("div tab", "button button"), "[1] tab: A");
        check(&outer_and_inner("div link", "button button"), "[1] button: A");
        let page = page(&outer_and_inner("div button", "span button"));
        let shown =
            outline(&page, &OutlineOptions::default(), &mut SequentialNumbers::default()).shown;
        assert_eq!(page.node(shown[0].0).tag(), "div", "of equal roles, the outer one");
    }

    #[test]
    fn different_purposes_boxes_values_and_states_stay_two_lines() {
        check(
            "a link \"Apollo\" usable box=0,0,90,30\n  button button \"Delete\" usable box=0,0,90,30",
            "[1] link: Apollo\n  [2] button: Delete",
        );
        check(
            "div clickable \"Apollo\" usable box=0,0,900,60\n  a link \"Apollo\" usable box=0,0,90,30",
            "[1] clickable: Apollo\n  [2] link: Apollo",
        );
        check(
            "div combobox \"A\" usable value=x box=0,0,90,30\n  input textbox \"A\" usable value=y box=0,0,90,30",
            "[1] combobox: A = \"x\"\n  [2] textbox: A = \"y\"",
        );
        check(
            "div treeitem \"A\" usable expanded box=0,0,90,30\n  button button \"A\" usable collapsed box=0,0,90,30",
            "[1] treeitem: A — expanded\n  [2] button: A — collapsed",
        );
    }

    #[test]
    fn the_scope_of_a_merged_line_shows_both() {
        let picture =
            "div option \"A\" usable box=0,0,90,30\n  b option \"A\" usable box=0,0,90,30";
        let outer = page(picture).nodes().find(|node| node.tag() == "div").map(|node| node.id());
        let scope = outer.map_or(Scope::Full, Scope::Node);
        let text = lines(picture, &OutlineOptions { scope, ..OutlineOptions::default() });
        assert_eq!(text, "[1] option: A\n  [2] option: A\n");
    }

    #[test]
    fn a_click_target_in_the_box_of_a_named_one_is_no_second_thing() {
        check(
            "main main @2
  button button \"Save\" @3 usable box=0,0,40,20
    span clickable @4 usable box=2,2,36,16
  div clickable @5 usable box=0,40,80,20
    a link \"Home\" @6 usable box=2,41,76,18
  div clickable @7 usable box=0,80,400,200
    a link \"Far\" @8 usable box=0,80,40,20",
            "main
  [1] button: Save
  [2] link: Home
  [3] clickable
    [4] link: Far",
        );
    }
}
