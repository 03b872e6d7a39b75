//! Reads one reference or a list of them.

use pagesight_session::reference::TextOrNumber;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

/// One reference, or a list of them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum GivenReferences {
    One(String),
    Several(Vec<String>),
}

/// The most references in a list.
pub(crate) const MOST_REFERENCES: usize = 20;

impl<'de> Deserialize<'de> for GivenReferences {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GivenReferences, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum OneOrSeveral {
            One(TextOrNumber),
            Several(Vec<TextOrNumber>),
        }
        let given = OneOrSeveral::deserialize(deserializer).map_err(|_| {
            serde::de::Error::custom(
                "elementId is a reference such as 12 or \"[12]\", or an array of references",
            )
        })?;
        Ok(match given {
            OneOrSeveral::One(one) => GivenReferences::One(one.text()),
            OneOrSeveral::Several(list) => {
                GivenReferences::Several(list.into_iter().map(TextOrNumber::text).collect())
            }
        })
    }
}

impl JsonSchema for GivenReferences {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "GivenReferences".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": ["string", "array"],
            "items": {"type": "string"},
            "maxItems": MOST_REFERENCES,
        })
    }
}
