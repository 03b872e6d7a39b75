//! The pages to check: one job for each page, viewport, browser and scope, and the sources of
//! further pages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pagesight_core::compare::{ChangeType, Comparison, IgnoreRules, Severity};
use pagesight_core::fingerprint::Depth;
use pagesight_session::{Address, BrowserState, Engine, Viewport};

use crate::commands::check::problems::ProblemRules;
use crate::commands::check::secrets::CheckSecrets;
use crate::commands::check::steps::PageStep;

/// The pages to check, and how.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) path: PathBuf,
    /// The prefix of all routes, with values filled in.
    pub(crate) base_url: Option<String>,
    /// The severity at which a change fails.
    pub(crate) fail_on: Severity,
    /// Actions that run once in each browser before the pages.
    pub(crate) setup: Option<Setup>,
    /// One for each page, viewport, browser and scope, in the order they were written.
    pub(crate) jobs: Vec<Job>,
    /// Sources of further pages, which `sources` lists.
    pub(crate) sources: Vec<PageSource>,
    /// Which files belong to which pages.
    pub(crate) route_map: Vec<RouteMap>,
    /// The file whose cookies and localStorage each browser starts with.
    pub(crate) state: Option<PathBuf>,
    /// The content of that file, once it was read.
    pub(crate) loaded: Option<Arc<BrowserState>>,
    /// Values that must not be printed or saved.
    pub(crate) secrets: CheckSecrets,
}

/// Actions that run once in each browser.
#[derive(Debug)]
pub(crate) struct Setup {
    /// The URL that they start on.
    pub(crate) url: Address,
    pub(crate) steps: Vec<PageStep>,
    /// The time limit of one try.
    pub(crate) limit: Duration,
    /// The number of retries.
    pub(crate) retries: u32,
}

/// One page in one viewport of one browser.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) name: String,
    pub(crate) url: Address,
    /// Its line in the file.
    pub(crate) line: usize,
    pub(crate) engine: Engine,
    pub(crate) viewport: Viewport,
    /// The scope as it was written; empty for the whole page.
    pub(crate) scope: String,
    /// The depth of the fingerprint.
    pub(crate) depth: Depth,
    /// The time limit of one try.
    pub(crate) limit: Duration,
    /// The number of retries.
    pub(crate) retries: u32,
    /// Whether pictures are saved.
    pub(crate) pictures: bool,
    /// The HTTP status that is expected, if one is.
    pub(crate) status: Option<u16>,
    /// Which console errors and failed requests are changes.
    pub(crate) problems: Arc<ProblemRules>,
    pub(crate) rules: Arc<IgnoreRules>,
    /// Severities that the project sets for types of changes.
    pub(super) severity: Arc<BTreeMap<ChangeType, Severity>>,
    /// Actions that run before the page is read.
    pub(crate) steps: Arc<Vec<PageStep>>,
    /// The index of the source that lists its page, if one does.
    pub(crate) source: Option<usize>,
    /// Whether it is a story of a Storybook, which reports when it is rendered.
    pub(crate) is_story: bool,
}

impl Job {
    /// Returns the same job for a different page.
    pub(crate) fn of_page(&self, name: &str, url: &Address) -> Job {
        Job { name: name.to_owned(), url: url.clone(), ..self.clone() }
    }

    /// Applies the severities of the file to changes.
    pub(crate) fn weigh(&self, comparison: &mut Comparison) {
        for change in &mut comparison.changes {
            change.severity = self.severity.get(&change.kind).copied().unwrap_or(change.severity);
        }
        comparison.changes.sort_by_key(|change| std::cmp::Reverse(change.severity));
    }
}

/// A source of pages.
#[derive(Debug)]
pub(crate) struct PageSource {
    pub(crate) kind: SourceKind,
    /// Globs of the paths to list; all if empty.
    pub(crate) include: Vec<String>,
    /// Globs of the paths to leave out.
    pub(crate) exclude: Vec<String>,
    /// The most pages; more are an error.
    pub(crate) most: usize,
    /// Its line in the file.
    pub(crate) line: usize,
    /// The jobs of one page. Name and address are replaced.
    pub(crate) template: Vec<Job>,
}

/// The kind of a source.
#[derive(Debug)]
pub(crate) enum SourceKind {
    /// A sitemap, or an index of sitemaps.
    Sitemap {
        url: Address,
        /// The origin that it writes instead of the one that is checked.
        origin: Option<String>,
    },
    /// The stories of a Storybook.
    Storybook {
        /// The address of the Storybook.
        url: Address,
        /// Stories with one of these tags are left out.
        skip_tags: Vec<String>,
    },
    /// The pages that links lead to.
    Links {
        url: Address,
        /// How many links away to go.
        depth: usize,
    },
    /// The lines that a command prints.
    Command {
        /// The command, for the shell.
        line: String,
    },
}

/// Files, and the pages that a change of them can touch.
#[derive(Clone, Debug)]
pub(crate) struct RouteMap {
    /// Globs of files, from the root of the repository.
    pub(crate) files: Vec<String>,
    /// Globs of names of pages.
    pub(crate) pages: Vec<String>,
}

/// Arguments of the command line that replace settings of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overrides {
    pub(crate) base_url: Option<String>,
    pub(crate) fail_on: Option<Severity>,
    /// Instead of `browsers`, unless empty.
    pub(crate) browsers: Vec<Engine>,
}

impl Plan {
    /// Returns the line of a page in the file.
    pub(crate) fn line_of(&self, name: &str) -> usize {
        self.jobs.iter().find(|job| job.name == name).map_or(1, |job| job.line)
    }

    /// Adds the ignore rules of the project to every page.
    pub(crate) fn add_rules(&mut self, rules: &IgnoreRules) {
        let templates = self.sources.iter_mut().flat_map(|source| &mut source.template);
        for job in self.jobs.iter_mut().chain(templates).filter(|_| !rules.0.is_empty()) {
            Arc::make_mut(&mut job.rules).0.extend(rules.0.iter().cloned());
        }
    }

    /// Returns how many pages there are; a page may have several jobs.
    pub(crate) fn page_count(&self) -> usize {
        self.jobs.chunk_by(|one, other| one.name == other.name).count()
    }

    /// Returns the folder of its baselines.
    pub(crate) fn folder(&self) -> PathBuf {
        baseline_folder(&self.path)
    }
}

/// Returns the folder of the baselines of a file that lists pages.
pub(crate) fn baseline_folder(file: &Path) -> PathBuf {
    let stem = file.file_stem().map_or("pages".into(), |stem| stem.to_string_lossy().into_owned());
    file.with_file_name(format!("{stem}.baselines"))
}
