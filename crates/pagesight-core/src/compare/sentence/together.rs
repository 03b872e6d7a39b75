//! Joins equal changes: what happened to several elements of one type in one place is one sentence,
//! such as `3 rows are missing: 'A', 'B', 'C'.`

use std::collections::HashMap;

use super::super::change::{Change, ChangeType, Severity};
use super::noun::named;
use super::single::{ended, unusable};
use crate::text::escape::sentence;

/// From this number on, elements with different names are joined. Equal ones always are.
const MANY: usize = 3;
/// How many elements one sentence names.
const MOST_NAMED: usize = 5;

/// One sentence, and the changes that it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct WordedChanges<'c> {
    /// The sentence.
    pub sentence: String,
    /// The changes, with their indices in the list; at least one.
    pub changes: Vec<(usize, &'c Change)>,
}

impl WordedChanges<'_> {
    /// Returns a change that stands for all of them: they have the same type, severity and place.
    pub fn first(&self) -> &Change {
        self.changes[0].1
    }
}

/// Returns the sentences about some changes, in their order.
pub fn worded<'c>(
    changes: impl IntoIterator<Item = (usize, &'c Change)>,
) -> Vec<WordedChanges<'c>> {
    let mut groups: Vec<Vec<(usize, &Change)>> = Vec::new();
    let mut known: HashMap<Kin<'_>, usize> = HashMap::new();
    for (at, change) in changes {
        let group = *known.entry(Kin::of(change)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push((at, change));
    }
    let mut all: Vec<WordedChanges<'_>> = groups.into_iter().flat_map(sentences).collect();
    all.sort_by_key(|worded| worded.changes[0].0);
    all
}

/// The facts that changes have in common if one sentence may be about them.
#[derive(PartialEq, Eq, Hash)]
struct Kin<'c> {
    kind: ChangeType,
    severity: Severity,
    location: &'c str,
    within: &'c str,
    element: Option<&'c str>,
    revealed: bool,
    how: String,
}

impl<'c> Kin<'c> {
    fn of(change: &'c Change) -> Kin<'c> {
        let how = match predicate(change) {
            Some(predicate) => predicate.1,
            // Such changes are joined only if their sentences are the same.
            None => change.sentence(),
        };
        Kin {
            kind: change.kind,
            severity: change.severity,
            location: &change.location,
            within: &change.facts.within,
            element: change.element.as_ref().and_then(|element| element.kind.as_deref()),
            revealed: change.facts.revealed,
            how,
        }
    }
}

/// Returns what several elements share: the words before the noun, and those after it.
fn predicate(change: &Change) -> Option<(&'static str, String)> {
    use ChangeType as T;
    change.label()?;
    let are = |how: &str| Some(("", format!("are {how}")));
    match change.kind {
        // Lists and tables have a size, so their sentences differ.
        _ if change.is_about("list") || change.is_about("table") => None,
        T::ElementMissing | T::FieldMissing | T::HeadingMissing => are("missing"),
        T::ElementAdded | T::FieldAdded if change.facts.revealed => {
            are("visible now; they were hidden")
        }
        T::ElementAdded | T::FieldAdded => Some(("new ", String::new())),
        T::ElementDisabled => are("disabled now"),
        T::ElementEnabled => are("enabled now"),
        T::ElementHidden | T::ElementCovered if change.facts.controls == 0 => {
            Some(("", unusable(&change.facts.sight).1))
        }
        T::ImageBroken => are("broken"),
        _ => None,
    }
}

fn sentences(group: Vec<(usize, &Change)>) -> Vec<WordedChanges<'_>> {
    let first = group[0].1;
    let equal = group.iter().all(|(_, change)| change.called() == first.called());
    if group.len() == 1 || !equal && group.len() < MANY {
        let alone = |(at, change): (usize, _)| WordedChanges {
            sentence: Change::sentence(change),
            changes: vec![(at, change)],
        };
        return group.into_iter().map(alone).collect();
    }
    let words = match predicate(first) {
        Some((before, after)) => together(&group, equal, before, &after),
        None => {
            first.sentence().trim_end_matches('.').to_owned() + &format!(" ({} times)", group.len())
        }
    };
    vec![WordedChanges { sentence: sentence(&ended(words)), changes: group }]
}

fn together(group: &[(usize, &Change)], equal: bool, before: &str, after: &str) -> String {
    let (count, first) = (group.len(), group[0].1);
    let nouns = first.noun().1;
    let called = first.called();
    let what = match equal && !called.is_empty() {
        true => format!("{count} {before}{nouns} {called}"),
        false => format!("{count} {before}{nouns}"),
    };
    let names = match equal {
        true => String::new(),
        false => format!(": {}", named(names(group).iter().map(String::as_str), MOST_NAMED)),
    };
    let within = match first.facts.within.as_str() {
        "" => String::new(),
        within if after == "are missing" => format!(" from {within}"),
        within => format!(" in {within}"),
    };
    match after {
        "" => format!("{what}{within}{names}"),
        "are missing" => format!("{what} {after}{within}{names}"),
        after => format!("{what}{within} {after}{names}"),
    }
}

/// Returns the names in the order in which they first occur, each with its number.
fn names(group: &[(usize, &Change)]) -> Vec<String> {
    let mut names: Vec<(&str, usize)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (_, change) in group {
        let at = *known.entry(change.called()).or_insert(names.len());
        match names.get_mut(at) {
            Some((_, count)) => *count += 1,
            None => names.push((change.called(), 1)),
        }
    }
    let counted = |(name, count): (&str, usize)| match count {
        1 => name.to_owned(),
        count => format!("{count} × {name}"),
    };
    names.into_iter().map(counted).collect()
}
