//! Compares a target with the lines of a page. An equal name comes first, then equal words. Among
//! the lines that match equally well, only those that can be used now count.

use std::collections::HashSet;

use crate::page::{Node, NodeId, Page};
use crate::targets::candidates::{CandidateLine, Candidates, Usability, usability};
use crate::targets::query::{LineQuery, TargetReading};
use crate::text::escape::{NAME_LIMIT, bounded, clean};

/// How many lines are named if no line matches.
const MOST_NEAR: usize = 5;

/// The lines that match a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetMatch {
    /// Exactly one that can be used now.
    One(NodeId),
    /// None that can be used now, but these perhaps in a moment.
    Later(Vec<NodeId>),
    /// Several that can be used now.
    Several(Vec<NodeId>),
    /// None but these, which take no input while the page is as it is.
    Inert(Vec<NodeId>),
    /// None; these have some of the words.
    Nothing {
        /// The lines that are called most alike.
        near: Vec<NodeId>,
    },
}

impl TargetMatch {
    /// Chooses among elements that match equally well.
    pub fn of(page: &Page, matches: impl IntoIterator<Item = NodeId>) -> TargetMatch {
        let (mut now, mut later, mut inert) = (Vec::new(), Vec::new(), Vec::new());
        for id in matches {
            let node = page.node(id);
            match usability(node) {
                Usability::Now => now.push(id),
                Usability::Later => later.push(id),
                Usability::Never if node.hidden().is_none() => inert.push(id),
                Usability::Never => {}
            }
        }
        match now.as_slice() {
            [] if !later.is_empty() => TargetMatch::Later(later),
            [] if !inert.is_empty() => TargetMatch::Inert(inert),
            [] => TargetMatch::Nothing { near: Vec::new() },
            [one] => TargetMatch::One(*one),
            _ => TargetMatch::Several(now),
        }
    }

    /// Whether there is an element that can be used, now or in a moment.
    fn is_found(&self) -> bool {
        !matches!(self, TargetMatch::Nothing { .. } | TargetMatch::Inert(_))
    }
}

/// Finds the lines that a target means, inside of the element `within`. A name without a role means
/// something that can be used.
pub fn look_up(
    candidates: &Candidates<'_>,
    query: &LineQuery,
    within: Option<NodeId>,
) -> TargetMatch {
    let wanted = |reading: &TargetReading, line: &CandidateLine<'_>| {
        (line.usable || reading.role.is_some())
            && within.is_none_or(|id| is_inside(candidates.page, id, line.node.id()))
    };
    best(candidates, query, wanted)
}

/// Whether an element is inside of a container, and not the container itself.
pub fn is_inside(page: &Page, container: NodeId, element: NodeId) -> bool {
    element != container && page.node(container).contains(element)
}

/// Finds the container that a target means. A heading, or else a text such as the first cell of a
/// row, stands for the nearest element around it that contains something that can be used.
pub fn look_up_container(candidates: &Candidates<'_>, query: &LineQuery) -> TargetMatch {
    let holds = |line: &CandidateLine<'_>| line.node.descendants().len() > 0 && !line.heading;
    let found = best(candidates, query, |reading, line| {
        holds(line) && (!line.usable || reading.role.is_some() || contains_usable(candidates, line))
    });
    if found.is_found() {
        return enabled_or_not(found);
    }
    match enabled_or_not(best(candidates, query, |_, line| line.heading)) {
        TargetMatch::One(heading) => {
            around(candidates, candidates.page.node(heading)).map_or(found, TargetMatch::One)
        }
        TargetMatch::Nothing { .. } => around_text(candidates, query).unwrap_or(found),
        inert @ TargetMatch::Inert(_) => around_text(candidates, query).unwrap_or(inert),
        several => several,
    }
}

/// Returns the nearest element around a node that also contains something else that can be used.
fn around(candidates: &Candidates<'_>, node: Node<'_>) -> Option<NodeId> {
    let is_else = |line: &&CandidateLine<'_>| line.usable && !line.node.contains(node.id());
    let usable: Vec<NodeId> =
        candidates.lines.iter().filter(is_else).map(|line| line.node.id()).collect();
    let above = node.ancestors().find(|above| usable.iter().any(|id| above.contains(*id)));
    above.map(|above| above.id())
}

/// Finds the elements around the texts that are equal to a name.
fn around_text(candidates: &Candidates<'_>, query: &LineQuery) -> Option<TargetMatch> {
    let names = query.readings.iter().filter(|reading| reading.role.is_none());
    let names: Vec<String> = names.map(|reading| folded(&reading.name)).collect();
    let texts = candidates.texts().filter(|text| names.contains(&folded(&clean(text.name()))));
    let mut found: Vec<NodeId> = texts.filter_map(|text| around(candidates, text)).collect();
    found.sort();
    found.dedup();
    match found.as_slice() {
        [] => None,
        [one] => Some(TargetMatch::One(*one)),
        _ => Some(TargetMatch::Several(found)),
    }
}

/// A container limits a target whether or not it can be used itself.
fn enabled_or_not(found: TargetMatch) -> TargetMatch {
    match found {
        TargetMatch::Later(later) => match later.as_slice() {
            [one] => TargetMatch::One(*one),
            _ => TargetMatch::Several(later),
        },
        found => found,
    }
}

fn contains_usable(candidates: &Candidates<'_>, around: &CandidateLine<'_>) -> bool {
    candidates.lines.iter().any(|line| {
        line.usable && line.node.id() != around.node.id() && around.node.contains(line.node.id())
    })
}

/// Returns the lines that match a target best.
fn best(
    candidates: &Candidates<'_>,
    query: &LineQuery,
    wanted: impl Fn(&TargetReading, &CandidateLine<'_>) -> bool,
) -> TargetMatch {
    let mut inert = None;
    for reading in &query.readings {
        for same in [is_same_name, has_same_words] {
            let matches = candidates.lines.iter().filter(|line| {
                has_role(reading, line) && same(reading, line) && wanted(reading, line)
            });
            let mut equal: Vec<NodeId> = matches.map(|line| line.node.id()).collect();
            drop_labels(candidates.page, &mut equal);
            if let Some(owner) = &reading.owner {
                equal = candidates.owned(&equal, owner);
            }
            match TargetMatch::of(candidates.page, equal) {
                TargetMatch::Nothing { .. } => {}
                found @ TargetMatch::Inert(_) => _ = inert.get_or_insert(found),
                found => return found,
            }
        }
    }
    inert.unwrap_or_else(|| TargetMatch::Nothing { near: near(candidates, query, wanted) })
}

/// Leaves out labels that react to clicks themselves if the field that they name is meant, too.
fn drop_labels(page: &Page, equal: &mut Vec<NodeId>) {
    let all: HashSet<NodeId> = equal.iter().copied().collect();
    equal.retain(|id| page.node(*id).labelled().is_none_or(|field| !all.contains(&field.id())));
}

fn has_role(reading: &TargetReading, line: &CandidateLine<'_>) -> bool {
    reading.role.as_deref().is_none_or(|role| role == line.role)
}

/// Whether a line has the name of a target. A line without a name is named by its guess.
fn is_same_name(reading: &TargetReading, line: &CandidateLine<'_>) -> bool {
    match (reading.name.as_str(), line.name.as_str()) {
        ("", "") => reading.guess.is_empty() || folded(&reading.guess) == guess(line),
        ("", _) | (_, "") => false,
        (given, name) => folded(given) == folded(name),
    }
}

/// Returns the guessed name of a line without the quotes that it may be printed with.
fn guess(line: &CandidateLine<'_>) -> String {
    let text = serde_json::from_str::<String>(&line.guess);
    folded(text.as_deref().unwrap_or(&line.guess))
}

/// Returns a name for comparing: as long as it is printed, in lower case.
fn folded(name: &str) -> String {
    bounded(name, NAME_LIMIT).to_lowercase()
}

/// Whether a line has the words of a target, in the same order. Signs that stand alone may be
/// missing in the target, but not in the line: `New event` is `＋ New event`, but `Zoom +` is not
/// `Zoom -`.
fn has_same_words(reading: &TargetReading, line: &CandidateLine<'_>) -> bool {
    let (given, name) = (words(&reading.name), words(&line.name));
    let is_sign = |word: &String| !word.chars().any(char::is_alphanumeric);
    if given.is_empty() || given.iter().all(is_sign) {
        return false;
    }
    given == name
        || !given.iter().any(is_sign) && {
            let name: Vec<String> = name.into_iter().filter(|word| !is_sign(word)).collect();
            given == name
        }
}

/// Returns the words of a name in lower case, without the punctuation around them.
fn words(name: &str) -> Vec<String> {
    let punctuation = |c: char| ".,:;!?…\"'“”‘’«»()[]{}*".contains(c);
    let words = folded(name);
    let words = words.split_whitespace().map(|word| word.trim_matches(punctuation));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the lines that share the most words with a target.
fn near(
    candidates: &Candidates<'_>,
    query: &LineQuery,
    wanted: impl Fn(&TargetReading, &CandidateLine<'_>) -> bool,
) -> Vec<NodeId> {
    let Some(reading) = query.readings.first() else { return Vec::new() };
    let given = words(&reading.name);
    let mut scored: Vec<(usize, NodeId)> = Vec::new();
    for line in &candidates.lines {
        let name = words(&line.name);
        let shared = given.iter().filter(|word| name.contains(word)).count();
        let bare = given.is_empty() && name.is_empty() && has_role(reading, line);
        let is_near = (shared > 0 || bare) && usability(line.node) != Usability::Never;
        if is_near && wanted(reading, line) {
            let role = usize::from(reading.role.is_some() && has_role(reading, line));
            scored.push((shared * 2 + role, line.node.id()));
        }
    }
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().take(MOST_NEAR).map(|(_, id)| id).collect()
}
