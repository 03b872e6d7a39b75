//! Prints the answer of a command on a page, and says with which exit code the program ends.

use std::process::ExitCode;

use crate::cli::options::Output;
use crate::cli::{exit, print};
use crate::page_call::{CallEnding, CallFailure, ShellAnswer};

/// Prints an answer, or why there is none, and returns the exit code.
pub(super) fn finish(answer: Result<ShellAnswer, CallFailure>, output: Output) -> ExitCode {
    match answer {
        Ok(answer) => {
            print::either(output, &answer.text, &answer.data);
            code_of(answer.ending)
        }
        Err(failure) => failed(&failure),
    }
}

/// Prints why there is no answer.
pub(super) fn failed(failure: &CallFailure) -> ExitCode {
    print::error(&failure.sentence);
    code_of(failure.ending)
}

fn code_of(ending: CallEnding) -> ExitCode {
    match ending {
        CallEnding::Done => ExitCode::SUCCESS,
        CallEnding::Failed => ExitCode::from(exit::CHANGED),
        CallEnding::Impossible => ExitCode::from(exit::FAILED),
    }
}
