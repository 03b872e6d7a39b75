//! Reads `.pagesight.toml`, the settings of a project.

use std::path::{Path, PathBuf};

use pagesight_core::compare::{IgnoreRules, WrittenRule};
use toml_edit::{DocumentMut, Item, TableLike};

use crate::baseline::{BaselineError, ProjectEntry, project_entry};

/// Why the settings of a project cannot be used.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum SettingsError {
    /// The file is not trusted.
    #[error(transparent)]
    Place(#[from] BaselineError),
    #[error("{path} cannot be used: {reason}")]
    Unusable { path: String, reason: String },
    #[error("the settings of the project cannot be used: {0}")]
    Rules(String),
}

/// The name of the settings file.
const FILE_NAME: &str = ".pagesight.toml";

/// Returns the nearest `.pagesight.toml` from a folder upwards, within the repository or the user's
/// home.
pub fn settings_file(folder: &Path) -> Result<Option<PathBuf>, SettingsError> {
    let entry = ProjectEntry::File(FILE_NAME);
    Ok(project_entry(folder, entry, |name| std::env::var_os(name))?)
}

/// Reads the ignore rules of the project that a folder is in. Without a settings file there are no
/// rules.
pub fn ignore_rules(folder: &Path) -> Result<IgnoreRules, SettingsError> {
    let Some((path, text)) = read_settings(folder)? else { return Ok(IgnoreRules::default()) };
    read_rules(&text).map_err(|reason| unusable(&path, &reason))
}

/// Returns the text of the settings of the project that a folder is in, if there are any.
pub fn settings_text(folder: &Path) -> Result<Option<String>, SettingsError> {
    Ok(read_settings(folder)?.map(|(_, text)| text))
}

fn read_settings(folder: &Path) -> Result<Option<(PathBuf, String)>, SettingsError> {
    let Some(path) = settings_file(folder)? else { return Ok(None) };
    let text = std::fs::read_to_string(&path).map_err(|error| unusable(&path, &error))?;
    Ok(Some((path, text)))
}

fn unusable(path: &Path, reason: &dyn std::fmt::Display) -> SettingsError {
    SettingsError::Unusable { path: path.display().to_string(), reason: reason.to_string() }
}

/// Reads the ignore rules in the text of settings.
pub fn rules_of(text: &str) -> Result<IgnoreRules, SettingsError> {
    read_rules(text).map_err(SettingsError::Rules)
}

fn read_rules(text: &str) -> Result<IgnoreRules, String> {
    let document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    let written: Vec<WrittenRule> = match document.get("ignore") {
        None => Vec::new(),
        Some(Item::ArrayOfTables(tables)) => {
            tables.iter().map(|table| rule(table)).collect::<Result<_, _>>()?
        }
        Some(Item::Value(toml_edit::Value::Array(array))) => {
            array
                .iter()
                .map(|value| {
                    rule(value.as_inline_table().ok_or(
                        "ignore must be a list of tables such as { selector = \".clock\" }",
                    )?)
                })
                .collect::<Result<_, String>>()?
        }
        Some(_) => {
            return Err("ignore must be a list of tables; write [[ignore]] above each".to_owned());
        }
    };
    let rules = written.iter().map(|rule| rule.read().map_err(|error| error.to_string()));
    Ok(IgnoreRules(rules.collect::<Result<_, _>>()?))
}

fn rule(table: &dyn TableLike) -> Result<WrittenRule, String> {
    let mut rule = WrittenRule::default();
    for (key, item) in table.iter() {
        let value =
            item.as_str().ok_or_else(|| format!("ignore: {key} must be a string"))?.to_owned();
        match key {
            "selector" => rule.selector = Some(value),
            "text" => rule.text = Some(value),
            "type" => rule.kind = Some(value),
            _ => return Err(format!("ignore: unknown key {key:?}; give selector, text or type")),
        }
    }
    Ok(rule)
}

/// Returns the folder that pagesight runs in.
pub fn current_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_in_both_ways() {
        let tables = read_rules(
            "[[ignore]]\nselector = \".clock\"\n[[ignore]]\ntext = \"Ad*\"\ntype = \"element_missing\"",
        )
        .unwrap();
        let inline = read_rules(
            "ignore = [{ selector = \".clock\" }, { text = \"Ad*\", type = \"element_missing\" }]",
        )
        .unwrap();
        assert_eq!(tables, inline);
        assert_eq!(tables.selectors().collect::<Vec<_>>(), [".clock"]);
        assert_eq!(read_rules("").unwrap(), IgnoreRules::default());
        for (bad, says) in [
            ("ignore = 1", "list of tables"),
            ("[[ignore]]\nwhere = \"x\"", "unknown key"),
            ("[[ignore]]\ntype = \"no_such\"", "no_such"),
            ("[[ignore", ""),
        ] {
            let error = read_rules(bad).unwrap_err();
            assert!(error.contains(says), "{bad}: {error}");
        }
    }
}
