//! Reads a reference in every form that callers write: `12`, `"12"`, `"[12]"` and `"1_12"`.

use serde::{Deserialize, Deserializer};

/// A reference, given as a string or as an integer.
#[derive(Deserialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the names describe the variants")]
pub enum TextOrNumber {
    Text(String),
    Number(u64),
}

impl TextOrNumber {
    /// Returns it as text.
    pub fn text(self) -> String {
        match self {
            TextOrNumber::Text(text) => text,
            TextOrNumber::Number(number) => number.to_string(),
        }
    }
}

const WRONG: &str = "a reference is a number that was shown, such as 12 or \"[12]\"";

/// Reads a reference that may be missing.
pub fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let loose = Option::<TextOrNumber>::deserialize(deserializer)
        .map_err(|_| serde::de::Error::custom(WRONG))?;
    Ok(loose.map(TextOrNumber::text))
}

/// Reads a reference that must be there.
pub fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    optional(deserializer)?.ok_or_else(|| serde::de::Error::custom(WRONG))
}
