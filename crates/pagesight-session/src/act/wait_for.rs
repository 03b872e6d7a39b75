//! Waits for a condition that the caller names: a text, the absence of a text, a URL, or a time.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use pagesight_browser::BrowserError;
use pagesight_core::render::line_of_text;
use pagesight_core::text::address::display;
use pagesight_core::text::escape::value;
use tokio::time::Instant;

use super::action::WaitFor;
use super::actor::Actor;
use super::error::ActionError;
use crate::error::{Result, SessionError};
use crate::page_script::Awaited;
use crate::session::Session;
use crate::tab::record::TabRecord;
use crate::tab::state::TabState;

/// The longest wait that a caller can ask for.
const LONGEST: Duration = Duration::from_secs(25);
/// How long a frame may take to say whether it shows a text.
const ASK_LIMIT: Duration = Duration::from_secs(5);
/// How long a frame may take to say whether it may be waited for.
const ORIGIN_LIMIT: Duration = Duration::from_secs(1);

/// Checks the length of a wait.
pub(super) fn check_wait(until: &WaitFor, limit: Duration) -> Result<()> {
    check_limit(if let WaitFor::Time(time) = until { *time } else { limit })
}

/// Checks how long a caller wants to wait.
pub(super) fn check_limit(wanted: Duration) -> Result<()> {
    if wanted > LONGEST {
        let (wanted, limit) = (wanted.as_millis(), LONGEST.as_millis());
        return Err(ActionError::WaitTooLong { wanted, limit }.into());
    }
    Ok(())
}

impl Actor<'_> {
    /// Returns the line of the page with the text that was waited for, whether it is new or not;
    /// empty if no single line has it.
    pub(super) async fn awaited_line(&mut self, until: &WaitFor) -> String {
        let WaitFor::Text(text) = until else { return String::new() };
        let Ok(look) = self.session.look_in_turn(self.tab, None, false).await else {
            return String::new();
        };
        let mut references = self.session.shared.references();
        let line = line_of_text(&look.page, text, &mut references.numbering(&look.page));
        drop(references);
        self.look = Some(look);
        line.map_or(String::new(), |line| format!(" — {line}"))
    }
}

impl Session {
    /// Waits on behalf of a call that has the tab's turn, and returns its line.
    pub(crate) async fn wait_in_turn(
        &self,
        tab: &Arc<TabRecord>,
        until: &WaitFor,
        limit: Duration,
    ) -> Result<String> {
        let begun = Instant::now();
        let deadline = begun + limit;
        let (met, what) = match until {
            WaitFor::Time(time) => {
                // An event that stops the page ends the wait too.
                tab.state.wait(begun + *time, TabState::blocked).await;
                self.check_tab(tab)?;
                return Ok(format!("waited {} ms", begun.elapsed().as_millis()));
            }
            WaitFor::Url(part) => {
                // The address of a tab is known without its secrets.
                let part = display(part);
                let met = tab
                    .state
                    .wait(deadline, |state| state.url.contains(part.as_ref()).then_some(()))
                    .await;
                (met.is_some(), format!("the url to hold {}", value(&part, 100)))
            }
            WaitFor::Text(text) => (
                self.wait_for_text(tab, text, false, deadline).await?,
                format!("the text {}", value(text, 100)),
            ),
            WaitFor::Gone(text) => (
                self.wait_for_text(tab, text, true, deadline).await?,
                format!("the text {} to go", value(text, 100)),
            ),
        };
        let waited = begun.elapsed().as_millis();
        if met {
            Ok(format!("waited {waited} ms for {what}"))
        } else {
            self.check_tab(tab)?;
            Err(ActionError::WaitTimedOut { waited, what }.into())
        }
    }

    /// Whether a text is shown now, in any frame.
    pub(crate) async fn is_text_shown(&self, tab: &Arc<TabRecord>, text: &str) -> Result<bool> {
        let hides = !self.hidden_values().is_empty();
        for frame in self.frames(tab).await? {
            let script = tab.script(frame.as_deref(), ASK_LIMIT);
            let awaited = Awaited::Text(text);
            let shown = match hides {
                true => script.wait_for_masked_text(awaited, Instant::now()).await,
                false => script.wait_for_text(awaited, 0).await,
            };
            match shown {
                Ok(true) => return Ok(true),
                Err(error) if frame.is_none() => return Err(error.into()),
                // A frame that was removed shows nothing any more.
                Ok(false) | Err(_) => {}
            }
        }
        Ok(false)
    }

    /// Waits for a text to appear, or to disappear, in any frame.
    pub(crate) async fn wait_for_text(
        &self,
        tab: &Arc<TabRecord>,
        text: &str,
        gone: bool,
        deadline: Instant,
    ) -> Result<bool> {
        let awaited = if gone { Awaited::Gone(text) } else { Awaited::Text(text) };
        let hides = !self.hidden_values().is_empty();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            let loaded = tab.state.now().frames_loaded;
            let frames = self.frames(tab).await?;
            let mut asked: FuturesUnordered<_> = frames
                .iter()
                .map(|frame| {
                    let script = tab.script(frame.as_deref(), left + Duration::from_millis(500));
                    async move {
                        let answer = if hides {
                            script.wait_for_masked_text(awaited, deadline).await
                        } else {
                            script.wait_for_text(awaited, left.as_millis() as u64).await
                        };
                        (frame.is_none(), answer)
                    }
                })
                .collect();
            // A frame that appears meanwhile is included in the wait.
            let come =
                tab.state.wait(deadline, |state| (state.frames_loaded > loaded).then_some(()));
            tokio::pin!(come);
            let mut missing = false;
            let again = loop {
                tokio::select! {
                    Some((top, answer)) = asked.next() => match answer {
                        Ok(true) => {
                            if !gone {
                                return Ok(true);
                            }
                        }
                        Ok(false) => missing = true,
                        // The document was replaced: the wait continues in the new one, once it is
                        // committed.
                        Err(BrowserError::Navigated) if top => break true,
                        Err(BrowserError::TimedOut { .. }) => missing = true,
                        Err(error) if top => return Err(error.into()),
                        // A frame that was removed shows nothing any more.
                        Err(_) => {}
                    },
                    come = &mut come, if !asked.is_empty() => break come.is_some(),
                    else => break false,
                }
            };
            if !again {
                // A frame that has not answered by the deadline may still show the text.
                return Ok(gone && !missing && asked.is_empty());
            }
            let pause = Instant::now() + Duration::from_millis(50);
            tab.state.wait(pause.min(deadline), |state| (!state.navigating).then_some(())).await;
        }
    }

    /// Returns the visible frames of a page, the top frame first. Frames of origins that the
    /// options do not allow are left out.
    async fn frames(&self, tab: &Arc<TabRecord>) -> Result<Vec<Option<String>>> {
        match self.look_in_turn(tab, None, false).await {
            Ok(look) => {
                let mut frames = Vec::new();
                for document in &look.page.documents {
                    let frame = document.frame.clone();
                    let script = tab.script(frame.as_deref(), ORIGIN_LIMIT);
                    // The top document was asked before the wait.
                    if frame.is_none() || matches!(self.foreign(script).await, Ok(None)) {
                        frames.push(frame);
                    }
                }
                Ok(frames)
            }
            Err(SessionError::Browser(
                BrowserError::Navigated
                | BrowserError::TimedOut { .. }
                | BrowserError::Hangs { .. },
            )) => Ok(vec![None]),
            Err(error) => Err(error),
        }
    }
}
