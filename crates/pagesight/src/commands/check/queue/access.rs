//! Opens the queue and finds runs in it.

use std::time::Duration;

use anyhow::Context;
use pagesight_team::queue::{Queue, RunSummary};

use crate::team::StoreChoice;

/// How long commands other than `work` accept a database that does not answer.
const PATIENCE: Duration = Duration::from_secs(15);

/// Opens the queue for a command that checks no pages.
pub(super) async fn open(choice: &StoreChoice) -> anyhow::Result<Queue> {
    let who = &choice.accepted_by;
    Ok(Queue::open(&choice.address, who, Duration::from_secs(60), PATIENCE).await?)
}

/// Returns a run: the one with this number, or the newest.
pub(super) async fn found(queue: &Queue, id: Option<i64>) -> anyhow::Result<RunSummary> {
    queue.find_run(id).await?.with_context(|| match id {
        Some(id) => format!("there is no run {id} in the queue"),
        None => "the queue has no run; add one with pagesight check enqueue".to_owned(),
    })
}
