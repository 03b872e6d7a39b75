//! Acting on a page: each action makes sure that it has the right element, uses real browser input, waits until what it caused
//! has come to rest, and answers with one line. A batch stops at the first that fails.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{BrowserError, Gesture, KeyChord, MouseButton};
use pagesight_core::page::NodeId;
use pagesight_core::refs::Reference;
use pagesight_core::render::{Numbers, line};
use serde::Deserialize;
use serde_json::json;

use crate::error::{Result, SessionError};
use crate::eyes::Eyes;
use crate::look::Look;
use crate::settle::{Mark, Outcome, after_action};
use crate::tabs::TabRecord;
use crate::verdict::{consequence, visible_state};

/// The longest text that `fill` takes, in characters.
pub(crate) const LONGEST_TEXT: usize = 1_000_000;
/// How long the page script may take to get an element ready; it gives up by itself after 2 s.
const PREPARE_LIMIT: Duration = Duration::from_secs(5);
/// How long a batch may take.
const BATCH_LIMIT: Duration = Duration::from_secs(50);

/// Where an action goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// An element, by a reference.
    Element(String),
    /// A point of the viewport, in CSS pixels.
    Point(f64, f64),
}

/// What to wait for.
#[derive(Clone, Debug, PartialEq)]
pub enum WaitFor {
    /// This text is on the page.
    Text(String),
    /// This text has gone.
    Gone(String),
    /// The address holds this.
    Url(String),
    /// This long.
    Time(Duration),
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Click with the main button.
    Click(Target),
    /// Click twice.
    DoubleClick(Target),
    /// Click with the other button.
    RightClick(Target),
    /// Move the mouse there.
    Hover(Target),
    /// Replace the value of a field.
    Fill {
        /// The field's reference.
        element: String,
        /// The new value.
        text: String,
    },
    /// Press a key, with modifiers.
    Press {
        /// The key.
        key: KeyChord,
        /// The element to focus first.
        element: Option<String>,
    },
    /// Answer the open JavaScript dialog.
    Dialog {
        /// Whether to accept it.
        accept: bool,
        /// What to type into a prompt.
        text: Option<String>,
    },
    /// Wait for something.
    Wait {
        /// What for.
        until: WaitFor,
        /// How long at most.
        limit: Duration,
    },
}

/// What one action came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionReport {
    /// The line that tells it.
    pub line: String,
    /// Whether it failed.
    pub failed: bool,
}

/// What a batch came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acted {
    /// One report for each action that was run.
    pub reports: Vec<ActionReport>,
    /// How many were not run.
    pub not_run: usize,
    /// New console errors and failed requests, in one line.
    pub trouble: Option<String>,
}

impl Acted {
    /// Whether an action failed.
    pub fn failed(&self) -> bool {
        self.reports.last().is_some_and(|report| report.failed)
    }
}

impl Eyes {
    /// Runs actions in order and stops at the first that fails.
    pub async fn act(&self, tab: &Arc<TabRecord>, actions: &[Action]) -> Acted {
        let _turn = tab.turn.lock().await;
        let mark = Mark::now(tab, &self.shared);
        let deadline = tokio::time::Instant::now() + BATCH_LIMIT;
        let mut actor = Actor { eyes: self, tab, look: None };
        let mut reports = Vec::with_capacity(actions.len());
        for action in actions {
            let done = match tokio::time::timeout_at(deadline, actor.run(action)).await {
                Ok(done) => done,
                Err(_) => Err(SessionError::TookTooLong { seconds: BATCH_LIMIT.as_secs() }),
            };
            let failed = done.is_err();
            let line = done.unwrap_or_else(|error| format!("failed: {error}"));
            reports.push(ActionReport { line, failed });
            if failed {
                break;
            }
        }
        let not_run = actions.len() - reports.len();
        Acted { reports, not_run, trouble: mark.trouble(tab) }
    }
}

/// What the page script says when it got an element ready.
#[derive(Deserialize)]
struct Prepared {
    ok: bool,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
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
struct Focused {
    ok: bool,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct Valued {
    #[serde(default)]
    value: Option<String>,
    #[serde(default)]
    length: Option<usize>,
}

struct Actor<'a> {
    eyes: &'a Eyes,
    tab: &'a Arc<TabRecord>,
    /// The page as it is known to be, if nothing was done since.
    look: Option<Look>,
}

/// An element that was found and is still what the caller saw.
struct Found {
    reference: Reference,
    local: u32,
    /// `[14] button: Save`.
    words: String,
}

impl Actor<'_> {
    async fn run(&mut self, action: &Action) -> Result<String> {
        if !matches!(action, Action::Dialog { .. }) {
            self.eyes.check_tab(self.tab)?;
        }
        match action {
            Action::Click(target) => self.click(target, "clicked", MouseButton::Left, 1).await,
            Action::DoubleClick(target) => self.click(target, "double-clicked", MouseButton::Left, 2).await,
            Action::RightClick(target) => self.click(target, "right-clicked", MouseButton::Right, 1).await,
            Action::Hover(target) => {
                let (x, y, words) = self.aim(target, "hover").await?;
                self.perform(&format!("hovered {words}"), vec![Gesture::Move { x, y }]).await
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
        let (x, y, words) = self.aim(target, "click").await?;
        self.perform(&format!("{verb} {words}"), vec![Gesture::Click { x, y, button, count }]).await
    }

    /// The point to hit, and what is there in words.
    async fn aim(&mut self, target: &Target, action: &str) -> Result<(f64, f64, String)> {
        match target {
            Target::Element(element) => {
                let found = self.find(element).await?;
                let (x, y) = self.prepare(&found, action).await?;
                Ok((x, y, found.words))
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
                let hit = self.eyes.at_point(self.tab, x, y).await?;
                let words = hit.and_then(|local| self.words_of(local)).unwrap_or_default();
                let gap = if words.is_empty() { "" } else { " " };
                Ok((x, y, format!("at {x},{y}{gap}{words}")))
            }
        }
    }

    /// Looks at the page as it is now and finds the element of a reference in it.
    async fn find(&mut self, given: &str) -> Result<Found> {
        let reference = self.eyes.resolve(self.tab, given)?;
        let look = self.eyes.look_in_turn(self.tab, None, false).await?;
        let id = self.eyes.shared.references().find(&reference, &look.page)?;
        let node = look.page.node(id);
        let words = format!("[{}] {}", reference.number, short_line(&look, id));
        let local = node.local();
        self.look = Some(look);
        Ok(Found { reference, local, words })
    }

    /// Scrolls to the element, waits until it can be acted on, and answers with the point to hit.
    async fn prepare(&mut self, found: &Found, action: &str) -> Result<(f64, f64)> {
        let seen = &found.reference.seen;
        let expected = json!({ "role": seen.role.as_str(), "name": seen.name });
        let arguments = json!([found.local, action, expected]).to_string();
        let answer = self.tab.tab.script("prepare", &arguments, PREPARE_LIMIT).await?;
        let prepared: Prepared = read(&answer)?;
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
                let cover = self.cover(&prepared).await;
                format!("{words} is covered by {cover}")
            }
            "offscreen" => format!("{words} cannot be scrolled into view"),
            other => format!("{words} cannot be acted on ({other})"),
        };
        Err(SessionError::Input(why))
    }

    /// What lies over an element, with its number.
    async fn cover(&mut self, prepared: &Prepared) -> String {
        // The page may have scrolled since; look again, so that the cover can be given a number.
        if let Ok(look) = self.eyes.look_in_turn(self.tab, None, false).await {
            self.look = Some(look);
        }
        if let Some(words) = self.words_of(prepared.cover) {
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
    fn words_of(&self, local: u32) -> Option<String> {
        let look = self.look.as_ref()?;
        let token = &look.page.documents.first()?.token;
        let id = look.page.find(token, local)?;
        let number = self.eyes.shared.references().numbering(&look.page).number(id);
        Some(format!("[{number}] {}", short_line(look, id)))
    }

    /// Performs gestures, waits for what they cause, and tells it.
    async fn perform(&mut self, done: &str, gestures: Vec<Gesture>) -> Result<String> {
        let before = self.look.take().map(|look| visible_state(&look.page));
        let mark = Mark::now(self.tab, &self.eyes.shared);
        for gesture in &gestures {
            match self.tab.tab.gesture(gesture).await {
                // The gesture itself closed the tab or opened a dialog: that is its outcome, told below.
                Err(BrowserError::TabClosed | BrowserError::DialogOpen { .. }) => break,
                answer => answer?,
            }
        }
        let outcome = after_action(self.tab, &mark).await?;
        self.tell(done, &outcome, &mark, before).await
    }

    /// The line of an action that was done.
    async fn tell(
        &mut self,
        done: &str,
        outcome: &Outcome,
        mark: &Mark,
        before: Option<u64>,
    ) -> Result<String> {
        let mut unchanged = false;
        let mut title = String::new();
        match outcome {
            Outcome::Stayed => {
                let look = self.eyes.look_in_turn(self.tab, None, false).await?;
                unchanged = before == Some(visible_state(&look.page));
                self.look = Some(look);
            }
            Outcome::Navigated(_) => title = self.eyes.title(self.tab).await,
            Outcome::Dialog | Outcome::Closed => {}
        }
        let consequence = consequence(outcome, mark, self.tab, &self.eyes.shared, &title, unchanged);
        Ok(format!("{done}{consequence}"))
    }

    async fn fill(&mut self, element: &str, text: &str) -> Result<String> {
        let length = text.chars().count();
        if length > LONGEST_TEXT {
            let text = format!(
                "a text of {length} characters is too long for fill; the limit is {LONGEST_TEXT}, give a shorter one"
            );
            return Err(SessionError::Input(text));
        }
        let found = self.find(element).await?;
        self.prepare(&found, "fill").await?;
        let before = self.look.take().map(|look| visible_state(&look.page));
        let mark = Mark::now(self.tab, &self.eyes.shared);
        let focused: Focused = self.ask("focus", json!([found.local])).await?;
        if !focused.ok {
            let why = match focused.reason.as_str() {
                "readonly" => "is read-only",
                "disabled" => "is disabled",
                "gone" => "left the page just now; call inspect_tab again",
                _ => "is no field that text can be filled into; click it or use another element",
            };
            return Err(SessionError::Input(format!("{} {why}", found.words)));
        }
        if focused.kind == "direct" {
            let set: Focused = self.ask("setValue", json!([found.local, text])).await?;
            if !set.ok {
                let why = format!(
                    "{} does not take {:?}; give a value in the field's own format, such as 2026-03-01 for a date",
                    found.words,
                    short(text)
                );
                return Err(SessionError::Input(why));
            }
        } else if text.is_empty() {
            let delete =
                KeyChord { key: "Delete".into(), control: false, shift: false, alt: false, meta: false };
            self.tab.tab.gesture(&Gesture::Press(delete)).await?;
        } else {
            self.tab.tab.gesture(&Gesture::InsertText(text.to_owned())).await?;
        }
        let outcome = after_action(self.tab, &mark).await?;
        let mut done = format!("filled {}", found.words);
        if outcome == Outcome::Stayed {
            let now: Valued = self.ask("value", json!([found.local])).await?;
            done.push_str(&told_value(&found, text, &now)?);
        }
        let line = self.tell(&done, &outcome, &mark, before).await?;
        // The value is told; that the page shows it too is no news.
        Ok(line.replace(" — no visible change", ""))
    }

    async fn press(&mut self, key: &KeyChord, element: Option<&str>) -> Result<String> {
        let words = match element {
            None => {
                self.look = Some(self.eyes.look_in_turn(self.tab, None, false).await?);
                String::new()
            }
            Some(element) => {
                let found = self.find(element).await?;
                let focused: Focused = self.ask("focus", json!([found.local, false])).await?;
                if !focused.ok && focused.reason != "readonly" {
                    return Err(SessionError::Input(format!(
                        "{} cannot have the focus; click it instead",
                        found.words
                    )));
                }
                format!(" in {}", found.words)
            }
        };
        self.perform(&format!("pressed {}{words}", key_words(key)), vec![Gesture::Press(key.clone())]).await
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
        self.tell(&done, &outcome, &mark, None).await
    }

    async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        function: &str,
        arguments: serde_json::Value,
    ) -> Result<T> {
        read(&self.tab.tab.script(function, &arguments.to_string(), PREPARE_LIMIT).await?)
    }
}

/// Reads an answer of the page script.
pub(crate) fn read<T: serde::de::DeserializeOwned>(answer: &str) -> Result<T> {
    serde_json::from_str(answer).map_err(|error| {
        SessionError::Browser(BrowserError::Script(format!(
            "an answer of the page script could not be read ({error})"
        )))
    })
}

/// The line of an element without value and states.
fn short_line(look: &Look, id: NodeId) -> String {
    let whole = line(look.page.node(id));
    let end = [whole.find(" = \""), whole.find(" — ")].into_iter().flatten().min();
    whole[..end.unwrap_or(whole.len())].to_owned()
}

/// ` = "value"` as the field has it now; an error if nothing of it arrived.
fn told_value(found: &Found, wanted: &str, now: &Valued) -> Result<String> {
    let shown = |text: &str| pagesight_core::render::escape::value(text, 200);
    if let Some(length) = now.length {
        let same = length == wanted.chars().count();
        return Ok(if same {
            " = \"•••\"".to_owned()
        } else {
            format!(" = \"•••\" — {length} characters arrived")
        });
    }
    let Some(value) = &now.value else { return Ok(String::new()) };
    let flat = |text: &str| text.replace("\r\n", "\n").trim_end_matches('\n').to_owned();
    if flat(value) == flat(wanted) {
        return Ok(format!(" = {}", shown(value)));
    }
    if value.is_empty() {
        let why = format!("{} stayed empty: it does not take {}", found.words, shown(wanted));
        return Err(SessionError::Input(why));
    }
    Ok(format!(" = {} — the page changed what was filled in", shown(value)))
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

/// `Control+A`.
fn key_words(chord: &KeyChord) -> String {
    let held = [(chord.control, "Control"), (chord.alt, "Alt"), (chord.shift, "Shift"), (chord.meta, "Meta")];
    let mut words: Vec<&str> = held.iter().filter(|(held, _)| *held).map(|(_, word)| *word).collect();
    words.push(&chord.key);
    words.join("+")
}
