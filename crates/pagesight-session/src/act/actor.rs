//! One action after the other: finds the element, makes sure that it is the one the caller saw, gets it ready, uses real input, and
//! tells what came of it.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{BrowserError, Gesture, KeyChord, MouseButton};
use pagesight_core::page::NodeId;
use pagesight_core::refs::Reference;
use pagesight_core::render::{Numbers, headline};
use serde::Deserialize;
use serde_json::json;

use super::{Action, Target};
use crate::answer::read;
use crate::error::{Result, SessionError};
use crate::eyes::Eyes;
use crate::look::Look;
use crate::place::Place;
use crate::settle::{Mark, Outcome, after_action};
use crate::tabs::TabRecord;
use crate::verdict::{consequence, visible_state};

/// How long the page script may take to get an element ready; it gives up by itself after 2 s.
const PREPARE_LIMIT: Duration = Duration::from_secs(5);

/// How long a frame has to be quiet after a click in it, and for how long that is waited for, in milliseconds.
const FRAME_REST: u32 = 100;
const FRAME_REST_LIMIT: u32 = 1500;

/// What the page script says when it got an element ready.
#[derive(Deserialize)]
struct Prepared {
    ok: bool,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
    /// The same as shares of the viewport, for the document around.
    #[serde(default)]
    fx: f64,
    #[serde(default)]
    fy: f64,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    cover: u32,
    #[serde(default, rename = "coverRole")]
    cover_role: String,
    #[serde(default, rename = "coverName")]
    cover_name: String,
}

#[derive(Deserialize)]
pub(super) struct Focused {
    pub(super) ok: bool,
    #[serde(default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) reason: String,
}

/// What the page script saw of the input and of what it caused.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Landed {
    watched: bool,
    pressed: bool,
    clicked: bool,
    mutations: u64,
    scrolled: bool,
}

/// What a click has to reach.
struct Arrival {
    /// The element.
    words: String,
    /// The frame it is in.
    frame: Option<String>,
}

pub(super) struct Actor<'a> {
    pub(super) eyes: &'a Eyes,
    pub(super) tab: &'a Arc<TabRecord>,
    /// The page as it is known to be, if nothing was done since.
    pub(super) look: Option<Look>,
}

/// An element that was found and is still what the caller saw.
pub(super) struct Found {
    pub(super) reference: Reference,
    pub(super) local: u32,
    /// Where its document is.
    pub(super) place: Place,
    /// `[14] button: Save`.
    pub(super) words: String,
}

impl Actor<'_> {
    pub(super) async fn run(&mut self, action: &Action) -> Result<String> {
        if !matches!(action, Action::Dialog { .. }) {
            self.eyes.check_tab(self.tab)?;
        }
        match action {
            Action::Click(target) => self.click(target, "clicked", MouseButton::Left, 1).await,
            Action::DoubleClick(target) => self.click(target, "double-clicked", MouseButton::Left, 2).await,
            Action::RightClick(target) => self.click(target, "right-clicked", MouseButton::Right, 1).await,
            Action::Hover(target) => {
                let (x, y, words, _) = self.aim(target, "hover").await?;
                self.perform(&format!("hovered {words}"), Gesture::Move { x, y }, None).await
            }
            Action::Fill { element, text } => self.fill(element, text).await,
            Action::Press { key, element } => self.press(key, element.as_deref()).await,
            Action::Dialog { accept, text } => self.dialog(*accept, text.as_deref()).await,
            Action::Wait { until, limit } => {
                self.look = None;
                self.eyes.wait_in_turn(self.tab, until, *limit).await
            }
        }
    }

    async fn click(&mut self, target: &Target, verb: &str, button: MouseButton, count: u8) -> Result<String> {
        let action = match (button, count) {
            (MouseButton::Right, _) => "right_click",
            (_, 2) => "double_click",
            _ => "click",
        };
        let (x, y, words, place) = self.aim(target, action).await?;
        let arrival = place.map(|place| Arrival { words: words.clone(), frame: place.frame });
        self.perform(&format!("{verb} {words}"), Gesture::Click { x, y, button, count }, arrival).await
    }

    /// The point to hit, what is there in words, and for an element where its document is.
    async fn aim(&mut self, target: &Target, action: &str) -> Result<(f64, f64, String, Option<Place>)> {
        match target {
            Target::Element(element) => {
                let found = self.find(element).await?;
                let (x, y) = self.prepare(&found, action).await?;
                Ok((x, y, found.words, Some(found.place)))
            }
            Target::Point(x, y) => {
                let (x, y) = (*x, *y);
                if self.look.is_none() {
                    self.look = Some(self.eyes.look_in_turn(self.tab, None, false).await?);
                }
                let (width, height) = self.look.as_ref().map_or((0, 0), |look| look.page.viewport);
                if !(0.0..f64::from(width)).contains(&x) || !(0.0..f64::from(height)).contains(&y) {
                    let text = format!(
                        "the point {x},{y} lies outside of the viewport of {width}x{height}; scroll, or give a point inside"
                    );
                    return Err(SessionError::Input(text));
                }
                let hit = match &self.look {
                    Some(look) => self.eyes.at_point(look, x, y).await?,
                    None => None,
                };
                let words = hit.and_then(|(token, local)| self.words_of(&token, local)).unwrap_or_default();
                let gap = if words.is_empty() { "" } else { " " };
                Ok((x, y, format!("at {x},{y}{gap}{words}"), None))
            }
        }
    }

    /// Looks at the page as it is now and finds the element of a reference in it.
    pub(super) async fn find(&mut self, given: &str) -> Result<Found> {
        let reference = self.eyes.resolve(self.tab, given)?;
        let look = self.eyes.look_in_turn(self.tab, None, false).await?;
        let id = self.eyes.shared.references().find(&reference, &look.page)?;
        let node = look.page.node(id);
        let words = format!("[{}] {}", reference.number, short_line(&look, id));
        let local = node.local();
        let place = Place::of(&look.page, &node.document().token).unwrap_or_default();
        self.look = Some(look);
        Ok(Found { reference, local, place, words })
    }

    /// Scrolls to the element, waits until it can be acted on, and answers with the point to hit.
    pub(super) async fn prepare(&mut self, found: &Found, action: &str) -> Result<(f64, f64)> {
        let seen = &found.reference.seen;
        let expected = json!({ "role": seen.role.as_str(), "name": seen.name });
        // Frames first: in one that is out of sight nothing is drawn.
        for around in found.place.around.iter().rev() {
            let _: serde_json::Value =
                self.ask_in(around.frame.as_deref(), "reveal", json!([around.local])).await?;
        }
        let frame = found.place.frame.as_deref();
        let mut prepared: Prepared =
            self.ask_in(frame, "prepare", json!([found.local, action, expected])).await?;
        // The document whose words these are: the element's own, or one around it.
        let mut token = &found.reference.document;
        for around in &found.place.around {
            if !prepared.ok {
                break;
            }
            let point = json!([around.local, prepared.fx, prepared.fy]);
            prepared = self.ask_in(around.frame.as_deref(), "framePoint", point).await?;
            token = &around.token;
        }
        if prepared.ok {
            return Ok((prepared.x, prepared.y));
        }
        let words = &found.words;
        let why = match prepared.reason.as_str() {
            "gone" => format!("{words} left the page just now; call inspect_tab again"),
            "changed" => format!("{words} changed just now; call inspect_tab again"),
            "hidden" => format!("{words} is not visible; do what shows it first"),
            "disabled" => format!("{words} is disabled"),
            "moving" => format!("{words} does not stop moving; try again"),
            "covered" => {
                let cover = self.cover(token, &prepared).await;
                format!("{words} is covered by {cover}")
            }
            "offscreen" => format!("{words} cannot be scrolled into view"),
            other => format!("{words} cannot be acted on ({other})"),
        };
        Err(SessionError::Input(why))
    }

    /// What lies over an element, with its number.
    async fn cover(&mut self, token: &str, prepared: &Prepared) -> String {
        // The page may have scrolled since; look again, so that the cover can be given a number.
        if let Ok(look) = self.eyes.look_in_turn(self.tab, None, false).await {
            self.look = Some(look);
        }
        if let Some(words) = self.words_of(token, prepared.cover) {
            return words;
        }
        let name = pagesight_core::render::escape::safe(&prepared.cover_name, 80);
        match (prepared.cover_role.as_str(), name.as_str()) {
            ("", "") => "another element".to_owned(),
            (role, "") => role.to_owned(),
            ("", name) => name.to_owned(),
            (role, name) => format!("{role}: {name}"),
        }
    }

    /// `[33] dialog: Cookies` for an element of the last look; gives it a number.
    fn words_of(&self, token: &str, local: u32) -> Option<String> {
        // 0 is no element.
        let local = Some(local).filter(|local| *local != 0)?;
        let look = self.look.as_ref()?;
        let id = look.page.find(token, local)?;
        let number = self.eyes.shared.references().numbering(&look.page).number(id);
        Some(format!("[{number}] {}", short_line(look, id)))
    }

    /// Performs a gesture, waits for what it causes, and tells it. `arrival` is the element that a click must reach.
    async fn perform(&mut self, done: &str, gesture: Gesture, arrival: Option<Arrival>) -> Result<String> {
        let by_key = matches!(gesture, Gesture::Press(_));
        let before = self.look.take().map(|look| visible_state(&look.page, by_key));
        let frame = arrival.as_ref().and_then(|arrival| arrival.frame.clone());
        if arrival.is_none() || frame.is_some() {
            let _: serde_json::Value = self.ask("attend", json!([])).await?;
        }
        let mark = Mark::now(self.tab, &self.eyes.shared);
        match self.tab.tab.gesture(&gesture).await {
            Err(late @ BrowserError::TimedOut { .. }) => {
                self.tab.facts.now().hung = true;
                return Err(late.into());
            }
            // The gesture itself closed the tab or opened a dialog: that is its outcome, told below.
            Err(BrowserError::TabClosed | BrowserError::DialogOpen { .. }) => {}
            answer => answer?,
        }
        let outcome = after_action(self.tab, &mark).await?;
        let mut quiet = true;
        if outcome.stayed() {
            if frame.is_some() {
                let rest = json!([FRAME_REST, FRAME_REST_LIMIT]);
                let _: Result<serde_json::Value> = self.ask_in(frame.as_deref(), "quiet", rest).await;
                let around: Result<Landed> = self.ask("landed", json!([])).await;
                quiet = around.is_ok_and(|landed| landed.mutations == 0 && !landed.scrolled);
            }
            // A page that cannot say what came of it is not said to be unchanged.
            let asked: Result<Landed> = self.ask_in(frame.as_deref(), "landed", json!([])).await;
            quiet &= asked.as_ref().is_ok_and(|landed| landed.mutations == 0 && !landed.scrolled);
            let landed = asked.unwrap_or_default();
            if let Some(Arrival { words, .. }) = arrival.filter(|_| landed.watched && !landed.clicked) {
                let why = match landed.pressed {
                    true => {
                        "got the press but no click: it was disabled, moved, went away or was covered in between"
                    }
                    false => {
                        "did not get the click: it moved, went away, was disabled or covered under the mouse"
                    }
                };
                return Err(SessionError::Input(format!("{words} {why}; look with inspect_tab")));
            }
        }
        self.tell(done, &outcome, &mark, before.filter(|_| quiet), by_key).await
    }

    /// The line of an action that was done.
    pub(super) async fn tell(
        &mut self,
        done: &str,
        outcome: &Outcome,
        mark: &Mark,
        before: Option<u64>,
        by_key: bool,
    ) -> Result<String> {
        let mut unchanged = false;
        let mut title = String::new();
        match outcome {
            Outcome::Stayed(_) => {
                let look = self.eyes.look_in_turn(self.tab, None, false).await?;
                unchanged = before == Some(visible_state(&look.page, by_key));
                self.look = Some(look);
            }
            Outcome::Navigated(_) => title = self.eyes.title(self.tab, Duration::from_secs(1)).await,
            Outcome::Dialog | Outcome::Closed => {}
        }
        let consequence = consequence(outcome, mark, self.tab, &self.eyes.shared, &title, unchanged);
        Ok(format!("{done}{consequence}"))
    }

    async fn press(&mut self, key: &KeyChord, element: Option<&str>) -> Result<String> {
        let words = match element {
            None => {
                self.look = Some(self.eyes.look_in_turn(self.tab, None, false).await?);
                String::new()
            }
            Some(element) => {
                let found = self.find(element).await?;
                let frame = found.place.frame.as_deref();
                let focused: Focused = self.ask_in(frame, "focus", json!([found.local, false])).await?;
                // The page may move the focus on; a key must not land elsewhere.
                let still: Focused = self.ask_in(frame, "focused", json!([found.local])).await?;
                if !focused.ok || !still.ok {
                    let why = format!("{} does not take or keep the focus; click it instead", found.words);
                    return Err(SessionError::Input(why));
                }
                format!(" in {}", found.words)
            }
        };
        self.perform(&format!("pressed {}{words}", key_words(key)), Gesture::Press(key.clone()), None).await
    }

    async fn dialog(&mut self, accept: bool, text: Option<&str>) -> Result<String> {
        let Some((kind, message)) = self.tab.facts.now().dialog.clone() else {
            return Err(SessionError::Input(
                "no dialog is open; look at the page with inspect_tab".to_owned(),
            ));
        };
        self.look = None;
        let mark = Mark::now(self.tab, &self.eyes.shared);
        self.tab.tab.answer_dialog(accept, text).await?;
        let limit = std::time::Instant::now() + Duration::from_secs(2);
        self.tab.facts.wait(limit, |facts| facts.dialog.is_none().then_some(())).await;
        let outcome = after_action(self.tab, &mark).await?;
        let verb = if accept { "accepted" } else { "dismissed" };
        let done =
            format!("{verb} dialog ({kind}): {}", pagesight_core::render::escape::value(&message, 200));
        self.tell(&done, &outcome, &mark, None, false).await
    }

    pub(super) async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        function: &str,
        arguments: serde_json::Value,
    ) -> Result<T> {
        self.ask_in(None, function, arguments).await
    }

    /// Asks the page script of a frame.
    pub(super) async fn ask_in<T: serde::de::DeserializeOwned>(
        &self,
        frame: Option<&str>,
        function: &str,
        arguments: serde_json::Value,
    ) -> Result<T> {
        read(&self.tab.script_in(frame, function, &arguments.to_string(), PREPARE_LIMIT).await?)
    }
}

/// The line of an element without value and states; what has no name goes by its text.
fn short_line(look: &Look, id: NodeId) -> String {
    let node = look.page.node(id);
    let mut line = headline(node);
    if node.name().is_empty() {
        let text: String = node
            .descendants()
            .filter(|inner| inner.is_text())
            .take(10)
            .map(|inner| format!("{} ", inner.name()))
            .collect();
        let text = pagesight_core::render::escape::safe(&text, 60);
        if !text.is_empty() {
            line.push_str(&format!(": {text}"));
        }
    }
    line
}

/// `Control+A`.
fn key_words(chord: &KeyChord) -> String {
    let held = [(chord.control, "Control"), (chord.alt, "Alt"), (chord.shift, "Shift"), (chord.meta, "Meta")];
    let mut words: Vec<&str> = held.iter().filter(|(held, _)| *held).map(|(_, word)| *word).collect();
    words.push(&chord.key);
    words.join("+")
}
