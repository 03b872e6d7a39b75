//! The audit of a page as it is stored and compared, and what it is made of.

use serde::{Deserialize, Serialize};

use crate::page::NodeId;

/// The version of the stored form of an audit that this build writes and reads.
pub const AUDIT_VERSION: u32 = 1;

/// How much a violation hurts.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum AuditLevel {
    /// A nuisance.
    #[default]
    Minor,
    /// Some people have trouble.
    Moderate,
    /// Some people cannot do something.
    Serious,
    /// Some people cannot use the page.
    Critical,
}

impl AuditLevel {
    /// All levels.
    pub const ALL: [AuditLevel; 4] =
        [AuditLevel::Minor, AuditLevel::Moderate, AuditLevel::Serious, AuditLevel::Critical];

    /// Returns the word that callers use.
    pub fn as_str(self) -> &'static str {
        match self {
            AuditLevel::Minor => "minor",
            AuditLevel::Moderate => "moderate",
            AuditLevel::Serious => "serious",
            AuditLevel::Critical => "critical",
        }
    }
}

/// A violation that axe-core found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditFinding {
    /// The rule.
    pub rule: String,
    /// How much it hurts.
    pub level: AuditLevel,
    /// The rule in words.
    pub help: String,
    /// The remedy.
    pub fix: String,
    /// The element, if the capture has it.
    pub node: Option<NodeId>,
    /// A selector, for an element that the capture does not have.
    pub selector: String,
}

/// The findings of axe-core.
#[derive(Clone, Debug, Default)]
pub struct AuditFindings {
    /// The version of axe-core.
    pub engine: String,
    /// Its findings.
    pub findings: Vec<AuditFinding>,
    /// How many frames it could not test.
    pub left_out: usize,
}

/// How an audit is made.
#[derive(Clone, Copy, Debug)]
pub struct AuditOptions<'a> {
    /// The findings of axe-core.
    pub findings: &'a AuditFindings,
    /// The least level that counts.
    pub level: AuditLevel,
    /// The tags that were asked for.
    pub tags: &'a [String],
    /// Rules that are left out.
    pub ignored: &'a [String],
    /// Elements that moved after the page was ready.
    pub shifted: &'a [NodeId],
}

/// The violations on a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Audit {
    /// The version of this form.
    pub version: u32,
    /// The version of axe-core.
    pub engine: String,
    /// The least level that counted.
    pub level: AuditLevel,
    /// The tags that were asked for; all rules if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// How many frames could not be tested.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: usize,
    /// The violations, the worst first.
    pub violations: Vec<Violation>,
}

impl Audit {
    /// Whether two pages were audited in the same way.
    pub fn is_like(&self, other: &Audit) -> bool {
        (&self.engine, self.level, &self.tags) == (&other.engine, other.level, &other.tags)
    }
}

/// A violation of a rule.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Violation {
    /// The rule.
    pub rule: String,
    /// How much it hurts.
    pub level: AuditLevel,
    /// The element, as a line: `button: Save`.
    pub element: String,
    /// The rule in words.
    pub help: String,
    /// The remedy.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fix: String,
    /// The index of the region around it.
    pub place: u32,
    /// Comparisons ignore it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ignored: bool,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
