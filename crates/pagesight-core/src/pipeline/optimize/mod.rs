//! Stage 3, payload optimisation: says the same in fewer tokens. `attributes` is a rule; the other
//! files decide how the snapshot prints a value.

pub(crate) mod attributes;
pub(crate) mod buckets;
pub(crate) mod fields;
pub(crate) mod numbers;
