//! The parts of the look of a page that are compared: `visual`, `mask` and `threshold` in
//! `pages.toml`.

use serde::Deserialize;

use super::error::SettingError;

/// The distance from which on two colours differ, if the file has none.
const THRESHOLD: f64 = 0.1;

/// The parts of the look of a page that are compared, as they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum VisualSetting {
    #[default]
    Off,
    /// Boxes and styles.
    Layout,
    /// The pictures, too.
    Pixels,
}

/// The parts of the look of a page that are compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct VisualRules {
    pub(crate) setting: VisualSetting,
    /// Selectors of elements whose pictures are not compared.
    pub(crate) masks: Vec<String>,
    /// The distance from which on two colours differ, from 0 to 1.
    pub(crate) threshold: f32,
}

impl VisualRules {
    /// Makes the rules of a page. `pictures`: its pictures are stored.
    pub(super) fn new(
        setting: VisualSetting,
        masks: Vec<String>,
        threshold: Option<f64>,
        pictures: bool,
    ) -> Result<VisualRules, SettingError> {
        let threshold = threshold.unwrap_or(THRESHOLD);
        if !(threshold > 0.0 && threshold < 1.0) {
            return Err(SettingError::Threshold(threshold.to_string()));
        }
        if let Some(empty) = masks.iter().find(|mask| mask.trim().is_empty()) {
            return Err(SettingError::Mask(empty.clone()));
        }
        if setting == VisualSetting::Pixels && !pictures {
            return Err(SettingError::PixelsWithoutPictures);
        }
        Ok(VisualRules { setting, masks, threshold: threshold as f32 })
    }

    /// Whether pictures are compared.
    pub(crate) fn compares_pixels(&self) -> bool {
        self.setting == VisualSetting::Pixels
    }
}
