//! `cargo lab serve`: many clients of one process. Random calls of eight clients on marked pages,
//! also while the browser and the process are killed; and a hundred workspaces at once.

pub mod http;
mod many;
mod storm;

use clap::Args;

use crate::options::{BrowserArgs, OnlyArgs, ProgramArgs};

/// Options of `cargo lab serve`.
#[derive(Args)]
pub struct ServeArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    browser: BrowserArgs,
    #[command(flatten)]
    only: OnlyArgs,
    /// Start of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many calls each client makes
    #[arg(long, default_value_t = 200)]
    calls: usize,
}

impl ServeArgs {
    /// Returns the seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

/// Runs all parts; fails if an answer has the mark of a different client.
pub async fn run(args: ServeArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let browser = args.browser.name();
    println!(
        "| run | calls | answers | with the own mark | no answer | marks of others | processes left |\n|---|---|---|---|---|---|---|"
    );
    let (mut wrong, mut left) = (0, 0);
    for disturbance in storm::DISTURBANCES {
        if args.only.includes(disturbance.name()) {
            let row = storm::run(&program, browser, disturbance, args.calls, args.seed).await?;
            println!("{row}");
            wrong += row.foreign;
            left += row.left;
        }
    }
    if args.only.includes("many") {
        println!();
        many::run(&program, browser).await?;
    }
    anyhow::ensure!(left == 0, "{left} processes outlived the process that started them");
    anyhow::ensure!(wrong == 0, "{wrong} answers have the mark of a different client");
    Ok(())
}
