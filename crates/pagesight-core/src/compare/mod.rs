//! Comparing.
