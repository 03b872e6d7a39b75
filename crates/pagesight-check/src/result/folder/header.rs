//! The first file of a run folder. It is written last, so a folder that has it is complete.

use pagesight_core::compare::Severity;
use serde::{Deserialize, Serialize};

use crate::plan::shard::Shard;
use crate::result::error::RunError;

/// The name of the file.
pub(super) const HEADER: &str = "run.json";
/// The name of the file of records.
pub(super) const RECORDS: &str = "pages.jsonl";
/// The folder of baselines and pictures.
pub(super) const FILES: &str = "files";
/// The key of the version.
pub(super) const VERSION_KEY: &str = "pagesight_run";

/// The facts about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunHeader {
    /// The version of the folder.
    #[serde(rename = "pagesight_run")]
    pub version: u64,
    /// The file that lists the pages, from the folder that the check ran in, with `/`.
    pub file: String,
    /// When it began.
    pub began: String,
    /// How long it took.
    pub took_ms: u64,
    /// The severity at which a change fails.
    pub fail_on: Severity,
    /// The digest of the list of pages, of all shards.
    pub plan: String,
    /// How many jobs all shards have.
    pub jobs: usize,
    /// How many jobs this run has.
    pub checked: usize,
    /// The shard, counted from 1, and how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u32, u32)>,
    /// Whether its baselines are in a database.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_database: bool,
    /// Which run of CI it is, and which attempt.
    #[serde(flatten)]
    pub identity: RunIdentity,
}

/// Which run of a CI system this is. A shard that is repeated in the same run, with a higher
/// attempt, replaces its first try.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunIdentity {
    /// The number or name of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The number of the attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u64>,
}

impl RunIdentity {
    /// Reads it from the environment: `PAGESIGHT_RUN` and `PAGESIGHT_ATTEMPT`, or the variables of
    /// GitHub and GitLab.
    pub fn read(environment: &dyn Fn(&str) -> Option<String>) -> Result<RunIdentity, RunError> {
        let known = [
            ("PAGESIGHT_RUN", "PAGESIGHT_ATTEMPT"),
            ("GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT"),
            // A job that is retried gets a higher number.
            ("CI_PIPELINE_ID", "CI_JOB_ID"),
        ];
        let given = |name: &str| environment(name).filter(|value| !value.is_empty());
        let found = known.iter().find_map(|(run, attempt)| Some((given(run)?, attempt)));
        let Some((run, name)) = found else { return Ok(RunIdentity::default()) };
        let attempt = given(name).map(|value| {
            let wrong = |_| RunError::Attempt { variable: name, given: value.clone() };
            value.parse::<u64>().map_err(wrong)
        });
        Ok(RunIdentity { run: Some(run), attempt: attempt.transpose()? })
    }
}

impl RunHeader {
    /// Returns the shard, if it is one.
    pub fn shard(&self) -> Option<Shard> {
        self.shard.map(|(index, of)| Shard { index, of })
    }
}
