//! The pages to check: one job for each page, size, condition, browser and scope, and the sources
//! of further pages.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pagesight_core::compare::{ChangeType, Comparison, IgnoreRules, Severity};
use pagesight_core::fingerprint::Depth;
use pagesight_session::{Address, AuditRequest, BrowserState, Emulation, Engine, Viewport};
use sha2::{Digest, Sha256};

use super::bounds::{OutOfBounds, PlanBounds};
use super::error::PlanError;
use super::problems::ProblemRules;
use super::secrets::CheckSecrets;
use super::steps::PageStep;
use super::visual::VisualRules;
use crate::baseline::PageKey;

/// How many pages are named for an unknown one.
const MOST_NAMED: usize = 20;

/// The pages to check, and how.
#[derive(Debug)]
pub struct Plan {
    /// The path of the file.
    pub path: PathBuf,
    /// The prefix of all routes, with values filled in.
    pub base_url: Option<String>,
    /// The severity at which a change fails.
    pub fail_on: Severity,
    /// Actions that run once in each browser before the pages.
    pub(crate) setup: Option<Setup>,
    /// One for each page, viewport, browser and scope, in the order they were written.
    pub jobs: Vec<Job>,
    /// Sources of further pages, which `sources` lists.
    pub(crate) sources: Vec<PageSource>,
    /// Which files belong to which pages.
    pub(crate) route_map: Vec<RouteMap>,
    /// The file whose cookies and localStorage each browser starts with.
    pub state: Option<PathBuf>,
    /// The content of that file, once it was read.
    pub loaded: Option<Arc<BrowserState>>,
    /// Values that must not be printed or saved.
    pub secrets: CheckSecrets,
    /// The limits of what its pages may use, if others wrote it.
    pub bounds: Option<PlanBounds>,
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
    /// Whether its own address or its actions have values from the environment.
    pub(super) has_values: bool,
    /// The value beyond the bounds of the plan that it asks for, if it does.
    pub(super) beyond: Option<OutOfBounds>,
}

/// One page in one size and under one condition of one browser.
#[derive(Clone, Debug)]
pub struct Job {
    /// The name of the page.
    pub name: String,
    /// The address of the page.
    pub url: Address,
    /// Its line in the file.
    pub line: usize,
    /// The browser.
    pub engine: Engine,
    /// The viewport.
    pub viewport: Viewport,
    /// The conditions that its tab emulates.
    pub emulation: Emulation,
    /// The scope as it was written; empty for the whole page.
    pub scope: String,
    /// The depth of the fingerprint.
    pub(crate) depth: Depth,
    /// The time limit of one try.
    pub(crate) limit: Duration,
    /// The number of retries.
    pub retries: u32,
    /// Whether pictures are saved.
    pub(crate) pictures: bool,
    /// The HTTP status that is expected, if one is.
    pub(crate) status: Option<u16>,
    /// Which console errors and failed requests are changes.
    pub(crate) problems: Arc<ProblemRules>,
    /// The changes that are ignored.
    pub rules: Arc<IgnoreRules>,
    /// Targets whose texts must stay equal.
    pub(crate) exact: Arc<Vec<String>>,
    /// Whether prices and other numbers with a unit are compared.
    pub(crate) numbers: bool,
    /// The parts of its look that are compared.
    pub(crate) visual: Arc<VisualRules>,
    /// The accessibility rules that are tested, if any are.
    pub(crate) audit: Option<Arc<AuditRequest>>,
    /// Severities that the project sets for types of changes.
    pub(super) severity: Arc<BTreeMap<ChangeType, Severity>>,
    /// Actions that run before the page is read.
    pub(crate) steps: Arc<Vec<PageStep>>,
    /// The index of the source that lists its page, if one does.
    pub source: Option<usize>,
    /// Whether it is a story of a Storybook, which reports when it is rendered.
    pub(crate) is_story: bool,
    /// Whether its own address or its actions have values from the environment.
    pub(super) has_values: bool,
    /// The value beyond the bounds of the plan that it asks for, if it does.
    pub(super) beyond: Option<OutOfBounds>,
}

impl Job {
    /// Returns what identifies its baseline.
    pub fn key(&self) -> PageKey {
        PageKey {
            name: self.name.clone(),
            browser: self.engine.id().to_owned(),
            width: self.viewport.width,
            height: self.viewport.height,
            emulation: self.emulation.to_string(),
            scope: self.scope.clone(),
        }
    }

    /// Reports whether its address is not known, because it needs a value out of bounds.
    pub fn is_nowhere(&self) -> bool {
        self.beyond.is_some()
    }

    /// Returns the same job for a different page.
    pub fn of_page(&self, name: &str, url: &Address) -> Job {
        Job { name: name.to_owned(), url: url.clone(), ..self.clone() }
    }

    /// Applies the severities of the file to changes.
    pub fn weigh(&self, comparison: &mut Comparison) {
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
pub struct Overrides {
    /// Instead of `base_url`.
    pub base_url: Option<String>,
    /// Instead of `fail_on`.
    pub fail_on: Option<Severity>,
    /// Instead of `browsers`, unless empty.
    pub browsers: Vec<Engine>,
}

impl Plan {
    /// Returns the indices of the jobs with these names; all if none is given.
    pub fn named(&self, only: &[String]) -> Result<Vec<usize>, PlanError> {
        let known: HashSet<&str> = match only.is_empty() {
            true => HashSet::new(),
            false => self.jobs.iter().map(|job| job.name.as_str()).collect(),
        };
        if let Some(unknown) = only.iter().find(|name| !known.contains(name.as_str())) {
            let mut known: Vec<String> = self.jobs.iter().map(|job| job.name.clone()).collect();
            known.dedup();
            known.truncate(MOST_NAMED);
            return Err(PlanError::UnknownPage { name: unknown.clone(), known });
        }
        let wanted: HashSet<&str> = only.iter().map(String::as_str).collect();
        let is_wanted =
            |at: &usize| wanted.is_empty() || wanted.contains(self.jobs[*at].name.as_str());
        Ok((0..self.jobs.len()).filter(is_wanted).collect())
    }

    /// Returns the digest of some of its jobs. Two plans with the same digest check the same pages
    /// in the same way. Addresses do not count, because each shard may serve the site at a
    /// different port.
    pub fn digest_of<'a>(&self, jobs: impl Iterator<Item = &'a Job>) -> String {
        let mut hash = Sha256::new();
        hash.update(self.fail_on.as_str());
        for job in jobs {
            let size = job.viewport;
            for part in [
                job.name.as_str(),
                job.engine.id(),
                &format!("{}x{}", size.width, size.height),
                &job.scope,
                job.depth.as_str(),
                &job.emulation.to_string(),
            ]
            .into_iter()
            // A plan without conditions has the digest that it always had.
            .enumerate()
            .filter(|(at, part)| *at < 5 || !part.is_empty())
            .map(|(_, part)| part)
            {
                hash.update(part);
                hash.update([0]);
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the line of a page in the file.
    pub fn line_of(&self, name: &str) -> usize {
        self.jobs.iter().find(|job| job.name == name).map_or(1, |job| job.line)
    }

    /// Adds the ignore rules of the project to every page.
    pub fn add_rules(&mut self, rules: &IgnoreRules) {
        let templates = self.sources.iter_mut().flat_map(|source| &mut source.template);
        for job in self.jobs.iter_mut().chain(templates).filter(|_| !rules.0.is_empty()) {
            Arc::make_mut(&mut job.rules).0.extend(rules.0.iter().cloned());
        }
    }

    /// Returns what a page asks for beyond the bounds of the plan. It must not be visited then.
    pub fn out_of_bounds(&self, job: &Job) -> Option<OutOfBounds> {
        let bounds = self.bounds.as_ref()?;
        if self.state.is_some() && self.loaded.is_none() {
            return Some(OutOfBounds::State);
        }
        let setup = self.setup.as_ref().and_then(|setup| {
            let refused = bounds.refuses(setup.beyond.as_ref(), &setup.url, &setup.steps)?;
            Some(OutOfBounds::Setup(Box::new(refused)))
        });
        setup.or_else(|| bounds.refuses(job.beyond.as_ref(), &job.url, &job.steps))
    }

    /// Reports whether pictures of a page could show values from the environment to those who wrote
    /// the plan: texts are searched for values, pictures are not.
    pub fn may_picture_values(&self, job: &Job) -> bool {
        let in_setup = self.setup.as_ref().is_some_and(|setup| setup.has_values);
        self.bounds.is_some() && (job.has_values || in_setup)
    }

    /// Returns how many pages there are; a page may have several jobs.
    pub fn page_count(&self) -> usize {
        self.jobs.chunk_by(|one, other| one.name == other.name).count()
    }

    /// Reports whether actions run in each browser before the pages.
    pub fn has_setup(&self) -> bool {
        self.setup.is_some()
    }

    /// Reports whether sources list further pages.
    pub fn has_sources(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Returns the jobs that each page of a source gets, with the indices of the sources. Name and
    /// address are replaced.
    pub fn listed_jobs(&self) -> impl Iterator<Item = (usize, &Job)> {
        let sources = self.sources.iter().enumerate();
        sources.flat_map(|(at, source)| source.template.iter().map(move |job| (at, job)))
    }

    /// Returns the folder of its baselines.
    pub fn folder(&self) -> PathBuf {
        baseline_folder(&self.path)
    }
}

/// Returns the folder of the baselines of a file that lists pages.
pub fn baseline_folder(file: &Path) -> PathBuf {
    let stem = file.file_stem().map_or("pages".into(), |stem| stem.to_string_lossy().into_owned());
    file.with_file_name(format!("{stem}.baselines"))
}
