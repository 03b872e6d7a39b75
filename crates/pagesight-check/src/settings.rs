//! Reads `.pagesight.toml`, the settings of a project.

use std::path::{Path, PathBuf};

use pagesight_core::compare::{IgnoreRules, WrittenRule};
use pagesight_session::{Engine, Viewport};
use serde::Deserialize;

use crate::baseline::{BaselineError, ProjectEntry, project_entry};
use crate::toml_errors::{LineStarts, with_nearest};

/// Why the settings of a project cannot be used.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum SettingsError {
    /// The file is not trusted.
    #[error(transparent)]
    Place(#[from] BaselineError),
    #[error("{path} cannot be used: {reason}")]
    Unusable { path: String, reason: String },
    #[error("{path}:{line}: {reason}")]
    Line { path: String, line: usize, reason: String },
    #[error("the settings of the project cannot be used: {0}")]
    Rules(String),
}

/// The name of the settings file.
const FILE_NAME: &str = ".pagesight.toml";
/// The most pages that are checked at a time.
pub const MOST_JOBS: u16 = 64;

/// Returns the nearest `.pagesight.toml` from a folder upwards, within the repository or the user's
/// home.
pub fn settings_file(folder: &Path) -> Result<Option<PathBuf>, SettingsError> {
    let entry = ProjectEntry::File(FILE_NAME);
    Ok(project_entry(folder, entry, |name| std::env::var_os(name))?)
}

/// Values that flags have in a project if they are not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlagDefaults {
    /// `--browser`
    pub browser: Option<Engine>,
    /// `--viewport`
    pub viewport: Option<Viewport>,
    /// `--jobs`
    pub jobs: Option<u16>,
    /// `--store`
    pub store: Option<String>,
}

/// The settings as they are written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSettings {
    #[serde(default)]
    ignore: Vec<WrittenRule>,
    browser: Option<Engine>,
    viewport: Option<String>,
    jobs: Option<u16>,
    store: Option<String>,
}

/// A fault of the settings, and its line if it is known.
struct Fault {
    line: Option<usize>,
    reason: String,
}

/// Reads the ignore rules of the project that a folder is in. Without a settings file there are no
/// rules.
pub fn ignore_rules(folder: &Path) -> Result<IgnoreRules, SettingsError> {
    let Some((path, text)) = read_settings(folder)? else { return Ok(IgnoreRules::default()) };
    Ok(read_whole(&text).map_err(|fault| unusable(&path, fault))?.0)
}

/// Reads the values of flags of the project that a folder is in.
pub fn flag_defaults(folder: &Path) -> Result<FlagDefaults, SettingsError> {
    let Some((path, text)) = read_settings(folder)? else { return Ok(FlagDefaults::default()) };
    Ok(read_whole(&text).map_err(|fault| unusable(&path, fault))?.1)
}

/// Returns the text of the settings of the project that a folder is in, if there are any.
pub fn settings_text(folder: &Path) -> Result<Option<String>, SettingsError> {
    Ok(read_settings(folder)?.map(|(_, text)| text))
}

fn read_settings(folder: &Path) -> Result<Option<(PathBuf, String)>, SettingsError> {
    let Some(path) = settings_file(folder)? else { return Ok(None) };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| unusable(&path, Fault { line: None, reason: error.to_string() }))?;
    Ok(Some((path, text)))
}

fn unusable(path: &Path, fault: Fault) -> SettingsError {
    let (path, reason) = (path.display().to_string(), fault.reason);
    match fault.line {
        Some(line) => SettingsError::Line { path, line, reason },
        None => SettingsError::Unusable { path, reason },
    }
}

/// Reads the ignore rules in the text of settings.
pub fn rules_of(text: &str) -> Result<IgnoreRules, SettingsError> {
    let (rules, _) = read_whole(text).map_err(|fault| SettingsError::Rules(fault.reason))?;
    Ok(rules)
}

fn read_whole(text: &str) -> Result<(IgnoreRules, FlagDefaults), Fault> {
    let written: WrittenSettings = toml_edit::de::from_str(text).map_err(|error| {
        let line = error.span().map(|span| LineStarts::of(text).line_of(span.start));
        Fault { line, reason: with_nearest(error.message()) }
    })?;
    checked(written).map_err(|reason| Fault { line: None, reason })
}

fn checked(written: WrittenSettings) -> Result<(IgnoreRules, FlagDefaults), String> {
    let WrittenSettings { ignore, browser, viewport, jobs, store } = written;
    let rules = ignore.iter().map(|rule| rule.read().map_err(|error| error.to_string()));
    let rules = IgnoreRules(rules.collect::<Result<_, _>>()?);
    let viewport = viewport.map(|given| {
        given.parse::<Viewport>().map_err(|error| format!("viewport = {given:?}: {error}"))
    });
    if let Some(given) = jobs.filter(|jobs| !(1..=MOST_JOBS).contains(jobs)) {
        return Err(format!("jobs must be 1 to {MOST_JOBS}, not {given}"));
    }
    Ok((rules, FlagDefaults { browser, viewport: viewport.transpose()?, jobs, store }))
}

/// Returns the folder that pagesight runs in.
pub fn current_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(IgnoreRules, FlagDefaults), String> {
        let path = Path::new(FILE_NAME);
        read_whole(text).map_err(|fault| unusable(path, fault).to_string())
    }

    #[test]
    fn rules_are_read_in_both_ways() {
        let tables = read(
            "[[ignore]]\nselector = \".clock\"\n[[ignore]]\ntext = \"Ad*\"\ntype = \"element_missing\"",
        )
        .unwrap();
        let inline = read(
            "ignore = [{ selector = \".clock\" }, { text = \"Ad*\", type = \"element_missing\" }]",
        )
        .unwrap();
        assert_eq!(tables, inline);
        assert_eq!(tables.0.selectors().collect::<Vec<_>>(), [".clock"]);
        assert_eq!(read("").unwrap(), Default::default());
    }

    #[test]
    fn flags_may_have_defaults() {
        let text =
            "browser = \"firefox\"\nviewport = \"390x844\"\njobs = 8\nstore = \"postgres://a\"\n";
        let (_, defaults) = read(text).unwrap();
        let viewport = Some(Viewport { width: 390, height: 844 });
        let (browser, store) = (Some(Engine::Firefox), Some("postgres://a".to_owned()));
        assert_eq!(defaults, FlagDefaults { browser, viewport, jobs: Some(8), store });
    }

    #[test]
    fn every_fault_is_one_sentence_with_its_line() {
        for (bad, says) in [
            ("ignore = 1", ".pagesight.toml:1: invalid type: integer `1`, expected a sequence"),
            ("\n[[ignore]]\nwhere = \"x\"", ".pagesight.toml:3: unknown `where`; give one of"),
            ("[[ignore]]\ntype = \"no_such\"", "no_such"),
            ("ignored = []", ".pagesight.toml:1: unknown `ignored`; did you mean `ignore`?"),
            (
                "jobs = 1\nviewports = \"1x1\"",
                ".pagesight.toml:2: unknown `viewports`; did you mean `viewport`?",
            ),
            ("browser = \"safari\"", ".pagesight.toml:1: unknown `safari`"),
            ("viewport = \"9x9\"", "viewport = \"9x9\": give width and height from 100"),
            ("jobs = 0", "jobs must be 1 to 64, not 0"),
            ("jobs = 65", "jobs must be 1 to 64, not 65"),
            ("jobs = \"x\"", ".pagesight.toml:1: invalid type"),
            ("[[ignore", ".pagesight.toml:1: "),
        ] {
            let error = read(bad).unwrap_err();
            assert!(error.contains(says) && !error.contains('\n'), "{bad}: {error}");
        }
    }
}
