//! The exit codes of the program.

use std::process::ExitCode;

use pagesight_core::compare::{Comparison, Severity};

/// There are differences, or changes at or above the severity that fails; an action failed, or a
/// reference is stale.
pub(crate) const CHANGED: u8 = 1;
/// The command could not be carried out: wrong usage, no browser, an address that does not load.
pub(crate) const FAILED: u8 = 2;

/// Returns the exit code for a comparison.
pub(crate) fn of_comparison(compared: &Comparison, fail_on: Severity) -> ExitCode {
    if compared.at_least(fail_on) > 0 { ExitCode::from(CHANGED) } else { ExitCode::SUCCESS }
}
