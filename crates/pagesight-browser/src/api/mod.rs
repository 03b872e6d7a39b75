//! The interface that every engine implements.

pub mod traits;
