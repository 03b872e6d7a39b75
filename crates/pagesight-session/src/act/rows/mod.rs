//! Reads the rows of several pages: scrolls a list until nothing new comes, or opens one next page
//! after the other. Each page is read once, after it has settled. What was read stays with the tab,
//! so that a later call can go on.

mod next;
mod reader;
mod request;
mod scroll;

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::lock;
use pagesight_core::rows::print::RowsOptions;
use pagesight_core::rows::query::{RowsQuery, select};
use pagesight_core::rows::{ReadingNote, TabPlace};
use pagesight_core::rows::{RowTable, RowsRead, RowsReadError, RowsRequest, print_rows};
use tokio::time::Instant;

use self::reader::PagesReader;
pub use self::request::{FurtherPages, PagesRequest};
use crate::error::Result;
use crate::look::error::LookError;
use crate::look::late_changes;
use crate::look::scope::ScopeChoice;
use crate::session::Session;
use crate::tab::record::TabRecord;
use crate::tab::rows_reading::StoredReading;

/// How long a reading may take. Printing follows, and both stay below the 50 s of a call.
const READING_LIMIT: Duration = Duration::from_secs(45);
impl Session {
    /// Reads the rows of several pages of a tab, and prints what was asked for of all of them.
    pub async fn rows_of_pages(
        &self,
        tab: &Arc<TabRecord>,
        scope: &ScopeChoice,
        pages: &PagesRequest,
        request: RowsRequest<'_>,
    ) -> Result<RowsRead> {
        let deadline = Instant::now() + READING_LIMIT;
        let _turn = tab.turn().await?;
        let asked = pages.asked(scope);
        let last = lock(&tab.rows_reading).take();
        let goes_on = |last: &StoredReading| pages.goes_on && last.asked == asked;
        let (stored, last) = match last {
            Some(last) if goes_on(&last) => (Some(last), None),
            last => (None, last),
        };
        let mut was_read_before = false;
        let is_sorted = request.query.order_by.is_some() || request.query.aggregate.is_some();
        let mut after = request.options.after;
        let mut stored = match stored {
            Some(mut stored) => {
                let rows = answer_rows(stored.reading.table(), request.query)?;
                if tab.state.now().url != stored.url {
                    return Err(LookError::RowsLeft.into());
                }
                let is_read = !request.to_file && (after < rows || after == 0 && rows > 0);
                if is_read || !stored.end.continues() {
                    stored
                } else {
                    // New rows may come before those that were printed.
                    after = if is_sorted { 0 } else { after };
                    PagesReader::resume(self, tab, scope, pages, deadline, stored).await?
                }
            }
            None => {
                let begun = PagesReader::begin(self, tab, scope, pages, deadline, request.query);
                let mut begun = StoredReading { asked, ..begun.await? };
                match last.and_then(|last| whole_of(last, &mut begun)) {
                    Some(last) => {
                        was_read_before = true;
                        StoredReading { asked: begun.asked, ..last }
                    }
                    None => begun,
                }
            }
        };
        let note = ReadingNote { was_read_before, ..note(pages, &stored) };
        stored.reading.table().reading = Some(note);
        let printed =
            self.print_reading(tab, &mut stored, RowsOptions { after, ..request.options }, request);
        *lock(&tab.rows_reading) = Some(stored);
        printed
    }

    fn print_reading(
        &self,
        tab: &TabRecord,
        stored: &mut StoredReading,
        options: RowsOptions,
        request: RowsRequest<'_>,
    ) -> Result<RowsRead> {
        let page = stored.page.clone();
        let mut references = self.shared.references();
        let mut numbers = references.numbering(&page);
        let max_tokens = options.max_tokens.saturating_sub(late_changes::tokens_of(tab));
        let options = RowsOptions { wording: self.options.wording, max_tokens, ..options };
        let request = RowsRequest { options, ..request };
        let printed = print_rows(&page, stored.reading.table(), request, &mut numbers);
        Ok(printed.map_err(LookError::Rows)?)
    }
}

/// Returns how many rows the answer to a question has.
fn answer_rows(table: &RowTable, query: &RowsQuery) -> Result<usize> {
    let selected =
        select(table, query).map_err(|error| LookError::Rows(RowsReadError::Query(error)))?;
    Ok(selected.groups.map_or(selected.rows.len(), |groups| groups.len()))
}

fn note(pages: &PagesRequest, stored: &StoredReading) -> ReadingNote {
    let place = match pages.further {
        FurtherPages::Scroll => TabPlace::Scrolled { steps: stored.steps },
        FurtherPages::Next(_) => {
            TabPlace::Page { read: stored.steps, number: stored.number, url: stored.url.clone() }
        }
    };
    ReadingNote { end: stored.end.clone(), place, was_read_before: false }
}

/// Returns the last reading of the tab if a new one found only its last rows: the tab is still
/// where that reading left it, and an answer about one page of many would mislead.
fn whole_of(mut last: StoredReading, begun: &mut StoredReading) -> Option<StoredReading> {
    let is_same = last.url == begun.url && !last.end.continues() && !begun.end.continues();
    (is_same && last.reading.table().ends_with(begun.reading.table())).then_some(last)
}
