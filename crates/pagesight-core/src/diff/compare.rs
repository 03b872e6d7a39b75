//! Lines before and after → changes. A line that is there only because of how the outline is laid
//! out (a list that now holds two things, a text that a field no longer repeats) is no change; a
//! line that changed by itself is set apart.

use std::collections::HashSet;

use crate::diff::clocks::ticked;
use crate::diff::lines::{LineKind, Lines, told_flags, was_hidden};
use crate::diff::matching::Matching;
use crate::diff::model::{Circumstances, Detail, LineChange, LineFate};
use crate::diff::moves::moved;
use crate::page::role::Role;
use crate::page::{DRAWN, Flags, Node, NodeId};
use crate::render::{ItemKind, state_words};
use crate::text::escape::clean;

/// What a comparison comes to.
pub(super) struct Compared {
    pub(super) changes: Vec<LineChange>,
    pub(super) by_itself: Vec<LineChange>,
    pub(super) drawn_anew: Vec<(NodeId, NodeId)>,
}

/// The changes, and those that came by themselves.
pub(super) fn compare(old: &Lines<'_>, new: &Lines<'_>, circumstances: &Circumstances) -> Compared {
    let matching = Matching::of(old, new);
    let mut comparison = LineComparison {
        old,
        new,
        matching,
        changes: Vec::new(),
        told: vec![false; new.lines.len()],
    };
    comparison.appeared();
    comparison.changed(circumstances);
    comparison.changes.sort_by_key(|change| change.new);
    comparison.disappeared();
    let drawn_anew = comparison.drawn_anew();
    let mut changes = comparison.changes;
    drop_echoes(&mut changes, new);
    let restless = RestlessElements::new(circumstances);
    let (changes, by_itself) =
        changes.into_iter().partition(|change| !restless.is_behind(change, old, new));
    Compared { changes, by_itself, drawn_anew }
}

struct LineComparison<'c, 'p> {
    old: &'c Lines<'p>,
    new: &'c Lines<'p>,
    matching: Matching,
    changes: Vec<LineChange>,
    /// Lines of the new page that are told with what appeared around them.
    told: Vec<bool>,
}

/// What a line without a partner comes to.
enum Unmatched {
    /// It appeared, or went.
    Real,
    /// It has a line for other reasons; what is below it counts.
    Layout,
    /// Its element was there and is there, but only in one of the looks it can be used.
    Usable,
}

impl LineComparison<'_, '_> {
    fn appeared(&mut self) {
        let mut at = 0;
        while at < self.new.lines.len() {
            if self.matching.to_old[at].is_some() {
                at += 1;
                continue;
            }
            match unmatched(self.new, at, self.old, &self.matching.to_old) {
                Unmatched::Layout => at += 1,
                Unmatched::Usable => {
                    self.push(LineFate::Changed, None, Some(at), vec![Detail::Usable(true)]);
                    at += 1;
                }
                Unmatched::Real => {
                    let fate = if was_hidden(self.old, self.new, at) {
                        LineFate::Revealed
                    } else {
                        LineFate::Appeared
                    };
                    self.push(fate, None, Some(at), Vec::new());
                    let end = self.new.lines[at].end;
                    self.told[at..end].fill(true);
                    at = end;
                }
            }
        }
    }

    fn disappeared(&mut self) {
        let mut at = 0;
        while at < self.old.lines.len() {
            if self.matching.to_new[at].is_some() {
                at += 1;
                continue;
            }
            match unmatched(self.old, at, self.new, &self.matching.to_new) {
                Unmatched::Layout => at += 1,
                Unmatched::Usable => {
                    self.push(LineFate::Changed, Some(at), None, vec![Detail::Usable(false)]);
                    at += 1;
                }
                Unmatched::Real => {
                    let element = self.old.element(self.old.element_of(at).id());
                    let hidden = self.new.find(element).is_some_and(|node| node.hidden().is_some());
                    self.push(
                        if hidden { LineFate::Hidden } else { LineFate::Disappeared },
                        Some(at),
                        None,
                        Vec::new(),
                    );
                    at = self.old.lines[at].end;
                }
            }
        }
    }

    fn changed(&mut self, circumstances: &Circumstances) {
        let moved = moved(self.old, self.new, &self.matching);
        for (after, moved) in moved.into_iter().enumerate() {
            let Some(before) = self.matching.to_old[after].filter(|_| !self.told[after]) else {
                continue;
            };
            let mut details = details(self.old, before, self.new, after, circumstances);
            details.extend(moved.map(Detail::Moved));
            if !details.is_empty() {
                self.push(LineFate::Changed, Some(before), Some(after), details);
            }
        }
    }

    /// What can be used, says what it said, and is another element.
    fn drawn_anew(&self) -> Vec<(NodeId, NodeId)> {
        let pairs = self
            .matching
            .to_old
            .iter()
            .enumerate()
            .filter_map(|(after, before)| Some(((*before)?, after)));
        pairs
            .filter(|(_, after)| {
                !self.told[*after] && self.new.item(*after).kind == ItemKind::Usable
            })
            .map(|(before, after)| (self.old.lines[before].node, self.new.lines[after].node))
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

/// What the line of one look that has no partner in the other comes to.
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
        // A new list around things that were there before is only a line more.
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

/// Whether an element said this already: as its name, as one of the texts below it, or with all of
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
        // No more of it is put together than could be equal.
        if said.len() > wanted.len() {
            return false;
        }
        said.push_str(&piece);
    }
    said == wanted
}

/// What is another about a line.
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
    if was.value() != now.value() {
        details.push(Detail::Value(was.value().map(str::to_owned), now.value().map(str::to_owned)));
    }
    let (old_flags, new_flags) = (told_flags(was), told_flags(now));
    details.extend(state_words(new_flags - old_flags).map(|word| Detail::State(word, true)));
    details.extend(state_words(old_flags - new_flags).map(|word| Detail::State(word, false)));
    if let Some(came) = focus_moved(was, now, &details, circumstances, new) {
        details.push(Detail::Focus(came));
    }
    // Another name says it already.
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

/// Whether the focus came or went. That it went is told by where it is now; that what was acted on
/// has it goes without saying, but for a field that was only entered.
fn focus_moved(
    was: Node<'_>,
    now: Node<'_>,
    details: &[Detail],
    circumstances: &Circumstances,
    new: &Lines<'_>,
) -> Option<bool> {
    if has_focus(was) == has_focus(now) {
        return None;
    }
    let came = has_focus(now);
    let acted = circumstances
        .acted
        .iter()
        .any(|(token, local)| *local == now.local() && *token == now.document().token);
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

/// Whether it has the keyboard focus; if nothing else has it, the page itself does, which says
/// nothing.
fn has_focus(node: Node<'_>) -> bool {
    node.is(Flags::FOCUSED) && !matches!(node.tag(), "html" | "body")
}

/// Role and level, as they begin a line.
fn head(node: Node<'_>) -> String {
    let level = if matches!(node.role(), Role::Heading | Role::TreeItem) && node.level() > 0 {
        format!(" {}", node.level())
    } else {
        String::new()
    };
    format!("{}{level}", node.role().as_str())
}

/// A region that is named by a heading in it changes its name with it: the heading tells it.
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

/// What was changing before anything was done.
struct RestlessElements<'c> {
    elements: HashSet<(&'c str, u32)>,
}

impl<'c> RestlessElements<'c> {
    fn new(circumstances: &'c Circumstances) -> RestlessElements<'c> {
        let elements =
            circumstances.restless.iter().map(|(token, local)| (token.as_str(), *local)).collect();
        RestlessElements { elements }
    }

    fn is_behind(&self, change: &LineChange, old: &Lines<'_>, new: &Lines<'_>) -> bool {
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

    /// The texts in an element that do not change by themselves.
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
