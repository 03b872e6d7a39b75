//! The small interface every engine implements. It speaks of tabs, script calls and gestures; it
//! never speaks of CDP or BiDi, so that nothing above this crate can depend on an engine.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::error::Result;

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

/// What happens in a tab. The session keeps the few facts it needs of it.
#[derive(Clone, Debug, PartialEq)]
pub enum TabEvent {
    /// The top frame asked for or began a navigation (not yet committed).
    NavigationStarted,
    /// The top frame shows another document now.
    Committed {
        /// The address of the new document.
        url: String,
        /// The document came back out of the back/forward cache, with its script world alive.
        restored: bool,
    },
    /// The address changed without a new document (`pushState`, a fragment).
    SameDocument {
        /// The new address.
        url: String,
    },
    /// The top document's DOM is complete.
    DomReady,
    /// The top document's `load` event fired.
    Loaded,
    /// The top document's answer arrived.
    Answered {
        /// The HTTP status.
        status: u16,
        /// The address that answered, after redirects.
        url: String,
    },
    /// The navigation of the top frame ended without a document.
    NavigationFailed {
        /// The engine's reason, such as `net::ERR_CONNECTION_REFUSED`.
        reason: String,
        /// It was given up rather than failed: a download, an answer without content, stopped by
        /// the page.
        aborted: bool,
    },
    /// The top frame shows the engine's own page about a failed load.
    ErrorPage,
    /// A request began.
    RequestStarted {
        /// The engine's id of the request.
        id: String,
        /// What the request is for.
        kind: RequestKind,
        /// HTTP method.
        method: String,
        /// The address asked for.
        url: String,
        /// Whether a frame inside the page asked for it, rather than the top document.
        framed: bool,
    },
    /// A request ended, with its status if there was an answer.
    RequestFinished {
        /// The engine's id of the request.
        id: String,
        /// The HTTP status, if one came.
        status: Option<u16>,
    },
    /// A request failed before an answer came or was cancelled.
    RequestFailed {
        /// The engine's id of the request.
        id: String,
        /// The engine's reason.
        reason: String,
        /// Whether it was cancelled rather than failed.
        cancelled: bool,
    },
    /// `console.error`, or an exception nobody caught.
    ConsoleError {
        /// What was said.
        text: String,
    },
    /// A JavaScript dialog opened; the page is stopped until it is answered.
    DialogOpened {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        kind: String,
        /// Its text.
        message: String,
    },
    /// The dialog is gone.
    DialogClosed,
    /// A download began, went on or ended.
    Download(Download),
    /// The page opened another window or tab, which will be reported by the browser.
    WindowOpened,
    /// The tab's process died.
    Crashed,
    /// The tab is gone.
    Closed,
}

/// A download and how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The engine's id of it.
    pub id: String,
    /// The name that the server or the page gave it.
    pub name: String,
    /// How far it is.
    pub state: DownloadState,
}

/// How far a download is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DownloadState {
    /// Under way.
    Running {
        /// Bytes that have come.
        received: u64,
        /// How many there will be, if that is known.
        total: Option<u64>,
    },
    /// All of it came.
    Done {
        /// How many bytes it has, if that is known.
        size: Option<u64>,
        /// Where it lies; none in a browser of the user's, which keeps it where it likes.
        path: Option<std::path::PathBuf>,
    },
    /// It was cancelled or failed.
    Stopped,
}

/// What a request is for, as far as waiting cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// A document, of the top frame or of another.
    Document,
    /// A script.
    Script,
    /// A style sheet.
    Style,
    /// `fetch` or `XMLHttpRequest`.
    Fetch,
    /// An image.
    Image,
    /// A font.
    Font,
    /// Anything that does not end by itself or that nobody waits for: sockets, event streams,
    /// beacons, media.
    Other,
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
pub enum Begun {
    /// A new document is on its way (or already committed).
    NewDocument,
    /// Only the fragment or the history entry changed; the document stays.
    SameDocument,
    /// There was nothing to go to (no earlier or later history entry).
    Nothing,
}

/// A mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseButton {
    /// The main button.
    Left,
    /// The button that opens context menus.
    Right,
}

/// One piece of real browser input.
#[derive(Clone, Debug, PartialEq)]
pub enum Gesture {
    /// Move the mouse, then press and release a button `count` times at a point of the viewport.
    Click {
        /// CSS pixels from the left of the viewport.
        x: f64,
        /// CSS pixels from the top of the viewport.
        y: f64,
        /// Which button.
        button: MouseButton,
        /// 1 for a click, 2 for a double click.
        count: u8,
        /// Hold the key that adds to a choice: Control, on macOS Meta.
        adds: bool,
    },
    /// Move the mouse to a point of the viewport.
    Move {
        /// CSS pixels from the left of the viewport.
        x: f64,
        /// CSS pixels from the top of the viewport.
        y: f64,
    },
    /// Press and release one key, with modifiers: `Enter`, `Control+A`, `a`.
    Press(KeyChord),
    /// Type text key by key, a line break as Enter; what no key makes is put in as an input method
    /// would.
    Type(String),
    /// Put text where the caret is, as an input method would.
    InsertText {
        /// The text.
        text: String,
        /// The frame that has the focus; none for the top one.
        frame: Option<String>,
    },
    /// Turn the wheel over a point of the viewport.
    Scroll {
        /// CSS pixels from the left of the viewport.
        x: f64,
        /// CSS pixels from the top of the viewport.
        y: f64,
        /// How far to the right, in CSS pixels.
        dx: f64,
        /// How far down, in CSS pixels.
        dy: f64,
    },
    /// Press the main button at one point, move to another in steps, and release it there.
    Drag {
        /// Where it begins.
        from: Spot,
        /// Where it ends.
        to: Spot,
    },
}

/// A point of the viewport, and the frame that is hit there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spot {
    /// CSS pixels from the left of the viewport.
    pub x: f64,
    /// CSS pixels from the top of the viewport.
    pub y: f64,
    /// The frame; none for the top one.
    pub frame: Option<String>,
}

impl Gesture {
    /// Where the mouse goes on the way of a drag, its end included: out of what it began on slowly,
    /// as a hand does, because a drag begins only after some pixels, and the last point twice,
    /// because only then what lies there knows of it.
    pub(crate) fn way(from: &Spot, to: &Spot) -> Vec<(f64, f64)> {
        let (wide, high) = (to.x - from.x, to.y - from.y);
        let length = wide.hypot(high).max(1.0);
        let near = |pixels: f64| (pixels / length).min(1.0);
        let shares = [near(3.0), near(8.0), 0.2, 0.4, 0.6, 0.8, 1.0, 1.0];
        let mut sorted = shares.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.iter().map(|share| (from.x + wide * share, from.y + high * share)).collect()
    }
}

/// A key and the modifiers held with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyChord {
    /// The key's name as in `KeyboardEvent.key`: `Enter`, `ArrowDown`, `a`.
    pub key: String,
    /// Control held.
    pub control: bool,
    /// Shift held.
    pub shift: bool,
    /// Alt held.
    pub alt: bool,
    /// Meta (Command) held.
    pub meta: bool,
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
pub struct Reached {
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
    async fn navigate(&self, url: &str, limit: Duration) -> Result<Begun>;

    /// Begins a reload.
    async fn reload(&self) -> Result<()>;

    /// Begins a step in the history.
    async fn step(&self, step: HistoryStep) -> Result<Begun>;

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
    async fn reach(&self, limit: Duration) -> Result<Reached>;

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
