//! The size of a viewport.

/// The size of a tab's viewport, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Viewport {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
}

impl Viewport {
    /// Returns whether a browser can show this size: 100 to 10,000 pixels each way.
    pub fn is_sensible(&self) -> bool {
        [self.width, self.height].iter().all(|side| (100..=10_000).contains(side))
    }
}

/// A text is not a viewport.
#[derive(Debug, thiserror::Error, Clone, Copy, PartialEq, Eq)]
#[error("give width and height from 100 to 10000, such as 1280x720")]
pub struct UnknownViewport;

impl std::str::FromStr for Viewport {
    type Err = UnknownViewport;

    fn from_str(text: &str) -> std::result::Result<Viewport, UnknownViewport> {
        let size = text.split_once(['x', 'X']);
        let size =
            size.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
        let viewport = size.map(|(width, height)| Viewport { width, height });
        viewport.filter(Viewport::is_sensible).ok_or(UnknownViewport)
    }
}

impl Default for Viewport {
    fn default() -> Self {
        Viewport { width: 1280, height: 720 }
    }
}
