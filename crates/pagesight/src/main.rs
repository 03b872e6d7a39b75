//! pagesight: eyes on live web pages. This crate is the only one that knows MCP, the command line
//! and terminals.

mod cli;
mod commands;
mod hints;
mod mcp;
mod page_call;
#[cfg(test)]
mod planted;
mod project;
mod serve;
mod team;
mod tools;

use std::process::ExitCode;

use clap::FromArgMatches;

use cli::arguments::Cli;
use cli::project_defaults::with_project_defaults;
use cli::{exit, help, log, print, renamed, usage_error};
// Its version chooses how `url` reads names that are not ASCII.
use idna_adapter as _;

fn main() -> ExitCode {
    if let Some(sentence) = renamed::sentence(std::env::args_os().nth(1).as_deref()) {
        print::error(&sentence);
        return ExitCode::from(exit::FAILED);
    }
    let cli = match read() {
        Ok(cli) => cli,
        Err(sentence) => {
            print::error(&sentence);
            return ExitCode::from(exit::FAILED);
        }
    };
    if cli.quiet {
        print::be_quiet();
    }
    log::start(cli.verbose);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let result = runtime.map_err(anyhow::Error::from).and_then(|runtime| {
        let result = runtime.block_on(commands::run(cli.command));
        // A blocked read of standard input must not keep the process alive.
        runtime.shutdown_timeout(std::time::Duration::from_millis(100));
        result
    });
    match result {
        Ok(code) => code,
        Err(error) => {
            print::error(&hints::command_error(&error));
            ExitCode::from(exit::FAILED)
        }
    }
}

/// Reads the command line, with the values that the project has for flags. Prints help and version.
fn read() -> Result<Cli, String> {
    let worded = |error: clap::Error| match usage_error::sentence(&error) {
        Some(sentence) => sentence,
        None => error.exit(),
    };
    let mut matches = help::command().try_get_matches().map_err(worded)?;
    let with_defaults = with_project_defaults(help::command(), &matches);
    if let Some(command) = with_defaults.map_err(|error| error.to_string())? {
        matches = command.try_get_matches().map_err(worded)?;
    }
    Cli::from_arg_matches(&matches).map_err(worded)
}
