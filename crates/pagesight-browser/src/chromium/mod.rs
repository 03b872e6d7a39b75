//! Chromium (and Chrome, Edge, Brave) over the DevTools protocol. Only this folder names its
//! methods.

pub(crate) mod browser;
mod body;
mod cookies;
mod downloads;
mod events;
mod found;
mod hidden_parts;
mod input;
pub(crate) mod launch;
mod log;
mod log_protocol;
mod protocol;
mod screenshot;
mod script;
mod state;
mod tab;
mod tabs;
