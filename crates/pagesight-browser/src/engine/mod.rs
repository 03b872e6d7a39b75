//! What every engine shares, whatever protocol it speaks: starting a browser of our own, the state
//! of a tab, and calls to the page script.

pub(crate) mod launch;
pub(crate) mod page_script;
pub(crate) mod tab;
