//! Firefox over WebDriver BiDi. Nothing outside of this folder names a command of it.

mod browser;
mod events;
mod input;
pub(crate) mod launch;
mod protocol;
mod remote;
mod script;
mod state;
mod tab;
