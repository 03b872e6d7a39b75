//! Compares styles. Elements with the same change are one sentence: `All 12 buttons: background is
//! #d32f2f (red) now, not #1976d2 (blue)`.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::color::{is_alike, named};
use super::layouts::{Finding, Layouts};
use crate::compare::change::ChangeType;
use crate::compare::entry::Entry;
use crate::compare::sentence::{counted, noun};
use crate::fingerprint::Style;

/// How many kinds of elements one sentence names.
const MOST_KINDS: usize = 3;

/// The changed properties of an element: the word, the value before and now.
type Difference<'f> = Vec<(&'static str, &'f str, &'f str)>;

/// Reports styles. Also returns the elements whose style changed, by their new index.
pub(super) fn compare<'f>(layouts: &Layouts<'f>) -> (Vec<Finding<'f>>, HashSet<usize>) {
    let (old_boxes, new_boxes) = (&layouts.old.boxes, &layouts.new.boxes);
    let mut groups: Vec<(Difference<'f>, Vec<(usize, usize)>)> = Vec::new();
    let mut known: HashMap<Difference<'f>, usize> = HashMap::new();
    let mut restyled = HashSet::new();
    // How many elements of each kind could have changed.
    let mut all: HashMap<&str, usize> = HashMap::new();
    for (old, new) in layouts.both() {
        let (was, now) = (&old_boxes[old], &new_boxes[new]);
        *all.entry(&now.kind).or_default() += 1;
        let (Some(before), Some(after)) = (&was.style, &now.style) else { continue };
        if now.region || was.moving || now.moving || was.ignored || now.ignored {
            continue;
        }
        let changed = difference(before, after);
        if changed.is_empty() {
            continue;
        }
        restyled.insert(new);
        let at = *known.entry(changed.clone()).or_insert_with(|| {
            groups.push((changed, Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push((old, new));
    }
    let finding = |(changed, members): (Difference<'f>, Vec<(usize, usize)>)| {
        let words = format!("{}: {}", subject(layouts, &members, &all), said(&changed));
        let mut finding = layouts.finding(ChangeType::StyleChanged, members[0], words);
        let side = |of: fn(&(&'static str, &str, &str)) -> Value| -> Map<String, Value> {
            changed.iter().map(|one| (one.0.replace(' ', "_"), of(one))).collect()
        };
        let (was, now) = (side(|one| json!(one.1)), side(|one| json!(one.2)));
        finding.draft = finding.draft.values(Value::Object(was), Value::Object(now));
        if members.len() > 1 {
            // They may be anywhere on the page.
            let first = &new_boxes[members[0].1];
            let apart = members.iter().any(|(_, new)| new_boxes[*new].place != first.place);
            finding.draft.place = finding.draft.place.filter(|_| !apart);
        }
        finding
    };
    (groups.into_iter().map(finding).collect(), restyled)
}

fn difference<'f>(was: &'f Style, now: &'f Style) -> Difference<'f> {
    let both = was.properties().into_iter().zip(now.properties());
    both.filter(|((word, was), (_, now))| !is_same(word, was, now))
        .map(|((word, was), (_, now))| (word, was, now))
        .collect()
}

/// Whether nobody sees a difference between two values.
fn is_same(word: &str, was: &str, now: &str) -> bool {
    if was == now || is_alike(was, now) {
        return true;
    }
    let number = |text: &str| text.trim_end_matches("px").parse::<f32>().ok();
    let least = match word {
        "font size" => 0.6,
        "opacity" => 0.06,
        "corner radius" => 1.5,
        _ => return false,
    };
    let plain =
        |text: &str| if text.is_empty() && word == "opacity" { "1" } else { text }.to_owned();
    number(&plain(was)).zip(number(&plain(now))).is_some_and(|(a, b)| (a - b).abs() < least)
}

/// Returns the elements at the beginning of a sentence.
fn subject(
    layouts: &Layouts<'_>,
    members: &[(usize, usize)],
    all: &HashMap<&str, usize>,
) -> String {
    let boxes = &layouts.new.boxes;
    let first = &boxes[members[0].1];
    if members.len() == 1 {
        return first.label();
    }
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for (_, new) in members {
        let kind = boxes[*new].kind.as_str();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    if let [(kind, count)] = kinds.as_slice() {
        let whole = if all.get(kind) == Some(count) { "All " } else { "" };
        return format!("{whole}{}", counted(*count, noun(kind)));
    }
    let shown = kinds.iter().take(MOST_KINDS).map(|(kind, count)| counted(*count, noun(kind)));
    let more = if kinds.len() > MOST_KINDS { ", …" } else { "" };
    let shown: Vec<String> = shown.collect();
    format!("{} elements ({}{more})", members.len(), shown.join(", "))
}

fn said(changed: &Difference<'_>) -> String {
    let one = |(word, was, now): &(&str, &str, &str)| {
        format!("{word} is {} now, not {}", value(word, now), value(word, was))
    };
    changed.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn value(word: &str, text: &str) -> String {
    match (word, text) {
        ("opacity", "") => "1".to_owned(),
        (_, "") => "none".to_owned(),
        (_, text) => named(text),
    }
}
