//! Knowledge of one process from earlier visits: the shapes of requests that stay pending or
//! whose bodies nobody reads, and hosts whose names do not resolve. All tabs of a session share it,
//! so that a second visit does not wait again.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many shapes and how many hosts are remembered.
const MOST: usize = 1000;

/// Whether the name of a host resolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostName {
    /// It is being looked up.
    LookedUp,
    /// It resolves, or a host of that name answered.
    Resolves,
    /// It does not resolve.
    Unknown,
}

/// Knowledge from earlier visits. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct VisitMemory(Arc<Mutex<Learned>>);

#[derive(Debug, Default)]
struct Learned {
    /// The shapes of requests that stayed pending.
    pending: HashSet<u64>,
    /// How often the body of a request of this shape was not read; forgotten when one is.
    unread: HashMap<u64, u32>,
    hosts: HashMap<String, HostName>,
}

impl VisitMemory {
    fn learned(&self) -> MutexGuard<'_, Learned> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what is known about the name of a host.
    pub fn host_name(&self, host: &str) -> Option<HostName> {
        self.learned().hosts.get(host).copied()
    }

    /// Remembers what was found out about the name of a host.
    pub fn host(&self, host: &str, name: HostName) {
        let mut learned = self.learned();
        if learned.hosts.get(host) == Some(&name) {
            return;
        }
        make_room(&mut learned.hosts);
        learned.hosts.insert(host.to_owned(), name);
    }

    /// Forgets which names do not resolve, so that they are looked up again.
    pub fn forget_unknown_hosts(&self) {
        self.learned().hosts.retain(|_, name| *name != HostName::Unknown);
    }

    /// Whether a request of this shape stayed pending on an earlier visit.
    pub(super) fn stays_pending(&self, shape: u64) -> bool {
        self.learned().pending.contains(&shape)
    }

    /// Remembers that a request of this shape stayed pending.
    pub(super) fn stays(&self, shape: u64) {
        let mut learned = self.learned();
        if learned.pending.len() >= MOST {
            learned.pending.clear();
        }
        learned.pending.insert(shape);
    }

    /// Whether the bodies of requests of this shape are never read.
    pub(super) fn stays_unread(&self, shape: u64) -> bool {
        self.learned().unread.get(&shape).is_some_and(|times| *times >= OFTEN)
    }

    /// Remembers that a body was not read.
    pub(super) fn is_unread(&self, shape: u64) {
        let mut learned = self.learned();
        make_room(&mut learned.unread);
        *learned.unread.entry(shape).or_default() += 1;
    }

    /// Remembers that a body was read.
    pub(super) fn is_read(&self, shape: u64) {
        self.learned().unread.remove(&shape);
    }

    /// Remembers that a request of this shape was answered in time.
    pub(super) fn ends(&self, shape: u64) {
        self.learned().pending.remove(&shape);
    }
}

/// After so many bodies that were not read, the next one is not expected to be.
const OFTEN: u32 = 3;

/// Empties a map that is full. What is forgotten is learned again.
fn make_room<K: Eq + Hash, V>(map: &mut HashMap<K, V>) {
    if map.len() >= MOST {
        map.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_learned_is_shared_and_bounded() {
        let memory = VisitMemory::default();
        let shared = memory.clone();
        for n in 0..5_000 {
            memory.stays(n);
            memory.host(&n.to_string(), HostName::Unknown);
        }
        assert!(shared.stays_pending(4_999) && !shared.stays_pending(0));
        assert_eq!(shared.host_name("4999"), Some(HostName::Unknown));
        assert!(shared.learned().pending.len() <= MOST && shared.learned().hosts.len() <= MOST);
        memory.host("a", HostName::Resolves);
        shared.forget_unknown_hosts();
        assert_eq!(
            (memory.host_name("4999"), memory.host_name("a")),
            (None, Some(HostName::Resolves))
        );
    }
}
