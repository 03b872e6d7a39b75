//! Reads a reference in every form that callers write: `12`, `"12"`, `"[12]"` and `"1_12"`.

use serde::{Deserialize, Deserializer};

/// Reads a reference given as a string or as an integer.
pub(crate) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum TextOrNumber {
        Text(String),
        Number(u64),
    }
    let loose = Option::<TextOrNumber>::deserialize(deserializer).map_err(|_| {
        serde::de::Error::custom("a reference is a number from inspect_tab, such as 12 or \"[12]\"")
    })?;
    Ok(loose.map(|loose| match loose {
        TextOrNumber::Text(text) => text,
        TextOrNumber::Number(number) => number.to_string(),
    }))
}
