//! The tabs of a session: their list, the state that browser events report, the last capture and
//! fingerprint of each, their downloads, their log, and the limits of their pop-ups.

pub(crate) mod capture_cache;
pub(crate) mod downloads;
pub(crate) mod error;
pub(crate) mod fingerprint_cache;
pub(crate) mod found;
pub(crate) mod info;
pub(crate) mod log;
pub(crate) mod log_share;
pub(crate) mod main_thread;
pub(crate) mod masked;
pub(crate) mod pop_ups;
pub(crate) mod position_cache;
pub(crate) mod problems;
pub(crate) mod record;
pub(crate) mod rows_reading;
pub(crate) mod state;
pub(crate) mod tabs;
