//! Leaves secrets out of what a log keeps: the values of headers, of members of bodies, and of
//! names in texts.

mod names;
mod words;

use serde_json::Value;

use crate::text::address::{decoded_text, is_secret_value, without_values};
use crate::text::secret_names::is_secret_name;

use names::{is_naming_member, is_secret_member, is_secret_plural, is_value_member};

pub use names::MASK;
pub use words::text;

/// How many parts of a form are read.
const MOST_PARTS: usize = 100;

/// Members of cookies that are not values.
const COOKIE_ATTRIBUTES: [&str; 8] =
    ["path", "domain", "expires", "max-age", "samesite", "secure", "httponly", "priority"];

/// Headers whose values are addresses.
const ADDRESSES: [&str; 5] = ["location", "referer", "origin", "content-location", "refresh"];

/// Returns the value of a header as it may be kept.
pub fn header(name: &str, value: &str) -> String {
    let lower = name.to_ascii_lowercase();
    if lower.ends_with("cookie") || lower.ends_with("cookie2") {
        let sets = lower.contains("set-");
        let lines = value.lines().map(|line| cookies(line, sets));
        return lines.collect::<Vec<_>>().join(" ");
    }
    if ADDRESSES.contains(&lower.as_str()) || lower.starts_with(':') {
        return without_values(value);
    }
    // What a server asks for is not a secret, nor is the name of the browser.
    if matches!(lower.as_str(), "www-authenticate" | "proxy-authenticate" | "user-agent") {
        return value.to_owned();
    }
    if !lower.starts_with("access-control-") && is_secret_header(&lower, name) {
        return MASK.to_owned();
    }
    if is_secret_value("", value) { MASK.to_owned() } else { text(value) }
}

fn is_secret_header(lower: &str, name: &str) -> bool {
    lower.contains("authorization")
        || lower.contains("auth-")
        || lower.ends_with("auth")
        || lower.ends_with("-key")
        || lower.contains("xsrf")
        || is_secret_name(name)
}

/// Returns cookies with their names and attributes, but without their values. Only a cookie that
/// is set has attributes, after its own name and value.
fn cookies(value: &str, sets: bool) -> String {
    let pairs = value.split(';').enumerate().map(|(at, pair)| {
        let pair = pair.trim();
        let (name, given) = match pair.split_once('=') {
            Some((name, _)) => (name, true),
            None => (pair, false),
        };
        let is_attribute = sets
            && at > 0
            && COOKIE_ATTRIBUTES.contains(&name.trim_end().to_ascii_lowercase().as_str());
        match (is_attribute, given) {
            (true, _) => pair.to_owned(),
            (false, true) => format!("{name}={MASK}"),
            (false, false) if pair.is_empty() => String::new(),
            (false, false) => MASK.to_owned(),
        }
    });
    pairs.collect::<Vec<_>>().join("; ")
}

/// Masks members of JSON that look like secrets.
pub fn json(value: &mut Value) {
    member("", value, Named::Openly, 0);
}

/// Whether a member is inside of one whose name is secret.
#[derive(Clone, Copy, PartialEq)]
enum Named {
    Openly,
    /// Its numbers are counts: `{"tokens": 12}`.
    InPlural,
    Secretly,
}

fn member(name: &str, value: &mut Value, around: Named, depth: usize) {
    // Deeper values are not printed.
    if depth > 64 {
        *value = Value::Null;
        return;
    }
    let secret = around == Named::Secretly || is_secret_member(name);
    let plural = around == Named::InPlural || is_secret_plural(name);
    let named = match (secret, plural) {
        (true, _) => Named::Secretly,
        (false, true) => Named::InPlural,
        (false, false) => Named::Openly,
    };
    match value {
        Value::Object(members) => {
            // `{"name": "password", "value": "x"}`
            let mut given = members.iter().filter(|(name, _)| is_naming_member(name));
            let naming =
                given.find_map(|(_, name)| name.as_str().filter(|it| is_secret_member(it)));
            let naming = naming.map(str::to_owned);
            for (name, inner) in members.iter_mut() {
                let naming = naming.as_deref().filter(|_| is_value_member(name));
                member(naming.unwrap_or(name), inner, named, depth + 1);
            }
        }
        Value::Array(items) => {
            items.iter_mut().for_each(|inner| member(name, inner, named, depth + 1));
        }
        Value::String(given) => {
            let masked = named != Named::Openly || is_secret_value(name, given);
            *given = match !given.is_empty() && masked {
                true => MASK.to_owned(),
                false => text(given),
            };
        }
        Value::Number(_) if secret => *value = MASK.into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns the parameters of a form without values that look like secrets.
pub fn form(body: &str) -> Vec<String> {
    let pair = |pair: &str| {
        let Some((name, value)) = pair.split_once('=') else { return pair.to_owned() };
        let plain = decoded_text(&value.replace('+', " "));
        let masked = field(name, &plain);
        // The value is printed as it was sent, unless something in it is masked.
        if masked == plain { pair.to_owned() } else { format!("{name}={masked}") }
    };
    body.split('&').take(MOST_PARTS).map(pair).collect()
}

/// Returns the parts of a `multipart/form-data` body as `name=value`, without values that look like
/// secrets and without the contents of files; `None` if it is not one.
pub fn multipart(body: &str) -> Option<Vec<String>> {
    // The header that names the boundary is masked if the boundary looks random.
    let boundary = body.lines().next().map(str::trim_end).filter(|line| line.len() > 2)?;
    let boundary = boundary.strip_prefix("--").map(|_| boundary)?;
    let part = |part: &str| -> Option<String> {
        let part = part.strip_prefix("\r\n").or_else(|| part.strip_prefix('\n'))?;
        let (head, content) = part
            .split_once("\r\n\r\n")
            .or_else(|| part.split_once("\n\n"))
            .unwrap_or((part.trim_end(), ""));
        let content = content.strip_suffix('\n').unwrap_or(content);
        let content = content.strip_suffix('\r').unwrap_or(content);
        let name = disposition(head, "name").unwrap_or_default();
        Some(match disposition(head, "filename") {
            Some(file) => format!("{name}=file {}", text(file)),
            None => format!("{name}={}", field(name, content)),
        })
    };
    // After the last boundary there is `--`, which is not a part.
    Some(body.split(boundary).skip(1).filter_map(part).take(MOST_PARTS).collect())
}

/// Returns a parameter of the `Content-Disposition` header of a part.
fn disposition<'h>(head: &'h str, wanted: &str) -> Option<&'h str> {
    let line = head.lines().find(|line| {
        line.get(..20).is_some_and(|start| start.eq_ignore_ascii_case("content-disposition:"))
    })?;
    let marked = format!("{wanted}=");
    let found = |(at, _): &(usize, &str)| line[..*at].ends_with([' ', ';', '\t']);
    let (at, _) = line.match_indices(&marked).find(found)?;
    let value = &line[at + marked.len()..];
    match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => value.split(';').next().map(str::trim),
    }
}

/// Returns the value of a field of a form without what looks like secrets.
fn field(name: &str, value: &str) -> String {
    let secret = !value.is_empty() && (is_secret_member(name) || is_secret_value(name, value));
    if secret { MASK.to_owned() } else { text(value) }
}

#[cfg(test)]
mod tests;
