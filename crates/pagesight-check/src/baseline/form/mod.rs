//! The file format of baselines, made for reviews: one fact per line, in the order of the page,
//! with names instead of indices, and without values that change on their own (time, host,
//! geometry, total hash). Reading returns the fingerprint without those values.

use std::collections::HashMap;
use std::io;

use pagesight_core::fingerprint::{
    AUDIT_VERSION, FINGERPRINT_VERSION, Fingerprint, Form, LAYOUT_VERSION, List, Region, Size,
    Structure,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The version of the file format.
const VERSION: u64 = 1;
/// Parts with versions of their own, and the lists of their rows.
const PARTS: [(&str, &str); 2] = [("layout", "boxes"), ("audit", "violations")];
/// Separates a region from its contents.
pub(super) const IN: &str = " > ";

/// Why a text is not a baseline.
#[derive(Debug, PartialEq)]
pub(crate) enum FormError {
    /// It is damaged, or not a baseline at all.
    Damaged(String),
    /// A newer pagesight wrote it.
    Newer(u64),
}

pub(crate) fn write(
    page: &str,
    browser: &str,
    fingerprint: &Fingerprint,
) -> Result<String, serde_json::Error> {
    let structure = &fingerprint.structure;
    let mut lists = serde_json::to_value(structure)?;
    let state = lists["state"].take();
    let mut out = String::from("{\n");
    let size = fingerprint.viewport;
    let mut head = json!({
        "pagesight_check": VERSION,
        "fingerprint": fingerprint.version,
        "page": page,
        "browser": browser,
        "viewport": format!("{}x{}", size.width, size.height),
        "scope": fingerprint.scope,
        "depth": fingerprint.depth,
        "route": fingerprint.route,
        "title": fingerprint.title,
    });
    for (key, there) in [
        ("loading", fingerprint.loading),
        ("truncated", fingerprint.truncated),
        ("no_landmarks", structure.no_landmarks),
        ("has_limits", structure.has_limits),
    ] {
        if there {
            head[key] = json!(true);
        }
    }
    // Parts with versions of their own; their rows are written below.
    for (key, rows) in PARTS {
        if let Value::Object(part) = &lists[key] {
            let fields = part.iter().filter(|(name, _)| *name != rows);
            let fields = fields.map(|(name, value)| (name.clone(), value.clone()));
            head[key] = Value::Object(fields.collect());
        }
    }
    if structure.frames > 0 {
        head["frames"] = json!(structure.frames);
    }
    let mut parts: Vec<String> = Vec::new();
    for (key, value) in head.as_object().into_iter().flatten() {
        parts.push(format!("  {}: {}", json!(key), spaced(value)?));
    }
    let words = IndexNames::of(structure);
    let rows: Vec<Value> = structure
        .places
        .iter()
        .enumerate()
        .skip(1)
        .map(|(at, _)| words.place(structure, at))
        .collect();
    parts.extend(block("places", &rows)?);
    let mut rows_of_parts = Vec::new();
    for (key, name) in PARTS {
        let rows = lists[key][name].as_array();
        let rows: Vec<Value> = rows.into_iter().flatten().map(|row| words.named(row)).collect();
        rows_of_parts.extend(block(name, &rows)?);
    }
    let lists =
        lists.as_object().into_iter().flatten().chain(state.as_object().into_iter().flatten());
    for (key, value) in lists {
        let Value::Array(rows) = value else { continue };
        if key == "places" || key == "blocks" {
            continue;
        }
        if key == "numbers" && rows.is_empty() {
            // They were read, and there are none.
            parts.push("  \"numbers\": []".to_owned());
        }
        let rows: Vec<Value> = rows.iter().map(|row| words.named(row)).collect();
        parts.extend(block(key, &rows)?);
    }
    parts.extend(rows_of_parts);
    out.push_str(&parts.join(",\n"));
    out.push_str("\n}\n");
    Ok(out)
}

pub(crate) fn read(text: &str) -> Result<Fingerprint, FormError> {
    let damaged = |why: &str| FormError::Damaged(why.to_owned());
    let whole: Value =
        serde_json::from_str(text).map_err(|error| FormError::Damaged(error.to_string()))?;
    let version = whole["pagesight_check"]
        .as_u64()
        .ok_or_else(|| damaged("it is not a baseline of a check"))?;
    if version > VERSION {
        return Err(FormError::Newer(version));
    }
    let made_by = whole["fingerprint"].as_u64().ok_or_else(|| damaged("it has no version"))?;
    if made_by > u64::from(FINGERPRINT_VERSION) {
        return Err(FormError::Newer(made_by));
    }
    let word = |key: &str| {
        whole[key].as_str().map(str::to_owned).ok_or_else(|| damaged(&format!("it has no {key}")))
    };
    let viewport = word("viewport")?;
    let viewport = viewport
        .split_once('x')
        .and_then(|(w, h)| Some(Size { width: w.parse().ok()?, height: h.parse().ok()? }));
    let yes = |key: &str| whole[key] == Value::Bool(true);
    let parse = |value: Value| {
        serde_json::from_value::<Structure>(value)
            .map_err(|error| FormError::Damaged(error.to_string()))
    };
    let rows = |key: &str| whole[key].as_array().cloned().unwrap_or_default();

    let mut structure = Structure {
        places: read_places(&rows("places")).map_err(|why| damaged(&why))?,
        ..Structure::default()
    };
    let mut words = IndexNames {
        places: NameTable::new(place_words(&structure.places)),
        ..IndexNames::default()
    };
    // Other entries refer to lists and forms by name, so these are read first.
    let some = |words: &IndexNames, keys: &[&str]| -> Result<Map<String, Value>, FormError> {
        let mut out = Map::new();
        for key in keys {
            let rows =
                rows(key).iter().map(|row| words.numbered(row)).collect::<Result<Vec<_>, _>>();
            out.insert(
                (*key).to_owned(),
                Value::Array(rows.map_err(|why| damaged(&format!("{key}: {why}")))?),
            );
        }
        Ok(out)
    };
    let first = parse(Value::Object(some(&words, &["lists", "forms"])?))?;
    (structure.lists, structure.forms) = (first.lists, first.forms);
    words.lists = NameTable::new(list_words(&structure.lists, &words.places.words));
    words.forms = NameTable::new(form_words(&structure.forms, &words.places.words));
    let mut rest = some(
        &words,
        &["landmarks", "hosts", "headings", "tables", "images", "interactive", "texts", "exact"],
    )?;
    // An older baseline has no numbers, which is not the same as an empty list.
    if whole["numbers"].is_array() {
        rest.append(&mut some(&words, &["numbers"])?);
    }
    for (key, name) in PARTS {
        let Value::Object(part) = &whole[key] else { continue };
        let known = if key == "layout" { LAYOUT_VERSION } else { AUDIT_VERSION };
        match part.get("version").and_then(Value::as_u64) {
            Some(version) if version > known.into() => return Err(FormError::Newer(version)),
            Some(_) => {}
            None => return Err(damaged(&format!("{key} has no version"))),
        }
        let mut part = part.clone();
        part.append(&mut some(&words, &[name])?);
        rest.insert(key.to_owned(), Value::Object(part));
    }
    let signs =
        ["error_elements", "loading_indicators", "empty_states", "modals_open", "notifications"];
    rest.insert("state".to_owned(), Value::Object(some(&words, &signs)?));
    let rest = parse(Value::Object(rest))?;
    let structure = Structure {
        places: structure.places,
        lists: structure.lists,
        forms: structure.forms,
        no_landmarks: yes("no_landmarks"),
        has_limits: yes("has_limits"),
        frames: whole["frames"].as_u64().unwrap_or_default() as u32,
        ..rest
    };
    Ok(Fingerprint {
        version: made_by as u32,
        url: word("route")?,
        route: word("route")?,
        title: word("title")?,
        viewport: viewport.ok_or_else(|| damaged("its viewport is not valid"))?,
        scope: word("scope")?,
        depth: serde_json::from_value(whole["depth"].clone())
            .map_err(|error| damaged(&error.to_string()))?,
        loading: yes("loading"),
        truncated: yes("truncated"),
        structure,
        ..Fingerprint::default()
    })
}

/// The names that stand for indices in the file.
#[derive(Default)]
struct IndexNames {
    places: NameTable,
    forms: NameTable,
    lists: NameTable,
}

/// The names of one list of entries, with the position of each name.
#[derive(Default)]
struct NameTable {
    words: Vec<String>,
    places: HashMap<String, usize>,
}

impl NameTable {
    fn new(words: Vec<String>) -> NameTable {
        // The first of equal names counts. Only a file edited by hand has equal names.
        let places = words.iter().enumerate().rev().map(|(at, word)| (word.clone(), at)).collect();
        NameTable { words, places }
    }

    fn get(&self, at: usize) -> Option<&String> {
        self.words.get(at)
    }
}

impl IndexNames {
    fn of(structure: &Structure) -> IndexNames {
        let places = place_words(&structure.places);
        let (forms, lists) =
            (form_words(&structure.forms, &places), list_words(&structure.lists, &places));
        IndexNames {
            places: NameTable::new(places),
            forms: NameTable::new(forms),
            lists: NameTable::new(lists),
        }
    }

    /// Returns the line of a place: its name, or all its fields if the name alone would be parsed
    /// differently.
    fn place(&self, structure: &Structure, at: usize) -> Value {
        let place = &structure.places[at];
        let word = &self.places.words[at];
        let own = place.landmark == at as u32;
        let before = |word: &str| {
            self.places.places.get(word).copied().filter(|place| (1..at).contains(place))
        };
        let (within, label) = taken_apart(word, before);
        if (within as u32, label.as_str()) == (place.within, place.label.as_str()) {
            return if own { json!([word, "landmark"]) } else { json!(word) };
        }
        let around = self.places.get(place.within as usize);
        json!({ "place": word, "label": place.label, "in": around, "landmark": own })
    }

    /// Replaces the indices of a row by names.
    fn named(&self, row: &Value) -> Value {
        let Value::Object(fields) = row else { return row.clone() };
        let mut out = Map::new();
        for (key, value) in fields {
            let index = value.as_u64().map(|index| index as usize);
            match (key.as_str(), index) {
                ("in_view", _) => {}
                ("place", Some(0)) => {}
                ("place", Some(at)) => {
                    drop(out.insert("in".to_owned(), json!(self.places.get(at))))
                }
                ("form", Some(at)) => {
                    drop(out.insert("form".to_owned(), json!(self.forms.get(at))))
                }
                ("list", Some(at)) => {
                    drop(out.insert("list".to_owned(), json!(self.lists.get(at))))
                }
                _ => drop(out.insert(key.clone(), value.clone())),
            }
        }
        Value::Object(out)
    }

    /// Replaces the names of a row by indices.
    fn numbered(&self, row: &Value) -> Result<Value, String> {
        let Value::Object(fields) = row else { return Ok(row.clone()) };
        let mut out = Map::new();
        // Hosts have no place; for them the extra field is ignored.
        out.insert("place".to_owned(), json!(0));
        for (key, value) in fields {
            let known = match key.as_str() {
                "in" => Some(("place", &self.places)),
                "form" => Some(("form", &self.forms)),
                "list" => Some(("list", &self.lists)),
                _ => None,
            };
            match (known, value.as_str()) {
                (Some((key, known)), Some(word)) => {
                    let index = known.places.get(word);
                    let index = index.ok_or_else(|| format!("there is no {word:?} in the file"))?;
                    out.insert(key.to_owned(), json!(index));
                }
                _ => drop(out.insert(key.clone(), value.clone())),
            }
        }
        Ok(Value::Object(out))
    }
}

fn read_places(rows: &[Value]) -> Result<Vec<Region>, String> {
    let mut places = vec![Region::default()];
    // The position of each name. The first place is the whole page and has no name.
    let mut known: HashMap<String, usize> = HashMap::new();
    for row in rows {
        let (word, own) = match row {
            Value::String(word) => (word.as_str(), false),
            Value::Array(pair) => {
                (pair.first().and_then(Value::as_str).ok_or("a place has no name")?, true)
            }
            whole => {
                (whole["place"].as_str().ok_or("a place has no name")?, whole["landmark"] == true)
            }
        };
        let (within, label) = match (row["label"].as_str(), row["in"].as_str()) {
            (Some(label), Some(around)) => {
                let within = if around.is_empty() { Some(0) } else { known.get(around).copied() };
                (
                    within.ok_or_else(|| format!("there is no {around:?} around {label:?}"))?,
                    label.to_owned(),
                )
            }
            _ => taken_apart(word, |word| known.get(word).copied()),
        };
        let landmark = if own { places.len() as u32 } else { places[within].landmark };
        known.entry(word.to_owned()).or_insert(places.len());
        places.push(Region { label, within: within as u32, landmark });
    }
    Ok(places)
}

/// Returns the names of all places: the name of the place around it, then its own label. Equal
/// names are numbered.
fn place_words(places: &[Region]) -> Vec<String> {
    let mut words: Vec<String> = Vec::with_capacity(places.len());
    let mut used = HashMap::new();
    for (at, place) in places.iter().enumerate() {
        let word = match (at, words.get(place.within as usize)) {
            (0, _) => String::new(),
            (_, Some(around)) if !around.is_empty() => format!("{around}{IN}{}", place.label),
            _ => place.label.clone(),
        };
        words.push(unique(&mut used, word));
    }
    words
}

fn form_words(forms: &[Form], places: &[String]) -> Vec<String> {
    let of = |form: &Form| {
        (form.place, if form.name.is_empty() { form.selector.clone() } else { form.name.clone() })
    };
    things(forms.iter().map(of), places)
}

fn list_words(lists: &[List], places: &[String]) -> Vec<String> {
    let of = |list: &List| {
        (list.place, if list.name.is_empty() { list.selector.clone() } else { list.name.clone() })
    };
    things(lists.iter().map(of), places)
}

fn things(all: impl Iterator<Item = (u32, String)>, places: &[String]) -> Vec<String> {
    let mut used = HashMap::new();
    let word = |(place, name): (u32, String)| match places.get(place as usize) {
        Some(around) if !around.is_empty() => format!("{around}{IN}{name}"),
        _ => name,
    };
    all.map(|thing| unique(&mut used, word(thing))).collect()
}

/// Returns the word itself the first time, then `word #2`, `word #3`, …; `used` has the last number
/// of each.
fn unique(used: &mut HashMap<String, usize>, word: String) -> String {
    let Some(mut number) = used.get(&word).copied() else {
        used.insert(word.clone(), 1);
        return word;
    };
    loop {
        number += 1;
        let wanted = format!("{word} #{number}");
        if !used.contains_key(&wanted) {
            used.insert(wanted.clone(), 1);
            used.insert(word, number);
            return wanted;
        }
    }
}

/// Splits a name into the place around it and its label; `known` finds an earlier place by its
/// name.
fn taken_apart(word: &str, known: impl Fn(&str) -> Option<usize>) -> (usize, String) {
    // The longest known prefix is the nearest place.
    let around = word.rmatch_indices(IN).find_map(|(end, _)| Some((known(&word[..end])?, end)));
    let (within, rest) = match around {
        Some((at, end)) => (at, &word[end + IN.len()..]),
        None => (0, word),
    };
    let label = match rest.rsplit_once(" #") {
        Some((label, number))
            if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            label
        }
        _ => rest,
    };
    (within, label.to_owned())
}

fn block(key: &str, rows: &[Value]) -> Result<Option<String>, serde_json::Error> {
    if rows.is_empty() {
        return Ok(None);
    }
    let lines = rows
        .iter()
        .map(|row| Ok(format!("    {}", spaced(row)?)))
        .collect::<Result<Vec<_>, serde_json::Error>>()?;
    Ok(Some(format!("  {}: [\n{}\n  ]", json!(key), lines.join(",\n"))))
}

/// Returns a value in one line, with a space after each comma and colon.
fn spaced(value: &Value) -> Result<String, serde_json::Error> {
    struct SpacedFormatter;
    impl serde_json::ser::Formatter for SpacedFormatter {
        fn begin_array_value<W: ?Sized + io::Write>(
            &mut self,
            writer: &mut W,
            first: bool,
        ) -> io::Result<()> {
            writer.write_all(if first { b"" } else { b", " })
        }
        fn begin_object_key<W: ?Sized + io::Write>(
            &mut self,
            writer: &mut W,
            first: bool,
        ) -> io::Result<()> {
            writer.write_all(if first { b"" } else { b", " })
        }
        fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
            writer.write_all(b": ")
        }
    }
    let mut out = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, SpacedFormatter))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests;
