//! How a reading of several pages ended, and on which page the tab is then.

use crate::hint::{Hint, Wording};
use crate::text::escape::{safe, sentence};

/// The longest address in a line.
const ADDRESS_LIMIT: usize = 300;

/// Why a reading ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadingEnd {
    /// Nothing came when the list was scrolled at its end, or the last page has no usable control
    /// for a next one.
    EndOfList,
    /// The list cannot be scrolled.
    NotScrolled,
    /// No control for a next page was found at all.
    NoControl,
    /// The next page had no rows that were not read before.
    NothingNew,
    /// The next page does not have this table or list.
    Elsewhere,
    /// As many pages were read as the caller wants.
    Pages,
    /// As many rows were read as the caller wants.
    Rows {
        /// This many.
        most: usize,
    },
    /// There is no room for further rows.
    Full,
    /// The time of the call was over.
    Time {
        /// In seconds.
        seconds: u64,
    },
    /// The list was still loading.
    Loading,
    /// The page could not be scrolled, or the control not be used.
    Failed {
        /// Why, as a sentence.
        why: String,
    },
}

impl ReadingEnd {
    /// Whether further rows may follow.
    pub fn continues(&self) -> bool {
        use ReadingEnd::*;
        matches!(self, Pages | Rows { .. } | Time { .. } | Loading | Failed { .. })
    }
}

/// The page that a tab is on after a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TabPlace {
    /// The list was scrolled.
    Scrolled {
        /// How often.
        steps: usize,
    },
    /// Next pages were opened.
    Page {
        /// How many pages were read in all.
        read: usize,
        /// The number of the page, as it says, or counted from the first that was read.
        number: usize,
        /// Its address.
        url: String,
    },
}

/// How the rows of several pages were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingNote {
    /// Why the reading ended.
    pub end: ReadingEnd,
    /// Where the tab is.
    pub place: TabPlace,
    /// Whether an earlier call read the rows, and the tab has shown the last of them since.
    pub was_read_before: bool,
}

impl ReadingNote {
    /// Returns the value of the parameter `pages`.
    pub fn pages(&self) -> &'static str {
        match self.place {
            TabPlace::Scrolled { .. } => "scroll",
            TabPlace::Page { .. } => "next",
        }
    }

    /// Returns the line of an answer that has `rows` rows.
    pub(super) fn line(&self, wording: Wording, rows: usize) -> String {
        let line = format!("{}; {}", self.ended(), self.tab());
        let hint = Hint::ReadOn { pages: self.pages(), after: rows };
        wording.line(line, self.end.continues().then_some(&hint))
    }

    fn ended(&self) -> String {
        let pages = match self.place {
            TabPlace::Page { read, .. } => counted(read, "page"),
            TabPlace::Scrolled { .. } => String::new(),
        };
        let rows = match &self.place {
            TabPlace::Page { .. } => format!("{pages} read"),
            TabPlace::Scrolled { .. } => "read by scrolling".to_owned(),
        };
        let rows = if self.was_read_before { format!("{rows} before") } else { rows };
        match &self.end {
            ReadingEnd::EndOfList => format!("{rows}, to the end of the list"),
            ReadingEnd::NotScrolled => {
                "read as it is drawn, because it cannot be scrolled".to_owned()
            }
            ReadingEnd::NoControl => {
                format!(
                    "{rows}: no control for a next page was found; give it as next, if there is one"
                )
            }
            ReadingEnd::NothingNew => format!("{rows}, to the end: the next page has no new rows"),
            ReadingEnd::Elsewhere => {
                format!("{rows}, to the end: the next page does not have this list")
            }
            ReadingEnd::Pages => format!("{rows}, and more follow"),
            ReadingEnd::Rows { most } => format!("{rows}, up to the limit of {most} rows"),
            ReadingEnd::Full => format!("{rows}, until there was no room for further rows"),
            ReadingEnd::Time { seconds } => {
                format!("{rows}, until the {seconds} s of a call were over")
            }
            ReadingEnd::Loading => format!("{rows}; the list is still loading"),
            ReadingEnd::Failed { why } => format!("{rows}, until it failed: {}", sentence(why)),
        }
    }

    fn tab(&self) -> String {
        match &self.place {
            TabPlace::Scrolled { steps: 0 } => "the tab is not scrolled".to_owned(),
            TabPlace::Scrolled { .. } => match self.end {
                ReadingEnd::EndOfList => "the tab is scrolled to there".to_owned(),
                _ => "the tab is scrolled to the last row that was read".to_owned(),
            },
            TabPlace::Page { number, url, .. } => {
                format!("the tab is on page {number}, {}", safe(url, ADDRESS_LIMIT))
            }
        }
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
