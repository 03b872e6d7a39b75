//! Keeps a session to the origins of its options. A caller that runs actions of others gives them.

use std::time::Duration;

use pagesight_core::text::escape;
use pagesight_core::web_origin::WebOrigin;

use crate::error::Result;
use crate::page_script::PageScript;
use crate::session::Session;
use crate::tab::error::TabError;
use crate::tab::record::TabRecord;

/// How long a page may take to answer.
const LIMIT: Duration = Duration::from_secs(5);

/// A document of an origin that is not allowed.
pub(crate) struct ForeignDocument {
    /// Its origin, as it is printed.
    pub(crate) origin: String,
    /// The origins that are allowed, as they are printed.
    pub(crate) allowed: String,
}

impl Session {
    /// Fails if a tab shows a page of an origin that the options do not allow.
    pub async fn check_origin(&self, record: &TabRecord) -> Result<()> {
        if self.options.origins.is_empty() {
            return Ok(());
        }
        let _turn = record.turn().await?;
        self.check_tab(record)?;
        let foreign = match self.foreign_by_dialog(record) {
            Some(foreign) => foreign,
            None => self.foreign(record.script(None, LIMIT)).await?,
        };
        let Some(ForeignDocument { origin, allowed }) = foreign else { return Ok(()) };
        Err(TabError::Elsewhere { origin, allowed }.into())
    }

    /// Asks a document for its origin. Returns it if it is not allowed. The page script compares,
    /// because addresses that the browser reports have no hidden values.
    pub(crate) async fn foreign(&self, script: PageScript<'_>) -> Result<Option<ForeignDocument>> {
        let origins = &self.options.origins;
        if origins.is_empty() {
            return Ok(None);
        }
        let texts: Vec<String> = origins.iter().map(WebOrigin::to_string).collect();
        let asked = script.admits_secret(&texts).await?;
        Ok((!asked.ok).then(|| self.foreign_origin(&asked.origin)))
    }

    /// Compares the address of a tab with an open dialog, whose page does not answer. `None` if no
    /// dialog is open.
    pub(crate) fn foreign_by_dialog(&self, record: &TabRecord) -> Option<Option<ForeignDocument>> {
        let state = record.state.now();
        state.dialog.as_ref()?;
        let origin = WebOrigin::of_address(&state.url);
        let origins = &self.options.origins;
        let is_allowed =
            origins.is_empty() || origin.as_ref().is_some_and(|it| origins.contains(it));
        let shown = origin.as_ref().map_or("null", WebOrigin::as_str);
        Some((!is_allowed).then(|| self.foreign_origin(shown)))
    }

    fn foreign_origin(&self, origin: &str) -> ForeignDocument {
        let allowed: Vec<&str> = self.options.origins.iter().map(WebOrigin::as_str).collect();
        ForeignDocument { origin: escape::safe(origin, 100), allowed: allowed.join(" and ") }
    }
}
