//! Writes JSON as an outline: its structure with sample values. Of a list, the first item stands
//! for all.

use serde_json::Value;

use crate::text::escape;

/// How many members of an object are written.
const MEMBERS: usize = 40;
/// How deep values are followed.
const DEPTH: usize = 6;
/// How many characters of a text are written.
const TEXT: usize = 80;
/// How many lines are written.
const LINES: usize = 400;

/// Returns the lines of a value.
pub(super) fn outline(value: &Value) -> Vec<String> {
    let mut lines = vec![head(value)];
    inner(value, 1, &mut lines);
    lines
}

fn inner(value: &Value, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    if lines.len() >= LINES || depth > DEPTH {
        return;
    }
    match value {
        Value::Object(members) => {
            for (name, value) in members.iter().take(MEMBERS) {
                lines.push(format!("{indent}{}: {}", escape::word(name, TEXT), head(value)));
                inner(value, depth + 1, lines);
            }
            if let Some(more) = members.len().checked_sub(MEMBERS).filter(|more| *more > 0) {
                lines.push(format!("{indent}… {more} more members"));
            }
        }
        Value::Array(items) => match items.first() {
            None => {}
            Some(first @ (Value::Object(_) | Value::Array(_))) => {
                lines.push(format!("{indent}first: {}", head(first)));
                inner(first, depth + 1, lines);
            }
            Some(_) => {
                let some: Vec<String> = items.iter().take(5).map(scalar).collect();
                let more = if items.len() > 5 { ", …" } else { "" };
                lines.push(format!("{indent}{}{more}", some.join(", ")));
            }
        },
        _ => {}
    }
}

fn head(value: &Value) -> String {
    match value {
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) if members.len() == 1 => "object of 1 member".to_owned(),
        Value::Object(members) => format!("object of {} members", members.len()),
        Value::Array(items) if items.is_empty() => "[]".to_owned(),
        Value::Array(items) if items.len() == 1 => "list of 1 item".to_owned(),
        Value::Array(items) => format!("list of {} items", items.len()),
        simple => scalar(simple),
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => escape::text(text, TEXT),
        Value::Object(_) => "{…}".to_owned(),
        Value::Array(_) => "[…]".to_owned(),
        simple => simple.to_string(),
    }
}
