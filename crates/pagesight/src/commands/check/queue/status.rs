//! `pagesight check status`: the state of a run of the queue, and its result once it is done.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use pagesight_check::report::comment::AcceptWay;
use pagesight_check::report::text;
use pagesight_check::result::record::{PageFiles, PageRecord};
use pagesight_check::result::{CheckResult, ExitStatus};
use pagesight_core::fingerprint::Size;
use pagesight_team::queue::{PageTicket, Queue, RunState, RunSummary, RunTicket};
use serde_json::{Value, json};

use super::access::{found, open};
use crate::cli::check_arguments::StatusArguments;
use crate::cli::options::Output;
use crate::cli::store_arguments::StoreArguments;
use crate::cli::{print, signals};
use crate::commands::check::outputs;
use crate::commands::check::progress::rate;

/// How often `--wait` reads the state.
const PAUSE: Duration = Duration::from_secs(1);
/// How many results are read at a time.
const CHUNK: i64 = 200;

/// Prints the state of a run. Once it is done, the exit code is that of the check.
pub(crate) async fn status(
    arguments: StatusArguments,
    store: &StoreArguments,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let choice = store.required("check status")?;
    let queue = open(&choice).await?;
    let mut run = found(&queue, arguments.id).await?;
    let mut state = queue.state(run.id).await?;
    while arguments.wait && !is_over(&run, &state) {
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = signals::ended_by_signal() => anyhow::bail!("ended by a signal; the run goes on"),
        }
        run = found(&queue, Some(run.id)).await?;
        state = queue.state(run.id).await?;
    }
    let done = state.done == run.pages;
    let wanted = &arguments.reports;
    let mut ending = ExitStatus::Undone;
    let has_files = wanted.report.is_some() || wanted.junit.is_some() || wanted.comment.is_some();
    if done || has_files {
        let checked = result(&queue, &run).await?;
        if output == Output::Text {
            print::checked(&text::pages(&checked, |_| true));
        }
        let way = AcceptWay::command("pagesight check enqueue --update --store URL");
        outputs::files(wanted, &checked, &way)?;
        ending = checked.ending();
    }
    print::either(output, &as_text(&run, &state), &as_json(&run, &state));
    // A run that goes on has no result yet, and reading its state succeeded.
    let goes_on = !done && !run.stopped;
    Ok(if goes_on {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(if done { ending as u8 } else { 2 })
    })
}

/// Reports whether nothing more happens in a run.
fn is_over(run: &RunSummary, state: &RunState) -> bool {
    state.done == run.pages || (run.stopped && state.leased == 0)
}

/// Reads the results of a run.
async fn result(queue: &Queue, run: &RunSummary) -> anyhow::Result<CheckResult> {
    let ticket = RunTicket::read(&run.plan)?;
    let (mut outcomes, mut after) = (Vec::new(), -1);
    loop {
        let some = queue.results(run.id, after, CHUNK).await?;
        let Some(last) = some.last() else { break };
        after = last.number;
        for page in some {
            let unreadable = || format!("the result of page {} cannot be read", page.number);
            let mut record: PageRecord =
                serde_json::from_str(&page.result).with_context(unreadable)?;
            // The result of a page that nobody finished names no page.
            if let Ok(of) = serde_json::from_str::<PageTicket>(&page.page) {
                record.viewport = Size { width: of.width, height: of.height };
                (record.name, record.browser, record.scope) = (of.name, of.browser, of.scope);
            }
            let (before, after) = (page.before, page.after);
            outcomes.push(record.outcome(PageFiles { baseline: None, before, after }));
        }
    }
    Ok(CheckResult {
        subject: run.subject.clone(),
        began: run.created_at.clone(),
        took: Duration::ZERO,
        fail_on: ticket.fail_on,
        outcomes,
    })
}

fn word(run: &RunSummary, state: &RunState) -> &'static str {
    match (state.done == run.pages, run.stopped) {
        (true, _) => "done",
        (false, true) => "stopped",
        (false, false) => "running",
    }
}

fn left(state: &RunState) -> Duration {
    let pages = (state.waiting + state.leased) as f64;
    Duration::try_from_secs_f64(pages / state.rate).unwrap_or_default()
}

fn as_text(run: &RunSummary, state: &RunState) -> String {
    let word = word(run, state);
    let mut out = format!(
        "run {} of {} ({word}): {} of {} pages",
        run.id, run.subject, state.done, run.pages
    );
    for (verdict, count) in &state.verdicts {
        out.push_str(&format!(", {count} {verdict}"));
    }
    if word == "running" && state.rate > 0.0 {
        out.push_str(&format!("; {}", rate(state.rate, left(state))));
    }
    out.push('\n');
    for worker in &state.workers {
        let expired = if worker.expired { ", does not report" } else { "" };
        out.push_str(&format!("  {} has {} pages{expired}\n", worker.name, worker.pages));
    }
    out
}

fn as_json(run: &RunSummary, state: &RunState) -> Value {
    let verdicts: serde_json::Map<String, Value> = state
        .verdicts
        .iter()
        .map(|(verdict, count)| (verdict.replace(' ', "_"), json!(count)))
        .collect();
    let workers = state.workers.iter().map(
        |worker| json!({ "name": worker.name, "pages": worker.pages, "expired": worker.expired }),
    );
    json!({
        "run": run.id,
        "subject": run.subject,
        "branch": run.branch,
        "base_branch": run.base_branch,
        "created_by": run.created_by,
        "created_at": run.created_at,
        "state": word(run, state),
        "pages": run.pages,
        "waiting": state.waiting,
        "leased": state.leased,
        "done": state.done,
        "failing": state.failing,
        "results": verdicts,
        "pages_per_second": state.rate,
        "workers": workers.collect::<Vec<_>>(),
    })
}
