//! `pagesight check merge`: makes one result of the runs of all shards.

use std::process::ExitCode;

use pagesight_check::result::merge::{MergedPictures, merge};

use super::outputs;
use crate::cli::check_arguments::MergeArguments;
use crate::cli::options::Output;
use crate::cli::print;

/// Merges runs and returns the exit code of the whole check.
pub(crate) fn run(arguments: &MergeArguments, output: Output) -> anyhow::Result<ExitCode> {
    let pictures = match arguments.reports.report {
        Some(_) => MergedPictures::Kept,
        None => MergedPictures::LeftOut,
    };
    let merged = merge(&arguments.folders, &arguments.run, pictures)?;
    merged.notes.iter().for_each(|note| print::note(note));
    let way = outputs::way_of(&arguments.run, merged.header.in_database);
    outputs::show(output, &merged.result);
    outputs::total(output, &merged.result, &[], &way);
    outputs::files(&arguments.reports, &merged.result, &way)?;
    outputs::step_summary(&merged.result)?;
    Ok(ExitCode::from(merged.result.ending() as u8))
}
