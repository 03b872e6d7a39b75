//! Functions of the page script that prepare an element for real input and observe the effects.

use pagesight_browser::Result;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::call::{Function, PageScript};

/// The input that an element is prepared for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Handling {
    Click,
    DoubleClick,
    RightClick,
    Hover,
    Fill,
    Select,
    Drag,
}

impl Handling {
    /// Whether a mouse button is pressed on the element.
    pub(crate) fn presses(self) -> bool {
        matches!(self, Handling::Click | Handling::DoubleClick | Handling::RightClick)
    }

    /// Whether the mouse is needed.
    pub(crate) fn points(self) -> bool {
        self.presses() || matches!(self, Handling::Hover | Handling::Drag)
    }
}

/// The role and name that an element must have.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Expected<'a> {
    pub(crate) role: &'a str,
    pub(crate) name: &'a str,
}

/// A prepared element with the point to hit, or why it is not ready.
#[derive(Default, Deserialize)]
pub(crate) struct Prepared {
    pub(crate) ok: bool,
    #[serde(default)]
    pub(crate) x: f64,
    #[serde(default)]
    pub(crate) y: f64,
    /// The point as shares of the viewport, for the document around.
    #[serde(default)]
    pub(crate) fx: f64,
    #[serde(default)]
    pub(crate) fy: f64,
    /// Points that the mouse visits first.
    #[serde(default)]
    pub(crate) via: Vec<(f64, f64)>,
    /// The same as shares of the viewport.
    #[serde(default, rename = "viaShares")]
    pub(crate) via_shares: Vec<(f64, f64)>,
    /// Whether the tab draws hardly any frames, so that the page does not react to the mouse before
    /// it presses.
    #[serde(default)]
    pub(crate) undrawn: bool,
    #[serde(default)]
    pub(crate) reason: String,
    /// The element that covers it; 0 for none.
    #[serde(default)]
    pub(crate) cover: u32,
    #[serde(default, rename = "coverRole")]
    pub(crate) cover_role: String,
    #[serde(default, rename = "coverName")]
    pub(crate) cover_name: String,
}

impl Prepared {
    /// Makes a point of a document, in its own pixels and as shares of its viewport.
    pub(crate) fn at((x, y): (f64, f64), (fx, fy): (f64, f64)) -> Prepared {
        Prepared { ok: true, x, y, fx, fy, ..Prepared::default() }
    }
}

/// The input and its effects, as the page script observed them.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct InputResult {
    pub(crate) watched: bool,
    pub(crate) pressed: bool,
    pub(crate) clicked: bool,
    mutations: u64,
    scrolled: bool,
    /// The value that a click on an option left in its field, if it is not the option's.
    pub(crate) held: Option<HeldValue>,
    /// A dialog opened after the press.
    #[serde(rename = "dialogOpened")]
    pub(crate) dialog_opened: bool,
    /// It is a text field that got the focus from the press.
    #[serde(rename = "focusTaken")]
    pub(crate) focus_taken: bool,
}

/// The value of a field that is not the one that was chosen.
#[derive(Clone, Deserialize)]
pub(crate) struct HeldValue {
    pub(crate) value: String,
    /// It was different before the click.
    pub(crate) changed: bool,
}

/// Points near a point: those that hit the same element.
#[derive(Deserialize)]
pub(crate) struct NearHits {
    /// The element that is hit; 0 for none.
    pub(crate) id: u32,
    /// The point in the document of a frame, if the element is one.
    pub(crate) fx: Option<f64>,
    pub(crate) fy: Option<f64>,
    /// A point near the mouse, if it lies on a different item of the same list.
    pub(crate) resting: Option<(f64, f64)>,
    /// The points, in a frame as shares; none where a different element is hit.
    pub(crate) points: Vec<Option<(f64, f64)>>,
}

impl InputResult {
    /// Whether nothing changed and nothing was scrolled.
    pub(crate) fn is_quiet(&self) -> bool {
        self.mutations == 0 && !self.scrolled
    }
}

/// The unit of points of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointUnit {
    Pixels,
    /// Shares of the viewport's width and height.
    Shares,
}

/// A checkbox, radio button or switch, or why the element is not one.
#[derive(Deserialize)]
pub(crate) struct BoxState {
    pub(crate) ok: bool,
    /// `true`, `false` or `mixed`.
    #[serde(default)]
    pub(crate) state: String,
    #[serde(default)]
    pub(crate) radio: bool,
    #[serde(default)]
    pub(crate) reason: String,
}

/// A choice in a list or one option of it, or why there is none.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Choice {
    pub(crate) ok: bool,
    pub(crate) reason: String,
    pub(crate) missing: String,
    pub(crate) options: Vec<String>,
    pub(crate) total: usize,
    pub(crate) way: String,
    pub(crate) key: String,
    pub(crate) option: u32,
    /// The choice has other options already.
    pub(crate) add: bool,
    /// Its options are visible.
    pub(crate) open: bool,
    pub(crate) selected: bool,
    pub(crate) label: String,
    pub(crate) value: Option<String>,
}

/// A scroll container and its position, or why there is none.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Scroller {
    pub(crate) ok: bool,
    pub(crate) reason: String,
    #[serde(rename = "box")]
    pub(crate) box_id: u32,
    /// It is the document itself.
    pub(crate) page: bool,
    /// It is the requested element.
    pub(crate) own: bool,
    pub(crate) fx: f64,
    pub(crate) fy: f64,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) left: f64,
    pub(crate) top: f64,
    /// The vertical position before a script scrolled it.
    pub(crate) before: f64,
    /// How often its document received a wheel event.
    pub(crate) turns: u32,
    /// Whether the page prevented the effect of a wheel event.
    pub(crate) prevented: bool,
    /// How far it can be scrolled.
    pub(crate) wide: f64,
    pub(crate) high: f64,
}

/// An element that was scrolled into view, or why it was not.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Brought {
    pub(crate) ok: bool,
    pub(crate) reason: String,
    /// It was in view before.
    pub(crate) was: bool,
    pub(crate) fx: f64,
    pub(crate) fy: f64,
}

/// The file field that an element belongs to, or why there is none.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct FileField {
    pub(crate) ok: bool,
    pub(crate) reason: String,
    pub(crate) field: u32,
    pub(crate) multiple: bool,
    pub(crate) folder: bool,
}

#[derive(Deserialize)]
struct Files {
    names: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Copied {
    text: String,
}

impl PageScript<'_> {
    /// Returns whether the mouse reaches what lies under it; not while the page has locked the
    /// pointer to an element.
    pub(crate) async fn locked_pointer(&self) -> Result<Prepared> {
        self.ask(Function::LockedPointer, json!([])).await
    }

    /// Scrolls to an element, and waits until it can be acted on.
    pub(crate) async fn prepare(
        &self,
        local: u32,
        handling: Handling,
        expected: Option<Expected<'_>>,
    ) -> Result<Prepared> {
        let arguments = match expected {
            Some(expected) => json!([local, handling, expected]),
            None => json!([local, handling]),
        };
        self.ask(Function::Prepare, arguments).await
    }

    /// Whether an element is still under a point.
    pub(crate) async fn is_under_point(&self, local: u32, x: f64, y: f64) -> Result<bool> {
        self.is_done(Function::IsUnderPoint, json!([local, x, y])).await
    }

    /// Scrolls a frame element into view.
    pub(crate) async fn reveal_frame(&self, local: u32) -> Result<()> {
        self.run(Function::RevealFrame, json!([local])).await
    }

    /// Watches what the next copy key copies from this document.
    pub(crate) async fn watch_copy(&self) -> Result<()> {
        self.run(Function::WatchCopy, json!([])).await
    }

    /// Returns what was copied since; empty if nothing was.
    pub(crate) async fn copied_text(&self) -> Result<String> {
        Ok(self.ask::<Copied>(Function::CopiedText, json!([])).await?.text)
    }

    /// Pastes a text where the focus is.
    pub(crate) async fn paste_text(&self, text: &str) -> Result<bool> {
        self.is_done(Function::PasteText, json!([text])).await
    }

    /// Scrolls an element to a different place of the viewport of its frame.
    pub(crate) async fn scroll_aside(&self, local: u32, turn: usize) -> Result<()> {
        self.run(Function::ScrollAside, json!([local, turn])).await
    }

    /// Converts a point of a frame, given as shares, to a point of the document around it, and with
    /// it the points that the mouse visits first.
    pub(crate) async fn frame_point(&self, local: u32, inner: &Prepared) -> Result<Prepared> {
        let Prepared { fx, fy, via_shares, .. } = inner;
        self.ask(Function::FramePoint, json!([local, fx, fy, via_shares])).await
    }

    /// Returns what is hit at a point, and which of these points hit the same.
    pub(crate) async fn near(
        &self,
        (x, y): (f64, f64),
        unit: PointUnit,
        points: &[(f64, f64)],
    ) -> Result<NearHits> {
        let share = unit == PointUnit::Shares;
        self.ask(Function::Near, json!([x, y, share, points])).await
    }

    /// Starts to observe the effects of input.
    pub(crate) async fn watch_page(&self) -> Result<()> {
        self.run(Function::WatchPage, json!([])).await
    }

    /// Returns the effects of the input.
    pub(crate) async fn input_result(&self) -> Result<InputResult> {
        self.ask(Function::InputResult, json!([])).await
    }

    /// Returns the state of a checkbox, radio button or switch.
    pub(crate) async fn checkbox_state(&self, local: u32) -> Result<BoxState> {
        self.ask(Function::CheckboxState, json!([local])).await
    }

    /// Prepares a choice, so that one key press or click completes it.
    pub(crate) async fn choose_options(&self, local: u32, values: &[String]) -> Result<Choice> {
        self.ask(Function::ChooseOptions, json!([local, values])).await
    }

    /// Whether these values are chosen.
    pub(crate) async fn check_choice(&self, local: u32, values: &[String]) -> Result<Choice> {
        self.ask(Function::CheckChoice, json!([local, values])).await
    }

    /// Chooses these values as a script would do it.
    pub(crate) async fn set_choice(&self, local: u32, values: &[String]) -> Result<Choice> {
        self.ask(Function::CheckChoice, json!([local, values, true])).await
    }

    /// Waits for an option of a list that is not a `select`, for at most this many milliseconds.
    pub(crate) async fn wait_for_option(
        &self,
        local: u32,
        value: &str,
        milliseconds: u32,
    ) -> Result<Choice> {
        self.ask(Function::WaitForOption, json!([local, value, milliseconds])).await
    }

    /// Returns the container that scrolls with an element (0: the page) in this direction, and a
    /// point where the wheel reaches it.
    pub(crate) async fn find_scroller(&self, local: u32, dx: f64, dy: f64) -> Result<Scroller> {
        self.ask(Function::FindScroller, json!([local, dx, dy])).await
    }

    /// Scrolls a container down, or up, at once. Returns its position before and after that.
    pub(crate) async fn scroll_on(&self, local: u32, dy: f64) -> Result<Scroller> {
        self.ask(Function::ScrollOn, json!([local, dy])).await
    }

    /// Returns the scroll position of a container.
    pub(crate) async fn settled_position(&self, local: u32) -> Result<Scroller> {
        self.ask(Function::SettledPosition, json!([local])).await
    }

    /// Scrolls an element into view.
    pub(crate) async fn bring_into_view(&self, local: u32) -> Result<Brought> {
        self.ask(Function::BringIntoView, json!([local])).await
    }

    /// Returns the file field that an element belongs to.
    pub(crate) async fn find_file_input(&self, local: u32) -> Result<FileField> {
        self.ask(Function::FindFileInput, json!([local])).await
    }

    /// Returns the names of the files in a file field; none if the field is gone.
    pub(crate) async fn file_names(&self, local: u32) -> Result<Option<Vec<String>>> {
        Ok(self.ask::<Files>(Function::FileNames, json!([local])).await?.names)
    }
}
