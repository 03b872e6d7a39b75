//! The stored result of one page: what a run folder, and the queue, keep of it. `PageRecord` is the
//! part in JSON, `PageFiles` are the larger files beside it.

use std::time::Duration;

use pagesight_core::compare::Change;
use pagesight_core::fingerprint::Size;
use pagesight_core::page::Rect;
use pagesight_session::Engine;
use serde::{Deserialize, Serialize};

use super::{Outcome, Picture, Verdict};
use crate::baseline::{PageKey, picture};

/// The version of this format. A change that an older pagesight cannot read raises it.
pub const RECORD_VERSION: u64 = 1;

/// The result of one page in one viewport of one browser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageRecord {
    /// The index of its job in the plan, counted over all shards.
    pub job: usize,
    /// The name of the page.
    pub name: String,
    /// Its address, as it is printed.
    pub url: String,
    /// The browser.
    pub browser: Engine,
    /// The viewport.
    pub viewport: Size,
    /// The conditions that were emulated, in a few words; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub emulation: String,
    /// The scope as it was written; empty for the whole page.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub scope: String,
    /// The line of the page in the file that lists it.
    pub line: usize,
    /// The verdict on the page.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The number of tries.
    pub tries: u32,
    /// Further sentences to print.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How long it took, all tries.
    pub took_ms: u64,
    /// The digest of the baseline that it was compared with; none if there was no baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The digest of the new baseline, if there is one to accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// The picture of the page becomes the picture of its baseline.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_picture: bool,
    /// Size and marks of the picture before, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<PictureRecord>,
    /// Size and marks of the picture now, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<PictureRecord>,
}

/// The files of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageFiles {
    /// The new baseline, as the text of its file.
    pub baseline: Option<String>,
    /// The picture of the baseline (PNG).
    pub before: Option<Vec<u8>>,
    /// The picture of the page (PNG), with the boxes of its elements in a chunk.
    pub after: Option<Vec<u8>>,
}

/// Size and marks of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PictureRecord {
    /// Its size in CSS pixels.
    pub size: Size,
    /// The index of a change, and its box: x, y, width and height.
    pub marks: Vec<(usize, [i32; 4])>,
}

impl PageRecord {
    /// Makes the record of an outcome. `job` is the index in the plan, `line` the page's line in
    /// the file. Pictures are recorded without their bytes.
    pub fn of(outcome: &Outcome, job: usize, line: usize) -> PageRecord {
        PageRecord {
            job,
            name: outcome.name.clone(),
            url: outcome.url.clone(),
            browser: engine(outcome.browser),
            viewport: outcome.viewport,
            emulation: outcome.emulation.clone(),
            scope: outcome.scope.clone(),
            line,
            verdict: outcome.verdict.clone(),
            tries: outcome.tries,
            notes: outcome.notes.clone(),
            took_ms: outcome.took.as_millis() as u64,
            base: None,
            baseline: None,
            keeps_picture: false,
            before: outcome.before.as_ref().map(PictureRecord::of),
            after: outcome.after.as_ref().map(PictureRecord::of),
        }
    }

    /// Turns it back into an outcome, with the pictures of `files`.
    pub fn outcome(self, files: PageFiles) -> Outcome {
        let picture = |record: Option<PictureRecord>, png: Option<Vec<u8>>| {
            record.zip(png).map(|(record, png)| record.picture(png))
        };
        Outcome {
            name: self.name,
            url: self.url,
            browser: self.browser.id(),
            viewport: self.viewport,
            emulation: self.emulation,
            scope: self.scope,
            verdict: self.verdict,
            tries: self.tries,
            notes: self.notes,
            took: Duration::from_millis(self.took_ms),
            before: picture(self.before, files.before),
            after: picture(self.after, files.after),
        }
    }

    /// Returns what identifies its baseline.
    pub fn key(&self) -> PageKey {
        PageKey {
            name: self.name.clone(),
            browser: self.browser.id().to_owned(),
            width: self.viewport.width,
            height: self.viewport.height,
            emulation: self.emulation.clone(),
            scope: self.scope.clone(),
        }
    }

    /// Returns the changes, if it was compared.
    pub fn changes(&self) -> &[Change] {
        self.verdict.comparison().map_or(&[], |comparison| &comparison.changes)
    }
}

impl PictureRecord {
    fn of(picture: &Picture) -> PictureRecord {
        let marks = picture.marks.iter();
        let marks = marks.map(|(at, rect)| (*at, [rect.x, rect.y, rect.width, rect.height]));
        PictureRecord { size: picture.size, marks: marks.collect() }
    }

    fn picture(self, png: Vec<u8>) -> Picture {
        let mark =
            |(at, [x, y, width, height]): (usize, [i32; 4])| (at, Rect { x, y, width, height });
        let marks = self.marks.into_iter().map(mark).collect();
        // The added text is removed, so that equal pictures compare equal.
        Picture { png: picture::without_text(&png), size: self.size, marks }
    }
}

fn engine(id: &str) -> Engine {
    Engine::ALL.into_iter().find(|engine| engine.id() == id).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use pagesight_core::compare::Severity;

    use super::*;
    use crate::result::tests::{compared, outcome};

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let failed = Verdict::Failed { error: "it did not load".to_owned() };
        let changed = Verdict::Compared(compared(&[Severity::Error, Severity::Info]));
        for verdict in [changed, failed, Verdict::Saved, Verdict::NoBaseline] {
            let mut page = outcome("p", verdict);
            page.notes = vec!["note".to_owned()];
            page.emulation = "pixel-9, dark".to_owned();
            let mark = Rect { x: -1, y: 2, width: 3, height: 4 };
            let size = Size { width: 5, height: 6 };
            page.after = Some(Picture { png: b"GIF".to_vec(), size, marks: vec![(0, mark)] });
            let record = PageRecord::of(&page, 7, 3);
            let text = serde_json::to_string(&record).unwrap();
            let read: PageRecord = serde_json::from_str(&text).unwrap();
            assert_eq!(read, record, "{text}");
            let files = PageFiles { after: Some(b"GIF".to_vec()), ..PageFiles::default() };
            let again = read.outcome(files);
            assert_eq!(format!("{again:?}"), format!("{page:?}"));
        }
    }
}
