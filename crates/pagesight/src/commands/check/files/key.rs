//! The key of a baseline, and the name of its file.

use pagesight_session::baseline::PageKey;

use crate::commands::check::plan::Job;

/// Returns what identifies the baseline of a job.
pub(super) fn key(job: &Job) -> PageKey {
    PageKey {
        name: job.name.clone(),
        browser: job.engine.id().to_owned(),
        width: job.viewport.width,
        height: job.viewport.height,
        scope: job.scope.clone(),
    }
}

/// Returns the file name of a baseline, without extension.
pub(super) fn stem_of(key: &PageKey) -> String {
    let safe = key.name.replace('/', "%2F");
    let safe = safe.strip_prefix('.').map(|rest| format!("%2E{rest}")).unwrap_or(safe);
    let scope = match key.scope.as_str() {
        "" => String::new(),
        scope => {
            let readable: String =
                scope.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(24).collect();
            // Two selectors may have the same readable part.
            format!("-{readable}-{:08x}", crc32fast::hash(scope.as_bytes()))
        }
    };
    format!("{safe}@{}-{}x{}{scope}", key.browser, key.width, key.height)
}
