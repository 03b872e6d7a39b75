//! Makes changes from the lines before and after. A line that exists only because of the layout of
//! the outline (a list that now holds two items, a text that a field no longer repeats) is not a
//! change. Background changes are listed separately.

use std::collections::HashSet;

use crate::diff::clocks::ticked;
use crate::diff::lines::{LineKind, Lines, icon, was_hidden};
use crate::diff::matching::Matching;
use crate::diff::model::{Circumstances, Detail, LineChange, LineFate};
use crate::diff::moves::moved;
use crate::nameless::looks;
use crate::page::role::Role;
use crate::page::{DRAWN, Flags, Node, NodeId};
use crate::render::{ItemKind, state_words};
use crate::text::escape::clean;

/// The result of a comparison.
pub(super) struct Compared {
    pub(super) changes: Vec<LineChange>,
    pub(super) background: Vec<LineChange>,
    pub(super) replaced: Vec<(NodeId, NodeId)>,
    /// For each line of the new page, the line of the old page that it is paired with.
    pub(super) partners: Vec<Option<usize>>,
}

/// Returns the changes and the background changes.
pub(super) fn compare(old: &Lines<'_>, new: &Lines<'_>, circumstances: &Circumstances) -> Compared {
    let matching = Matching::of(old, new);
    let mut comparison = LineComparison {
        old,
        new,
        matching,
        changes: Vec::new(),
        covered: vec![false; new.lines.len()],
    };
    comparison.appeared();
    comparison.changed(circumstances);
    comparison.changes.sort_by_key(|change| change.new);
    comparison.disappeared();
    let replaced = comparison.replaced();
    let partners = comparison.matching.to_old;
    let mut changes = comparison.changes;
    drop_echoes(&mut changes, new);
    let restless = RestlessElements::new(circumstances);
    let (changes, background) =
        changes.into_iter().partition(|change| !restless.is_background(change, old, new));
    Compared { changes, background, replaced, partners }
}

struct LineComparison<'c, 'p> {
    old: &'c Lines<'p>,
    new: &'c Lines<'p>,
    matching: Matching,
    changes: Vec<LineChange>,
    /// Lines of the new page that are printed together with a new line around them.
    covered: Vec<bool>,
}

/// The meaning of a line without a counterpart.
#[derive(Clone, Copy, PartialEq)]
enum Unmatched {
    /// It appeared or disappeared.
    Real,
    /// It has a line only because of the layout; its descendants count.
    Layout,
    /// Its element exists in both captures, but is usable in only one of them.
    Usable,
}

impl LineComparison<'_, '_> {
    fn appeared(&mut self) {
        for (at, meaning) in unmatched_lines(self.new, self.old, &self.matching.to_old) {
            if meaning == Unmatched::Usable {
                self.push(LineFate::Changed, None, Some(at), vec![Detail::Usable(true)]);
                continue;
            }
            let hidden = was_hidden(self.old, self.new, at);
            let fate = if hidden { LineFate::Revealed } else { LineFate::Appeared };
            self.push(fate, None, Some(at), Vec::new());
            self.covered[at..self.new.lines[at].end].fill(true);
        }
    }

    fn disappeared(&mut self) {
        for (at, meaning) in unmatched_lines(self.old, self.new, &self.matching.to_new) {
            if meaning == Unmatched::Usable {
                self.push(LineFate::Changed, Some(at), None, vec![Detail::Usable(false)]);
                continue;
            }
            let element = self.old.element(self.old.element_of(at).id());
            let hidden = self.new.find(element).is_some_and(|node| node.hidden().is_some());
            let fate = if hidden { LineFate::Hidden } else { LineFate::Disappeared };
            self.push(fate, Some(at), None, Vec::new());
        }
    }

    fn changed(&mut self, circumstances: &Circumstances) {
        let moved = moved(self.old, self.new, &self.matching);
        for (after, moved) in moved.into_iter().enumerate() {
            let Some(before) = self.matching.to_old[after].filter(|_| !self.covered[after]) else {
                continue;
            };
            let mut details = details(self.old, before, self.new, after, circumstances);
            details.extend(moved.map(Detail::Moved));
            if !details.is_empty() {
                self.push(LineFate::Changed, Some(before), Some(after), details);
            }
        }
    }

    /// Returns usable elements that were re-rendered: role, name, guessed name and icon are the
    /// same.
    fn replaced(&self) -> Vec<(NodeId, NodeId)> {
        let pairs = self
            .matching
            .to_old
            .iter()
            .enumerate()
            .filter_map(|(after, before)| Some(((*before)?, after)));
        pairs
            .filter(|(_, after)| {
                !self.covered[*after] && self.new.item(*after).kind == ItemKind::Usable
            })
            .filter(|(before, after)| {
                let (was, now) = (self.old.item(*before), self.new.item(*after));
                was.role == now.role && was.guess == now.guess
            })
            .map(|(before, after)| (self.old.lines[before].node, self.new.lines[after].node))
            .filter(|(before, after)| {
                let (was, now) = (self.old.page.node(*before), self.new.page.node(*after));
                clean(was.name()) == clean(now.name()) && looks(was) == looks(now)
            })
            .filter(|(before, after)| self.old.element(*before) != self.new.element(*after))
            .collect()
    }

    fn push(
        &mut self,
        fate: LineFate,
        old: Option<usize>,
        new: Option<usize>,
        details: Vec<Detail>,
    ) {
        let before = old.map(|at| self.old.lines[at].node);
        let after = new.map(|at| self.new.lines[at].node);
        self.changes.push(LineChange { fate, before, after, details, old, new });
    }
}

/// Returns the lines without a counterpart that mean something, but none inside a line that
/// appeared or disappeared.
fn unmatched_lines(
    here: &Lines<'_>,
    there: &Lines<'_>,
    partners: &[Option<usize>],
) -> Vec<(usize, Unmatched)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < here.lines.len() {
        let free = partners[at].is_none();
        let meaning = free.then(|| unmatched(here, at, there, partners));
        found.extend(meaning.filter(|meaning| *meaning != Unmatched::Layout).map(|it| (at, it)));
        at = if meaning == Some(Unmatched::Real) { here.lines[at].end } else { at + 1 };
    }
    found
}

/// Returns what a line without a counterpart means.
fn unmatched(
    here: &Lines<'_>,
    line: usize,
    there: &Lines<'_>,
    partners: &[Option<usize>],
) -> Unmatched {
    let element = here.element_of(line);
    let name = &here.lines[line].name;
    let twin = there.find(here.element(element.id())).filter(|twin| twin.hidden().is_none());
    let Some(twin) = twin else {
        // A new list around lines that existed before is only an extra line.
        let around_known = || partners[line + 1..here.lines[line].end].iter().any(Option::is_some);
        let bare =
            matches!(here.item(line).kind, ItemKind::Group | ItemKind::Region) && name.is_empty();
        return if bare && around_known() { Unmatched::Layout } else { Unmatched::Real };
    };
    match here.sort(line) {
        LineKind::Element
            if here.item(line).kind == ItemKind::Usable
                && !twin.is(Flags::USABLE)
                && says(twin, name) =>
        {
            Unmatched::Usable
        }
        LineKind::Element if name.is_empty() && here.node(line).value() == twin.value() => {
            Unmatched::Layout
        }
        LineKind::Element | LineKind::Text if says(twin, name) => Unmatched::Layout,
        _ => Unmatched::Real,
    }
}

/// Whether an element already showed this text: as its name, as one of its texts, or as all of
/// them.
fn says(node: Node<'_>, text: &str) -> bool {
    if text.is_empty() {
        return false;
    }
    if clean(node.name()) == text {
        return true;
    }
    let squeeze = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let wanted = squeeze(text);
    let mut said = String::new();
    for inner in node.descendants().filter(|inner| inner.is_text()) {
        let piece = squeeze(inner.name());
        if piece == wanted {
            return true;
        }
        // Stops as soon as the collected text is longer than the wanted one.
        if said.len() > wanted.len() {
            return false;
        }
        said.push_str(&piece);
    }
    said == wanted
}

/// Returns the differences of a line.
fn details(
    old: &Lines<'_>,
    before: usize,
    new: &Lines<'_>,
    after: usize,
    circumstances: &Circumstances,
) -> Vec<Detail> {
    let (was, now) = (old.node(before), new.node(after));
    let (old_name, new_name) = (&old.lines[before].name, &new.lines[after].name);
    let mut details = Vec::new();
    let is_element = new.sort(after) == LineKind::Element && old.sort(before) == LineKind::Element;
    if is_element && head(was) != head(now) {
        details.push(Detail::Role(head(was), head(now)));
    }
    if old_name != new_name {
        details.push(Detail::Name(old_name.clone(), new_name.clone()));
    }
    if !is_element {
        return details;
    }
    let (old_value, new_value) = (old.value(before), new.value(after));
    if old_value != new_value {
        details.push(Detail::Value(old_value.map(str::to_owned), new_value.map(str::to_owned)));
    }
    let (old_flags, new_flags) = (old.flags(before), new.flags(after));
    details.extend(state_words(new_flags - old_flags).map(|word| Detail::State(word, true)));
    details.extend(state_words(old_flags - new_flags).map(|word| Detail::State(word, false)));
    if let Some(came) = focus_moved(old, before, new, after, &details, circumstances) {
        details.push(Detail::Focus(came));
    }
    if let (Some(was), Some(now)) = (icon(was), icon(now))
        && was != now
    {
        details.push(Detail::Icon(was));
    }
    // A changed name already shows that the element is different.
    if old_name == new_name {
        for attribute in ["href", "src", "placeholder", DRAWN] {
            let (was, now) = (was.attribute(attribute), now.attribute(attribute));
            if let (Some(was), Some(now)) = (was, now)
                && was != now
            {
                details.push(Detail::Attribute(attribute, was.to_owned(), now.to_owned()));
            }
        }
    }
    details
}

/// Whether the element got (true) or lost the focus; none if that need not be reported. A loss is
/// not reported if something else has the focus now. An element that was acted on is expected to
/// have the focus, unless it is a field that was only entered.
fn focus_moved(
    old: &Lines<'_>,
    before: usize,
    new: &Lines<'_>,
    after: usize,
    details: &[Detail],
    circumstances: &Circumstances,
) -> Option<bool> {
    let came = new.elements(after).any(has_focus);
    if old.elements(before).any(has_focus) == came {
        return None;
    }
    let now = new.node(after);
    let acted = new.elements(after).any(|node| {
        let key = (node.local(), &node.document().token);
        circumstances.acted.iter().any(|(token, local)| (*local, token) == key)
    });
    // A frame has the focus when something in it was acted on.
    let around_acted = || {
        let acted =
            circumstances.acted.iter().filter_map(|(token, local)| new.page.find(token, *local));
        acted
            .into_iter()
            .any(|node| new.page.node(node).ancestors().any(|around| around.id() == now.id()))
    };
    let expected = if came {
        (acted && !(now.role().is_field() && details.is_empty()))
            || (!now.role().is_field() && around_acted())
    } else {
        acted || !now.role().is_field() || new.page.nodes().any(has_focus)
    };
    (!expected).then_some(came)
}

/// Whether an element has the keyboard focus. The page itself has it if nothing else does, which
/// does not count.
fn has_focus(node: Node<'_>) -> bool {
    node.is(Flags::FOCUSED) && !matches!(node.tag(), "html" | "body")
}

/// Returns role and level, the beginning of a line.
fn head(node: Node<'_>) -> String {
    let level = if matches!(node.role(), Role::Heading | Role::TreeItem) && node.level() > 0 {
        format!(" {}", node.level())
    } else {
        String::new()
    };
    format!("{}{level}", node.role().as_str())
}

/// Drops name changes of regions that are named by a heading; the heading is reported.
fn drop_echoes(changes: &mut Vec<LineChange>, new: &Lines<'_>) {
    let pair = |change: &LineChange| match &change.details[..] {
        [Detail::Name(was, now)] => Some((was.clone(), now.clone())),
        _ => None,
    };
    let holds = |change: &LineChange| {
        change
            .new
            .is_some_and(|line| matches!(new.item(line).kind, ItemKind::Region | ItemKind::Group))
    };
    let said: HashSet<(String, String)> =
        changes.iter().filter(|change| !holds(change)).filter_map(pair).collect();
    changes
        .retain(|change| !holds(change) || pair(change).is_none_or(|names| !said.contains(&names)));
}

/// The elements that changed before the first action.
struct RestlessElements<'c> {
    elements: HashSet<(&'c str, u32)>,
}

impl<'c> RestlessElements<'c> {
    fn new(circumstances: &'c Circumstances) -> RestlessElements<'c> {
        let elements =
            circumstances.restless.iter().map(|(token, local)| (token.as_str(), *local)).collect();
        RestlessElements { elements }
    }

    fn is_background(&self, change: &LineChange, old: &Lines<'_>, new: &Lines<'_>) -> bool {
        if let [Detail::Name(was, now)] = &change.details[..]
            && ticked(was, now)
        {
            return true;
        }
        if self.elements.is_empty() {
            return false;
        }
        let before = change.old.map(|line| old.element_of(line));
        let after = change.new.map(|line| new.element_of(line));
        let inside = |node: Option<Node<'_>>| {
            node.is_none_or(|node| {
                std::iter::once(node).chain(node.ancestors()).any(|around| self.has(around))
            })
        };
        if inside(before) && inside(after) {
            return true;
        }
        // A row or a sentence in which only a clock changed.
        matches!((&change.details[..], before, after), ([Detail::Name(..)], Some(was), Some(now))
            if self.steady(was) == self.steady(now))
    }

    fn has(&self, node: Node<'_>) -> bool {
        self.elements.contains(&(node.document().token.as_str(), node.local()))
    }

    /// Returns the texts in an element that do not change in the background.
    fn steady<'p>(&self, node: Node<'p>) -> Vec<&'p str> {
        let mut skip = 0;
        let mut texts = Vec::new();
        for inner in node.descendants() {
            if inner.id().index() < skip {
                continue;
            }
            if inner.is_text() {
                texts.push(inner.name());
            } else if self.has(inner) {
                skip = inner.end();
            }
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use crate::diff::diff;
    use crate::page::test_page::page;
    use crate::page::{NodeId, Page};

    #[test]
    fn a_control_with_a_different_icon_name_or_hint_is_not_a_successor() {
        let toolbar = |first: u32, controls: &[&str]| {
            let mut picture = format!("main main @2\n  div toolbar \"Mail\" @{first} block\n");
            for (place, control) in controls.iter().enumerate() {
                let local = first + 1 + place as u32;
                picture.push_str(&format!("    button button @{local} usable {control}\n"));
            }
            page(&picture)
        };
        let replaced = |before: &[&str], after: &[&str]| {
            let (before, after) = (toolbar(10, before), toolbar(20, after));
            let local = |page: &Page, node: NodeId| page.node(node).local();
            let diff = diff(&before, &after);
            let pairs = diff.replaced.iter();
            pairs.map(|(was, now)| (local(&before, *was), local(&after, *now))).collect::<Vec<_>>()
        };
        let trash = "clue:icon+class=fa+fa-trash";
        let forward = "clue:icon+class=fa+fa-forward";
        assert_eq!(replaced(&[trash, forward], &[forward, trash]), [(12, 21), (11, 22)]);
        assert_eq!(replaced(&[trash], &[forward]), []);
        assert_eq!(replaced(&["clue:drawing=aaaa"], &["clue:drawing=bbbb"]), []);
        assert_eq!(replaced(&["clue:drawing=aaaa"], &["clue:drawing=aaaa"]), [(11, 21)]);
        assert_eq!(replaced(&["clue:tooltip=Delete"], &["clue:tooltip=Reply"]), []);
    }
}
