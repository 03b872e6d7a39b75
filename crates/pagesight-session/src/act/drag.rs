//! Drags with the mouse. The report says what changed in the page, and does not claim that the drop
//! worked.

use pagesight_browser::{Gesture, Spot};

use super::action::Target;
use super::actor::{Actor, Aim};
use super::approach::before_drop;
use super::error::ActionError;
use crate::error::Result;
use crate::page_script::Handling;

impl Actor<'_> {
    pub(super) async fn drag(&mut self, from: &Target, to: &Target) -> Result<String> {
        // Both ends are scrolled into view in turn. In the end, the element at the first point must
        // still be the same.
        self.end_of(from, Handling::Drag).await?;
        self.end_of(to, Handling::Hover).await?;
        let (here, from_words) = self.end_of(from, Handling::Drag).await?;
        let hit = self.hit(here.x, here.y).await?;
        let (mut there, to_words) = self.end_of(to, Handling::Hover).await?;
        if self.hit(here.x, here.y).await? != hit {
            return Err(ActionError::ApartInView { from: from_words, to: to_words }.into());
        }
        let (start, end) = ((here.x, here.y), (there.x, there.y));
        there.via = self.stops_before(end, before_drop(start, end)).await?;
        let gesture = Gesture::Drag { from: here, to: there };
        self.perform(&format!("dragged {from_words} to {to_words}"), gesture).await
    }

    /// Returns one end of a drag, scrolled into view and hit-tested.
    async fn end_of(&mut self, target: &Target, handling: Handling) -> Result<(Spot, String)> {
        let aimed = self.aim(target, handling).await?;
        let frame = match (target, &aimed.found) {
            (_, Some(found)) => found.path.frame.clone(),
            (Target::Point(x, y), None) => {
                let hit = self.hit(*x, *y).await?;
                hit.and_then(|(token, _)| self.path_of(&token).frame)
            }
            _ => None,
        };
        let Aim { x, y, via } = aimed.aim;
        Ok((Spot { x, y, frame, via }, aimed.words))
    }
}
