//! Secrets that an agent may type without knowing them: `${NAME}` in a text is replaced on its way
//! to the page, and only in documents of the origins that the user gave.

use pagesight_core::page::role::Role;
use pagesight_core::text::hidden_values::HiddenValues;
use pagesight_core::web_origin::WebOrigin;

/// Shorter values would be found in ordinary words.
const SHORTEST: usize = 6;
/// The longest value and name.
const LONGEST_VALUE: usize = 4096;
const LONGEST_NAME: usize = 64;

/// The reason why a secret cannot be used. No message contains a value.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum SecretError {
    #[error(
        "{given:?} is not a name for a secret; use letters, digits and _, such as SHOP_PASSWORD"
    )]
    Name { given: String },
    #[error("the secret {name} is given twice; list all its origins in one place")]
    Twice { name: String },
    #[error(
        "the secret {name} has no origin; give those that may get it, such as {name}=https://shop.example"
    )]
    NoOrigin { name: String },
    #[error(
        "the value of {name} has fewer than {SHORTEST} characters, which cannot be hidden; use a longer one"
    )]
    TooShort { name: String },
    #[error("the value of {name} is longer than {LONGEST_VALUE} bytes; use a shorter one")]
    TooLong { name: String },
    #[error("the value of {name} has a line break or a control character; remove it")]
    Control { name: String },
    #[error(
        "the value of {name} is the name of a role, which cannot be hidden; use a different one"
    )]
    Word { name: String },
}

/// A value that only documents of certain origins may get.
#[derive(Clone)]
struct Secret {
    name: String,
    value: String,
    origins: Vec<WebOrigin>,
}

/// The secrets of a session.
#[derive(Clone, Default)]
pub struct Secrets(Vec<Secret>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// A text with secrets in it.
pub(crate) struct SecretText {
    /// The text with the values.
    pub(crate) text: String,
    /// The names, as they are written: `${NAME}`.
    pub(crate) names: String,
    /// The origins that may get all of them.
    pub(crate) origins: Vec<String>,
}

/// Checks the name of a secret.
pub fn check_secret_name(name: &str) -> Result<(), SecretError> {
    let fine = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = !name.is_empty()
        && name.len() <= LONGEST_NAME
        && name.chars().all(fine)
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if is_name {
        return Ok(());
    }
    Err(SecretError::Name { given: name.chars().take(LONGEST_NAME).collect() })
}

impl Secrets {
    /// Adds a secret. At least one origin is needed: the agent chooses the pages, so none can be
    /// assumed.
    pub fn add(
        &mut self,
        name: &str,
        value: &str,
        origins: Vec<WebOrigin>,
    ) -> Result<(), SecretError> {
        check_secret_name(name)?;
        let name = name.to_owned();
        if self.0.iter().any(|secret| secret.name == name) {
            return Err(SecretError::Twice { name });
        }
        if origins.is_empty() {
            return Err(SecretError::NoOrigin { name });
        }
        if value.trim().chars().count() < SHORTEST {
            return Err(SecretError::TooShort { name });
        }
        if value.len() > LONGEST_VALUE {
            return Err(SecretError::TooLong { name });
        }
        if value.chars().any(char::is_control) {
            return Err(SecretError::Control { name });
        }
        if Role::parse(value) != Role::None {
            return Err(SecretError::Word { name });
        }
        self.0.push(Secret { name, value: value.to_owned(), origins });
        Ok(())
    }

    /// Returns the names, which may be shown.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|secret| secret.name.as_str())
    }

    /// Returns each name with the origins that may get its value, for the agent: `${NAME}
    /// (https://shop.example)`.
    pub fn list(&self) -> String {
        let line = |secret: &Secret| {
            let origins: Vec<&str> = secret.origins.iter().map(WebOrigin::as_str).collect();
            format!("${{{}}} ({})", secret.name, origins.join(", "))
        };
        self.0.iter().map(line).collect::<Vec<_>>().join(", ")
    }

    /// Returns the values that must not leave.
    pub fn values(&self) -> HiddenValues {
        let mut hidden = HiddenValues::default();
        for secret in &self.0 {
            hidden.add(&secret.name, &secret.value);
        }
        hidden
    }

    /// Replaces `${NAME}` in a text; none if it names no secret. Every other `${…}` is plain text.
    pub(crate) fn expand(&self, text: &str) -> Option<SecretText> {
        let (mut out, mut rest) = (String::new(), text);
        let mut used: Vec<&Secret> = Vec::new();
        while let Some(at) = rest.find("${") {
            let (before, behind) = rest.split_at(at + 2);
            let found = self.0.iter().find_map(|secret| {
                let after = behind.strip_prefix(secret.name.as_str())?.strip_prefix('}')?;
                Some((secret, after))
            });
            let Some((secret, after)) = found else {
                out.push_str(before);
                rest = behind;
                continue;
            };
            out.push_str(&rest[..at]);
            out.push_str(&secret.value);
            if !used.iter().any(|known| known.name == secret.name) {
                used.push(secret);
            }
            rest = after;
        }
        let first = used.first()?;
        let may = |origin: &&WebOrigin| used.iter().all(|secret| secret.origins.contains(origin));
        let origins = first.origins.iter().filter(may).map(WebOrigin::to_string).collect();
        let names: Vec<String> =
            used.iter().map(|secret| format!("${{{}}}", secret.name)).collect();
        Some(SecretText { text: out + rest, names: names.join(" and "), origins })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Secrets {
        let mut secrets = Secrets::default();
        let at = |hosts: &[&str]| hosts.iter().map(|host| host.parse().unwrap()).collect();
        secrets.add("PASSWORD", "hunter22", at(&["https://a", "https://b"])).unwrap();
        secrets.add("PASSWORD_2", "swordfish", at(&["https://b", "https://c"])).unwrap();
        secrets
    }

    #[test]
    fn only_names_of_secrets_are_replaced() {
        let secrets = secrets();
        for plain in ["", "${X}", "${PASSWORD", "$PASSWORD", "${password}", "${ PASSWORD}", "${${"]
        {
            assert!(secrets.expand(plain).is_none(), "{plain}");
        }
        let one = secrets.expand("a ${X} ${PASSWORD}${").unwrap();
        assert_eq!((one.text.as_str(), one.names.as_str()), ("a ${X} hunter22${", "${PASSWORD}"));
        assert_eq!(one.origins, ["https://a", "https://b"]);
        let both = secrets.expand("${${PASSWORD}:${PASSWORD_2}:${PASSWORD}").unwrap();
        assert_eq!(both.text, "${hunter22:swordfish:hunter22");
        assert_eq!(both.names, "${PASSWORD} and ${PASSWORD_2}");
        assert_eq!(both.origins, ["https://b"], "the origins that may get both");
    }

    #[test]
    fn a_value_is_not_expanded_again() {
        let mut secrets = secrets();
        secrets.add("C", "x${PASSWORD}", vec!["https://a".parse().unwrap()]).unwrap();
        assert_eq!(secrets.expand("${C}").unwrap().text, "x${PASSWORD}");
    }

    #[test]
    fn wrong_secrets_are_refused_and_no_value_is_printed() {
        let mut secrets = secrets();
        let here = || vec!["https://a".parse::<WebOrigin>().unwrap()];
        for (name, value, origins, says) in [
            ("", "hunter22", here(), "not a name"),
            ("1A", "hunter22", here(), "not a name"),
            ("A-B", "hunter22", here(), "not a name"),
            ("PASSWORD", "hunter23", here(), "twice"),
            ("B", "hunter23", Vec::new(), "no origin"),
            ("B", "hunt3", here(), "fewer than 6"),
            ("B", " hunt3 ", here(), "fewer than 6"),
            ("B", "hunter23\n", here(), "line break"),
            ("B", "listbox", here(), "name of a role"),
        ] {
            let error = secrets.add(name, value, origins).unwrap_err().to_string();
            assert!(error.contains(says) && !error.contains("hunt"), "{error}");
        }
        assert_eq!(format!("{secrets:?}"), "[\"PASSWORD\", \"PASSWORD_2\"]");
        assert_eq!(
            secrets.list(),
            "${PASSWORD} (https://a, https://b), ${PASSWORD_2} (https://b, https://c)"
        );
    }
}
