//! The tabs of a session: which one is active, and the task that reads the events of each.

use std::sync::Arc;

use pagesight_browser::lock;
use pagesight_browser::{FoundTab, OpenedTab};
use pagesight_core::text::address::display;
use pagesight_core::text::hidden_values::HiddenValues;

use crate::error::Result;
use crate::tab::error::TabError;
use crate::tab::found::UnchosenTab;
use crate::tab::info::TabInfo;
use crate::tab::log_share;
use crate::tab::masked::{MaskedTab, hide_in_event};
use crate::tab::pop_ups::PopUps;
use crate::tab::record::TabRecord;
use crate::wait::host_names::HostNames;

/// The open tabs, in the order they were opened.
#[derive(Default)]
pub(crate) struct Tabs {
    open: Vec<Arc<TabRecord>>,
    active: Option<u32>,
    opened_so_far: u32,
    /// Tabs of the user that nothing was done with, in the order they were found.
    unchosen: Vec<Arc<UnchosenTab>>,
    pub(crate) pop_ups: PopUps,
    /// Values that no tab may report.
    pub(crate) hidden: Arc<HiddenValues>,
    /// Knowledge about hosts and pending requests, shared by all tabs.
    pub(crate) names: HostNames,
}

impl Tabs {
    /// Adds a tab and starts reading its events.
    pub(crate) fn add(
        &mut self,
        opened: OpenedTab,
        ours: bool,
        opener: Option<String>,
    ) -> Arc<TabRecord> {
        self.opened_so_far += 1;
        let key = self.opened_so_far;
        let record = self.record((key, format!("t{key}")), opened, ours, opener);
        self.open.push(record.clone());
        record
    }

    /// Notes a tab of the user that was found or changed.
    pub(crate) fn found(&mut self, tab: FoundTab) {
        if self.by_engine_id(&tab.id).is_some() {
            return;
        }
        match self.unchosen.iter().find(|known| known.engine_id == tab.id) {
            Some(known) => known.update(tab),
            None => {
                self.opened_so_far += 1;
                let key = self.opened_so_far;
                self.unchosen.push(Arc::new(UnchosenTab::new(key, tab)));
            }
        }
    }

    /// Notes that a tab of the user is gone.
    pub(crate) fn gone(&mut self, engine_id: &str) {
        self.unchosen.retain(|tab| tab.engine_id != engine_id);
    }

    /// Adds a tab of the user that was chosen; it keeps its id.
    pub(crate) fn choose(&mut self, tab: &UnchosenTab, opened: OpenedTab) -> Arc<TabRecord> {
        self.gone(&tab.engine_id);
        let record = self.record((tab.key, tab.id.clone()), opened, false, None);
        let at = self.open.partition_point(|open| open.key < tab.key);
        self.open.insert(at, record.clone());
        record
    }

    /// Returns the user's tab with this id, if it was not chosen yet.
    pub(crate) fn unchosen(&self, id: &str) -> Option<Arc<UnchosenTab>> {
        self.listed().find(|tab| tab.id == id).cloned()
    }

    /// Returns the user's tabs that were not chosen yet and can be.
    pub(crate) fn listed(&self) -> impl Iterator<Item = &Arc<UnchosenTab>> {
        self.unchosen.iter().filter(|tab| tab.is_of_the_web())
    }

    /// Replaces a tab by a new one, which gets its name and id, and is active if the old one was.
    /// References of the old tab stay with the old tab.
    pub(crate) fn replace(&mut self, old: &TabRecord, opened: OpenedTab) -> Arc<TabRecord> {
        self.opened_so_far += 1;
        let record = self.record((self.opened_so_far, old.id.clone()), opened, true, None);
        *lock(&record.name) = old.name();
        *lock(&record.viewport) = *lock(&old.viewport);
        match self.open.iter().position(|open| open.key == old.key) {
            Some(at) => self.open[at] = record.clone(),
            None => self.open.push(record.clone()),
        }
        if self.active == Some(old.key) {
            self.active = Some(record.key);
        }
        record
    }

    /// Returns how many tabs were opened or chosen.
    pub(crate) fn used(&mut self) -> usize {
        self.sweep();
        self.open.len()
    }

    /// Whether a page opened one of the open tabs.
    pub(crate) fn has_pop_ups(&self) -> bool {
        self.open.iter().any(|record| record.opener.is_some() && !record.state.now().closed)
    }

    /// Makes the record of a tab, and starts reading its events.
    fn record(
        &self,
        (key, id): (u32, String),
        opened: OpenedTab,
        ours: bool,
        opener: Option<String>,
    ) -> Arc<TabRecord> {
        let OpenedTab { mut tab, mut url, mut events, .. } = opened;
        let hidden = self.hidden.clone();
        if !hidden.is_empty() {
            tab = Arc::new(MaskedTab::new(tab, hidden.clone()));
            url = hidden.hide(url);
        }
        let knowledge = (self.names.clone(), hidden.clone());
        let record = Arc::new(TabRecord::new((key, id), tab, ours, opener, knowledge));
        log_share::share(&record.state);
        let state = record.state.clone();
        state.now().url = display(&url).into_owned();
        state.now().activity.share(self.names.memory.clone());
        tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                state.record(hide_in_event(&hidden, event));
            }
            state.record(pagesight_browser::TabEvent::Closed);
        });
        record
    }

    /// Makes a tab the one that calls without a tab go to.
    pub(crate) fn activate(&mut self, record: &TabRecord) {
        self.active = Some(record.key);
    }

    /// Removes tabs that are closed.
    pub(crate) fn sweep(&mut self) {
        self.open.retain(|record| !record.state.now().closed);
        if let Some(active) = self.active
            && self.open.iter().all(|record| record.key != active)
        {
            self.active = None;
        }
    }

    /// Removes all tabs; keys and ids are not used again.
    pub(crate) fn clear(&mut self) {
        self.open.clear();
        self.unchosen.clear();
        self.active = None;
        self.pop_ups.clear();
    }

    /// Returns the tab for calls that name no tab: the active one, or the oldest if the active one
    /// was closed.
    pub(crate) fn active(&mut self) -> Option<Arc<TabRecord>> {
        self.sweep();
        let active = self.active.and_then(|key| self.open.iter().find(|record| record.key == key));
        active.or_else(|| self.open.first()).cloned()
    }

    /// Finds a tab by its name or id.
    pub(crate) fn find(&mut self, given: &str) -> Result<Arc<TabRecord>> {
        self.sweep();
        let named = self.open.iter().find(|record| record.name().as_deref() == Some(given));
        let found = named.or_else(|| self.open.iter().find(|record| record.id == given));
        found.cloned().ok_or_else(|| {
            let mut open: Vec<(u32, String)> =
                self.open.iter().map(|record| (record.key, record.label())).collect();
            open.extend(self.listed().map(|tab| (tab.key, tab.id.clone())));
            open.sort_unstable();
            let open: Vec<String> = open.into_iter().map(|(_, label)| label).collect();
            let open = if open.is_empty() { "none".to_owned() } else { open.join(", ") };
            TabError::Unknown { given: given.chars().take(60).collect(), open }.into()
        })
    }

    /// Returns the open tab with this key.
    pub(crate) fn by_key(&self, key: u32) -> Option<&Arc<TabRecord>> {
        self.open.iter().find(|record| record.key == key)
    }

    /// Returns the open tab with this id of the engine.
    pub(crate) fn by_engine_id(&self, id: &str) -> Option<&Arc<TabRecord>> {
        self.open.iter().find(|record| record.tab.id() == id)
    }

    /// Returns all open tabs.
    pub(crate) fn list(&mut self) -> Vec<TabInfo> {
        let active = self.active().map(|record| record.key);
        let info = |record: &Arc<TabRecord>| {
            let info = TabInfo {
                id: record.id.clone(),
                name: record.name(),
                url: record.state.now().url.clone(),
                unchosen: None,
                active: Some(record.key) == active,
            };
            (record.key, info)
        };
        let mut all: Vec<(u32, TabInfo)> = self.open.iter().map(info).collect();
        all.extend(self.listed().map(|tab| (tab.key, tab.info())));
        all.sort_by_key(|(key, _)| *key);
        all.into_iter().map(|(_, info)| info).collect()
    }

    /// Returns the other open tabs that have not crashed.
    pub(crate) fn alive_besides(&mut self, tab: &TabRecord) -> Vec<Arc<TabRecord>> {
        self.sweep();
        let others = self.open.iter().filter(|other| other.key != tab.key);
        others.filter(|other| !other.state.now().crashed).cloned().collect()
    }

    /// Returns the open tabs that pagesight opened.
    pub(crate) fn ours(&self) -> Vec<Arc<TabRecord>> {
        self.open.iter().filter(|record| record.ours).cloned().collect()
    }

    /// Returns the open tabs that pagesight did not open.
    pub(crate) fn chosen(&self) -> Vec<Arc<TabRecord>> {
        self.open.iter().filter(|record| !record.ours).cloned().collect()
    }

    /// Returns the tabs that a tab opened and that are newer than this key.
    pub(crate) fn opened_by(&self, opener: &TabRecord, newer_than: u32) -> Vec<Arc<TabRecord>> {
        let by_it = |record: &&Arc<TabRecord>| record.opener.as_deref() == Some(opener.tab.id());
        self.open.iter().filter(|record| record.key > newer_than).filter(by_it).cloned().collect()
    }

    /// Adds a tab that a page opened, unless there are too many of them; then gives it back.
    pub(crate) fn add_pop_up(
        &mut self,
        opened: OpenedTab,
        ours: bool,
        opener: Option<String>,
    ) -> std::result::Result<(), OpenedTab> {
        self.sweep();
        let open = self.open.iter().filter(|record| self.pop_ups.contains(record.key)).count();
        if !self.pop_ups.admit(opener.as_deref().unwrap_or_default(), open) {
            return Err(opened);
        }
        let record = self.add(opened, ours, opener);
        self.pop_ups.add(record.key);
        Ok(())
    }

    /// Returns the key of the newest tab.
    pub(crate) fn newest(&self) -> u32 {
        self.opened_so_far
    }
}
