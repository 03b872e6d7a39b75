//! The words that callers choose from, for the schemas of tools and for the command line. The types
//! read them with serde.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;

pub(crate) const SEVERITIES: [&str; 3] = ["info", "warning", "error"];
pub(crate) const DEPTHS: [&str; 3] = ["minimal", "standard", "detailed"];
pub(crate) const FILTERS: [&str; 2] = ["all", "interactive"];
pub(crate) const IMAGE_FORMATS: [&str; 3] = ["png", "jpeg", "webp"];
pub(crate) const ROW_FORMATS: [&str; 4] = ["text", "csv", "json", "markdown"];
pub(crate) const FURTHER_PAGES: [&str; 2] = ["scroll", "next"];
pub(crate) const LOG_SINCE: [&str; 3] = ["navigation", "last", "start"];
pub(crate) const LOG_KINDS: [&str; 3] = ["all", "console", "network"];

/// Parses one of these words of the command line.
pub(crate) fn one_of<T: Clone + DeserializeOwned + Send + Sync + 'static>(
    words: impl IntoIterator<Item: Into<PossibleValue>>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value::<T>(word.into()))
}
