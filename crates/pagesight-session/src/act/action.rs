//! The public types of acting: the actions, their targets, and their results.

use std::time::Duration;

use pagesight_browser::KeyChord;

use crate::error::{Result, SessionError};

/// The target of an action.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// An element, by a reference.
    Element(String),
    /// A point in the viewport, in CSS pixels.
    Point(f64, f64),
}

impl Target {
    fn reference(&self) -> Option<&str> {
        match self {
            Target::Element(reference) => Some(reference),
            Target::Point(..) => None,
        }
    }
}

/// What to wait for.
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
pub enum Action {
    /// Click with the main button.
    Click(Target),
    /// Click twice.
    DoubleClick(Target),
    /// Click with the secondary button.
    RightClick(Target),
    /// Move the mouse there.
    Hover(Target),
    /// Check or uncheck a box.
    Check {
        /// The box.
        target: Target,
        /// Whether it should be checked.
        on: bool,
    },
    /// Replace the value of a field.
    Fill {
        /// The field's reference.
        element: String,
        /// The new value.
        text: String,
    },
    /// Type text key by key.
    Type {
        /// The element to focus first; without it, the text goes to the element that has the focus.
        element: Option<String>,
        /// The text.
        text: String,
    },
    /// Choose options.
    Select {
        /// The list's reference.
        element: String,
        /// Values or labels of the options.
        values: Vec<String>,
    },
    /// Scroll an element into view, or its contents or the page by some pixels.
    Scroll {
        /// The element; without it, the page.
        element: Option<String>,
        /// How far to the right.
        dx: f64,
        /// How far down.
        dy: f64,
    },
    /// Drag with the mouse.
    Drag {
        /// Where it begins.
        from: Target,
        /// Where it ends.
        to: Target,
    },
    /// Set the files of a file field.
    Upload {
        /// The reference of the field, its label or its button.
        element: String,
        /// The files.
        paths: Vec<String>,
    },
    /// Press a key, with modifiers.
    Press {
        /// The key, with its modifiers.
        key: KeyChord,
        /// The element to focus first.
        element: Option<String>,
    },
    /// Answer the open JavaScript dialog.
    Dialog {
        /// Whether to accept it.
        accept: bool,
        /// The text to enter into a prompt.
        text: Option<String>,
    },
    /// Wait for a condition.
    Wait {
        /// The condition.
        until: WaitFor,
        /// The longest wait.
        limit: Duration,
    },
}

impl Action {
    /// Whether the action may use suggestions for a text that the action before it typed.
    pub(super) fn may_use_suggestions(&self) -> bool {
        matches!(
            self,
            Action::Click(_)
                | Action::DoubleClick(_)
                | Action::RightClick(_)
                | Action::Hover(_)
                | Action::Press { .. }
                | Action::Select { .. }
        )
    }

    /// Returns the references that the action names.
    pub(crate) fn references(&self) -> Vec<&str> {
        match self {
            Action::Click(target)
            | Action::DoubleClick(target)
            | Action::RightClick(target)
            | Action::Hover(target)
            | Action::Check { target, .. } => target.reference().into_iter().collect(),
            Action::Drag { from, to } => {
                [from.reference(), to.reference()].into_iter().flatten().collect()
            }
            Action::Fill { element, .. }
            | Action::Select { element, .. }
            | Action::Upload { element, .. } => vec![element],
            Action::Type { element, .. }
            | Action::Scroll { element, .. }
            | Action::Press { element, .. } => element.as_deref().into_iter().collect(),
            Action::Dialog { .. } | Action::Wait { .. } => Vec::new(),
        }
    }
}

/// The result of one action.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionReport {
    /// The line that reports it, or the error.
    pub result: Result<String>,
}

impl ActionReport {
    /// Whether the action failed.
    pub fn failed(&self) -> bool {
        self.result.is_err()
    }
}

/// The changes of a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchChanges {
    /// The changes as text that ends with a line break.
    Seen(String),
    /// The page could not be looked at after the batch.
    Unseen(SessionError),
    /// The page did not answer in time.
    TooLate,
}

/// The result of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Acted {
    /// One report per action that was run.
    pub reports: Vec<ActionReport>,
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
        self.reports.last().is_some_and(ActionReport::failed)
    }
}
