//! Turns the written file into jobs, with defaults filled in.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pagesight_core::compare::{ChangeType, IgnoreRules, Severity};
use pagesight_core::targets::TargetQuery;
use pagesight_session::{Address, Engine, ScopeChoice, SessionError};
use toml_edit::Document;

use super::audit::AuditSetting;
use super::bounds::{OutOfBounds, PlanBounds};
use super::error::{PlanError, SettingError};
use super::model::{Job, Overrides, PageSource, Plan, RouteMap, Setup, SourceKind};
use super::names::name_of;
use super::problems::ProblemRules;
use super::secrets::{CheckSecrets, Slot, has_variable};
use super::source_reader;
use super::steps::PageStep;
use super::views::views;
use super::visual::{VisualRules, VisualSetting};
use super::written::{NumberSetting, WrittenPage, WrittenPlan, WrittenSetup, WrittenSource};
use crate::baseline::Name;
use crate::toml_errors::{LineStarts, one_line, with_nearest};
use crate::wording::plain;

/// The default time limit of a page in seconds, and the highest one.
const LIMIT: u64 = 30;
const LONGEST_LIMIT: u64 = 600;
/// The default number of retries, and the highest one.
const RETRIES: u32 = 1;
const MOST_RETRIES: u32 = 10;
/// Stands for an address that is not known.
const NOWHERE: &str = "about:blank";

impl Plan {
    /// Reads a file. `environment` looks up a variable.
    pub fn read(
        path: &Path,
        text: &str,
        overrides: &Overrides,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Plan, PlanError> {
        Plan::read_as(path, text, overrides, environment, None)
    }

    /// Reads a file that others wrote. A page that asks for more than the bounds is no error:
    /// [`Plan::out_of_bounds`] returns what it is.
    pub fn read_within(
        path: &Path,
        text: &str,
        overrides: &Overrides,
        environment: &dyn Fn(&str) -> Option<String>,
        bounds: PlanBounds,
    ) -> Result<Plan, PlanError> {
        Plan::read_as(path, text, overrides, environment, Some(bounds))
    }

    fn read_as(
        path: &Path,
        text: &str,
        overrides: &Overrides,
        environment: &dyn Fn(&str) -> Option<String>,
        bounds: Option<PlanBounds>,
    ) -> Result<Plan, PlanError> {
        let shown = path.display().to_string();
        let at = |span: Option<std::ops::Range<usize>>, what: String| {
            let (path, reason) = (shown.clone(), SettingError::Toml(what));
            match span {
                Some(span) => {
                    let line = LineStarts::of(text).line_of(span.start);
                    PlanError::Line { path, line, reason }
                }
                None => PlanError::File { path, reason },
            }
        };
        let document: Document<String> = Document::parse(text.to_owned())
            .map_err(|error| at(error.span(), one_line(error.message())))?;
        let starts = LineStarts::of(text);
        let lines = |key: &str| -> Vec<usize> {
            let tables = document.get(key).and_then(|tables| tables.as_array_of_tables());
            let tables = tables.into_iter().flatten();
            tables.map(|table| table.span().map_or(1, |span| starts.line_of(span.start))).collect()
        };
        let (lines, source_lines) = (lines("page"), lines("source"));
        let written: WrittenPlan = toml_edit::de::from_document(document)
            .map_err(|error| at(error.span(), with_nearest(error.message())))?;
        let values =
            PlanValues { environment, bounds: bounds.as_ref(), beyond: RefCell::default() };
        let reader = PlanReader { path, lines, source_lines, values, overrides };
        let plan = reader.plan(written)?;
        Ok(Plan { bounds, ..plan })
    }
}

/// The values of variables, as far as the plan may use them.
struct PlanValues<'a> {
    environment: &'a dyn Fn(&str) -> Option<String>,
    bounds: Option<&'a PlanBounds>,
    /// The variable that was asked for beyond the bounds.
    beyond: RefCell<Option<OutOfBounds>>,
}

impl PlanValues<'_> {
    /// Looks up a variable. One that is out of bounds is noted, and its value stays unknown.
    fn find(&self, name: &str) -> Option<String> {
        match self.bounds {
            Some(bounds) if !bounds.variables.iter().any(|known| known == name) => {
                self.beyond.replace(Some(OutOfBounds::Variable { name: name.to_owned() }));
                Some(String::new())
            }
            _ => (self.environment)(name),
        }
    }

    /// Reports whether something was noted.
    fn has_beyond(&self) -> bool {
        self.beyond.borrow().is_some()
    }

    /// Returns what was noted so far, and forgets it.
    fn beyond(&self) -> Option<OutOfBounds> {
        self.beyond.take()
    }
}

struct PlanReader<'a> {
    path: &'a Path,
    /// The lines of the pages.
    lines: Vec<usize>,
    /// The lines of the sources.
    source_lines: Vec<usize>,
    values: PlanValues<'a>,
    overrides: &'a Overrides,
}

impl PlanReader<'_> {
    fn plan(&self, mut written: WrittenPlan) -> Result<Plan, PlanError> {
        let path = || self.path.display().to_string();
        let whole = |reason| PlanError::File { path: path(), reason };
        written.take_defaults().map_err(|name| whole(SettingError::DefaultTwice(name)))?;
        let given = source_reader::taken(&mut written);
        if written.page.is_empty() && given.is_empty() {
            return Err(whole(SettingError::NoPages));
        }
        if self.overrides.base_url.is_some() {
            written.base_url.clone_from(&self.overrides.base_url);
        }
        let mut secrets = CheckSecrets::default();
        let setup = match std::mem::take(&mut written.setup) {
            None => None,
            Some(setup) => Some(
                self.setup(&written, setup, &mut secrets)
                    .map_err(|reason| whole(SettingError::Setup(Box::new(reason))))?,
            ),
        };
        let mut jobs = Vec::new();
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for (at, page) in std::mem::take(&mut written.page).into_iter().enumerate() {
            let line = self.lines.get(at).copied().unwrap_or(1);
            let wrong = |reason| PlanError::Line { path: path(), line, reason };
            let made = self.page(&written, page, line, &mut secrets).map_err(wrong)?;
            let name = made.first().map_or_else(String::new, |job| job.name.clone());
            // Some file systems ignore case.
            if let Some(other) = names.insert(name.to_lowercase(), line) {
                return Err(wrong(SettingError::SameName { name, line: other }));
            }
            jobs.extend(made);
        }
        // A variable that is not set was reported already, if a page needs it.
        let base_url = written.base_url.as_deref();
        let base_url = base_url.and_then(|base| self.expand(base, &mut secrets).ok());
        let base_beyond = self.values.beyond();
        let mut sources = Vec::new();
        for (at, source) in given {
            let line = at.and_then(|at| self.source_lines.get(at)).copied().unwrap_or(1);
            let made = self.source(&written, source, line, &mut secrets);
            let mut made = made.map_err(|reason| PlanError::Line { path: path(), line, reason })?;
            for job in &mut made.template {
                job.source = Some(sources.len());
                job.beyond = job.beyond.take().or_else(|| base_beyond.clone());
            }
            sources.push(made);
        }
        let all = || jobs.iter().chain(sources.iter().flat_map(|source| &source.template));
        if let Some(useless) = useless(&written.mask, written.threshold)
            && !all().any(|job| job.visual.compares_pixels())
        {
            return Err(whole(SettingError::OnlyForPixels(useless)));
        }
        if let Some(useless) = useless_in_audit(&written.audit_tags, &written.audit_ignore)
            && !all().any(|job| job.audit.is_some())
        {
            return Err(whole(SettingError::OnlyForAudits(useless)));
        }
        let mut route_map = Vec::new();
        for entry in std::mem::take(&mut written.route_map) {
            if entry.files.is_empty() {
                return Err(whole(SettingError::RouteWithoutFiles));
            }
            route_map.push(RouteMap { files: entry.files, pages: entry.pages });
        }
        let fail_on = self.overrides.fail_on.or(written.fail_on).unwrap_or(Severity::Error);
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let state = written.state.as_ref().map(|file| folder.join(file));
        Ok(Plan {
            path: self.path.to_owned(),
            base_url: base_url.filter(|_| base_beyond.is_none()),
            fail_on,
            setup,
            jobs,
            sources,
            route_map,
            state,
            loaded: None,
            secrets,
            bounds: None,
        })
    }

    fn setup(
        &self,
        file: &WrittenPlan,
        setup: WrittenSetup,
        secrets: &mut CheckSecrets,
    ) -> Result<Setup, SettingError> {
        let url = self.address(file, setup.url.as_deref(), setup.route.as_deref(), secrets)?;
        let given = setup.route.as_deref().or(setup.url.as_deref()).unwrap_or_default();
        let steps = self.filled(setup.actions, secrets)?;
        let has_values = has_variable(given) || steps.iter().any(|step| step.has_values);
        if steps.is_empty() {
            return Err(SettingError::NoActions);
        }
        let limit = limit(setup.timeout_s.or(file.timeout_s))?;
        let retries = retries(setup.retries.or(file.retries))?;
        Ok(Setup { url, steps, limit, retries, has_values, beyond: self.values.beyond() })
    }

    fn page(
        &self,
        file: &WrittenPlan,
        page: WrittenPage,
        line: usize,
        secrets: &mut CheckSecrets,
    ) -> Result<Vec<Job>, SettingError> {
        let url = self.address(file, page.url.as_deref(), page.route.as_deref(), secrets)?;
        let given = page.route.as_deref().or(page.url.as_deref()).unwrap_or_default();
        let in_address = has_variable(given);
        let views = views(file, &page)?;
        let name = page.name.unwrap_or_else(|| name_of(given));
        Name::parse(&name)?;
        let retries = retries(page.retries.or(file.retries))?;
        let rules = file
            .ignore
            .iter()
            .chain(&page.ignore)
            .map(|rule| rule.read().map_err(|error| SettingError::Rule(error.to_string())));
        let rules = Arc::new(IgnoreRules(rules.collect::<Result<_, _>>()?));
        let ignored = [file.ignore_problems.as_slice(), &page.ignore_problems].concat();
        let setting = page.problems.or(file.problems).unwrap_or_default();
        let problems = Arc::new(ProblemRules::new(setting, ignored)?);
        let exact = Arc::new(exact(file.exact.iter().chain(&page.exact))?);
        let numbers = page.numbers.or(file.numbers).unwrap_or_default();
        let visual = page.visual.or(file.visual).unwrap_or_default();
        if visual != VisualSetting::Pixels
            && let Some(useless) = useless(&page.mask, page.threshold)
        {
            return Err(SettingError::OnlyForPixels(useless));
        }
        let masks = [file.mask.as_slice(), &page.mask].concat();
        let pictures = page.pictures.or(file.pictures).unwrap_or(true);
        let threshold = page.threshold.or(file.threshold);
        let visual = Arc::new(VisualRules::new(visual, masks, threshold, pictures)?);
        let audit = page.audit.or(file.audit).unwrap_or_default();
        let useless = useless_in_audit(&page.audit_tags, &page.audit_ignore);
        if let Some(useless) = useless.filter(|_| audit == AuditSetting::Off) {
            return Err(SettingError::OnlyForAudits(useless));
        }
        let audit = audit.request(
            [file.audit_tags.as_slice(), &page.audit_tags].concat(),
            [file.audit_ignore.as_slice(), &page.audit_ignore].concat(),
        )?;
        let audit = audit.map(Arc::new);
        let mut severity = file.severity.clone();
        severity.extend(page.severity);
        if numbers == NumberSetting::Warning {
            severity.entry(ChangeType::NumberChanged).or_insert(Severity::Warning);
        }
        let severity = Arc::new(severity);
        let some = |given: Option<Vec<String>>, default: &str| {
            given.filter(|list| !list.is_empty()).unwrap_or_else(|| vec![default.to_owned()])
        };
        let scopes = some(page.scopes.or_else(|| file.scopes.clone()), "");
        let browsers =
            page.browsers.or_else(|| file.browsers.clone()).filter(|list| !list.is_empty());
        let browsers = match self.overrides.browsers.as_slice() {
            [] => browsers.unwrap_or_else(|| vec![Engine::default()]),
            given => given.to_vec(),
        };
        let steps = Arc::new(self.filled(page.actions, secrets)?);
        let has_values = in_address || steps.iter().any(|step| step.has_values);
        let beyond = self.values.beyond();
        let mut jobs: Vec<Job> = Vec::new();
        for engine in browsers {
            for (viewport, emulation) in &views {
                for scope in &scopes {
                    let choice = ScopeChoice::parse(Some(scope))
                        .map_err(|error| SettingError::ScopeSyntax(error.to_string()))?;
                    if matches!(choice, ScopeChoice::Reference(_)) {
                        return Err(SettingError::Scope(scope.clone()));
                    }
                    let scope = if choice == ScopeChoice::Full {
                        String::new()
                    } else {
                        scope.trim().to_owned()
                    };
                    let same = |job: &Job| {
                        job.engine == engine
                            && job.viewport == *viewport
                            && job.emulation == *emulation
                            && job.scope == scope
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
                        emulation: emulation.clone(),
                        scope,
                        depth: page.depth.or(file.depth).unwrap_or_default(),
                        limit: limit(page.timeout_s.or(file.timeout_s))?,
                        retries,
                        pictures,
                        status: page.status,
                        problems: problems.clone(),
                        rules: rules.clone(),
                        exact: exact.clone(),
                        numbers: numbers != NumberSetting::Off,
                        visual: visual.clone(),
                        audit: audit.clone(),
                        severity: severity.clone(),
                        steps: steps.clone(),
                        source: None,
                        is_story: false,
                        has_values,
                        beyond: beyond.clone(),
                    });
                }
            }
        }
        Ok(jobs)
    }

    /// Reads a source. Its jobs are made as for a page; what the source lists replaces their names
    /// and addresses.
    fn source(
        &self,
        file: &WrittenPlan,
        mut source: WrittenSource,
        line: usize,
        secrets: &mut CheckSecrets,
    ) -> Result<PageSource, SettingError> {
        let kind = source_reader::kind(&source, |at| match at.contains("://") {
            true => self.address(file, Some(at), None, secrets),
            false => self.address(file, None, Some(at), secrets),
        })?;
        // Only whoever lists the pages reads from its address.
        drop(self.values.beyond());
        let most = source_reader::most(source.max)?;
        let include = std::mem::take(&mut source.include);
        let exclude = std::mem::take(&mut source.exclude);
        let page = source_reader::page_like(source);
        let mut template = self.page(file, page, line, secrets)?;
        let is_story = matches!(kind, SourceKind::Storybook { .. });
        template.iter_mut().for_each(|job| job.is_story = is_story);
        Ok(PageSource { kind, include, exclude, most, line, template })
    }

    /// Returns the address of a page: its URL, or its route under the base, with values from the
    /// environment.
    fn address(
        &self,
        file: &WrittenPlan,
        url: Option<&str>,
        route: Option<&str>,
        secrets: &mut CheckSecrets,
    ) -> Result<Address, SettingError> {
        let mut filled = |text: &str| self.expand(text, secrets);
        // A path can only be under the base.
        let (url, route) = match (url, route) {
            (Some(path), None) if path.starts_with('/') && !path.starts_with("//") => {
                (None, Some(path))
            }
            given => given,
        };
        let whole = match (url, route) {
            (Some(_), Some(_)) => {
                return Err(SettingError::TwoAddresses);
            }
            (None, None) => {
                return Err(SettingError::NoAddress);
            }
            (Some(url), None) => filled(url)?,
            (None, Some(route)) => {
                let Some(base) = file.base_url.as_deref() else {
                    return Err(SettingError::NoBaseUrl);
                };
                let (base, route) = (filled(base)?, filled(route)?);
                format!("{}/{}", base.trim_end_matches('/'), route.trim_start_matches('/'))
            }
        };
        // With a value that is out of bounds it has no address; it is not visited either.
        let whole = match self.values.has_beyond() {
            true => NOWHERE.to_owned(),
            false => whole,
        };
        whole
            .parse::<Address>()
            .map_err(|error| SettingError::Address(secrets.hide(plain(&SessionError::from(error)))))
    }

    /// Fills values from the environment into an address.
    fn expand(&self, text: &str, secrets: &mut CheckSecrets) -> Result<String, SettingError> {
        secrets.expand(text, Slot::Address, &|name| self.values.find(name))
    }

    /// Fills in values from the environment.
    fn filled(
        &self,
        mut steps: Vec<PageStep>,
        secrets: &mut CheckSecrets,
    ) -> Result<Vec<PageStep>, SettingError> {
        for (at, step) in steps.iter_mut().enumerate() {
            step.fill(secrets, &|name| self.values.find(name)).map_err(|reason| {
                SettingError::Action { place: at + 1, reason: Box::new(reason) }
            })?;
        }
        Ok(steps)
    }
}

/// Checks the targets whose texts must stay equal.
fn exact<'a>(given: impl Iterator<Item = &'a String>) -> Result<Vec<String>, SettingError> {
    let mut targets: Vec<String> = Vec::new();
    for target in given {
        let target = target.trim().to_owned();
        match TargetQuery::parse(&target) {
            Err(reason) => return Err(SettingError::Exact { given: target, reason }),
            Ok(TargetQuery::Reference(_)) => return Err(SettingError::ExactReference(target)),
            Ok(_) if targets.contains(&target) => return Err(SettingError::ExactTwice(target)),
            Ok(_) => targets.push(target),
        }
    }
    Ok(targets)
}

/// Returns the name of a setting that only comparisons of pictures use, if there is one.
fn useless(masks: &[String], threshold: Option<f64>) -> Option<&'static str> {
    match (masks, threshold) {
        ([], None) => None,
        ([], Some(_)) => Some("threshold"),
        _ => Some("mask"),
    }
}

/// Returns the name of a setting that only audits use, if there is one.
fn useless_in_audit(tags: &[String], ignored: &[String]) -> Option<&'static str> {
    match (tags, ignored) {
        ([], []) => None,
        ([], _) => Some("audit_ignore"),
        _ => Some("audit_tags"),
    }
}

fn retries(given: Option<u32>) -> Result<u32, SettingError> {
    match given.unwrap_or(RETRIES) {
        retries @ 0..=MOST_RETRIES => Ok(retries),
        given => Err(SettingError::Retries { given, most: MOST_RETRIES }),
    }
}

fn limit(seconds: Option<u64>) -> Result<Duration, SettingError> {
    match seconds.unwrap_or(LIMIT) {
        seconds @ 1..=LONGEST_LIMIT => Ok(Duration::from_secs(seconds)),
        given => Err(SettingError::Limit { given, most: LONGEST_LIMIT }),
    }
}
