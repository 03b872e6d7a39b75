//! The downloads of a tab. Each is reported twice with an answer: when it is first seen, and when
//! it has ended.

use std::collections::VecDeque;
use std::path::PathBuf;

use pagesight_browser::{Download, DownloadLimit, DownloadState};
use pagesight_core::text::escape::{safe, sentence};

/// How many downloads are remembered.
const KEPT: usize = 50;
/// The downloads of a tab.
#[derive(Default)]
pub(crate) struct Downloads(VecDeque<Known>);

struct Known {
    download: Download,
    /// Whether its current state was reported.
    reported: bool,
}

impl Downloads {
    pub(crate) fn record(&mut self, download: Download) {
        if let Some(known) = self.0.iter_mut().find(|known| known.download.id == download.id) {
            known.reported &= matches!(download.state, DownloadState::Running { .. });
            let name = std::mem::take(&mut known.download.name);
            known.download = Download { name, ..download };
            return;
        }
        self.0.push_back(Known { download, reported: false });
        if self.0.len() > KEPT {
            self.0.pop_front();
        }
    }

    /// Whether there is something to report.
    pub(crate) fn has_news(&self) -> bool {
        self.0.iter().any(|known| !known.reported)
    }

    /// Whether a download is in progress that was not reported yet.
    pub(crate) fn awaited(&self) -> bool {
        self.0.iter().any(|known| {
            !known.reported && matches!(known.download.state, DownloadState::Running { .. })
        })
    }

    /// Returns the downloads that were not reported yet, in words.
    pub(crate) fn report(&mut self) -> Vec<String> {
        let news = self.0.iter_mut().filter(|known| !known.reported);
        news.map(|known| {
            known.reported = true;
            words(&known.download)
        })
        .collect()
    }
}

/// Returns a download in words: `downloaded report.pdf (12 kB) to /tmp/…/report.pdf`.
fn words(download: &Download) -> String {
    let name = safe(&download.name, 100);
    match &download.state {
        DownloadState::Running { received, total } => {
            let total = total.map(|total| format!(" of {}", bytes(total))).unwrap_or_default();
            format!("still downloading {name} ({}{total})", bytes(*received))
        }
        DownloadState::Done { size, path } => {
            let size = size.map(|size| format!(" ({})", bytes(size))).unwrap_or_default();
            // The last part of the path may be a name that the page gave.
            let to = |path: &PathBuf| format!(" to {}", sentence(&path.to_string_lossy()));
            let to = path.as_ref().map(to).unwrap_or_default();
            format!("downloaded {name}{size}{to}")
        }
        DownloadState::Stopped => format!("the download of {name} was cancelled or failed"),
        DownloadState::TooLarge(limit) => {
            let most = limit.bytes() >> 20;
            let why = match limit {
                DownloadLimit::File => format!("it is larger than {most} MiB"),
                DownloadLimit::Total => {
                    format!("all downloads of a browser together may take {most} MiB")
                }
            };
            format!("the download of {name} was cancelled: {why}")
        }
    }
}

/// Returns a size in words: `12 kB`.
fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{} kB", count.div_ceil(1_000)),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_reported_when_it_is_seen_and_when_it_ended() {
        let mut all = Downloads::default();
        let mut at = |state| {
            all.record(Download { id: "1".into(), name: "a.pdf".into(), state });
            all.report()
        };
        let running = |received| DownloadState::Running { received, total: Some(5_000_000) };
        assert_eq!(at(running(1_500)), ["still downloading a.pdf (2 kB of 5.0 MB)"]);
        assert!(at(running(9_000)).is_empty());
        let done = DownloadState::Done { size: Some(12), path: Some("/d/a.pdf".into()) };
        assert_eq!(at(done.clone()), ["downloaded a.pdf (12 B) to /d/a.pdf"]);
        assert_eq!(all.report(), Vec::<String>::new());
    }

    #[test]
    fn a_limit_is_named() {
        let mut all = Downloads::default();
        for (id, limit) in [("1", DownloadLimit::File), ("2", DownloadLimit::Total)] {
            let state = DownloadState::TooLarge(limit);
            all.record(Download { id: id.into(), name: "a.iso".into(), state });
        }
        let expected = [
            "the download of a.iso was cancelled: it is larger than 100 MiB",
            "the download of a.iso was cancelled: all downloads of a browser together may take \
             500 MiB",
        ];
        assert_eq!(all.report(), expected);
    }
}
