//! Recognises documents that send so many requests that reporting them keeps the browser busy.

use crate::api::events::RequestKind;

/// How many requests within how many milliseconds are too many. Firefox reports about 300 per
/// second, and then its main process does nothing else; on a busy machine fewer. A heavy page sends
/// 300 within 2 s, once.
const MOST: u32 = 500;
const WINDOW: f64 = 5_000.0;
/// How many requests a document may send at any rate, so that the log of a page which loads 2,000
/// small files is complete.
const FREE: u32 = 2_500;
/// How many milliseconds a document may take to load what it names: scripts, styles, pictures and
/// fonts do not count until then.
const LOADING: f64 = 15_000.0;

/// Counts the requests of a document.
#[derive(Default)]
pub(crate) struct RequestRate {
    /// When its first request began, in milliseconds since 1970.
    first: Option<f64>,
    /// Whether its `load` event fired.
    pub(super) loaded: bool,
    /// When the current window began.
    since: f64,
    /// How many requests began in it.
    count: u32,
    /// How many requests began in all.
    total: u32,
}

impl RequestRate {
    /// Counts a request that began at a time in milliseconds. Returns the number of requests per
    /// second if there are too many.
    pub(super) fn count(&mut self, kind: RequestKind, at: f64) -> Option<u32> {
        let first = *self.first.get_or_insert(at);
        let named =
            !matches!(kind, RequestKind::Document | RequestKind::Fetch | RequestKind::Other);
        if named && !self.loaded && at - first < LOADING {
            return None;
        }
        if self.count == 0 || !(0.0..WINDOW).contains(&(at - self.since)) {
            (self.since, self.count) = (at, 0);
        }
        self.count += 1;
        self.total = self.total.saturating_add(1);
        if self.count < MOST || self.total < FREE {
            return None;
        }
        let seconds = ((at - self.since) / 1e3).max(0.1);
        let count = std::mem::take(&mut self.count);
        Some((f64::from(count) / seconds).round() as u32)
    }

    /// Begins to count again.
    pub(super) fn again(&mut self) {
        self.count = 0;
    }
}

/// Whether the requests of a tab are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum KnownRequests {
    #[default]
    All,
    /// None: their events are ignored.
    None,
    /// Those that began since a moment; the number counts these moments.
    Newer(u64),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rate that is reported when requests begin at even distances.
    fn rate(kind: RequestKind, loaded: bool, count: u32, within: f64) -> Option<u32> {
        let mut rate = RequestRate { loaded, ..RequestRate::default() };
        let at = |n: u32| 1e12 + within * f64::from(n) / f64::from(count);
        (0..count).find_map(|n| rate.count(kind, at(n)))
    }

    #[test]
    fn a_flood_is_recognised_and_a_heavy_page_is_not() {
        let fetch = RequestKind::Fetch;
        assert_eq!(rate(fetch, true, 4_000, 10_000.0), Some(401));
        assert_eq!(rate(fetch, false, 4_000, 10_000.0), Some(401), "it need not be loaded");
        assert_eq!(rate(fetch, true, 2_000, 5_000.0), None, "many small files, once");
        assert_eq!(rate(fetch, true, 4_800, 60_000.0), None, "80 per second for a minute");
        assert!(rate(fetch, true, 7_200, 60_000.0).is_some(), "120 per second for a minute");
        assert_eq!(rate(RequestKind::Script, false, 3_000, 10_000.0), None, "many modules");
        assert!(rate(RequestKind::Script, true, 3_000, 10_000.0).is_some());
        assert!(rate(RequestKind::Image, false, 9_000, 30_000.0).is_some(), "it never loads");
    }
}
