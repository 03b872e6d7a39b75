//! Values from the environment that addresses and actions use. They are sent to the page only:
//! everything that is printed or saved goes through `hide` first.

use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::TextFilter;
use serde_json::Value;

use super::encodings::{Ending, end_of};

/// Shorter values look like ordinary words and are not hidden.
const SHORTEST: usize = 4;

/// Where a value is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// In a text that is typed.
    Text,
    /// In a URL.
    Address,
}

/// Names and values of variables that were used, the longest value first, because a value may
/// contain a shorter one.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<(String, String)>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl Secrets {
    /// Replaces `${NAME}` by the value of that variable, which is a secret from then on. `$${` is a
    /// literal `${`.
    pub(crate) fn expand(
        &mut self,
        text: &str,
        slot: Slot,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<String, String> {
        let (mut out, mut rest) = (String::new(), text);
        while let Some(at) = rest.find("${") {
            if rest[..at].ends_with('$') {
                out.push_str(&rest[..at - 1]);
                out.push_str("${");
                rest = &rest[at + 2..];
                continue;
            }
            out.push_str(&rest[..at]);
            let Some((name, behind)) = rest[at + 2..].split_once('}') else {
                return Err("a ${ has no }; write $${ for a literal ${".to_owned());
            };
            let value = environment(name).ok_or_else(|| {
                format!("the environment variable {name} is not set; set it, as in {name}=… pagesight check")
            })?;
            match slot == Slot::Address && is_login(&out, behind) {
                true => out.push_str(&encoded(&value)),
                false => out.push_str(&value),
            }
            self.add(name, value);
            rest = behind;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn add(&mut self, name: &str, value: String) {
        if self.0.iter().any(|(known, _)| known == name) {
            return;
        }
        // The password of an address is a secret without the address, too.
        let login = value.split_once("://").and_then(|(_, rest)| {
            rest.split(['/', '?', '#']).next()?.rsplit_once('@').map(|(login, _)| login)
        });
        let password = login.map(|login| login.split_once(':').map_or(login, |(_, word)| word));
        for value in password.map(str::to_owned).into_iter().chain([value.clone()]) {
            if value.len() >= SHORTEST {
                self.0.push((name.to_owned(), value));
            }
        }
        self.0.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
    }

    /// Replaces the values in a text by the names of their variables, also where they are encoded
    /// for an address, HTML or JSON, and where the text was cut within a value.
    pub(crate) fn hide(&self, text: String) -> String {
        self.hidden(&text).unwrap_or(text)
    }

    /// Returns a text without the values; `None` if there are none in it.
    pub(crate) fn hidden(&self, text: &str) -> Option<String> {
        let (mut out, mut at, mut copied) = (String::new(), 0, 0);
        while at < text.len() {
            let found = self.0.iter().find_map(|(name, value)| {
                let end = match end_of(value, &text[at..])? {
                    Ending::Whole(end) => end,
                    Ending::Cut { end, shown } if shown >= SHORTEST => end,
                    Ending::Cut { .. } => return None,
                };
                Some((name, end))
            });
            match found {
                Some((name, end)) => {
                    out.push_str(&text[copied..at]);
                    out.push_str(&format!("${{{name}}}"));
                    at += end;
                    copied = at;
                }
                None => at += text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        (copied > 0).then(|| out + &text[copied..])
    }

    /// Returns a filter for the texts of a page, which are hidden before they are cut.
    pub(crate) fn filter(&self) -> TextFilter {
        if self.is_empty() {
            return TextFilter::default();
        }
        let secrets = self.clone();
        TextFilter::new(move |text| secrets.hidden(text))
    }

    /// Hides the values in every text of a fingerprint, for files, reports and comparisons.
    pub(crate) fn hide_in(
        &self,
        fingerprint: &Fingerprint,
    ) -> Result<Fingerprint, serde_json::Error> {
        let mut value = serde_json::to_value(fingerprint)?;
        self.hide_in_value(&mut value);
        serde_json::from_value(value)
    }

    /// Hides the values in the strings of a JSON value, not in its keys and numbers.
    fn hide_in_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.hide(std::mem::take(text)),
            Value::Array(values) => values.iter_mut().for_each(|value| self.hide_in_value(value)),
            Value::Object(members) => {
                members.values_mut().for_each(|value| self.hide_in_value(value))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Reports whether there is nothing to hide.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether a value between these parts of a URL is a user name or a password.
fn is_login(before: &str, after: &str) -> bool {
    let begun = before.split_once("://").is_some_and(|(_, rest)| !rest.contains(['/', '?', '#']));
    let host = after.split(['/', '?', '#']).next().unwrap_or_default();
    begun && host.contains('@')
}

/// Encodes the characters that would end a password in a URL. A value that is encoded already stays
/// as it is.
fn encoded(value: &str) -> String {
    let mut out = String::new();
    for (at, c) in value.char_indices() {
        let code = value.as_bytes().get(at + 1..at + 3);
        let is_code = c == '%' && code.is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit));
        match c {
            '/' | '?' | '#' | '@' | ':' | '[' | ']' | '\\' | ' ' => {
                out.push_str(&format!("%{:02X}", c as u32));
            }
            '%' if !is_code => out.push_str("%25"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
