//! Repeats a click or a key press. Between two of them, the page may re-render the element; then it
//! is found again only if there is no doubt that it is the same control.

use std::sync::Arc;

use pagesight_core::page::{NodeId, Page};
use pagesight_core::targets::SameControls;
use tokio::time::Instant;

use super::action::{Action, Target};
use super::actor::Actor;
use super::control::{MOST_SLIPS, slipped_away, too_late};
use super::error::ActionError;
use super::given::GivenElement;
use crate::error::{Result, SessionError};

/// How often an action may be repeated.
pub(super) const MOST_TIMES: u32 = 50;
const FEWEST_TIMES: u32 = 2;

/// Checks how often an action is to be repeated.
pub(super) fn check_times(times: u32) -> Result<()> {
    match times {
        FEWEST_TIMES..=MOST_TIMES => Ok(()),
        _ => Err(ActionError::TooManyTimes { times, least: FEWEST_TIMES, most: MOST_TIMES }.into()),
    }
}

impl Actor<'_> {
    /// Runs an action several times and returns the line of the last time.
    pub(super) async fn run_times(&mut self, action: &Action, times: u32) -> Result<String> {
        let mut action = action.clone();
        let mut before = None;
        let mut last = String::new();
        for done in 0..times {
            if done + 1 == times {
                self.often = format!(" — {times} times");
            }
            let mut slips = 0;
            let line = loop {
                let line = match self.once_more(&mut action, &mut before).await {
                    Ok(()) => self.run_one(&action).await,
                    Err(error) => Err(error),
                };
                match line {
                    Err(error) if slipped_away(&error) && slips < MOST_SLIPS => self.look = None,
                    line => break line,
                }
                slips += 1;
            };
            last = match line {
                Ok(line) => line,
                Err(error) if done == 0 => return Err(error),
                Err(error) => return Err(stopped(done, times, error)),
            };
            let is_last = done + 1 == times;
            if !is_last && self.stop.is_cancelled() {
                return Err(stopped(done + 1, times, SessionError::Cancelled));
            }
            if !is_last && Instant::now() >= self.deadline {
                return Err(stopped(done + 1, times, too_late()));
            }
        }
        Ok(last)
    }

    /// Finds the element of an action, again if the page re-rendered it. `before` is where it was
    /// the last time.
    async fn once_more(
        &mut self,
        action: &mut Action,
        before: &mut Option<(Arc<Page>, NodeId)>,
    ) -> Result<()> {
        let Some(element) = element_of(action) else { return Ok(()) };
        let error = match self.locate(element.reference()).await {
            Ok(found) => {
                *before = found;
                return Ok(());
            }
            Err(error @ SessionError::Reference(_)) => error,
            Err(error) => return Err(error),
        };
        let Some((page, was)) = before else { return Err(error) };
        let look = self.session.look_in_turn(self.tab, None, false).await?;
        let Some(now) = SameControls::new(page, &look.page).find(*was) else { return Err(error) };
        *element = GivenElement::Reference(self.session.reference(&look, now));
        *before = self.locate(element.reference()).await?;
        Ok(())
    }

    /// Finds the element of a reference, and keeps the look for the action.
    async fn locate(&mut self, reference: &str) -> Result<Option<(Arc<Page>, NodeId)>> {
        let found = self.find(reference).await?;
        self.fresh = self.look.is_some();
        Ok(self.look.as_ref().and_then(|look| {
            let id = look.page.find(&found.reference.document, found.local)?;
            Some((look.page.clone(), id))
        }))
    }
}

/// Returns the element of an action that can be repeated.
fn element_of(action: &mut Action) -> Option<&mut GivenElement> {
    match action {
        Action::Click(Target::Element(element)) => Some(element),
        Action::Press { element, .. } => element.as_mut(),
        _ => None,
    }
}

fn stopped(done: u32, times: u32, error: SessionError) -> SessionError {
    SessionError::StoppedEarly { done, times, error: Box::new(error) }
}
