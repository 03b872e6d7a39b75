//! The tabs of the user's browser that nothing was done with: which of them are known, and which
//! of their events are reported. Tabs that we open, and pop-ups of tabs that we are attached to,
//! are claimed: they are reported when they are ready, as tabs that can be used.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use super::protocol::TargetInfo;
use crate::api::traits::FoundTab;
use crate::sync::lock;

#[derive(Default)]
pub(super) struct FoundTabs(Mutex<FoundState>);

#[derive(Default)]
struct FoundState {
    known: HashMap<String, FoundTab>,
    /// Tabs that are not reported as found.
    claimed: HashSet<String>,
    /// How many tabs we are opening whose ids are not known yet.
    opening: usize,
    /// Tabs that came meanwhile, in order: one of them may be ours.
    held: Vec<String>,
}

/// Returns whether a target is a tab as people see them.
pub(super) fn is_tab(target: &TargetInfo) -> bool {
    target.kind == "page"
        && target.subtype.as_deref().unwrap_or_default().is_empty()
        && !target.url.starts_with("devtools://")
}

impl FoundTabs {
    /// Notes a tab that was created or changed; returns it if it is to be reported.
    pub(super) fn seen(&self, target: TargetInfo) -> Option<FoundTab> {
        let TargetInfo { target_id: id, title, url, .. } = target;
        let tab = FoundTab { id: id.clone(), title, url, crashed: false };
        let mut state = lock(&self.0);
        let before = state.known.insert(id.clone(), tab.clone());
        if state.claimed.contains(&id) || before.as_ref() == Some(&tab) {
            return None;
        }
        if state.opening > 0 && (before.is_none() || state.held.contains(&id)) {
            if !state.held.contains(&id) {
                state.held.push(id);
            }
            return None;
        }
        Some(tab)
    }

    /// Notes that a tab crashed; returns it if it is to be reported.
    pub(super) fn crashed(&self, id: &str) -> Option<FoundTab> {
        let mut state = lock(&self.0);
        let tab = state.known.get_mut(id)?;
        tab.crashed = true;
        let tab = tab.clone();
        (!state.claimed.contains(id)).then_some(tab)
    }

    pub(super) fn gone(&self, id: &str) {
        let mut state = lock(&self.0);
        state.known.remove(id);
        state.claimed.remove(id);
        state.held.retain(|held| held != id);
    }

    /// Notes that a tab is not reported as found. Returns whether it was not claimed before.
    pub(super) fn claim(&self, id: &str) -> bool {
        lock(&self.0).claimed.insert(id.to_owned())
    }

    /// Whether a tab was seen before.
    pub(super) fn is_known(&self, id: &str) -> bool {
        lock(&self.0).known.contains_key(id)
    }

    /// Whether a tab is not reported as found.
    pub(super) fn is_claimed(&self, id: &str) -> bool {
        lock(&self.0).claimed.contains(id)
    }

    /// Ends a claim, because the tab could not be attached to; returns the tab, to be reported.
    pub(super) fn give_back(&self, id: &str) -> Option<FoundTab> {
        let mut state = lock(&self.0);
        state.claimed.remove(id);
        state.known.get(id).cloned()
    }

    /// Notes that we are opening a tab.
    pub(super) fn opening(&self) {
        lock(&self.0).opening += 1;
    }

    /// Notes that the id of a tab that we open is known and claimed, or that it was not opened.
    /// Returns the tabs that came meanwhile and are not ours, to be reported.
    pub(super) fn opened(&self) -> Vec<FoundTab> {
        let mut state = lock(&self.0);
        state.opening = state.opening.saturating_sub(1);
        if state.opening > 0 {
            return Vec::new();
        }
        let held = std::mem::take(&mut state.held);
        let theirs = held.iter().filter(|id| !state.claimed.contains(*id));
        theirs.filter_map(|id| state.known.get(id).cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(id: &str, title: &str) -> TargetInfo {
        TargetInfo {
            target_id: id.to_owned(),
            kind: "page".to_owned(),
            subtype: None,
            title: title.to_owned(),
            url: "https://example.com/".to_owned(),
            opener_id: None,
            browser_context_id: None,
        }
    }

    fn ids(found: impl IntoIterator<Item = FoundTab>) -> Vec<String> {
        found.into_iter().map(|tab| tab.id).collect()
    }

    #[test]
    fn a_tab_is_reported_when_it_comes_and_when_it_changes() {
        let found = FoundTabs::default();
        assert_eq!(ids(found.seen(target("a", "One"))), ["a"]);
        assert_eq!(found.seen(target("a", "One")), None);
        assert_eq!(found.seen(target("a", "Two")).unwrap().title, "Two");
        assert!(found.crashed("a").unwrap().crashed);
        assert!(!found.seen(target("a", "Two")).unwrap().crashed, "it was loaded again");
        found.gone("a");
        assert_eq!(found.crashed("a"), None);
    }

    #[test]
    fn our_own_tabs_are_not_reported_as_found() {
        let found = FoundTabs::default();
        found.seen(target("old", ""));
        found.opening();
        assert_eq!(found.seen(target("ours", "")), None);
        assert_eq!(found.seen(target("theirs", "")), None);
        assert_eq!(found.seen(target("theirs", "Loaded")), None);
        assert_eq!(
            ids(found.seen(target("old", "Changed"))),
            ["old"],
            "it is known not to be ours"
        );
        found.claim("ours");
        let reported = found.opened();
        assert_eq!(reported.len(), 1);
        assert_eq!((reported[0].id.as_str(), reported[0].title.as_str()), ("theirs", "Loaded"));
        assert_eq!(found.seen(target("ours", "Later")), None);
    }

    #[test]
    fn a_pop_up_that_cannot_be_attached_to_is_found() {
        let found = FoundTabs::default();
        assert!(found.claim("popup") && !found.claim("popup"));
        assert_eq!(found.seen(target("popup", "")), None);
        assert_eq!(ids(found.give_back("popup")), ["popup"]);
        assert_eq!(ids(found.seen(target("popup", "x"))), ["popup"]);
    }
}
