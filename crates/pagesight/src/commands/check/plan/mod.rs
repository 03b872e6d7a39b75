//! Reads `pages.toml` and creates one job for each page, viewport, browser and scope. Reports
//! errors with their line and the nearest known key, before a browser starts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pagesight_core::compare::{ChangeType, Comparison, IgnoreRules, Severity, WrittenRule};
use pagesight_core::fingerprint::Depth;
use pagesight_session::baseline::Name;
use pagesight_session::{Address, BrowserState, Engine, ScopeChoice, Viewport};
use serde::Deserialize;
use toml_edit::Document;

use super::problems::{ProblemRules, ProblemSetting};
use super::secrets::{CheckSecrets, Slot};
use super::steps::PageStep;
use crate::cli::options;
use crate::hints;

/// The default time limit of a page in seconds, and the highest one.
const LIMIT: u64 = 30;
const LONGEST_LIMIT: u64 = 600;
/// The default number of retries, and the highest one.
const RETRIES: u32 = 1;
const MOST_RETRIES: u32 = 10;

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct WrittenPlan {
    base_url: Option<String>,
    viewports: Option<Vec<String>>,
    browsers: Option<Vec<Engine>>,
    scopes: Option<Vec<String>>,
    depth: Option<Depth>,
    fail_on: Option<Severity>,
    timeout_s: Option<u64>,
    retries: Option<u32>,
    pictures: Option<bool>,
    problems: Option<ProblemSetting>,
    ignore_problems: Vec<String>,
    ignore: Vec<WrittenRule>,
    severity: BTreeMap<ChangeType, Severity>,
    setup: Option<WrittenSetup>,
    /// A file of cookies and localStorage, relative to this one.
    state: Option<PathBuf>,
    page: Vec<WrittenPage>,
}

/// Actions that run once in each browser before the pages.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct WrittenSetup {
    url: Option<String>,
    route: Option<String>,
    timeout_s: Option<u64>,
    retries: Option<u32>,
    actions: Vec<PageStep>,
}

/// A page as it is written. The settings of the file are its defaults.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct WrittenPage {
    name: Option<String>,
    url: Option<String>,
    route: Option<String>,
    viewports: Option<Vec<String>>,
    browsers: Option<Vec<Engine>>,
    scopes: Option<Vec<String>>,
    depth: Option<Depth>,
    timeout_s: Option<u64>,
    retries: Option<u32>,
    pictures: Option<bool>,
    /// The expected HTTP status, for pages that are meant to be errors.
    status: Option<u16>,
    problems: Option<ProblemSetting>,
    ignore_problems: Vec<String>,
    ignore: Vec<WrittenRule>,
    severity: BTreeMap<ChangeType, Severity>,
    actions: Vec<PageStep>,
}

/// The pages to check, and how.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The file.
    pub(crate) path: PathBuf,
    /// The severity at which a change fails.
    pub(crate) fail_on: Severity,
    /// Actions that run once in each browser before the pages.
    pub(crate) setup: Option<Setup>,
    /// One for each page, viewport, browser and scope, in the order they were written.
    pub(crate) jobs: Vec<Job>,
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
    /// The actions.
    pub(crate) steps: Vec<PageStep>,
    /// The time limit of one try.
    pub(crate) limit: Duration,
    /// The number of retries.
    pub(crate) retries: u32,
}

/// One page in one viewport of one browser.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// The page's name.
    pub(crate) name: String,
    /// Its address.
    pub(crate) url: Address,
    /// Its line in the file.
    pub(crate) line: usize,
    /// The browser.
    pub(crate) engine: Engine,
    /// The viewport.
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
    pub(crate) problems: ProblemRules,
    /// The ignore rules.
    pub(crate) rules: IgnoreRules,
    /// Severities that the project sets for types of changes.
    severity: BTreeMap<ChangeType, Severity>,
    /// Actions that run before the page is read.
    pub(crate) steps: Vec<PageStep>,
}

impl Job {
    /// Applies the severities of the file to changes.
    pub(crate) fn weigh(&self, comparison: &mut Comparison) {
        for change in &mut comparison.changes {
            change.severity = self.severity.get(&change.kind).copied().unwrap_or(change.severity);
        }
        comparison.changes.sort_by_key(|change| std::cmp::Reverse(change.severity));
    }
}

/// Arguments of the command line that replace settings of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overrides {
    /// Instead of `base_url`.
    pub(crate) base_url: Option<String>,
    /// Instead of `fail_on`.
    pub(crate) fail_on: Option<Severity>,
    /// Instead of `browsers`, unless empty.
    pub(crate) browsers: Vec<Engine>,
}

impl Plan {
    /// Reads a file. `environment` looks up a variable; an error is a sentence.
    pub(crate) fn read(
        path: &Path,
        text: &str,
        overrides: &Overrides,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Plan, String> {
        let at = |span: Option<std::ops::Range<usize>>, what: String| match span {
            Some(span) => format!("{}:{}: {what}", path.display(), line_of(text, span.start)),
            None => format!("{}: {what}", path.display()),
        };
        let document: Document<String> = Document::parse(text.to_owned())
            .map_err(|error| at(error.span(), one_line(error.message())))?;
        let lines: Vec<usize> = document
            .get("page")
            .and_then(|pages| pages.as_array_of_tables())
            .into_iter()
            .flatten()
            .map(|table| table.span().map_or(1, |span| line_of(text, span.start)))
            .collect();
        let written: WrittenPlan = toml_edit::de::from_document(document)
            .map_err(|error| at(error.span(), with_nearest(error.message())))?;
        let reader = PlanReader { path, lines, environment, overrides };
        reader.plan(written)
    }

    /// Returns the line of a page in the file.
    pub(crate) fn line_of(&self, name: &str) -> usize {
        self.jobs.iter().find(|job| job.name == name).map_or(1, |job| job.line)
    }

    /// Returns the folder of its baselines.
    pub(crate) fn folder(&self) -> PathBuf {
        let stem = self
            .path
            .file_stem()
            .map_or("pages".into(), |stem| stem.to_string_lossy().into_owned());
        self.path.with_file_name(format!("{stem}.baselines"))
    }
}

struct PlanReader<'a> {
    path: &'a Path,
    lines: Vec<usize>,
    environment: &'a dyn Fn(&str) -> Option<String>,
    overrides: &'a Overrides,
}

impl PlanReader<'_> {
    fn plan(&self, mut written: WrittenPlan) -> Result<Plan, String> {
        let whole = |what: String| format!("{}: {what}", self.path.display());
        if written.page.is_empty() {
            return Err(whole(
                "it has no pages; write [[page]] and route = \"/\" below it".to_owned(),
            ));
        }
        if self.overrides.base_url.is_some() {
            written.base_url.clone_from(&self.overrides.base_url);
        }
        let mut secrets = CheckSecrets::default();
        let setup = match std::mem::take(&mut written.setup) {
            None => None,
            Some(setup) => Some(
                self.setup(&written, setup, &mut secrets)
                    .map_err(|what| whole(format!("[setup]: {what}")))?,
            ),
        };
        let mut jobs = Vec::new();
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for (at, page) in std::mem::take(&mut written.page).into_iter().enumerate() {
            let line = self.lines.get(at).copied().unwrap_or(1);
            let wrong = |what: String| format!("{}:{line}: {what}", self.path.display());
            let made = self.page(&written, page, line, &mut secrets).map_err(wrong)?;
            let name = made.first().map_or_else(String::new, |job| job.name.clone());
            // Some file systems ignore case.
            if let Some(other) = names.insert(name.to_lowercase(), line) {
                return Err(wrong(format!(
                    "a page named {name:?} is already in line {other}; rename one of them"
                )));
            }
            jobs.extend(made);
        }
        let fail_on = self.overrides.fail_on.or(written.fail_on).unwrap_or(Severity::Error);
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let state = written.state.as_ref().map(|file| folder.join(file));
        Ok(Plan { path: self.path.to_owned(), fail_on, setup, jobs, state, loaded: None, secrets })
    }

    fn setup(
        &self,
        file: &WrittenPlan,
        setup: WrittenSetup,
        secrets: &mut CheckSecrets,
    ) -> Result<Setup, String> {
        let url = self.address(file, setup.url.as_deref(), setup.route.as_deref(), secrets)?;
        let steps = self.filled(setup.actions, secrets)?;
        if steps.is_empty() {
            return Err("it has no actions; add some, or remove it".to_owned());
        }
        let limit = limit(setup.timeout_s.or(file.timeout_s))?;
        Ok(Setup { url, steps, limit, retries: retries(setup.retries.or(file.retries))? })
    }

    fn page(
        &self,
        file: &WrittenPlan,
        page: WrittenPage,
        line: usize,
        secrets: &mut CheckSecrets,
    ) -> Result<Vec<Job>, String> {
        let url = self.address(file, page.url.as_deref(), page.route.as_deref(), secrets)?;
        let given = page.route.as_deref().or(page.url.as_deref()).unwrap_or_default();
        let name = page.name.unwrap_or_else(|| name_of(given));
        Name::parse(&name).map_err(|error| error.to_string())?;
        let retries = retries(page.retries.or(file.retries))?;
        let rules = file
            .ignore
            .iter()
            .chain(&page.ignore)
            .map(|rule| rule.read().map_err(|error| error.to_string()));
        let rules = IgnoreRules(rules.collect::<Result<_, _>>()?);
        let ignored = [file.ignore_problems.as_slice(), &page.ignore_problems].concat();
        let setting = page.problems.or(file.problems).unwrap_or_default();
        let problems = ProblemRules::new(setting, ignored)?;
        let mut severity = file.severity.clone();
        severity.extend(page.severity);
        let some = |given: Option<Vec<String>>, default: &str| {
            given.filter(|list| !list.is_empty()).unwrap_or_else(|| vec![default.to_owned()])
        };
        let viewports = some(page.viewports.or_else(|| file.viewports.clone()), "1280x720");
        let viewports = viewports.iter().map(|size| {
            options::viewport(size).map_err(|what| format!("{size:?} is not a viewport; {what}"))
        });
        let viewports = viewports.collect::<Result<Vec<_>, _>>()?;
        let scopes = some(page.scopes.or_else(|| file.scopes.clone()), "");
        let browsers =
            page.browsers.or_else(|| file.browsers.clone()).filter(|list| !list.is_empty());
        let browsers = match self.overrides.browsers.as_slice() {
            [] => browsers.unwrap_or_else(|| vec![Engine::default()]),
            given => given.to_vec(),
        };
        let steps = self.filled(page.actions, secrets)?;
        let mut jobs: Vec<Job> = Vec::new();
        for engine in browsers {
            for viewport in &viewports {
                for scope in &scopes {
                    let choice =
                        ScopeChoice::parse(Some(scope)).map_err(|error| error.to_string())?;
                    if matches!(choice, ScopeChoice::Reference(_)) {
                        return Err(format!(
                            "{scope:?} is not a scope for a check; give full, viewport or a CSS selector"
                        ));
                    }
                    let scope = if choice == ScopeChoice::Full {
                        String::new()
                    } else {
                        scope.trim().to_owned()
                    };
                    let same = |job: &Job| {
                        job.engine == engine && job.viewport == *viewport && job.scope == scope
                    };
                    if jobs.iter().any(same) {
                        continue;
                    }
                    jobs.push(Job {
                        name: name.clone(),
                        url: url.clone(),
                        line,
                        engine,
                        viewport: *viewport,
                        scope,
                        depth: page.depth.or(file.depth).unwrap_or_default(),
                        limit: limit(page.timeout_s.or(file.timeout_s))?,
                        retries,
                        pictures: page.pictures.or(file.pictures).unwrap_or(true),
                        status: page.status,
                        problems: problems.clone(),
                        rules: rules.clone(),
                        severity: severity.clone(),
                        steps: steps.clone(),
                    });
                }
            }
        }
        Ok(jobs)
    }

    /// Returns the address of a page: its URL, or its route under the base, with values from the
    /// environment.
    fn address(
        &self,
        file: &WrittenPlan,
        url: Option<&str>,
        route: Option<&str>,
        secrets: &mut CheckSecrets,
    ) -> Result<Address, String> {
        let mut filled = |text: &str| secrets.expand(text, Slot::Address, self.environment);
        let whole = match (url, route) {
            (Some(_), Some(_)) => {
                return Err("it has a url and a route; give only one of them".to_owned());
            }
            (None, None) => {
                return Err("it has no URL; add route = \"/\" or a url".to_owned());
            }
            (Some(url), None) => filled(url)?,
            (None, Some(route)) => {
                let Some(base) = file.base_url.as_deref() else {
                    let text = "a route needs a base URL; write base_url = \"http://localhost:3000\" at the top, or give --base-url";
                    return Err(text.to_owned());
                };
                let (base, route) = (filled(base)?, filled(route)?);
                format!("{}/{}", base.trim_end_matches('/'), route.trim_start_matches('/'))
            }
        };
        whole
            .parse::<Address>()
            .map_err(|error| secrets.hide(hints::sentence(hints::CHECK, &error.into())))
    }

    /// Fills in values from the environment.
    fn filled(
        &self,
        mut steps: Vec<PageStep>,
        secrets: &mut CheckSecrets,
    ) -> Result<Vec<PageStep>, String> {
        for (at, step) in steps.iter_mut().enumerate() {
            step.fill(secrets, self.environment)
                .map_err(|what| format!("action {}: {what}", at + 1))?;
        }
        Ok(steps)
    }
}

fn retries(given: Option<u32>) -> Result<u32, String> {
    match given.unwrap_or(RETRIES) {
        retries @ 0..=MOST_RETRIES => Ok(retries),
        retries => Err(format!("retries = {retries} is too high; the maximum is {MOST_RETRIES}")),
    }
}

fn limit(seconds: Option<u64>) -> Result<Duration, String> {
    match seconds.unwrap_or(LIMIT) {
        seconds @ 1..=LONGEST_LIMIT => Ok(Duration::from_secs(seconds)),
        seconds => {
            Err(format!("timeout_s = {seconds} is out of range; give 1 to {LONGEST_LIMIT} seconds"))
        }
    }
}

/// Makes a name from a route: `/orders/list?page=2` becomes `orders-list-page-2`.
pub(crate) fn name_of(route: &str) -> String {
    let route = route
        .split_once("://")
        .map_or(route, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let mut name = String::new();
    for c in route.chars() {
        match c {
            c if c.is_alphanumeric() || c == '.' || c == '_' => name.push(c),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    let name: String = name.trim_matches(['-', '.']).chars().take(100).collect();
    if name.is_empty() { "home".to_owned() } else { name }
}

/// Returns the line of an offset, counted from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count()
}

/// Puts a message of the parser on one line.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Rewords an error about an unknown key or word so that it names the nearest known one.
fn with_nearest(message: &str) -> String {
    let message = one_line(message);
    let (what, expected) = match message.split_once(", expected ") {
        Some((what, expected)) if what.starts_with("unknown ") => (what, expected),
        _ => return message,
    };
    let quoted = |text: &str| -> Vec<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let (given, known) = (quoted(what).concat(), quoted(expected));
    let nearest = known.iter().max_by(|one, other| {
        let like = |word: &str| strsim::jaro_winkler(&given, word);
        like(one).total_cmp(&like(other))
    });
    match nearest {
        Some(nearest) if strsim::jaro_winkler(&given, nearest) > 0.7 => {
            format!("unknown `{given}`; did you mean `{nearest}`?")
        }
        _ => format!("unknown `{given}`; give one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests;
