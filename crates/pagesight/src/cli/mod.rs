//! The terminal side of the program: the arguments the user types, the only functions that print,
//! and signals.

pub(crate) mod arguments;
pub(crate) mod print;
pub(crate) mod signals;
