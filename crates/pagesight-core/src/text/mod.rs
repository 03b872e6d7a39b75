//! Text for output: [`escape`] makes page text safe to print, [`address`] leaves secrets out of
//! addresses, [`tokens`] counts the tokens of an answer, and `surrogates` repairs text that is not
//! valid Unicode.

pub mod address;
pub mod escape;
pub(crate) mod surrogates;
pub mod tokens;
