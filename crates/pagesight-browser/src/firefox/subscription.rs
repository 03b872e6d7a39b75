//! The subscription to the events of requests, and the tabs that it leaves out.

use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::bidi::protocol::Subscribed;
use crate::sync::lock;

/// The tabs whose requests are reported.
#[derive(Default)]
pub(super) struct RequestWatch {
    /// Locked while it is replaced.
    pub(super) current: tokio::sync::Mutex<RequestSubscription>,
    /// Tabs whose requests are not reported.
    left_out: Mutex<HashSet<String>>,
    /// Whether a subscription can be ended separately.
    ends: AtomicBool,
}

/// A subscription and the tabs that it is for; `None` are all tabs.
#[derive(Default)]
pub(super) struct RequestSubscription {
    pub(super) id: Option<String>,
    pub(super) tabs: Option<BTreeSet<String>>,
}

/// Returns the parameters of the subscription for these tabs; `None` are all tabs.
pub(super) fn events_of(tabs: Option<&BTreeSet<String>>) -> Value {
    let events = ["beforeRequestSent", "responseStarted", "responseCompleted", "fetchError"];
    let mut params = json!({"events": events.map(|event| format!("network.{event}"))});
    if let Some(tabs) = tabs {
        params["contexts"] = json!(tabs);
    }
    params
}

impl RequestWatch {
    /// Records the subscription to the requests of all tabs.
    pub(super) async fn begun(&self, subscribed: Subscribed) {
        self.ends.store(subscribed.subscription.is_some(), Ordering::SeqCst);
        self.current.lock().await.id = subscribed.subscription;
    }

    /// Whether a tab can be left out.
    pub(super) fn can_leave_out(&self) -> bool {
        self.ends.load(Ordering::SeqCst)
    }

    /// Whether a tab is left out.
    pub(super) fn is_partial(&self) -> bool {
        !lock(&self.left_out).is_empty()
    }

    /// Leaves out a tab from the next subscription on. Returns whether it was not left out before.
    pub(super) fn leave_out(&self, id: &str) -> bool {
        lock(&self.left_out).insert(id.to_owned())
    }

    /// Includes a tab from the next subscription on. Returns whether it was left out before.
    pub(super) fn take_in(&self, id: &str) -> bool {
        lock(&self.left_out).remove(id)
    }

    /// Returns which of these tabs are to be watched; `None` are all tabs.
    pub(super) fn wanted(&self, ids: impl Iterator<Item = String>) -> Option<BTreeSet<String>> {
        let left_out = lock(&self.left_out);
        (!left_out.is_empty()).then(|| ids.filter(|id| !left_out.contains(id)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tabs_that_are_left_out_are_not_watched() {
        let watch = RequestWatch::default();
        let all = || ["a", "b", "c"].map(str::to_owned).into_iter();
        assert!(watch.wanted(all()).is_none() && !watch.is_partial());
        assert!(watch.leave_out("b") && !watch.leave_out("b") && watch.is_partial());
        assert_eq!(watch.wanted(all()), Some(BTreeSet::from(["a".to_owned(), "c".to_owned()])));
        let params = events_of(watch.wanted(all()).as_ref());
        assert_eq!(params["contexts"], json!(["a", "c"]));
        assert!(watch.take_in("b") && !watch.take_in("b"));
        let params = events_of(watch.wanted(all()).as_ref());
        assert!(params.get("contexts").is_none() && !params.to_string().contains("authRequired"));
    }
}
