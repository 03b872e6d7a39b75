//! Why an action failed. The messages name no tool; `hint` says as data what can be done.

use pagesight_core::hint::Hint;

/// Why an action failed. `target` is the element in words: `[14] button: Save`.
#[derive(Debug, thiserror::Error, Clone, PartialEq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum ActionError {
    #[error("{target} left the page just now")]
    Gone { target: String },
    #[error("nothing matches {target} after {waited} ms, so nothing was done{near}")]
    NoTarget { target: String, waited: u128, near: String },
    #[error("{target} cannot be used after {waited} ms, so nothing was done: {list}")]
    NoUsableTarget { target: String, waited: u128, list: String },
    #[error(
        "no element has the number {number}; if in means a text of the page, write it in quotes of its own"
    )]
    UnknownContainer { number: u32 },
    #[error("{count} elements match {target}, so nothing was done: {list}")]
    SeveralTargets { target: String, count: usize, list: String },
    #[error("{reason}, so nothing was done; give css=SELECTOR, a name or a printed line")]
    RefusedSelector { reason: String },
    #[error("{target} changed just now")]
    Changed { target: String },
    #[error("{target} is not visible; make it visible first")]
    Hidden { target: String },
    #[error("{target} is disabled")]
    Disabled { target: String },
    #[error("{target} is inert because of {by}")]
    Inert { target: String, by: String },
    #[error("{target} does not stop moving; try again")]
    Moving { target: String },
    #[error("{target} is covered by {cover}")]
    Covered { target: String, cover: String },
    #[error(
        "{target} cannot be reached: the page has locked the mouse to {by} (pointer lock); use the keyboard, or make the page release the mouse"
    )]
    PointerLocked { target: String, by: String },
    #[error("{target} cannot be scrolled into view")]
    OutOfView { target: String },
    #[error("{target} cannot be acted on ({reason})")]
    NotReady { target: String, reason: String },
    #[error(
        "the point {x},{y} lies outside of the viewport of {width}x{height}; scroll, or give a point inside"
    )]
    OutsideViewport { x: f64, y: f64, width: u32, height: u32 },
    #[error(
        "{target} got the press but no click: it was disabled, moved, went away or was covered in between"
    )]
    PressWithoutClick { target: String },
    #[error(
        "{target} did not get the click: it moved, went away, was disabled or covered under the mouse"
    )]
    ClickLost { target: String },
    #[error("{from} and {to} are not in view at the same time")]
    ApartInView { from: String, to: String },
    #[error("no dialog is open")]
    NoDialog,
    #[error("{target} is read-only")]
    ReadOnly { target: String },
    #[error(
        "{target} is not a field that text can be filled into; click it or use another element"
    )]
    NotAField { target: String },
    #[error(
        "{target} takes keys instead of text; press ArrowRight or ArrowLeft on it as often as needed"
    )]
    TakesArrowKeys { target: String },
    #[error("{target} does not keep the focus: the page moved it elsewhere; nothing was typed")]
    FocusMoved { target: String },
    #[error("{target} lost the focus just now; nothing was typed, try again")]
    FocusLost { target: String },
    #[error("{target} does not take or keep the focus; click it instead")]
    NoFocusForKey { target: String },
    #[error("{target} does not take or keep the focus; nothing was typed, click it first")]
    NoFocusForText { target: String },
    #[error(
        "{target} does not take {value:?}; give a value in the field's own format, such as 2026-03-01 for a date"
    )]
    ValueRefused { target: String, value: String },
    #[error("{target} stayed empty: it does not take {value}")]
    StayedEmpty { target: String, value: String },
    #[error(
        "{target} is in a document of {origin}, and {names} may be typed only in {allowed}; nothing was typed"
    )]
    SecretElsewhere { target: String, origin: String, names: String, allowed: String },
    #[error(
        "{target} is in a document of {origin}, and only documents of {allowed} may be acted on; allow its origin, or leave the action out"
    )]
    Elsewhere { target: String, origin: String, allowed: String },
    #[error("{target} is not a text field, so {names} was not typed; fill a text field with it")]
    SecretNeedsTextField { target: String, names: String },
    #[error("nothing has the focus, so {names} was not typed; give the element that it goes into")]
    SecretNeedsFocus { names: String },
    #[error(
        "a text of {length} characters is too long for fill; the limit is {limit}, give a shorter one"
    )]
    TextTooLong { length: usize, limit: usize },
    #[error(
        "a text of {length} characters cannot be typed; give 1 to {limit}, or use fill for longer ones"
    )]
    CannotType { length: usize, limit: usize },
    #[error("there is no box at {x},{y}; give its element")]
    NoBoxAt { x: f64, y: f64 },
    #[error("{target} is not a checkbox, radio button or switch; click it")]
    NotABox { target: String },
    #[error("{target} is a radio button, which cannot be unchecked; check another of its group")]
    RadioButton { target: String },
    #[error("{target} was clicked but is {state} now")]
    BoxUnchanged { target: String, state: &'static str },
    #[error("{target} opened no list of options")]
    NoList { target: String },
    #[error("{target} takes one option only; give one value")]
    OneOptionOnly { target: String },
    #[error("the option {option} of {target} is disabled")]
    OptionDisabled { target: String, option: String },
    #[error("{target} shows no options, so {option} cannot be chosen")]
    NoOptions { target: String, option: String },
    #[error("{target} has no option {option}; it has {}{}", .near.join(", "), rest(*.more))]
    NoSuchOption { target: String, option: String, near: Vec<String>, more: usize },
    #[error("{target} is covered, so the wheel cannot reach it")]
    WheelCovered { target: String },
    #[error("{target} is covered or out of view, so the wheel cannot reach it; scroll to it first")]
    WheelOutOfReach { target: String },
    #[error("{target} has nothing that scrolls this way")]
    NothingScrolls { target: String },
    #[error("the wheel did not reach {target}; try again")]
    WheelLost { target: String },
    #[error(
        "nothing was copied by key in this workspace, so there is nothing to paste; select a text and press Control+C first, or use type"
    )]
    NothingCopied,
    #[error(
        "nothing can hover on {device}: a touch screen has no mouse; click instead, or give the tab a size without touch"
    )]
    NoHover { device: String },
    #[error(
        "swipe needs a touch screen; let the tab stand in for a phone first, or use scroll or drag"
    )]
    NoTouchScreen,
    #[error("uploads are not allowed")]
    UploadsOff,
    #[error("upload takes 1 to {limit} paths, not {count}; give some")]
    UploadCount { count: usize, limit: usize },
    #[error("{path:?} is not a file under {roots}")]
    OutsideUploadRoots { path: String, roots: String },
    #[error(
        "{path:?} is a link that does not lead to a file under {roots}; remove it and try again"
    )]
    LinkOutsideUploadRoots { path: String, roots: String },
    #[error("{path:?} cannot be uploaded: it must be readable and hold at most {limit} files")]
    UploadFolder { path: String, limit: usize },
    #[error(
        "{target} is not a file field and does not belong to one; give the field, its label or its button"
    )]
    NotAFileField { target: String },
    #[error("{target} takes one file only; give one path")]
    OneFileOnly { target: String },
    #[error("{path} is not a folder, and this field takes one")]
    NotAFolder { path: String },
    #[error("{path} is a folder; give files")]
    NotAFile { path: String },
    #[error("{target} took other files than were given")]
    OtherFiles { target: String },
    #[error("times is {least} to {most}, not {times}")]
    TooManyTimes { times: u32, least: u32, most: u32 },
    #[error("only click and press can be repeated with times; leave times out")]
    NotRepeatable,
    #[error("max is 1 to {most}, not {max}")]
    WrongMax { max: u32, most: u32 },
    #[error("repeat and if may hold each other only {levels} levels deep; write fewer levels")]
    TooDeep { levels: usize },
    #[error("more than {most} actions would be run, with all repetitions; split the call")]
    TooManyRuns { most: u32 },
    #[error("repeated {done} times, but the condition is not met: {what}; give a larger max")]
    RepeatLimit { done: u32, what: String },
    #[error("a wait of {wanted} ms is too long; {limit} ms is the most")]
    WaitTooLong { wanted: u128, limit: u128 },
    #[error("waited {waited} ms for {what} without result")]
    WaitTimedOut { waited: u128, what: String },
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
            ActionError::NoDialog | ActionError::NoTarget { .. } => Some(Hint::Look),
            ActionError::SeveralTargets { .. } => Some(Hint::NarrowTarget),
            ActionError::NoOptions { .. } => Some(Hint::ClickAndLook),
            ActionError::UploadsOff => Some(Hint::AllowUploads),
            ActionError::OutsideUploadRoots { .. } => Some(Hint::StayUnderUploadRoots),
            ActionError::WaitTimedOut { .. } => Some(Hint::LookOrWaitLonger),
            _ => None,
        }
    }
}
