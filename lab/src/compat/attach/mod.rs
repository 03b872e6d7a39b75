//! Connects to a browser as a person has it open, with a window: the person is asked for consent,
//! the tabs that were not chosen notice nothing, and tabs in the background work at full speed.

mod background;
mod browser;
mod consent;
mod site;
mod tabs;

use std::path::PathBuf;

use super::CompatArgs;
use crate::install::display::Display;
use crate::product::Engine;
use crate::report::Report;
use site::AttachSite;

pub const ITEMS: [&str; 6] = [
    "consent: allow",
    "consent: cancel",
    "tabs: chromium",
    "tabs: firefox",
    "background: chromium",
    "background: firefox",
];
const ROUNDS: usize = 9;

/// State that every item needs.
struct Attach {
    program: PathBuf,
    display: Display,
    site: AttachSite,
}

/// Runs the chosen items.
pub async fn run(args: &CompatArgs, chosen: &[&str]) -> anyhow::Result<Vec<String>> {
    let (display, site) = (Display::start().await?, AttachSite::serve().await?);
    let attach = Attach { program: args.program()?, display, site };
    let mut report = Report::default();
    for item in chosen {
        println!("### {item}\n");
        let (part, choice) = item.split_once(": ").unwrap_or_default();
        let engine = if choice == "firefox" { Engine::Firefox } else { Engine::Chromium };
        let misses = match part {
            "consent" => consent::run(&attach, choice == "allow").await,
            "tabs" => tabs::run(&attach, engine).await,
            _ => background::run(&attach, engine, args.rounds.unwrap_or(ROUNDS).max(1)).await,
        };
        report.add(item, misses);
        println!();
    }
    Ok(report.misses)
}
