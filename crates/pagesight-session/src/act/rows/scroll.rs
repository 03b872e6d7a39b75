//! Scrolls a list with the wheel, one view after the other, until nothing new comes.

use pagesight_browser::Gesture;
use pagesight_core::rows::ReadingEnd;
use pagesight_core::rows::pages::step_down;
use tokio::time::Instant;

use super::reader::{Further, PagesReader, RowsLook, is_arriving, is_loading};
use crate::act::actor::Thing;
use crate::act::error::ActionError;
use crate::error::Result;
use crate::look::frame_path::FramePath;
use crate::page_script::Prepared;
use crate::wait::settle::{Checkpoint, SettleOutcome, after_action};

/// How often a list at its end must bring nothing new before it counts as ended: after a turn of
/// the wheel, when the page is quiet for certain, and after one more turn.
const IDLE_LOOKS: u32 = 3;
/// How often in a row a wheel event may get lost.
const MOST_LOST: u32 = 3;
/// How often the list is scrolled back for rows that were passed over.
const MOST_BACK: u32 = 4;
/// The farthest that a list is scrolled at once, in CSS pixels.
const FARTHEST: f64 = 1_000_000.0;

/// Where a turn of the wheel leads.
#[derive(Clone, Copy)]
enum Way {
    /// To the next rows.
    Next,
    /// Back by a part of the view.
    Back,
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
        loop {
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
            match self.turn(&seen, Way::Next).await? {
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
                    self.state.steps += usize::from(moved);
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

    /// Turns the wheel over the list and waits until it stands still and the page has settled.
    async fn turn(&mut self, seen: &RowsLook, way: Way) -> Result<Turn> {
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
        let down = step_down(page, &seen.table, scroller);
        let dy = match way {
            Way::Next => down.min(FARTHEST),
            Way::Back => -down / 4.0,
            Way::Top => -from.top.clamp(1.0, FARTHEST),
        };
        let thing = Thing { local, path: &path, token: &token, words: "the list", expected: None };
        let point = Prepared::at((from.x, from.y), (from.fx, from.fy));
        let (point, _) = self.actor.outwards(&thing, point).await?;
        if !point.ok {
            return Err(ActionError::WheelOutOfReach { target: "the list".to_owned() }.into());
        }
        let checkpoint = Checkpoint::now(tab, &self.actor.session.shared);
        let scroller = (!self.is_wheel_lost).then(|| format!("{token} {}", from.box_id));
        let wheel = Gesture::Scroll { x: point.x, y: point.y, dx: 0.0, dy, scroller };
        tab.gesture(&wheel).await?;
        let script = self.actor.script(path.frame.as_deref());
        let to = script.settled_position(from.box_id).await;
        // Requests that the scrolling began belong to it.
        let outcome = after_action(tab, &checkpoint, checkpoint.at(), None, None).await?;
        let further = match outcome {
            SettleOutcome::Stayed(reason) => Further::Shown { loading: is_loading(&reason) },
            // A list may write its position into the address.
            SettleOutcome::Navigated(outcome) => Further::Shown { loading: is_arriving(&outcome) },
            SettleOutcome::Dialog => {
                Further::Ended(ReadingEnd::Failed { why: "a dialog opened".to_owned() })
            }
            SettleOutcome::Closed => {
                Further::Ended(ReadingEnd::Failed { why: "the tab closed itself".to_owned() })
            }
        };
        self.is_wheel_lost = to.as_ref().is_ok_and(|to| to.turns == 0);
        let to = match &further {
            Further::Ended(_) => to.unwrap_or_default(),
            Further::Shown { .. } => to?,
        };
        Ok(Turn::Made(Scrolled {
            from: from.top,
            to: to.top,
            had_room: from.top < from.high - 1.0,
            at_end: to.top >= to.high - 1.0,
            received: to.turns > 0,
            further,
        }))
    }
}
