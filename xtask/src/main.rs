//! Chores of the project: rebuilding the page script, checking the house rules. Benchmarks and long
//! tests are in `lab/`.

mod bundle;
mod project;
mod test;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Chores of the pagesight project")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Type-check the page script and bundle it into the browser crate
    Page {
        /// Only say whether the committed bundle is up to date
        #[arg(long)]
        check: bool,
    },
    /// Run every check of the project; `./test` sets the machine up first
    Test {
        /// `quick` for what needs no browser, or words that the names of Rust tests contain
        arguments: Vec<String>,
    },
    /// Check the house rules: every file says why it exists, core is pure, no file is too long
    Tidy,
}

fn main() -> anyhow::Result<ExitCode> {
    match Cli::parse().chore {
        Chore::Page { check } => bundle::run(check)?,
        Chore::Test { arguments } => {
            if !test::run(&arguments)? {
                return Ok(ExitCode::FAILURE);
            }
        }
        Chore::Tidy => tidy::run()?,
    }
    Ok(ExitCode::SUCCESS)
}
