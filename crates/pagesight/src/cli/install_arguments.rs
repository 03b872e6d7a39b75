//! The arguments of `pagesight install`.

use clap::Args;

use crate::commands::install::agent::{InstallTarget, target};

/// The agent, and how pagesight is added to it.
#[derive(Debug, Args)]
pub(crate) struct InstallArguments {
    /// The agent, or skill; without it, each agent that is found on this machine is offered
    #[arg(value_name = "AGENT", value_parser = target())]
    pub(crate) target: Option<InstallTarget>,
    /// Write to the project's configuration in the current folder instead of the user's
    #[arg(long)]
    pub(crate) project: bool,
    /// Connect to pagesight serve over HTTP; the agent reads the token from PAGESIGHT_TOKEN or asks
    /// for it
    #[arg(long, conflicts_with = "shared")]
    pub(crate) http: bool,
    /// Use the browser of the process that shell commands use (pagesight mcp --shared)
    #[arg(long)]
    pub(crate) shared: bool,
    /// Take the entry out again
    #[arg(long, conflicts_with_all = ["http", "shared"])]
    pub(crate) remove: bool,
    /// Show the change and write nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// More arguments for `pagesight mcp`, after --
    #[arg(last = true, conflicts_with_all = ["http", "remove"])]
    pub(crate) arguments: Vec<String>,
}
