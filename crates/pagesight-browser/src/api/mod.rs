//! The interface that every engine implements.

pub mod events;
pub mod input;
pub mod traits;
