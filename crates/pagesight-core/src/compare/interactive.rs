//! Compares interactive elements: missing, new, renamed, disabled, hidden, covered, moved, or with
//! a different link target.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::change::{Change, ChangeType, Severity};
use super::collector::Collector;
use super::entry::{Entry, Located, Subject, placed_in};
use super::location::location;
use super::matching::{Pairs, key};
use super::regions::{Regions, Side};
use crate::fingerprint::{
    EntryKind, InteractiveElement, LIMITS, MODAL, Sight, Structure, means_an_error, normalize,
};
use crate::longest_rising::longest_rising;

/// Types that are fields, whatever they are in.
const FIELDS: [&str; 9] =
    ["input", "textarea", "select", "combobox", "listbox", "checkbox", "radio", "switch", "slider"];

impl Entry for InteractiveElement {
    placed_in!(self, if is_field(self) { "forms" } else { "interactive" });

    fn subject(&self) -> Subject {
        let unnamed = self.text.is_empty();
        Subject {
            kind: Some(self.kind.clone()),
            text: if unnamed { self.href.clone() } else { Some(self.text.clone()) },
            selector: self.key.as_ref().filter(|_| unnamed).map(|key| format!("#{key}")),
        }
    }

    /// Returns the beginning of a sentence: `Button 'Save'`.
    fn label(&self) -> String {
        let word = capitalized(&self.kind);
        match (&self.text, &self.key, &self.href) {
            (text, ..) if !text.is_empty() => format!("{word} '{text}'"),
            _ if !self.guess.0.is_empty() => format!("{word} ({})", self.guess.0),
            (_, _, Some(href)) => format!("{word} to {href}"),
            (_, Some(key), _) => format!("{word} #{key}"),
            _ => format!("{word} without a name"),
        }
    }

    fn called(&self) -> Option<String> {
        Some(match (&self.text, &self.key, &self.href) {
            (text, ..) if !text.is_empty() => format!("'{text}'"),
            _ if !self.guess.0.is_empty() => format!("({})", self.guess.0),
            (_, _, Some(href)) => format!("to {href}"),
            (_, Some(key), _) => format!("#{key}"),
            _ => "without a name".to_owned(),
        })
    }
}

/// An interactive element and its page.
type Interactive<'f> = Located<'f, InteractiveElement>;

fn at(structure: &Structure, index: usize) -> Interactive<'_> {
    Located::new(structure, EntryKind::Element, &structure.interactive, index)
}

/// Compares the interactive elements and reports the changes.
pub(super) fn compare(found: &mut Collector<'_>, regions: &Regions<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let pairs = paired(&regions.was, &regions.now);
    let uncut = uncut(&was.interactive, &now.interactive, &pairs);
    for (index, element) in was.interactive.iter().enumerate() {
        let old = at(was, index);
        match pairs.new_of[index] {
            Some(other) => matched(found, old, at(now, other), regions, &uncut),
            None if element.sight.is_hidden() || regions.is_lost(element.place) => {}
            None => missing(found, old),
        }
    }
    for index in pairs.only_new() {
        if !now.interactive[index].sight.is_hidden() {
            added(found, at(now, index), false);
        }
    }
    moved(found, &pairs, regions);
}

/// Pairs the elements of the two pages.
fn paired(was: &Side<'_>, now: &Side<'_>) -> Pairs {
    let (old, new) = (&was.structure.interactive, &now.structure.interactive);
    let mut pairs = Pairs::new(old.len(), new.len());
    let same = |one: usize, other: usize| {
        let (one, other) = (&old[one], &new[other]);
        (&one.kind, &one.text, &one.href, &one.key, seen(one))
            == (&other.kind, &other.text, &other.href, &other.key, seen(other))
            && !differ_in_guesses(one, other)
            && was.region(one.place) == now.region(other.place)
    };
    pairs.ends(same);
    let guessed = |side: &Side<'_>, element: &InteractiveElement| {
        let known = element.text.is_empty() && !element.guess.0.is_empty();
        known.then(|| {
            let region = side.region(element.place);
            key(&[&element.kind, &element.guess.0, href(element), region, seen(element)])
        })
    };
    pairs.round(|at| guessed(was, &old[at]), |at| guessed(now, &new[at]));
    type Key = fn(&Side<'_>, &InteractiveElement, &str) -> Option<u64>;
    let as_they_are: [Key; 2] = [
        |side, element, text| {
            let place = side
                .structure
                .places
                .get(element.place as usize)
                .map_or("", |place| place.label.as_str());
            Some(key(&[
                &element.kind,
                text,
                href(element),
                place,
                side.region(element.place),
                seen(element),
                own(element),
            ]))
        },
        |side, element, text| {
            Some(key(&[
                &element.kind,
                text,
                href(element),
                side.region(element.place),
                seen(element),
            ]))
        },
    ];
    for round in as_they_are {
        pairs.round(
            |at| round(was, &old[at], &old[at].text),
            |at| round(now, &new[at], &new[at].text),
        );
    }
    let rounds: [Key; 5] = [
        |side, element, text| {
            Some(key(&[
                &element.kind,
                text,
                side.region(element.place),
                seen(element),
                own(element),
            ]))
        },
        |side, element, text| {
            Some(key(&[&element.kind, text, side.region(element.place), seen(element)]))
        },
        |side, element, text| Some(key(&[&element.kind, text, side.region(element.place)])),
        |_, element, text| Some(key(&[&element.kind, text])),
        |side, element, _| {
            (!own(element).is_empty())
                .then(|| key(&[&element.kind, own(element), side.region(element.place)]))
        },
    ];
    for (at, round) in rounds.into_iter().enumerate() {
        // Volatile parts of names are ignored. Every round but the last needs a name.
        let by = |side: &Side<'_>, element: &InteractiveElement| {
            let named = at + 1 == rounds.len() || !element.text.is_empty();
            named.then(|| round(side, element, &normalize(&element.text))).flatten()
        };
        pairs.round(|at| by(was, &old[at]), |at| by(now, &new[at]));
    }
    let link = |side: &Side<'_>, element: &InteractiveElement| {
        let leads_somewhere = element.href.as_deref().is_some_and(|href| href.len() > 1);
        leads_somewhere.then(|| key(&[&element.kind, href(element), side.region(element.place)]))
    };
    pairs.round(|at| link(was, &old[at]), |at| link(now, &new[at]));
    let sort = |side: &Side<'_>, element: &InteractiveElement| {
        (!element.sight.is_hidden()).then(|| key(&[&element.kind, side.region(element.place)]))
    };
    pairs.neighbours(
        (|at| sort(was, &old[at]), |at| sort(now, &new[at])),
        (|at| old[at].text.as_str(), |at| new[at].text.as_str()),
    );
    pairs
}

/// Whether both elements have guessed names, and different ones. Baselines have none.
fn differ_in_guesses(one: &InteractiveElement, other: &InteractiveElement) -> bool {
    let (one, other) = (&one.guess.0, &other.guess.0);
    !one.is_empty() && !other.is_empty() && one != other
}

/// Returns the element of both pages that names it. A baseline has no guesses, so an element
/// without a name is named by the live page.
fn namer<'e>(old: &'e InteractiveElement, new: &'e InteractiveElement) -> &'e InteractiveElement {
    if old.text.is_empty() && old.guess.0.is_empty() { new } else { old }
}

fn href(element: &InteractiveElement) -> &str {
    element.href.as_deref().unwrap_or_default()
}

fn own(element: &InteractiveElement) -> &str {
    element.key.as_deref().unwrap_or_default()
}

fn seen(element: &InteractiveElement) -> &'static str {
    if element.sight.is_hidden() { "hidden" } else { "shown" }
}

/// Returns for each place how many elements were cut off before and are not any more. If there are
/// some, the place rotates its content, as a carousel does.
fn uncut(
    old: &[InteractiveElement],
    new: &[InteractiveElement],
    pairs: &Pairs,
) -> HashMap<u32, i64> {
    let mut counts: HashMap<u32, i64> = HashMap::new();
    let cut = |element: &InteractiveElement| {
        matches!(&element.sight, Sight::CutOff)
            || matches!(&element.sight, Sight::Hidden(why) if why == "clipped" || why == "off-screen")
    };
    for (at, element) in old.iter().enumerate() {
        if let Some(other) = pairs.new_of[at].map(|at| &new[at])
            && cut(element)
            && !cut(other)
        {
            *counts.entry(other.place).or_default() += 1;
        }
    }
    counts
}

fn matched<'f>(
    found: &mut Collector<'f>,
    old: Interactive<'f>,
    new: Interactive<'f>,
    regions: &Regions<'_>,
    uncut: &HashMap<u32, i64>,
) {
    match (old.sight.is_hidden(), new.sight.is_hidden()) {
        (true, true) => return,
        (true, false) => return added(found, new, true),
        (false, true) if regions.is_lost(old.place) => return,
        _ => {}
    }
    if let Some((kind, severity, how)) = fault(found, &old.sight, &new, uncut) {
        let description = format!("{} {how}", namer(&old, &new).label());
        let change = Change::changed(kind, old, new, description).severity(severity);
        found.report(change.facts(|facts| {
            facts.called = namer(&old, &new).called();
            facts.sight = new.sight.clone();
        }));
        if new.sight.is_hidden() {
            return;
        }
    }
    if old.disabled != new.disabled {
        let (kind, severity, word) = if new.disabled {
            (ChangeType::ElementDisabled, Severity::Warning, "disabled")
        } else {
            (ChangeType::ElementEnabled, Severity::Info, "enabled")
        };
        let description = format!("{} is now {word}", namer(&old, &new).label());
        found.report(
            Change::changed(kind, old, new, description)
                .severity(severity)
                .values(json!({"enabled": !old.disabled}), json!({"enabled": !new.disabled}))
                .facts(|facts| facts.called = namer(&old, &new).called()),
        );
    }
    renamed(found, old, new);
    demands(found, old, new);
    if let (Some(from), Some(to)) = (&old.href, &new.href)
        && from != to
    {
        let same = normalize(from) == normalize(to);
        let description = format!("{} leads to {to} (was {from})", new.label());
        found.report(
            Change::changed(ChangeType::LinkChanged, old, new, description)
                .severity(if same { Severity::Info } else { Severity::Warning })
                .values(json!({"href": from}), json!({"href": to})),
        );
    }
    if regions.was.region(old.place) != regions.now.region(new.place) {
        let (from, to) = (location(old.structure, old.place), location(new.structure, new.place));
        let name = |place: &str| if place.is_empty() { "the page" } else { place }.to_owned();
        let description =
            format!("{} moved to {} (was in {})", new.label(), name(&to), name(&from));
        found.report(
            Change::changed(ChangeType::ElementMoved, old, new, description)
                .values(json!(from), json!(to)),
        );
    }
}

/// Returns what prevents a person from using the element now and did not before.
fn fault(
    found: &Collector<'_>,
    was: &Sight,
    new: &InteractiveElement,
    uncut: &HashMap<u32, i64>,
) -> Option<(ChangeType, Severity, String)> {
    // An element may have no size until its image loads.
    let waits = [was, &new.sight].contains(&&Sight::Waiting);
    if *was == new.sight || std::mem::discriminant(was) == std::mem::discriminant(&new.sight) {
        return None;
    }
    let rotates = uncut.get(&new.place).is_some_and(|count| *count > 0);
    let cut = if rotates || waits { Severity::Info } else { Severity::Error };
    Some(match &new.sight {
        Sight::Shown => return None,
        Sight::Waiting => (
            ChangeType::ElementHidden,
            Severity::Info,
            "has no size yet: its picture is still to come".to_owned(),
        ),
        Sight::Hidden(why) => {
            let severity = if matches!(why.as_str(), "clipped" | "off-screen") {
                cut
            } else {
                Severity::Error
            };
            let how = match why.as_str() {
                "clipped" => "is cut away or has no size".to_owned(),
                "off-screen" => "lies where nobody can scroll to".to_owned(),
                why => format!("is hidden ({why})"),
            };
            (ChangeType::ElementHidden, severity, how)
        }
        Sight::Covered(cover) => {
            // A modal dialog covers everything; the dialog itself is reported.
            if cover.starts_with(MODAL)
                && found.now.structure.state.modals_open.len()
                    > found.was.structure.state.modals_open.len()
            {
                return None;
            }
            (ChangeType::ElementCovered, Severity::Error, format!("is covered by {cover}"))
        }
        Sight::CutOff => (
            ChangeType::ElementHidden,
            if rotates { Severity::Info } else { Severity::Warning },
            "is cut off by what is around it".to_owned(),
        ),
        Sight::Transparent => {
            (ChangeType::ElementHidden, Severity::Error, "is transparent".to_owned())
        }
        Sight::Unclickable => {
            (ChangeType::ElementHidden, Severity::Error, "lets clicks through".to_owned())
        }
    })
}

/// Reports a field that asks for something else than before.
fn demands<'f>(found: &mut Collector<'f>, old: Interactive<'f>, new: Interactive<'f>) {
    let mut report = |how: String, was: Value, now: Value| {
        let description = format!("{} {how}", namer(&old, &new).label());
        let draft = Change::changed(ChangeType::FieldChanged, old, new, description);
        found.report(draft.severity(Severity::Warning).values(was, now));
    };
    for (state, word) in [("required", "required"), ("readonly", "read-only")] {
        let has = |element: &InteractiveElement| element.states.iter().any(|own| own == state);
        let (was, now) = (has(&old), has(&new));
        if was != now {
            let how = format!("is {} {word}", if now { "now" } else { "no longer" });
            report(how, json!({state: was}), json!({state: now}));
        }
    }
    // An older fingerprint does not have the limits.
    if !old.structure.has_limits || !new.structure.has_limits || old.limits == new.limits {
        return;
    }
    for name in LIMITS {
        let of = |element: &'f InteractiveElement| {
            let value = |limit: &'f String| limit.strip_prefix(name)?.strip_prefix('=');
            element.limits.iter().find_map(value)
        };
        let how = match (of(old.entry), of(new.entry)) {
            (was, now) if was == now => continue,
            (Some(was), Some(now)) => format!("has {name} '{now}' (was '{was}')"),
            (None, Some(now)) => format!("now has {name} '{now}'"),
            (was, None) => format!("no longer has {name} '{}'", was.unwrap_or_default()),
        };
        report(how, json!({name: of(old.entry)}), json!({name: of(new.entry)}));
    }
}

fn renamed<'f>(found: &mut Collector<'f>, old: Interactive<'f>, new: Interactive<'f>) {
    if old.text == new.text {
        return;
    }
    let same = normalize(&old.text) == normalize(&new.text);
    if same && is_zero(&old.text) == is_zero(&new.text) {
        return;
    }
    let severity = match () {
        () if same => Severity::Info,
        () if means_an_error(&new.text) && !means_an_error(&old.text) => Severity::Error,
        // An element that got a name is not worse than before.
        () if old.text.is_empty() => Severity::Info,
        () => Severity::Warning,
    };
    let word = capitalized(&new.kind);
    let description = match new.text.as_str() {
        "" => format!("{word} '{}' has no name any more", old.text),
        text => format!("{word} '{}' is now called '{text}'", old.text),
    };
    found.report(
        Change::changed(ChangeType::ElementRenamed, old, new, description)
            .severity(severity)
            .values(json!({"text": old.text}), json!({"text": new.text}))
            .facts(|facts| facts.called = old.called()),
    );
}

/// Whether a text has digits and all of them are zero.
fn is_zero(text: &str) -> bool {
    let mut digits = text.chars().filter(char::is_ascii_digit).peekable();
    digits.peek().is_some() && digits.all(|digit| digit == '0')
}

fn is_field(element: &InteractiveElement) -> bool {
    element.form.is_some() && FIELDS.contains(&element.kind.as_str())
}

fn missing<'f>(found: &mut Collector<'f>, old: Interactive<'f>) {
    if let Some(list) = old.list {
        *found.missing_from_list.entry(list).or_default() += 1;
    }
    let severity = match old.heard {
        // One of the browsers could not see that it is interactive.
        true if found.was.deaf || found.now.deaf => Severity::Info,
        true => Severity::Warning,
        false => Severity::Error,
    };
    let (kind, word) = if is_field(&old) {
        (ChangeType::FieldMissing, "Form field")
    } else {
        (ChangeType::ElementMissing, "Interactive")
    };
    let description = format!("{word} {} is no longer there", uncapitalized(&old.label()));
    let change = Change::missing(kind, old).severity(severity).describe(description);
    found.report(change.facts(|facts| facts.within = within(&old)));
}

/// Returns the list around an element: `list 'Team'`; empty if there is none.
fn within(element: &Interactive<'_>) -> String {
    let list = element.list.and_then(|at| element.structure.lists.get(at as usize));
    match list.and_then(Entry::called) {
        Some(called) if !called.is_empty() => format!("list {called}"),
        Some(_) => "a list".to_owned(),
        None => String::new(),
    }
}

fn added<'f>(found: &mut Collector<'f>, new: Interactive<'f>, revealed: bool) {
    let how = if revealed { "appeared; it was hidden" } else { "is new" };
    let kind = if is_field(&new) { ChangeType::FieldAdded } else { ChangeType::ElementAdded };
    let change = Change::added(kind, new).describe(format!("{} {how}", new.label()));
    found.report(change.facts(|facts| {
        facts.within = within(&new);
        facts.revealed = revealed;
    }));
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn uncapitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Reports elements that changed their order within a region. For elements in lists, the list
/// reports it.
fn moved(found: &mut Collector<'_>, pairs: &Pairs, regions: &Regions<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    // Equal elements cannot be distinguished, so none of them counts as moved.
    let mut equal: HashMap<(&str, &str), usize> = HashMap::new();
    for element in &now.interactive {
        *equal.entry((&element.kind, &element.text)).or_default() += 1;
    }
    let mut members: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
    for (at, other) in pairs.new_of.iter().enumerate() {
        let Some(other) = *other else { continue };
        let (old, new) = (&was.interactive[at], &now.interactive[other]);
        let apart = old.list.is_some()
            || new.list.is_some()
            || old.sight.is_hidden()
            || new.sight.is_hidden();
        let apart = apart
            || old.text != new.text
            || equal.get(&(new.kind.as_str(), new.text.as_str())) != Some(&1);
        let region = regions.now.region(new.place);
        if !apart && regions.was.region(old.place) == region {
            members.entry(region).or_default().push((at, other));
        }
    }
    let mut moved: Vec<(usize, usize)> = Vec::new();
    for members in members.into_values() {
        let order: Vec<usize> = members.iter().map(|(_, new)| *new).collect();
        let stays = longest_rising(&order);
        moved.extend(members.iter().zip(stays).filter(|(_, stays)| !stays).map(|(pair, _)| *pair));
    }
    moved.sort_unstable_by_key(|(_, new)| *new);
    for (old, new) in moved {
        let (old, new) = (at(was, old), at(now, new));
        let description = format!("{} changed its place among its neighbours", new.label());
        found.report(
            Change::changed(ChangeType::ElementMoved, old, new, description).ignored(new.ignored),
        );
    }
}
