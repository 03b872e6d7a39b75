//! The errors of tools. A message is one sentence; [`ToolError::hint`] says as data what can be
//! done, and [`ToolError::sentence`] words both for a reader.

use std::path::PathBuf;

use pagesight_browser::BrowserError;
use pagesight_check::baseline::BaselineError;
use pagesight_check::settings::SettingsError;
use pagesight_core::page::css_query::QueryError;
use pagesight_core::pipeline::ConfigError;
use pagesight_core::refs::RefError;
use pagesight_core::render::NoRoom;
use pagesight_core::rows::RowsReadError;
use pagesight_core::text::escape;
use pagesight_session::{
    Hint, OutputError, SessionError, TargetQueryError, Wording, WrittenActionError,
};

use super::evaluate_permission::EvaluateRefused;
use super::picture::error::PictureError;
use crate::project::error::ProjectError;

/// Why a tool has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolError {
    #[error(transparent)]
    Arguments(#[from] ArgumentError),
    #[error(transparent)]
    Action(#[from] WrittenActionError),
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The settings or the baselines of the project.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The file that the answer was to be written to.
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("the picture could not be made ({0}); give a smaller scope or max_width")]
    Picture(PictureError),
    /// A selector in a page file.
    #[error(transparent)]
    Selector(#[from] QueryError),
    #[error("the page file has no element at {x},{y}")]
    NothingAt { x: f64, y: f64 },
    /// A snapshot of a page file.
    #[error(transparent)]
    Snapshot(#[from] NoRoom),
    #[error(transparent)]
    Evaluate(#[from] EvaluateRefused),
    /// The rows of a page file.
    #[error(transparent)]
    Rows(#[from] RowsReadError),
    #[error("no fingerprint of this tab has been taken")]
    NoFingerprint,
    /// A value that cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A thread that wrote a file panicked.
    #[error(transparent)]
    Thread(#[from] tokio::task::JoinError),
    /// An error of a call after which there is also a notice of the session.
    #[error("{error} ({notice})")]
    WithNotice { error: Box<ToolError>, notice: String },
}

impl ToolError {
    /// Returns what to do next, unless the message says it.
    fn hint(&self) -> Option<Hint> {
        match self {
            ToolError::Session(error) => error.hint(),
            ToolError::Project(error) => error.hint(),
            ToolError::Output(error) => error.hint(),
            ToolError::Evaluate(error) => error.hint(),
            ToolError::NoFingerprint => Some(Hint::TakeFingerprint),
            _ => None,
        }
    }

    /// Returns the error as one sentence, with its hint.
    pub(crate) fn sentence(&self, wording: Wording) -> String {
        let text = match self {
            ToolError::WithNotice { error, notice } => {
                format!("{} ({notice})", error.sentence(wording))
            }
            error => wording.sentence(error, error.hint().as_ref()),
        };
        escape::sentence(&text)
    }

    /// Whether nothing could be done, because there is no browser.
    pub(crate) fn is_without_browser(&self) -> bool {
        match self {
            ToolError::Session(SessionError::Browser(error)) => matches!(
                error,
                BrowserError::NotInstalled { .. }
                    | BrowserError::NotStarted { .. }
                    | BrowserError::NotConnected { .. }
            ),
            ToolError::WithNotice { error, .. } => error.is_without_browser(),
            _ => false,
        }
    }
}

impl From<RefError> for ToolError {
    fn from(error: RefError) -> ToolError {
        ToolError::Session(error.into())
    }
}

// Not `#[from]`: the message contains the cause, which is not to be printed again.
impl From<PictureError> for ToolError {
    fn from(error: PictureError) -> ToolError {
        ToolError::Picture(error)
    }
}

impl From<SettingsError> for ToolError {
    fn from(error: SettingsError) -> ToolError {
        ToolError::Project(error.into())
    }
}

impl From<BaselineError> for ToolError {
    fn from(error: BaselineError) -> ToolError {
        ToolError::Project(error.into())
    }
}

/// Why the arguments of a call cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArgumentError {
    #[error("{tool}: {reason}; see the tool's schema")]
    NotInSchema { tool: &'static str, reason: String },
    #[error("max_tokens {given} is too small for {answer}; give {least} or more")]
    FewTokens { given: usize, answer: &'static str, least: usize },
    #[error("max_tokens {given} is too small for an outline; give 0 for none, or {least} or more")]
    FewOutlineTokens { given: usize, least: usize },
    #[error("max_width {given} is too small for a picture; give {least} or more")]
    Narrow { given: u32, least: u32 },
    #[error("{} is not the name of a picture; use .png, .jpg, .jpeg or .webp", .file.display())]
    PictureName { file: PathBuf },
    #[error(
        "{} is a {named} by its name, not a {given}; leave format out, or rename the file",
        .file.display()
    )]
    PictureFormat { file: PathBuf, named: &'static str, given: &'static str },
    #[error("an annotated, scaled or very tall picture cannot be a WebP; use .png or .jpg")]
    NoWebp,
    #[error("overwrite needs path; give one")]
    OverwriteWithoutPath,
    #[error("no name was given; give the name of a baseline, as action list shows it")]
    NoBaseline,
    #[error("browser_tabs select needs tab; action list shows the open tabs")]
    NoTab,
    #[error("browser_tabs name needs name; give one such as \"main\"")]
    NoTabName,
    #[error("browser_tabs resize needs width and height in pixels, or device; give one of them")]
    NoTabSize,
    #[error("browser_tabs takes what to emulate only with action emulate; leave it out")]
    OnlyEmulate,
    #[error("browser_tabs takes device only with action resize; leave it out")]
    OnlyResize,
    #[error(
        "browser_navigate needs either url or action (back, forward, reload); give one of them"
    )]
    NoDestination,
    #[error("a call takes 1 to {most} actions, not {given}; add some, or split the call")]
    ActionCount { given: usize, most: usize },
    #[error(
        "a call takes at most {most} actions, each of fields, repeat and if counted, not {given}; split the call"
    )]
    FieldCount { given: usize, most: usize },
    #[error("expand_dom_selector needs elementId, or x and y; give one of them")]
    NoElement,
    #[error("expand_dom_selector takes 1 to {most} references per call, not {given}")]
    ReferenceCount { given: usize, most: usize },
    #[error("pipeline: {0}; correct it or leave it out")]
    Pipeline(serde_json::Error),
    #[error(transparent)]
    PipelineValue(#[from] ConfigError),
    #[error("limit 0 shows no rows; give 1 or more, or aggregate count")]
    NoRowsWanted,
    #[error("a file gets all rows that match; leave out limit and after")]
    RowsOfFile,
    #[error("{parameter} needs pages; give pages scroll or next, or leave {parameter} out")]
    OnlyWithPages { parameter: &'static str },
    #[error("{parameter} needs pages next, not scroll; leave it out, or give pages next")]
    OnlyWithNext { parameter: &'static str },
    #[error("{parameter} {given} is out of range; give 1 to {most}")]
    OutOfRange { parameter: &'static str, given: usize, most: usize },
    #[error("pages reads more than the viewport; leave out scope viewport, or pages")]
    PagesOfViewport,
    #[error("next is empty; leave it out, or give a reference, a name or a CSS selector")]
    EmptyNext,
    #[error(transparent)]
    Next(#[from] TargetQueryError),
    #[error("a page file holds one page; leave out pages, or give the address of the page")]
    PagesOfFile,
    #[error("aggregate prints no rows; leave out columns")]
    ColumnsOfAmount,
    #[error("{} is not the name of a file with rows; use .csv, .json, .md or .txt", .file.display())]
    RowsName { file: PathBuf },
    #[error(
        "{} is a file of {named} by its name, not of {given}; leave format out, or rename the file",
        .file.display()
    )]
    RowsFormat { file: PathBuf, named: &'static str, given: &'static str },
    #[error("match is too long; give at most {most} characters")]
    LongMatch { most: usize },
    #[error("request describes one entry; leave out kind, level, match and since")]
    EntryAndChoice,
    #[error(
        "experimental_features takes exactly one feature per call, not {given}; the features are {known}"
    )]
    FeatureCount { given: usize, known: String },
    #[error("{feature} must be true or false, not {given}; the features are {known}")]
    FeatureValue { feature: String, given: String, known: String },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_follows_the_hint_and_hides_nothing() {
        let error = || ToolError::from(SessionError::from(BrowserError::TabCrashed));
        let noticed = |error| ToolError::WithNotice { error: Box::new(error), notice: "x".into() };
        let sentence = error().sentence(Wording::PLAIN);
        assert!(sentence.ends_with("; reload the page"), "{sentence}");
        assert_eq!(noticed(error()).sentence(Wording::PLAIN), format!("{sentence} (x)"));
        assert!(!noticed(error()).is_without_browser());
        let (program, reason) = ("x".to_owned(), "y".to_owned());
        let missing = SessionError::from(BrowserError::NotStarted { program, reason });
        assert!(noticed(missing.into()).is_without_browser());
    }
}
