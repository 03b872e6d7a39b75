//! Checks and unchecks checkboxes, radio buttons and switches. Clicks only if the state is not the
//! wanted one, and reports the state that the page has afterwards.

use pagesight_core::refs::{Reference, Seen};

use super::action::Target;
use super::actor::{Actor, Thing, expected};
use super::error::ActionError;
use super::input::Arrival;
use crate::error::Result;
use crate::look::frame_path::FramePath;
use crate::page_script::{BoxState, Handling};

/// A box and its frame.
struct Ticked {
    token: String,
    local: u32,
    path: FramePath,
    words: String,
    /// The role and name that the caller saw; none if the box was found just now.
    seen: Option<Seen>,
    /// The point that the caller gave.
    point: Option<(f64, f64)>,
}

impl Actor<'_> {
    pub(super) async fn check(&mut self, target: &Target, on: bool) -> Result<String> {
        let ticked = self.find_box(target).await?;
        let words = ticked.words.clone();
        let (wanted, done) = if on { ("true", "checked") } else { ("false", "unchecked") };
        let before = self.state_of(&ticked).await?;
        if before.state == wanted {
            return Ok(format!("{words} is {done} already — nothing was done"));
        }
        if before.radio && !on {
            return Err(ActionError::RadioButton { target: words }.into());
        }
        let mut effect = self.click_box(&ticked).await?;
        if !effect.outcome.stayed() {
            return self.report(&format!("clicked {words}"), &effect).await;
        }
        let mut now = self.state_of(&ticked).await?;
        // A click on a mixed box may set either state, so a second click may be needed.
        if now.state != wanted && before.state == "mixed" && now.state != "mixed" {
            effect = self.click_box(&ticked).await?;
            now = self.state_of(&ticked).await?;
        }
        if now.state == wanted {
            return self.report(&format!("{done} {words}"), &effect).await;
        }
        let state = match now.state.as_str() {
            "true" => "checked",
            "mixed" => "mixed",
            _ => "unchecked",
        };
        Err(ActionError::BoxUnchanged { target: words, state }.into())
    }

    async fn find_box(&mut self, target: &Target) -> Result<Ticked> {
        match target {
            Target::Element(element) => {
                let found = self.find(element.reference()).await?;
                let Reference { document: token, seen, .. } = found.reference;
                let (local, path, words) = (found.local, found.path, found.words);
                let seen = Some(seen).filter(|_| !found.masked);
                Ok(Ticked { token, local, path, words, seen, point: None })
            }
            Target::Point(x, y) => {
                let nothing = ActionError::NoBoxAt { x: *x, y: *y };
                let (token, local) = self.hit(*x, *y).await?.ok_or(nothing)?;
                let path = self.path_of(&token);
                let words = self.words_of(&token, local).unwrap_or_default();
                let words = format!("at {x},{y} {words}").trim_end().to_owned();
                Ok(Ticked { token, local, path, words, seen: None, point: Some((*x, *y)) })
            }
        }
    }

    async fn state_of(&self, ticked: &Ticked) -> Result<BoxState> {
        let frame = ticked.path.frame.as_deref();
        let state = self.script(frame).checkbox_state(ticked.local).await?;
        let target = ticked.words.clone();
        match (state.ok, state.reason.as_str()) {
            (true, _) => Ok(state),
            (false, "gone") => Err(ActionError::Gone { target }.into()),
            _ => Err(ActionError::NotABox { target }.into()),
        }
    }

    async fn click_box(&mut self, ticked: &Ticked) -> Result<super::input::InputEffect> {
        let aim = match ticked.point {
            Some((x, y)) => self.aim_at(x, y).await?,
            None => {
                let Ticked { token, local, path, words, seen, .. } = ticked;
                let expected = seen.as_ref().map(expected);
                let thing = Thing { local: *local, path, token, words, expected };
                self.ready(&thing, Handling::Click).await?
            }
        };
        let arrives = ticked.point.is_none();
        let arrival = Arrival { words: ticked.words.clone(), frame: ticked.path.frame.clone() };
        self.carry_out(&aim.click(), Some(arrival).filter(|_| arrives)).await
    }
}
