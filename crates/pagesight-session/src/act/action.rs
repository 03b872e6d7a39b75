//! The public types of acting: the actions, their targets, and their results.

use std::time::Duration;

use pagesight_browser::KeyChord;
use pagesight_core::render::Outline;

use super::condition::Condition;
use super::given::GivenElement;
use crate::error::{Result, SessionError};

/// The target of an action.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// An element.
    Element(GivenElement),
    /// A point in the viewport, in CSS pixels.
    Point(f64, f64),
}

impl Target {
    fn element(&self) -> Option<&GivenElement> {
        match self {
            Target::Element(element) => Some(element),
            Target::Point(..) => None,
        }
    }

    fn element_mut(&mut self) -> Option<&mut GivenElement> {
        match self {
            Target::Element(element) => Some(element),
            Target::Point(..) => None,
        }
    }
}

/// A condition to wait for.
#[derive(Clone, Debug, PartialEq)]
pub enum WaitFor {
    /// This text is on the page.
    Text(String),
    /// This text is no longer on the page.
    Gone(String),
    /// The URL contains this.
    Url(String),
    /// This much time has passed.
    Time(Duration),
}

/// One action.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the comment of a variant describes its fields")]
pub enum Action {
    /// Clicks with the main button.
    Click(Target),
    /// Clicks twice.
    DoubleClick(Target),
    /// Clicks with the secondary button.
    RightClick(Target),
    /// Moves the mouse there.
    Hover(Target),
    /// Checks a box, or unchecks it.
    Check { target: Target, on: bool },
    /// Replaces the value of a field.
    Fill { element: GivenElement, text: String },
    /// Types text key by key: into an element, or into the one that has the focus.
    Type { element: Option<GivenElement>, text: String },
    /// Chooses options of a list, by their values or labels.
    Select { element: GivenElement, values: Vec<String> },
    /// Scrolls by some pixels to the right and down: the contents of an element, or the page.
    /// Without a distance, scrolls the element into view.
    Scroll { element: Option<GivenElement>, dx: f64, dy: f64 },
    /// Swipes by some pixels to the right and down: over an element, or over the page. Only on a
    /// touch screen.
    Swipe { element: Option<GivenElement>, dx: f64, dy: f64 },
    /// Drags with the mouse, or with a finger on a touch screen.
    Drag { from: Target, to: Target },
    /// Sets the files of a file field, given by the field, its label or its button.
    Upload { element: GivenElement, paths: Vec<String> },
    /// Presses a key with its modifiers: in an element, or in the one that has the focus.
    Press { key: KeyChord, element: Option<GivenElement> },
    /// Runs a click or a key press 2 to 50 times.
    Times { action: Box<Action>, times: u32 },
    /// Runs actions until a condition is met, which is tested before each time; at most `max`
    /// times.
    Repeat { actions: Vec<Action>, until: Condition, max: u32 },
    /// Runs the actions of `then` if a condition is met at once or within `limit`, and else the
    /// others.
    If { condition: Condition, limit: Duration, then: Vec<Action>, otherwise: Vec<Action> },
    /// Answers the open JavaScript dialog, a prompt with a text.
    Dialog { accept: bool, text: Option<String> },
    /// Waits for a condition, at most this long.
    Wait { until: WaitFor, limit: Duration },
}

impl Action {
    /// Whether the action may use suggestions for a text that the action before it typed.
    pub(super) fn may_use_suggestions(&self) -> bool {
        matches!(
            self.repeated(),
            Action::Click(_)
                | Action::DoubleClick(_)
                | Action::RightClick(_)
                | Action::Hover(_)
                | Action::Press { .. }
                | Action::Select { .. }
        )
    }

    /// Returns how many actions were written: itself and those that it holds.
    pub fn count(&self) -> usize {
        1 + self.held().map(Action::count).sum::<usize>()
    }

    /// Returns the actions that it holds.
    pub(crate) fn held(&self) -> impl Iterator<Item = &Action> {
        let (one, other): (&[Action], &[Action]) = match self {
            Action::Repeat { actions, .. } => (actions, &[]),
            Action::If { then, otherwise, .. } => (then, otherwise),
            _ => (&[], &[]),
        };
        one.iter().chain(other)
    }

    /// Returns the condition that it tests.
    pub(crate) fn condition(&self) -> Option<&Condition> {
        match self {
            Action::Repeat { until, .. } => Some(until),
            Action::If { condition, .. } => Some(condition),
            _ => None,
        }
    }

    /// Returns the action that is repeated, or the action itself.
    fn repeated(&self) -> &Action {
        if let Action::Times { action, .. } = self { action } else { self }
    }

    /// Returns the references that the caller gave, also in the actions that it holds.
    pub fn references(&self) -> Vec<&str> {
        let condition = self.condition().and_then(Condition::element);
        let own = self.elements().chain(condition).filter_map(GivenElement::given_reference);
        own.chain(self.held().flat_map(Action::references)).collect()
    }

    /// Returns the elements that the action names.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &GivenElement> {
        let [one, other] = match self.repeated() {
            Action::Click(target)
            | Action::DoubleClick(target)
            | Action::RightClick(target)
            | Action::Hover(target)
            | Action::Check { target, .. } => [target.element(), None],
            Action::Drag { from, to } => [from.element(), to.element()],
            Action::Fill { element, .. }
            | Action::Select { element, .. }
            | Action::Upload { element, .. } => [Some(element), None],
            Action::Type { element, .. }
            | Action::Scroll { element, .. }
            | Action::Swipe { element, .. }
            | Action::Press { element, .. } => [element.as_ref(), None],
            Action::Dialog { .. }
            | Action::Wait { .. }
            | Action::Times { .. }
            | Action::Repeat { .. }
            | Action::If { .. } => [None, None],
        };
        one.into_iter().chain(other)
    }

    /// Returns the elements that the action names, for replacing them.
    pub(crate) fn elements_mut(&mut self) -> impl Iterator<Item = &mut GivenElement> {
        let action = if let Action::Times { action, .. } = self { action } else { self };
        let [one, other] = match action {
            Action::Click(target)
            | Action::DoubleClick(target)
            | Action::RightClick(target)
            | Action::Hover(target)
            | Action::Check { target, .. } => [target.element_mut(), None],
            Action::Drag { from, to } => [from.element_mut(), to.element_mut()],
            Action::Fill { element, .. }
            | Action::Select { element, .. }
            | Action::Upload { element, .. } => [Some(element), None],
            Action::Type { element, .. }
            | Action::Scroll { element, .. }
            | Action::Swipe { element, .. }
            | Action::Press { element, .. } => [element.as_mut(), None],
            Action::Dialog { .. }
            | Action::Wait { .. }
            | Action::Times { .. }
            | Action::Repeat { .. }
            | Action::If { .. } => [None, None],
        };
        one.into_iter().chain(other)
    }
}

/// The changes of a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchChanges {
    /// The changes as text that ends with a line break.
    Seen(String),
    /// The actions led to a different page.
    NewPage(Box<Outline>),
    /// The page could not be looked at after the batch.
    Unseen(SessionError),
    /// The page did not answer in time.
    TooLate,
}

/// The result of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Acted {
    /// One per action that was run: the line that reports it, or the error.
    pub reports: Vec<Result<String>>,
    /// How many actions were not run.
    pub not_run: usize,
    /// New console errors and failed requests, in one line.
    pub trouble: Option<String>,
    /// The changes; none if page diffing is off, or if they are unknown or already reported.
    pub changes: Option<BatchChanges>,
}

impl Acted {
    /// Whether an action failed.
    pub fn failed(&self) -> bool {
        self.reports.last().is_some_and(Result::is_err)
    }
}
