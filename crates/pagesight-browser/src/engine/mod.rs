//! Code that all engines share, whatever protocol they use: starting a browser, the state of a tab,
//! and calls to the page script.

pub(crate) mod launch;
pub(crate) mod page_script;
pub(crate) mod tab;
