//! The project's tasks: bundle the page script, write documentation, run the tests, check the
//! rules, make the packages and the table of tokens. Benchmarks and long tests are in `lab/`.

mod bundle;
mod dist;
mod docs;
mod project;
mod test;
mod tidy;
mod tokens;

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
        /// Only check whether the committed bundle is up to date
        #[arg(long)]
        check: bool,
    },
    /// Build the program and write every package that users install to target/dist
    Dist(dist::DistArgs),
    /// Write the documentation that derives from the program: tools and commands
    Docs {
        /// Only check whether it is up to date
        #[arg(long)]
        check: bool,
    },
    /// Run every check of the project; `./test` sets the machine up first
    Test {
        /// `quick` for checks without a browser, or words that the names of Rust tests contain
        arguments: Vec<String>,
    },
    /// Check the house rules and the generated documentation
    Tidy,
    /// Make the table of tokens that the core crate embeds
    Tokens {
        /// Only check whether the committed table is up to date
        #[arg(long)]
        check: bool,
    },
}

fn main() -> anyhow::Result<ExitCode> {
    match Cli::parse().chore {
        Chore::Page { check } => bundle::run(check)?,
        Chore::Dist(args) => dist::run(&args)?,
        Chore::Docs { check } => docs::run(check)?,
        Chore::Test { arguments } => {
            if !test::run(&arguments)? {
                return Ok(ExitCode::FAILURE);
            }
        }
        Chore::Tidy => {
            tidy::run()?;
            docs::run(true)?;
        }
        Chore::Tokens { check } => tokens::run(check)?,
    }
    Ok(ExitCode::SUCCESS)
}
