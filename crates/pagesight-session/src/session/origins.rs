//! Keeps a session to the origins of its options. A caller that runs actions of others gives them.

use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_core::text::escape;
use pagesight_core::web_origin::WebOrigin;

use crate::error::{Result, SessionError};
use crate::page_script::PageScript;
use crate::session::Session;
use crate::tab::error::TabError;
use crate::tab::record::TabRecord;

/// How long a page may take to answer.
const LIMIT: Duration = Duration::from_secs(5);
/// How often a document is asked again that took the place of the one that was asked.
const TRIES: u32 = 3;

/// A document of an origin that is not allowed.
pub(crate) struct ForeignDocument {
    /// Its origin, as it is printed.
    pub(crate) origin: String,
    /// The origins that are allowed, as they are printed.
    pub(crate) allowed: String,
}

impl From<ForeignDocument> for SessionError {
    fn from(ForeignDocument { origin, allowed }: ForeignDocument) -> SessionError {
        TabError::Elsewhere { origin, allowed }.into()
    }
}

impl Session {
    /// Fails if a tab shows a page of an origin that the options do not allow.
    pub async fn check_origin(&self, record: &TabRecord) -> Result<()> {
        if self.options.origins.is_empty() {
            return Ok(());
        }
        let _turn = record.turn().await?;
        let mut tries = 0;
        let foreign = loop {
            // The error about an open dialog has its text, so the address comes first.
            if let Some(foreign) = self.foreign_by_dialog(record) {
                break foreign;
            }
            self.check_tab(record)?;
            match self.foreign(record.script(None, LIMIT)).await {
                Err(SessionError::Browser(BrowserError::DialogOpen { .. })) if tries < TRIES => {
                    tries += 1;
                }
                foreign => break foreign?,
            }
        };
        Ok(foreign.map_or(Ok(()), Err)?)
    }

    /// Asks a document for its origin. Returns it if it is not allowed. The page script compares,
    /// because addresses that the browser reports have no hidden values.
    pub(crate) async fn foreign(&self, script: PageScript<'_>) -> Result<Option<ForeignDocument>> {
        let origins = &self.options.origins;
        if origins.is_empty() {
            return Ok(None);
        }
        let texts: Vec<String> = origins.iter().map(WebOrigin::to_string).collect();
        let mut tries = 0;
        let asked = loop {
            match script.admits_secret(&texts).await {
                Err(BrowserError::Navigated) if tries < TRIES => tries += 1,
                asked => break asked?,
            }
        };
        Ok((!asked.ok).then(|| self.foreign_origin(&asked.origin)))
    }

    /// Reports whether the options allow documents with this address.
    pub fn allows_address(&self, address: &str) -> bool {
        let origins = &self.options.origins;
        origins.is_empty()
            || WebOrigin::of_address(address).is_some_and(|origin| origins.contains(&origin))
    }

    /// Compares the address of a tab with an open dialog, whose page does not answer. `None` if no
    /// dialog is open. The frame of a dialog is not known.
    pub(crate) fn foreign_by_dialog(&self, record: &TabRecord) -> Option<Option<ForeignDocument>> {
        let state = record.state.now();
        state.dialog.as_ref()?;
        if self.allows_address(&state.url) {
            return Some(None);
        }
        let origin = WebOrigin::of_address(&state.url);
        Some(Some(self.foreign_origin(origin.as_ref().map_or("null", WebOrigin::as_str))))
    }

    /// Returns a document whose origin cannot be asked for, if the options restrict origins: a
    /// page shows documents in elements that do not name their frame, such as `embed`.
    pub(crate) fn unknown_document(&self) -> Option<ForeignDocument> {
        (!self.options.origins.is_empty()).then(|| self.foreign_origin("an unknown origin"))
    }

    fn foreign_origin(&self, origin: &str) -> ForeignDocument {
        let allowed: Vec<&str> = self.options.origins.iter().map(WebOrigin::as_str).collect();
        ForeignDocument { origin: escape::safe(origin, 100), allowed: allowed.join(" and ") }
    }
}
