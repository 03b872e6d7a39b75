//! Drives real browsers. The only crate that knows a browser protocol.
//!
//! Start with [`launch`] (a browser of our own, which cannot outlive us) or [`connect`] (somebody
//! else's, which is left running). Both answer with a [`Connected`]; from there on everything goes
//! through the traits of [`api`], which name no protocol.

pub mod api;
mod bidi;
mod chromium;
mod connect;
pub mod discover;
mod downloads;
mod engine;
pub mod error;
mod firefox;
pub mod keys;
mod options;
mod process;
mod sync;
mod wire;

pub use api::events::{Download, DownloadState, RequestKind, TabEvent};
pub use api::input::{Gesture, KeyChord, MouseButton, Spot};
pub use api::traits::{
    Browser, BrowserEvent, CALL_LIMIT, Connected, HiddenParts, HistoryStep, ImageFormat,
    NavigationStart, OpenedTab, ShotArea, Tab, Viewport,
};
pub use error::{BrowserError, Result};
pub use keys::UnknownKey;
pub use options::{Engine, LaunchOptions};

/// Starts a browser of our own and waits until it answers (26 s at most). It ends with us, however
/// we end, and its temporary profile with it. Must be called inside a tokio runtime.
pub async fn launch(options: &LaunchOptions) -> Result<Connected> {
    match options.engine {
        Engine::Chromium => chromium::launch::launch(options).await,
        Engine::Firefox => firefox::launch::launch(options).await,
    }
}

/// Connects to a browser that runs already: `http://host:port` or `ws://…` (5 s at most). Its pages
/// are reported as [`BrowserEvent::TabOpened`]; they are never resized or closed unless asked, and
/// the browser is left running. Where a WebDriver endpoint is at the address, it starts a browser
/// for us (26 s at most), which ends when it is closed.
pub async fn connect(options: &LaunchOptions, url: &str) -> Result<Connected> {
    connect::connect(options, url).await
}
