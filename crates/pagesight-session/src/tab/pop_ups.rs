//! Limits the tabs that pages open: each is a page of its own that takes memory, and a page may
//! open them without end.

use std::collections::{HashMap, HashSet};

/// How many tabs one page may open per action, and between two actions.
const MOST_PER_ACTION: u32 = 20;
/// How many tabs that pages opened may be open at the same time.
const MOST_OPEN: usize = 64;

/// Counts the tabs that pages opened, by the engine's id of the tab that opened them.
#[derive(Default)]
pub(crate) struct PopUps {
    counted: HashMap<String, Counted>,
    /// The keys of the admitted ones, open or not.
    keys: HashSet<u32>,
}

#[derive(Clone, Copy, Default)]
struct Counted {
    admitted: u32,
    refused: u32,
}

impl PopUps {
    /// Starts to count again for a tab: an action begins.
    pub(crate) fn begin(&mut self, opener: &str) {
        self.counted.remove(opener);
    }

    /// Whether one more tab is admitted, given how many are open.
    pub(crate) fn admit(&mut self, opener: &str, open: usize) -> bool {
        let counted = self.counted.entry(opener.to_owned()).or_default();
        let admitted = counted.admitted < MOST_PER_ACTION && open < MOST_OPEN;
        match admitted {
            true => counted.admitted += 1,
            false => counted.refused = counted.refused.saturating_add(1),
        }
        admitted
    }

    /// Notes that a tab was admitted.
    pub(crate) fn add(&mut self, key: u32) {
        self.keys.insert(key);
    }

    /// Whether a page opened this tab.
    pub(crate) fn contains(&self, key: u32) -> bool {
        self.keys.contains(&key)
    }

    /// Returns how many were not admitted since the action began.
    pub(crate) fn refused(&self, opener: &str) -> u32 {
        self.counted.get(opener).map_or(0, |counted| counted.refused)
    }

    pub(crate) fn clear(&mut self) {
        *self = PopUps::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_opens_so_many_tabs_per_action_and_in_all() {
        let mut pop_ups = PopUps::default();
        let admitted = (0..100).filter(|open| pop_ups.admit("a", *open)).count();
        assert_eq!((admitted, pop_ups.refused("a")), (20, 80));
        assert!(pop_ups.admit("b", 20), "each tab has its own count");
        pop_ups.begin("a");
        assert_eq!(pop_ups.refused("a"), 0);
        assert!(pop_ups.admit("a", 63));
        assert!(!pop_ups.admit("a", 64));
        assert_eq!(pop_ups.refused("a"), 1);
    }
}
