//! `cargo lab attach`: connects to browsers as a person has them open, in windows on a display
//! without a screen. The person's consent is given and refused with real key strokes; what happens
//! to the person's other tabs is counted by the pages in them; and work in a tab in the background
//! is timed against the same work in front.

mod background;
mod beats;
mod consent;
mod person;
mod site;
mod tabs;

use clap::Args;

use crate::install::display::Display;
use crate::options::{OnlyArgs, ProgramArgs};
use person::BrowserName;

/// Options of `cargo lab attach`.
#[derive(Args)]
pub struct AttachArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    only: OnlyArgs,
    /// How often the work in front and in the background is timed
    #[arg(long, default_value_t = 9)]
    rounds: usize,
}

/// What a part found: lines to print, and what was missed.
#[derive(Default)]
struct Findings {
    lines: Vec<String>,
    misses: Vec<String>,
}

impl Findings {
    /// Records a miss unless the condition holds.
    fn require(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.misses.push(otherwise());
        }
    }
}

/// Runs all parts; fails if anything is missed.
pub async fn run(args: AttachArgs) -> anyhow::Result<()> {
    let program = args.program.path()?;
    let display = Display::start().await?;
    let site = site::AttachSite::serve().await?;
    let mut misses = Vec::new();
    let mut ran = 0;
    for part in [
        "consent: allow",
        "consent: cancel",
        "tabs: chromium",
        "tabs: firefox",
        "background: chromium",
        "background: firefox",
    ] {
        if !args.only.includes(part) {
            continue;
        }
        ran += 1;
        let browser = match part.ends_with("firefox") {
            true => BrowserName::Firefox,
            false => BrowserName::Chromium,
        };
        let found = match part.split(':').next() {
            Some("consent") => {
                let answer = match part.ends_with("allow") {
                    true => consent::PersonsAnswer::Allow,
                    false => consent::PersonsAnswer::Cancel,
                };
                consent::run(&program, &display, &site, answer).await
            }
            Some("tabs") => tabs::run(&program, &display, &site, browser).await,
            _ => background::run(&program, &display, &site, browser, args.rounds.max(1)).await,
        };
        println!("## {part}\n");
        // What cannot be run is a miss, and the other parts still run.
        let found = found.unwrap_or_else(|error| Findings {
            lines: Vec::new(),
            misses: vec![format!("did not run to its end: {error:#}")],
        });
        found.lines.iter().for_each(|line| println!("{line}"));
        found.misses.iter().for_each(|miss| println!("MISS: {miss}"));
        println!();
        misses.extend(found.misses);
    }
    anyhow::ensure!(ran > 0, "no part has such a name");
    anyhow::ensure!(misses.is_empty(), "{} misses", misses.len());
    Ok(())
}
