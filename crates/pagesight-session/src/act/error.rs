//! Why an action failed. The messages name no tool; `hint` says as data what can be done.

use pagesight_core::hint::Hint;

/// Why an action failed. `target` is the element in words: `[14] button: Save`.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
pub enum ActionError {
    /// The element is not in the page any more.
    #[error("{target} left the page just now")]
    Gone {
        /// The element.
        target: String,
    },
    /// The element has a different role or name.
    #[error("{target} changed just now")]
    Changed {
        /// The element.
        target: String,
    },
    /// The element is not visible.
    #[error("{target} is not visible; make it visible first")]
    Hidden {
        /// The element.
        target: String,
    },
    /// The element is disabled.
    #[error("{target} is disabled")]
    Disabled {
        /// The element.
        target: String,
    },
    /// The element does not stay in one place.
    #[error("{target} does not stop moving; try again")]
    Moving {
        /// The element.
        target: String,
    },
    /// Something covers the element.
    #[error("{target} is covered by {cover}")]
    Covered {
        /// The element.
        target: String,
        /// The element that covers it, in words.
        cover: String,
    },
    /// The page has locked the mouse to an element.
    #[error(
        "{target} cannot be reached: the page has locked the mouse to {by} (pointer lock); use the keyboard, or make the page release the mouse"
    )]
    PointerLocked {
        /// The element or point.
        target: String,
        /// The element that gets all mouse events, in words.
        by: String,
    },
    /// The element cannot be scrolled into view.
    #[error("{target} cannot be scrolled into view")]
    OutOfView {
        /// The element.
        target: String,
    },
    /// The page script gives a different reason why the element cannot be acted on.
    #[error("{target} cannot be acted on ({reason})")]
    NotReady {
        /// The element.
        target: String,
        /// The reason.
        reason: String,
    },
    /// The point is not in the viewport.
    #[error(
        "the point {x},{y} lies outside of the viewport of {width}x{height}; scroll, or give a point inside"
    )]
    OutsideViewport {
        /// CSS pixels from the left.
        x: f64,
        /// CSS pixels from the top.
        y: f64,
        /// The width of the viewport.
        width: u32,
        /// The height of the viewport.
        height: u32,
    },
    /// The button was pressed on the element and released elsewhere.
    #[error(
        "{target} got the press but no click: it was disabled, moved, went away or was covered in between"
    )]
    PressWithoutClick {
        /// The element.
        target: String,
    },
    /// The click went elsewhere.
    #[error(
        "{target} did not get the click: it moved, went away, was disabled or covered under the mouse"
    )]
    ClickLost {
        /// The element.
        target: String,
    },
    /// The two ends of a drag are not in view together.
    #[error("{from} and {to} are not in view at the same time")]
    ApartInView {
        /// Where the drag begins.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// No dialog is open.
    #[error("no dialog is open")]
    NoDialog,
    /// The field is read-only.
    #[error("{target} is read-only")]
    ReadOnly {
        /// The field.
        target: String,
    },
    /// The element is not a text field.
    #[error(
        "{target} is not a field that text can be filled into; click it or use another element"
    )]
    NotAField {
        /// The element.
        target: String,
    },
    /// The page moves the focus to a different element.
    #[error("{target} does not keep the focus: the page moved it elsewhere; nothing was typed")]
    FocusMoved {
        /// The field.
        target: String,
    },
    /// The field lost the focus before the text was typed.
    #[error("{target} lost the focus just now; nothing was typed, try again")]
    FocusLost {
        /// The field.
        target: String,
    },
    /// A key cannot be pressed in the element.
    #[error("{target} does not take or keep the focus; click it instead")]
    NoFocusForKey {
        /// The element.
        target: String,
    },
    /// Text cannot be typed into the element.
    #[error("{target} does not take or keep the focus; nothing was typed, click it first")]
    NoFocusForText {
        /// The element.
        target: String,
    },
    /// The field does not accept the value.
    #[error(
        "{target} does not take {value:?}; give a value in the field's own format, such as 2026-03-01 for a date"
    )]
    ValueRefused {
        /// The field.
        target: String,
        /// The beginning of the value.
        value: String,
    },
    /// The field stayed empty.
    #[error("{target} stayed empty: it does not take {value}")]
    StayedEmpty {
        /// The field.
        target: String,
        /// The text, quoted; for a secret only that there was one.
        value: String,
    },
    /// The document may not get the secret.
    #[error(
        "{target} is in a document of {origin}, and {names} may be typed only in {allowed}; nothing was typed"
    )]
    SecretElsewhere {
        /// The field.
        target: String,
        /// The origin of its document.
        origin: String,
        /// The secrets, as the caller wrote them.
        names: String,
        /// The origins that may get them.
        allowed: String,
    },
    /// A secret can only be typed into a text field.
    #[error("{target} is not a text field, so {names} was not typed; fill a text field with it")]
    SecretNeedsTextField {
        /// The element.
        target: String,
        /// The secrets, as the caller wrote them.
        names: String,
    },
    /// Nothing has the focus.
    #[error("nothing has the focus, so {names} was not typed; give the element that it goes into")]
    SecretNeedsFocus {
        /// The secrets, as the caller wrote them.
        names: String,
    },
    /// The text is too long to be filled in.
    #[error(
        "a text of {length} characters is too long for fill; the limit is {limit}, give a shorter one"
    )]
    TextTooLong {
        /// The text length.
        length: usize,
        /// The longest text.
        limit: usize,
    },
    /// The text is empty, or too long to be typed.
    #[error(
        "a text of {length} characters cannot be typed; give 1 to {limit}, or use fill for longer ones"
    )]
    CannotType {
        /// The text length.
        length: usize,
        /// The longest text.
        limit: usize,
    },
    /// There is no checkbox at the point.
    #[error("there is no box at {x},{y}; give its element")]
    NoBoxAt {
        /// CSS pixels from the left.
        x: f64,
        /// CSS pixels from the top.
        y: f64,
    },
    /// The element is not a checkbox, radio button or switch.
    #[error("{target} is not a checkbox, radio button or switch; click it")]
    NotABox {
        /// The element.
        target: String,
    },
    /// A radio button cannot be unchecked.
    #[error("{target} is a radio button, which cannot be unchecked; check another of its group")]
    RadioButton {
        /// The radio button.
        target: String,
    },
    /// The click did not set the wanted state.
    #[error("{target} was clicked but is {state} now")]
    BoxUnchanged {
        /// The box.
        target: String,
        /// Its state now.
        state: &'static str,
    },
    /// Clicking did not open the list.
    #[error("{target} opened no list of options")]
    NoList {
        /// The element.
        target: String,
    },
    /// Several options were given for a list that takes one.
    #[error("{target} takes one option only; give one value")]
    OneOptionOnly {
        /// The list.
        target: String,
    },
    /// The option is disabled.
    #[error("the option {option} of {target} is disabled")]
    OptionDisabled {
        /// The list.
        target: String,
        /// The option, quoted.
        option: String,
    },
    /// The list shows no options.
    #[error("{target} shows no options, so {option} cannot be chosen")]
    NoOptions {
        /// The list.
        target: String,
        /// The option, quoted.
        option: String,
    },
    /// The list has no such option.
    #[error("{target} has no option {option}; it has {}{}", .near.join(", "), rest(*.more))]
    NoSuchOption {
        /// The list.
        target: String,
        /// The option, quoted.
        option: String,
        /// Options that it has, the nearest first, quoted.
        near: Vec<String>,
        /// How many more it has.
        more: usize,
    },
    /// Something covers the scroll container.
    #[error("{target} is covered, so the wheel cannot reach it")]
    WheelCovered {
        /// The element.
        target: String,
    },
    /// The scroll container is covered or out of view.
    #[error("{target} is covered or out of view, so the wheel cannot reach it; scroll to it first")]
    WheelOutOfReach {
        /// The element.
        target: String,
    },
    /// Nothing scrolls in this direction.
    #[error("{target} has nothing that scrolls this way")]
    NothingScrolls {
        /// The element.
        target: String,
    },
    /// The wheel event did not reach the page.
    #[error("the wheel did not reach {target}; try again")]
    WheelLost {
        /// The element.
        target: String,
    },
    /// Uploads are off.
    #[error("uploads are not allowed")]
    UploadsOff,
    /// There are too few or too many files.
    #[error("upload takes 1 to {limit} paths, not {count}; give some")]
    UploadCount {
        /// How many were given.
        count: usize,
        /// The most files.
        limit: usize,
    },
    /// The file is not under an upload root.
    #[error("{path:?} is not a file under {roots}")]
    OutsideUploadRoots {
        /// The path as it was given.
        path: String,
        /// The upload roots.
        roots: String,
    },
    /// A link in a folder leads out of the upload roots.
    #[error(
        "{path:?} is a link that does not lead to a file under {roots}; remove it and try again"
    )]
    LinkOutsideUploadRoots {
        /// The link.
        path: String,
        /// The upload roots.
        roots: String,
    },
    /// A folder cannot be searched for links, or holds too many files.
    #[error("{path:?} cannot be uploaded: it must be readable and hold at most {limit} files")]
    UploadFolder {
        /// The folder.
        path: String,
        /// The most files in one folder.
        limit: usize,
    },
    /// The element is not a file field.
    #[error(
        "{target} is not a file field and does not belong to one; give the field, its label or its button"
    )]
    NotAFileField {
        /// The element.
        target: String,
    },
    /// Several files were given for a field that takes one.
    #[error("{target} takes one file only; give one path")]
    OneFileOnly {
        /// The field.
        target: String,
    },
    /// A file was given for a field that takes a folder.
    #[error("{path} is not a folder, and this field takes one")]
    NotAFolder {
        /// The file.
        path: String,
    },
    /// A folder was given for a field that takes files.
    #[error("{path} is a folder; give files")]
    NotAFile {
        /// The folder.
        path: String,
    },
    /// The field has different files.
    #[error("{target} took other files than were given")]
    OtherFiles {
        /// The field.
        target: String,
    },
    /// The wait is longer than allowed.
    #[error("a wait of {wanted} ms is too long; {limit} ms is the most")]
    WaitTooLong {
        /// The wait that was asked for, in milliseconds.
        wanted: u128,
        /// The longest wait, in milliseconds.
        limit: u128,
    },
    /// The condition did not become true in time.
    #[error("waited {waited} ms for {what} without result")]
    WaitTimedOut {
        /// How long the wait was, in milliseconds.
        waited: u128,
        /// The condition, in words.
        what: String,
    },
}

fn rest(count: usize) -> String {
    if count > 0 { format!(", … {count} more") } else { String::new() }
}

impl ActionError {
    /// Returns what the caller can do about it.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            ActionError::Gone { .. } | ActionError::Changed { .. } => Some(Hint::LookAgain),
            ActionError::PressWithoutClick { .. }
            | ActionError::ClickLost { .. }
            | ActionError::BoxUnchanged { .. }
            | ActionError::NoList { .. }
            | ActionError::OtherFiles { .. } => Some(Hint::Look),
            ActionError::ApartInView { .. } => Some(Hint::EnlargeTab),
            ActionError::NoDialog => Some(Hint::Look),
            ActionError::NoOptions { .. } => Some(Hint::ClickAndLook),
            ActionError::UploadsOff => Some(Hint::AllowUploads),
            ActionError::OutsideUploadRoots { .. } => Some(Hint::StayUnderUploadRoots),
            ActionError::WaitTimedOut { .. } => Some(Hint::LookOrWaitLonger),
            _ => None,
        }
    }
}
