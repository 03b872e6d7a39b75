//! Prepares an element for input: scrolled into view, visible, enabled, not moving, and passing the
//! hit test at the point of the input, through every frame around it.

use std::time::Duration;

use futures_util::future::join_all;
use pagesight_browser::Gesture;

use super::action::Target;
use super::actor::{Actor, Aim, Aimed, Found, Thing, refuse};
use super::approach::around;
use super::error::ActionError;
use crate::error::Result;
use crate::look::frame_path::FramePath;
use crate::page_script::{Handling, Point, Prepared};

/// How long other documents of the page are asked whether they have locked the mouse.
const LOCK_LIMIT: Duration = Duration::from_millis(200);
/// How many places in its frame an element is scrolled to, out from under what covers the frame.
const MOST_PLACES: usize = 3;

impl Actor<'_> {
    /// Returns the point to hit, and what is there.
    pub(super) async fn aim(&mut self, target: &Target, handling: Handling) -> Result<Aimed> {
        match target {
            Target::Element(element) => {
                let found = self.find(element.reference()).await?;
                let aim = self.prepare(&found, handling).await?;
                Ok(Aimed { aim, words: found.words.clone(), found: Some(found) })
            }
            Target::Point(x, y) => {
                let (x, y) = (*x, *y);
                let hit = self.hit(x, y).await?;
                let words =
                    hit.and_then(|(token, local)| self.words_of(&token, local)).unwrap_or_default();
                let gap = if words.is_empty() { "" } else { " " };
                let words = format!("at {x},{y}{gap}{words}");
                let lock = self.script(None).locked_pointer().await?;
                let token = self.top_token();
                let locked =
                    if lock.ok { self.locked_besides(&token).await } else { Some((token, lock)) };
                if let Some((token, lock)) = locked {
                    let by = self.cover(&token, &lock).await;
                    return Err(ActionError::PointerLocked { target: words, by }.into());
                }
                Ok(Aimed { aim: self.aim_at(x, y).await?, words, found: None })
            }
        }
    }

    /// Returns the token of the top document.
    fn top_token(&self) -> String {
        let page = self.look.as_ref().map(|look| &look.page);
        page.and_then(|page| page.documents.first()).map_or(String::new(), |top| top.token.clone())
    }

    /// Returns the document, other than the given one, that has locked the mouse: all input of the
    /// mouse goes to it. A document that does not answer at once is not waited for.
    async fn locked_besides(&self, own: &str) -> Option<(String, Prepared)> {
        let page = self.look.as_ref().map(|look| &look.page)?;
        let others = page.documents.iter().filter(|document| document.token != own);
        let asked = others.map(|document| async move {
            let script = self.script(document.frame.as_deref());
            let lock =
                tokio::time::timeout(LOCK_LIMIT, script.locked_pointer()).await.ok()?.ok()?;
            (!lock.ok).then(|| (document.token.clone(), lock))
        });
        join_all(asked).await.into_iter().flatten().next()
    }

    /// Returns a point of the viewport as a point to hit.
    pub(super) async fn aim_at(&self, x: f64, y: f64) -> Result<Aim> {
        self.admit_point(x, y).await?;
        Ok(Aim { x, y, via: self.stops_before((x, y), around((x, y))).await? })
    }

    /// Returns the element at a point of the viewport: the token of its document and its local id.
    pub(super) async fn hit(&mut self, x: f64, y: f64) -> Result<Option<(String, u32)>> {
        let (width, height) = self.see().await?.page.viewport;
        if !(0.0..f64::from(width)).contains(&x) || !(0.0..f64::from(height)).contains(&y) {
            return Err(ActionError::OutsideViewport { x, y, width, height }.into());
        }
        self.admit_point(x, y).await?;
        match &self.look {
            Some(look) => self.session.at_point(look, x, y).await,
            None => Ok(None),
        }
    }

    /// Refuses a point of the viewport in a document of an origin that the options do not allow.
    /// Asks the documents as they are now: a frame may not be captured, or have changed since.
    async fn admit_point(&self, x: f64, y: f64) -> Result<()> {
        if self.session.options.origins.is_empty() {
            return Ok(());
        }
        let target = format!("the point {x},{y}");
        let (mut frame, mut point) = (None, Point::Pixels(x, y));
        loop {
            let hit = self.script(frame.as_deref()).at(point).await?;
            let (Some(fx), Some(fy)) = (hit.fx, hit.fy) else {
                return self.admit_document(frame.as_deref(), &target).await;
            };
            let inner = self.frame_in(frame.as_deref(), hit.id).await?;
            if inner.is_none() {
                return refuse(self.session.unknown_document(), &target);
            }
            (frame, point) = (inner, Point::Shares(fx, fy));
        }
    }

    /// Returns the frame of the document with this token.
    pub(super) fn path_of(&self, token: &str) -> FramePath {
        self.look.as_ref().and_then(|look| FramePath::of(&look.page, token)).unwrap_or_default()
    }

    /// Scrolls to the element, waits until it can be acted on, and returns the point to hit.
    pub(super) async fn prepare(&mut self, found: &Found, handling: Handling) -> Result<Aim> {
        self.ready(&found.thing(), handling).await
    }

    /// Prepares any target for input and returns the point to hit.
    pub(super) async fn ready(&mut self, thing: &Thing<'_>, handling: Handling) -> Result<Aim> {
        // Frames come first: nothing is drawn in a frame that is out of view.
        for around in thing.path.around.iter().rev() {
            self.script(around.frame.as_deref()).reveal_frame(around.local).await?;
        }
        if handling.points()
            && let Some((token, lock)) = self.locked_besides(thing.token).await
        {
            let (target, by) = (thing.words.to_owned(), self.cover(&token, &lock).await);
            return Err(ActionError::PointerLocked { target, by }.into());
        }
        let frame = thing.path.frame.as_deref();
        let (local, expected) = (thing.local, thing.expected);
        let mut prepared = self.script(frame).prepare(local, handling, expected).await?;
        if prepared.ok && handling.presses() && frame.is_none() && !prepared.undrawn {
            // The mouse moves there first. If that makes the element shrink or move, the press must
            // not go to the element under it.
            let (x, y, via) = (prepared.x, prepared.y, std::mem::take(&mut prepared.via));
            self.tab.gesture(&Gesture::Move { x, y, via }).await?;
            if !self.script(None).is_under_point(local, x, y).await? {
                prepared = self.script(frame).prepare(local, handling, expected).await?;
            }
        }
        // The document that the cover is in: the element's own, or one around it.
        let (mut prepared, mut token) = self.outwards(thing, prepared).await?;
        // What lies over a frame does not know how the document in it scrolls.
        for turn in 0..MOST_PLACES {
            if prepared.reason != "covered" || token == thing.token || self.is_covered(thing) {
                break;
            }
            self.script(frame).scroll_aside(local, turn).await?;
            let again = self.script(frame).prepare(local, handling, expected).await?;
            (prepared, token) = self.outwards(thing, again).await?;
        }
        if prepared.ok {
            return Ok(Aim { x: prepared.x, y: prepared.y, via: prepared.via });
        }
        let target = thing.words.to_owned();
        if prepared.reason == "inert" {
            return Err(self.inert(thing.words, thing.token, thing.local).await.into());
        }
        Err(match prepared.reason.as_str() {
            "gone" => ActionError::Gone { target },
            "changed" => ActionError::Changed { target },
            "hidden" => ActionError::Hidden { target },
            "disabled" => ActionError::Disabled { target },
            "moving" => ActionError::Moving { target },
            "covered" => {
                let cover = self.cover(&token, &prepared).await;
                // A document in a frame does not know of a dialog around it.
                match self.blocked_by(thing.token, thing.local) {
                    Some(by) => ActionError::Inert { target, by },
                    None => ActionError::Covered { target, cover },
                }
            }
            "locked" => {
                let by = self.cover(&token, &prepared).await;
                ActionError::PointerLocked { target, by }
            }
            "offscreen" => {
                self.look_again().await;
                // Clicks fall through the page behind some dialogs.
                match self.blocked_by(thing.token, thing.local) {
                    Some(by) => ActionError::Inert { target, by },
                    None => ActionError::OutOfView { target },
                }
            }
            other => ActionError::NotReady { target, reason: other.to_owned() },
        }
        .into())
    }

    /// Whether the last look marked the element as covered, wherever it is scrolled to.
    fn is_covered(&self, thing: &Thing<'_>) -> bool {
        self.look.as_ref().is_some_and(|look| {
            let id = look.page.find(thing.token, thing.local);
            id.is_some_and(|id| look.page.node(id).cover().is_some())
        })
    }

    /// Converts a point outwards from frame to frame, as long as each frame is hit there. Also
    /// returns the token of the last document.
    pub(super) async fn outwards(
        &self,
        thing: &Thing<'_>,
        mut prepared: Prepared,
    ) -> Result<(Prepared, String)> {
        let mut token = thing.token;
        for around in &thing.path.around {
            if !prepared.ok {
                break;
            }
            let script = self.script(around.frame.as_deref());
            prepared = script.frame_point(around.local, &prepared).await?;
            token = &around.token;
        }
        Ok((prepared, token.to_owned()))
    }

    /// Returns the error for an element that takes no input.
    pub(super) async fn inert(&mut self, words: &str, token: &str, local: u32) -> ActionError {
        self.look_again().await;
        let by = self.blocked_by(token, local).unwrap_or_else(|| "its page".to_owned());
        ActionError::Inert { target: words.to_owned(), by }
    }

    /// Looks at the page as it is now: it may have scrolled, and what is in the way needs a number.
    async fn look_again(&mut self) {
        if let Ok(look) = self.session.look_in_turn(self.tab, None, false).await {
            self.look = Some(look);
        }
    }

    /// Returns what makes an element inert in the last look, with its number.
    pub(super) fn blocked_by(&self, token: &str, local: u32) -> Option<String> {
        let page = &self.look.as_ref()?.page;
        let by = page.inert_because_of(page.find(token, local)?)?;
        self.words_of(&by.document().token, by.local())
    }

    /// Returns the element that covers a target, with its number.
    async fn cover(&mut self, token: &str, prepared: &Prepared) -> String {
        self.look_again().await;
        if let Some(words) = self.words_of(token, prepared.cover) {
            return words;
        }
        let name = pagesight_core::text::escape::safe(&prepared.cover_name, 80);
        match (prepared.cover_role.as_str(), name.as_str()) {
            ("", "") => "another element".to_owned(),
            (role, "") => role.to_owned(),
            ("", name) => name.to_owned(),
            (role, name) => format!("{role}: {name}"),
        }
    }
}
