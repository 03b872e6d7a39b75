//! Why a file that lists pages cannot be used.

use pagesight_browser::{UnknownDevice, UnknownViewport};
use pagesight_core::targets::TargetQueryError;

use crate::baseline::BaselineError;

/// Why a file that lists pages cannot be used.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum PlanError {
    #[error("{path}: {reason}")]
    File { path: String, reason: SettingError },
    #[error("{path}:{line}: {reason}")]
    Line { path: String, line: usize, reason: SettingError },
    #[error(
        "--since needs [[route_map]] entries in {path}, which say which files belong to which pages"
    )]
    NoRouteMap { path: String },
    #[error("--since needs a commit, a tag or a branch")]
    NoCommit,
    #[error("there is no page named {name:?}; the pages are {}", known.join(", "))]
    UnknownPage { name: String, known: Vec<String> },
}

/// The fault of a setting of the file.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum SettingError {
    /// The parser refused the file.
    #[error("{0}")]
    Toml(String),
    #[error("it has no pages; write [[page]] and route = \"/\" below it")]
    NoPages,
    #[error("[setup]: {0}")]
    Setup(Box<SettingError>),
    #[error("it has no actions; add some, or remove it")]
    NoActions,
    #[error("a page named {name:?} is already in line {line}; rename one of them")]
    SameName { name: String, line: usize },
    #[error("[[route_map]] has an entry without files")]
    RouteWithoutFiles,
    #[error("it has a url and a route; give only one of them")]
    TwoAddresses,
    #[error("it has no URL; add route = \"/\" or a url")]
    NoAddress,
    #[error(
        "a route needs a base URL; write base_url = \"http://localhost:3000\" at the top, or give --base-url"
    )]
    NoBaseUrl,
    /// An address is not valid.
    #[error("{0}")]
    Address(String),
    #[error(transparent)]
    Name(#[from] BaselineError),
    /// An ignore rule is not valid.
    #[error("{0}")]
    Rule(String),
    #[error("ignore_problems has a pattern without text; set problems = \"off\" to ignore all")]
    EmptyPattern,
    #[error("{given:?} is not a viewport; {reason}")]
    Viewport { given: String, reason: UnknownViewport },
    #[error("{given:?} is not a device; {reason}")]
    Device { given: String, reason: UnknownDevice },
    #[error("device and devices are both given; leave one of them out")]
    TwoDevices,
    #[error("emulate has a device; give it as device or devices instead")]
    DeviceInEmulate,
    #[error("{0:?} is not a scope for a check; give full, viewport or a CSS selector")]
    Scope(String),
    /// A scope cannot be parsed.
    #[error("{0}")]
    ScopeSyntax(String),
    #[error("exact: {given:?}: {reason}")]
    Exact { given: String, reason: TargetQueryError },
    #[error(
        "exact: {0:?} is a reference, which is valid only while a page is open; give its line without the number, or css=SELECTOR"
    )]
    ExactReference(String),
    #[error("exact names {0:?} twice; remove one")]
    ExactTwice(String),
    #[error("{name}: {given:?} is not a name of axe-core; see docs/commands/audit.md")]
    AuditWord { name: &'static str, given: String },
    #[error("{0} is used only with audit; set audit = \"serious\", or remove {0}")]
    OnlyForAudits(&'static str),
    #[error("threshold = {0} is out of range; give a number between 0 and 1, such as 0.1")]
    Threshold(String),
    #[error("mask: {0:?} is not a selector; give one such as \".map\"")]
    Mask(String),
    #[error("visual = \"pixels\" compares stored pictures; remove pictures = false")]
    PixelsWithoutPictures,
    #[error("{0} is used only with visual = \"pixels\"; set that, or remove {0}")]
    OnlyForPixels(&'static str),
    #[error("{0} is written at the top and in [defaults]; remove one")]
    DefaultTwice(&'static str),
    #[error("retries = {given} is too high; the maximum is {most}")]
    Retries { given: u32, most: u32 },
    #[error("timeout_s = {given} is out of range; give 1 to {most} seconds")]
    Limit { given: u64, most: u64 },
    #[error("action {place}: {reason}")]
    Action { place: usize, reason: Box<SettingError> },
    #[error("a ${{ has no }}; write $${{ for a literal ${{")]
    OpenVariable,
    #[error("the environment variable {0} is not set; set it, as in {0}=… pagesight check")]
    NoVariable(String),
    #[error("origin: {0}")]
    Origin(String),
    #[error("depth = {given} is too high; the maximum is {most}")]
    Depth { given: usize, most: usize },
    #[error("a source needs one of sitemap, storybook, links and command")]
    SourceKind,
    #[error("{key} belongs to a {kind}; remove it")]
    OtherSource { key: &'static str, kind: &'static str },
    #[error("max = {given} is out of range; give 1 to {most}")]
    Most { given: usize, most: usize },
}

/// Why an action of the file is not valid.
#[derive(Debug, thiserror::Error)]
pub(super) enum StepError {
    #[error("an action: {0}")]
    Syntax(#[from] serde_json::Error),
    #[error(transparent)]
    Action(#[from] pagesight_session::WrittenActionError),
    #[error("{key}: {reason}; write {{ role = \"button\", name = \"Save\" }}")]
    Name { key: &'static str, reason: serde_json::Error },
    #[error("{key}: {given:?} is not an ARIA role; pagesight look shows the roles of a page")]
    Role { key: &'static str, given: String },
    #[error("{key}: nth counts from 1")]
    CountsFromOne { key: &'static str },
    #[error("{key}: the hint is empty")]
    EmptyHint { key: &'static str },
    #[error("{key}: give a name or a hint, not both")]
    NameAndHint { key: &'static str },
    #[error(
        "{key}: a name is missing; write {{ role = \"button\", name = \"Save\" }}, or hint for an element without a name"
    )]
    NoName { key: &'static str },
    #[error(
        "{key} is a CSS selector, or {{ role = \"button\", name = \"Save\" }}; references are valid only while a page is open"
    )]
    NotAnElement { key: &'static str },
    #[error(
        "{given:?} is a reference, which is valid only while a page is open; give target with a name, a line without its number, or css=SELECTOR"
    )]
    Reference { given: String },
}
