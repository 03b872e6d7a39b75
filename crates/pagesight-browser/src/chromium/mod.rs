//! Chromium (and Chrome, Edge, Brave) over the DevTools protocol. Nothing outside of this folder names a method of it.

pub(crate) mod browser;
pub(crate) mod connect;
mod downloads;
mod events;
mod input;
pub(crate) mod launch;
mod protocol;
mod reach;
mod roots;
mod state;
mod tab;
mod world;
