//! The public types of acting: the actions, what they aim at, and what came of them.

use std::time::Duration;

use pagesight_browser::KeyChord;

use crate::error::{Result, SessionError};

/// Where an action goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// An element, by a reference.
    Element(String),
    /// A point of the viewport, in CSS pixels.
    Point(f64, f64),
}

/// What to wait for.
#[derive(Clone, Debug, PartialEq)]
pub enum WaitFor {
    /// This text is on the page.
    Text(String),
    /// This text has gone.
    Gone(String),
    /// The address holds this.
    Url(String),
    /// This long.
    Time(Duration),
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Click with the main button.
    Click(Target),
    /// Click twice.
    DoubleClick(Target),
    /// Click with the other button.
    RightClick(Target),
    /// Move the mouse there.
    Hover(Target),
    /// Tick or untick a box.
    Check {
        /// The box.
        target: Target,
        /// Whether it is to be ticked.
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
        /// The element to focus first; else what has the focus.
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
        /// The element; else the page.
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
    /// Put files into a file field.
    Upload {
        /// The reference of the field, its label or its button.
        element: String,
        /// The files.
        paths: Vec<String>,
    },
    /// Press a key, with modifiers.
    Press {
        /// The key.
        key: KeyChord,
        /// The element to focus first.
        element: Option<String>,
    },
    /// Answer the open JavaScript dialog.
    Dialog {
        /// Whether to accept it.
        accept: bool,
        /// What to type into a prompt.
        text: Option<String>,
    },
    /// Wait for something.
    Wait {
        /// What for.
        until: WaitFor,
        /// How long at most.
        limit: Duration,
    },
}

/// What one action came to.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionReport {
    /// The line that reports it, or why it failed.
    pub result: Result<String>,
}

impl ActionReport {
    /// Whether the action failed.
    pub fn failed(&self) -> bool {
        self.result.is_err()
    }
}

/// What a batch changed.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchChanges {
    /// The changes in words, ending with a line break.
    Seen(String),
    /// The page could not be looked at afterwards.
    Unseen(SessionError),
    /// The page did not answer in time.
    TooLate,
}

/// What a batch came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Acted {
    /// One report for each action that was run.
    pub reports: Vec<ActionReport>,
    /// How many were not run.
    pub not_run: usize,
    /// New console errors and failed requests, in one line.
    pub trouble: Option<String>,
    /// What they changed; none if that is turned off, is not known or was reported already.
    pub changes: Option<BatchChanges>,
}

impl Acted {
    /// Whether an action failed.
    pub fn failed(&self) -> bool {
        self.reports.last().is_some_and(ActionReport::failed)
    }
}
