//! `pages.toml` as it is written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pagesight_core::compare::{ChangeType, Severity, WrittenRule};
use pagesight_core::fingerprint::Depth;
use pagesight_session::Engine;
use serde::Deserialize;

use super::problems::ProblemSetting;
use super::steps::PageStep;

/// The file as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WrittenPlan {
    pub(super) base_url: Option<String>,
    pub(super) viewports: Option<Vec<String>>,
    pub(super) browsers: Option<Vec<Engine>>,
    pub(super) scopes: Option<Vec<String>>,
    pub(super) depth: Option<Depth>,
    pub(super) fail_on: Option<Severity>,
    pub(super) timeout_s: Option<u64>,
    pub(super) retries: Option<u32>,
    pub(super) pictures: Option<bool>,
    pub(super) problems: Option<ProblemSetting>,
    pub(super) ignore_problems: Vec<String>,
    pub(super) ignore: Vec<WrittenRule>,
    pub(super) severity: BTreeMap<ChangeType, Severity>,
    pub(super) setup: Option<WrittenSetup>,
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
    pub(super) browsers: Option<Vec<Engine>>,
    pub(super) scopes: Option<Vec<String>>,
    pub(super) depth: Option<Depth>,
    pub(super) timeout_s: Option<u64>,
    pub(super) retries: Option<u32>,
    pub(super) pictures: Option<bool>,
    /// The expected HTTP status, for pages that are meant to be errors.
    pub(super) status: Option<u16>,
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
    pub(super) browsers: Option<Vec<Engine>>,
    pub(super) scopes: Option<Vec<String>>,
    pub(super) depth: Option<Depth>,
    pub(super) timeout_s: Option<u64>,
    pub(super) retries: Option<u32>,
    pub(super) pictures: Option<bool>,
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
