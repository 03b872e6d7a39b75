//! Hints: what the caller can do about an error, as data. The program words a hint for its reader,
//! because only it knows which tools or commands the reader has.

/// What the caller can do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Look at the page.
    Look,
    /// Look at the page again: what was known of it is out of date.
    LookAgain,
    /// Look at the page, because there is nothing to answer.
    LookAtPage,
    /// Look at the page for what changed.
    LookForChanges,
    /// Look at the whole page, to see what there is.
    LookWithoutScope,
    /// Look at the page and use a reference.
    UseReference,
    /// Click the element and look at what it opened.
    ClickAndLook,
    /// Look at the page, or wait longer.
    LookOrWaitLonger,
    /// Try again, or reload the page.
    Reload,
    /// Open a tab.
    OpenTab,
    /// Make the tab larger, or drag in two steps.
    EnlargeTab,
    /// Answer the open dialog.
    AnswerDialog,
    /// Start the program so that it may open `file:` addresses.
    AllowFileUrls,
    /// Start the program so that files of a folder may be uploaded.
    AllowUploads,
    /// Give a file under one of the folders that may be uploaded from.
    StayUnderUploadRoots,
    /// Save a baseline.
    SaveBaseline,
    /// See the versions of a baseline.
    SeeHistory {
        /// Its name.
        name: String,
    },
    /// Write a baseline file.
    ExportBaselines,
}
