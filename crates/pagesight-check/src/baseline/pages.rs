//! The baselines of the pages of a check, in any store.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use pagesight_browser::lock;
use pagesight_core::fingerprint::Fingerprint;

use super::digest::digest;
use super::folder::FileBaselines;
use super::form::{self, FormError};
use super::model::{BaselineError, Baselines, Result};
use super::page::{PageKey, StoredPage};
use super::{page_files, picture};

/// The baselines of the pages of a check.
#[derive(Clone)]
pub struct PageBaselines {
    store: Arc<dyn Baselines>,
    /// New baselines that are kept instead of being saved, by their keys.
    later: Option<Arc<Mutex<HashMap<PageKey, StoredPage>>>>,
}

impl PageBaselines {
    /// Uses the files in a folder, and removes unfinished ones.
    pub fn in_folder(folder: &Path) -> PageBaselines {
        page_files::sweep(folder);
        // The history of these files is that of the repository, so nobody is recorded.
        PageBaselines::in_store(Arc::new(FileBaselines::new(folder, "")))
    }

    /// Uses a store.
    pub fn in_store(store: Arc<dyn Baselines>) -> PageBaselines {
        PageBaselines { store, later: None }
    }

    /// Keeps new baselines until [`PageBaselines::take`], so that they are saved together with a
    /// result.
    pub fn saved_later(store: Arc<dyn Baselines>) -> PageBaselines {
        PageBaselines { store, later: Some(Arc::default()) }
    }

    /// Takes the new baseline of a page that was kept for later.
    pub fn take(&self, key: &PageKey) -> Option<StoredPage> {
        lock(self.later.as_ref()?).remove(key)
    }

    /// Returns the digest of the text of a baseline, if there is one.
    pub(crate) fn digest(&self, key: &PageKey) -> Result<Option<String>> {
        let found = blocking(|| self.store.page_text(key))?;
        Ok(found.map(|found| digest(&found.text)))
    }

    /// Returns the text of a baseline, if there is one.
    pub(crate) fn text(&self, key: &PageKey) -> Result<Option<String>> {
        Ok(blocking(|| self.store.page_text(key))?.map(|found| found.text))
    }

    /// Reads a baseline with the digest of its text, if there is one.
    pub fn read(&self, key: &PageKey) -> Result<Option<(Fingerprint, String)>> {
        let Some(found) = blocking(|| self.store.page_text(key))? else { return Ok(None) };
        let read = form::read(&found.text).map(|base| Some((base, digest(&found.text))));
        let place = found.place;
        read.map_err(|error| match error {
            FormError::Damaged(reason) => {
                BaselineError::Page { place, reason, repair: found.repair }
            }
            FormError::Newer(version) => BaselineError::NewerPage { place, version },
        })
    }

    /// Reads the picture of a baseline, if there is a valid one.
    pub fn picture(&self, key: &PageKey) -> Option<Vec<u8>> {
        let found = blocking(|| self.store.page_picture(key)).ok().flatten();
        found.filter(|png| picture::is_png(png))
    }

    /// Saves a baseline. Returns a note if its picture is too large for the store.
    pub fn save(
        &self,
        key: &PageKey,
        fingerprint: &Fingerprint,
        png: Option<&[u8]>,
    ) -> Result<Option<String>> {
        let text = form::write(&key.name, &key.browser, fingerprint).map_err(|error| {
            let path = format!("the baseline of {:?}", key.name);
            BaselineError::Unwritable { path, reason: error.to_string() }
        })?;
        self.save_text(key, &text, fingerprint, png)
    }

    /// Saves the text of a baseline, as [`PageBaselines::save`] does. `fingerprint` is what the
    /// text says.
    pub(crate) fn save_text(
        &self,
        key: &PageKey,
        text: &str,
        fingerprint: &Fingerprint,
        png: Option<&[u8]>,
    ) -> Result<Option<String>> {
        let most = self.store.most_picture_bytes().unwrap_or(usize::MAX);
        let picture = png.filter(|png| png.len() <= most);
        let note = png.filter(|png| png.len() > most).map(|png| {
            let (name, bytes) = (&key.name, png.len());
            format!(
                "the picture of {name:?} has {bytes} bytes and is not stored; the limit is {most}"
            )
        });
        let page = StoredPage {
            text: text.to_owned(),
            route: fingerprint.route.clone(),
            hash: fingerprint.hash.clone(),
            depth: fingerprint.depth.as_str().to_owned(),
            picture: picture.map(<[u8]>::to_vec),
        };
        match &self.later {
            Some(later) => drop(lock(later).insert(key.clone(), page)),
            None => blocking(|| self.store.save_page(key, &page))?,
        }
        Ok(note)
    }
}

impl std::fmt::Debug for PageBaselines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PageBaselines").finish_non_exhaustive()
    }
}

/// Runs a call that may block, without stopping other tasks.
pub(crate) fn blocking<T>(call: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(call),
        _ => call(),
    }
}
