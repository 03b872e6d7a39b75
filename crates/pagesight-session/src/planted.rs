//! Plants hostile texts in what this crate says about a page: verdicts of actions, dialogs,
//! problems, downloads and reasons of waits.

use std::time::Duration;

use pagesight_browser::{Download, DownloadState};
use pagesight_core::log::LogId;
use pagesight_core::settle::{Overdue, Reason};

use crate::act::report::{arrival, dialog, opened};
use crate::tab::downloads::Downloads;
use crate::tab::problems::Problems;
use crate::wait::settle::WaitOutcome;

#[path = "../../../tests/hostile_texts.rs"]
mod hostile_texts;

use hostile_texts::{Dice, faults_of_text, own_lines, text};

/// Returns one line of each kind, with planted texts.
fn said(plant: &mut dyn FnMut() -> String) -> Vec<String> {
    let outcomes = [
        WaitOutcome::Settled(Reason::StillPending(plant())),
        WaitOutcome::Settled(Reason::StillChanging(plant())),
        WaitOutcome::Settled(Reason::StillLoading(plant())),
        WaitOutcome::Settled(Reason::TimedOut(Overdue::Requests(1, plant()))),
        WaitOutcome::Dialog("confirm".into(), plant()),
        WaitOutcome::NoDocument(plant()),
        WaitOutcome::Failed(plant()),
    ];
    let mut lines: Vec<String> = outcomes.iter().map(|outcome| format!("x {outcome}")).collect();
    for outcome in &outcomes {
        lines
            .push(format!("x {}", arrival(&plant(), &plant(), Some(200), outcome, Duration::ZERO)));
    }
    lines.push(format!("x {}", dialog("alert", &plant())));
    lines.push(format!("x {}", opened("t2", &plant())));
    let mut problems = Problems::default();
    problems.console_error(&plant(), Some(LogId::Console(1)));
    problems.failed_request(&plant(), None, Some(LogId::Request(1)));
    problems.denied(&plant());
    lines.extend(problems.next_line("http://localhost/").map(|line| format!("x {line}")));
    let mut downloads = Downloads::default();
    let done = DownloadState::Done { size: None, path: Some(plant().into()) };
    let running = DownloadState::Running { received: 1, total: None };
    for (id, state) in [("1", done), ("2", running), ("3", DownloadState::Stopped)] {
        downloads.record(Download { id: id.into(), name: plant(), state });
    }
    lines.extend(downloads.report().into_iter().map(|line| format!("x {line}")));
    lines
}

#[test]
fn page_text_cannot_imitate_a_report() {
    let own = own_lines();
    for seed in 0..400 {
        let mut dice = Dice(seed);
        for line in said(&mut || text(&mut dice, &own)) {
            // A verdict is one line; the `x` stands for its beginning.
            assert_eq!(line.lines().count(), 1, "{line:?}");
            let faults = faults_of_text(&line, &own);
            assert!(faults.is_empty(), "{faults:?}");
        }
    }
}
