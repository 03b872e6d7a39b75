//! The small interface every engine implements. It speaks of tabs, script calls and gestures; it
//! never speaks of CDP or BiDi, so that nothing above this crate can depend on an engine.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;

use super::events::TabEvent;
use super::input::Gesture;
use crate::error::Result;

/// How long one call to the browser may take, unless it was given another limit.
pub const CALL_LIMIT: Duration = Duration::from_secs(10);

/// The size of a tab's viewport, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
}

impl Viewport {
    /// Whether a browser can show it: 100 to 10,000 pixels each way.
    pub fn is_sensible(&self) -> bool {
        [self.width, self.height].iter().all(|side| (100..=10_000).contains(side))
    }
}

impl Default for Viewport {
    fn default() -> Self {
        Viewport { width: 1280, height: 720 }
    }
}

/// A connected browser and what it reports from now on.
pub struct Connected {
    /// The browser itself.
    pub browser: Arc<dyn Browser>,
    /// Tabs that appear by themselves, and the end of the browser.
    pub events: UnboundedReceiver<BrowserEvent>,
}

/// A tab and the events it reports, in the order they happened.
pub struct OpenedTab {
    /// The tab itself.
    pub tab: Arc<dyn Tab>,
    /// Its address when it was taken in; events tell what comes after.
    pub url: String,
    /// Everything that happens in it. Ends when the tab is closed.
    pub events: UnboundedReceiver<TabEvent>,
}

/// What a browser reports by itself.
pub enum BrowserEvent {
    /// A tab that the caller did not open: a pop-up, `target=_blank`, or the user's own.
    TabOpened {
        /// The new tab.
        opened: OpenedTab,
        /// The engine's id of the tab that opened it.
        opener: Option<String>,
    },
    /// The browser ended or the connection broke; nothing will follow.
    Disconnected,
}

/// A step in the tab's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryStep {
    /// One entry back.
    Back,
    /// One entry forward.
    Forward,
}

/// How a navigation that was asked for began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NavigationStart {
    /// A new document is on its way (or already committed).
    NewDocument,
    /// Only the fragment or the history entry changed; the document stays.
    SameDocument,
    /// There was nothing to go to (no earlier or later history entry).
    Nothing,
}

/// What part of a page a screenshot shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShotArea {
    /// What is in the viewport.
    Viewport,
    /// The whole document.
    FullPage,
    /// A box in CSS pixels of the viewport (it may reach outside of it).
    Box {
        /// Left.
        x: f64,
        /// Top.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
    },
}

/// An image format the browser can encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG, quality 80.
    Jpeg,
    /// WebP, quality 80.
    Webp,
}

/// How far the engine could help the page script to see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HiddenParts {
    /// Whether listeners added by script are known.
    pub listeners: bool,
    /// How many closed shadow roots were found and could not be entered.
    pub roots_left_out: u32,
}

/// A running browser.
#[async_trait]
pub trait Browser: Send + Sync {
    /// Product and version, such as `Chromium 156.0.8078.73`.
    fn product(&self) -> &str;

    /// Whether the connection still stands.
    fn is_alive(&self) -> bool;

    /// Opens a new tab at `about:blank`.
    async fn open_tab(&self, viewport: Viewport) -> Result<OpenedTab>;

    /// Ends a browser of our own and waits until it and its temporary profile are gone (5 s at
    /// most); from somebody else's browser it only disconnects.
    async fn close(&self);
}

/// One tab. Every method is bounded in time by the engine's own limit (`CALL_LIMIT`) unless it says
/// otherwise.
#[async_trait]
pub trait Tab: Send + Sync {
    /// The engine's own id of the tab.
    fn id(&self) -> &str;

    /// Begins a navigation to `url`. Errors if the load failed outright (name, refused,
    /// certificate).
    async fn navigate(&self, url: &str, limit: Duration) -> Result<NavigationStart>;

    /// Begins a reload.
    async fn reload(&self) -> Result<()>;

    /// Begins a step in the history.
    async fn step(&self, step: HistoryStep) -> Result<NavigationStart>;

    /// Stops loading.
    async fn stop(&self) -> Result<()>;

    /// Ends whatever script runs in the page just now, however long it would still run.
    async fn interrupt(&self) -> Result<()>;

    /// Calls a function of the page script in a frame (`None`: the top one): `function` is its
    /// name, `arguments` a JSON array. Answers with the JSON text that the function returned.
    /// Installs the page script if it is not there yet.
    async fn script(
        &self,
        frame: Option<&str>,
        function: &str,
        arguments: &str,
        limit: Duration,
    ) -> Result<String>;

    /// The frames that these frame elements of a frame show, in order; the elements go by the
    /// numbers that the page script gave them. `None` for what shows none, or none that can be
    /// entered.
    async fn frames_of(
        &self,
        frame: Option<&str>,
        elements: &[u32],
        limit: Duration,
    ) -> Result<Vec<Option<String>>>;

    /// Finds what the page script cannot see by itself (closed shadow roots, listeners added by
    /// script), in all frames, and hands it over to the script. To be called before a look; cheap
    /// if nothing changed since the last time.
    async fn find_hidden_parts(&self, limit: Duration) -> Result<HiddenParts>;

    /// The kinds of events that scripts listen for on an element itself; `None` where the engine
    /// cannot tell.
    async fn listeners(
        &self,
        _frame: Option<&str>,
        _element: u32,
        _limit: Duration,
    ) -> Result<Option<Vec<String>>> {
        Ok(None)
    }

    /// Evaluates an expression of the caller's in the page's own world and answers with JSON.
    async fn evaluate(&self, expression: &str, limit: Duration) -> Result<String>;

    /// Performs one piece of real input. Returns when the browser has dispatched it, or at once
    /// when it opened a JavaScript dialog.
    async fn gesture(&self, gesture: &Gesture) -> Result<()>;

    /// Puts files into a file field; the field goes by the number that the page script gave it. The
    /// page hears of it as if they had been chosen.
    async fn set_files(
        &self,
        frame: Option<&str>,
        field: u32,
        files: &[std::path::PathBuf],
        limit: Duration,
    ) -> Result<()>;

    /// Answers the open JavaScript dialog.
    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()>;

    /// Takes a picture.
    async fn screenshot(&self, area: ShotArea, format: ImageFormat) -> Result<Vec<u8>>;

    /// Changes the viewport.
    async fn resize(&self, viewport: Viewport) -> Result<()>;

    /// Closes the tab.
    async fn close(&self) -> Result<()>;
}
