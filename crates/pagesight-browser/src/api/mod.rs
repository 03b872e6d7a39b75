//! The interface that every engine implements.

pub mod cookies;
pub mod device;
pub mod emulation;
pub mod events;
pub mod input;
pub mod log;
pub mod traits;
pub mod viewport;
mod written;
