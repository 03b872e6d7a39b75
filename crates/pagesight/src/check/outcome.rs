//! What a check came to: the one structure that every report is made from. Holds results only; how they come about is in `run`, how they are shown in
//! `report`, `junit` and `github`.

use std::time::Duration;

use pagesight_core::compare::{Comparison, Severity};
use pagesight_core::fingerprint::Size;
use pagesight_core::page::Rect;

/// A whole run.
#[derive(Debug)]
pub(crate) struct Checked {
    /// What was checked: the path of `pages.toml`, or the address of the one page.
    pub(crate) subject: String,
    /// When it began, as it is to be shown.
    pub(crate) began: String,
    /// How long all of it took.
    pub(crate) took: Duration,
    /// How bad a change has to be to count as a failure.
    pub(crate) fail_on: Severity,
    /// One for each page, viewport, browser and scope, in the order they were written.
    pub(crate) outcomes: Vec<Outcome>,
}

/// What came of one page in one viewport of one browser.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The page's name.
    pub(crate) name: String,
    /// Its address.
    pub(crate) url: String,
    /// `chromium` or `firefox`.
    pub(crate) browser: &'static str,
    /// The viewport.
    pub(crate) viewport: Size,
    /// Which part, as it was written; empty for all of it.
    pub(crate) scope: String,
    /// What it came to.
    pub(crate) verdict: Verdict,
    /// How often it was tried; what went wrong before is in `notes`.
    pub(crate) tries: u32,
    /// What else is to be told, a sentence each.
    pub(crate) notes: Vec<String>,
    /// How long it took, all tries.
    pub(crate) took: Duration,
    /// The picture of the baseline.
    pub(crate) before: Option<Picture>,
    /// The picture of now.
    pub(crate) after: Option<Picture>,
}

/// What a page came to.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Compared; holds what changed, of any severity, which may be nothing.
    Compared(Comparison),
    /// There was no baseline; now there is.
    Saved,
    /// What changed was accepted as the new baseline.
    Updated(Comparison),
    /// There is no baseline, and none may be saved here.
    NoBaseline,
    /// It could not be done; why, as a sentence.
    Failed(String),
}

/// A picture of a page, with what changed on it.
#[derive(Debug)]
pub(crate) struct Picture {
    /// The PNG file.
    pub(crate) png: Vec<u8>,
    /// Its size in CSS pixels.
    pub(crate) size: Size,
    /// Where the changes are: the place of the change in the comparison's list, and its box in CSS pixels of the picture.
    pub(crate) marks: Vec<(usize, Rect)>,
}
