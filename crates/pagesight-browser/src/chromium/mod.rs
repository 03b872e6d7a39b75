//! Chromium (and Chrome, Edge, Brave) over the DevTools protocol. Only this folder names its
//! methods.

mod authority;
mod body;
pub(crate) mod browser;
mod conditions;
mod cookies;
mod delivery;
mod downloads;
mod emulation;
mod events;
mod found;
mod hidden_parts;
mod input;
mod interception;
pub(crate) mod launch;
mod log;
mod log_protocol;
mod protocol;
mod reading;
mod screenshot;
mod script;
mod state;
mod tab;
mod tabs;
mod touch;
