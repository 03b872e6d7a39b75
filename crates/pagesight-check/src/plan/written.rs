//! `pages.toml` as it is written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pagesight_core::compare::{ChangeType, Severity, WrittenRule};
use pagesight_core::fingerprint::Depth;
use pagesight_session::{Emulation, Engine};
use serde::Deserialize;

use super::audit::AuditSetting;
use super::problems::ProblemSetting;
use super::steps::PageStep;
use super::visual::VisualSetting;

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WrittenPlan {
    pub(super) base_url: Option<String>,
    pub(super) viewports: Option<Vec<String>>,
    pub(super) device: Option<String>,
    pub(super) devices: Option<Vec<String>>,
    pub(super) emulate: Option<OneOrMany<Emulation>>,
    pub(super) browsers: Option<Vec<Engine>>,
    pub(super) scopes: Option<Vec<String>>,
    pub(super) depth: Option<Depth>,
    pub(super) fail_on: Option<Severity>,
    pub(super) timeout_s: Option<u64>,
    pub(super) retries: Option<u32>,
    pub(super) pictures: Option<bool>,
    pub(super) exact: Vec<String>,
    pub(super) numbers: Option<NumberSetting>,
    pub(super) visual: Option<VisualSetting>,
    pub(super) mask: Vec<String>,
    pub(super) threshold: Option<f64>,
    pub(super) audit: Option<AuditSetting>,
    pub(super) audit_tags: Vec<String>,
    pub(super) audit_ignore: Vec<String>,
    pub(super) problems: Option<ProblemSetting>,
    pub(super) ignore_problems: Vec<String>,
    pub(super) ignore: Vec<WrittenRule>,
    pub(super) severity: BTreeMap<ChangeType, Severity>,
    pub(super) setup: Option<WrittenSetup>,
    /// The same settings in a table of their own.
    pub(super) defaults: Option<WrittenDefaults>,
    /// A file of cookies and localStorage, relative to this one.
    pub(super) state: Option<PathBuf>,
    pub(super) page: Vec<WrittenPage>,
    /// Sources of further pages.
    pub(super) source: Vec<WrittenSource>,
    /// A source without settings of its own.
    pub(super) sitemap: Option<String>,
    /// A source without settings of its own.
    pub(super) storybook: Option<String>,
    /// A source without settings of its own.
    pub(super) links: Option<WrittenLinks>,
    /// A source without settings of its own.
    pub(super) command: Option<String>,
    /// Which files belong to which pages, for `--since`.
    pub(super) route_map: Vec<WrittenRoutes>,
}

/// Settings of all pages, in the table `[defaults]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WrittenDefaults {
    viewports: Option<Vec<String>>,
    device: Option<String>,
    devices: Option<Vec<String>>,
    emulate: Option<OneOrMany<Emulation>>,
    browsers: Option<Vec<Engine>>,
    scopes: Option<Vec<String>>,
    depth: Option<Depth>,
    fail_on: Option<Severity>,
    timeout_s: Option<u64>,
    retries: Option<u32>,
    pictures: Option<bool>,
    exact: Vec<String>,
    numbers: Option<NumberSetting>,
    visual: Option<VisualSetting>,
    mask: Vec<String>,
    threshold: Option<f64>,
    audit: Option<AuditSetting>,
    audit_tags: Vec<String>,
    audit_ignore: Vec<String>,
    problems: Option<ProblemSetting>,
    ignore_problems: Vec<String>,
    ignore: Vec<WrittenRule>,
    severity: BTreeMap<ChangeType, Severity>,
}

impl WrittenPlan {
    /// Moves the settings of `[defaults]` to those at the top of the file. Returns the name of one
    /// that is written in both places.
    pub(super) fn take_defaults(&mut self) -> Result<(), &'static str> {
        let Some(given) = self.defaults.take() else { return Ok(()) };
        fn moved<T>(
            to: &mut Option<T>,
            from: Option<T>,
            name: &'static str,
        ) -> Result<(), &'static str> {
            match (&to, from) {
                (Some(_), Some(_)) => Err(name),
                (None, from @ Some(_)) => {
                    *to = from;
                    Ok(())
                }
                (_, None) => Ok(()),
            }
        }
        moved(&mut self.viewports, given.viewports, "viewports")?;
        moved(&mut self.device, given.device, "device")?;
        moved(&mut self.devices, given.devices, "devices")?;
        moved(&mut self.emulate, given.emulate, "emulate")?;
        moved(&mut self.browsers, given.browsers, "browsers")?;
        moved(&mut self.scopes, given.scopes, "scopes")?;
        moved(&mut self.depth, given.depth, "depth")?;
        moved(&mut self.fail_on, given.fail_on, "fail_on")?;
        moved(&mut self.timeout_s, given.timeout_s, "timeout_s")?;
        moved(&mut self.retries, given.retries, "retries")?;
        moved(&mut self.pictures, given.pictures, "pictures")?;
        moved(&mut self.numbers, given.numbers, "numbers")?;
        moved(&mut self.visual, given.visual, "visual")?;
        moved(&mut self.threshold, given.threshold, "threshold")?;
        moved(&mut self.audit, given.audit, "audit")?;
        self.audit_tags.extend(given.audit_tags);
        self.audit_ignore.extend(given.audit_ignore);
        moved(&mut self.problems, given.problems, "problems")?;
        self.exact.extend(given.exact);
        self.mask.extend(given.mask);
        self.ignore_problems.extend(given.ignore_problems);
        self.ignore.extend(given.ignore);
        for (kind, severity) in given.severity {
            if self.severity.insert(kind, severity).is_some() {
                return Err("severity");
            }
        }
        Ok(())
    }
}

/// A value, or a list of values.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a table of conditions, such as { color_scheme = \"dark\" }, or a list of such tables"
)]
pub(super) enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    /// Returns the values.
    pub(super) fn list(self) -> Vec<T> {
        match self {
            OneOrMany::One(one) => vec![one],
            OneOrMany::Many(many) => many,
        }
    }
}

/// Whether prices and other numbers with a unit are compared, and how severe a change is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum NumberSetting {
    Off,
    #[default]
    Info,
    Warning,
}

/// Actions that run once in each browser before the pages.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WrittenSetup {
    pub(super) url: Option<String>,
    pub(super) route: Option<String>,
    pub(super) timeout_s: Option<u64>,
    pub(super) retries: Option<u32>,
    pub(super) actions: Vec<PageStep>,
}

/// A page as it is written. The settings of the file are its defaults.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WrittenPage {
    pub(super) name: Option<String>,
    pub(super) url: Option<String>,
    pub(super) route: Option<String>,
    pub(super) viewports: Option<Vec<String>>,
    pub(super) device: Option<String>,
    pub(super) devices: Option<Vec<String>>,
    pub(super) emulate: Option<OneOrMany<Emulation>>,
    pub(super) browsers: Option<Vec<Engine>>,
    pub(super) scopes: Option<Vec<String>>,
    pub(super) depth: Option<Depth>,
    pub(super) timeout_s: Option<u64>,
    pub(super) retries: Option<u32>,
    pub(super) pictures: Option<bool>,
    /// The expected HTTP status, for pages that are meant to be errors.
    pub(super) status: Option<u16>,
    pub(super) exact: Vec<String>,
    pub(super) numbers: Option<NumberSetting>,
    pub(super) visual: Option<VisualSetting>,
    pub(super) mask: Vec<String>,
    pub(super) threshold: Option<f64>,
    pub(super) audit: Option<AuditSetting>,
    pub(super) audit_tags: Vec<String>,
    pub(super) audit_ignore: Vec<String>,
    pub(super) problems: Option<ProblemSetting>,
    pub(super) ignore_problems: Vec<String>,
    pub(super) ignore: Vec<WrittenRule>,
    pub(super) severity: BTreeMap<ChangeType, Severity>,
    pub(super) actions: Vec<PageStep>,
}

/// A source of pages as it is written. The settings of the file are its defaults.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WrittenSource {
    pub(super) sitemap: Option<String>,
    pub(super) storybook: Option<String>,
    pub(super) links: Option<WrittenLinks>,
    pub(super) command: Option<String>,
    pub(super) include: Vec<String>,
    pub(super) exclude: Vec<String>,
    /// Stories with one of these tags are left out.
    pub(super) skip_tags: Vec<String>,
    /// The origin that a sitemap writes instead of the one that is checked.
    pub(super) origin: Option<String>,
    pub(super) max: Option<usize>,
    pub(super) viewports: Option<Vec<String>>,
    pub(super) device: Option<String>,
    pub(super) devices: Option<Vec<String>>,
    pub(super) emulate: Option<OneOrMany<Emulation>>,
    pub(super) browsers: Option<Vec<Engine>>,
    pub(super) scopes: Option<Vec<String>>,
    pub(super) depth: Option<Depth>,
    pub(super) timeout_s: Option<u64>,
    pub(super) retries: Option<u32>,
    pub(super) pictures: Option<bool>,
    pub(super) exact: Vec<String>,
    pub(super) numbers: Option<NumberSetting>,
    pub(super) visual: Option<VisualSetting>,
    pub(super) mask: Vec<String>,
    pub(super) threshold: Option<f64>,
    pub(super) audit: Option<AuditSetting>,
    pub(super) audit_tags: Vec<String>,
    pub(super) audit_ignore: Vec<String>,
    pub(super) problems: Option<ProblemSetting>,
    pub(super) ignore_problems: Vec<String>,
    pub(super) ignore: Vec<WrittenRule>,
    pub(super) severity: BTreeMap<ChangeType, Severity>,
    pub(super) actions: Vec<PageStep>,
}

/// Where links are followed from, and how far.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenLinks {
    #[serde(default = "root")]
    pub(super) from: String,
    pub(super) depth: usize,
}

fn root() -> String {
    "/".to_owned()
}

/// One entry of `[[route_map]]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRoutes {
    pub(super) files: Vec<String>,
    pub(super) pages: Vec<String>,
}
