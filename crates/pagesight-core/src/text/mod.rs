//! Text for output: [`escape`] makes page text safe to print, [`tokens`] counts the tokens of an
//! answer, and `surrogates` repairs text that is not valid Unicode.

pub mod escape;
pub(crate) mod surrogates;
pub mod tokens;
