//! Gives types that callers write as one word their form in JSON and TOML: that word.

/// Reads and writes a type by its `FromStr` and `Display`.
macro_rules! text_form {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
                text.parse().map_err(|reason| {
                    let shown: String = text.chars().take(60).collect();
                    serde::de::Error::custom(format!("{shown:?} cannot be used; {reason}"))
                })
            }
        }
    };
}

pub(crate) use text_form;
