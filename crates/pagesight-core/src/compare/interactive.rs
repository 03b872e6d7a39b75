//! What can be used: missing, new, renamed, disabled, hidden, covered, moved, or leading elsewhere.
//! The structural faults and those of style alone are told here from the same pairs.

use std::collections::HashMap;

use serde_json::json;

use super::landmarks::{Known, Side};
use super::matching::{Pairs, in_order, key};
use super::{ChangeType, Found, Severity, Subject, Told, entries, location};
use crate::fingerprint::{Element, Sight, Sort, means_an_error, normalize};

/// Types that are fields, whatever they are in.
const FIELDS: [&str; 9] =
    ["input", "textarea", "select", "combobox", "listbox", "checkbox", "radio", "switch", "slider"];

/// Tells them.
pub(super) fn compare(found: &mut Found<'_>, known: &Known<'_>) {
    let (old, new) = (&found.was.structure.interactive, &found.now.structure.interactive);
    let pairs = paired(&known.was, &known.now);
    let turned = turned(old, new, &pairs);
    for (at, element) in old.iter().enumerate() {
        match pairs.new_of[at] {
            Some(other) => matched(found, (at, other), known, &turned),
            None if element.sight.is_hidden() || known.lost(element.place) => {}
            None => missing(found, at),
        }
    }
    for at in (0..new.len()).filter(|at| pairs.old_of[*at].is_none()) {
        if !new[at].sight.is_hidden() {
            added(found, at, "is new");
        }
    }
    moved(found, &pairs, known);
}

/// Who is who.
fn paired(was: &Side<'_>, now: &Side<'_>) -> Pairs {
    let (old, new) = (&was.structure.interactive, &now.structure.interactive);
    let mut pairs = Pairs::new(old.len(), new.len());
    let same = |one: usize, other: usize| {
        let (one, other) = (&old[one], &new[other]);
        (&one.kind, &one.text, &one.href, &one.key, seen(one))
            == (&other.kind, &other.text, &other.href, &other.key, seen(other))
            && was.region(one.place) == now.region(other.place)
    };
    pairs.ends(same);
    type Key = fn(&Side<'_>, &Element, &str) -> Option<u64>;
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
        // Without what is volatile; a name is needed in all rounds but the last.
        let by = |side: &Side<'_>, element: &Element| {
            let named = at + 1 == rounds.len() || !element.text.is_empty();
            named.then(|| round(side, element, &normalize(&element.text))).flatten()
        };
        pairs.round(|at| by(was, &old[at]), |at| by(now, &new[at]));
    }
    let link = |side: &Side<'_>, element: &Element| {
        let told = element.href.as_deref().is_some_and(|href| href.len() > 1);
        told.then(|| key(&[&element.kind, href(element), side.region(element.place)]))
    };
    pairs.round(|at| link(was, &old[at]), |at| link(now, &new[at]));
    let sort = |side: &Side<'_>, element: &Element| {
        (!element.sight.is_hidden()).then(|| key(&[&element.kind, side.region(element.place)]))
    };
    pairs.neighbours(
        (|at| sort(was, &old[at]), |at| sort(now, &new[at])),
        (|at| old[at].text.as_str(), |at| new[at].text.as_str()),
    );
    pairs
}

fn href(element: &Element) -> &str {
    element.href.as_deref().unwrap_or_default()
}

fn own(element: &Element) -> &str {
    element.key.as_deref().unwrap_or_default()
}

fn seen(element: &Element) -> &'static str {
    if element.sight.is_hidden() { "hidden" } else { "shown" }
}

/// Places in which as much came out of a cut as went into it: something that turns, such as a
/// carousel.
fn turned(old: &[Element], new: &[Element], pairs: &Pairs) -> HashMap<u32, i64> {
    let mut balance: HashMap<u32, i64> = HashMap::new();
    let cut = |element: &Element| {
        matches!(&element.sight, Sight::CutOff)
            || matches!(&element.sight, Sight::Hidden(why) if why == "clipped" || why == "off-screen")
    };
    for (at, element) in old.iter().enumerate() {
        if let Some(other) = pairs.new_of[at].map(|at| &new[at])
            && cut(element)
            && !cut(other)
        {
            *balance.entry(other.place).or_default() += 1;
        }
    }
    balance
}

fn matched(
    found: &mut Found<'_>,
    pair: (usize, usize),
    known: &Known<'_>,
    turned: &HashMap<u32, i64>,
) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (old, new) = (&was.interactive[pair.0], &now.interactive[pair.1]);
    let ignored = old.ignored || new.ignored;
    match (old.sight.is_hidden(), new.sight.is_hidden()) {
        (true, true) => return,
        (true, false) => return added(found, pair.1, "appeared; it was hidden"),
        (false, true) if known.lost(old.place) => return,
        _ => {}
    }
    if let Some((kind, severity, how)) = fault(found, &old.sight, new, turned) {
        let description = format!("{} {how}", called(old));
        tell(found, kind, severity, pair.into(), ignored, description, None);
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
        let sides = (json!({"enabled": !old.disabled}), json!({"enabled": !new.disabled}));
        tell(
            found,
            kind,
            severity,
            pair.into(),
            ignored,
            format!("{} is now {word}", called(old)),
            Some(sides),
        );
    }
    renamed(found, pair);
    if let (Some(from), Some(to)) = (&old.href, &new.href)
        && from != to
    {
        let severity =
            if normalize(from) == normalize(to) { Severity::Info } else { Severity::Warning };
        let description = format!("{} leads to {to} (was {from})", called(new));
        tell(
            found,
            ChangeType::LinkChanged,
            severity,
            pair.into(),
            ignored,
            description,
            Some((json!({"href": from}), json!({"href": to}))),
        );
    }
    if known.was.region(old.place) != known.now.region(new.place) {
        let (from, to) = (location(was, old.place), location(now, new.place));
        let name =
            |place: &str| if place.is_empty() { "the page".to_owned() } else { place.to_owned() };
        let description =
            format!("{} moved to {} (was in {})", called(new), name(&to), name(&from));
        tell(
            found,
            ChangeType::ElementMoved,
            Severity::Info,
            pair.into(),
            ignored,
            description,
            Some((json!(from), json!(to))),
        );
    }
}

/// What keeps a person from using it that did not before.
fn fault(
    found: &Found<'_>,
    was: &Sight,
    new: &Element,
    turned: &HashMap<u32, i64>,
) -> Option<(ChangeType, Severity, String)> {
    // Of what has no size before its picture comes, nobody knows.
    let waits = [was, &new.sight].contains(&&Sight::Waiting);
    if *was == new.sight || std::mem::discriminant(was) == std::mem::discriminant(&new.sight) {
        return None;
    }
    let turns = turned.get(&new.place).is_some_and(|count| *count > 0);
    let cut = if turns || waits { Severity::Info } else { Severity::Error };
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
            // Behind a dialog that opened everything is covered; the dialog is told.
            let dialog = cover.starts_with("dialog") || cover.starts_with("alertdialog");
            if dialog
                && found.now.structure.state.modals_open.len()
                    > found.was.structure.state.modals_open.len()
            {
                return None;
            }
            (ChangeType::ElementCovered, Severity::Error, format!("is covered by {cover}"))
        }
        Sight::CutOff => (
            ChangeType::ElementHidden,
            if turns { Severity::Info } else { Severity::Warning },
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

fn renamed(found: &mut Found<'_>, pair: (usize, usize)) {
    let (old, new) =
        (&found.was.structure.interactive[pair.0], &found.now.structure.interactive[pair.1]);
    if old.text == new.text {
        return;
    }
    let same = normalize(&old.text) == normalize(&new.text);
    if same && is_nothing(&old.text) == is_nothing(&new.text) {
        return;
    }
    let severity = match () {
        () if same => Severity::Info,
        () if means_an_error(&new.text) && !means_an_error(&old.text) => Severity::Error,
        // What had no name and has one now is none the worse for it.
        () if old.text.is_empty() => Severity::Info,
        () => Severity::Warning,
    };
    let word = word(&new.kind);
    let description = match new.text.as_str() {
        "" => format!("{word} '{}' has no name any more", old.text),
        text => format!("{word} '{}' is now called '{text}'", old.text),
    };
    let sides = (json!({"text": old.text}), json!({"text": new.text}));
    tell(
        found,
        ChangeType::ElementRenamed,
        severity,
        pair.into(),
        old.ignored || new.ignored,
        description,
        Some(sides),
    );
}

/// Whether its only number is nought.
fn is_nothing(text: &str) -> bool {
    let mut digits = text.chars().filter(char::is_ascii_digit).peekable();
    digits.peek().is_some() && digits.all(|digit| digit == '0')
}

fn is_field(element: &Element) -> bool {
    element.form.is_some() && FIELDS.contains(&element.kind.as_str())
}

fn missing(found: &mut Found<'_>, at: usize) {
    let structure = &found.was.structure;
    let element = &structure.interactive[at];
    if let Some(list) = element.list {
        *found.gone_from.entry(list).or_default() += 1;
    }
    let severity = match element.heard {
        // One of the browsers could not tell that it is used at all.
        true if found.was.deaf || found.now.deaf => Severity::Info,
        true => Severity::Warning,
        false => Severity::Error,
    };
    let (kind, word) = if is_field(element) {
        (ChangeType::FieldMissing, "Form field")
    } else {
        (ChangeType::ElementMissing, "Interactive")
    };
    let description = format!("{word} {} is no longer there", called(element).to_lowercase_first());
    found.tell(Told {
        kind,
        severity,
        element: subject(element),
        part: if is_field(element) { "forms" } else { "interactive" },
        place: (structure, element.place),
        was: None,
        now: None,
        description,
        ignored: element.ignored,
        at: entries(Sort::Element, Some(at), None),
    });
}

fn added(found: &mut Found<'_>, at: usize, how: &str) {
    let element = &found.now.structure.interactive[at];
    let kind = if is_field(element) { ChangeType::FieldAdded } else { ChangeType::ElementAdded };
    let description = format!("{} {how}", called(element));
    tell(
        found,
        kind,
        Severity::Info,
        Which { was: None, now: at },
        element.ignored,
        description,
        None,
    );
}

/// Something that is there now, and what it was before, if that is known.
#[derive(Clone, Copy)]
struct Which {
    was: Option<usize>,
    now: usize,
}

impl From<(usize, usize)> for Which {
    fn from((was, now): (usize, usize)) -> Which {
        Which { was: Some(was), now }
    }
}

/// Tells a change of something that is there now.
fn tell(
    found: &mut Found<'_>,
    kind: ChangeType,
    severity: Severity,
    which: Which,
    ignored: bool,
    description: String,
    sides: Option<(serde_json::Value, serde_json::Value)>,
) {
    let structure = &found.now.structure;
    let element = &structure.interactive[which.now];
    let (was, now) = sides.unzip();
    let part = if is_field(element) { "forms" } else { "interactive" };
    let place = (structure, element.place);
    found.tell(Told {
        kind,
        severity,
        element: subject(element),
        part,
        place,
        was,
        now,
        description,
        ignored,
        at: entries(Sort::Element, which.was, Some(which.now)),
    });
}

fn subject(element: &Element) -> Subject {
    let text =
        if element.text.is_empty() { element.href.clone() } else { Some(element.text.clone()) };
    let selector = if element.text.is_empty() {
        element.key.as_ref().map(|key| format!("#{key}"))
    } else {
        None
    };
    Subject { kind: Some(element.kind.clone()), text, selector }
}

fn word(kind: &str) -> String {
    let mut letters = kind.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `Button 'Save'`.
fn called(element: &Element) -> String {
    match (&element.text, &element.key, &element.href) {
        (text, ..) if !text.is_empty() => format!("{} '{text}'", word(&element.kind)),
        (_, _, Some(href)) => format!("{} to {href}", word(&element.kind)),
        (_, Some(key), _) => format!("{} #{key}", word(&element.kind)),
        _ => format!("{} without a name", word(&element.kind)),
    }
}

/// For a sentence that goes on.
trait LowercaseFirst {
    fn to_lowercase_first(&self) -> String;
}

impl LowercaseFirst for String {
    fn to_lowercase_first(&self) -> String {
        let mut letters = self.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
    }
}

/// What changed its place among the others of its region. What stands in lists is told by the list.
fn moved(found: &mut Found<'_>, pairs: &Pairs, known: &Known<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    // Which of several equal things is which nobody can tell, so none of them moved.
    let mut equal: HashMap<(&str, &str), usize> = HashMap::new();
    for element in &now.interactive {
        *equal.entry((&element.kind, &element.text)).or_default() += 1;
    }
    let mut regions: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
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
        let region = known.now.region(new.place);
        if !apart && known.was.region(old.place) == region {
            regions.entry(region).or_default().push((at, other));
        }
    }
    let mut gone: Vec<(usize, usize)> = Vec::new();
    for members in regions.into_values() {
        let order: Vec<usize> = members.iter().map(|(_, new)| *new).collect();
        let stays = in_order(&order);
        gone.extend(members.iter().zip(stays).filter(|(_, stays)| !stays).map(|(pair, _)| *pair));
    }
    gone.sort_unstable_by_key(|(_, new)| *new);
    for pair in gone {
        let element = &now.interactive[pair.1];
        let description = format!("{} changed its place among its neighbours", called(element));
        let kind = ChangeType::ElementMoved;
        tell(found, kind, Severity::Info, pair.into(), element.ignored, description, None);
    }
}
