//! Why a stored run cannot be written, read or merged.

use std::path::Path;

use crate::baseline::BaselineError;

/// Why a run cannot be stored, read, merged or accepted.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum RunError {
    #[error("there is no run in {folder}; pagesight check stores one")]
    NoRun { folder: String },
    #[error("{folder} is not the folder of a complete run")]
    NotComplete { folder: String },
    #[error("{place} is a link, which is not followed; give the folder of a run without links")]
    Link { place: String },
    #[error("{folder} was written by a newer pagesight (version {version}); use that version")]
    Newer { folder: String, version: u64 },
    #[error("the run in {folder} is damaged: {reason}")]
    Damaged { folder: String, reason: String },
    #[error("{path} cannot be read: {reason}")]
    File { path: String, reason: String },
    #[error("a stored baseline is not UTF-8")]
    NotText,
    #[error(
        "{folder} was written by a newer pagesight (version {version}) and was not changed; give a different folder with --run"
    )]
    NewerThere { folder: String, version: u64 },
    #[error(
        "{folder} is not the folder of a run and was not changed; give a new or empty folder with --run"
    )]
    ForeignThere { folder: String },
    #[error("{folder} is not a folder that can be replaced; give a name with --run")]
    NoName { folder: String },
    #[error("the run cannot be stored in {folder}: {reason}")]
    NotStored { folder: String, reason: String },
    #[error("the run could not be stored in {folder}: {reason}")]
    NotCompleted { folder: String, reason: String },
    #[error("{variable}={given:?} is not a number")]
    Attempt { variable: &'static str, given: String },
    #[error("{folder} is not a shard; merge runs of --shard")]
    NotAShard { folder: String },
    #[error("{folder} is shard {shard}, but the first folder is one of {of} shards")]
    OtherCount { folder: String, shard: String, of: u32 },
    #[error("{folder} (shard {shard}) is of a different run; give the folders of one run")]
    OtherRun { folder: String, shard: String },
    #[error(
        "{folder} (shard {shard}) has a different list of pages; all shards need the same pages.toml and sources"
    )]
    OtherPages { folder: String, shard: String },
    #[error("{folder} (shard {shard}) differs in --store; all shards need the same baselines")]
    OtherStore { folder: String, shard: String },
    #[error(
        "shard {shard} is there twice, in {one} and {other}; give one of them (only a later attempt of the same run replaces its first try)"
    )]
    Twice { shard: String, one: String, other: String },
    #[error("{}", missing(.0))]
    Missing(Vec<String>),
    #[error("the shards have {found} of {wanted} results; run the check again")]
    Incomplete { found: usize, wanted: usize },
    #[error("there is no run to merge")]
    NothingToMerge,
    #[error("the run in {folder} has no page named {name:?}")]
    UnknownPage { folder: String, name: String },
    #[error("page {name:?} was checked in several variants; accept the whole page")]
    SeveralVariants { name: String },
    #[error("page {name:?} has no change {number}; it has {all}")]
    NoChange { name: String, number: usize, all: usize },
    #[error(
        "change {number} of page {name:?} cannot be accepted alone; accept the page, or those of its type"
    )]
    NotAlone { name: String, number: usize },
    #[error(transparent)]
    Baseline(#[from] BaselineError),
}

fn missing(shards: &[String]) -> String {
    match shards {
        [one] => format!("shard {one} is missing; run it again and give its folder"),
        many => format!("the shards {} are missing; run them again", many.join(", ")),
    }
}

impl RunError {
    pub(super) fn damaged(folder: &Path, reason: impl std::fmt::Display) -> RunError {
        RunError::Damaged { folder: folder.display().to_string(), reason: reason.to_string() }
    }
}
