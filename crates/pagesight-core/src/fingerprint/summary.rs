//! The short form of a fingerprint as JSON, small enough to be read after every edit. A small page
//! is printed completely. Of a large page the most significant part is printed, and what is left
//! out is counted.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::model::{
    Depth, Fingerprint, Form, Heading, InteractiveElement, Landmark, List, PlainText, Sight, Sign,
    Structure, Table,
};
use crate::text::{escape, json, tokens};

/// The most interactive elements that an answer lists.
pub const ANSWER_CAP: usize = 100;
/// Up to this many tokens, a standard answer is printed completely. An answer that has too many
/// bytes for that is not even counted.
const WHOLE: usize = 850;
const WHOLE_BYTES: usize = WHOLE * 8;
/// The size of an answer that is cut.
const SHORT: usize = 480;

/// How many entries of each sort are printed.
#[derive(Clone, Copy)]
struct Caps {
    landmarks: usize,
    contains: usize,
    within: usize,
    headings: usize,
    lists: usize,
    forms: usize,
    fields: usize,
    tables: usize,
    interactive: usize,
    signs: usize,
    text: usize,
}

impl Caps {
    /// Takes the numbers in the order of the fields.
    const fn of(row: [usize; 11]) -> Caps {
        Caps {
            landmarks: row[0],
            contains: row[1],
            within: row[2],
            headings: row[3],
            lists: row[4],
            forms: row[5],
            fields: row[6],
            tables: row[7],
            interactive: row[8],
            signs: row[9],
            text: row[10],
        }
    }
}

const ALL: Caps = Caps::of([40, 10, 10, 60, 40, 20, 30, 20, ANSWER_CAP, 10, 80]);

/// From the widest to the narrowest.
const LADDER: [Caps; 5] = [
    Caps::of([12, 4, 4, 10, 5, 4, 8, 4, 12, 4, 48]),
    Caps::of([9, 3, 3, 7, 3, 3, 6, 3, 8, 3, 36]),
    Caps::of([7, 2, 2, 5, 2, 2, 4, 2, 6, 2, 28]),
    Caps::of([5, 1, 1, 3, 1, 1, 3, 1, 4, 2, 22]),
    Caps::of([3, 1, 0, 2, 1, 1, 2, 1, 2, 1, 16]),
];

/// Returns the short form, with its own exact size in `token_count`. `extra` is added to it: a
/// comparison, or what was saved.
pub fn answer(fingerprint: &Fingerprint, extra: &[(&str, Value)]) -> Value {
    let made = |caps: &Caps| counted(built(fingerprint, caps, extra));
    // The extra members do not count towards the size of the fingerprint.
    let beside = match extra {
        [] => 0,
        extra => {
            let all = extra.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
            tokens::count(&json::to_text(&Value::Object(all.collect())))
        }
    };
    let whole = built(fingerprint, &ALL, extra);
    let detailed = fingerprint.depth == Depth::Detailed;
    if detailed || whole.to_string().len() <= WHOLE_BYTES + beside * 8 {
        let (whole, size) = counted(whole);
        if detailed || size <= WHOLE + beside {
            return whole;
        }
    }
    let room = SHORT + beside;
    let mut narrowest = Value::Null;
    for caps in &LADDER {
        let (value, size) = made(caps);
        if size <= room {
            // Interactive elements get the room that is left.
            let more = Caps { interactive: caps.interactive + (room - size) / 18, ..*caps };
            let (fuller, size) = made(&more);
            return if size <= room { fuller } else { value };
        }
        narrowest = value;
    }
    narrowest
}

/// Returns a text for a reader: in one line, without characters that are not printed, and cut.
fn bounded(text: &str, limit: usize) -> String {
    escape::bounded(&escape::clean(text), limit)
}

/// Adds the size of the answer to the answer.
fn counted(mut value: Value) -> (Value, usize) {
    value["token_count"] = json!(100);
    let mut size = tokens::count(&json::to_text(&value));
    value["token_count"] = json!(size);
    // A number is one token up to 999.
    if size > 999 {
        size = tokens::count(&json::to_text(&value));
        value["token_count"] = json!(size);
    }
    (value, size)
}

fn built(fingerprint: &Fingerprint, caps: &Caps, extra: &[(&str, Value)]) -> Value {
    let structure = &fingerprint.structure;
    let mut left = Map::new();
    let mut out = Map::new();
    out.insert("url".into(), json!(bounded(&fingerprint.url, 300)));
    out.insert("title".into(), json!(bounded(&fingerprint.title, 120)));
    out.insert("viewport".into(), json!(fingerprint.viewport));
    out.insert("captured_at".into(), json!(fingerprint.captured_at));
    out.insert("status".into(), json!(if fingerprint.loading { "loading" } else { "ready" }));
    if structure.no_landmarks {
        out.insert("no_landmarks".into(), json!(true));
    }
    let mut inner = Map::new();
    inner.insert("landmarks".into(), landmarks(structure, caps, &mut left));
    if fingerprint.depth != Depth::Minimal {
        inner.insert("content".into(), content(structure, caps, &mut left));
        inner.insert("interactive".into(), interactive(structure, caps, &mut left));
        if fingerprint.depth == Depth::Detailed {
            let entry = |text: &PlainText| json!(text.text);
            inner.insert(
                "texts".into(),
                capped(structure.texts.iter(), entry, (ANSWER_CAP, "texts"), &mut left),
            );
        }
    }
    inner.insert("state".into(), state(structure, caps, &mut left));
    if structure.frames > 0 {
        inner.insert("frames".into(), json!(structure.frames));
    }
    out.insert("structure".into(), Value::Object(inner));
    if fingerprint.truncated {
        left.insert("page".into(), json!("larger than what could be looked at"));
    }
    if !left.is_empty() {
        out.insert("truncated".into(), Value::Object(left));
    }
    for (key, value) in extra {
        out.insert((*key).to_owned(), value.clone());
    }
    out.insert("hash".into(), json!(fingerprint.hash));
    Value::Object(out)
}

/// Returns at most `cap` entries and counts the others.
fn capped<T>(
    items: impl Iterator<Item = T>,
    entry: impl Fn(T) -> Value,
    (cap, word): (usize, &str),
    left: &mut Map<String, Value>,
) -> Value {
    let (first, more) = split(items, cap);
    if more > 0 {
        left.insert(word.to_owned(), json!(more));
    }
    first.into_iter().map(entry).collect()
}

/// Returns the first `cap` items and how many more there are. The others are not formatted.
fn split<T>(mut items: impl Iterator<Item = T>, cap: usize) -> (Vec<T>, usize) {
    let first: Vec<T> = items.by_ref().take(cap).collect();
    (first, items.count())
}

fn landmarks(structure: &Structure, caps: &Caps, left: &mut Map<String, Value>) -> Value {
    let mut out = Map::new();
    let shown: Vec<&Landmark> =
        structure.landmarks.iter().filter(|landmark| !landmark.sight.is_hidden()).collect();
    // One of each kind comes before a second one of any kind.
    let mut order: Vec<&Landmark> = shown.clone();
    order.sort_by_key(|landmark| landmark.key.contains(':'));
    let listed: Vec<&str> =
        order.iter().take(caps.landmarks).map(|landmark| landmark.key.as_str()).collect();
    let mut used: HashMap<u32, Vec<&InteractiveElement>> = HashMap::new();
    for element in structure.interactive.iter().filter(|element| !element.sight.is_hidden()) {
        used.entry(nearest(structure, element.place)).or_default().push(element);
    }
    for landmark in shown.iter().filter(|landmark| listed.contains(&landmark.key.as_str())) {
        let mut one = Map::new();
        one.insert("present".into(), json!(true));
        one.insert("contains".into(), json!(contains(structure, landmark, caps)));
        if let Some(used) = used.get(&landmark.place).filter(|_| caps.within > 0) {
            let word =
                |element: &&InteractiveElement| said(&element.kind, &element.text, caps.text);
            one.insert("interactive".into(), json!(shortened(used.iter(), word, caps.within)));
        }
        out.insert(bounded(&landmark.key, caps.text), Value::Object(one));
    }
    if shown.len() > listed.len() {
        left.insert("landmarks".into(), json!(shown.len() - listed.len()));
    }
    for block in structure.blocks.iter().take(caps.landmarks) {
        out.insert(bounded(block, caps.text), json!({"present": true}));
    }
    for host in structure.hosts.iter().take(caps.landmarks) {
        out.insert(format!("shadow:{}", host.tag), json!({"present": true, "count": host.count}));
    }
    Value::Object(out)
}

/// Returns the nearest landmark around a place.
fn nearest(structure: &Structure, place: u32) -> u32 {
    structure.places.get(place as usize).map_or(0, |place| place.landmark)
}

/// Returns what a landmark contains outside of inner landmarks.
fn contains(structure: &Structure, landmark: &Landmark, caps: &Caps) -> Vec<String> {
    let here = |place: u32| nearest(structure, place) == landmark.place;
    let around = |other: &&Landmark| {
        let within = structure.places.get(other.place as usize).map_or(0, |place| place.within);
        !other.sight.is_hidden() && other.place != landmark.place && here(within)
    };
    let mut words = ShortList::new(caps.contains);
    words.add(structure.landmarks.iter().filter(around), |other| bounded(&other.key, caps.text));
    let headings = structure
        .headings
        .iter()
        .filter(|heading| !heading.sight.is_hidden() && here(heading.place));
    words.add(headings, |heading| said("heading", &heading.text, caps.text));
    let forms = structure.forms.iter().filter(|form| here(form.place));
    words.add(forms, |form| said("form", &form.name, caps.text));
    let tables =
        structure.tables.iter().filter(|table| table.sight.is_shown() && here(table.place));
    words.add(tables, |table| format!("table:{}", table.rows));
    let lists = structure.lists.iter().filter(|list| list.sight.is_shown() && here(list.place));
    words.add(lists, |list| format!("list:{}", list.items));
    let images =
        structure.images.iter().filter(|image| image.sight.is_shown() && here(image.place)).count();
    words.add(std::iter::once(images).filter(|images| *images > 0), |images| {
        format!("images:{images}")
    });
    words.end()
}

/// The first words of a list; words that are not printed are not formatted.
struct ShortList {
    cap: usize,
    items: Vec<String>,
    more: usize,
}

impl ShortList {
    fn new(cap: usize) -> ShortList {
        ShortList { cap, items: Vec::new(), more: 0 }
    }

    fn add<T>(&mut self, things: impl Iterator<Item = T>, word: impl Fn(T) -> String) {
        for thing in things {
            if self.items.len() < self.cap { self.items.push(word(thing)) } else { self.more += 1 }
        }
    }

    /// Returns the words, and how many more there are.
    fn end(mut self) -> Vec<String> {
        if self.more > 0 {
            self.items.push(format!("… {} more", self.more));
        }
        self.items
    }
}

/// Returns the words of one kind of entry, up to `cap`.
fn shortened<T>(
    things: impl Iterator<Item = T>,
    word: impl Fn(T) -> String,
    cap: usize,
) -> Vec<String> {
    let mut words = ShortList::new(cap);
    words.add(things, word);
    words.end()
}

fn said(kind: &str, text: &str, limit: usize) -> String {
    if text.is_empty() { kind.to_owned() } else { format!("{kind}:{}", bounded(text, limit)) }
}

fn content(structure: &Structure, caps: &Caps, left: &mut Map<String, Value>) -> Value {
    let headings = structure.headings.iter().filter(|heading| !heading.sight.is_hidden());
    let mut headings: Vec<(usize, &Heading)> = headings.enumerate().collect();
    if headings.len() > caps.headings {
        // The upper levels are the most important.
        left.insert("headings".into(), json!(headings.len() - caps.headings));
        headings.sort_by_key(|(at, heading)| (heading.level, *at));
        headings.truncate(caps.headings);
        headings.sort_by_key(|(at, _)| *at);
    }
    let headings: Vec<Value> = headings
        .into_iter()
        .map(|(_, heading)| json!({"level": heading.level, "text": bounded(&heading.text, caps.text)}))
        .collect();
    let lists = structure.lists.iter().filter(|list| list.sight.is_shown());
    // Lists of links in headers, footers and navigations are listed with their landmarks.
    let telling = lists
        .filter(|list| !matches!(label_kind(structure, list.place), "nav" | "header" | "footer"));
    let entry = |list: &List| {
        let mut one = json!({"selector": list.selector, "items": list.items, "type": list.kind});
        if list.selector == list.kind && !list.name.is_empty() {
            one["name"] = json!(bounded(&list.name, caps.text));
        }
        one
    };
    let lists = capped(telling, entry, (caps.lists, "lists"), left);
    let mut inside: Vec<Vec<&InteractiveElement>> = vec![Vec::new(); structure.forms.len()];
    for element in structure.interactive.iter().filter(|element| !element.sight.is_hidden()) {
        if let Some(form) = element.form.and_then(|form| inside.get_mut(form as usize)) {
            form.push(element);
        }
    }
    let entry = |(form, inside): (&Form, &Vec<&InteractiveElement>)| {
        let words = |button: bool| {
            let wanted = inside
                .iter()
                .filter(|element| is_button(&element.kind) == button && element.kind != "link");
            shortened(wanted, |element| said(&element.kind, &element.text, caps.text), caps.fields)
        };
        json!({"selector": form.selector, "fields": words(false), "buttons": words(true)})
    };
    let forms = capped(structure.forms.iter().zip(&inside), entry, (caps.forms, "forms"), left);
    let entry = |table: &Table| {
        let headers = table.headers.iter().filter(|header| !header.is_empty());
        let headers = shortened(headers, |header| bounded(header, caps.text), caps.fields);
        json!({"selector": table.selector, "rows": table.rows, "columns": table.columns, "headers": headers})
    };
    let tables = structure.tables.iter().filter(|table| table.sight.is_shown());
    let tables = capped(tables, entry, (caps.tables, "tables"), left);
    let images = || structure.images.iter().filter(|image| image.sight.is_shown());
    let with_alt = images().filter(|image| !image.alt.is_empty()).count();
    let broken = images().filter(|image| image.broken).count();
    json!({"headings": headings, "lists": lists, "forms": forms, "tables": tables,
        "images": {"count": images().count(), "with_alt": with_alt, "broken": broken}})
}

pub(crate) fn is_button(kind: &str) -> bool {
    kind == "button"
}

fn label_kind(structure: &Structure, place: u32) -> &str {
    let label = structure
        .places
        .get(nearest(structure, place) as usize)
        .map_or("", |place| place.label.as_str());
    label.split(':').next().unwrap_or_default()
}

fn interactive(structure: &Structure, caps: &Caps, left: &mut Map<String, Value>) -> Value {
    let mut listed: Vec<(usize, &InteractiveElement)> = structure
        .interactive
        .iter()
        .filter(|element| !element.sight.is_hidden())
        .enumerate()
        .collect();
    let hidden = structure.interactive.len() - listed.len();
    if listed.len() > caps.interactive {
        left.insert("interactive".into(), json!(listed.len() - caps.interactive));
        // Visible elements come first, then those in the viewport, and controls before links.
        listed.sort_by_key(|(at, element)| {
            (!element.sight.is_shown(), !element.in_view, element.kind == "link", *at)
        });
        listed.truncate(caps.interactive);
        listed.sort_by_key(|(at, _)| *at);
    }
    if hidden > 0 {
        left.insert("hidden".into(), json!(hidden));
    }
    listed.iter().map(|(_, element)| used(element, caps.text)).collect()
}

fn used(element: &InteractiveElement, limit: usize) -> Value {
    let mut out = Map::new();
    out.insert("type".into(), json!(element.kind));
    let field = element.filled.is_some();
    out.insert(if field { "label" } else { "text" }.into(), json!(bounded(&element.text, limit)));
    let link = element.kind == "link";
    let visible = !matches!(element.sight, Sight::Transparent | Sight::CutOff | Sight::Waiting);
    if !link || !visible {
        out.insert("visible".into(), json!(visible));
    }
    if !(link || field) || element.disabled {
        out.insert("enabled".into(), json!(!element.disabled));
    }
    if let Some(href) = &element.href {
        out.insert("href".into(), json!(bounded(href, limit)));
    }
    if let Some(filled) = element.filled {
        out.insert("value".into(), json!(if filled { "[has value]" } else { "" }));
    }
    match &element.sight {
        Sight::Covered(cover) => {
            drop(out.insert("covered_by".into(), json!(bounded(cover, limit))))
        }
        Sight::Unclickable => drop(out.insert("clickable".into(), json!(false))),
        _ => {}
    }
    Value::Object(out)
}

fn state(structure: &Structure, caps: &Caps, left: &mut Map<String, Value>) -> Value {
    let state = &structure.state;
    let mut signs_of = |word: &str, signs: &[Sign]| {
        let one = |sign: &Sign| json!({"selector": sign.selector, "text": bounded(&sign.text, caps.text.max(40))});
        capped(signs.iter(), one, (caps.signs, word), left)
    };
    json!({
        "error_elements": signs_of("error_elements", &state.error_elements),
        "loading_indicators": signs_of("loading_indicators", &state.loading_indicators),
        "empty_states": signs_of("empty_states", &state.empty_states),
        "modals_open": signs_of("modals_open", &state.modals_open),
        "notifications": signs_of("notifications", &state.notifications),
    })
}
