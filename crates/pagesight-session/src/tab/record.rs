//! One tab of a session: its names, its engine tab, the state that events report, its turn, and its
//! caches. The list of tabs is in `tabs`.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pagesight_browser::lock;
use pagesight_browser::{Gesture, Tab, Viewport};
use pagesight_core::page::Page;
use pagesight_core::text::hidden_values::HiddenValues;
use tokio::sync::{Mutex as AsyncMutex, MutexGuard};

use crate::error::Result;
use crate::page_script::{NewsCall, PageScript};
use crate::tab::capture_cache::Memory;
use crate::tab::error::TabError;
use crate::tab::fingerprint_cache::CachedFingerprint;
use crate::tab::main_thread::MainThread;
use crate::tab::position_cache::PositionCache;
use crate::tab::rows_reading::StoredReading;
use crate::tab::state::SharedTabState;
use crate::wait::host_names::HostNames;

/// How long a call waits for its turn.
const TURN_LIMIT: Duration = Duration::from_secs(20);

/// One tab of the session.
pub struct TabRecord {
    /// A number that no other tab of the session has or had.
    pub(crate) key: u32,
    /// Its id for callers: `t1`.
    pub id: String,
    pub(crate) name: Mutex<Option<String>>,
    pub(crate) tab: Arc<dyn Tab>,
    pub(crate) state: Arc<SharedTabState>,
    /// Whether pagesight opened it; only then may pagesight close it at the end.
    pub(crate) ours: bool,
    /// The engine's id of the tab that opened it.
    pub(crate) opener: Option<String>,
    /// Knowledge about hosts and pending requests, shared by all tabs.
    pub(crate) names: HostNames,
    /// Values that it must not report.
    pub(crate) hidden: Arc<HiddenValues>,
    /// The viewport that the caller set, if any.
    pub(crate) viewport: Mutex<Option<Viewport>>,
    /// Whether the page answers.
    pub(crate) main_thread: MainThread,
    turn: AsyncMutex<()>,
    /// Held while the engine looks for parts that the page script cannot see.
    pub(crate) search: AsyncMutex<()>,
    /// Frames that did not answer the last call.
    stuck: Mutex<HashSet<String>>,
    memory: Mutex<Memory>,
    /// The pending `nextChange` call that no waiter listens to at the moment.
    pub(crate) parked_news: Mutex<Option<NewsCall>>,
    cached_fingerprint: Mutex<Option<CachedFingerprint>>,
    answers: Mutex<AnswerState>,
    /// Positions in original sources that were found.
    pub(crate) positions: Mutex<PositionCache>,
    /// The rows of several pages that were read last.
    pub(crate) rows_reading: Mutex<Option<StoredReading>>,
}

/// The caller's knowledge of the tab, so that answers need not repeat it.
#[derive(Default)]
pub(crate) struct AnswerState {
    /// The page that the last answer was about, and how many documents there had been.
    pub(crate) answered: Option<(Arc<Page>, u64)>,
    /// The changes after it, for the next answer.
    pub(crate) line: Option<String>,
    /// The last page that was looked at before the current navigation.
    pub(crate) left: Option<Arc<Page>>,
}

impl TabRecord {
    /// Makes the record of a tab that was just opened.
    pub(crate) fn new(
        (key, id): (u32, String),
        tab: Arc<dyn Tab>,
        ours: bool,
        opener: Option<String>,
        (names, hidden): (HostNames, Arc<HiddenValues>),
    ) -> TabRecord {
        let state: Arc<SharedTabState> = Arc::default();
        TabRecord {
            key,
            id,
            name: Mutex::new(None),
            main_thread: MainThread::new(tab.clone(), state.clone()),
            tab,
            state,
            ours,
            opener,
            names,
            hidden,
            viewport: Mutex::default(),
            turn: AsyncMutex::new(()),
            search: AsyncMutex::new(()),
            stuck: Mutex::default(),
            memory: Mutex::default(),
            parked_news: Mutex::default(),
            cached_fingerprint: Mutex::default(),
            answers: Mutex::default(),
            positions: Mutex::default(),
            rows_reading: Mutex::default(),
        }
    }

    /// Returns the cached fingerprint. The lock is held only for moments, never across an await.
    pub(crate) fn cached_fingerprint(
        &self,
    ) -> std::sync::MutexGuard<'_, Option<CachedFingerprint>> {
        lock(&self.cached_fingerprint)
    }

    /// Returns the caller's knowledge. The lock is held only for moments, never across
    /// an await.
    pub(crate) fn answers(&self) -> std::sync::MutexGuard<'_, AnswerState> {
        lock(&self.answers)
    }

    /// Returns the capture cache. The lock is held only for moments, never across an await.
    pub(crate) fn memory(&self) -> std::sync::MutexGuard<'_, Memory> {
        lock(&self.memory)
    }

    /// Whether a frame did not answer the last call.
    pub(crate) fn is_stuck(&self, frame: &str) -> bool {
        lock(&self.stuck).contains(frame)
    }

    /// Records whether a frame answers.
    pub(crate) fn set_stuck(&self, frame: &str, stuck: bool) {
        let mut known = lock(&self.stuck);
        if stuck {
            known.insert(frame.to_owned());
        } else {
            known.remove(frame);
        }
    }

    /// Returns the name that the caller gave it, if any.
    pub fn name(&self) -> Option<String> {
        lock(&self.name).clone()
    }

    /// Waits for the tab's turn: calls on one tab run one after the other.
    pub(crate) async fn turn(&self) -> Result<MutexGuard<'_, ()>> {
        let late = |_| TabError::Busy { tab: self.label() }.into();
        tokio::time::timeout(TURN_LIMIT, self.turn.lock()).await.map_err(late)
    }

    /// Returns the page script of a frame (none: the top document), for calls that take at most
    /// `limit`.
    pub(crate) fn script<'t>(&'t self, frame: Option<&'t str>, limit: Duration) -> PageScript<'t> {
        PageScript { tab: &self.tab, main_thread: &self.main_thread, frame, limit }
    }

    /// Performs a gesture. Fails as soon as the page hangs.
    pub(crate) async fn gesture(&self, gesture: &Gesture) -> pagesight_browser::Result<()> {
        self.main_thread.attend(self.tab.gesture(gesture)).await
    }

    /// Returns the name if it has one, else the id.
    pub fn label(&self) -> String {
        self.name().unwrap_or_else(|| self.id.clone())
    }
}
