//! Scrolls a list, one view after the other, until nothing new comes. The wheel shows which box
//! scrolls, and that it scrolls as far as it should. From then on a script scrolls that box, which
//! takes less time, until nothing new comes; then it is the wheel's turn again.

use std::time::Duration;

use pagesight_browser::Gesture;
use pagesight_core::rows::ReadingEnd;
use pagesight_core::rows::pages::step_down;
use tokio::time::Instant;

use super::reader::{Further, KnownScroller, PagesReader, RowsLook, is_arriving, is_loading};
use super::request::FurtherPages;
use crate::act::actor::Thing;
use crate::act::error::ActionError;
use crate::error::Result;
use crate::look::frame_path::FramePath;
use crate::page_script::Prepared;
use crate::wait::settle::{Checkpoint, SettleOutcome, after_action, after_scrolling};

/// How often a list at its end must bring nothing new before it counts as ended: after a turn of
/// the wheel, when the page is quiet for certain, and after one more turn.
const IDLE_LOOKS: u32 = 3;
/// How often in a row a wheel event may get lost.
const MOST_LOST: u32 = 3;
/// How often the list is scrolled back for rows that were passed over.
const MOST_BACK: u32 = 4;
/// The farthest that a list is scrolled at once, in CSS pixels.
const FARTHEST: f64 = 1_000_000.0;
/// A list that keeps all its rows is scrolled several times before the next look, from so many rows
/// on, until it is this many times as long. Otherwise all of them would be read at each step.
const MANY_ROWS: usize = 150;
const GROWTH: f64 = 2.0;
/// The last part of a call is for the look after that.
const LOOK_TIME: Duration = Duration::from_secs(8);

/// How exactly the wheel must scroll a box before a script scrolls it, in CSS pixels.
const EXACT: f64 = 2.0;

/// Where a turn of the wheel leads.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// To the next rows.
    Next,
    /// To the end.
    End,
    /// Back by a part of the view.
    Back,
    /// Back by so many pixels.
    BackBy(f64),
    /// To the first row.
    Top,
}

/// A turn of the wheel.
enum Turn {
    /// The list was scrolled, or tried to.
    Made(Scrolled),
    /// Nothing scrolls.
    Nothing,
}

/// The effect of a turn of the wheel. Positions are in CSS pixels.
struct Scrolled {
    from: f64,
    to: f64,
    /// Whether it could be scrolled further down before.
    had_room: bool,
    /// Whether it is at its end now.
    at_end: bool,
    /// How far it could be scrolled before the page reacted.
    high: f64,
    /// Whether the page received the wheel event.
    received: bool,
    further: Further,
}

impl PagesReader<'_> {
    /// Scrolls a list to its first row.
    pub(super) async fn at_top(&mut self, seen: RowsLook) -> Result<RowsLook> {
        let mut seen = seen;
        loop {
            match self.turn(&seen, Way::Top).await {
                // A list that cannot be scrolled is read as it is.
                Ok(Turn::Nothing) | Err(_) => return Ok(seen),
                Ok(Turn::Made(Scrolled { from, to, .. })) => {
                    let Some(now) = self.see().await? else { return Ok(seen) };
                    seen = now;
                    if to < 1.0 || to >= from {
                        return Ok(seen);
                    }
                }
            }
        }
    }

    /// Reads a list while it is scrolled down.
    pub(super) async fn scroll_through(&mut self, mut seen: RowsLook) -> Result<ReadingEnd> {
        let (mut idle, mut lost, mut back) = (0, 0, 0);
        let mut loading = false;
        // Whether the list was at its end after the last turn, and since when nothing came.
        let mut at_end = false;
        let mut idle_since = Instant::now();
        // How far a list that keeps all its rows was scrolled without a look; whether it may be.
        let (mut ahead, mut may_run_ahead) = (0.0, true);
        loop {
            if ahead > 0.0 && !self.state.reading.goes_on(&seen.look.page, &seen.table) {
                // It does not keep them any more, so it is scrolled back to where they were seen.
                may_run_ahead = false;
                if self.scroll_on(&seen, Way::BackBy(ahead)).await?.is_some()
                    && let Some(now) = self.see().await?
                {
                    seen = now;
                }
            }
            if back < MOST_BACK && !self.state.reading.goes_on(&seen.look.page, &seen.table) {
                back += 1;
                if let Turn::Made(turn) = self.turn(&seen, Way::Back).await?
                    && turn.to < turn.from
                    && let Some(now) = self.see().await?
                {
                    seen = now;
                    continue;
                }
            }
            let added = self.add(&seen);
            if let Some(end) = self.limit() {
                return Ok(end);
            }
            if added.rows == 0 {
                // The list may wait for the wheel itself.
                self.scroller = None;
            }
            if added.rows > 0 {
                (idle, back) = (0, 0);
                idle_since = Instant::now();
            } else if loading {
                match self.wait_for_rows(idle_since).await? {
                    true => loading = false,
                    false => return Ok(ReadingEnd::Loading),
                }
                let Some(now) = self.see().await? else { return Ok(ReadingEnd::Elsewhere) };
                seen = now;
                continue;
            } else if at_end {
                idle += 1;
                if idle >= IDLE_LOOKS {
                    return Ok(ReadingEnd::EndOfList);
                }
                if idle == 1 {
                    self.wait_for_rows(Instant::now()).await?;
                    let Some(now) = self.see().await? else { return Ok(ReadingEnd::Elsewhere) };
                    seen = now;
                    continue;
                }
            }
            let turn = self.turn(&seen, Way::Next).await?;
            let keeps_all = added.rows > 0 && seen.table.rows.len() == self.state.reading.len();
            let turn = match turn {
                Turn::Made(turn)
                    if may_run_ahead && keeps_all && self.state.reading.len() >= MANY_ROWS =>
                {
                    let end = self.run_ahead(&seen, turn).await?;
                    ahead = end.1;
                    Turn::Made(end.0)
                }
                turn => {
                    ahead = 0.0;
                    turn
                }
            };
            match turn {
                Turn::Nothing if self.state.steps == 0 => return Ok(ReadingEnd::NotScrolled),
                Turn::Nothing => return Ok(ReadingEnd::EndOfList),
                Turn::Made(Scrolled { further: Further::Ended(end), .. }) => return Ok(end),
                Turn::Made(turn) => {
                    let moved = turn.to != turn.from;
                    let is_lost = !turn.received && !moved && turn.had_room;
                    lost = if is_lost { lost + 1 } else { 0 };
                    if lost >= MOST_LOST {
                        let target = "the list".to_owned();
                        return Err(ActionError::WheelLost { target }.into());
                    }
                    // Of next pages, the pages are counted.
                    let counts = moved && self.pages.further == FurtherPages::Scroll;
                    self.state.steps += usize::from(counts);
                    at_end = turn.at_end || !moved && !is_lost;
                    loading = matches!(turn.further, Further::Shown { loading: true });
                }
            }
            seen = match self.see().await? {
                Some(seen) => seen,
                None => return Ok(ReadingEnd::Elsewhere),
            };
        }
    }

    /// Scrolls a list to its end again and again, until it is much longer than before. Returns the
    /// last turn, and how far it led from where the first one did.
    async fn run_ahead(&mut self, seen: &RowsLook, first: Scrolled) -> Result<(Scrolled, f64)> {
        let (begun, length) = (first.to, first.high.max(1.0));
        // Rows that the call has no room for need not be loaded.
        let left = self.rows_before + self.pages.most_rows - self.state.reading.len();
        let room = 1.0 + left as f64 / self.state.reading.len().max(1) as f64;
        let mut last = first;
        while matches!(last.further, Further::Shown { loading: false })
            && last.high < length * GROWTH.min(room)
            && Instant::now() + LOOK_TIME < self.deadline
        {
            let Some(next) = self.scroll_on(seen, Way::End).await? else { break };
            last = next;
        }
        let ahead = last.to - begun;
        Ok((last, ahead))
    }

    /// Scrolls the list and waits until it stands still and the page has settled.
    async fn turn(&mut self, seen: &RowsLook, way: Way) -> Result<Turn> {
        if let Some(scrolled) = self.scroll_on(seen, way).await? {
            return Ok(Turn::Made(scrolled));
        }
        self.wheel(seen, way).await
    }

    /// Lets a script scroll the box that the wheel scrolled before. Returns none if that does not
    /// move it.
    async fn scroll_on(&mut self, seen: &RowsLook, way: Way) -> Result<Option<Scrolled>> {
        let Some(KnownScroller { token, local, is_page }) = self.scroller.take() else {
            return Ok(None);
        };
        let page = &seen.look.page;
        let scroller = page.find(&token, local);
        let is_there = page.documents.iter().any(|document| document.token == token);
        if !is_there || !is_page && scroller.is_none() {
            return Ok(None);
        }
        let tab = self.actor.tab;
        let path = FramePath::of(page, &token).unwrap_or_default();
        let frame = path.frame.as_deref();
        self.actor.admit_document(frame, "the list").await?;
        let down = step_down(page, &seen.table, scroller.filter(|_| !is_page));
        let dy = way.distance(down, FARTHEST);
        self.begin_step();
        let checkpoint = Checkpoint::now(tab, &self.actor.session.shared);
        let to = self.actor.script(frame).scroll_on(local, dy).await?;
        if !to.ok || (to.top - to.before).abs() < 1.0 {
            return Ok(None);
        }
        let further = further(after_scrolling(tab, &checkpoint).await?);
        self.scroller = Some(KnownScroller { token, local, is_page });
        Ok(Some(Scrolled {
            from: to.before,
            to: to.top,
            had_room: true,
            at_end: to.top >= to.high - 1.0,
            high: to.high,
            received: true,
            further,
        }))
    }

    /// Turns the wheel over the list.
    async fn wheel(&mut self, seen: &RowsLook, way: Way) -> Result<Turn> {
        let page = &seen.look.page;
        let node = page.node(seen.table.node);
        let (local, token) = (node.local(), node.document().token.clone());
        let path = FramePath::of(page, &token).unwrap_or_default();
        let tab = self.actor.tab;
        self.actor.admit_document(path.frame.as_deref(), "the list").await?;
        for around in path.around.iter().rev() {
            self.actor.script(around.frame.as_deref()).reveal_frame(around.local).await?;
        }
        let script = self.actor.script(path.frame.as_deref());
        let sign = if matches!(way, Way::Next) { 1.0 } else { -1.0 };
        let from = script.find_scroller(local, 0.0, sign).await?;
        if !from.ok {
            let target = "the list".to_owned();
            return match from.reason.as_str() {
                "nothing scrolls" => Ok(Turn::Nothing),
                "covered" => Err(ActionError::WheelCovered { target }.into()),
                _ => Err(ActionError::Gone { target }.into()),
            };
        }
        if matches!(way, Way::Top) && from.top < 1.0 {
            return Ok(Turn::Nothing);
        }
        let scroller = page.find(&token, from.box_id).filter(|_| !from.page);
        let dy = way.distance(step_down(page, &seen.table, scroller), from.top);
        let thing = Thing { local, path: &path, token: &token, words: "the list", expected: None };
        let point = Prepared::at((from.x, from.y), (from.fx, from.fy));
        let (point, _) = self.actor.outwards(&thing, point).await?;
        if !point.ok {
            return Err(ActionError::WheelOutOfReach { target: "the list".to_owned() }.into());
        }
        self.begin_step();
        let checkpoint = Checkpoint::now(tab, &self.actor.session.shared);
        let scroller = (!self.is_wheel_lost).then(|| format!("{token} {}", from.box_id));
        let wheel = Gesture::Scroll { x: point.x, y: point.y, dx: 0.0, dy, scroller };
        tab.gesture(&wheel).await?;
        let script = self.actor.script(path.frame.as_deref());
        let to = script.settled_position(from.box_id).await;
        // Requests that the scrolling began belong to it.
        let outcome = after_action(tab, &checkpoint, checkpoint.at(), None, None).await?;
        let further = further(outcome);
        self.is_wheel_lost = to.as_ref().is_ok_and(|to| to.turns == 0);
        let to = match &further {
            Further::Ended(_) => to.unwrap_or_default(),
            Further::Shown { .. } => to?,
        };
        let moved = to.top - from.top;
        let at_end = to.top >= to.high - 1.0;
        if to.turns > 0 && way == Way::Next && ((moved - dy).abs() < EXACT || at_end) {
            let (local, is_page) = (from.box_id, from.page);
            self.scroller = Some(KnownScroller { token, local, is_page });
        }
        Ok(Turn::Made(Scrolled {
            from: from.top,
            to: to.top,
            had_room: from.top < from.high - 1.0,
            at_end,
            high: to.high,
            received: to.turns > 0,
            further,
        }))
    }
}

impl Way {
    /// Returns how far to scroll down, if it is so far to the next rows and from the first row.
    fn distance(self, down: f64, top: f64) -> f64 {
        match self {
            Way::Next => down.min(FARTHEST),
            Way::End => FARTHEST,
            Way::Back => -down / 4.0,
            Way::BackBy(pixels) => -pixels,
            Way::Top => -top.clamp(1.0, FARTHEST),
        }
    }
}

/// Returns how a reading goes on after the page has settled.
fn further(outcome: SettleOutcome) -> Further {
    let failed = |why: &str| Further::Ended(ReadingEnd::Failed { why: why.to_owned() });
    match outcome {
        SettleOutcome::Stayed(reason) => Further::Shown { loading: is_loading(&reason) },
        // A list may write its position into the address.
        SettleOutcome::Navigated(outcome) => Further::Shown { loading: is_arriving(&outcome) },
        SettleOutcome::Dialog => failed("a dialog opened"),
        SettleOutcome::Closed => failed("the tab closed itself"),
    }
}
