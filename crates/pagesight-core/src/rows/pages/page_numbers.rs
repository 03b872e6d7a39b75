//! Reads the numbers of pages: which one is the current page, and which control leads to the one
//! after it where a page has no other control for that.

use std::collections::{BTreeMap, HashSet};

use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId, Page};

/// Words of class names and test ids that say that something leads to a next page.
const GROUPS: &[&str] = &["paginat", "pager", "pagenav", "page-nav", "page-numbers", "pages"];
/// How many elements may stand between a control and its group.
pub(super) const GROUP_DEPTH: usize = 6;
/// The longest number of a page.
const LONGEST: usize = 6;

/// The number of a page in a group of them.
struct PageNumber<'p> {
    number: u32,
    /// The element that can be used, if there is one.
    control: Option<Node<'p>>,
    /// Whether it is marked as the current one.
    is_marked: bool,
}

/// Returns the number of the page that is marked as current, anywhere or in a group of numbers.
pub fn current_page(page: &Page) -> Option<u32> {
    let current = page.nodes().filter(|node| is_current(*node) && node.hidden().is_none());
    let mut numbers = current.filter_map(|node| {
        let own = node.name().trim().to_owned();
        let text = if own.is_empty() {
            node.descendants().filter(|inner| inner.is_text()).map(|text| text.name()).collect()
        } else {
            own
        };
        let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        match (numbers.next(), numbers.next()) {
            (Some(number), None) => number.parse().ok(),
            _ => None,
        }
    });
    let marked = numbers.next();
    marked.or_else(|| groups(page).values().find_map(current_of))
}

/// Returns the controls that say the number after the current one, in each group of numbers.
pub(super) fn next_numbers(page: &Page) -> HashSet<NodeId> {
    let next = |numbers: &Vec<PageNumber<'_>>| {
        let wanted = current_of(numbers)? + 1;
        numbers.iter().find(|number| number.number == wanted)?.control.map(Node::id)
    };
    groups(page).values().filter_map(next).collect()
}

/// Whether a group of numbers says that the current page is the last one.
pub(super) fn is_last_page(page: &Page) -> bool {
    let is_last = |numbers: &Vec<PageNumber<'_>>| {
        let last = numbers.iter().map(|number| number.number).max();
        numbers.len() > 1 && current_of(numbers) == last
    };
    groups(page).values().any(is_last)
}

/// Returns the current page of a group: the one that is marked, else the only number without a
/// control.
fn current_of(numbers: &Vec<PageNumber<'_>>) -> Option<u32> {
    let only = |is: &dyn Fn(&&PageNumber<'_>) -> bool| {
        let mut found = numbers.iter().filter(is).map(|number| number.number);
        found.next().filter(|first| found.all(|other| other == *first))
    };
    only(&|number| number.is_marked).or_else(|| {
        only(&|number| number.control.is_none())
            .filter(|_| numbers.iter().any(|number| number.control.is_some()))
    })
}

/// Returns the numbers of each group.
fn groups(page: &Page) -> BTreeMap<NodeId, Vec<PageNumber<'_>>> {
    let mut groups: BTreeMap<NodeId, Vec<PageNumber<'_>>> = BTreeMap::new();
    for text in page.nodes().filter(|node| node.is_text()) {
        let digits = text.name().trim();
        let is_number = (1..=LONGEST).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || text.parent().is_none_or(|parent| parent.hidden().is_some()) {
            continue;
        }
        let Some(group) = text.ancestors().take(GROUP_DEPTH).find(|above| is_group(*above)) else {
            continue;
        };
        let inside = || text.ancestors().take_while(|above| above.id() != group.id());
        // A link in an item, or a text of its own.
        let is_alone = inside()
            .all(|above| above.descendants().filter(|node| node.is_text()).take(2).count() == 1);
        let Ok(number) = digits.parse() else { continue };
        if is_alone {
            let control = inside().find(|above| above.is(Flags::USABLE));
            let is_marked = inside().any(|above| is_current(above) || has_current_class(above));
            let number = PageNumber { number, control, is_marked };
            groups.entry(group.id()).or_default().push(number);
        }
    }
    groups
}

fn is_current(node: Node<'_>) -> bool {
    matches!(node.attribute("aria-current"), Some("page" | "true"))
}

/// Whether a class says that an element is the current one.
fn has_current_class(node: Node<'_>) -> bool {
    let classes = node.attribute("class").unwrap_or_default();
    classes.split(|c: char| !c.is_alphanumeric()).any(|word| {
        ["active", "current", "selected", "this"].iter().any(|mark| word.eq_ignore_ascii_case(mark))
    })
}

/// Whether an element holds the numbers of pages.
pub(super) fn is_group(node: Node<'_>) -> bool {
    let is_named = |text: &str| {
        let text = text.to_lowercase();
        GROUPS.iter().any(|word| text.contains(word))
            || ["seiten", "sayfa", "página", "pagina", "strony", "стран", "ページ", "分页"]
                .iter()
                .any(|word| text.contains(word))
    };
    let texts = ["class", "id", "data-testid", "data-test", "aria-label"];
    node.role() == Role::Navigation && is_named(node.name())
        || texts.iter().filter_map(|name| node.attribute(name)).any(is_named)
}
