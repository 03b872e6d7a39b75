//! Keeps the entries of a log within bounds: the newest ones, and more of those that matter most.
//! Dropped entries are counted.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::model::{ConsoleEntry, LogEntry, LogId, LogRecord, RequestEntry};

/// How many entries are kept.
const ENTRIES: usize = 5_000;
/// How many older errors, failures and pending requests are kept besides.
const OLDER_ERRORS: usize = 1_000;
/// How many bytes all logs of a process may take.
pub const LOG_BYTES: usize = 64 << 20;

/// The log of one tab.
#[derive(Debug, Default)]
pub struct PageLog {
    /// Older entries that matter, in the order they came.
    older: VecDeque<LogEntry>,
    /// The newest entries, in the order they came.
    newest: VecDeque<LogEntry>,
    /// The first event of each request, by the engine's id.
    requests: HashMap<String, u64>,
    consoles: u64,
    requested: u64,
    /// How many events there were in all.
    events: u64,
    /// Counts events and changes of requests.
    revision: u64,
    bytes: usize,
    /// The most bytes, if the caller set them.
    limit: Option<usize>,
    /// Whether the last entry may count repeats of itself.
    open: bool,
    /// The number of events when a navigation began that has not arrived.
    leaving: Option<u64>,
    pub(super) navigated: u64,
    /// The number of events when the log was last read.
    pub(super) answered: u64,
    /// The revision when the log was last read.
    pub(super) answered_revision: u64,
}

impl PageLog {
    /// Adds a message of the console; returns its number. A repeat of the last entry is counted
    /// there.
    pub fn console(&mut self, entry: ConsoleEntry, at: Duration) -> LogId {
        self.events += 1;
        if self.open
            && let Some(last) = self.newest.back_mut()
            && matches!(&last.record, LogRecord::Console(known) if *known == entry)
        {
            self.revision += 1;
            last.count += 1;
            last.changed = self.revision;
            return last.id;
        }
        self.consoles += 1;
        let id = LogId::Console(self.consoles);
        self.push(id, at, LogRecord::Console(entry));
        id
    }

    /// Adds a request that began; returns its number.
    pub fn request(&mut self, entry: RequestEntry, at: Duration) -> LogId {
        self.events += 1;
        self.requested += 1;
        self.requests.insert(entry.engine_id.clone(), self.events);
        let id = LogId::Request(self.requested);
        self.push(id, at, LogRecord::Request(Box::new(entry)));
        id
    }

    /// Changes a request, if it is still kept; returns its number.
    pub fn change(
        &mut self,
        engine_id: &str,
        change: impl FnOnce(&mut RequestEntry),
    ) -> Option<LogId> {
        let first = *self.requests.get(engine_id)?;
        let revision = self.revision + 1;
        let entry = self.find_mut(first)?;
        let id = entry.id;
        let before = entry.size();
        entry.changed = revision;
        if let LogRecord::Request(request) = &mut entry.record {
            change(request);
        }
        let after = entry.size();
        self.revision = revision;
        self.bytes = self.bytes.saturating_sub(before) + after;
        self.trim();
        Some(id)
    }

    /// Records that the top frame began to leave its document.
    pub fn leaves(&mut self) {
        self.leaving.get_or_insert(self.events);
        // A repeat after this is since the navigation, and needs an entry of its own.
        self.open = false;
    }

    /// Records that the top frame stays.
    pub fn stays(&mut self) {
        self.leaving = None;
    }

    /// Records that a new document is there. Its own request belongs to it.
    pub fn arrives(&mut self) {
        self.navigated = self.leaving.take().unwrap_or(self.events);
        self.open = false;
    }

    /// Records that the log was read.
    pub fn read(&mut self) {
        self.answered = self.events;
        self.answered_revision = self.revision;
        self.open = false;
    }

    /// Sets how many bytes it may take.
    pub fn set_limit(&mut self, bytes: usize) {
        self.limit = Some(bytes);
        self.trim();
    }

    /// Returns how many bytes it may take.
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(LOG_BYTES)
    }

    /// Returns an entry that is still kept.
    pub fn find(&self, id: LogId) -> Option<&LogEntry> {
        [&self.older, &self.newest].into_iter().find_map(|list| list.iter().find(|e| e.id == id))
    }

    /// Returns the highest number given so far to requests and to console entries.
    pub fn highest(&self) -> (u64, u64) {
        (self.requested, self.consoles)
    }

    /// Returns about how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns all entries that are kept, in the order they came.
    pub(super) fn entries(&self) -> impl Iterator<Item = &LogEntry> {
        self.older.iter().chain(&self.newest)
    }

    /// Returns how many events there were.
    pub(super) fn events(&self) -> u64 {
        self.events
    }

    fn push(&mut self, id: LogId, at: Duration, record: LogRecord) {
        self.revision += 1;
        let (first, changed) = (self.events, self.revision);
        let entry = LogEntry { id, at, count: 1, first, changed, record };
        self.bytes += entry.size();
        self.newest.push_back(entry);
        self.open = true;
        if self.newest.len() > ENTRIES
            && let Some(oldest) = self.newest.pop_front()
        {
            self.retire(oldest);
        }
        self.trim();
    }

    /// Keeps an entry that left the newest ones, if it matters.
    fn retire(&mut self, entry: LogEntry) {
        if !entry.is_error() && !entry.is_pending() {
            return self.forget(&entry);
        }
        self.older.push_back(entry);
        if self.older.len() > OLDER_ERRORS
            && let Some(oldest) = self.older.pop_front()
        {
            self.forget(&oldest);
        }
    }

    fn trim(&mut self) {
        // Errors are dropped last, but the newest entry is kept in any case.
        while self.bytes > self.limit() && self.newest.len() > 1 {
            let Some(oldest) = self.newest.pop_front() else { return };
            self.retire(oldest);
            if self.newest.len() == 1 {
                while self.bytes > self.limit()
                    && let Some(oldest) = self.older.pop_front()
                {
                    self.forget(&oldest);
                }
            }
        }
    }

    fn forget(&mut self, entry: &LogEntry) {
        self.bytes = self.bytes.saturating_sub(entry.size());
        if let LogRecord::Request(request) = &entry.record
            && self.requests.get(&request.engine_id) == Some(&entry.first)
        {
            self.requests.remove(&request.engine_id);
        }
    }

    /// Finds an entry by its first event; both lists are in that order.
    fn find_mut(&mut self, first: u64) -> Option<&mut LogEntry> {
        let key = |entry: &LogEntry| entry.first;
        match self.newest.binary_search_by_key(&first, key) {
            Ok(at) => self.newest.get_mut(at),
            Err(_) => {
                let at = self.older.binary_search_by_key(&first, key).ok()?;
                self.older.get_mut(at)
            }
        }
    }
}
