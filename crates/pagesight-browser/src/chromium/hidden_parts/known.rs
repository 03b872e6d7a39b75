//! The hidden parts that the page scripts of a tab already know, so that only new ones are passed
//! to them.

use std::collections::{HashMap, HashSet};

/// The hidden parts that the page scripts of a tab know.
#[derive(Default)]
pub(in crate::chromium) struct KnownParts {
    /// The engine's counters when each session was last searched.
    pub(super) sessions: HashMap<String, ChangeCounters>,
    /// Sessions of frames that did not answer the last time.
    pub(super) stuck: HashSet<String>,
    /// Sessions whose pages had new nodes the last time.
    pub(super) growing: HashSet<String>,
    /// The hidden parts that the script of each world knows.
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

/// The hidden parts that the script of one world knows, by the engine's node ids.
#[derive(Default)]
pub(super) struct KnownInWorld {
    pub(super) roots: HashSet<i64>,
    pub(super) listeners: HashSet<i64>,
    /// Whether an element listens for the presses of all elements in it.
    pub(super) delegates: bool,
}

impl ChangeCounters {
    /// Returns whether nothing happened that could have created a root or a listener.
    pub(super) fn same_as(&self, now: &ChangeCounters) -> bool {
        ChangeCounters { excess: 0, roots_left_out: 0, ..*self } == *now
    }
}
