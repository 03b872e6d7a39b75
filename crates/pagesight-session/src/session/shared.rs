//! The state that calls on different tabs share: the list of tabs, the references, the features.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use pagesight_browser::{Engine, lock};
use pagesight_core::refs::References;

use crate::session::features::{Feature, Features};
use crate::session::options::Options;
use crate::tab::capture_cache::CaptureExtent;
use crate::tab::tabs::Tabs;

/// The state that calls on different tabs share. The locks are held only for moments, never across
/// an await.
#[derive(Default)]
pub(crate) struct Shared {
    tabs: Mutex<Tabs>,
    references: Mutex<References>,
    pub(crate) features: Features,
    /// Whether the browser is the user's, where extensions may change pages at any time.
    pub(crate) is_users: bool,
    /// Whether the pages of the browser know what their scripts have scheduled.
    pub(crate) hooks: bool,
    /// How much later than the engine's events a page may hear of the end of a request.
    pub(crate) lag: Duration,
    /// Whether shadow roots and frames are entered.
    pub(crate) pierce: bool,
    /// The contents of captures while a page settles.
    pub(crate) ahead: CaptureExtent,
    /// Notified of every tab that the session did not open.
    pub(crate) tab_came: tokio::sync::Notify,
    notice: Mutex<Option<String>>,
    /// Whether a person has used a tab, who may have logged in there.
    person: AtomicBool,
}

/// The time in which a busy Firefox hands a response to its page.
const FIREFOX_LAG: Duration = Duration::from_millis(120);

impl Shared {
    pub(crate) fn new(options: &Options) -> Shared {
        Shared {
            is_users: options.connect.is_some(),
            hooks: options.connect.is_none() && !options.launch.no_hooks,
            // Firefox reports the end of a response before it hands the response to the page.
            lag: match options.launch.engine {
                Engine::Chromium => Duration::ZERO,
                Engine::Firefox => FIREFOX_LAG,
            },
            pierce: !options.no_pierce,
            ahead: match options.for_fingerprints {
                true => CaptureExtent::Full,
                false => CaptureExtent::Plain,
            },
            ..Shared::default()
        }
    }

    pub(crate) fn tabs(&self) -> MutexGuard<'_, Tabs> {
        lock(&self.tabs)
    }

    pub(crate) fn references(&self) -> MutexGuard<'_, References> {
        lock(&self.references)
    }

    /// Records that a person uses a tab.
    pub(crate) fn person_takes_over(&self) {
        self.person.store(true, Ordering::SeqCst);
    }

    /// Whether a person has used a tab.
    pub(crate) fn had_person(&self) -> bool {
        self.person.load(Ordering::SeqCst)
    }

    /// Returns what the next answer must report first.
    pub(crate) fn notice(&self) -> MutexGuard<'_, Option<String>> {
        lock(&self.notice)
    }

    /// Whether a feature is on.
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }
}
