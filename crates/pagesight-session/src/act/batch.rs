//! One action after the other: finds the element, makes sure that it is the one the caller saw, and
//! hands it to whoever does the rest. What each kind of action does has a file of its own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesight_browser::{Gesture, MouseButton};
use pagesight_core::diff::ElementKey;
use pagesight_core::page::NodeId;
use pagesight_core::refs::Reference;
use pagesight_core::render::{Numbers, headline};
use serde_json::json;

use super::diff::Before;
use super::input::Arrival;
use super::prefetch::Readings;
use super::{Action, Target};
use crate::error::Result;
use crate::look::Look;
use crate::look::frame_path::Place;
use crate::page_script::read;
use crate::session::Session;
use crate::tab::tabs::TabRecord;

/// How long the page script may take to get an element ready; it gives up by itself after 2 s.
const PREPARE_LIMIT: Duration = Duration::from_secs(5);

pub(super) struct Actor<'a> {
    pub(super) session: &'a Session,
    pub(super) tab: &'a Arc<TabRecord>,
    /// The page as it is known to be, if nothing was done since.
    pub(super) look: Option<Look>,
    /// It was looked at just now, so the next action need not.
    pub(super) fresh: bool,
    /// The page before the first action.
    pub(super) before: Before,
    /// The lines of the looks, as far as they were read ahead.
    pub(super) readings: Readings,
    /// What was acted on.
    pub(super) acted: Vec<ElementKey>,
    /// How many regions were still changing when the last action was done.
    pub(super) still_changing: usize,
    /// When what was done last had come to rest.
    pub(super) settled: Option<Instant>,
    /// The last line says already that nothing changed.
    pub(super) said_unchanged: bool,
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

impl Found {
    /// As something to be hit: it has to be what the caller saw.
    pub(super) fn thing(&self) -> Thing<'_> {
        let seen = &self.reference.seen;
        Thing {
            local: self.local,
            place: &self.place,
            token: &self.reference.document,
            words: &self.words,
            expected: json!({ "role": seen.role.as_str(), "name": seen.name }),
        }
    }
}

/// Something to be hit.
pub(super) struct Thing<'a> {
    pub(super) local: u32,
    pub(super) place: &'a Place,
    /// Its document.
    pub(super) token: &'a str,
    pub(super) words: &'a str,
    /// Role and name that it must have; null for what was found just now.
    pub(super) expected: serde_json::Value,
}

/// The point to hit.
pub(super) struct Aimed {
    pub(super) x: f64,
    pub(super) y: f64,
    /// What is there.
    pub(super) words: String,
    /// For an element: its document and its number there.
    pub(super) found: Option<Found>,
}

impl<'a> Actor<'a> {
    pub(super) fn new(session: &'a Session, tab: &'a Arc<TabRecord>) -> Actor<'a> {
        let (look, before, acted) = (None, Before::default(), Vec::new());
        Actor {
            session,
            tab,
            look,
            fresh: false,
            before,
            readings: Readings::default(),
            acted,
            still_changing: 0,
            settled: None,
            said_unchanged: false,
        }
    }
}

impl Actor<'_> {
    pub(super) async fn run(&mut self, action: &Action) -> Result<String> {
        (self.still_changing, self.said_unchanged) = (0, false);
        if !matches!(action, Action::Dialog { .. }) {
            self.session.check_tab(self.tab)?;
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
                let Aimed { x, y, words, .. } = self.aim(target, "hover").await?;
                self.perform(&format!("hovered {words}"), Gesture::Move { x, y }, None).await
            }
            Action::Check { target, on } => self.check(target, *on).await,
            Action::Fill { element, text } => self.fill(element, text).await,
            Action::Type { element, text } => self.type_text(element.as_deref(), text).await,
            Action::Press { key, element } => self.press(key, element.as_deref()).await,
            Action::Select { element, values } => self.select(element, values).await,
            Action::Scroll { element, dx, dy } => self.scroll(element.as_deref(), *dx, *dy).await,
            Action::Drag { from, to } => self.drag(from, to).await,
            Action::Upload { element, paths } => self.upload(element, paths).await,
            Action::Dialog { accept, text } => self.dialog(*accept, text.as_deref()).await,
            Action::Wait { until, limit } => {
                self.look = None;
                self.session.wait_in_turn(self.tab, until, *limit).await
            }
        }
    }

    async fn click(
        &mut self,
        target: &Target,
        verb: &str,
        button: MouseButton,
        count: u8,
    ) -> Result<String> {
        let action = match (button, count) {
            (MouseButton::Right, _) => "right_click",
            (_, 2) => "double_click",
            _ => "click",
        };
        let Aimed { x, y, words, found } = self.aim(target, action).await?;
        let arrival = found.map(|found| Arrival { words: words.clone(), frame: found.place.frame });
        let gesture = Gesture::Click { x, y, button, count, adds: false };
        self.perform(&format!("{verb} {words}"), gesture, arrival).await
    }

    /// The page as it is; looked at anew unless nothing was done since the last look.
    pub(super) async fn see(&mut self) -> Result<&Look> {
        let look = match self.look.take() {
            Some(look) => look,
            None => self.session.look_in_turn(self.tab, None, false).await?,
        };
        Ok(self.look.insert(look))
    }

    /// Looks at the page as it is now and finds the element of a reference in it.
    pub(super) async fn find(&mut self, given: &str) -> Result<Found> {
        let reference = self.session.resolve(self.tab, given)?;
        let known = self.look.take().filter(|_| std::mem::take(&mut self.fresh));
        let look = match known {
            Some(look) => look,
            None => self.session.look_in_turn(self.tab, None, false).await?,
        };
        let id = self.session.shared.references().find(&reference, &look.page)?;
        self.acted.push((reference.document.clone(), look.page.node(id).local()));
        let node = look.page.node(id);
        let words = format!("[{}] {}", reference.number, short_line(&look, id));
        let local = node.local();
        let place = Place::of(&look.page, &node.document().token).unwrap_or_default();
        self.look = Some(look);
        Ok(Found { reference, local, place, words })
    }

    /// `[33] dialog: Cookies` for an element of the last look; gives it a number.
    pub(super) fn words_of(&self, token: &str, local: u32) -> Option<String> {
        // 0 is no element.
        let local = Some(local).filter(|local| *local != 0)?;
        let look = self.look.as_ref()?;
        let id = look.page.find(token, local)?;
        let number = self.session.shared.references().numbering(&look.page).number(id);
        Some(format!("[{number}] {}", short_line(look, id)))
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
        let text = pagesight_core::text::escape::safe(&text, 60);
        if !text.is_empty() {
            line.push_str(&format!(": {text}"));
        }
    }
    line
}
