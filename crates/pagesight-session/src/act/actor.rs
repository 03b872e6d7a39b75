//! The state of one batch of actions while it runs, and how it finds an element. Before it acts, it
//! makes sure that the element is the one that the caller saw. Each kind of action has its own
//! file.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{Gesture, MouseButton};
use pagesight_core::diff::{ElementKey, diff};
use pagesight_core::nameless::guessed_name;
use pagesight_core::page::{NodeId, Page};
use pagesight_core::refs::{RefError, Reference, Seen};
use pagesight_core::render::{Numbers, headline};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::error::ActionError;
use super::readings::Readings;
use crate::error::Result;
use crate::look::Look;
use crate::look::frame_path::FramePath;
use crate::page_script::{Expected, PageScript};
use crate::session::Session;
use crate::session::origins::ForeignDocument;
use crate::tab::record::TabRecord;
use crate::wait::settle::{Checkpoint, SuggestingField};

/// How long the page script may take to prepare an element; it gives up after 2 s.
pub(super) const PREPARE_LIMIT: Duration = Duration::from_secs(5);

pub(super) struct Actor<'a> {
    pub(super) session: &'a Session,
    pub(super) tab: &'a Arc<TabRecord>,
    /// The last look, if nothing was done since.
    pub(super) look: Option<Look>,
    /// The page was looked at just now, so the next action need not look again.
    pub(super) fresh: bool,
    /// The page before the first action.
    pub(super) before: Before,
    /// The lines of the looks that were read ahead.
    pub(super) readings: Readings,
    /// The elements that were acted on.
    pub(super) acted: Vec<ElementKey>,
    /// How many regions were still changing when the last action ended.
    pub(super) still_changing: usize,
    /// When the last action settled.
    pub(super) settled: Option<Instant>,
    /// The last line already says that nothing changed.
    pub(super) said_unchanged: bool,
    /// Whether suggestions for a typed text are needed: after the last action, or for the next one.
    pub(super) wants_suggestions: bool,
    /// The field that is being typed into, if it may have suggestions.
    pub(super) suggesting: Option<SuggestingField>,
    /// Whether the next action of the batch fills a field, too.
    pub(super) fill_follows: bool,
    /// The state before the first action whose effects were not waited for.
    pub(super) unsettled: Option<Checkpoint>,
    /// How often a repeated action was run, for its line.
    pub(super) often: String,
    /// How many actions were run.
    pub(super) runs: u32,
    /// When the batch must end.
    pub(super) deadline: Instant,
    /// No further action is run once this is cancelled.
    pub(super) stop: &'a CancellationToken,
}

/// The page before the first action.
#[derive(Default)]
pub(super) struct Before {
    pub(super) page: Option<Arc<Page>>,
    /// The numbers that its elements had then.
    pub(super) numbers: Vec<Option<u32>>,
    /// Elements that were changing before the first action.
    pub(super) restless: Vec<ElementKey>,
}

/// An element that was found and is still what the caller saw.
pub(super) struct Found {
    pub(super) reference: Reference,
    pub(super) local: u32,
    /// The frame of its document.
    pub(super) path: FramePath,
    /// Its line: `[14] button: Save`.
    pub(super) words: String,
    /// A part of its name is hidden, so the page script cannot compare the name.
    pub(super) masked: bool,
}

impl Found {
    /// Returns it as a target for input. It must still be what the caller saw.
    pub(super) fn thing(&self) -> Thing<'_> {
        Thing {
            local: self.local,
            path: &self.path,
            token: &self.reference.document,
            words: &self.words,
            expected: (!self.masked).then(|| expected(&self.reference.seen)),
        }
    }
}

/// A target for input.
pub(super) struct Thing<'a> {
    pub(super) local: u32,
    pub(super) path: &'a FramePath,
    /// The token of its document.
    pub(super) token: &'a str,
    pub(super) words: &'a str,
    /// The role and name that it must have; none if it was found just now.
    pub(super) expected: Option<Expected<'a>>,
}

/// The point to hit.
pub(super) struct Aim {
    pub(super) x: f64,
    pub(super) y: f64,
    /// Points that the mouse visits first; none if it is there already.
    pub(super) via: Vec<(f64, f64)>,
}

impl Aim {
    /// Returns a click of the main button.
    pub(super) fn click(self) -> Gesture {
        let Aim { x, y, via } = self;
        Gesture::Click { x, y, via, button: MouseButton::Left, count: 1, adds: false }
    }
}

/// The point to hit, and what is there.
pub(super) struct Aimed {
    pub(super) aim: Aim,
    /// The element at the point, in words.
    pub(super) words: String,
    /// The element, if the target is one.
    pub(super) found: Option<Found>,
}

impl<'a> Actor<'a> {
    pub(super) fn new(
        session: &'a Session,
        tab: &'a Arc<TabRecord>,
        deadline: Instant,
        stop: &'a CancellationToken,
    ) -> Actor<'a> {
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
            wants_suggestions: false,
            suggesting: None,
            fill_follows: false,
            unsettled: None,
            often: String::new(),
            runs: 0,
            deadline,
            stop,
        }
    }
}

impl Actor<'_> {
    /// Returns the current page. Looks again unless nothing was done since the last look.
    pub(super) async fn see(&mut self) -> Result<&Look> {
        let look = match self.look.take() {
            Some(look) => look,
            None => self.session.look_in_turn(self.tab, None, false).await?,
        };
        Ok(self.look.insert(look))
    }

    /// Looks at the page as it is now and finds the element of a reference in it.
    pub(super) async fn find(&mut self, given: &str) -> Result<Found> {
        let mut reference = self.session.resolve(self.tab, given)?;
        let known = self.look.take().filter(|_| std::mem::take(&mut self.fresh));
        let mut look = match known {
            Some(look) => look,
            None => self.session.look_in_turn(self.tab, None, false).await?,
        };
        let found = self.session.shared.references().find(&reference, &look.page);
        let id = match found {
            // An earlier action of the batch may have re-rendered it.
            Err(RefError::Gone { .. }) => {
                self.note_replaced(&look.page);
                look = self.session.look_again_for(look, None, false, &[given]).await?;
                self.note_replaced(&look.page);
                self.session.shared.references().find(&reference, &look.page)
            }
            found => found,
        };
        let id = match id {
            // Nobody need be asked where it is certainly the same control.
            Err(RefError::Rerendered { now, is_same: true, .. }) => {
                reference = self.session.resolve(self.tab, &now.to_string())?;
                self.session.shared.references().find(&reference, &look.page)?
            }
            found => found?,
        };
        self.acted.push((reference.document.clone(), look.page.node(id).local()));
        let node = look.page.node(id);
        let words = format!("[{}] {}", reference.number, short_line(&look, id));
        let local = node.local();
        let path = FramePath::of(&look.page, &node.document().token).unwrap_or_default();
        self.look = Some(look);
        // Its name is a text of the document that is refused.
        self.admit_document(path.frame.as_deref(), "the element").await?;
        let masked = self.session.hidden_values().is_hidden_in(&reference.seen.name);
        Ok(Found { reference, local, path, words, masked })
    }

    /// Records what replaced elements of the page before the first action.
    fn note_replaced(&self, now: &Page) {
        let Before { page: Some(before), numbers, .. } = &self.before else { return };
        let numbers = self.session.numbers_since(before, numbers, now);
        self.session.note_replaced(&diff(before, now), &numbers, before, now);
    }

    /// Refuses a document of an origin that the options do not allow.
    pub(super) async fn admit_document(&self, frame: Option<&str>, target: &str) -> Result<()> {
        refuse(self.session.foreign(self.script(frame)).await?, target)
    }

    /// Returns the frame that a frame element of a document shows; none if it shows none.
    pub(super) async fn frame_in(
        &self,
        frame: Option<&str>,
        element: u32,
    ) -> Result<Option<String>> {
        let limit = Duration::from_secs(2);
        let inner = self.tab.tab.frames_of(frame, &[element], limit).await?;
        Ok(inner.into_iter().next().flatten())
    }

    /// Returns the line of an element of the last look, and gives it a number:
    /// `[33] dialog: Cookies`.
    pub(super) fn words_of(&self, token: &str, local: u32) -> Option<String> {
        // 0 stands for no element.
        let local = Some(local).filter(|local| *local != 0)?;
        let look = self.look.as_ref()?;
        let id = look.page.find(token, local)?;
        let number = self.session.shared.references().numbering(&look.page).number(id);
        Some(format!("[{number}] {}", short_line(look, id)))
    }

    /// Returns the page script of a frame; none is the top frame.
    pub(super) fn script<'s>(&'s self, frame: Option<&'s str>) -> PageScript<'s> {
        self.tab.script(frame, PREPARE_LIMIT)
    }
}

/// Refuses a document that was found to be of an origin that the options do not allow.
pub(super) fn refuse(foreign: Option<ForeignDocument>, target: &str) -> Result<()> {
    let Some(ForeignDocument { origin, allowed }) = foreign else { return Ok(()) };
    Err(ActionError::Elsewhere { target: target.to_owned(), origin, allowed }.into())
}

/// Returns the role and name that an element must have to be what the caller saw.
pub(super) fn expected(seen: &Seen) -> Expected<'_> {
    Expected { role: seen.role.as_str(), name: &seen.name }
}

/// Returns the line of an element without value and states. An element without a name is described
/// by its text.
fn short_line(look: &Look, id: NodeId) -> String {
    let node = look.page.node(id);
    let mut line = headline(node);
    if node.name().is_empty() && guessed_name(node).is_none() {
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
