//! Performs real input and reports the effect: whether it arrived, whether the page changed, where
//! it led.

use std::time::Duration;

use pagesight_browser::{BrowserError, Gesture};
use pagesight_core::settle::{Overdue, Reason};
use pagesight_core::text::escape;
use tokio::time::Instant;

use super::actor::Actor;
use super::error::ActionError;
use crate::act::report::{Visible, consequence};
use crate::error::{Result, SessionError};
use crate::page_script::{HeldValue, InputResult};
use crate::wait::settle::{
    Checkpoint, SettleOutcome, SuggestingField, WaitOutcome, after_action, unmoved,
};

/// How long a frame must be quiet after a click in it, and the longest wait for that, in
/// milliseconds.
const FRAME_REST: u32 = 100;
const FRAME_REST_LIMIT: u32 = 1500;
/// How long to wait for a window that the page opened.
const WINDOW_LIMIT: Duration = Duration::from_secs(2);
/// How long to wait for its URL.
const ADDRESS_LIMIT: Duration = Duration::from_millis(500);

/// The element that a click must reach.
pub(super) struct Arrival {
    pub(super) words: String,
    /// The frame it is in.
    pub(super) frame: Option<String>,
}

/// The effect of a gesture, before it is reported.
pub(super) struct InputEffect {
    pub(super) outcome: SettleOutcome,
    checkpoint: Checkpoint,
    /// The visible state before the gesture; none if something changed that this state does not
    /// show.
    before: Option<Visible>,
    by_key: bool,
    /// The value that a click on an option left in its field, if it is not the option's.
    held: Option<HeldValue>,
    /// The effect of the press, if something took the rest of the click.
    only_press: Option<PressEffect>,
}

/// The effect of a press whose click went elsewhere.
#[derive(Clone, Copy)]
enum PressEffect {
    /// It opened a dialog, over the element.
    Dialog,
    /// A text field got the focus, and opened something over itself.
    Focus,
}

impl PressEffect {
    /// Returns the end of its line.
    fn words(self) -> &'static str {
        match self {
            PressEffect::Dialog => " — a dialog opened on the press, before the click",
            PressEffect::Focus => " — it got the focus on the press; the click went elsewhere",
        }
    }
}

impl InputEffect {
    /// Returns the verb of a click: it only pressed if something took the rest of it.
    pub(super) fn click_verb(&self, verb: &'static str) -> &'static str {
        if self.only_press.is_some() { "pressed" } else { verb }
    }
}

impl Actor<'_> {
    /// Performs a gesture that need not reach an element, waits for its effects, and reports them.
    pub(super) async fn perform(&mut self, done: &str, gesture: Gesture) -> Result<String> {
        let effect = self.carry_out(&gesture, None).await?;
        self.report(done, &effect).await
    }

    /// Returns the line of a performed gesture.
    pub(super) async fn report(&mut self, done: &str, effect: &InputEffect) -> Result<String> {
        let InputEffect { outcome, checkpoint, before, by_key, held, only_press } = effect;
        let mut line = self.report_outcome(done, outcome, checkpoint, *before, *by_key).await?;
        if let Some(HeldValue { value, changed }) = held {
            let since = if *changed { "now" } else { "still" };
            line.push_str(&format!(" — the field {since} holds {}", escape::value(value, 100)));
        }
        line.push_str(only_press.map_or("", PressEffect::words));
        Ok(line)
    }

    /// Performs a gesture and waits for its effects. `arrival` is the element that a click must
    /// reach.
    pub(super) async fn carry_out(
        &mut self,
        gesture: &Gesture,
        arrival: Option<Arrival>,
    ) -> Result<InputEffect> {
        let by_key = matches!(gesture, Gesture::Press { .. } | Gesture::Type { .. });
        let tab = self.tab;
        self.observe(tab.gesture(gesture), by_key, arrival).await
    }

    /// Performs any input and waits for its effects.
    pub(super) async fn observe(
        &mut self,
        input: impl Future<Output = pagesight_browser::Result<()>>,
        by_key: bool,
        arrival: Option<Arrival>,
    ) -> Result<InputEffect> {
        let before = self.look.take().map(|look| Visible::of(&look.page, by_key));
        let frame = arrival.as_ref().and_then(|arrival| arrival.frame.clone());
        if arrival.is_none() || frame.is_some() {
            self.script(None).watch_page().await?;
        }
        let checkpoint = Checkpoint::now(self.tab, &self.session.shared);
        match input.await {
            // The input closed the tab or opened a dialog; that is its outcome, reported below.
            Err(BrowserError::TabClosed | BrowserError::DialogOpen { .. }) => {}
            answer => answer?,
        }
        let outcome = self.settle(&checkpoint).await?;
        let (mut quiet, mut held, mut only_press) = (true, None, None);
        if outcome.stayed() {
            if frame.is_some() {
                let _ = self
                    .script(frame.as_deref())
                    .wait_for_quiet(FRAME_REST, FRAME_REST_LIMIT)
                    .await;
                let around = self.script(None).input_result().await;
                quiet = around.is_ok_and(|landed| landed.is_quiet());
            }
            // If the page does not answer, it is not reported as unchanged.
            let asked = self.script(frame.as_deref()).input_result().await;
            quiet &= asked.as_ref().is_ok_and(InputResult::is_quiet);
            let landed = asked.unwrap_or_default();
            held = landed.held.clone();
            let lost = landed.watched && !landed.clicked;
            if arrival.is_some() && lost {
                only_press = match (landed.dialog_opened, landed.focus_taken) {
                    (true, _) => Some(PressEffect::Dialog),
                    (false, true) => Some(PressEffect::Focus),
                    (false, false) => None,
                };
            }
            if let Some(Arrival { words, .. }) = arrival.filter(|_| lost && only_press.is_none()) {
                let target = words;
                return Err(match landed.pressed {
                    true => ActionError::PressWithoutClick { target },
                    false => ActionError::ClickLost { target },
                }
                .into());
            }
        }
        let before = before.filter(|_| quiet);
        Ok(InputEffect { outcome, checkpoint, before, by_key, held, only_press })
    }

    /// Notes whether the focused field of a frame may have suggestions, if they are needed. To be
    /// called before the text is typed, because the page may react at once.
    pub(super) async fn expect_suggestions(&mut self, frame: Option<&str>) -> Result<()> {
        self.suggesting = None;
        if self.wants_suggestions && self.script(frame).watch_reaction().await? {
            self.suggesting = Some(SuggestingField { frame: frame.map(str::to_owned) });
        }
        Ok(())
    }

    /// Waits until the effects of an action have settled.
    pub(super) async fn settle(&mut self, checkpoint: &Checkpoint) -> Result<SettleOutcome> {
        let suggesting = self.suggesting.take();
        let since = self.unsettled.take().unwrap_or(*checkpoint).at();
        let outcome =
            after_action(self.tab, checkpoint, since, Some(&|| self.glance()), suggesting).await;
        self.settled = Some(Instant::now());
        outcome
    }

    /// Waits until the effects of an action on a field have settled. If the page does not react and
    /// the next action fills a field too, that one waits for late effects.
    pub(super) async fn settle_field(
        &mut self,
        checkpoint: &Checkpoint,
        frame: Option<&str>,
    ) -> Result<SettleOutcome> {
        if self.fill_follows
            && self.suggesting.is_none()
            && frame.is_none()
            && let Some(outcome) = unmoved(self.tab, checkpoint).await
        {
            self.unsettled.get_or_insert(*checkpoint);
            return Ok(outcome);
        }
        self.settle(checkpoint).await
    }

    /// Waits for windows that the page opened, so that they can be reported.
    async fn await_windows(&self, checkpoint: &Checkpoint) {
        let wanted = self.tab.state.now().windows.saturating_sub(checkpoint.windows) as usize;
        let shared = &self.session.shared;
        let all_there = async {
            loop {
                let came = shared.tab_came.notified();
                let (opened, refused) = {
                    let tabs = shared.tabs();
                    let opened = tabs.opened_by(self.tab, checkpoint.newest_tab).len();
                    (opened, tabs.pop_ups.refused(self.tab.tab.id()) as usize)
                };
                if opened + refused >= wanted {
                    return;
                }
                came.await;
            }
        };
        let _ = tokio::time::timeout(WINDOW_LIMIT, all_there).await;
        // Their URLs are known a moment later.
        let deadline = Instant::now() + ADDRESS_LIMIT;
        let opened = shared.tabs().opened_by(self.tab, checkpoint.newest_tab);
        for tab in opened {
            tab.state
                .wait(deadline, |state| (state.closed || !state.url.is_empty()).then_some(()))
                .await;
        }
    }

    /// Returns the line of an action.
    pub(super) async fn report_outcome(
        &mut self,
        done: &str,
        outcome: &SettleOutcome,
        checkpoint: &Checkpoint,
        before: Option<Visible>,
        by_key: bool,
    ) -> Result<String> {
        let busy = SettleOutcome::Stayed(Reason::TimedOut(Overdue::Busy));
        let mut outcome = outcome;
        let mut unchanged = None;
        let mut title = String::new();
        if let SettleOutcome::Stayed(Reason::StillChanging(_)) = outcome {
            self.still_changing = 1;
        }
        match outcome {
            SettleOutcome::Stayed(_) => {
                match self.session.look_in_turn(self.tab, None, false).await {
                    Ok(look) => {
                        let now = Visible::of(&look.page, by_key);
                        let still = before.is_some_and(|before| before.is_still(&now));
                        unchanged = still.then(|| checkpoint.elapsed());
                        self.said_unchanged = still;
                        self.look = Some(look);
                    }
                    // The action was delivered, whatever keeps the page from being looked at.
                    Err(SessionError::Browser(BrowserError::TimedOut { .. })) => {
                        outcome = &busy;
                    }
                    Err(error) => return Err(error),
                }
            }
            SettleOutcome::Navigated(_) => {
                title = self.session.title(self.tab, Duration::from_secs(1)).await
            }
            SettleOutcome::Dialog | SettleOutcome::Closed => {}
        }
        self.await_windows(checkpoint).await;
        let nowhere = matches!(outcome, SettleOutcome::Navigated(WaitOutcome::NoDocument(_)));
        let downloads = match outcome {
            SettleOutcome::Closed => Vec::new(),
            _ if nowhere => self.session.expected_downloads(self.tab).await,
            _ => self.session.downloads(self.tab).await,
        };
        let consequence = consequence(
            outcome,
            checkpoint,
            self.tab,
            &self.session.shared,
            &title,
            unchanged,
            downloads,
        );
        Ok(format!("{done}{consequence}"))
    }
}
