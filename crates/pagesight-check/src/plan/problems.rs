//! Console errors and failed requests as changes of a page: `problems = "error"` in `pages.toml`.

use std::sync::Arc;

use pagesight_core::compare::{Change, ChangeType, Comparison, Facts, Severity, Status};
use pagesight_core::log::{LineContent, LogLine, RequestOutcome};
use pagesight_core::text::escape;
use pagesight_session::{LogLevel, LogQuery, LogSince, Session, SessionError, TabRecord};
use serde::Deserialize;

use super::error::SettingError;

/// The tokens of the entries whose original positions are looked up.
const LOOKED_UP: usize = 2_000;
/// How many problems of a page are listed; more are one change.
const MOST: usize = 50;
/// The longest text of a problem, in characters.
const LENGTH: usize = 200;

/// The setting in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProblemSetting {
    /// They are no changes.
    #[default]
    Off,
    /// They are changes for information.
    Info,
    Warning,
    Error,
}

/// Which problems are changes of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProblemRules {
    severity: Option<Severity>,
    /// Patterns of problems that are left out.
    ignored: Vec<String>,
}

impl ProblemRules {
    /// Makes the rules.
    pub(crate) fn new(
        setting: ProblemSetting,
        ignored: Vec<String>,
    ) -> Result<ProblemRules, SettingError> {
        if ignored.iter().any(|pattern| pattern.trim_matches(['*', ' ']).is_empty()) {
            return Err(SettingError::EmptyPattern);
        }
        let severity = match setting {
            ProblemSetting::Off => None,
            ProblemSetting::Info => Some(Severity::Info),
            ProblemSetting::Warning => Some(Severity::Warning),
            ProblemSetting::Error => Some(Severity::Error),
        };
        Ok(ProblemRules { severity, ignored })
    }

    /// Reads the problems of a tab as changes; also returns how many were left out.
    pub(crate) async fn read(
        &self,
        session: &Session,
        tab: &Arc<TabRecord>,
    ) -> Result<(Vec<Change>, usize), SessionError> {
        let Some(severity) = self.severity else { return Ok(Default::default()) };
        let level = Some(LogLevel::Error);
        let query = LogQuery { level, since: LogSince::Start, ..LogQuery::default() };
        let log = session.page_log(tab, &query, LOOKED_UP).await?;
        Ok(self.changes(&log.entries.lines, severity))
    }

    fn changes(&self, lines: &[LogLine], severity: Severity) -> (Vec<Change>, usize) {
        let described: Vec<(ChangeType, String)> = lines.iter().filter_map(described).collect();
        let all = described.len();
        let mut kept: Vec<(ChangeType, String)> =
            described.into_iter().filter(|(_, text)| !self.is_ignored(text)).collect();
        let ignored = all - kept.len();
        let more = kept.len().saturating_sub(MOST);
        kept.truncate(MOST);
        if more > 0 {
            kept.push((ChangeType::ConsoleError, format!("{more} more problems")));
        }
        let change = |(kind, description): (ChangeType, String)| Change {
            kind,
            severity,
            element: None,
            location: String::new(),
            was: None,
            now: None,
            description,
            facts: Facts::default(),
            was_at: None,
            now_at: None,
        };
        (kept.into_iter().map(change).collect(), ignored)
    }

    fn is_ignored(&self, text: &str) -> bool {
        self.ignored.iter().any(|pattern| matches(pattern, text))
    }
}

/// Adds problems to a comparison.
pub(crate) fn add(comparison: &mut Comparison, problems: &(Vec<Change>, usize)) {
    comparison.changes.extend(problems.0.iter().cloned());
    comparison.ignored += problems.1;
    if comparison.status == Status::Unchanged && !comparison.changes.is_empty() {
        comparison.status = Status::Changed;
    }
}

/// Returns the type and the sentence of a problem. The status of a document is checked separately.
fn described(line: &LogLine) -> Option<(ChangeType, String)> {
    let times = if line.count > 1 { format!(" ({} times)", line.count) } else { String::new() };
    match &line.what {
        LineContent::Console { text, .. } => {
            let place = line.position.as_ref();
            let place = place.map(|at| format!(" at {}:{}", escape::sentence(&at.url), at.line));
            let (text, place) = (escape::safe(text, LENGTH), place.unwrap_or_default());
            Some((ChangeType::ConsoleError, format!("Console error: {text}{place}{times}")))
        }
        LineContent::Request { kind: "document", .. } => None,
        LineContent::Request { method, url, status, outcome, .. } => {
            let why = match (outcome, status) {
                (RequestOutcome::Failed(reason), _) => escape::safe(reason, LENGTH),
                (_, Some(status)) => status.to_string(),
                (_, None) => return None,
            };
            let (method, url) = (escape::word(method, 20), escape::safe(url, LENGTH));
            Some((ChangeType::RequestFailed, format!("{method} {url} failed: {why}{times}")))
        }
    }
}

/// Whether a text contains a pattern, in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let mut rest = text;
    pattern.split('*').filter(|part| !part.is_empty()).all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_contained() {
        assert!(matches("analytics", "GET https://a/analytics.js failed: 404"));
        assert!(matches("GET *.png failed: 404", "GET http://a/x.png failed: 404"));
        assert!(matches("*beacon*", "POST /beacon failed: 500"));
        assert!(!matches("GET *.png failed: 404", "GET http://a/x.png failed: 500"));
        assert!(!matches("x*y", "y x"));
    }

    #[test]
    fn a_pattern_that_ignores_everything_is_an_error() {
        assert!(ProblemRules::new(ProblemSetting::Error, vec!["*".to_owned()]).is_err());
        assert!(ProblemRules::new(ProblemSetting::Error, vec!["x".to_owned()]).is_ok());
    }
}
