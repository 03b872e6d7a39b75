//! Everything that belongs to the user's project rather than to one call: its baselines and its
//! settings.

pub(crate) mod error;
pub(crate) mod store;
