//! What belongs to the user's project rather than to one call: its baselines and its settings.

pub(crate) mod store;
