//! What the three fingerprint operations keep: the fingerprints of this session, the project's
//! store of baselines, and its ignore rules. The only file of the operations that knows the clock
//! and the disk.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use pagesight_core::compare::{IgnoreRules, WrittenRule};
use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::SessionError;
use pagesight_session::baseline::{BaselineError, Baselines, SqliteBaselines, store_path};
use toml_edit::{DocumentMut, Item, TableLike};

/// The configuration of a project.
const CONFIGURATION: &str = ".pagesight.toml";
/// How many fingerprints of a session are kept.
const MOST_TAKEN: usize = 64;

/// What is kept for a workspace.
#[derive(Default)]
pub(crate) struct Kept {
    /// The store, once it was opened.
    store: Mutex<Option<(PathBuf, Arc<SqliteBaselines>)>>,
    /// The fingerprints of this session with their tabs, the newest last.
    taken: Mutex<VecDeque<(String, Arc<Fingerprint>)>>,
}

impl Kept {
    /// Takes note of a fingerprint.
    pub(crate) fn note(&self, tab: &str, fingerprint: &Arc<Fingerprint>) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.len() >= MOST_TAKEN {
            taken.pop_front();
        }
        taken.push_back((tab.to_owned(), fingerprint.clone()));
    }

    /// The newest fingerprint of this session with this hash.
    pub(crate) fn by_hash(&self, hash: &str) -> Option<Arc<Fingerprint>> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken
            .iter()
            .rev()
            .find(|(_, fingerprint)| fingerprint.hash == hash)
            .map(|(_, fingerprint)| fingerprint.clone())
    }

    /// The last fingerprint of a tab.
    pub(crate) fn last(&self, tab: &str) -> Option<Arc<Fingerprint>> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.iter().rev().find(|(of, _)| of == tab).map(|(_, fingerprint)| fingerprint.clone())
    }

    /// Where the baselines of this folder are.
    pub(crate) fn path() -> Result<PathBuf, SessionError> {
        Ok(store_path(&here(), |name| std::env::var_os(name))?)
    }

    /// The store, for something that writes.
    fn open(&self) -> Result<Arc<SqliteBaselines>, BaselineError> {
        let path = store_path(&here(), |name| std::env::var_os(name))?;
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        match &*store {
            Some((known, open)) if *known == path && path.exists() => Ok(open.clone()),
            _ => {
                let opened = Arc::new(SqliteBaselines::open(&path)?);
                *store = Some((path, opened.clone()));
                Ok(opened)
            }
        }
    }

    /// Works on the store, off the threads that serve calls.
    pub(crate) async fn with_store<T: Send + 'static>(
        self: &Arc<Kept>,
        writes: bool,
        work: impl FnOnce(&dyn Baselines) -> Result<T, BaselineError> + Send + 'static,
    ) -> Result<T, SessionError> {
        let kept = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            if !writes && !store_path(&here(), |name| std::env::var_os(name))?.exists() {
                // Who only asks gets the answer of an empty store, and no file.
                return work(&SqliteBaselines::open(Path::new(":memory:"))?);
            }
            work(&*kept.open()?)
        });
        let done = done.await.map_err(|error| {
            SessionError::Input(format!("the store could not be used: {error}"))
        })?;
        Ok(done?)
    }
}

fn here() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

/// The ignore rules of the nearest configuration, from here upwards; none if there is no
/// configuration.
pub(crate) fn rules() -> Result<IgnoreRules, SessionError> {
    let folder = here();
    let Some(path) =
        folder.ancestors().map(|folder| folder.join(CONFIGURATION)).find(|path| path.is_file())
    else {
        return Ok(IgnoreRules::default());
    };
    let wrong = |reason: String| {
        SessionError::Input(format!("{} cannot be used: {reason}", path.display()))
    };
    let text = std::fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
    read_rules(&text).map_err(wrong)
}

fn read_rules(text: &str) -> Result<IgnoreRules, String> {
    let document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    let written: Vec<WrittenRule> = match document.get("ignore") {
        None => Vec::new(),
        Some(Item::ArrayOfTables(tables)) => {
            tables.iter().map(|table| rule(table)).collect::<Result<_, _>>()?
        }
        Some(Item::Value(toml_edit::Value::Array(array))) => array
            .iter()
            .map(|value| {
                rule(
                    value
                        .as_inline_table()
                        .ok_or("ignore is a list of tables such as { selector = \".clock\" }")?,
                )
            })
            .collect::<Result<_, String>>()?,
        Some(_) => return Err("ignore is a list of tables; write [[ignore]] above each".to_owned()),
    };
    let rules = written.iter().map(|rule| rule.read().map_err(|error| error.to_string()));
    Ok(IgnoreRules(rules.collect::<Result<_, _>>()?))
}

fn rule(table: &dyn TableLike) -> Result<WrittenRule, String> {
    let mut rule = WrittenRule::default();
    for (key, item) in table.iter() {
        let value = item.as_str().ok_or_else(|| format!("ignore: {key} is a text"))?.to_owned();
        match key {
            "selector" => rule.selector = Some(value),
            "text" => rule.text = Some(value),
            "type" => rule.kind = Some(value),
            _ => return Err(format!("ignore: there is no {key:?}; give selector, text or type")),
        }
    }
    Ok(rule)
}

/// The time as it is written down: `2026-01-23T10:30:45Z`.
pub(crate) fn now() -> String {
    written(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

fn written(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that the day that is there only every four years is the last.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year + era * 400 + later;
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        rest / 3_600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_the_seed_does() {
        assert_eq!(written(0), "1970-01-01T00:00:00Z");
        assert_eq!(written(1_769_164_245), "2026-01-23T10:30:45Z");
        assert_eq!(written(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(written(1_735_689_599), "2024-12-31T23:59:59Z");
    }

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
            ("[[ignore]]\nwhere = \"x\"", "there is no"),
            ("[[ignore]]\ntype = \"no_such\"", "no_such"),
            ("[[ignore", ""),
        ] {
            let error = read_rules(bad).unwrap_err();
            assert!(error.contains(says), "{bad}: {error}");
        }
    }
}
