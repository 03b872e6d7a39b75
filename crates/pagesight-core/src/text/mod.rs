//! Text for output: [`escape`] makes page text safe to print, [`json`] does the same for JSON,
//! [`address`] leaves secrets out of addresses, [`hidden_values`] replaces known values by their
//! names, `amounts` finds prices and other numbers with a unit, `secret_names` lists the names of
//! secrets, [`tokens`] counts the tokens of an answer, and `surrogates` repairs text that is not
//! valid Unicode. [`decimal`] compares numbers. `printable` and `ci_commands` say what must not be
//! printed, [`own_lines`] what pagesight's own lines look like.

pub mod address;
pub(crate) mod amounts;
pub(crate) mod ci_commands;
pub mod decimal;
pub mod escape;
pub mod hidden_values;
pub mod json;
pub mod own_lines;
pub mod printable;
pub(crate) mod secret_names;
pub(crate) mod surrogates;
pub mod tokens;

/// Whether a list of words, with a space between two of them, has a word.
pub(crate) fn lists(words: &str, word: &str) -> bool {
    words.split(' ').any(|listed| listed == word)
}
