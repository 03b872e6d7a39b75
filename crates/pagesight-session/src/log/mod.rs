//! The log of a tab for callers: lists its entries, and describes one of them with its bodies.

pub(crate) mod error;
mod source_maps;

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{BodyData, BodySide, BrowserError};
use pagesight_core::log::{
    BodyContent, CodePosition, ConsoleDetail, LogEntry, LogId, LogQuery, LogRecord, LogSelection,
    RequestDetail, RequestEntry, lay_out,
};
use pagesight_core::text::address::without_values;

use crate::error::Result;
use crate::log::error::LogError;
use crate::log::source_maps::MapFetching;
use crate::session::Session;
use crate::tab::record::TabRecord;

/// The longest body of a request that is read, in bytes. A browser would send all of a longer one.
const LONGEST_SENT: u64 = 2 << 20;
/// How long a body may take.
const BODY_LIMIT: Duration = Duration::from_secs(2);

/// Entries of a log.
#[derive(Debug)]
pub struct LogList {
    /// The lines, within the budget.
    pub text: String,
    /// The entries, all of them, as data.
    pub entries: LogSelection,
}

impl Session {
    /// Returns entries of a tab's log, within a token budget. Works while the page hangs.
    pub async fn page_log(
        &self,
        tab: &Arc<TabRecord>,
        query: &LogQuery,
        max_tokens: usize,
    ) -> Result<LogList> {
        let (mut selection, page) = {
            let mut state = tab.state.now();
            check(&state)?;
            let selection = state.log.entries.select(query);
            state.log.entries.read();
            (selection, state.url.clone())
        };
        let wording = self.options.wording;
        let fetching = MapFetching::of(&self.options);
        // Only the sources of entries that are printed are looked up.
        let printed = lay_out(&selection, query.since, &page, max_tokens, wording).printed;
        let positions: Vec<CodePosition> =
            printed.iter().filter_map(|at| selection.lines[*at].position.clone()).collect();
        let mut originals = source_maps::original(tab, positions, fetching).await.into_iter();
        for at in printed {
            let position = &mut selection.lines[at].position;
            if position.is_some() {
                *position = originals.next();
            }
        }
        for line in &mut selection.lines {
            if let Some(position) = &mut line.position {
                position.url = without_values(&position.url).into();
            }
        }
        let text = lay_out(&selection, query.since, &page, max_tokens, wording).text;
        Ok(LogList { text, entries: selection })
    }

    /// Describes one entry of a tab's log, given as `r7` or `e12`, within a token budget.
    pub async fn log_entry(
        &self,
        tab: &Arc<TabRecord>,
        given: &str,
        max_tokens: usize,
    ) -> Result<String> {
        let (entry, page) = {
            let state = tab.state.now();
            check(&state)?;
            (find(&state.log.entries, given)?, state.url.clone())
        };
        let fetching = MapFetching::of(&self.options);
        Ok(match &entry.record {
            LogRecord::Console(console) => {
                let stack = source_maps::original(tab, console.stack.clone(), fetching).await;
                ConsoleDetail { entry: &entry, stack }.render(&page, max_tokens)
            }
            LogRecord::Request(request) => {
                let (initiator, sent, received) = tokio::join!(
                    source_maps::original(tab, request.initiator.clone(), fetching),
                    body(tab, request, BodySide::Request),
                    body(tab, request, BodySide::Response),
                );
                let shown = shown_at(&entry, initiator.first());
                RequestDetail { entry: &shown, initiator, sent, received }.render(&page, max_tokens)
            }
        })
    }
}

/// Fails if the tab is closed or a dialog waits for an answer.
fn check(state: &crate::tab::state::TabState) -> Result<()> {
    if state.closed {
        return Err(BrowserError::TabClosed.into());
    }
    match state.dialog.clone() {
        Some((kind, message)) => Err(BrowserError::DialogOpen { kind, message }.into()),
        None => Ok(()),
    }
}

/// Finds an entry by its number as the caller wrote it.
fn find(log: &pagesight_core::log::PageLog, given: &str) -> Result<LogEntry> {
    let id = LogId::parse(given)
        .ok_or_else(|| LogError::NotANumber { given: given.chars().take(40).collect() })?;
    if let Some(entry) = log.find(id) {
        return Ok(entry.clone());
    }
    let (requests, consoles) = log.highest();
    let known = match id {
        LogId::Request(number) => (1..=requests).contains(&number),
        LogId::Console(number) => (1..=consoles).contains(&number),
    };
    Err(if known { LogError::Dropped { id } } else { LogError::Unknown { id } }.into())
}

/// Returns the entry with its position in the original source.
fn shown_at(entry: &LogEntry, original: Option<&CodePosition>) -> LogEntry {
    let mut entry = entry.clone();
    if let (LogRecord::Request(request), Some(original)) = (&mut entry.record, original) {
        request.initiator = vec![original.clone()];
    }
    entry
}

/// Returns a body of a request, if the browser still has it.
async fn body(tab: &TabRecord, request: &RequestEntry, side: BodySide) -> BodyContent {
    let may_have = match side {
        BodySide::Request => !matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS"),
        BodySide::Response => request.status.is_some_and(|status| status != 204 && status != 304),
    };
    if !may_have {
        return BodyContent::None;
    }
    if side == BodySide::Request && is_too_long(&request.sent) {
        return BodyContent::Unavailable("too long, more than 2 MB".to_owned());
    }
    let got = tokio::time::timeout(BODY_LIMIT, tab.tab.body(&request.engine_id, side, BODY_LIMIT));
    let why = match got.await {
        Ok(Ok(BodyData::Text(text))) => return BodyContent::Text(text),
        Ok(Ok(BodyData::Binary(size))) => return BodyContent::Binary(Some(size)),
        Ok(Ok(BodyData::Missing)) if side == BodySide::Request => return BodyContent::None,
        Ok(Ok(BodyData::Missing)) => "the browser does not have it any more".to_owned(),
        Ok(Err(BrowserError::Unsupported { .. })) => {
            "not available; Firefox keeps bodies from version 143 on".to_owned()
        }
        Ok(Err(error)) => format!("not available: {error}"),
        Err(_) => "not available: the browser did not answer".to_owned(),
    };
    BodyContent::Unavailable(why)
}

/// Whether the headers of a request announce a body that is too long to be read.
fn is_too_long(headers: &[(String, String)]) -> bool {
    let lengths = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    lengths.filter_map(|(_, value)| value.trim().parse().ok()).any(|n: u64| n > LONGEST_SENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_uploads_are_known_by_their_header() {
        let sent = |value: &str| [("Content-Length".to_owned(), value.to_owned())];
        assert!(is_too_long(&sent("2097153")));
        assert!(!is_too_long(&sent("2097152")));
        assert!(!is_too_long(&sent("x")));
        assert!(!is_too_long(&[]));
    }
}
