//! Hints: what a reader can do next, as data. Answers and errors carry hints; the program words
//! them, because only it knows which tools or commands its reader has.

use std::fmt::Display;

/// A next step for the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Look at the page.
    Look,
    /// Look at the page again: what was known about it is out of date.
    LookAgain,
    /// Look at the whole page.
    LookWithoutScope,
    /// Look at the page, or wait longer.
    LookOrWaitLonger,
    /// See the changes that did not fit.
    SeeChanges,
    /// Open a folded region.
    Unfold {
        /// The number of the region.
        scope: u32,
    },
    /// Continue after an element.
    Continue {
        /// The number of the element.
        after: u32,
        /// The number of the scope of the present view, if it has one.
        scope: Option<u32>,
    },
    /// Repeat a query and continue after a match.
    ContinueQuery {
        /// The number of an element in the last match that was shown.
        after: u32,
    },
    /// Open a folded region of a snapshot.
    UnfoldInSnapshot {
        /// The uid of the region.
        uid: String,
    },
    /// Give a scope or a larger budget.
    NarrowSnapshot,
    /// Choose entries of the log, or give a larger budget.
    NarrowLog,
    /// Read the rows after those that were shown.
    MoreRows {
        /// How many rows the reader has then.
        after: usize,
    },
    /// Go on with the rows of several pages.
    ReadOn {
        /// How the next page is reached: `scroll` or `next`.
        pages: &'static str,
        /// How many rows the reader has then.
        after: usize,
    },
    /// Choose the columns of rows.
    ChooseColumns,
    /// Turn a rule of the pipeline off.
    TurnOff {
        /// The rule's key in the configuration.
        key: &'static str,
    },
    /// Give a reference as it was shown.
    GiveReference,
    /// Look at the page and give a reference.
    LookForReference,
    /// Give the number without its snapshot, or look at the page.
    GiveNumberAlone,
    /// Name the tab that a reference belongs to, or look at this one.
    GiveTab {
        /// The tab's id.
        tab: String,
    },
    /// Give the number of one of the elements, or limit the target.
    NarrowTarget,
    /// Click the element and look at what it opened.
    ClickAndLook,
    /// Try again, or reload the page.
    RetryOrReload,
    /// Open a different page, or close the tab.
    LeaveOrClose,
    /// Reload the page.
    Reload,
    /// Open a tab.
    OpenTab,
    /// Make the tab larger, or drag in two steps.
    EnlargeTab,
    /// Answer the open dialog.
    AnswerDialog,
    /// Allow `file:` addresses.
    AllowFileUrls,
    /// Allow uploads from a folder.
    AllowUploads,
    /// Give a file under one of the folders that uploads are allowed from.
    StayUnderUploadRoots,
    /// Allow files to be written.
    AllowFiles,
    /// Take a fingerprint.
    TakeFingerprint,
    /// Save a baseline.
    SaveBaseline,
    /// List the versions of a baseline.
    SeeHistory {
        /// The baseline's name.
        name: String,
    },
    /// Write a baseline file.
    ExportBaselines,
    /// Write a page file.
    SavePage,
    /// Find out why the browser does not start.
    CheckSetup,
    /// Use Chromium instead.
    UseChromium,
    /// Expressions have to be allowed when the process is started.
    AllowEvaluate,
}

/// How hints are worded for one kind of reader.
#[derive(Clone, Copy, Debug)]
pub struct Wording(fn(&Hint) -> Option<String>);

impl Wording {
    /// Words for a programmer: they name no tool and no command.
    pub const PLAIN: Wording = Wording(plain);

    /// Makes a wording from a function that words each hint. It returns nothing for a hint that
    /// its reader cannot follow.
    pub const fn new(words: fn(&Hint) -> Option<String>) -> Self {
        Wording(words)
    }

    /// Returns a sentence, followed by the words of its hint.
    pub fn sentence(self, sentence: impl Display, hint: Option<&Hint>) -> String {
        self.joined(sentence, "; ", hint)
    }

    /// Returns a line of an answer, followed by the words of its hint after a dash.
    pub fn line(self, line: impl Display, hint: Option<&Hint>) -> String {
        self.joined(line, " — ", hint)
    }

    fn joined(self, text: impl Display, separator: &str, hint: Option<&Hint>) -> String {
        match hint.and_then(self.0) {
            Some(words) => format!("{text}{separator}{words}"),
            None => text.to_string(),
        }
    }
}

impl Default for Wording {
    fn default() -> Self {
        Wording::PLAIN
    }
}

/// Words a hint for a reader without tools and commands.
fn plain(hint: &Hint) -> Option<String> {
    let words = match hint {
        Hint::Look | Hint::SeeChanges => "look at the page",
        Hint::LookAgain => "look at the page again",
        Hint::LookWithoutScope => "look at the whole page to see what is there",
        Hint::LookOrWaitLonger => "look at the page, or wait longer",
        Hint::Unfold { scope } => return Some(format!("scope [{scope}]")),
        Hint::Continue { after, scope: None } => return Some(format!("after [{after}]")),
        Hint::Continue { after, scope: Some(scope) } => {
            return Some(format!("scope [{scope}] after [{after}]"));
        }
        Hint::ContinueQuery { after } => {
            return Some(format!("the same query after [{after}]"));
        }
        Hint::UnfoldInSnapshot { uid } => return Some(format!("scope {uid}")),
        Hint::NarrowSnapshot => "give a scope or more max_tokens",
        Hint::NarrowLog => "give kind, level, match, or more max_tokens",
        Hint::MoreRows { after } => return Some(format!("after {after}")),
        Hint::ReadOn { after, .. } => return Some(format!("go on after {after}")),
        Hint::ChooseColumns => "choose columns",
        Hint::TurnOff { key } => return Some(format!("{key} = false shows all")),
        Hint::GiveReference => "give a number that was shown, such as 12 or \"[12]\"",
        Hint::LookForReference => "look at the page and use a reference",
        Hint::GiveNumberAlone => "use the number alone or look at the page",
        Hint::GiveTab { tab } => return Some(format!("use tab {tab}, or look at this one")),
        Hint::NarrowTarget => "give one of the numbers, or limit the target",
        Hint::ClickAndLook => "click it and look at the page",
        Hint::RetryOrReload => "try again, or reload the page",
        Hint::LeaveOrClose => "open a different page, or close the tab",
        Hint::Reload => "reload the page",
        Hint::OpenTab => "open a tab",
        Hint::EnlargeTab => "make the tab larger, or drag in two steps",
        Hint::AnswerDialog => "answer the dialog",
        Hint::AllowFileUrls => "allow file: addresses",
        Hint::AllowUploads => "set upload_roots to allow the files of a folder",
        Hint::StayUnderUploadRoots => "only files under the upload roots may be uploaded",
        Hint::AllowFiles => "give a folder for them",
        Hint::TakeFingerprint => "take one first",
        Hint::SaveBaseline => "save one",
        Hint::SeeHistory { .. } => "list its versions",
        Hint::ExportBaselines => "write one by exporting a baseline",
        Hint::SavePage => "write one from a capture",
        Hint::CheckSetup => "check the installation",
        Hint::UseChromium => "use Chromium",
        Hint::AllowEvaluate => "allow them with --allow-evaluate",
    };
    Some(words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_follows_its_text() {
        let loud = Wording::new(|hint| {
            (*hint != Hint::OpenTab).then(|| format!("{hint:?}").to_uppercase())
        });
        assert_eq!(loud.sentence("it is gone", Some(&Hint::Look)), "it is gone; LOOK");
        assert_eq!(loud.line("… 3 more", Some(&Hint::Look)), "… 3 more — LOOK");
        assert_eq!(loud.sentence("it is gone", None), "it is gone");
        assert_eq!(loud.sentence("it is gone", Some(&Hint::OpenTab)), "it is gone");
        let next = Hint::Continue { after: 7, scope: Some(3) };
        assert_eq!(Wording::PLAIN.line("… 3 more", Some(&next)), "… 3 more — scope [3] after [7]");
    }
}
