//! Headings, pictures and plain texts that went, came or changed; and the way in which all content
//! is told.

use serde_json::{Value, json};

use super::landmarks::{Known, Side};
use super::matching::{Pairs, key};
use super::{ChangeType, Found, Severity, Sides, Subject, Told, entries, lists};
use crate::fingerprint::{
    Heading, Image, PlainText, Sight, Sort, Structure, means_an_error, normalize,
};

/// Tells them.
pub(super) fn compare(found: &mut Found<'_>, known: &Known<'_>) {
    headings(found, known);
    lists::compare(found, known);
    images(found, known);
    texts(found, known);
}

/// One change of something of the content, as told by the sort it belongs to.
pub(super) struct News<'a> {
    pub(super) kind: ChangeType,
    pub(super) severity: Severity,
    pub(super) element: Subject,
    pub(super) part: &'static str,
    pub(super) sides: Option<(Value, Value)>,
    pub(super) description: String,
    pub(super) place: (&'a Structure, u32),
    pub(super) ignored: bool,
    pub(super) at: Sides,
}

pub(super) fn tell(found: &mut Found<'_>, news: News<'_>) {
    let (was, now) = news.sides.unzip();
    let News { kind, severity, element, part, description, place, ignored, at, .. } = news;
    found.tell(Told { kind, severity, element, part, place, was, now, description, ignored, at });
}

pub(super) fn subject(kind: &str, text: &str, selector: &str) -> Subject {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Subject { kind: some(kind), text: some(text), selector: some(selector) }
}

/// Why it cannot be seen, for a sentence.
pub(super) fn hidden(sight: &Sight) -> Option<&str> {
    match sight {
        Sight::Hidden(why) => Some(why),
        _ => None,
    }
}

fn headings(found: &mut Found<'_>, known: &Known<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (old, new) = (&was.headings, &now.headings);
    let mut pairs = Pairs::new(old.len(), new.len());
    let shown = |heading: &Heading| if heading.sight.is_hidden() { "hidden" } else { "" };
    type Key = fn(&Side<'_>, &Heading, &'static str) -> Option<u64>;
    let rounds: [Key; 3] = [
        |side, heading, shown| {
            Some(key(&[
                &heading.text,
                &heading.level.to_string(),
                side.region(heading.place),
                shown,
            ]))
        },
        |side, heading, _| Some(key(&[&heading.text, side.region(heading.place)])),
        |_, heading, _| Some(key(&[&normalize(&heading.text), &heading.level.to_string()])),
    ];
    for round in rounds {
        pairs.round(
            |at| round(&known.was, &old[at], shown(&old[at])),
            |at| round(&known.now, &new[at], shown(&new[at])),
        );
    }
    let sort = |side: &Side<'_>, heading: &Heading| {
        (!heading.sight.is_hidden())
            .then(|| key(&[&heading.level.to_string(), side.region(heading.place)]))
    };
    pairs.neighbours(
        (|at| sort(&known.was, &old[at]), |at| sort(&known.now, &new[at])),
        (|at| old[at].text.as_str(), |at| new[at].text.as_str()),
    );
    for (at, heading) in old
        .iter()
        .enumerate()
        .filter(|(_, heading)| !heading.sight.is_hidden() && !known.lost(heading.place))
    {
        let pair = entries(Sort::Heading, Some(at), pairs.new_of[at]);
        let element = subject("heading", &heading.text, "");
        let Some(other) = pairs.new_of[at].map(|at| &new[at]) else {
            let severity = if heading.level == 1 { Severity::Error } else { Severity::Warning };
            let description = format!("Heading '{}' is no longer there", heading.text);
            let (place, ignored) = ((was, heading.place), heading.ignored);
            tell(
                found,
                News {
                    kind: ChangeType::HeadingMissing,
                    severity,
                    element,
                    part: "headings",
                    sides: None,
                    description,
                    place,
                    ignored,
                    at: pair,
                },
            );
            continue;
        };
        let (place, ignored) = ((now, other.place), heading.ignored || other.ignored);
        if let Some(why) = hidden(&other.sight) {
            let description = format!("Heading '{}' is hidden ({why})", heading.text);
            tell(
                found,
                News {
                    kind: ChangeType::ElementHidden,
                    severity: Severity::Warning,
                    element,
                    part: "headings",
                    sides: None,
                    description,
                    place,
                    ignored,
                    at: pair,
                },
            );
        } else if (&heading.text, heading.level) != (&other.text, other.level) {
            let same = normalize(&heading.text) == normalize(&other.text);
            let severity = if same { Severity::Info } else { Severity::Warning };
            let description = match heading.text == other.text {
                true => format!(
                    "Heading '{}' is of level {} now (was {})",
                    other.text, other.level, heading.level
                ),
                false => format!("Heading '{}' is now '{}'", heading.text, other.text),
            };
            let side = |heading: &Heading| json!({"level": heading.level, "text": heading.text});
            let (element, sides) =
                (subject("heading", &other.text, ""), Some((side(heading), side(other))));
            tell(
                found,
                News {
                    kind: ChangeType::HeadingChanged,
                    severity,
                    element,
                    part: "headings",
                    sides,
                    description,
                    place,
                    ignored,
                    at: pair,
                },
            );
        }
    }
    for at in (0..new.len()).filter(|at| pairs.old_of[*at].is_none()) {
        let (heading, at) = (&new[at], entries(Sort::Heading, None, Some(at)));
        if !heading.sight.is_hidden() {
            let (element, description) = (
                subject("heading", &heading.text, ""),
                format!("Heading '{}' is new", heading.text),
            );
            let (place, ignored) = ((now, heading.place), heading.ignored);
            tell(
                found,
                News {
                    kind: ChangeType::ElementAdded,
                    severity: Severity::Info,
                    element,
                    part: "headings",
                    sides: None,
                    description,
                    place,
                    ignored,
                    at,
                },
            );
        }
    }
}

fn images(found: &mut Found<'_>, known: &Known<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (old, new) = (&was.images, &now.images);
    let mut pairs = Pairs::new(old.len(), new.len());
    type Key = fn(&Side<'_>, &Image) -> Option<u64>;
    let rounds: [Key; 4] = [
        |side, image| Some(key(&[side.region(image.place), &image.alt, &image.file])),
        |side, image| {
            (!image.file.is_empty())
                .then(|| key(&[side.region(image.place), &normalize(&image.file)]))
        },
        |side, image| {
            (!image.alt.is_empty())
                .then(|| key(&[side.region(image.place), &normalize(&image.alt)]))
        },
        |_, image| {
            (!image.file.is_empty() || !image.alt.is_empty())
                .then(|| key(&[&image.alt, &image.file]))
        },
    ];
    for round in rounds {
        pairs.round(|at| round(&known.was, &old[at]), |at| round(&known.now, &new[at]));
    }
    let sort = |side: &Side<'_>, image: &Image| Some(key(&[side.region(image.place)]));
    pairs.neighbours(
        (|at| sort(&known.was, &old[at]), |at| sort(&known.now, &new[at])),
        (|at| old[at].alt.as_str(), |at| new[at].alt.as_str()),
    );
    let called = |image: &Image| match (image.alt.as_str(), image.file.as_str()) {
        ("", "") => "without a text".to_owned(),
        ("", file) => file.to_owned(),
        (alt, _) => alt.to_owned(),
    };
    let counts = |image: &Image| matches!(image.sight, Sight::Shown | Sight::Waiting);
    for (at, image) in
        old.iter().enumerate().filter(|(_, image)| counts(image) && !known.lost(image.place))
    {
        let pair = entries(Sort::Image, Some(at), pairs.new_of[at]);
        let element = subject("image", &called(image), "");
        // What becomes of a picture that is still to come is no change.
        let waits = image.pending || pairs.new_of[at].is_some_and(|at| new[at].pending);
        let severity =
            if image.alt.is_empty() || waits { Severity::Info } else { Severity::Warning };
        let Some(other) = pairs.new_of[at].map(|at| &new[at]) else {
            let description = format!("Image '{}' is no longer there", called(image));
            let (place, ignored) = ((was, image.place), image.ignored);
            tell(
                found,
                News {
                    kind: ChangeType::ElementMissing,
                    severity,
                    element,
                    part: "images",
                    sides: None,
                    description,
                    place,
                    ignored,
                    at: pair,
                },
            );
            continue;
        };
        let (place, ignored) = ((now, other.place), image.ignored || other.ignored);
        if other.broken && !image.broken {
            let description = format!("Image '{}' is broken", called(other));
            tell(
                found,
                News {
                    kind: ChangeType::ImageBroken,
                    severity: if waits { Severity::Info } else { Severity::Warning },
                    element: subject("image", &called(other), ""),
                    part: "images",
                    sides: None,
                    description,
                    place,
                    ignored,
                    at: pair,
                },
            );
        } else if let Some(why) = hidden(&other.sight).filter(|_| !other.broken) {
            let description = format!("Image '{}' is hidden ({why})", called(image));
            tell(
                found,
                News {
                    kind: ChangeType::ElementHidden,
                    severity,
                    element,
                    part: "images",
                    sides: None,
                    description,
                    place,
                    ignored,
                    at: pair,
                },
            );
        }
    }
    for at in (0..new.len()).filter(|at| pairs.old_of[*at].is_none()) {
        let (image, at) = (&new[at], entries(Sort::Image, None, Some(at)));
        if image.sight.is_shown() {
            let kind =
                if image.broken { ChangeType::ImageBroken } else { ChangeType::ElementAdded };
            let severity = if image.broken { Severity::Warning } else { Severity::Info };
            let (element, description) = (
                subject("image", &called(image), ""),
                format!(
                    "Image '{}' is new{}",
                    called(image),
                    if image.broken { " and broken" } else { "" }
                ),
            );
            let (place, ignored) = ((now, image.place), image.ignored);
            tell(
                found,
                News {
                    kind,
                    severity,
                    element,
                    part: "images",
                    sides: None,
                    description,
                    place,
                    ignored,
                    at,
                },
            );
        }
    }
}

fn texts(found: &mut Found<'_>, known: &Known<'_>) {
    let (was, now) = (&found.was.structure, &found.now.structure);
    let (old, new) = (&was.texts, &now.texts);
    let mut pairs = Pairs::new(old.len(), new.len());
    let strict = |side: &Side<'_>, text: &PlainText| {
        Some(key(&[&normalize(&text.text), side.region(text.place)]))
    };
    pairs.round(|at| strict(&known.was, &old[at]), |at| strict(&known.now, &new[at]));
    let loose = |text: &PlainText| Some(key(&[&normalize(&text.text)]));
    pairs.round(|at| loose(&old[at]), |at| loose(&new[at]));
    let matched = pairs.new_of.clone();
    let sort = |side: &Side<'_>, text: &PlainText| Some(key(&[side.region(text.place)]));
    pairs.neighbours(
        (|at| sort(&known.was, &old[at]), |at| sort(&known.now, &new[at])),
        (|at| old[at].text.as_str(), |at| new[at].text.as_str()),
    );
    for (at, text) in old
        .iter()
        .enumerate()
        .filter(|(at, text)| matched[*at].is_none() && !known.lost(text.place))
    {
        let pair = entries(Sort::Text, Some(at), pairs.new_of[at]);
        let (kind, severity, element, sides, description, place, ignored) =
            match pairs.new_of[at].map(|at| &new[at]) {
                None => {
                    let description = format!("Text '{}' is no longer there", text.text);
                    (
                        ChangeType::ElementMissing,
                        Severity::Warning,
                        subject("text", &text.text, ""),
                        None,
                        description,
                        (was, text.place),
                        text.ignored,
                    )
                }
                Some(other) => {
                    let severity = if means_an_error(&other.text) && !means_an_error(&text.text) {
                        Severity::Error
                    } else {
                        Severity::Info
                    };
                    let description = format!("Text '{}' is now '{}'", text.text, other.text);
                    let sides = Some((json!({"text": text.text}), json!({"text": other.text})));
                    (
                        ChangeType::ElementRenamed,
                        severity,
                        subject("text", &other.text, ""),
                        sides,
                        description,
                        (now, other.place),
                        text.ignored || other.ignored,
                    )
                }
            };
        tell(
            found,
            News {
                kind,
                severity,
                element,
                part: "texts",
                sides,
                description,
                place,
                ignored,
                at: pair,
            },
        );
    }
    for at in (0..new.len()).filter(|at| pairs.old_of[*at].is_none()) {
        let (text, at) = (&new[at], entries(Sort::Text, None, Some(at)));
        let (element, description) =
            (subject("text", &text.text, ""), format!("Text '{}' is new", text.text));
        let (place, ignored) = ((now, text.place), text.ignored);
        tell(
            found,
            News {
                kind: ChangeType::ElementAdded,
                severity: Severity::Info,
                element,
                part: "texts",
                sides: None,
                description,
                place,
                ignored,
                at,
            },
        );
    }
}
