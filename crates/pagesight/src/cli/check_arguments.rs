//! The arguments of `pagesight check` and of its subcommands.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use pagesight_check::plan::shard::Shard;
use pagesight_core::compare::{ChangeType, Severity};
use pagesight_session::Engine;

use super::browser_environment::BrowserEnvironment;
use super::options::{OutputArguments, engine};
use super::queue_arguments::{GridArguments, StopArguments, WorkArguments};
use super::store_arguments::StoreArguments;
use crate::tools::words::{SEVERITIES, one_of};

/// Where a run is stored unless `--run` says otherwise.
pub(crate) const RUN_FOLDER: &str = ".pagesight/run";

/// The pages that are checked, and how; or a command for an earlier run.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct CheckArguments {
    #[command(subcommand)]
    pub(crate) command: Option<CheckCommand>,
    #[command(flatten)]
    pub(crate) plan: PlanArguments,
    /// How many pages to check at a time
    #[arg(long, short, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) jobs: u16,
    /// Print the changes, then accept them as the new baselines
    #[arg(long)]
    pub(crate) update: bool,
    /// Load every page this many times instead, compare the loads, and suggest ignore rules for
    /// what differs; exits with 1 if a page is not stable
    #[arg(long, value_name = "LOADS", value_parser = clap::value_parser!(u8).range(2..=20),
        conflicts_with_all = ["update", "report", "junit", "comment", "run", "fail_on"])]
    pub(crate) stability: Option<u8>,
    /// Check only one part of the pages, such as 2/5; every part has different pages
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// The folder for the result, the pictures and the new baselines of this run; replaced when the
    /// run is complete
    #[arg(long, value_name = "DIR", default_value = RUN_FOLDER)]
    pub(crate) run: PathBuf,
    #[command(flatten)]
    pub(crate) reports: ReportArguments,
    /// Show the browser's window
    #[arg(long)]
    pub(crate) headed: bool,
    #[command(flatten)]
    pub(crate) grid: GridArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// The pages that a check is about.
#[derive(Clone, Debug, Args)]
pub(crate) struct PlanArguments {
    /// The file that lists the pages; pagesight init writes a first one
    #[arg(default_value = "pages.toml")]
    pub(crate) file: PathBuf,
    /// Start the browsers with the cookies and localStorage of this file, instead of those that
    /// `state` in pages.toml names
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Check only the page with this name; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Check only the pages that the changes since this commit can touch, by the route maps
    #[arg(long, value_name = "REF")]
    pub(crate) since: Option<String>,
    /// Use this URL instead of the base_url of the file
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Use this browser instead of the browsers of the file; may be given several times
    #[arg(long, value_name = "BROWSER", value_parser = engine())]
    pub(crate) browser: Vec<Engine>,
    #[command(flatten)]
    pub(crate) environment: BrowserEnvironment,
    /// Exit with 1 if a change has at least this severity; overrides the fail_on of the file, whose
    /// default is error
    #[arg(long, value_name = "SEVERITY", value_parser = one_of::<Severity>(SEVERITIES))]
    pub(crate) fail_on: Option<Severity>,
}

/// The files that a result is also written to.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ReportArguments {
    /// Also write a report with pictures of the changes, as one HTML file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Open the report in the web browser of the desktop
    #[arg(long, requires = "report")]
    pub(crate) open: bool,
    /// Also write the result as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Also write the result as Markdown, for a comment on a pull request
    #[arg(long, value_name = "FILE")]
    pub(crate) comment: Option<PathBuf>,
}

/// The commands for runs.
#[derive(Debug, Subcommand)]
pub(crate) enum CheckCommand {
    /// Accept the changes of a stored run as the new baselines, without visiting the pages again;
    /// exits with 1 if a baseline changed since the run
    Accept(AcceptArguments),
    /// Make one result of the runs of all shards; exits as the whole check would
    Merge(MergeArguments),
    /// Add the pages to the queue in the database of --store, for workers on any machine
    Enqueue(EnqueueArguments),
    /// Check pages of the queue until there are none left
    Work(WorkArguments),
    /// Print the state of a run of the queue; exits as the check would once it is done
    Status(StatusArguments),
    /// Stop a run of the queue: no more of its pages are checked
    Stop(StopArguments),
}

/// The pages that are added to the queue.
#[derive(Debug, Args)]
pub(crate) struct EnqueueArguments {
    #[command(flatten)]
    pub(crate) plan: PlanArguments,
    /// Accept changes as the new baselines
    #[arg(long)]
    pub(crate) update: bool,
}

/// The run whose state is printed.
#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// The number of the run; without it, the newest
    #[arg(value_name = "RUN")]
    pub(crate) id: Option<i64>,
    /// Wait until the run is done or stopped
    #[arg(long)]
    pub(crate) wait: bool,
    #[command(flatten)]
    pub(crate) reports: ReportArguments,
}

/// The run that is accepted, and which of its pages.
#[derive(Debug, Args)]
pub(crate) struct AcceptArguments {
    /// The folder of the run
    #[arg(value_name = "DIR", default_value = RUN_FOLDER)]
    pub(crate) folder: PathBuf,
    /// Accept only the page with this name; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Accept only pages whose changes are all of this type, such as element_renamed; may be given
    /// several times
    #[arg(long = "type", value_name = "TYPE", value_parser = change_type)]
    pub(crate) types: Vec<ChangeType>,
    /// Accept only the change with this number in the report, of the page of --only
    #[arg(long, value_name = "NUMBER", requires = "only", conflicts_with_all = ["types", "interactive"],
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) change: Option<u32>,
    /// Show the changes of each page and ask whether to accept them
    #[arg(long, short, conflicts_with = "types")]
    pub(crate) interactive: bool,
    /// The file that lists the pages, if it is not where the run says
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// The runs that are merged.
#[derive(Debug, Args)]
pub(crate) struct MergeArguments {
    /// The folders of the runs, one for each shard
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// The folder for the merged run
    #[arg(long, value_name = "DIR", default_value = RUN_FOLDER)]
    pub(crate) run: PathBuf,
    #[command(flatten)]
    pub(crate) reports: ReportArguments,
}

fn change_type(text: &str) -> Result<ChangeType, String> {
    let known = ChangeType::ALL.iter().find(|kind| kind.as_str() == text);
    known.copied().ok_or_else(|| {
        let like = |kind: &&ChangeType| (strsim::jaro_winkler(text, kind.as_str()) * 1e6) as u64;
        let near = ChangeType::ALL.iter().max_by_key(like).map_or("", |kind| kind.as_str());
        format!("there is no such type of change; did you mean {near}?")
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::arguments::{Cli, Command};

    fn parsed(arguments: &str) -> Result<CheckArguments, String> {
        let words = ["pagesight", "check"].into_iter().chain(arguments.split_whitespace());
        match Cli::try_parse_from(words).map_err(|error| error.to_string())?.command {
            Command::Check(arguments) => Ok(*arguments),
            _ => Err("a different command".to_owned()),
        }
    }

    #[test]
    fn a_check_is_a_command_with_commands() {
        let plain = parsed("").unwrap();
        assert!(plain.command.is_none());
        assert_eq!(plain.plan.file, PathBuf::from("pages.toml"));
        assert_eq!(plain.run, PathBuf::from(".pagesight/run"));
        let shard = parsed("web.toml --shard 2/5 --since main").unwrap();
        assert_eq!(shard.shard, Some(Shard { index: 2, of: 5 }));
        assert_eq!(shard.plan.file, PathBuf::from("web.toml"));
        let accept = parsed("accept run --only a --type list_empty --output json").unwrap();
        assert_eq!(accept.output.output, crate::cli::options::Output::Json);
        let Some(CheckCommand::Accept(accept)) = accept.command else { panic!("{accept:?}") };
        assert_eq!(accept.types, [ChangeType::ListEmpty]);
        let merge = parsed("merge a b --junit j.xml").unwrap();
        assert!(
            matches!(merge.command, Some(CheckCommand::Merge(merge)) if merge.folders.len() == 2)
        );
    }

    #[test]
    fn wrong_values_are_refused() {
        for wrong in [
            "--shard 0/5",
            "--shard 6/5",
            "--shard 2",
            "--shard +1/2",
            "--shard 1/0",
            "--shard 1/2 --shard 2/2",
            "--shard 1/99999",
            "--shard",
            "merge",
            "accept --type no",
            "accept --shard 1/2",
            "--run a --run b",
            "accept a b",
        ] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
        assert!(parsed("accept --type element_renamd").unwrap_err().contains("element_renamed"));
    }
}
