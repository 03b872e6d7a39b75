//! The first file of a run folder. It is written last, so a folder that has it is complete.

use pagesight_core::compare::Severity;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::cli::check_arguments::Shard;
use crate::commands::check::plan::{Job, Plan};

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
pub(crate) struct RunHeader {
    /// The version of the folder.
    #[serde(rename = "pagesight_run")]
    pub(crate) version: u64,
    /// The file that lists the pages, from the folder that the check ran in, with `/`.
    pub(crate) file: String,
    pub(crate) began: String,
    /// How long it took.
    pub(crate) took_ms: u64,
    /// The severity at which a change fails.
    pub(crate) fail_on: Severity,
    /// The digest of the list of pages, of all shards.
    pub(crate) plan: String,
    /// How many jobs all shards have.
    pub(crate) jobs: usize,
    /// How many jobs this run has.
    pub(crate) checked: usize,
    /// The shard, counted from 1, and how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shard: Option<(u32, u32)>,
    /// Whether its baselines are in a database.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) in_database: bool,
    /// Which run of CI it is, and which attempt.
    #[serde(flatten)]
    pub(crate) identity: RunIdentity,
}

/// Which run of a CI system this is. A shard that is repeated in the same run, with a higher
/// attempt, replaces its first try.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunIdentity {
    /// The number or name of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<String>,
    /// The number of the attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) attempt: Option<u64>,
}

impl RunIdentity {
    /// Reads it from the environment: `PAGESIGHT_RUN` and `PAGESIGHT_ATTEMPT`, or the variables of
    /// GitHub and GitLab. An error is a sentence.
    pub(crate) fn read(
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<RunIdentity, String> {
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
            value.parse::<u64>().map_err(|_| format!("{name}={value:?} is not a number"))
        });
        Ok(RunIdentity { run: Some(run), attempt: attempt.transpose()? })
    }
}

impl RunHeader {
    pub(crate) fn shard(&self) -> Option<Shard> {
        self.shard.map(|(index, of)| Shard { index, of })
    }
}

/// Returns the digest of the jobs of a plan. Two plans with the same digest check the same pages in
/// the same way. Addresses do not count, because each shard may serve the site at a different port.
pub(crate) fn digest_of<'a>(plan: &Plan, jobs: impl Iterator<Item = &'a Job>) -> String {
    let mut hash = Sha256::new();
    hash.update(plan.fail_on.as_str());
    for job in jobs {
        let size = job.viewport;
        for part in [
            job.name.as_str(),
            job.engine.id(),
            &format!("{}x{}", size.width, size.height),
            &job.scope,
            job.depth.as_str(),
        ] {
            hash.update(part);
            hash.update([0]);
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reports whether a page belongs to a shard. The first eight bytes of the SHA-256 of its name
/// decide, so it is the same on every machine and in every version.
pub(crate) fn is_in_shard(shard: Shard, name: &str) -> bool {
    let digest = Sha256::digest(name.as_bytes());
    let number = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    number % u64::from(shard.of) == u64::from(shard.index - 1)
}
