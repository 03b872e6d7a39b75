//! Decides how long the files of downloads are watched. That does not depend on the ends of
//! downloads that are reported: a frame that is removed reports none.

use std::sync::Mutex;

use crate::downloads::DownloadsState;
use crate::sync::lock;

/// How many times in a row nothing is written before they are not looked at any more: a download
/// begins a moment before its file does, and it ends a moment after.
const QUIET_LOOKS: u32 = 40;

/// Decides how long the files are watched.
#[derive(Default)]
pub(super) struct DownloadWatch(Mutex<Watched>);

#[derive(Default)]
struct Watched {
    /// Whether a task looks at the files.
    runs: bool,
    /// How many times in a row nothing was written.
    quiet: u32,
    last: DownloadsState,
}

impl DownloadWatch {
    /// Notes that a download began. Returns whether the files are not watched yet.
    pub(super) fn begun(&self) -> bool {
        let mut watched = lock(&self.0);
        watched.quiet = 0;
        !std::mem::replace(&mut watched.runs, true)
    }

    /// Notes the state of the files. Returns whether to look at them again.
    pub(super) fn looked(&self, now: DownloadsState) -> bool {
        let mut watched = lock(&self.0);
        let is_busy = now.is_written || now.bytes != watched.last.bytes;
        watched.last = now;
        watched.quiet = if is_busy { 0 } else { watched.quiet + 1 };
        watched.runs = watched.quiet < QUIET_LOOKS;
        watched.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_watched_as_long_as_they_are_written() {
        let watch = DownloadWatch::default();
        let at = |is_written: bool, bytes: u64| DownloadsState { is_written, bytes };
        let ends_after = |state: DownloadsState| (1..).find(|_| !watch.looked(state)).unwrap();
        assert!(watch.begun(), "the first download");
        // A file that grows, however long that takes and whatever its name is.
        for bytes in 1..100_000 {
            assert!(watch.looked(at(false, bytes)));
        }
        // An unfinished file that the server lets wait.
        for _ in 0..100_000 {
            assert!(watch.looked(at(true, 7)));
        }
        assert!(!watch.begun(), "it is watched already");
        assert_eq!(ends_after(at(false, 7)), QUIET_LOOKS);
        assert!(watch.begun(), "nothing is watched any more");
        // A download that begins late prolongs the watch.
        assert!((1..QUIET_LOOKS).all(|_| watch.looked(at(false, 7))));
        assert!(!watch.begun());
        assert_eq!(ends_after(at(false, 7)), QUIET_LOOKS);
    }
}
