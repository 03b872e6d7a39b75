//! Scrolls an element into view, or turns the wheel over an element or the page. Reports how far it
//! went and what is left, because an agent does not see a scroll bar.

use std::time::Duration;

use pagesight_browser::Gesture;
use tokio::time::Instant;

use super::actor::{Actor, Thing};
use super::error::ActionError;
use crate::error::Result;
use crate::look::frame_path::FramePath;
use crate::page_script::{Prepared, Scroller};

/// How long a position that did not change is read again, and how often.
const LATE: Duration = Duration::from_secs(1);
const LATE_PAUSE: Duration = Duration::from_millis(100);

/// The farthest that one action scrolls, in CSS pixels.
const FARTHEST: f64 = 1_000_000.0;

/// How often the wheel is turned until the page receives it.
const TRIES: u32 = 3;

impl Actor<'_> {
    pub(super) async fn scroll(
        &mut self,
        element: Option<&str>,
        dx: f64,
        dy: f64,
    ) -> Result<String> {
        match element {
            Some(element) if dx == 0.0 && dy == 0.0 => self.bring(element).await,
            _ => {
                self.wheel(element, dx.clamp(-FARTHEST, FARTHEST), dy.clamp(-FARTHEST, FARTHEST))
                    .await
            }
        }
    }

    /// Scrolls an element into view.
    async fn bring(&mut self, element: &str) -> Result<String> {
        let found = self.find(element).await?;
        let words = &found.words;
        for around in found.path.around.iter().rev() {
            self.script(around.frame.as_deref()).reveal_frame(around.local).await?;
        }
        let frame = found.path.frame.as_deref();
        let brought = self.script(frame).bring_into_view(found.local).await?;
        if !brought.ok {
            let target = words.clone();
            return Err(match brought.reason.as_str() {
                "gone" => ActionError::Gone { target },
                "hidden" => ActionError::Hidden { target },
                _ => ActionError::OutOfView { target },
            }
            .into());
        }
        let before = self.scrolls_around(&found.path).await;
        let point = Prepared::at((0.0, 0.0), (brought.fx, brought.fy));
        // The frame may be covered; that does not matter here.
        let (shown, _) = self.outwards(&found.thing(), point).await?;
        if !shown.ok && shown.reason == "offscreen" {
            return Err(ActionError::OutOfView { target: words.clone() }.into());
        }
        let was = brought.was && before == self.scrolls_around(&found.path).await;
        self.look = None;
        let already = if was { " — it was in view already" } else { "" };
        Ok(format!("scrolled to {words}{already}"))
    }

    /// Returns how far the documents around a frame are scrolled.
    async fn scrolls_around(&self, path: &FramePath) -> Vec<Option<(i64, i64)>> {
        let mut all = Vec::new();
        for around in &path.around {
            let at = self.script(around.frame.as_deref()).find_scroller(0, 1.0, 1.0).await;
            all.push(at.ok().map(|at| (at.left as i64, at.top as i64)));
        }
        all
    }

    /// Turns the wheel over the contents of an element, or over the page.
    async fn wheel(&mut self, element: Option<&str>, dx: f64, dy: f64) -> Result<String> {
        let (path, token, local, words) = match element {
            Some(element) => {
                let found = self.find(element).await?;
                (found.path, found.reference.document, found.local, found.words)
            }
            None => {
                let page = &self.see().await?.page;
                let token = page.documents.first().map(|top| top.token.clone()).unwrap_or_default();
                (FramePath::default(), token, 0, "the page".to_owned())
            }
        };
        for around in path.around.iter().rev() {
            self.script(around.frame.as_deref()).reveal_frame(around.local).await?;
        }
        let frame = path.frame.as_deref();
        let mut from: Scroller;
        let mut to: Scroller;
        let mut name: String;
        let mut tries = TRIES;
        let mut is_first = true;
        loop {
            from = self.script(frame).find_scroller(local, dx, dy).await?;
            if !from.ok {
                let target = words;
                return Err(match from.reason.as_str() {
                    "gone" => ActionError::Gone { target },
                    "covered" => ActionError::WheelCovered { target },
                    _ => ActionError::NothingScrolls { target },
                }
                .into());
            }
            name = match (from.own, from.page) {
                (true, _) => words.clone(),
                (_, true) if path.frame.is_none() => "the page".to_owned(),
                (_, true) => "the page of the frame".to_owned(),
                _ => self.words_of(&token, from.box_id).unwrap_or_else(|| words.clone()),
            };
            let thing = Thing { local, path: &path, token: &token, words: &name, expected: None };
            let point = Prepared::at((from.x, from.y), (from.fx, from.fy));
            let (point, _) = self.outwards(&thing, point).await?;
            if !point.ok {
                return Err(ActionError::WheelOutOfReach { target: name }.into());
            }
            let scroller = is_first.then(|| format!("{token} {}", from.box_id));
            is_first = false;
            let wheel = Gesture::Scroll { x: point.x, y: point.y, dx, dy, scroller };
            let effect = self.carry_out(&wheel, None).await?;
            if !effect.outcome.stayed() {
                return self.report(&format!("scrolled {name}"), &effect).await;
            }
            to = self.script(frame).settled_position(from.box_id).await?;
            // A frame in a different process scrolls a moment after it received the wheel event.
            let deadline = Instant::now() + LATE;
            while to.turns > 0
                && (to.top, to.left) == (from.top, from.left)
                && has_room(&from, dx, dy)
                && Instant::now() < deadline
            {
                tokio::time::sleep(LATE_PAUSE).await;
                let (turns, prevented) = (to.turns, to.prevented);
                to = self.script(frame).settled_position(from.box_id).await?;
                to.turns = to.turns.max(turns);
                to.prevented |= prevented;
            }
            tries -= 1;
            // The browser may send the wheel event to the frame that was there before the page was
            // scrolled.
            if to.turns > 0 || tries == 0 || (to.top, to.left) != (from.top, from.left) {
                break;
            }
            self.see().await?;
        }
        self.look = None;
        if to.turns == 0 && (to.top, to.left) == (from.top, from.left) {
            return Err(ActionError::WheelLost { target: name }.into());
        }
        Ok(distance(&name, &from, &to, dx, dy))
    }
}

/// Whether there is room to scroll in this direction.
fn has_room(from: &Scroller, dx: f64, dy: f64) -> bool {
    let room = |wanted: f64, at: f64, most: f64| {
        (wanted > 0.0 && at < most - 1.0) || (wanted < 0.0 && at > 1.0)
    };
    room(dy, from.top, from.high) || room(dx, from.left, from.wide)
}

/// Returns how far it was scrolled and how much is left.
fn distance(name: &str, from: &Scroller, to: &Scroller, dx: f64, dy: f64) -> String {
    let mut went = Vec::new();
    let mut left = Vec::new();
    let mut ended = true;
    for (wanted, before, now, room, names) in [
        (dy, from.top, to.top, to.high, ["down", "up"]),
        (dx, from.left, to.left, to.wide, ["right", "left"]),
    ] {
        if wanted == 0.0 {
            continue;
        }
        let moved = (now - before).round();
        let way = if (moved, wanted) < (0.0, 0.0) || (moved == 0.0 && wanted < 0.0) {
            names[1]
        } else {
            names[0]
        };
        let rest = (if wanted < 0.0 { now } else { room - now }).round().max(0.0);
        went.push(format!("{way} {} px", moved.abs()));
        ended &= rest < 2.0;
        left.push(format!("{rest} px left"));
    }
    let none = went.iter().all(|way| way.ends_with(" 0 px"));
    let end = match (none, ended) {
        (true, true) => "it was at its end already".to_owned(),
        (true, false) if to.prevented => {
            "it did not move: the page takes the wheel for something else".to_owned()
        }
        (true, false) => "it did not move, and the page did not prevent it".to_owned(),
        (false, true) => "at its end".to_owned(),
        (false, false) => left.join(", "),
    };
    format!("scrolled {name} {} — {end}", went.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(from: f64, to: f64, dy: f64, expected: &str) {
        let at = |top: f64| Scroller { top, high: 1000.0, ..Scroller::default() };
        assert_eq!(
            distance("the page", &at(from), &at(to), 0.0, dy),
            format!("scrolled the page {expected}")
        );
    }

    #[test]
    fn distances() {
        check(0.0, 300.0, 300.0, "down 300 px — 700 px left");
        check(300.0, 0.0, -500.0, "up 300 px — at its end");
        check(900.0, 1000.0, 500.0, "down 100 px — at its end");
        check(1000.0, 1000.0, 500.0, "down 0 px — it was at its end already");
        check(0.0, 0.0, -500.0, "up 0 px — it was at its end already");
        check(0.0, 0.0, 100.0, "down 0 px — it did not move, and the page did not prevent it");
        let from = Scroller { high: 1000.0, ..Scroller::default() };
        let to = Scroller { prevented: true, high: 1000.0, ..Scroller::default() };
        let taken = "it did not move: the page takes the wheel for something else";
        assert!(distance("the page", &from, &to, 0.0, 9.0).ends_with(taken));
    }
}
