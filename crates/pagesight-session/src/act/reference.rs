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

/// Reads the value of a field that may be missing, given as a string or as a number.
pub(super) fn optional_value<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let given = Option::<serde_json::Value>::deserialize(deserializer)?;
    match given {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(serde_json::Value::String(text)) => Ok(Some(text)),
        Some(serde_json::Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(serde::de::Error::custom("a value is a string or a number")),
    }
}
