//! `cargo lab compat`: pagesight beside what other people made: browsers that a person uses,
//! WebDriver servers, MCP clients and their conformance suite, package managers, UI libraries,
//! Playwright.

mod attach;
mod clients;
mod conformance;
mod dialogs;
mod drivers;
mod menus;
mod packages;
mod state;

use std::path::PathBuf;

use clap::Args;

use crate::options::{DetailsArgs, OnlyArgs, ProgramArgs, SeedArgs};
use crate::report::Report;

/// Options of `cargo lab compat`.
#[derive(Args)]
#[command(
    after_help = "Parts for --only: attach, clients, conformance, dialogs, drivers, menus, packages, state; \
    an item as `attach: consent`, `menus: firefox: Select2` or `packages: npx`"
)]
pub struct CompatArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    only: OnlyArgs,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    details: DetailsArgs,
    /// How often each item is repeated [default: 5 in menus, 9 in background tabs]
    #[arg(long)]
    rounds: Option<usize>,
}

impl CompatArgs {
    /// Returns the items of a part that are to be run.
    fn chosen<'i>(&self, part: &str, items: &[&'i str]) -> Vec<&'i str> {
        let is_chosen = |item: &&&str| self.only.includes(&format!("{part}: {item}"));
        items.iter().filter(is_chosen).copied().collect()
    }

    fn program(&self) -> anyhow::Result<PathBuf> {
        self.program.path()
    }
}

/// Runs the chosen parts; fails if one of them misses something.
pub async fn run(args: CompatArgs) -> anyhow::Result<()> {
    let mut report = Report::default();
    let menus = menus::items();
    let menus: Vec<&str> = menus.iter().map(String::as_str).collect();
    let dialogs = dialogs::items();
    let dialogs: Vec<&str> = dialogs.iter().map(String::as_str).collect();
    for (part, items) in [
        ("attach", &attach::ITEMS[..]),
        ("clients", &clients::ITEMS),
        ("conformance", &conformance::ITEMS),
        ("dialogs", &dialogs),
        ("drivers", &drivers::ITEMS),
        ("menus", &menus),
        ("packages", &packages::ITEMS),
        ("state", &["all pairs"]),
    ] {
        let chosen = args.chosen(part, items);
        if chosen.is_empty() {
            continue;
        }
        println!("## {part}\n");
        let misses = match part {
            "attach" => attach::run(&args, &chosen).await,
            "clients" => clients::run(&args, &chosen).await,
            "conformance" => conformance::run(&args, &chosen).await,
            "dialogs" => dialogs::run(&args, &chosen).await,
            "drivers" => drivers::run(&args, &chosen).await,
            "menus" => menus::run(&args, &chosen).await,
            "packages" => packages::run(&chosen).await,
            _ => state::run(&args).await,
        };
        report.add(part, misses);
        println!();
    }
    args.details.write(&report.misses.join("\n"))?;
    report.end()
}
