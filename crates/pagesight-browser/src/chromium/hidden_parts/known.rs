//! What the page scripts of a tab already know of its hidden parts, so that only news is handed
//! over.

use std::collections::{HashMap, HashSet};

/// What the page scripts of a tab know.
#[derive(Default)]
pub(in crate::chromium) struct KnownParts {
    /// The engine's counters when each session was last searched.
    pub(super) sessions: HashMap<String, ChangeCounters>,
    /// Sessions of frames that did not answer the last time.
    pub(super) stuck: HashSet<String>,
    /// What the script of each world knows.
    pub(super) worlds: HashMap<String, KnownInWorld>,
}

/// The engine's counters when a session was last searched.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) struct ChangeCounters {
    pub(super) nodes: f64,
    pub(super) styles: f64,
    pub(super) layouts: f64,
    pub(super) listeners: f64,
    pub(super) worlds: usize,
    /// How many more nodes a search finds than the scripts know of, after all roots were entered.
    pub(super) excess: i64,
    pub(super) roots_left_out: u32,
}

/// What the script of one world knows, by the engine's ids of nodes.
#[derive(Default)]
pub(super) struct KnownInWorld {
    pub(super) roots: HashSet<i64>,
    pub(super) listeners: HashSet<i64>,
}

impl ChangeCounters {
    /// Whether nothing happened that could have made a root or a listener.
    pub(super) fn same_as(&self, now: &ChangeCounters) -> bool {
        ChangeCounters { excess: 0, roots_left_out: 0, ..*self } == *now
    }
}
