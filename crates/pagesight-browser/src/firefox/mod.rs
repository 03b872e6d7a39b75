//! Firefox over WebDriver BiDi: how it is launched, and workarounds for everything in which it
//! differs from the protocol or that the protocol lacks. The protocol itself is in `bidi/`.

pub(crate) mod browser;
mod chosen;
mod cookies;
mod download_watch;
mod downloads;
mod drag;
mod emulation;
mod events;
mod focus;
mod hidden_parts;
mod input;
pub(crate) mod launch;
mod login;
mod point;
mod request_watch;
mod restored;
mod subscription;
mod tab;
mod tabs;
mod user_js;
