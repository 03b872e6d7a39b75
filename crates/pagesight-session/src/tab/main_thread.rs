//! Finds out whether the main thread of a page answers. During a call that takes long, a small
//! question is sent to the page. If the page does not answer it for 3 s, the page hangs, and calls
//! end with an error that says so. The question stays open: until the page answers it, or is left,
//! every further call ends at once.
//!
//! The work of the page script runs in slices, so the question is answered between two of them.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use pagesight_browser::{BrowserError, Result, Tab};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::tab::state::{SharedTabState, TabState};

/// A call that takes longer than this makes us ask.
const LONG: Duration = Duration::from_millis(300);
/// After an answer, the page is asked again after this long.
const AGAIN: Duration = Duration::from_secs(1);
/// A page that does not answer for this long hangs.
const HANG: Duration = Duration::from_secs(3);
/// How long an open question is kept.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Whether the main thread of a page answers.
pub(crate) struct MainThread {
    tab: Arc<dyn Tab>,
    state: Arc<SharedTabState>,
    probes: Arc<watch::Sender<Probes>>,
}

#[derive(Default)]
struct Probes {
    open: Option<Probe>,
    sent: u64,
    /// The page did not answer in time.
    hung: bool,
}

/// A question that the page has not answered yet.
#[derive(Clone, Copy)]
struct Probe {
    number: u64,
    sent: Instant,
    since: SystemTime,
}

impl Probes {
    /// Records that a question is sent.
    fn open(&mut self) -> Probe {
        self.sent += 1;
        let probe = Probe { number: self.sent, sent: Instant::now(), since: SystemTime::now() };
        *self.open.insert(probe)
    }

    fn is_open(&self, number: u64) -> bool {
        self.open.is_some_and(|probe| probe.number == number)
    }
}

impl MainThread {
    pub(crate) fn new(tab: Arc<dyn Tab>, state: Arc<SharedTabState>) -> MainThread {
        MainThread { tab, state, probes: Arc::default() }
    }

    /// Returns since when the page hangs, if it does.
    pub(crate) fn hang(&self) -> Option<SystemTime> {
        let probes = self.probes.borrow();
        probes.open.filter(|_| probes.hung).map(|probe| probe.since)
    }

    /// Fails if the page hangs.
    pub(crate) fn check(&self) -> Result<()> {
        self.hang().map_or(Ok(()), |since| Err(BrowserError::Hangs { since }))
    }

    /// Records that the page does not hang any more: it was left, or its script was ended.
    pub(crate) fn forget(&self) {
        self.probes.send_modify(|probes| (probes.open, probes.hung) = (None, false));
    }

    /// Records that the page cannot be used although it answers: it opens one dialog after the
    /// other.
    pub(crate) fn condemn(&self) {
        self.probes.send_modify(|probes| {
            probes.open();
            probes.hung = true;
        });
    }

    /// Returns the question that is open; asks one if there is none.
    fn ask(&self) -> Probe {
        let (mut probe, mut new) = (None, false);
        self.probes.send_modify(|probes| {
            new = probes.open.is_none();
            probe = Some(probes.open.unwrap_or_else(|| probes.open()));
        });
        // The closure above always runs.
        let probe = probe.unwrap_or_else(|| Probes::default().open());
        if new {
            let (probes, tab, state) = (self.probes.clone(), self.tab.clone(), self.state.clone());
            let committed = state.now().committed;
            tokio::spawn(async move {
                let gone = |state: &TabState| state.committed != committed || state.closed;
                tokio::select! {
                    _ = tab.responds() => {}
                    // A question to a document that is gone may never be answered.
                    _ = state.wait(probe.sent + LONGEST, |state| gone(state).then_some(())) => {}
                }
                probes.send_modify(|probes| {
                    if probes.is_open(probe.number) {
                        (probes.open, probes.hung) = (None, false);
                    }
                });
            });
        }
        probe
    }

    /// Waits for the answer to a question, and returns whether the page hangs: it did not come.
    async fn is_silent(&self, probe: Probe) -> Option<SystemTime> {
        let mut probes = self.probes.subscribe();
        let answered = probes.wait_for(|probes| !probes.is_open(probe.number));
        if tokio::time::timeout_at(probe.sent + HANG, answered).await.is_ok() {
            return None;
        }
        if self.state.now().awaits_server() {
            // The browser keeps questions back until the server has answered.
            return None;
        }
        self.probes.send_modify(|probes| probes.hung = probes.is_open(probe.number));
        self.hang()
    }

    /// Returns when the page did not answer a question in time; never if it did.
    async fn silent(&self, probe: Probe) -> SystemTime {
        match self.is_silent(probe).await {
            Some(since) => since,
            None => std::future::pending().await,
        }
    }

    /// Returns when the page hangs; never if it does not.
    pub(crate) async fn hangs(&self) -> SystemTime {
        let mut pause = LONG;
        loop {
            tokio::time::sleep(pause).await;
            let probe = self.ask();
            if let Some(since) = self.is_silent(probe).await {
                return since;
            }
            pause = AGAIN;
        }
    }

    /// Returns whether the page answers; waits for as long as it may take.
    pub(crate) async fn is_awake(&self) -> bool {
        let probe = self.ask();
        self.is_silent(probe).await.is_none()
    }

    /// Waits up to `limit` until the page answers, and returns whether it does.
    pub(crate) async fn wakes(&self, limit: Duration) -> bool {
        let probe = self.ask();
        let mut probes = self.probes.subscribe();
        let answered = probes.wait_for(|probes| !probes.is_open(probe.number));
        tokio::time::timeout(limit, answered).await.is_ok()
    }

    /// Waits for a call into the page. Fails as soon as the page hangs.
    pub(crate) async fn attend<T>(&self, call: impl Future<Output = Result<T>>) -> Result<T> {
        self.check()?;
        tokio::select! {
            biased;
            answer = call => answer,
            since = self.hangs() => Err(BrowserError::Hangs { since }),
        }
    }

    /// Waits for work of ours that may itself keep the page busy, and that has a limit of its own.
    /// Fails if the page does not even answer a question that was asked before.
    pub(crate) async fn attend_work<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        self.check()?;
        let probe = self.ask();
        tokio::select! {
            biased;
            answer = work => answer,
            since = self.silent(probe) => Err(BrowserError::Hangs { since }),
        }
    }

    /// Waits for a call into the page that has a limit of its own. Whether the page hangs is known
    /// afterwards.
    pub(crate) async fn observe<T>(&self, call: impl Future<Output = T>) -> T {
        let mut call = std::pin::pin!(call);
        tokio::select! {
            biased;
            answer = &mut call => answer,
            _ = self.hangs() => call.await,
        }
    }
}
