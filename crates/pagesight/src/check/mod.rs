//! Checking pages against their baselines.

#[allow(dead_code, reason = "what only a whole check comes to is not made yet")]
pub(crate) mod outcome;
