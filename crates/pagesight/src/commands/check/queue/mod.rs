//! `pagesight check enqueue|work|status|stop`: checks pages with workers on any number of machines,
//! through a queue in PostgreSQL. `work` is the worker, `status` reads results.

mod access;
mod status;
mod work;

use std::process::ExitCode;

use anyhow::Context;
use pagesight_check::settings::{current_folder, settings_text};
use pagesight_team::queue::{NewRun, PageTicket, RunTicket, TICKET_VERSION};
use serde_json::json;

use super::prepare::{PagesPlace, is_ci, prepare};
use crate::cli::check_arguments::EnqueueArguments;
use crate::cli::options::Output;
use crate::cli::print;
use crate::cli::queue_arguments::StopArguments;
use crate::cli::store_arguments::StoreArguments;
use access::{found, open};
pub(crate) use status::status;
pub(crate) use work::work;

/// Adds the pages of a plan to the queue.
pub(crate) async fn enqueue(
    arguments: EnqueueArguments,
    store: &StoreArguments,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let choice = store.required("check enqueue")?;
    let prepared = prepare(&arguments.plan, PagesPlace::Workers).await?;
    let plan = &prepared.plan;
    let file = &arguments.plan.file;
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let run = RunTicket {
        version: TICKET_VERSION,
        file: file.clone(),
        text,
        settings: settings_text(&current_folder())?,
        base_url: arguments.plan.base_url.clone(),
        fail_on: plan.fail_on,
        browsers: arguments.plan.browser.clone(),
        update: arguments.update,
        may_save: !is_ci(),
    };
    let mut pages = Vec::new();
    for at in &prepared.chosen {
        let page = PageTicket::of(plan, *at)?;
        pages.push(serde_json::to_string(&page)?);
    }
    let queue = open(&choice).await?;
    let new = NewRun {
        subject: file.display().to_string(),
        plan: serde_json::to_string(&run)?,
        branch: choice.branches.branch().to_owned(),
        base_branch: choice.branches.base().to_owned(),
        created_by: choice.accepted_by.clone(),
        pages,
    };
    let id = queue.enqueue(&new).await?;
    let pages = new.pages.len();
    let text = format!("run {id}: {pages} pages are in the queue");
    print::either(output, &text, &json!({ "run": id, "pages": pages }));
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn stop(
    arguments: StopArguments,
    store: &StoreArguments,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let choice = store.required("check stop")?;
    let queue = open(&choice).await?;
    let run = found(&queue, arguments.id).await?;
    let stopped = queue.stop(run.id).await?;
    let text = match stopped {
        true => "is stopped; pages that are being checked are finished, no more are begun",
        false => "was not running",
    };
    let text = format!("run {} {text}", run.id);
    print::either(output, &text, &json!({ "run": run.id, "stopped": stopped }));
    Ok(ExitCode::SUCCESS)
}
