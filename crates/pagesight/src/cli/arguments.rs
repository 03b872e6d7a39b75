//! The commands of the command line and their arguments. `commands` implements them.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use pagesight_core::compare::Severity;

pub(crate) use super::check_arguments::{CheckArguments, CheckCommand};
pub(crate) use super::install_arguments::InstallArguments;
use super::options::{BrowserArguments, OutputArguments};
pub(crate) use super::page_arguments::PageCommand;
use super::secrets::SecretArguments;
pub(crate) use super::shell_arguments::{ServeArguments, ShellArguments, ShellCommand};
use super::store_arguments::StoreArguments;
use crate::commands::demo::server::FAULTS;
use crate::tools::evaluate_permission::AllowEvaluate;
use crate::tools::words::{SEVERITIES, one_of};

/// Lets AI agents see live web pages: an MCP server and a command line.
#[derive(Debug, Parser)]
#[command(name = "pagesight", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print what happens, on standard error; PAGESIGHT_LOG chooses more exactly
    #[arg(long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Print no notes and no progress, only results and errors
    #[arg(long, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the tools over MCP, on standard input and output
    Mcp {
        #[command(flatten)]
        browser: BrowserArguments,
        /// Offer browser_evaluate for any JavaScript in the page; with =read, only for expressions
        /// that change nothing, which is the default in a browser that has nothing of yours
        /// (Chromium)
        #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "all", value_enum)]
        allow_evaluate: Option<AllowEvaluate>,
        /// Allow uploads of the files under this folder; may be given several times
        #[arg(long, value_name = "DIR")]
        upload_root: Vec<PathBuf>,
        /// Allow tools to write their answers to files below this folder (path)
        #[arg(long, value_name = "DIR")]
        output_root: Option<PathBuf>,
        #[command(flatten)]
        secrets: SecretArguments,
        #[command(flatten)]
        store: StoreArguments,
        /// Use the browser of the process that shell commands use, in a workspace of its own
        #[arg(long)]
        shared: bool,
        /// With --shared: use this workspace, together with others
        #[arg(long = "session", short = 's', value_name = "NAME", requires = "shared")]
        workspace: Option<String>,
    },
    /// Serve many agents with one browser: MCP over HTTP, and the commands of sessions
    Serve(ServeArguments),
    #[command(flatten)]
    Shell(ShellCommand),
    #[command(flatten)]
    Page(PageCommand),
    /// Print the differences between two pages; exits with 1 if there are any
    Diff(DiffArguments),
    /// Keep the page open and print its changes since a baseline on every re-render, until Ctrl-C
    Watch(WatchArguments),
    /// Check all pages listed in pages.toml against their baselines; exits with 1 if a change is at
    /// or above the fail_on severity
    Check(Box<CheckArguments>),
    /// Write a first pages.toml by following the links of a site, and a workflow file for CI
    Init(InitArguments),
    /// List, show, restore, delete, export and import baselines
    Baselines {
        #[command(subcommand)]
        command: BaselinesCommand,
        #[command(flatten)]
        store: StoreArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Add pagesight to the MCP configuration of agents (shows the change first)
    Install(InstallArguments),
    /// Show the tools on a demo page that pagesight serves
    Demo {
        #[command(flatten)]
        browser: BrowserArguments,
        /// Serve the demo page only, until Ctrl-C
        #[arg(long)]
        serve: bool,
        /// The port for --serve; any free port by default
        #[arg(long, value_name = "PORT", default_value_t = 0, requires = "serve")]
        port: u16,
        /// The fault to simulate on the page; needs --serve
        #[arg(long, value_name = "FAULT", requires = "serve", value_parser = PossibleValuesParser::new(FAULTS))]
        fault: Option<String>,
    },
    /// Open a window, wait until you have logged in, and save the login for --state
    Login(LoginArguments),
    /// Save cookies and localStorage of a session or a browser, for --state
    State {
        #[command(subcommand)]
        command: StateCommand,
    },
    /// Report whether browsers, the MCP server and agents work, and what to do about each problem
    Doctor {
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Print a script that completes pagesight's commands and flags in a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StateCommand {
    /// Write the cookies and localStorage of a session (-s), a running browser (--connect) or a
    /// profile (--profile) to a file, in Playwright's storage state format
    Save(StateArguments),
}

/// The page to log in to, and when that is done.
#[derive(Debug, Args)]
pub(crate) struct LoginArguments {
    /// The page to open. The login is saved to the file of --state; if it exists, it is loaded
    /// first
    pub(crate) url: String,
    /// Done when the address contains this text; without it, when you press Enter
    #[arg(long, value_name = "TEXT")]
    pub(crate) until_url: Option<String>,
    /// Done when the page shows this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) until_text: Option<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}

/// The browser whose state is saved.
#[derive(Debug, Args)]
pub(crate) struct StateArguments {
    /// The file to write
    pub(crate) file: PathBuf,
    /// Also save the localStorage of this origin, such as http://localhost:3000; may be given
    /// several times. Origins of open tabs and hosts with cookies are saved anyway
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) origin: Vec<String>,
    /// The name of the session
    #[arg(
        long = "session",
        short = 's',
        value_name = "NAME",
        conflicts_with_all = ["browser", "connect", "headed", "profile", "state", "viewport", "browser_env", "no_hooks", "allow_file", "no_pierce", "EmulationArguments", "ConnectionArguments"]
    )]
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}

/// The pages that are compared.
#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// A URL, or a page file (*.page.json)
    pub(crate) before: String,
    /// The URL or page file to compare it with
    pub(crate) after: String,
    /// The token limit of the answer
    #[arg(long, value_name = "N", default_value_t = 4_000)]
    pub(crate) max_tokens: usize,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// The page that is watched.
#[derive(Debug, Args)]
pub(crate) struct WatchArguments {
    /// A URL
    pub(crate) page: String,
    /// The name of the baseline
    #[arg(long, value_name = "NAME")]
    pub(crate) against: String,
    /// Exit with 1 if a change that remains when watching stops has at least this severity
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = one_of::<Severity>(SEVERITIES))]
    pub(crate) fail_on: Severity,
    /// Reload the page when one of these files changes, such as 'dist/**': for a server that does
    /// not reload its pages; may be given several times
    #[arg(long, value_name = "GLOB")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// The site that `init` reads, and how much of it.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The URL to start from
    pub(crate) url: String,
    /// How many links away from the first page to go; 0 is the first page alone
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) depth: usize,
    /// The maximum number of pages to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) pages_max: usize,
    /// Overwrite an existing pages.toml
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BaselinesCommand {
    /// List all baselines, and where they are stored
    List,
    /// Print one baseline
    Show {
        /// The name of the baseline
        name: String,
    },
    /// List the versions of one baseline
    History {
        /// The name of the baseline
        name: String,
    },
    /// Make an older version the current one
    Restore {
        /// The name of the baseline
        name: String,
        /// The version, as history prints it
        version: i64,
    },
    /// Delete one baseline with its history
    Delete {
        /// The name of the baseline
        name: String,
    },
    /// Write baselines as JSON files, which can be committed
    Export {
        /// The folder to write to
        folder: PathBuf,
        /// The names of the baselines; all if none is given
        names: Vec<String>,
    },
    /// Import JSON files that were exported
    Import {
        /// Files, or folders of files
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
