//! Whether the requests of a tab are known: those of a tab that sends too many are not reported.

use super::events::kind_of;
use super::flood::KnownRequests;
use super::protocol as p;
use super::state::BidiTabState;
use crate::api::events::TabEvent;

impl BidiTabState {
    /// Counts a request that began. Returns the number of requests per second if there are too
    /// many.
    pub(crate) fn counts_as_flood(&self, sent: &p::Exchange) -> Option<u32> {
        self.traffic().rate.count(kind_of(&sent.request), sent.timestamp)
    }

    /// Handles the `load` event of the top document.
    pub(crate) fn loaded(&self) {
        self.traffic().rate.loaded = true;
        self.report(TabEvent::Loaded);
    }

    /// Whether the events of its requests are ignored.
    pub(crate) fn ignores_requests(&self) -> bool {
        self.traffic().known == KnownRequests::None
    }

    /// Ignores its requests from now on.
    pub(crate) fn ignore_requests(&self, per_second: Option<u32>) {
        {
            let mut traffic = self.traffic();
            traffic.known = KnownRequests::None;
            traffic.requests.clear();
        }
        self.report(TabEvent::RequestsUnwatched { per_second });
    }

    /// Records that its requests are reported again. Returns the number of this moment.
    pub(crate) fn reports_requests(&self) -> u64 {
        let mut traffic = self.traffic();
        traffic.rate.again();
        traffic.moments += 1;
        traffic.known = KnownRequests::Newer(traffic.moments);
        traffic.moments
    }

    /// Records that no request is pending that began before a moment.
    pub(crate) fn older_requests_ended(&self, moment: u64) {
        {
            let mut traffic = self.traffic();
            if traffic.known != KnownRequests::Newer(moment) {
                return;
            }
            traffic.known = KnownRequests::All;
        }
        self.report(TabEvent::RequestsWatched);
    }

    /// Records that the requests of a new document are all known, if requests are reported.
    pub(super) fn next_document_is_known(&self) {
        let known = self.traffic().known;
        if let KnownRequests::Newer(moment) = known {
            self.older_requests_ended(moment);
        }
    }
}
