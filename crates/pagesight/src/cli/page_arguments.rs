//! The commands that work on the session's page, on a URL that is opened for one call, or on a page
//! file.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};
use pagesight_core::compare::Severity;

use super::options::BrowserArguments;
use super::shell_arguments::ShellArguments;
use super::store_arguments::StoreArguments;
use crate::page_call::audit::AuditParameters;
use crate::tools::fingerprint::FingerprintParameters;
use crate::tools::inspect::InspectParameters;
use crate::tools::log::LogParameters;
use crate::tools::rows::RowsParameters;
use crate::tools::screenshot::ScreenshotParameters;
use crate::tools::snapshot::SnapshotParameters;
use crate::tools::words::{SEVERITIES, one_of};

/// How the address of a page begins.
const SCHEMES: [&str; 5] = ["http:", "https:", "file:", "data:", "about:"];
/// How the name of a page file ends.
const PAGE_FILE: &str = ".page.json";

/// A command on a page.
#[derive(Debug, Subcommand)]
pub(crate) enum PageCommand {
    /// Print the page as an outline: one line for each element that a person can read or use; with
    /// words, what matches them
    Look {
        /// A URL or a page file (*.page.json), if it is not the session's page; then words to look
        /// for: the best matches come first
        #[arg(value_name = "PAGE|WORDS")]
        words: Vec<String>,
        #[command(flatten)]
        parameters: InspectParameters,
        #[command(flatten)]
        place: PlaceArguments,
    },
    /// Print everything about one element, with selectors that were tested in the live page
    Element {
        /// A URL or a page file (*.page.json), if it is not the session's page
        #[arg(value_name = "PAGE|ELEMENT")]
        first: String,
        /// A number from an outline, a CSS selector, or a point in the viewport, such as 120,80
        #[arg(value_name = "ELEMENT")]
        second: Option<String>,
        #[command(flatten)]
        place: PlaceArguments,
    },
    /// Save a picture of the page
    Shot {
        /// A URL, if it is not the session's page
        #[arg(value_name = "PAGE|FILE")]
        first: Option<String>,
        /// Where to write the picture; pagesight.png by default
        #[arg(value_name = "FILE")]
        second: Option<String>,
        #[command(flatten)]
        parameters: ScreenshotParameters,
        #[command(flatten)]
        place: PlaceArguments,
    },
    /// Print the compacted DOM: tags, key attributes and text
    Snapshot {
        /// A URL or a page file (*.page.json); without one, the page of the session
        page: Option<String>,
        /// Print JSON instead of one line per element
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        parameters: SnapshotParameters,
        #[command(flatten)]
        place: PlaceArguments,
    },
    /// Print a table, a grid, a list or repeated cards as rows; filter, sort, count and add them
    Rows {
        /// A URL or a page file (*.page.json); without one, the page of the session
        page: Option<String>,
        #[command(flatten)]
        parameters: RowsParameters,
        /// Write all rows that match to this file: .csv, .json, .md or .txt
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
        #[command(flatten)]
        place: PlaceArguments,
    },
    /// Print basic facts about the page: counts of elements, forms and frames, and its problems
    Info {
        /// A URL; without one, the page of the session
        page: Option<String>,
        #[command(flatten)]
        place: PlaceArguments,
    },
    /// Print the messages of the console and the requests of the page, errors and failures first
    Log {
        /// A URL; without one, the page of the session
        page: Option<String>,
        #[command(flatten)]
        parameters: LogParameters,
        #[command(flatten)]
        place: PlaceArguments,
    },
    /// Print a summary of the page in a few hundred tokens; --save stores it as a baseline
    Fingerprint {
        /// A URL or a page file (*.page.json); without one, the page of the session
        page: Option<String>,
        #[command(flatten)]
        parameters: FingerprintParameters,
        #[command(flatten)]
        place: PlaceArguments,
        #[command(flatten)]
        store: StoreArguments,
    },
    /// Test the accessibility of the page with axe-core; exits with 1 if it violates a rule
    Audit {
        /// A URL; without one, the page of the session
        page: Option<String>,
        #[command(flatten)]
        parameters: AuditParameters,
        #[command(flatten)]
        place: PlaceArguments,
    },
    /// Print the changes since a baseline; exits with 1 if a change is at or above --fail-on
    Compare(CompareArguments),
}

/// The page that is compared with a baseline.
#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// A URL or a page file (*.page.json); without one, the page of the session
    pub(crate) page: Option<String>,
    /// The name of the baseline
    #[arg(long, value_name = "NAME")]
    pub(crate) against: String,
    /// Exit with 1 if a change has at least this severity
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = one_of::<Severity>(SEVERITIES))]
    pub(crate) fail_on: Severity,
    /// Also write a report with the page's picture, as one HTML file
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Also write the result as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: PlaceArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
}

/// Where the page of a command is, and how the result is printed.
#[derive(Debug, Args)]
pub(crate) struct PlaceArguments {
    #[command(flatten)]
    pub(crate) shared: ShellArguments,
    /// Also write the captured page to a page file; needs a URL
    #[arg(long, value_name = "FILE")]
    save_page: Option<PathBuf>,
}

/// Where the page of a command is.
#[derive(Debug)]
pub(crate) enum Place {
    /// In the session.
    Session(ShellArguments),
    Url(OwnPage),
    File(PageFile),
}

/// A page that is opened for one call, in a browser of its own.
#[derive(Debug)]
pub(crate) struct OwnPage {
    pub(crate) url: String,
    pub(crate) save_page: Option<PathBuf>,
    pub(crate) browser: BrowserArguments,
}

/// A page file, and where to write a copy.
#[derive(Debug)]
pub(crate) struct PageFile {
    pub(crate) path: String,
    pub(crate) save_page: Option<PathBuf>,
}

/// Whether an argument is a page: a URL or a page file.
pub(crate) fn is_page(argument: &str) -> bool {
    is_url(argument) || argument.ends_with(PAGE_FILE)
}

/// Whether an argument is a page file.
pub(crate) fn is_page_file(argument: &str) -> bool {
    argument.ends_with(PAGE_FILE) && !is_url(argument)
}

fn is_url(argument: &str) -> bool {
    let begins = |scheme: &&str| {
        argument.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    SCHEMES.iter().any(begins)
}

impl PlaceArguments {
    /// Returns where the page is; the session's page if none is given. Refuses flags that have no
    /// use there.
    pub(crate) fn place(self, page: Option<String>) -> anyhow::Result<Place> {
        let PlaceArguments { shared, save_page } = self;
        let Some(page) = page else {
            if save_page.is_some() {
                bail!("--save-page: the page of a session cannot be saved; give a URL");
            }
            return Ok(Place::Session(shared));
        };
        let is_file = is_page_file(&page);
        let has_session = shared.session.workspace.is_some();
        if has_session && is_file {
            bail!("-s: a page file needs no session; leave one of them out");
        }
        if has_session {
            bail!("-s: a URL is opened in a browser of its own; leave one of them out");
        }
        if !is_file {
            let browser = shared.browser.arguments;
            return Ok(Place::Url(OwnPage { url: page, save_page, browser }));
        }
        if let Some(flag) = shared.browser.flags().next() {
            bail!("{flag}: a page file needs no browser; leave one of them out");
        }
        Ok(Place::File(PageFile { path: page, save_page }))
    }
}

impl Place {
    /// Refuses a flag that has no use with the session's page.
    pub(crate) fn refuse_in_session(&self, flag: &str, given: bool) -> anyhow::Result<()> {
        if given && matches!(self, Place::Session(_)) {
            bail!("{flag}: has no use with the page of a session; give a URL or a page file");
        }
        Ok(())
    }

    /// Refuses a page file.
    pub(crate) fn refuse_file(&self, command: &str) -> anyhow::Result<()> {
        if let Place::File(PageFile { path, .. }) = self {
            bail!("{command} needs a live page; look at a page file with: pagesight look {path}");
        }
        Ok(())
    }
}

/// Splits two positional arguments, of which the first may be a page, into the page and the other.
pub(crate) fn page_and_other(
    command: &str,
    first: Option<String>,
    second: Option<String>,
) -> anyhow::Result<(Option<String>, Option<String>)> {
    match (first, second) {
        (Some(page), other) if is_page(&page) => Ok((Some(page), other)),
        (other, None) => Ok((None, other)),
        (first, Some(_)) => {
            let first = first.unwrap_or_default();
            bail!("{command}: {first:?} is not a page; give a URL or a page file (*{PAGE_FILE})");
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        command: PageCommand,
    }

    /// Returns where a command finds its page.
    fn place(words: &[&str]) -> anyhow::Result<Place> {
        let line = Line::try_parse_from(["pagesight"].iter().chain(words))?;
        match line.command {
            PageCommand::Snapshot { page, place, .. } => place.place(page),
            PageCommand::Element { first, second, place } => {
                place.place(page_and_other("element", Some(first), second)?.0)
            }
            PageCommand::Shot { first, second, place, .. } => {
                place.place(page_and_other("shot", first, second)?.0)
            }
            other => bail!("{other:?}"),
        }
    }

    #[test]
    fn the_first_argument_may_be_a_page() {
        for page in [
            "http://x",
            "HTTPS://x/a.page.json",
            "file:///x",
            "data:text/html,x",
            "about:blank",
            "a.page.json",
            "/tmp/a b.page.json",
        ] {
            assert!(is_page(page), "{page}");
        }
        for other in ["", "save", "12", "#go", "120,80", "p.png", "httpd", "a.json", "é"] {
            assert!(!is_page(other), "{other}");
        }
        assert!(is_page_file("a.page.json") && !is_page_file("http://x/a.page.json"));
    }

    #[test]
    fn a_page_is_in_the_session_at_a_url_or_in_a_file() {
        for words in [&["snapshot"][..], &["snapshot", "-s", "a"], &["element", "12"], &["shot"]] {
            assert!(matches!(place(words), Ok(Place::Session(_))), "{words:?}");
        }
        for words in [
            &["snapshot", "http://x", "--save-page", "x"][..],
            &["element", "http://x", "#go"],
            &["shot", "http://x", "p.png"],
        ] {
            assert!(matches!(place(words), Ok(Place::Url(_))), "{words:?}");
        }
        for words in [&["snapshot", "x.page.json"][..], &["element", "x.page.json", "12"]] {
            assert!(matches!(place(words), Ok(Place::File(_))), "{words:?}");
        }
    }

    #[test]
    fn flags_without_a_use_are_refused() {
        for (words, flag) in [
            (&["snapshot", "--save-page", "x"][..], "--save-page: "),
            (&["snapshot", "http://x", "-s", "a"], "-s: a URL"),
            (&["snapshot", "x.page.json", "-s", "a"], "-s: a page file"),
            (&["snapshot", "x.page.json", "--viewport", "800x600"], "--viewport: "),
            (&["element", "12", "13"], "element: \"12\" is not a page"),
        ] {
            let error = place(words).unwrap_err().to_string();
            assert!(error.starts_with(flag), "{words:?}: {error}");
        }
        let session = place(&["snapshot"]).unwrap();
        assert!(session.refuse_in_session("--store", true).is_err());
        assert!(session.refuse_in_session("--store", false).is_ok());
        assert!(place(&["snapshot", "x.page.json"]).unwrap().refuse_file("shot").is_err());
    }
}
