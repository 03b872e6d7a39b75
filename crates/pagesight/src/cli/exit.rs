//! The exit codes of the program.

use std::process::ExitCode;

use pagesight_core::compare::{Comparison, Severity};

/// There are differences, or changes at or above the severity that fails.
pub(crate) const CHANGED: u8 = 1;
/// The command could not be carried out.
pub(crate) const FAILED: u8 = 2;

/// Returns the exit code for a comparison.
pub(crate) fn of_comparison(compared: &Comparison, fail_on: Severity) -> ExitCode {
    if compared.at_least(fail_on) > 0 { ExitCode::from(CHANGED) } else { ExitCode::SUCCESS }
}
