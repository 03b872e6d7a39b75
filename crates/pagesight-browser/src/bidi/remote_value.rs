//! Values of the page as BiDi serializes them, each wrapped in its type, and their conversion to
//! plain JSON. Pure.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::engine::console::quoted;
use crate::wire::json;

/// How deep objects are followed; deeper values become null.
pub(crate) const DEPTH: u32 = 32;

/// A value of the page.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemoteValue {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    value: Option<Box<RawValue>>,
    /// The same for every occurrence of one object; only one occurrence has the value.
    internal_id: Option<String>,
    /// Of a node: its id in every realm of its document.
    pub(crate) shared_id: Option<String>,
}

impl RemoteValue {
    /// The text of a string.
    pub(crate) fn text(&self) -> Option<String> {
        let raw = self.value.as_ref().filter(|_| self.kind == "string")?;
        json::decode(raw).ok()
    }

    /// The items of an array; empty if one of them cannot be read.
    pub(crate) fn items<T: serde::de::DeserializeOwned>(&self) -> Vec<T> {
        part(self.value.as_deref().filter(|_| self.kind == "array"))
    }

    /// The frames of an array of windows, in order; `None` for an item that is not a window.
    pub(crate) fn frames(&self) -> Vec<Option<String>> {
        #[derive(Deserialize)]
        struct Window {
            context: String,
        }
        let items: Vec<RemoteValue> = self.items();
        let frame = |item: &RemoteValue| {
            let raw = item.value.as_ref().filter(|_| item.kind == "window")?;
            json::decode(raw).ok().map(|Window { context }| context)
        };
        items.iter().map(frame).collect()
    }

    /// The value as the console shows it, in a short form: `{a: 1, b: "x", …}`.
    pub(crate) fn short(&self) -> String {
        self.short_at(0)
    }

    fn short_at(&self, depth: u8) -> String {
        const MEMBERS: usize = 5;
        const TEXT: usize = 100;
        let raw = self.value.as_deref();
        match self.kind.as_str() {
            "string" => {
                let text = self.text().unwrap_or_default();
                match depth {
                    0 => cut(&text, 2_000),
                    _ => quoted(&cut(&text, TEXT)),
                }
            }
            "number" | "boolean" | "date" => {
                raw.map_or("null", RawValue::get).trim_matches('"').to_owned()
            }
            "bigint" => format!("{}n", raw.map_or("0", RawValue::get).trim_matches('"')),
            "array" | "set" if depth < 2 && raw.is_some() => {
                let items: Vec<RemoteValue> = part(raw);
                let some = items.iter().take(MEMBERS * 4).map(|item| item.short_at(depth + 1));
                let mut shown: Vec<String> = some.collect();
                if items.len() > shown.len() {
                    shown.push("…".to_owned());
                }
                format!("[{}]", shown.join(", "))
            }
            "object" if depth < 2 && raw.is_some() => {
                let pairs: Vec<(Box<RawValue>, RemoteValue)> = part(raw);
                let mut shown: Vec<String> = pairs
                    .iter()
                    .take(MEMBERS)
                    .map(|(name, value)| {
                        let name: String = json::decode(name).unwrap_or_else(|_| "?".to_owned());
                        format!("{name}: {}", value.short_at(depth + 1))
                    })
                    .collect();
                if pairs.len() > shown.len() {
                    shown.push("…".to_owned());
                }
                format!("{{{}}}", shown.join(", "))
            }
            other => other.to_owned(),
        }
    }

    /// The value as `JSON.stringify` writes it, but big integers as text; `None` if an object
    /// contains itself.
    pub(crate) fn json(&self) -> Option<String> {
        JsonReader::default().read(self)
    }
}

#[derive(Default)]
struct JsonReader {
    /// Objects that were read already; `None` while they are being read.
    known: HashMap<String, Option<String>>,
}

impl JsonReader {
    fn read(&mut self, remote: &RemoteValue) -> Option<String> {
        let Some(id) = &remote.internal_id else { return self.value_of(remote) };
        if remote.value.is_none()
            && let Some(known) = self.known.get(id)
        {
            return known.clone();
        }
        self.known.insert(id.clone(), None);
        let value = self.value_of(remote)?;
        self.known.insert(id.clone(), Some(value.clone()));
        Some(value)
    }

    fn value_of(&mut self, remote: &RemoteValue) -> Option<String> {
        let raw = remote.value.as_deref();
        Some(match remote.kind.as_str() {
            "string" | "boolean" | "bigint" | "date" => {
                json::plain(raw.map_or("null", RawValue::get))
            }
            "number" => match raw.map_or("null", RawValue::get) {
                "\"-0\"" => "0".to_owned(),
                // "NaN", "Infinity" and "-Infinity" have no JSON form.
                special if special.starts_with('"') => "null".to_owned(),
                number => number.to_owned(),
            },
            "array" => {
                let items: Vec<RemoteValue> = part(raw);
                let items: Option<Vec<String>> = items.iter().map(|item| self.read(item)).collect();
                format!("[{}]", items?.join(","))
            }
            "object" => {
                let pairs: Vec<(Box<RawValue>, RemoteValue)> = part(raw);
                let mut members = Vec::new();
                for (name, inner) in &pairs {
                    let absent = matches!(inner.kind.as_str(), "undefined" | "function" | "symbol");
                    if name.get().starts_with('"') && !absent {
                        members.push(format!("{}:{}", json::plain(name.get()), self.read(inner)?));
                    }
                }
                format!("{{{}}}", members.join(","))
            }
            "null" | "undefined" | "function" | "symbol" => "null".to_owned(),
            // Nodes, windows, maps, errors and the like have no properties of their own.
            _ => "{}".to_owned(),
        })
    }
}

/// Cuts a text; `…` says that it was cut, so that the start of a secret is recognised as such.
fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn part<T: serde::de::DeserializeOwned + Default>(raw: Option<&RawValue>) -> T {
    raw.and_then(|raw| json::decode(raw).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, expected: Option<&str>) {
        let remote: RemoteValue = serde_json::from_str(given).unwrap();
        assert_eq!(remote.json().as_deref(), expected, "{given}");
    }

    #[test]
    fn plain_values() {
        check(r#"{"type":"undefined"}"#, Some("null"));
        check(r#"{"type":"number","value":1.5}"#, Some("1.5"));
        check(r#"{"type":"number","value":"NaN"}"#, Some("null"));
        check(r#"{"type":"number","value":"-0"}"#, Some("0"));
        check(r#"{"type":"bigint","value":"12"}"#, Some("\"12\""));
        check(r#"{"type":"string","value":"a\ud83d"}"#, Some("\"a\u{fffd}\""));
        check(r#"{"type":"node","sharedId":"x","value":{"nodeType":1}}"#, Some("{}"));
    }

    #[test]
    fn windows() {
        let list = r#"{"type":"array","value":[{"type":"window","value":{"context":"a"}},{"type":"null"}]}"#;
        let remote: RemoteValue = serde_json::from_str(list).unwrap();
        assert_eq!(remote.frames(), [Some("a".to_owned()), None]);
    }

    #[test]
    fn objects() {
        let inner =
            r#"["a",{"type":"array","value":[{"type":"number","value":1},{"type":"undefined"}]}]"#;
        let object =
            format!(r#"{{"type":"object","value":[["u",{{"type":"undefined"}}],{inner}]}}"#);
        check(&object, Some(r#"{"a":[1,null]}"#));
        check(r#"{"type":"object"}"#, Some("{}"));
        let order = r#"{"type":"object","value":[["b",{"type":"null"}],["a",{"type":"boolean","value":true}]]}"#;
        check(order, Some(r#"{"b":null,"a":true}"#));
        let twice = r#"{"type":"array","value":[{"type":"object","internalId":"1","value":[]},{"type":"object","internalId":"1"}]}"#;
        check(twice, Some("[{},{}]"));
        let cycle = r#"{"type":"object","internalId":"1","value":[["self",{"type":"object","internalId":"1"}]]}"#;
        check(cycle, None);
    }

    #[test]
    fn cut_texts_end_with_a_mark() {
        let short = |length: usize| {
            let text = format!(r#"{{"type":"string","value":"{}"}}"#, "x".repeat(length));
            let object = format!(r#"{{"type":"object","value":[["a",{text}]]}}"#);
            let parse = |text: &str| serde_json::from_str::<RemoteValue>(text).unwrap().short();
            (parse(&text), parse(&object))
        };
        let x = |count: usize| "x".repeat(count);
        assert_eq!(short(100), (x(100), format!("{{a: \"{}\"}}", x(100))));
        assert_eq!(short(2_000), (x(2_000), format!("{{a: \"{}…\"}}", x(100))));
        assert_eq!(short(2_001).0, format!("{}…", x(2_000)));
    }
}
