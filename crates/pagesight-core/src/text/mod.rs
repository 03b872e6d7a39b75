//! Text on its way out: [`escape`] makes page text safe to print, [`tokens`] counts what an answer
//! costs, and `surrogates` repairs text that is not valid Unicode.

pub mod escape;
pub(crate) mod surrogates;
pub mod tokens;
