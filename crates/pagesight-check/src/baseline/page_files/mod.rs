//! The baselines of the pages of a check as files beside `pages.toml`: a JSON file each, and a
//! picture beside it. Files are written atomically, and a file that cannot be read is never
//! overwritten. Their history is that of the repository.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pagesight_session::private_files::{self, replace};

use crate::baseline::model::{BaselineError, Result};
use crate::baseline::page::{PageKey, PageText, StoredPage};

/// An unfinished file that is older than this was left by a killed run.
const WRITTEN_WITHIN: Duration = Duration::from_secs(60);
/// The remedy for a damaged file.
const REPAIR: &str = "; restore it with git checkout, or delete it and check again";

/// Returns the path of the baseline of a page.
pub(super) fn path(folder: &Path, key: &PageKey, ending: &str) -> PathBuf {
    folder.join(format!("{}.{ending}", key.stem()))
}

/// Reads the text of a baseline, if there is one.
pub(super) fn text(folder: &Path, key: &PageKey) -> Result<Option<PageText>> {
    let path = path(folder, key, "json");
    let place = path.display().to_string();
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(PageText { text, place, repair: REPAIR })),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BaselineError::Unreadable { path: place, reason: error.to_string() }),
    }
}

/// Reads the picture of a baseline, if there is one.
pub(super) fn picture(folder: &Path, key: &PageKey) -> Option<Vec<u8>> {
    std::fs::read(path(folder, key, "png")).ok()
}

/// Writes a baseline. The picture comes first, so a JSON file means that the baseline is complete.
pub(super) fn save(folder: &Path, key: &PageKey, page: &StoredPage) -> Result<()> {
    let file = path(folder, key, "json");
    let failed = |error: std::io::Error| BaselineError::Unwritable {
        path: file.display().to_string(),
        reason: error.to_string(),
    };
    private_files::create_folders(folder).map_err(failed)?;
    let picture = path(folder, key, "png");
    match &page.picture {
        Some(png) => replace(&picture, png).map_err(failed)?,
        // The picture of an older baseline would be wrong.
        None => drop(std::fs::remove_file(&picture)),
    }
    replace(&file, page.text.as_bytes()).map_err(failed)
}

/// Lists files in a folder of baselines that none of these pages uses.
pub fn unused(folder: &Path, pages: impl Iterator<Item = PageKey>) -> Vec<PathBuf> {
    let used: HashSet<String> = pages.map(|key| key.stem()).collect();
    let known = |path: &Path| {
        let stem = path.file_stem().map(OsStr::to_string_lossy).unwrap_or_default();
        used.contains(stem.as_ref())
    };
    let mut found = entries(folder);
    found.retain(|path| {
        let ending = path.extension().unwrap_or_default();
        (ending == "json" || ending == "png") && !known(path)
    });
    found.sort();
    found
}

/// Removes unfinished files of killed runs.
pub(super) fn sweep(folder: &Path) {
    for path in entries(folder).into_iter().filter(|path| is_unfinished(path)) {
        let age = std::fs::metadata(&path)
            .and_then(|data| data.modified())
            .ok()
            .and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > WRITTEN_WITHIN) {
            let _ = std::fs::remove_file(&path);
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    name.starts_with('.') && name.ends_with(".tmp")
}

#[cfg(test)]
mod tests;
