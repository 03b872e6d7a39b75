//! The baselines of a check in a PostgreSQL database instead of files.

use std::collections::HashMap;
use std::sync::Mutex;

use pagesight_browser::lock;
use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::baseline::{MOST_PICTURE_BYTES, PageKey, PostgresPages, StoredPage};

use super::key::key;
use crate::cli::print;
use crate::commands::check::plan::Job;

/// The baselines of a check in a database.
pub(crate) struct PageDatabase {
    pages: PostgresPages,
    /// New baselines that are kept instead of being written, by their keys.
    later: Option<Mutex<HashMap<PageKey, StoredPage>>>,
}

impl std::fmt::Debug for PageDatabase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PageDatabase").field(&self.pages.shown()).finish()
    }
}

impl PageDatabase {
    /// Writes baselines at once.
    pub(crate) fn new(pages: PostgresPages) -> PageDatabase {
        PageDatabase { pages, later: None }
    }

    /// Keeps new baselines until [`PageDatabase::take`], so that they are written together with a
    /// result.
    pub(crate) fn later(pages: PostgresPages) -> PageDatabase {
        PageDatabase { pages, later: Some(Mutex::default()) }
    }

    /// Returns where the baselines are, for messages.
    pub(super) fn shown(&self) -> &str {
        self.pages.shown()
    }

    /// Returns the text of a baseline, if there is one. The error is a sentence.
    pub(super) fn text(&self, key: &PageKey) -> Result<Option<String>, String> {
        blocking(|| self.pages.text(key)).map_err(|error| error.to_string())
    }

    /// Returns the picture of a baseline, if there is one.
    pub(super) fn picture(&self, key: &PageKey) -> Option<Vec<u8>> {
        blocking(|| self.pages.picture(key)).ok().flatten()
    }

    /// Writes a baseline, or keeps it for later. A picture that is too large is left out.
    pub(super) fn write(
        &self,
        key: &PageKey,
        text: &str,
        fingerprint: &Fingerprint,
        png: Option<&[u8]>,
    ) -> Result<(), String> {
        let picture = png.filter(|png| png.len() <= MOST_PICTURE_BYTES);
        if let (Some(png), None) = (png, picture) {
            print::note(&format!(
                "the picture of {:?} has {} bytes and is not stored; the limit is {MOST_PICTURE_BYTES}",
                key.name,
                png.len()
            ));
        }
        let page = StoredPage {
            text: text.to_owned(),
            route: fingerprint.route.clone(),
            hash: fingerprint.hash.clone(),
            depth: fingerprint.depth.as_str().to_owned(),
            picture: picture.map(<[u8]>::to_vec),
        };
        match &self.later {
            Some(later) => {
                let mut later = lock(later);
                later.insert(key.clone(), page);
                Ok(())
            }
            None => {
                blocking(|| self.pages.save(key, page)).map(drop).map_err(|error| error.to_string())
            }
        }
    }

    /// Takes the new baseline of a job that was kept for later.
    pub(crate) fn take(&self, job: &Job) -> Option<(PageKey, StoredPage)> {
        let mut later = lock(self.later.as_ref()?);
        later.remove_entry(&key(job))
    }
}

/// Runs a call that blocks, without stopping other tasks.
fn blocking<T>(call: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(call),
        _ => call(),
    }
}
