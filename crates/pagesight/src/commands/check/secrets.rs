//! Values from the environment that actions use. They are sent to the page only: everything that is
//! printed or saved goes through `hide` first.

use pagesight_core::fingerprint::Fingerprint;
use serde_json::Value;

/// Shorter values look like ordinary words and are not hidden.
const SHORTEST: usize = 4;

/// Names and values of variables that were used.
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
            out.push_str(&value);
            if value.len() >= SHORTEST && !self.0.iter().any(|(known, _)| known == name) {
                self.0.push((name.to_owned(), value));
            }
            rest = behind;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// Replaces the values in a text by the names of their variables.
    pub(crate) fn hide(&self, text: String) -> String {
        // The longest first, because a value may contain a shorter one.
        let mut longest: Vec<&(String, String)> = self.0.iter().collect();
        longest.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        longest.into_iter().fold(text, |text, (name, value)| match text.contains(value.as_str()) {
            true => text.replace(value.as_str(), &format!("${{{name}}}")),
            false => text,
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str) -> Option<String> {
        (name == "PASSWORD").then(|| "hunter22".to_owned())
    }

    #[test]
    fn values_come_from_the_environment_and_do_not_leave() {
        let mut secrets = Secrets::default();
        assert_eq!(
            secrets.expand("a ${PASSWORD}b $${x}", &environment).unwrap(),
            "a hunter22b ${x}"
        );
        assert_eq!(secrets.hide("filled hunter22".to_owned()), "filled ${PASSWORD}");
        assert!(!format!("{secrets:?}").contains("hunter22"));
        assert!(
            secrets
                .expand("${NO_SUCH}", &environment)
                .unwrap_err()
                .contains("variable NO_SUCH is not set")
        );
        assert!(secrets.expand("${PASSWORD", &environment).unwrap_err().contains("no }"));
        let shown = Fingerprint { title: "Hello hunter22".to_owned(), ..Fingerprint::default() };
        assert_eq!(secrets.hide_in(&shown).unwrap().title, "Hello ${PASSWORD}");
    }

    #[test]
    fn no_value_breaks_what_it_is_hidden_in() {
        // One ends with a quotation mark, one is a number, one is a key of the file format, and one
        // is part of another.
        let values =
            [("A", "pass\""), ("B", "1280"), ("C", "title"), ("D", "hunter"), ("E", "hunter22")];
        let mut secrets = Secrets::default();
        for (name, _) in values {
            let known = |wanted: &str| {
                values.iter().find(|(name, _)| *name == wanted).map(|(_, v)| (*v).to_owned())
            };
            secrets.expand(&format!("${{{name}}}"), &known).unwrap();
        }
        let mut shown = Fingerprint {
            title: "pass\" 1280 title hunter22".to_owned(),
            ..Fingerprint::default()
        };
        shown.viewport.width = 1280;
        let hidden = secrets.hide_in(&shown).unwrap();
        assert_eq!((hidden.title.as_str(), hidden.viewport.width), ("${A} ${B} ${C} ${E}", 1280));
    }
}
