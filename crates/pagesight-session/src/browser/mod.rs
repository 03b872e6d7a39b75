//! The browser of a session: `source` gets one, `consent` waits for the user of a running browser,
//! and `attach` chooses tabs of it.

mod attach;
pub(crate) mod consent;
pub(crate) mod source;
