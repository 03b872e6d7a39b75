//! Values from the environment that addresses and actions use. They are sent to the page only: the
//! session hides them in everything that comes from a page, and what is printed about a page goes
//! through `hide` once more.

use std::sync::Arc;

use pagesight_core::compare::Comparison;
use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::HiddenValues;

use crate::plan::error::SettingError;

/// Where a value is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// In a text that is typed.
    Text,
    Address,
}

/// Names and values of variables that were used.
#[derive(Clone, Debug, Default)]
pub struct CheckSecrets(HiddenValues);

impl CheckSecrets {
    /// Replaces `${NAME}` by the value of that variable, which is a secret from then on. `$${` is a
    /// literal `${`.
    pub(crate) fn expand(
        &mut self,
        text: &str,
        slot: Slot,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<String, SettingError> {
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
                return Err(SettingError::OpenVariable);
            };
            let value =
                environment(name).ok_or_else(|| SettingError::NoVariable(name.to_owned()))?;
            match slot == Slot::Address && is_login(&out, behind) {
                true => out.push_str(&encoded(&value)),
                false => out.push_str(&value),
            }
            self.0.add(name, &value);
            rest = behind;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// Replaces the values in a text by the names of their variables.
    pub fn hide(&self, text: String) -> String {
        self.0.hide(text)
    }

    /// Returns the values, for other places that print.
    pub fn values(&self) -> Arc<HiddenValues> {
        Arc::new(self.0.clone())
    }

    /// Returns the values that the session hides in everything that a page shows. Addresses are
    /// hidden only afterwards, because pages are recognised by them.
    pub(crate) fn in_pages(&self) -> HiddenValues {
        self.0.without_addresses()
    }

    /// Hides the values in every text of a fingerprint, for files, reports and comparisons.
    pub(crate) fn hide_in(
        &self,
        fingerprint: &Fingerprint,
    ) -> Result<Fingerprint, serde_json::Error> {
        let mut value = serde_json::to_value(fingerprint)?;
        self.0.hide_in_strings(&mut value);
        serde_json::from_value(value)
    }

    /// Hides the values in every text of a comparison: problems of a page have addresses, which the
    /// session leaves as they are.
    pub(crate) fn hide_in_comparison(&self, comparison: &mut Comparison) {
        let hide = |text: &mut String| *text = self.0.hide(std::mem::take(text));
        comparison.unchanged.iter_mut().for_each(hide);
        for change in &mut comparison.changes {
            hide(&mut change.location);
            hide(&mut change.description);
            if let Some(element) = &mut change.element {
                element.text.iter_mut().chain(&mut element.selector).for_each(hide);
            }
            change.facts.texts_mut().for_each(hide);
            for value in [&mut change.was, &mut change.now].into_iter().flatten() {
                self.0.hide_in_strings(value);
            }
        }
    }

    /// Reports whether there is nothing to hide.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether a value is filled into a text.
pub(crate) fn has_variable(text: &str) -> bool {
    text.match_indices("${").any(|(at, _)| !text[..at].ends_with('$'))
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
