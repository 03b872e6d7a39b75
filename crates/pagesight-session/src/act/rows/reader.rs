//! One reading of several pages: looks at the page, adds its rows, and goes on until there is a
//! reason to end.

use std::sync::Arc;
use std::time::Duration;

use pagesight_core::page::NodeId;
use pagesight_core::rows::ReadingEnd;
use pagesight_core::rows::pages::{
    Added, PageOrigin, RowsReading, RowsStructure, current_page, drop_placeholders,
    is_drawn_in_part, rows_again, sort_rows,
};
use pagesight_core::rows::query::{RowsQuery, select};
use pagesight_core::rows::{RowTable, RowsReadError, rows};
use pagesight_core::settle::{Overdue, Reason};
use pagesight_core::text::escape::sentence;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::request::{CALL_SECONDS, FurtherPages, PagesRequest};
use crate::act::actor::Actor;
use crate::error::{Result, SessionError};
use crate::look::Look;
use crate::look::error::LookError;
use crate::look::scope::ScopeChoice;
use crate::session::Session;
use crate::tab::record::TabRecord;
use crate::tab::rows_reading::StoredReading;
use crate::wait::settle::{Checkpoint, WaitOutcome, wait_until_quiet};

/// How long a page may take to load new rows, from the moment when there are none.
const LOADING_LIMIT: Duration = Duration::from_secs(12);

/// How long the look after a reading may take.
const PLAIN_LOOK_LIMIT: Duration = Duration::from_secs(2);

/// A look with the rows in it.
pub(super) struct RowsLook {
    pub(super) look: Look,
    pub(super) table: RowTable,
}

pub(super) struct PagesReader<'a> {
    pub(super) actor: Actor<'a>,
    scope: &'a ScopeChoice,
    pub(super) pages: &'a PagesRequest,
    pub(super) deadline: Instant,
    pub(super) state: StoredReading,
    /// How many rows there were when the call began, and how many pages.
    pub(super) rows_before: usize,
    pages_before: usize,
    /// Whether the page did not receive the last turn of the wheel.
    pub(super) is_wheel_lost: bool,
    /// The box that the wheel scrolled.
    pub(super) scroller: Option<KnownScroller>,
    /// Whether each page is a list that has to be scrolled.
    pub(super) scrolls_pages: bool,
}

/// The box that a script may scroll.
pub(super) struct KnownScroller {
    pub(super) token: String,
    pub(super) local: u32,
    /// It is the page itself.
    pub(super) is_page: bool,
}

/// The result of going on after a page.
pub(super) enum Further {
    /// The tab was scrolled, or shows the next page.
    Shown {
        /// Whether the page seems to be loading.
        loading: bool,
    },
    /// There is nothing more.
    Ended(ReadingEnd),
}

impl<'a> PagesReader<'a> {
    /// Begins a reading with the rows that a scope has now.
    pub(super) async fn begin(
        session: &'a Session,
        tab: &'a Arc<TabRecord>,
        scope: &'a ScopeChoice,
        pages: &'a PagesRequest,
        deadline: Instant,
        query: &RowsQuery,
    ) -> Result<StoredReading> {
        let look = session.look_in_turn(tab, scope.selector(), true).await?;
        let within = session.scope_in(&look, scope)?;
        let mut table = rows(&look.page, within)
            .map_err(|error| LookError::Rows(RowsReadError::Rows(error)))?;
        // A wrong column is found before anything is scrolled.
        select(&table, query).map_err(|error| LookError::Rows(RowsReadError::Query(error)))?;
        let state = StoredReading {
            asked: String::new(),
            reading: RowsReading::of(&table),
            structure: RowsStructure::of(&look.page, &table),
            number: current_page(&look.page).map_or(1, |number| number as usize),
            page: look.page.clone(),
            end: ReadingEnd::EndOfList,
            unread: Some(PageOrigin::Scrolled),
            steps: 0,
            url: String::new(),
            control: None,
        };
        let stop = CancellationToken::new();
        let mut reader = PagesReader {
            actor: Actor::new(session, tab, deadline, &stop),
            scope,
            pages,
            deadline,
            state,
            rows_before: 0,
            pages_before: 0,
            is_wheel_lost: false,
            scroller: None,
            scrolls_pages: false,
        };
        reader.put_in_order(&look, &mut table);
        let mut seen = RowsLook { look, table };
        if pages.further == FurtherPages::Scroll || reader.scrolls_pages {
            seen = reader.at_top(seen).await?;
        }
        reader.finish(seen).await
    }

    /// Goes on with a reading. The tab must show the rows that were read last.
    pub(super) async fn resume(
        session: &'a Session,
        tab: &'a Arc<TabRecord>,
        scope: &'a ScopeChoice,
        pages: &'a PagesRequest,
        deadline: Instant,
        state: StoredReading,
    ) -> Result<StoredReading> {
        let (rows_before, pages_before) = (state.reading.len(), state.steps);
        let stop = CancellationToken::new();
        let actor = Actor::new(session, tab, deadline, &stop);
        let mut reader = PagesReader {
            actor,
            scope,
            pages,
            deadline,
            state,
            rows_before,
            pages_before,
            is_wheel_lost: false,
            scroller: None,
            scrolls_pages: false,
        };
        let seen = reader.see().await?.ok_or(LookError::RowsLeft)?;
        let is_known = reader.state.unread.is_some()
            || reader.state.reading.shows(&seen.look.page, &seen.table);
        if !is_known {
            return Err(LookError::RowsLeft.into());
        }
        reader.state.unread.get_or_insert(PageOrigin::Scrolled);
        reader.finish(seen).await
    }

    /// Reads page after page, and returns the rows with the reason why the reading ended.
    async fn finish(mut self, seen: RowsLook) -> Result<StoredReading> {
        // Looks from here on show what the reading changed.
        self.actor.tab.answers().answered = None;
        let deadline = self.deadline;
        let read = match self.pages.further {
            FurtherPages::Scroll => timeout_at(deadline, self.scroll_through(seen)).await,
            FurtherPages::Next(_) => timeout_at(deadline, self.page_through(seen)).await,
        };
        // The next answer reports what changes from now on, compared with a plain look.
        let look = self.actor.session.look_in_turn(self.actor.tab, None, false);
        let _ = tokio::time::timeout(PLAIN_LOOK_LIMIT, look).await;
        self.state.url = self.actor.tab.state.now().url.clone();
        self.state.end = match read {
            Ok(Ok(end)) => end,
            Err(_) => ReadingEnd::Time { seconds: CALL_SECONDS },
            // Without any row, there is nothing but the error.
            Ok(Err(error)) if self.state.reading.is_empty() => return Err(error),
            Ok(Err(error)) => ReadingEnd::Failed { why: sentence(&error.to_string()) },
        };
        Ok(self.state)
    }

    /// Looks at the page and reads its rows; none if it has no such list.
    pub(super) async fn see(&mut self) -> Result<Option<RowsLook>> {
        let (session, tab) = (self.actor.session, self.actor.tab);
        let mut look = session.look_in_turn(tab, None, true).await?;
        let structure = &self.state.structure;
        let mut root = NodeId::ROOT;
        if !structure.is_in(&look.page)
            && let Some(selector) = self.scope.selector()
        {
            match session.look_in_turn(tab, Some(selector), true).await {
                Ok(found) => look = found,
                Err(SessionError::Look(LookError::NoMatch { .. })) => return Ok(None),
                Err(error) => return Err(error),
            }
            root = look.page.scope.unwrap_or(NodeId::ROOT);
        }
        let mut table = rows_again(&look.page, root, structure);
        if let Some(table) = &mut table {
            self.put_in_order(&look, table);
        }
        Ok(table.map(|table| RowsLook { look, table }))
    }

    /// Brings the rows of a list that is scrolled into the order in which they are seen.
    fn put_in_order(&mut self, look: &Look, table: &mut RowTable) {
        let scrolls = self.pages.further == FurtherPages::Scroll;
        self.scrolls_pages |= !scrolls && is_drawn_in_part(&look.page, table);
        if scrolls || self.scrolls_pages {
            sort_rows(&look.page, table);
            drop_placeholders(&look.page, table);
        }
    }

    /// Begins a step, which loads what a list or its next page needs: each time a similar request.
    pub(super) fn begin_step(&self) {
        self.actor.tab.state.now().activity.forget_habits();
    }

    /// Adds the rows of a page.
    pub(super) fn add(&mut self, seen: &RowsLook) -> Added {
        let origin = self.state.unread.take().unwrap_or(PageOrigin::Scrolled);
        let most = self.rows_before.saturating_add(self.pages.most_rows);
        self.state.structure = RowsStructure::of(&seen.look.page, &seen.table);
        self.state.page = seen.look.page.clone();
        self.state.reading.add(&seen.look.page, &seen.table, origin, most)
    }

    /// Returns why the reading ends now, if a limit is reached.
    pub(super) fn limit(&self) -> Option<ReadingEnd> {
        let reading = &self.state.reading;
        if reading.is_full() {
            Some(ReadingEnd::Full)
        } else if reading.len() - self.rows_before >= self.pages.most_rows {
            Some(ReadingEnd::Rows { most: self.pages.most_rows })
        } else {
            (Instant::now() >= self.deadline).then_some(ReadingEnd::Time { seconds: CALL_SECONDS })
        }
    }

    /// Whether this call has read as many pages as it may.
    pub(super) fn has_read_enough(&self) -> bool {
        self.state.steps - self.pages_before >= self.pages.most_pages
    }

    /// Waits until a page that seems to be loading is quiet. Returns `false` if it has been loading
    /// for too long.
    pub(super) async fn wait_for_rows(&self, since: Instant) -> Result<bool> {
        if since.elapsed() >= LOADING_LIMIT {
            return Ok(false);
        }
        let checkpoint = Checkpoint::now(self.actor.tab, &self.actor.session.shared);
        wait_until_quiet(self.actor.tab, &checkpoint).await?;
        Ok(true)
    }
}

/// Whether a page may still load rows.
pub(super) fn is_loading(reason: &Reason) -> bool {
    match reason {
        Reason::StillLoading(_) | Reason::StillPending(_) => true,
        Reason::TimedOut(overdue) => !matches!(overdue, Overdue::Busy),
        Reason::Ready | Reason::StillChanging(_) => false,
    }
}

/// Whether a page that was opened may still load rows.
pub(super) fn is_arriving(outcome: &WaitOutcome) -> bool {
    matches!(outcome, WaitOutcome::Settled(reason) if is_loading(reason))
}
