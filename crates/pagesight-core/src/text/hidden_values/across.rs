//! Values that a page spreads over several texts: a letter per element, or lines of a container.
//! The texts of each kind are read as one, in the order of the page.

use std::collections::BTreeMap;

use super::{HiddenValues, shown};

/// The kinds of texts that are read together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CellKind {
    /// A text of the page.
    Text,
    /// The name of an element.
    Name,
    /// The value of a field.
    Value,
    /// The label of an option.
    Option,
    /// An attribute, by the place of its name in the table of strings.
    Attribute(u32),
    /// A clue for a guessed name, by the place of its kind.
    Clue(u32),
}

/// Returns the texts of a page that have a part of a hidden value, by their place among the cells,
/// with what replaces them. The cells are in the order of the page.
pub(crate) fn hidden_across(
    values: &HiddenValues,
    cells: &[(CellKind, u32)],
    strings: &[impl AsRef<str>],
) -> Vec<(usize, String)> {
    if values.is_empty() {
        return Vec::new();
    }
    let mut kinds: BTreeMap<CellKind, Vec<usize>> = BTreeMap::new();
    for (at, (kind, _)) in cells.iter().enumerate() {
        kinds.entry(*kind).or_default().push(at);
    }
    let mut replaced = Vec::new();
    for (kind, places) in kinds {
        let text = |place: &usize| {
            strings.get(cells[*place].1 as usize).map_or("", |string| string.as_ref())
        };
        let texts: Vec<&str> = places.iter().map(text).collect();
        let hidden = hidden_in_sequence(values, &texts, kind);
        replaced.extend(hidden.into_iter().map(|(at, text)| (places[at], text)));
    }
    replaced
}

/// Returns the texts that have a part of a value, with what replaces them.
fn hidden_in_sequence(
    values: &HiddenValues,
    texts: &[&str],
    kind: CellKind,
) -> Vec<(usize, String)> {
    let joined = texts.join("\n");
    let mut parts: BTreeMap<usize, Vec<(usize, usize, String)>> = BTreeMap::new();
    // The text that is read, and where it begins.
    let (mut at, mut begins) = (0, 0);
    for (start, end, name) in values.places(&joined, false) {
        let mut is_begun = false;
        loop {
            let length = texts[at].len();
            if begins + length > start && length > 0 {
                let (from, to) = (start.saturating_sub(begins), length.min(end - begins));
                // An element without a name would be called by something else of it.
                let is_named = !is_begun || kind == CellKind::Name;
                let name = if is_named { shown(name) } else { String::new() };
                parts.entry(at).or_default().push((from, to, name));
                is_begun = true;
            }
            if begins + length >= end {
                break;
            }
            begins += length + 1;
            at += 1;
        }
    }
    let replaced = parts.into_iter().map(|(at, parts)| {
        let (mut out, mut copied) = (String::new(), 0);
        for (from, to, name) in parts {
            out.push_str(&texts[at][copied..from]);
            out.push_str(&name);
            copied = to;
        }
        (at, out + &texts[at][copied..])
    });
    replaced.collect()
}
