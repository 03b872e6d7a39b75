//! The traits that every engine implements. They describe tabs, script calls and gestures without
//! naming a protocol, so that nothing above this crate depends on an engine.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedReceiver;

use super::cookies::StoredCookie;
use super::emulation::Emulation;
use super::events::TabEvent;
use super::input::Gesture;
use super::log::{BodyData, BodySide};
pub use super::viewport::{UnknownViewport, Viewport};
use crate::error::{BrowserError, Result};

/// How long one call to the browser may take, unless the caller gives a limit.
pub const CALL_LIMIT: Duration = Duration::from_secs(10);

/// A connected browser and its events.
pub struct Connected {
    /// The browser itself.
    pub browser: Arc<dyn Browser>,
    /// Reports tabs that the caller did not open, and the end of the browser.
    pub events: UnboundedReceiver<BrowserEvent>,
}

/// A tab and the events it reports, in the order they happened.
pub struct OpenedTab {
    /// The tab itself.
    pub tab: Arc<dyn Tab>,
    /// Its address when it was opened; later addresses come as events.
    pub url: String,
    /// The engine's id of the context that it is in; `None` is the browser's own one.
    pub context: Option<String>,
    /// Its events. The channel ends when the tab is closed.
    pub events: UnboundedReceiver<TabEvent>,
}

/// A tab of the user that nothing was done with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundTab {
    /// The engine's id of the tab.
    pub id: String,
    /// Its title; empty if the engine does not report titles.
    pub title: String,
    /// The address that it shows.
    pub url: String,
    /// Whether its page crashed.
    pub crashed: bool,
}

/// An event of a browser.
pub enum BrowserEvent {
    /// A tab of the user was found, or changed its title or address.
    TabFound(FoundTab),
    /// A tab of the user is gone; the engine's id.
    TabGone(String),
    /// A tab that the caller did not open: a pop-up or `target=_blank`.
    TabOpened {
        /// The tab that the page opened.
        opened: OpenedTab,
        /// The engine's id of the tab that opened it.
        opener: Option<String>,
    },
    /// The browser ended or the connection broke; no event follows.
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

/// The start of a navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NavigationStart {
    /// A new document is being loaded, or is already committed.
    NewDocument,
    /// Only the fragment or the history entry changed; the document stays.
    SameDocument,
    /// There is no earlier or later history entry.
    Nothing,
}

/// The part of a page that a screenshot shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShotArea {
    /// The part of the page that is in view.
    Viewport,
    /// A box in CSS pixels of the document.
    Document {
        /// Left.
        x: f64,
        /// Top.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
    },
    /// A box in CSS pixels of the viewport; it may extend beyond it.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    Webp,
}

/// A screenshot that is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShotRequest {
    /// Which part of the page.
    pub area: ShotArea,
    /// How the image is encoded.
    pub format: ImageFormat,
    /// The quality of JPEG and WebP, from 1 to 100.
    pub quality: u8,
    /// How large the image is; `None`: as many pixels as the screen has.
    pub scale: Option<ShotScale>,
}

impl ShotRequest {
    /// A PNG with as many pixels as the screen has.
    pub fn png(area: ShotArea) -> ShotRequest {
        ShotRequest { area, format: ImageFormat::Png, quality: 80, scale: None }
    }
}

/// How large an image is, and what that depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShotScale {
    /// The pixels of the image per CSS pixel.
    pub wanted: f64,
    /// The pixels of the screen per CSS pixel, as the page reports them.
    pub ratio: f64,
    /// The size of the viewport in CSS pixels, as the page reports it.
    pub viewport: (f64, f64),
}

/// The result of a search for the hidden parts of a page: the parts that the page script cannot see
/// without the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenParts {
    /// Whether listeners added by script are known.
    pub listeners: bool,
    /// How many closed shadow roots were found and could not be entered.
    pub roots_left_out: u32,
    /// Whether the page script got to know something new.
    #[serde(default)]
    pub news: bool,
}

/// An expression that may only read.
#[derive(Clone, Copy, Debug)]
pub struct ReadingExpression<'a> {
    /// The expression, or statements whose last one is an expression.
    pub source: &'a str,
    /// Values of secret fields that it must not see.
    pub secret_values: &'a [String],
    /// The most characters of the value that are returned.
    pub most_characters: usize,
    /// How long it may run.
    pub limit: Duration,
}

/// The value of such an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadValue {
    /// As JSON.
    Whole(String),
    /// The start of its JSON, which has this many characters.
    Cut {
        /// The first characters.
        start: String,
        /// How many there are in all.
        characters: u64,
    },
}

pub(crate) fn lacks(what: &'static str) -> BrowserError {
    BrowserError::Unsupported { what, engine: "this browser" }
}

/// A running browser.
#[async_trait]
pub trait Browser: Send + Sync {
    /// Product and version, such as `Chromium 156.0.8078.73`.
    fn product(&self) -> &str;

    /// Returns whether the connection is open.
    fn is_alive(&self) -> bool;

    /// Opens a new tab at `about:blank`.
    async fn open_tab(&self, viewport: Viewport) -> Result<OpenedTab>;

    /// Creates a context: a part of the browser with its own cookies, storage and downloads. All
    /// methods of what is returned concern that part; closing it closes its tabs and deletes what
    /// it stored. Its events are those of the whole browser.
    async fn create_context(&self) -> Result<Arc<dyn Browser>> {
        Err(lacks("contexts"))
    }

    /// The engine's id of the context that this is; `None` is the browser's own one.
    fn context(&self) -> Option<&str> {
        None
    }

    /// Ends the page process that uses the processor most, in a browser that we started. Its tabs
    /// crash and can be navigated. For a browser that a page keeps so busy that it does not open a
    /// tab, and that cannot say which process a page is in.
    async fn end_busiest_page_process(&self) -> Result<()>;

    /// Returns all cookies of the context, also those of other sites than its pages.
    async fn cookies(&self) -> Result<Vec<StoredCookie>> {
        Err(lacks("reading cookies"))
    }

    /// Sets a cookie. An error does not contain its value.
    async fn set_cookie(&self, _cookie: &StoredCookie) -> Result<()> {
        Err(lacks("setting cookies"))
    }

    /// Attaches to a tab of the user, given by the engine's id (4 s at most). Fails if its page
    /// does not answer; then the tab is left as it was.
    async fn attach_tab(&self, _id: &str) -> Result<OpenedTab> {
        Err(BrowserError::TabClosed)
    }

    /// Detaches from a tab of the user that was attached to, so that it can be attached to again.
    async fn release_tab(&self, _tab: &dyn Tab) -> Result<()> {
        Err(lacks("releasing a tab"))
    }

    /// Ends a browser that we started, and waits until it and its temporary profile are gone (5 s
    /// at most). If we did not start the browser, this only disconnects from it.
    async fn close(&self);
}

/// One tab. Every method returns within `CALL_LIMIT` unless its comment gives a different limit.
#[async_trait]
pub trait Tab: Send + Sync {
    /// The engine's own id of the tab.
    fn id(&self) -> &str;

    /// Begins a navigation to `url`. Fails if the load fails at once: unknown host, connection
    /// refused, bad certificate.
    async fn navigate(&self, url: &str, limit: Duration) -> Result<NavigationStart>;

    /// Begins a reload.
    async fn reload(&self) -> Result<()>;

    /// Begins a step in the history.
    async fn step(&self, step: HistoryStep) -> Result<NavigationStart>;

    /// Stops loading.
    async fn stop(&self) -> Result<()>;

    /// Stops the script that is running in the page.
    async fn interrupt(&self) -> Result<()>;

    /// Returns when the main thread of the page has answered a small question. Waits as long as
    /// that takes. An error is an answer, too: the tab is blocked or gone, but its page does not
    /// hang.
    async fn responds(&self) -> Result<()>;

    /// Asks the engine to report no more of what the page does, as far as that may keep the browser
    /// itself busy. It reports again when the page is left. Does not wait.
    fn mute(&self) {}

    /// Ends the process that renders the page, and returns when that is done. The tab crashes and
    /// can be navigated; so does every other tab in that process.
    async fn end_page_process(&self) -> Result<()>;

    /// Calls a function of the page script in a frame (`None`: the top one) and returns its JSON
    /// text. `function` is the name, `arguments` a JSON array. Installs the page script if it is
    /// missing.
    async fn script(
        &self,
        frame: Option<&str>,
        function: &str,
        arguments: &str,
        limit: Duration,
    ) -> Result<String>;

    /// Evaluates an expression in the world of the page script of a frame, which the page does not
    /// see, and returns its JSON text. The expression may call the page script.
    async fn evaluate_beside(
        &self,
        _frame: Option<&str>,
        _expression: &str,
        _limit: Duration,
    ) -> Result<String> {
        Err(lacks("an expression beside the page script"))
    }

    /// Returns the frames of frame elements, in order. The elements are given by the page script's
    /// ids. `None` stands for an element without a frame, or with one that cannot be entered.
    async fn frames_of(
        &self,
        frame: Option<&str>,
        elements: &[u32],
        limit: Duration,
    ) -> Result<Vec<Option<String>>>;

    /// Finds what the page script cannot see (closed shadow roots, listeners added by script) in
    /// all frames, and passes it to the script. Call it before a capture; it is cheap if nothing
    /// changed since the last call.
    async fn find_hidden_parts(&self, limit: Duration) -> Result<HiddenParts>;

    /// Returns whether it is certain that the top document has no closed shadow root. False if that
    /// could not be found out.
    async fn lacks_closed_roots(&self, _limit: Duration) -> Result<bool> {
        Ok(false)
    }

    /// Returns the event types that scripts listen for on an element; `None` if the engine does not
    /// expose them.
    async fn listeners(
        &self,
        _frame: Option<&str>,
        _element: u32,
        _limit: Duration,
    ) -> Result<Option<Vec<String>>> {
        Ok(None)
    }

    /// Evaluates an expression in the page's own world and returns its value as JSON.
    async fn evaluate(&self, expression: &str, limit: Duration) -> Result<String>;

    /// Calls a function of the caller in the page's own world, with an element that is given by the
    /// page script's id. Returns its value as JSON; `None` if the element is gone.
    async fn evaluate_on(
        &self,
        frame: Option<&str>,
        element: u32,
        function: &str,
        limit: Duration,
    ) -> Result<Option<String>>;

    /// Evaluates an expression that may only read, in a world of its own that neither the page nor
    /// the page script share. An expression that would change something is refused before it does.
    /// With an element, which is given by the page script's id, a function is called with it;
    /// `None` if the element is gone.
    async fn evaluate_reading(
        &self,
        _frame: Option<&str>,
        _element: Option<u32>,
        _expression: &ReadingExpression<'_>,
    ) -> Result<Option<ReadValue>> {
        Err(lacks("an expression that only reads"))
    }

    /// Performs one gesture. Returns when the browser has dispatched it, or at once if it opened a
    /// JavaScript dialog.
    async fn gesture(&self, gesture: &Gesture) -> Result<()>;

    /// Puts files into a file field, given by the page script's id. The page gets the same events
    /// as if a person had chosen them.
    async fn set_files(
        &self,
        frame: Option<&str>,
        field: u32,
        files: &[std::path::PathBuf],
        limit: Duration,
    ) -> Result<()>;

    /// Answers the open JavaScript dialog.
    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()>;

    /// Takes a screenshot.
    async fn screenshot(&self, shot: &ShotRequest) -> Result<Vec<u8>>;

    /// Returns whether the engine can draw an image at a scale. One that cannot refuses requests
    /// with a scale.
    fn scales_screenshots(&self) -> bool {
        true
    }

    /// Returns a body of a request, given by the engine's id of the request.
    async fn body(&self, _request: &str, _side: BodySide, _limit: Duration) -> Result<BodyData> {
        Err(lacks("reading the bodies of requests"))
    }

    /// Answers all requests of the tab with an empty document from now on, so that the storage of
    /// an origin can be read and set without loading a page.
    async fn answer_empty(&self) -> Result<()> {
        Err(lacks("reading and setting localStorage"))
    }

    /// Changes the viewport. An emulated device stays, apart from its size.
    async fn resize(&self, viewport: Viewport) -> Result<()>;

    /// Emulates these conditions and no others, in the page, its frames, its workers and its
    /// pop-ups, until the tab is closed or given back. With a device, the tab gets its size.
    async fn emulate(&self, emulation: &Emulation) -> Result<()> {
        if emulation.is_empty() { Ok(()) } else { Err(lacks("emulation")) }
    }

    /// Returns the conditions that are emulated.
    fn emulation(&self) -> Emulation {
        Emulation::default()
    }

    /// Closes the tab.
    async fn close(&self) -> Result<()>;
}
