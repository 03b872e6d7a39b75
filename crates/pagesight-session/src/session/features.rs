//! Features that a session can turn on and off while it runs.

use std::sync::atomic::{AtomicBool, Ordering};

/// A feature that can be turned on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// An action reports what it changed.
    PageDiffing,
    /// Waits end when the page is quiet, not at a fixed event.
    SmartWaiting,
}

impl Feature {
    /// The features in the order in which they are listed.
    pub const ALL: [Feature; 2] = [Feature::PageDiffing, Feature::SmartWaiting];

    /// Returns the name that callers write.
    pub fn name(self) -> &'static str {
        match self {
            Feature::PageDiffing => "page_diffing",
            Feature::SmartWaiting => "smart_waiting",
        }
    }

    /// Finds a feature by its name.
    pub fn named(given: &str) -> Result<Feature, UnknownFeature> {
        Feature::ALL.into_iter().find(|feature| feature.name() == given).ok_or_else(|| {
            let shown: String = given.chars().take(60).collect();
            let known = Feature::ALL.map(Feature::name).join(", ");
            UnknownFeature { given: shown, known }
        })
    }
}

/// There is no feature with this name.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[error("there is no feature {given:?}; the features are {known}")]
pub struct UnknownFeature {
    /// The beginning of the given name.
    pub given: String,
    /// The names of the features.
    pub known: String,
}

/// Which features are on.
pub(crate) struct Features([AtomicBool; 2]);

impl Default for Features {
    fn default() -> Self {
        Features([AtomicBool::new(true), AtomicBool::new(true)])
    }
}

impl Features {
    /// Whether a feature is on.
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.0[feature as usize].load(Ordering::Relaxed)
    }

    /// Turns a feature on or off.
    pub(crate) fn set(&self, feature: Feature, on: bool) {
        self.0[feature as usize].store(on, Ordering::Relaxed);
    }
}
