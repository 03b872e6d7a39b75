//! The terminal side of the program: the arguments that the user types, the only functions that
//! print, exit codes and signals.

pub(crate) mod arguments;
pub(crate) mod exit;
pub(crate) mod options;
pub(crate) mod print;
pub(crate) mod signals;
