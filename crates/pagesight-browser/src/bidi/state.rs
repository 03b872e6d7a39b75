//! The state of one tab that is driven over BiDi, shared by the events that change it (`events.rs`)
//! and the calls that depend on it.

use std::collections::HashMap;
use std::future::Future;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit, mpsc};

use super::flood::{KnownRequests, RequestRate};
use crate::api::emulation::Emulation;
use crate::api::events::TabEvent;
use crate::engine::tab::{EngineTab, TabStatus};
use crate::error::{BrowserError, Result};
use crate::sync::lock;
use crate::wire::connection::Connection;

/// How long calls wait for a document that is being loaded before they use whatever is there.
const COMMIT_LIMIT: Duration = Duration::from_secs(2);
/// In how many frames the page script is installed at the same time. Each keeps the main thread
/// busy for 20 ms; with fewer at once, other calls are answered in between.
const INSTALLS: usize = 8;

pub(crate) struct BidiTabState {
    tab: EngineTab<BidiFrames>,
    traffic: Mutex<BidiTraffic>,
    installs: Semaphore,
    /// The conditions that it emulates.
    pub(crate) conditions: Mutex<Emulation>,
}

/// The frames of a tab and the documents in them.
#[derive(Default)]
pub(crate) struct BidiFrames {
    /// Realms of the documents, the page's own and ours, each with its frame.
    pub(crate) realms: Vec<(String, String)>,
    /// The document that each frame shows.
    documents: HashMap<String, ShownDocument>,
    /// Whether the last top document is gone and the next is not committed: until then an empty
    /// document answers.
    pub(crate) between: bool,
    /// The last navigation that stayed in its document.
    pub(crate) last_within: Option<String>,
}

/// The document that a frame shows, as far as it is known.
#[derive(Default)]
struct ShownDocument {
    /// How often the document of the frame was replaced or removed.
    number: u64,
    /// Whether the page script was sent to it.
    asked: bool,
}

/// A document of a frame.
pub(crate) struct BidiDocument {
    pub(crate) context: String,
    number: u64,
}

/// Requests that have not ended, and the navigation under way.
#[derive(Default)]
pub(crate) struct BidiTraffic {
    /// The origin of each request, by its id.
    pub(crate) requests: HashMap<String, RequestOrigin>,
    pub(crate) navigation: Option<PendingNavigation>,
    /// How many of our own navigations to an address are under way.
    pub(crate) opening: usize,
    /// The last navigation that was reported as failed.
    pub(crate) failed: Option<String>,
    /// Whether a navigation was given up since we began one, until a document is committed.
    pub(crate) given_up: bool,
    /// Whether the last document is that of a navigation that was given up. Firefox reports it with
    /// the id of the navigation that began then, which was lost.
    pub(crate) revived: bool,
    /// How many requests the document sends.
    pub(crate) rate: RequestRate,
    /// Whether its requests are known.
    pub(crate) known: KnownRequests,
    /// How often requests were reported again after they were not.
    pub(crate) moments: u64,
}

/// The cause of a request.
pub(crate) struct RequestOrigin {
    /// The navigation, if the request is for a document.
    pub(crate) navigation: Option<String>,
    pub(crate) context: Option<String>,
    /// When it was sent, in milliseconds since 1970.
    pub(crate) started: f64,
    /// The status that redirected it, if its next event is for the new address.
    pub(crate) redirected: Option<u16>,
}

/// A navigation of the top frame that has neither committed nor failed.
pub(crate) struct PendingNavigation {
    pub(crate) id: String,
    /// Where it leads, as far as it was redirected.
    pub(crate) url: String,
    /// Whether there was a request for it. A document out of the back/forward cache needs none.
    pub(crate) requested: bool,
    /// Whether we began it; otherwise the page did, or the history.
    pub(crate) ours: bool,
}

/// The right to install the page script in a document.
pub(crate) enum FirstCall<'t> {
    /// In the top document.
    Top,
    /// In the document of a frame: one of a few at the same time.
    Frame(SemaphorePermit<'t>),
}

/// A navigation of ours to an address.
pub(crate) struct Opening<'t>(&'t BidiTabState);

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.0.traffic().opening -= 1;
    }
}

impl BidiTraffic {
    /// The navigation under way, if there was no request for it.
    pub(crate) fn without_request(&self) -> Option<&str> {
        let navigation = self.navigation.as_ref().filter(|navigation| !navigation.requested);
        navigation.map(|navigation| navigation.id.as_str())
    }
}

impl Deref for BidiTabState {
    type Target = EngineTab<BidiFrames>;

    fn deref(&self) -> &Self::Target {
        &self.tab
    }
}

impl BidiTabState {
    /// Creates the state of a new tab, and the channel of its events.
    pub(crate) fn new(
        connection: Connection,
        id: String,
    ) -> (BidiTabState, mpsc::UnboundedReceiver<TabEvent>) {
        let (tab, events) =
            EngineTab::new(connection, id, None, BidiFrames::default(), explain_refusal);
        let installs = Semaphore::new(INSTALLS);
        let conditions = Mutex::default();
        (BidiTabState { tab, traffic: Mutex::default(), installs, conditions }, events)
    }

    /// The document that a frame (`None`: the top one) shows; waits for one that is being loaded.
    pub(crate) async fn document(
        &self,
        frame: Option<&str>,
        limit: Duration,
    ) -> Result<BidiDocument> {
        let mut status = self.status.subscribe();
        let shown = async { Ok(status.wait_for(|status| !status.frames.between).await.is_ok()) };
        if tokio::time::timeout(limit.min(COMMIT_LIMIT), self.unless_blocked(true, shown))
            .await
            .is_err()
        {
            // Its commit was never reported; an empty document is better than none.
            self.status.send_modify(|status| status.frames.between = false);
        }
        self.ready(true)?;
        let context = frame.unwrap_or(&self.id).to_owned();
        let number = self.status.borrow().frames.number(&context);
        Ok(BidiDocument { context, number })
    }

    /// Returns the document of a frame, unless it is a frame's first: nearly always an empty one
    /// that is replaced. The top document may be older than our connection.
    pub(crate) fn document_in(&self, context: &str) -> Option<BidiDocument> {
        let number = self.status.borrow().frames.number(context);
        let is_shown = number > 0 || context == self.id;
        is_shown.then(|| BidiDocument { context: context.to_owned(), number })
    }

    /// Returns a permit if no call of the page script was sent to a document yet: the next one has
    /// to install it. A call that waited for a permit finds that out afterwards.
    pub(crate) async fn first_call(&self, document: &BidiDocument) -> Option<FirstCall<'_>> {
        let is_first = |change: bool| {
            let mut first = false;
            // Nobody waits for this change.
            self.status.send_if_modified(|status| {
                first = status.frames.is_first_call(document, change);
                false
            });
            first
        };
        if !is_first(false) {
            return None;
        }
        let call = match document.context == self.id {
            true => FirstCall::Top,
            false => FirstCall::Frame(self.installs.acquire().await.ok()?),
        };
        is_first(true).then_some(call)
    }

    /// Waits for `call` as long as the tab can answer and the frame shows the same document.
    pub(crate) async fn within_document<T>(
        &self,
        document: &BidiDocument,
        call: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let mut status = self.status.subscribe();
        let next = |status: &TabStatus<BidiFrames>| {
            status.frames.number(&document.context) != document.number
        };
        tokio::select! {
            biased;
            answer = self.unless_blocked(true, call) => answer.map_err(|error| {
                match explain_refusal(error) {
                    // A frame can go away without its tab.
                    BrowserError::TabClosed if document.context != self.id => BrowserError::Navigated,
                    error => error,
                }
            }),
            _ = status.wait_for(next) => Err(BrowserError::Navigated),
        }
    }

    /// Records that we open an address, until the result is dropped.
    pub(crate) fn opening(&self) -> Opening<'_> {
        self.traffic().opening += 1;
        Opening(self)
    }

    /// Locks the traffic, for reading and changing.
    pub(crate) fn traffic(&self) -> MutexGuard<'_, BidiTraffic> {
        lock(&self.traffic)
    }
}

impl BidiFrames {
    /// The number of the document that a frame shows.
    fn number(&self, context: &str) -> u64 {
        self.documents.get(context).map_or(0, |document| document.number)
    }

    /// Records that a frame shows a different document.
    pub(crate) fn next_document(&mut self, context: &str) {
        let document = self.documents.entry(context.to_owned()).or_default();
        *document = ShownDocument { number: document.number + 1, asked: false };
    }

    /// Forgets a frame that is gone: a page may replace its frames without end.
    pub(crate) fn forget(&mut self, context: &str) {
        self.documents.remove(context);
        self.realms.retain(|(_, known)| known != context);
    }

    /// Whether no call was sent to a document that is still shown. `change`: the next one is sent.
    fn is_first_call(&mut self, document: &BidiDocument, change: bool) -> bool {
        if document.number == 0 && !self.documents.contains_key(&document.context) {
            self.documents.insert(document.context.clone(), ShownDocument::default());
        }
        let Some(shown) = self.documents.get_mut(&document.context) else { return false };
        let first = !shown.asked && shown.number == document.number;
        shown.asked |= first && change;
        first
    }
}

/// Turns Firefox's refusal into the error for a tab or a document that is gone.
pub(crate) fn explain_refusal(error: BrowserError) -> BrowserError {
    match &error {
        BrowserError::Refused { message, .. } if message.starts_with("no such frame") => {
            BrowserError::TabClosed
        }
        BrowserError::Refused { message, .. }
            if message.contains("AbortError")
                || message.contains("DiscardedBrowsingContextError") =>
        {
            BrowserError::Navigated
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_are_gone_are_forgotten() {
        let mut frames = BidiFrames::default();
        for number in 0..100 {
            let context = format!("frame {number}");
            frames.realms.push((format!("realm {number}"), context.clone()));
            frames.next_document(&context);
            let shown = BidiDocument { context: context.clone(), number: frames.number(&context) };
            assert!(frames.is_first_call(&shown, true) && !frames.is_first_call(&shown, true));
            frames.forget(&context);
            assert!(!frames.is_first_call(&shown, true), "its document is gone");
            assert_ne!(frames.number(&context), shown.number);
        }
        assert!(frames.documents.is_empty() && frames.realms.is_empty());
    }
}
