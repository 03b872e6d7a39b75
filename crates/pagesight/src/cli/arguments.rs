//! The commands of the command line and their arguments. What each command does is in `commands`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use pagesight_session::Engine;

use super::options::{BrowserArguments, OutputArguments, PageArguments, engine};
use crate::commands::demo::server::FAULTS;
use crate::commands::install::agent::Agent;
use crate::tools::compare::SeverityChoice;
use crate::tools::fingerprint::FingerprintParameters;
use crate::tools::inspect::InspectParameters;
use crate::tools::screenshot::ScreenshotParameters;
use crate::tools::snapshot::SnapshotParameters;

/// Eyes on live web pages for AI agents: an MCP server and a command line.
#[derive(Debug, Parser)]
#[command(name = "pagesight", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the tools over MCP, on standard input and output
    Mcp {
        #[command(flatten)]
        browser: BrowserArguments,
        /// Offer browser_evaluate, which runs any JavaScript in the page
        #[arg(long)]
        allow_evaluate: bool,
        /// Allow uploads of the files under this folder; may be given several times
        #[arg(long, value_name = "DIR")]
        upload_root: Vec<PathBuf>,
    },
    /// Print the page as an outline: one line for each thing a person could read or use
    Inspect {
        #[command(flatten)]
        page: PageArguments,
        #[command(flatten)]
        parameters: InspectParameters,
    },
    /// Print the DOM after the three-stage pipeline: tags, key attributes and text
    Snapshot {
        #[command(flatten)]
        page: PageArguments,
        /// As JSON instead of one element a line
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        parameters: SnapshotParameters,
    },
    /// Print everything about one element, with selectors proven in the live page
    Expand {
        #[command(flatten)]
        page: PageArguments,
        /// A CSS selector, or a point of the viewport: 120,80
        element: String,
    },
    /// Print cheap counts: elements, forms, frames, console errors
    Info {
        #[command(flatten)]
        page: PageArguments,
    },
    /// Save a picture of the page
    Screenshot {
        #[command(flatten)]
        page: PageArguments,
        /// Where to write the image
        file: PathBuf,
        #[command(flatten)]
        parameters: ScreenshotParameters,
    },
    /// Print what is another between two pages; ends with 0 if nothing is, 1 if something is
    Diff(DiffArguments),
    /// Print what the page is made of, in a few hundred tokens; --save keeps it as a baseline
    Fingerprint(FingerprintArguments),
    /// Print what changed since a baseline; ends with 1 if something as bad as --fail-on did
    Compare(CompareArguments),
    /// Stay on the page and print what changes against a baseline whenever it renders anew, until
    /// Ctrl-C
    Watch(WatchArguments),
    /// Check all pages of a pages.toml against their baselines; ends with 1 if something as bad as
    /// fail_on changed
    Check(CheckArguments),
    /// Write a first pages.toml by following the links of a site, and a workflow file for CI
    Init(InitArguments),
    /// List, show, restore, delete, export and import baselines
    Baselines {
        #[command(subcommand)]
        command: BaselinesCommand,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Add pagesight to an agent's MCP configuration (shows the change first)
    Install {
        /// Which agent
        agent: Agent,
        /// Write to the project's configuration in this folder instead of the user's
        #[arg(long)]
        project: bool,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
        /// More arguments for `pagesight mcp`, after --
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Tell the whole story on a page that pagesight serves itself
    Demo {
        #[command(flatten)]
        browser: BrowserArguments,
        /// Serve the demo page only, until Ctrl-C
        #[arg(long)]
        serve: bool,
        /// With --serve: on this port; any by default
        #[arg(long, value_name = "PORT", default_value_t = 0, requires = "serve")]
        port: u16,
        /// With --serve: broken in this way
        #[arg(long, value_name = "FAULT", requires = "serve", value_parser = PossibleValuesParser::new(FAULTS))]
        fault: Option<String>,
    },
    /// Say which browsers and settings are found, and whether they work
    Doctor {
        #[command(flatten)]
        output: OutputArguments,
    },
}

/// The pages that are compared.
#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// A URL, or a page file (*.page.json)
    pub(crate) before: String,
    /// The same, to compare with it
    pub(crate) after: String,
    /// The longest answer, in tokens
    #[arg(long, value_name = "N", default_value_t = 4_000)]
    pub(crate) max_tokens: usize,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// The page whose fingerprint is taken.
#[derive(Debug, Args)]
pub(crate) struct FingerprintArguments {
    #[command(flatten)]
    pub(crate) page: PageArguments,
    #[command(flatten)]
    pub(crate) parameters: FingerprintParameters,
}

/// The page that is compared with a baseline.
#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    pub(crate) page: PageArguments,
    /// The name of the baseline
    #[arg(long, value_name = "NAME")]
    pub(crate) against: String,
    /// How bad a change has to be to end with 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = SeverityChoice::Error)]
    pub(crate) fail_on: SeverityChoice,
    /// Also write a report with the page's picture, as one HTML file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Also write the result as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// The page that is watched.
#[derive(Debug, Args)]
pub(crate) struct WatchArguments {
    /// A URL
    pub(crate) page: String,
    /// The name of the baseline
    #[arg(long, value_name = "NAME")]
    pub(crate) against: String,
    /// How bad a change has to be at the end to end with 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = SeverityChoice::Error)]
    pub(crate) fail_on: SeverityChoice,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// The pages that are checked, and how.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// What is to be checked; pagesight init writes a first one
    #[arg(default_value = "pages.toml")]
    pub(crate) file: PathBuf,
    /// How many pages at a time
    #[arg(long, short, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) jobs: u16,
    /// Show what changed, then accept it as the new baselines
    #[arg(long)]
    pub(crate) update: bool,
    /// Only the page of this name; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Instead of the base_url of the file
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// In this browser, instead of the browsers of the file; may be given several times
    #[arg(long, value_name = "BROWSER", value_parser = engine())]
    pub(crate) browser: Vec<Engine>,
    /// How bad a change has to be to end with 1; instead of the fail_on of the file (error)
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub(crate) fail_on: Option<SeverityChoice>,
    /// Also write a report with pictures of what changed, as one HTML file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Also write the result as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Show the browser's window
    #[arg(long)]
    pub(crate) headed: bool,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// Where a first pages.toml comes from.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// Where to begin
    pub(crate) url: String,
    /// How many links away pages may be; 0 is the first page alone
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) depth: usize,
    /// How many pages at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) pages_max: usize,
    /// Write pages.toml anew if there is one
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BaselinesCommand {
    /// All baselines, and where they are kept
    List,
    /// What is in one
    Show {
        /// Its name
        name: String,
    },
    /// The versions of one
    History {
        /// Its name
        name: String,
    },
    /// Make an older version the one that counts
    Restore {
        /// Its name
        name: String,
        /// The version, as history tells it
        version: i64,
    },
    /// Forget one, with its history
    Delete {
        /// Its name
        name: String,
    },
    /// Write baselines as JSON files, which can be committed
    Export {
        /// Where to
        folder: PathBuf,
        /// Only those; all if none is given
        names: Vec<String>,
    },
    /// Take in JSON files that were exported
    Import {
        /// Files, or folders of them
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
