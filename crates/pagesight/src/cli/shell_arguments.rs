//! The shell commands of a workspace, which users call a session, and `pagesight serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use pagesight_browser::UnknownViewport;
use pagesight_session::{Device, Viewport};

use super::options::{BrowserArguments, OutputArguments};
use super::secrets::SecretArguments;
use crate::serve::options::SharedBrowserArguments;
use crate::tools::evaluate_permission::AllowEvaluate;

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum ServeCommand {
    /// Print the token that clients must send
    Token,
}

/// The addresses that `serve` listens on, and its browser.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ServeArguments {
    #[command(subcommand)]
    pub(crate) command: Option<ServeCommand>,
    /// Print each client and call, on standard error
    #[arg(long, conflicts_with = "socket_only")]
    pub(crate) log: bool,
    /// The address for HTTP; by default the port of the last start on 127.0.0.1
    #[arg(long, value_name = "ADDRESS", conflicts_with = "socket_only")]
    pub(crate) listen: Option<SocketAddr>,
    /// The file with the token that clients must send; by default a random one is kept
    #[arg(long, value_name = "FILE", conflicts_with = "socket_only")]
    pub(crate) token_file: Option<PathBuf>,
    /// End a workspace that nobody has used for this long, such as 30m
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = duration)]
    pub(crate) idle: Duration,
    /// Listen for shell commands only, and end when nobody needs the process
    #[arg(long, hide = true)]
    pub(crate) socket_only: bool,
    /// Read the value of --connect from standard input
    #[arg(long, hide = true, requires = "socket_only")]
    pub(crate) connect_stdin: bool,
    /// Offer browser_evaluate for any JavaScript in the page; with =read, only for expressions that
    /// change nothing, which is the default in a browser that has nothing of yours (Chromium)
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "all", value_enum)]
    pub(crate) allow_evaluate: Option<AllowEvaluate>,
    /// Allow uploads of the files under this folder; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) upload_root: Vec<PathBuf>,
    /// Allow answers to be written to files under this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) output_root: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) secrets: SecretArguments,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}

/// The size of a tab, or the device that it stands in for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TabSize {
    /// A size of the page alone.
    Viewport(Viewport),
    /// A device with its size.
    Device(Device),
}

fn tab_size(given: &str) -> Result<TabSize, String> {
    let device = || given.parse().map(TabSize::Device).ok();
    match given.parse() {
        Ok(viewport) => Ok(TabSize::Viewport(viewport)),
        Err(error) => device().ok_or_else(|| {
            let error: UnknownViewport = error;
            format!("{error}, or a device, such as pixel-9")
        }),
    }
}

/// Parses a time such as `30m`.
fn duration(given: &str) -> Result<Duration, String> {
    let wrong = || "give a time from 1s to 24h, such as 30m".to_owned();
    let (number, unit) =
        given.split_at(given.len() - given.chars().last().map_or(0, char::len_utf8));
    let unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(wrong()),
    };
    let seconds = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    let seconds = seconds.filter(|seconds| (1..=24 * 3600).contains(seconds));
    seconds.map(Duration::from_secs).ok_or_else(wrong)
}

/// The workspace of a command.
#[derive(Debug, Args)]
pub(crate) struct SessionArguments {
    /// The name of the session; by default PAGESIGHT_SESSION, else the repository or folder
    #[arg(id = "session", long = "session", short = 's', value_name = "NAME")]
    pub(crate) workspace: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// The workspace of a command, and the browser if the command is the first.
#[derive(Debug, Args)]
pub(crate) struct ShellArguments {
    #[command(flatten)]
    pub(crate) session: SessionArguments,
    #[command(flatten)]
    pub(crate) browser: SharedBrowserArguments,
}

/// A command that uses a workspace.
#[derive(Debug, Subcommand)]
pub(crate) enum ShellCommand {
    /// Open a URL in the session, and print an outline; the browser stays open between commands
    Open {
        /// The URL, a host such as localhost:3000 or example.com, or a file such as ./index.html
        /// (with --allow-file)
        url: String,
        /// Allow uploads of the files under this folder, in a session that this command opens; may
        /// be given several times
        #[arg(long, value_name = "DIR")]
        upload_root: Vec<PathBuf>,
        #[command(flatten)]
        secrets: SecretArguments,
        #[command(flatten)]
        shared: ShellArguments,
    },
    /// Run actions in the session's page, such as 'click 12' 'fill 13 "Ada"' 'press Enter', and
    /// print what changed
    Act {
        /// The actions; without any, they are read from standard input
        actions: Vec<String>,
        #[command(flatten)]
        shared: ShellArguments,
    },
    /// Change the size of the session's tab, or let it stand in for a device
    Resize {
        /// Width and height in CSS pixels, such as 390x844, or a device, such as pixel-9 or
        /// 412x915@2.6,touch
        #[arg(value_name = "WxH|DEVICE", value_parser = tab_size)]
        size: TabSize,
        #[command(flatten)]
        shared: ShellArguments,
    },
    /// Emulate a colour scheme, a language, a place, a network and more in the session's tab;
    /// without flags, what the session was opened with
    Emulate {
        #[command(flatten)]
        shared: ShellArguments,
    },
    /// Evaluate a JavaScript expression in the session's page and print its value as JSON; where
    /// the browser has nothing of yours, expressions that only read are allowed (Chromium)
    Eval {
        /// The expression; with --element, a function that gets the element
        expression: String,
        /// The number of the element that the function gets
        #[arg(long, value_name = "NUMBER")]
        element: Option<String>,
        /// The token limit of the value: 8000 by default, 1000 where expressions may only read
        #[arg(long, value_name = "N")]
        max_tokens: Option<usize>,
        #[command(flatten)]
        shared: ShellArguments,
    },
    /// List the session's tabs; `new`, `select TAB` and `close TAB` change them
    Tabs {
        /// list, new, select or close
        action: Option<String>,
        /// The tab, or for new the URL
        tab: Option<String>,
        #[command(flatten)]
        shared: ShellArguments,
    },
    /// Go back to the previous page of the session
    Back {
        #[command(flatten)]
        shared: ShellArguments,
    },
    /// Go forward to the page that `back` left
    Forward {
        #[command(flatten)]
        shared: ShellArguments,
    },
    /// Load the session's page again
    Reload {
        #[command(flatten)]
        shared: ShellArguments,
    },
    /// End the session: close its tabs and delete its cookies
    Close {
        /// End all sessions and the process
        #[arg(long, conflicts_with = "session")]
        all: bool,
        #[command(flatten)]
        session: SessionArguments,
    },
    /// List the open sessions
    Sessions {
        #[command(flatten)]
        output: OutputArguments,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("30m"), Ok(Duration::from_secs(1800)));
        assert_eq!(duration("1s"), Ok(Duration::from_secs(1)));
        assert_eq!(duration("24h"), Ok(Duration::from_secs(86400)));
        for bad in ["", "30", "0s", "25h", "m", "-1s", "1.5h", "30 m", "ü", "99999999999999999999s"]
        {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
