//! Acting on a page: each action makes sure that it has the right element, uses real browser input,
//! waits until what it caused has come to rest, and answers with one line. A batch stops at the
//! first that fails.

mod batch;
mod checkbox;
mod diff;
mod drag;
mod fill;
mod input;
mod keys;
mod prefetch;
mod report;
mod scroll;
mod select;
mod target;
mod upload;
mod wait_for;

use std::sync::Arc;
use std::time::Duration;

use batch::Actor;
use pagesight_browser::KeyChord;

use crate::error::{Result, SessionError};
use crate::session::Session;
use crate::tab::record::TabRecord;
use crate::wait::settle::Mark;

/// The longest text that `fill` takes, in characters.
const LONGEST_TEXT: usize = 1_000_000;
/// The longest text that `type` takes, in characters; each is a key.
const LONGEST_TYPED: usize = 10_000;
/// How long a batch may take.
const BATCH_LIMIT: Duration = Duration::from_secs(50);

/// How long telling what it changed may take beyond that.
const TELL_LIMIT: Duration = Duration::from_secs(3);

/// What is said where that did not do.
const TOO_LATE: &str = "what changed could not be seen in time; call inspect_tab\n";

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionReport {
    /// The line that tells it.
    pub line: String,
    /// Whether it failed.
    pub failed: bool,
}

/// What a batch came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acted {
    /// One report for each action that was run.
    pub reports: Vec<ActionReport>,
    /// How many were not run.
    pub not_run: usize,
    /// New console errors and failed requests, in one line.
    pub trouble: Option<String>,
    /// What they changed, ending with a line break; none if that is turned off, cannot be told or
    /// was told already.
    pub changes: Option<String>,
}

impl Acted {
    /// Whether an action failed.
    pub fn failed(&self) -> bool {
        self.reports.last().is_some_and(|report| report.failed)
    }
}

impl Session {
    /// Runs actions in order and stops at the first that fails. What they changed is told in at
    /// most `max_tokens` tokens.
    pub async fn act(
        &self,
        tab: &Arc<TabRecord>,
        actions: &[Action],
        max_tokens: usize,
    ) -> Result<Acted> {
        let deadline = tokio::time::Instant::now() + BATCH_LIMIT;
        let _turn = tab.turn().await?;
        let mark = Mark::now(tab, &self.shared);
        let mut actor = Actor::new(self, tab);
        actor.look_before().await;
        let mut reports = Vec::with_capacity(actions.len());
        for action in actions {
            let done = match tokio::time::timeout_at(deadline, actor.run(action)).await {
                Ok(done) => done,
                Err(_) => Err(SessionError::TookTooLong { seconds: BATCH_LIMIT.as_secs() }),
            };
            let failed = done.is_err();
            let line = done.unwrap_or_else(|error| format!("failed: {error}"));
            reports.push(ActionReport { line, failed });
            if failed {
                break;
            }
        }
        let not_run = actions.len() - reports.len();
        let failed = reports.last().is_some_and(|report| report.failed);
        // What was done must be told, even if what it changed cannot be.
        let navigated = tab.facts.now().committed > mark.committed;
        let told = tokio::time::timeout_at(
            deadline + TELL_LIMIT,
            actor.changes(max_tokens, failed, navigated),
        )
        .await;
        let changes = told.unwrap_or_else(|_| Some(TOO_LATE.to_owned()));
        if let Some(settled) = actor.settled {
            tracing::debug!("told {} µs after it had settled", settled.elapsed().as_micros());
        }
        Ok(Acted { reports, not_run, trouble: mark.trouble(tab), changes })
    }
}
