//! Runs the actions of a batch in order, with those that `repeat` and `if` hold.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use pagesight_core::refs::RefError;

use super::action::Action;
use super::actor::Actor;
use super::condition::Condition;
use super::error::ActionError;
use crate::error::{Result, SessionError};

/// How long the actions of a batch may take.
pub(super) const BATCH_LIMIT: Duration = Duration::from_secs(46);

/// The most actions that one batch runs, with all repetitions.
const MOST_RUNS: u32 = 200;
/// How deep `repeat` and `if` may hold each other.
const LEVELS: usize = 2;

/// Checks how often actions may be repeated.
pub(super) fn check_max(max: u32) -> Result<()> {
    match max {
        1..=MOST_RUNS => Ok(()),
        _ => Err(ActionError::WrongMax { max, most: MOST_RUNS }.into()),
    }
}

/// Checks how deep an action is inside of others.
pub(super) fn check_level(level: usize) -> Result<()> {
    if level > LEVELS { Err(ActionError::TooDeep { levels: LEVELS }.into()) } else { Ok(()) }
}

impl Actor<'_> {
    /// Runs actions in order until one fails, and adds their lines. Returns how many were begun.
    pub(super) fn run_all<'x>(
        &'x mut self,
        actions: &'x [Action],
        reports: &'x mut Vec<Result<String>>,
    ) -> Pin<Box<dyn Future<Output = usize> + Send + 'x>> {
        Box::pin(async move {
            for (index, action) in actions.iter().enumerate() {
                let next = actions.get(index + 1);
                self.wants_suggestions = next.is_none_or(Action::may_use_suggestions);
                // Other actions may need what a page does a moment after a field was filled.
                self.fill_follows = matches!(next, Some(Action::Fill { .. }));
                if self.stop.is_cancelled() {
                    return index;
                }
                match action {
                    Action::Repeat { actions, until, max } => {
                        self.repeat(actions, until, *max, reports).await;
                    }
                    Action::If { condition, limit, then, otherwise } => {
                        let met = self.is_met_in_time(condition, *limit).await;
                        let is = if matches!(met, Ok(false)) { "not met" } else { "met" };
                        let chosen = if matches!(met, Ok(true)) { then } else { otherwise };
                        let failed = met.is_err();
                        reports.push(met.map(|_| format!("condition {is}: {}", condition.words())));
                        if !failed {
                            self.run_all(chosen, reports).await;
                        }
                    }
                    _ => {
                        self.runs += 1;
                        reports.push(match self.runs > MOST_RUNS {
                            true => Err(ActionError::TooManyRuns { most: MOST_RUNS }.into()),
                            false => self.take_turn(action).await,
                        });
                    }
                }
                if reports.last().is_some_and(Result::is_err) {
                    return index + 1;
                }
            }
            actions.len()
        })
    }

    /// Runs actions until a condition is met. Only the lines of the last time are kept.
    async fn repeat(
        &mut self,
        actions: &[Action],
        until: &Condition,
        max: u32,
        reports: &mut Vec<Result<String>>,
    ) {
        let begin = reports.len();
        for done in 0..=max {
            let what = until.words();
            match self.is_met_in_time(until, Duration::ZERO).await {
                Ok(true) => return reports.push(Ok(format!("repeated {}: {what}", times(done)))),
                Ok(false) if done == max => {
                    return reports.push(Err(ActionError::RepeatLimit { done, what }.into()));
                }
                Ok(false) => {}
                Err(error) => return reports.push(Err(error)),
            }
            if self.stop.is_cancelled() {
                return;
            }
            reports.truncate(begin);
            self.run_all(actions, reports).await;
            if reports.last().is_some_and(Result::is_err) {
                let line = format!("repeated {}, then an action failed", times(done));
                return reports.insert(begin, Ok(line));
            }
        }
    }

    /// Tests a condition within the time of the batch.
    async fn is_met_in_time(&mut self, condition: &Condition, limit: Duration) -> Result<bool> {
        let (deadline, stop) = (self.deadline, self.stop);
        tokio::select! {
            met = tokio::time::timeout_at(deadline, self.is_met(condition, limit)) => {
                met.unwrap_or_else(|_| Err(too_late()))
            }
            () = stop.cancelled() => Err(SessionError::Cancelled),
        }
    }
}

/// Returns that the time of a batch is over.
pub(super) fn too_late() -> SessionError {
    SessionError::TookTooLong { seconds: BATCH_LIMIT.as_secs() }
}

/// Returns how often: `1 time`, `2 times`.
fn times(count: u32) -> String {
    if count == 1 { "1 time".to_owned() } else { format!("{count} times") }
}

/// How often an action begins again because the page re-rendered its element.
pub(super) const MOST_SLIPS: u32 = 3;

/// Whether an element left the page before anything was done with it.
pub(super) fn slipped_away(error: &SessionError) -> bool {
    use RefError::{Gone, Rerendered};
    matches!(
        error,
        SessionError::Action(ActionError::Gone { .. })
            | SessionError::Reference(Gone { .. } | Rerendered { .. })
    )
}
