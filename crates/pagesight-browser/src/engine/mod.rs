//! Code that all engines share, whatever protocol they use: starting a browser, the state of a tab,
//! calls to the page script, and the text of console messages.

pub(crate) mod console;
pub(crate) mod environment;
pub(crate) mod image_size;
pub(crate) mod launch;
pub(crate) mod page_script;
pub(crate) mod tab;
