//! Puts the entry into a JSON configuration without disturbing a byte of the rest.

use std::collections::HashMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::{Agent, InstallError, NAME};

/// The entry, on top of what the user may have added to an older one.
fn entry(
    agent: Agent,
    old: Option<Map<String, Value>>,
    command: &str,
    args: &[String],
) -> Map<String, Value> {
    let mut entry = old.unwrap_or_default();
    // An entry has one transport; these belong to the others.
    for other in ["url", "httpUrl", "serverUrl", "headers"] {
        entry.shift_remove(other);
    }
    if agent.wants_type() {
        entry.insert("type".to_owned(), json!("stdio"));
    } else {
        entry.shift_remove("type");
    }
    entry.insert("command".to_owned(), json!(command));
    entry.insert("args".to_owned(), json!(args));
    entry
}

/// The members of a JSON object as they stand in the text.
type Members<'a> = HashMap<String, &'a RawValue>;

/// Only the entry's own text is made anew: through a parser and back, the rest would be re-indented
/// and its numbers rounded.
pub(super) fn with_json_entry(
    agent: Agent,
    text: &str,
    command: &str,
    args: &[String],
) -> Result<String, InstallError> {
    let key = agent.key();
    let style = Style::of(text);
    let fresh = || Value::Object(entry(agent, None, command, args));
    if text.trim().is_empty() {
        return Ok(style.pretty(&json!({ key: { NAME: fresh() } }), 0) + style.newline);
    }
    if let Err(error) = serde_json::from_str::<&RawValue>(text) {
        return Err(if serde_json::from_str::<Value>(&without_comments(text)).is_ok() {
            InstallError::Comments { key, entry: fresh().to_string() }
        } else {
            InstallError::Syntax { format: "JSON", reason: error.to_string() }
        });
    }
    let root = members(text, "the whole")?;
    let Some(servers_text) = root.get(key).map(|raw| raw.get()) else {
        return Ok(style.insert(text, text, &root, key, &json!({ NAME: fresh() }), 1));
    };
    let servers = members(servers_text, key)?;
    let Some(old_text) = servers.get(NAME).map(|raw| raw.get()) else {
        return Ok(style.insert(text, servers_text, &servers, NAME, &fresh(), 2));
    };
    let shape = || InstallError::Shape { key: format!("{key}.{NAME}") };
    let old: Map<String, Value> = serde_json::from_str(old_text).map_err(|_| shape())?;
    let new = entry(agent, Some(old.clone()), command, args);
    if new == old {
        return Ok(text.to_owned());
    }
    let start = offset(text, old_text);
    let new = style.pretty(&Value::Object(new), 2);
    Ok([&text[..start], &new, &text[start + old_text.len()..]].concat())
}

fn members<'a>(text: &'a str, key: &str) -> Result<Members<'a>, InstallError> {
    serde_json::from_str(text).map_err(|_| InstallError::Shape { key: key.to_owned() })
}

/// Where a part begins in the text it was borrowed from.
fn offset(whole: &str, part: &str) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}

/// How a JSON file is written, so that what is added looks like the rest.
struct Style {
    indent: String,
    newline: &'static str,
}

impl Style {
    fn of(text: &str) -> Style {
        let indent = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| &line[..line.len() - line.trim_start().len()])
            .find(|indent| !indent.is_empty())
            .unwrap_or("  ");
        Style {
            indent: indent.to_owned(),
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
        }
    }

    /// A value on lines of its own, as it looks `depth` levels deep.
    fn pretty(&self, value: &Value, depth: usize) -> String {
        let inner = self.indent.repeat(depth + 1);
        let outer = self.indent.repeat(depth);
        let newline = self.newline;
        match value {
            Value::Object(object) if !object.is_empty() => {
                let lines: Vec<String> = object
                    .iter()
                    .map(|(key, value)| {
                        format!("{inner}{}: {}", json!(key), self.pretty(value, depth + 1))
                    })
                    .collect();
                format!("{{{newline}{}{newline}{outer}}}", lines.join(&format!(",{newline}")))
            }
            // Arguments read best on one line.
            Value::Array(items) => {
                let items: Vec<String> =
                    items.iter().map(|item| self.pretty(item, depth + 1)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => value.to_string(),
        }
    }

    /// The text with one more member at the end of the object that `object` is a part of it.
    fn insert(
        &self,
        text: &str,
        object: &str,
        members: &Members<'_>,
        key: &str,
        value: &Value,
        depth: usize,
    ) -> String {
        let newline = self.newline;
        let member = format!(
            "{newline}{}{}: {}",
            self.indent.repeat(depth),
            json!(key),
            self.pretty(value, depth)
        );
        let last = members.values().map(|raw| offset(text, raw.get()) + raw.get().len()).max();
        match last {
            Some(end) => [&text[..end], ",", &member, &text[end..]].concat(),
            None => {
                let open = offset(text, object) + object.find('{').unwrap_or(0) + 1;
                let close = offset(text, object) + object.rfind('}').unwrap_or(0);
                let outer = self.indent.repeat(depth - 1);
                [&text[..open], &member, newline, &outer, &text[close..]].concat()
            }
        }
    }
}

/// JSON with comments and trailing commas made plain, to tell it from JSON that is broken.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let taken = if next == '"' {
            let taken = string_length(rest);
            out.push_str(&rest[..taken]);
            taken
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            if matches!(next, '}' | ']') {
                let kept = out.trim_end().trim_end_matches(',').len();
                out.truncate(kept);
            }
            out.push(next);
            next.len_utf8()
        };
        rest = &rest[taken..];
    }
    out
}

/// The length of the JSON string that a text begins with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
