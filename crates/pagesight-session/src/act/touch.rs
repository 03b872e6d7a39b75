//! Actions on touch screens: swipes. Clicks become taps in the engine.

use pagesight_browser::{Gesture, Spot};

use super::actor::{Actor, Aim};
use super::error::ActionError;
use crate::error::Result;
use crate::page_script::Handling;

impl Actor<'_> {
    /// Fails if the tab has no touch screen.
    pub(super) fn check_touch(&self) -> Result<()> {
        match self.tab.tab.emulation().has_touch() {
            true => Ok(()),
            false => Err(ActionError::NoTouchScreen.into()),
        }
    }

    /// Fails if the tab has a touch screen: a finger cannot hover.
    pub(super) fn check_hover(&self) -> Result<()> {
        match self.tab.tab.emulation().device.filter(|device| device.touch) {
            Some(device) => Err(ActionError::NoHover { device: device.to_string() }.into()),
            None => Ok(()),
        }
    }

    /// Swipes over an element, or over the middle of the viewport.
    pub(super) async fn swipe(
        &mut self,
        element: Option<&super::given::GivenElement>,
        dx: f64,
        dy: f64,
    ) -> Result<String> {
        self.check_touch()?;
        let (width, height) = self.see().await?.page.viewport;
        let (width, height) = (f64::from(width), f64::from(height));
        let (from, words) = match element {
            None => ((width / 2.0, height / 2.0), "the page".to_owned()),
            Some(element) => {
                let target = super::action::Target::Element(element.clone());
                let aimed = self.aim(&target, Handling::Hover).await?;
                let Aim { x, y, .. } = aimed.aim;
                ((x, y), aimed.words)
            }
        };
        let spot = |(x, y)| Spot { x, y, ..Spot::default() };
        // A finger cannot leave the screen.
        let to = ((from.0 + dx).clamp(1.0, width - 1.0), (from.1 + dy).clamp(1.0, height - 1.0));
        let gesture = Gesture::Swipe { from: spot(from), to: spot(to) };
        let way = way((to.0 - from.0, to.1 - from.1));
        self.perform(&format!("swiped {words} {way}"), gesture).await
    }
}

/// Returns how far the finger moved, in words.
fn way((dx, dy): (f64, f64)) -> String {
    let mut ways = Vec::new();
    for (by, names) in [(dy, ["down", "up"]), (dx, ["right", "left"])] {
        let pixels = by.round() as i64;
        if pixels != 0 {
            ways.push(format!("{} {} px", names[usize::from(pixels < 0)], pixels.abs()));
        }
    }
    match ways.is_empty() {
        true => "0 px".to_owned(),
        false => ways.join(", "),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_way_is_the_one_of_the_finger() {
        assert_eq!(super::way((0.0, -300.0)), "up 300 px");
        assert_eq!(super::way((120.4, 5.0)), "down 5 px, right 120 px");
        assert_eq!(super::way((0.0, 0.2)), "0 px");
    }
}
