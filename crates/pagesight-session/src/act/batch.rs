//! Runs a batch of actions one after the other. It stops at the first action that fails.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{Gesture, MouseButton};
use pagesight_core::refs::RefError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::action::{Acted, Action, BatchChanges, Target};
use super::actor::{Actor, Aim, Aimed};
use super::condition::Condition;
use super::control::{BATCH_LIMIT, MOST_SLIPS, check_level, check_max, slipped_away, too_late};
use super::error::ActionError;
use super::fill::check_filled;
use super::given::GivenElement;
use super::input::Arrival;
use super::keys::check_typed;
use super::times::check_times;
use super::upload::allowed;
use super::wait_for::{check_limit, check_wait};
use crate::error::{Result, SessionError};
use crate::page_script::Handling;
use crate::session::Session;
use crate::tab::record::TabRecord;
use crate::wait::settle::Checkpoint;

/// How much longer the report of the changes may take. Both together stay below the 50 s of a call.
const REPORT_LIMIT: Duration = Duration::from_secs(3);

impl Session {
    /// Runs actions in order and stops at the first that fails. The changes are reported in at most
    /// `max_tokens` tokens; without it, a diff takes up to 1,000 and the outline of a new page 400.
    pub async fn act(
        &self,
        tab: &Arc<TabRecord>,
        actions: &[Action],
        max_tokens: Option<usize>,
    ) -> Result<Acted> {
        self.act_until(tab, actions, max_tokens, &CancellationToken::new()).await
    }

    /// Runs actions as [`Session::act`] does, until `stop` is given: no further action is run then,
    /// and a wait ends.
    pub async fn act_until(
        &self,
        tab: &Arc<TabRecord>,
        actions: &[Action],
        max_tokens: Option<usize>,
        stop: &CancellationToken,
    ) -> Result<Acted> {
        let deadline = Instant::now() + BATCH_LIMIT;
        let _turn = tokio::select! {
            turn = tab.turn() => turn?,
            () = stop.cancelled() => return Err(SessionError::Cancelled),
        };
        let checkpoint = Checkpoint::now(tab, &self.shared);
        // Checks that need no page come before the first action.
        if let Some(error) =
            actions.iter().find_map(|action| self.check_ahead(tab, action, 0).err())
        {
            let reports = vec![Err(error)];
            return Ok(Acted { reports, not_run: actions.len() - 1, trouble: None, changes: None });
        }
        let mut actor = Actor::new(self, tab, deadline, stop);
        actor.look_before().await;
        // Looks from here on show what the actions changed.
        tab.answers().answered = None;
        let mut reports = Vec::with_capacity(actions.len());
        let begun = actor.run_all(actions, &mut reports).await;
        if let Some(checkpoint) = actor.unsettled {
            // The last action did not wait for the page, or failed.
            let _ = actor.settle(&checkpoint).await;
        }
        let not_run = actions.len() - begun;
        if stop.is_cancelled() {
            return Ok(Acted { reports, not_run, trouble: None, changes: None });
        }
        let failed = reports.last().is_some_and(Result::is_err);
        // The actions are reported even if their changes are not known.
        let navigated = tab.state.now().committed > checkpoint.committed;
        let changes = tokio::time::timeout_at(
            deadline + REPORT_LIMIT,
            actor.changes(max_tokens, failed, navigated),
        )
        .await;
        let changes = changes.unwrap_or(Some(BatchChanges::TooLate));
        if let Some(settled) = actor.settled {
            tracing::debug!("answered {} µs after it had settled", settled.elapsed().as_micros());
        }
        let trouble = self.new_problems(tab);
        Ok(Acted { reports, not_run, trouble, changes })
    }

    /// Checks what an action needs apart from the page: references that exist, files that may be
    /// uploaded, limits. A stale reference may become valid again during a batch, by going back.
    fn check_ahead(&self, tab: &TabRecord, action: &Action, level: usize) -> Result<()> {
        let element = action.condition().and_then(Condition::element);
        let elements = || action.elements().chain(element);
        for given in elements() {
            let Some(reference) = given.given_reference() else { continue };
            match self.resolve(tab, reference) {
                Err(SessionError::Reference(RefError::Navigated { .. })) | Ok(_) => {}
                // The first cell of a row may be a number, too.
                Err(SessionError::Reference(RefError::Unknown { number }))
                    if given.target().is_some() =>
                {
                    return Err(ActionError::UnknownContainer { number }.into());
                }
                Err(error) => return Err(error),
            }
        }
        for target in elements().filter_map(GivenElement::target) {
            check_limit(target.limit)?;
        }
        for held in action.held() {
            check_level(level + 1)?;
            self.check_ahead(tab, held, level + 1)?;
        }
        match action {
            Action::Repeat { max, .. } => check_max(*max)?,
            Action::If { limit, .. } => check_limit(*limit)?,
            Action::Upload { paths, .. } => {
                allowed(&self.options.upload_roots, paths)?;
            }
            Action::Times { action, times } => {
                check_times(*times)?;
                if !matches!(**action, Action::Click(_) | Action::Press { .. }) {
                    return Err(ActionError::NotRepeatable.into());
                }
            }
            Action::Fill { text, .. } => check_filled(text)?,
            Action::Type { text, .. } => check_typed(text)?,
            Action::Wait { until, limit } => check_wait(until, *limit)?,
            _ => {}
        }
        Ok(())
    }
}

/// Returns the reference of an element that an action may do without.
fn reference(element: &Option<GivenElement>) -> Option<&str> {
    element.as_ref().map(GivenElement::reference)
}

impl Actor<'_> {
    /// Runs an action when its turn comes: looks up its targets first, and again if the page
    /// re-rendered what was found before anything was done with it.
    pub(super) async fn take_turn(&mut self, action: &Action) -> Result<String> {
        let named = action.elements().any(|element| element.target().is_some());
        let has_not_begun =
            matches!(action, Action::Click(_) | Action::Hover(_) | Action::Fill { .. });
        for _ in 0..MOST_SLIPS {
            let result = self.try_turn(action).await;
            let slipped = match &result {
                Err(error @ SessionError::Action(_)) => has_not_begun && slipped_away(error),
                Err(error) => named && slipped_away(error),
                Ok(_) => false,
            };
            if !slipped {
                return result;
            }
            self.look = None;
        }
        self.try_turn(action).await
    }

    async fn try_turn(&mut self, action: &Action) -> Result<String> {
        let (deadline, stop) = (self.deadline, self.stop);
        let action = tokio::select! {
            found = tokio::time::timeout_at(deadline, self.looked_up(action)) => {
                found.unwrap_or_else(|_| Err(too_late()))?
            }
            () = stop.cancelled() => return Err(SessionError::Cancelled),
        };
        let running = tokio::time::timeout_at(deadline, self.run(&action));
        let result = match action.as_ref() {
            // A wait can end at any time; input must not end halfway.
            Action::Wait { .. } => tokio::select! {
                result = running => result,
                () = stop.cancelled() => return Err(SessionError::Cancelled),
            },
            _ => running.await,
        };
        result.unwrap_or_else(|_| Err(too_late()))
    }

    /// Runs an action whose targets were looked up.
    async fn run(&mut self, action: &Action) -> Result<String> {
        self.often.clear();
        match action {
            Action::Times { action, times } => self.run_times(action, *times).await,
            _ => self.run_one(action).await,
        }
    }

    /// Runs an action once.
    pub(super) async fn run_one(&mut self, action: &Action) -> Result<String> {
        (self.still_changing, self.said_unchanged) = (0, false);
        if !matches!(action, Action::Dialog { .. }) {
            self.session.check_tab(self.tab)?;
            self.tab.state.now().dialogs = 0;
            // Further documents are asked where they are acted on.
            self.admit_document(None, "the page").await?;
        }
        match action {
            Action::Click(target) => self.click(target, "clicked", MouseButton::Left, 1).await,
            Action::DoubleClick(target) => {
                self.click(target, "double-clicked", MouseButton::Left, 2).await
            }
            Action::RightClick(target) => {
                self.click(target, "right-clicked", MouseButton::Right, 1).await
            }
            Action::Hover(target) => {
                self.check_hover()?;
                let Aimed { aim: Aim { x, y, via }, words, .. } =
                    self.aim(target, Handling::Hover).await?;
                self.perform(&format!("hovered {words}"), Gesture::Move { x, y, via }).await
            }
            Action::Check { target, on } => self.check(target, *on).await,
            Action::Fill { element, text } => self.fill(element.reference(), text).await,
            Action::Type { element, text } => self.type_text(reference(element), text).await,
            Action::Press { key, element } => self.press(key, reference(element)).await,
            Action::Select { element, values } => self.select(element.reference(), values).await,
            Action::Scroll { element, dx, dy } => self.scroll(reference(element), *dx, *dy).await,
            Action::Drag { from, to } => self.drag(from, to).await,
            Action::Swipe { element, dx, dy } => self.swipe(element.as_ref(), *dx, *dy).await,
            Action::Upload { element, paths } => self.upload(element.reference(), paths).await,
            Action::Dialog { accept, text } => self.dialog(*accept, text.as_deref()).await,
            // It repeats an action that can be run once.
            Action::Times { .. } | Action::Repeat { .. } | Action::If { .. } => {
                Err(ActionError::NotRepeatable.into())
            }
            Action::Wait { until, limit } => {
                self.look = None;
                let line = self.session.wait_in_turn(self.tab, until, *limit).await?;
                Ok(line + &self.awaited_line(until).await)
            }
        }
    }

    async fn click(
        &mut self,
        target: &Target,
        verb: &'static str,
        button: MouseButton,
        count: u8,
    ) -> Result<String> {
        let handling = match (button, count) {
            (MouseButton::Right, _) => Handling::RightClick,
            (_, 2) => Handling::DoubleClick,
            _ => Handling::Click,
        };
        let Aimed { aim: Aim { x, y, via }, words, found } = self.aim(target, handling).await?;
        let arrival = found.map(|found| Arrival { words: words.clone(), frame: found.path.frame });
        let gesture = Gesture::Click { x, y, via, button, count, adds: false };
        let effect = self.carry_out(&gesture, arrival).await?;
        let done = format!("{} {words}{}", effect.click_verb(verb), self.often);
        self.report(&done, &effect).await
    }
}
