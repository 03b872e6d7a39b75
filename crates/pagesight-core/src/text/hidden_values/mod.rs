//! Values that must not be printed or saved: [`HiddenValues`] replaces them by their names in every
//! text that comes from a page, also where they are encoded for an address, HTML or JSON, or spread
//! over several texts.

pub(crate) mod across;
mod encodings;
mod folding;

use serde_json::Value;

use super::lists;
use crate::page::role::Role;
use crate::text::address::parts;
use encodings::{Decoded, Ending, end_of};
use folding::{Folded, folded_value};

/// Shorter values look like ordinary words and are not hidden.
const SHORTEST: usize = 4;
/// How often a value may be encoded again, such as HTML in an address in JSON.
const MOST_LEVELS: usize = 3;
/// Shorter values are found only where no white space is between their characters.
const SHORTEST_SPREAD: usize = 6;
/// Texts of at least this length may have been cut without a mark.
const MAY_BE_CUT: usize = 60;

/// Members of answers of the page script whose values are words of the script, not of the page.
const WORD_MEMBERS: &str = "coverRole doc error key kind patch reason role root same state way";

/// Names and values that are hidden, the longest value first, because a value may contain a shorter
/// one. A value is printed as `${NAME}`.
#[derive(Clone, Default)]
pub struct HiddenValues(Vec<HiddenValue>);

#[derive(Clone)]
struct HiddenValue {
    name: String,
    value: String,
    /// The form in which it is searched.
    folded: Vec<char>,
}

impl HiddenValue {
    /// Whether it may have been found in this part of a text. White space in a short value counts.
    fn may_be(&self, found: &str) -> bool {
        let has_space = self.folded.contains(&' ');
        self.folded.len() >= SHORTEST_SPREAD
            || has_space && found.chars().count() >= self.folded.len()
            || !has_space && !found.contains(char::is_whitespace)
    }
}

impl std::fmt::Debug for HiddenValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|hidden| &hidden.name)).finish()
    }
}

impl HiddenValues {
    /// Adds a value. The password of an address is a secret without the address, too.
    pub fn add(&mut self, name: &str, value: &str) {
        let login = parts(value).and_then(|(_, authority, _)| authority.rsplit_once('@'));
        let login = login.map(|(login, _)| login);
        let password = login.map(|login| login.split_once(':').map_or(login, |(_, word)| word));
        for value in password.into_iter().chain([value]) {
            let folded = folded_value(value);
            let known = self.0.iter().any(|known| known.folded == folded);
            let length: usize = folded.iter().copied().map(char::len_utf8).sum();
            if length >= SHORTEST && !known {
                let (name, value) = (name.to_owned(), value.to_owned());
                self.0.push(HiddenValue { name, value, folded });
            }
        }
        self.0.sort_by_key(|hidden| std::cmp::Reverse(hidden.folded.len()));
    }

    /// Adds all values of another list.
    pub fn extend(&mut self, other: &HiddenValues) {
        for hidden in &other.0 {
            self.add(&hidden.name, &hidden.value);
        }
    }

    /// Returns the list without values that are addresses or paths.
    pub fn without_addresses(&self) -> HiddenValues {
        let is_address = |value: &str| value.contains("://") || value.starts_with('/');
        let stays = |hidden: &&HiddenValue| !is_address(&hidden.value);
        HiddenValues(self.0.iter().filter(stays).cloned().collect())
    }

    /// Reports whether there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reports whether a text contains the name of a value in the place of the value.
    pub fn is_hidden_in(&self, text: &str) -> bool {
        self.0.iter().any(|hidden| text.contains(&shown(&hidden.name)))
    }

    /// Replaces the values in a text by their names, also where the text was cut within a value.
    pub fn hide(&self, text: String) -> String {
        self.hidden(&text).unwrap_or(text)
    }

    /// Returns a text without the values; `None` if there are none in it.
    pub fn hidden(&self, text: &str) -> Option<String> {
        self.hidden_in(text, false)
    }

    /// `cut`: the end of the text counts as a cut.
    fn hidden_in(&self, text: &str, cut: bool) -> Option<String> {
        let (mut out, mut copied) = (String::new(), 0);
        for (start, end, name) in self.places(text, cut) {
            out.push_str(&text[copied..start]);
            out.push_str(&shown(name));
            copied = end;
        }
        (copied > 0).then(|| out + &text[copied..])
    }

    /// Returns where the values are in a text, however often it is encoded, with their names.
    fn places(&self, text: &str, cut: bool) -> Vec<(usize, usize, &str)> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut found = self.found(text, cut);
        let mut decoded: Option<Decoded> = None;
        for _ in 0..MOST_LEVELS {
            let encoded = decoded.as_ref().map_or(text, |decoded| &decoded.text);
            let Some(next) = Decoded::of(encoded, decoded.as_ref()) else { break };
            let mut more = Vec::new();
            for (start, end, name) in self.found(&next.text, cut) {
                let (start, end) = next.original(start, end);
                // `found` is in order, and its parts do not overlap.
                let at = found.partition_point(|(_, last, _)| *last <= start);
                if found.get(at).is_none_or(|(other, _, _)| end <= *other) {
                    more.push((start, end, name));
                }
            }
            found.extend(more);
            found.sort_unstable();
            decoded = Some(next);
        }
        found
    }

    /// Returns where the values are, with their names.
    fn found(&self, text: &str, cut: bool) -> Vec<(usize, usize, &str)> {
        let folded = Folded::of(text);
        let (mut found, mut at) = (Vec::new(), 0);
        while at < folded.text.len() {
            let here = self.0.iter().find_map(|hidden| {
                let end = match end_of(&hidden.folded, &folded.text[at..])? {
                    Ending::Whole(end) => end,
                    Ending::Cut { end, shown } if shown >= SHORTEST => end,
                    Ending::AtTheEnd { shown } if cut && shown >= SHORTEST => {
                        folded.text.len() - at
                    }
                    Ending::Cut { .. } | Ending::AtTheEnd { .. } => return None,
                };
                let (start, last) = folded.original(text, at, at + end);
                hidden.may_be(&text[start..last]).then(|| (at + end, (start, last, &*hidden.name)))
            });
            at = match here {
                Some((end, _)) => end,
                None => at + folded.text[at..].chars().next().map_or(1, char::len_utf8),
            };
            found.extend(here.map(|(_, place)| place));
        }
        found
    }

    /// Hides the values in an answer of the page script; everything else stays byte for byte. Words
    /// of the script itself stay, so that no value can break an answer. Returns `None` if there are
    /// no values in it.
    pub fn hidden_in_answer(&self, json: &str) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let (mut out, mut copied) = (String::new(), 0);
        let mut is_word_next = false;
        for (start, end) in strings(json) {
            let written = &json[start..end];
            let is_key = json[end + 1..].trim_start().starts_with(':');
            let is_word = match is_key {
                true => written.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_'),
                false => is_word_next || Role::parse(written) != Role::None,
            };
            is_word_next = is_key && lists(WORD_MEMBERS, written);
            if is_word {
                continue;
            }
            let parsed = written.contains('\\').then(|| format!("\"{written}\""));
            let parsed = parsed.and_then(|quoted| serde_json::from_str::<String>(&quoted).ok());
            let hidden = match &parsed {
                Some(text) => self.hidden_in(text, text.len() >= MAY_BE_CUT),
                // Nothing is escaped, or it is not valid Unicode: then escapes are read as such.
                None => self.hidden_in(written, written.len() >= MAY_BE_CUT),
            };
            let Some(hidden) = hidden else { continue };
            out.push_str(&json[copied..start]);
            match parsed {
                Some(_) => {
                    let quoted = Value::String(hidden).to_string();
                    out.push_str(&quoted[1..quoted.len() - 1]);
                }
                None => out.push_str(&hidden),
            }
            copied = end;
        }
        (copied > 0).then(|| out + &json[copied..])
    }

    /// Hides the values in the strings of a JSON value, not in its keys and numbers.
    pub fn hide_in_strings(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.hide(std::mem::take(text)),
            Value::Array(values) => values.iter_mut().for_each(|value| self.hide_in_strings(value)),
            Value::Object(members) => {
                members.values_mut().for_each(|value| self.hide_in_strings(value));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Hides the values in a JSON value of the page: in strings, numbers and keys.
    pub fn hide_in_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.hide(std::mem::take(text)),
            Value::Number(number) => {
                if let Some(hidden) = self.hidden(&number.to_string()) {
                    *value = Value::String(hidden);
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.hide_in_value(value)),
            Value::Object(members) => {
                let old = std::mem::take(members);
                members.extend(old.into_iter().map(|(key, mut value)| {
                    self.hide_in_value(&mut value);
                    (self.hide(key), value)
                }));
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

/// Returns what is printed instead of a value.
fn shown(name: &str) -> String {
    format!("${{{name}}}")
}

/// Returns where the contents of the strings of serialized JSON begin and end.
fn strings(json: &str) -> impl Iterator<Item = (usize, usize)> {
    let bytes = json.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes.get(at..)?.iter().position(|byte| *byte == b'"')? + 1;
        let mut end = start;
        while *bytes.get(end)? != b'"' {
            // In JSON, each backslash has a character after it.
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        at = end + 1;
        Some((start, end))
    })
}

#[cfg(test)]
mod tests;
