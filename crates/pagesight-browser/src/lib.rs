//! Drives real browsers. This is the only crate that knows a browser protocol.
//!
//! Start with [`launch`] (starts a browser, which ends with this process) or [`connect`] (uses the
//! user's own browser, which keeps running). Both return a [`Connected`]; everything else goes
//! through the traits of [`api`], which do not name a protocol.

pub mod api;
mod bidi;
mod chromium;
mod connect;
mod connections;
mod contexts;
pub mod discover;
mod downloads;
mod engine;
pub mod error;
mod fetch;
mod firefox;
pub mod keys;
mod load_fault;
mod options;
mod process;
mod sync;
mod wire;

pub use api::cookies::StoredCookie;
pub use api::device::{Device, DeviceSystem, UnknownDevice};
pub use api::emulation::{
    ColorScheme, Contrast, CpuSlowdown, Emulation, Geolocation, Locale, Medium, NetworkSpeed,
    TimeZone, UnknownCondition, UserAgent,
};
pub use api::events::{
    BodyProgress, Download, DownloadLimit, DownloadState, RequestKind, TabEvent,
};
pub use api::input::{Gesture, KeyChord, KeyTarget, MouseButton, Spot};
pub use api::log::{BodyData, BodySide, ConsoleLevel, ConsoleMessage, ResponseHead, ScriptFrame};
pub use api::traits::{
    Browser, BrowserEvent, CALL_LIMIT, Connected, FoundTab, HiddenParts, HistoryStep, ImageFormat,
    NavigationStart, OpenedTab, ReadValue, ReadingExpression, ShotArea, ShotRequest, ShotScale,
    Tab, UnknownViewport, Viewport,
};
pub use connect::consent::{CONSENT_LIMIT, PendingConsent};
pub use connect::profiles::{BrowserChannel, RUNNING_NAMES, is_running_name};
pub use connect::running::{RunningBrowser, running_browsers};
pub use connections::{Connections, Login, OriginHeader, OriginLogin, Proxy};
pub use contexts::{SharedBrowser, Sharing};
pub use engine::environment::is_passed_to_browsers;
pub use error::{BrowserError, Result, clock};
pub use fetch::{DownloadError, Downloaded, download, fetch};
pub use keys::UnknownKey;
pub use options::{Engine, LaunchOptions, NameFilter, NoSandbox};
pub use sync::lock;

/// Starts a browser and waits until it answers (26 s at most). It ends with this process, even if
/// the process is killed, and its temporary profile is removed. Must be called inside a tokio
/// runtime.
pub async fn launch(options: &LaunchOptions) -> Result<Connected> {
    match options.engine {
        Engine::Chromium => chromium::launch::launch(options).await,
        Engine::Firefox => firefox::launch::launch(options).await,
    }
}

/// Returns why a browser that [`launch`] starts on this machine has no sandbox, if it has none.
pub fn no_sandbox(options: &LaunchOptions) -> Option<NoSandbox> {
    match options.engine {
        Engine::Chromium => chromium::launch::no_sandbox(options),
        // It sets up its sandbox as root, too.
        Engine::Firefox => None,
    }
}

/// Connects to a running browser at `http://host:port` or `ws://…` (5 s at most). Its pages are
/// reported as [`BrowserEvent::TabFound`]; nothing is done with them before the caller attaches to
/// one, and the browser keeps running. If a WebDriver endpoint is at the address, it starts a
/// browser for us (26 s at most), which ends when it is closed. [`PendingConsent`] connects to a
/// browser by its name.
pub async fn connect(options: &LaunchOptions, url: &str) -> Result<Connected> {
    connect::connect(options, url).await
}
