//! Names, listings and errors of baselines, and the trait of a store.

use pagesight_core::fingerprint::{Depth, Fingerprint, Size};
use serde::Serialize;

use pagesight_core::hint::Hint;

use super::page::{PageKey, PageText, StoredPage};

const LONGEST_NAME: usize = 128;
/// How many similar names are suggested for an unknown one.
const NEAREST: usize = 3;

/// Why a baseline could not be saved or found.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum BaselineError {
    #[error(
        "{0:?} is not a valid name for a baseline; use 1 to 128 letters, digits, '.', '_', '-' and '/'"
    )]
    Name(String),
    #[error("there is no baseline {name:?}{}", nearest(.near))]
    Missing { name: String, near: Vec<String> },
    #[error("baseline {name:?} has no version {version}")]
    Version { name: String, version: i64 },
    #[error(
        "the baselines in {path} cannot be read ({reason}); the file was left as it is: move it away, or put a copy back"
    )]
    Damaged { path: String, reason: String },
    #[error(
        "the baselines in {path} were written by a newer pagesight (version {found}, this one reads {known}); use that one"
    )]
    Newer { path: String, found: i64, known: i64 },
    #[error(
        "{}{path} was written by pagesight 0.2.0 or earlier and is not read; export its baselines with that version (pagesight baselines export DIR), then import DIR",
        name.as_ref().map_or_else(String::new, |name| format!("there is no baseline {name:?}; "))
    )]
    OldStore { path: String, name: Option<String> },
    #[error(
        "the baselines in {path} cannot be used: {reason}; is the folder writable and the disk not full?"
    )]
    Broken { path: String, reason: String },
    #[error("{path} is not a baseline file ({reason})")]
    File { path: String, reason: String },
    #[error(
        "{path} belongs to a different user (uid {owner}) and is not used; remove it, or make it yours"
    )]
    NotTrusted { path: String, owner: u32 },
    #[error(
        "{0:?} is not a valid name for a branch; use 1 to 255 characters, no control characters"
    )]
    Branch(String),
    #[error(
        "the branch {branch:?} of this request to merge may be one of a fork, and the request has no name of its own; give one with --branch, such as pr/12"
    )]
    Request { branch: String },
    #[error("baseline {name:?} belongs to branch {base:?}; delete it there")]
    OnBase { name: String, base: String },
    #[error("the picture has {bytes} bytes; the store takes {most} at most")]
    Picture { bytes: usize, most: usize },
    #[error("{place} cannot be used ({reason}) and was not changed{repair}")]
    Page { place: String, reason: String, repair: &'static str },
    #[error(
        "{place} was written by a newer pagesight (version {version}) and was not changed; use that version"
    )]
    NewerPage { place: String, version: u64 },
    #[error("{path} cannot be read: {reason}")]
    Unreadable { path: String, reason: String },
    #[error("{path} cannot be written: {reason}; check that the folder is writable")]
    Unwritable { path: String, reason: String },
    /// A database cannot be used.
    #[error("{0}")]
    Database(String),
    #[error("there is no folder to keep baselines in; make one with: mkdir .pagesight")]
    Nowhere,
}

impl BaselineError {
    /// Returns what the caller can do about it.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            BaselineError::Missing { .. } => Some(Hint::SaveBaseline),
            BaselineError::Version { name, .. } => Some(Hint::SeeHistory { name: name.clone() }),
            BaselineError::File { .. } => Some(Hint::ExportBaselines),
            _ => None,
        }
    }
}

fn nearest(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; the nearest are {}", names.join(", ")),
    }
}

/// The result of an operation on baselines.
pub type Result<T> = std::result::Result<T, BaselineError>;

/// The name of a baseline, which is valid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name(String);

impl Name {
    /// Makes a name of a text that is valid as one.
    pub fn parse(given: &str) -> Result<Name> {
        let fine = |c: char| c.is_alphanumeric() || "._-/".contains(c);
        let length = given.chars().count();
        if (1..=LONGEST_NAME).contains(&length) && given.chars().all(fine) {
            Ok(Name(given.to_owned()))
        } else {
            Err(BaselineError::Name(given.chars().take(LONGEST_NAME).collect()))
        }
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A baseline in a listing. One name may have several, with different routes, viewports, scopes and
/// depths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// The route.
    pub route: String,
    /// The viewport.
    pub viewport: Size,
    /// The scope.
    pub scope: String,
    /// The depth.
    pub depth: Depth,
    /// The hash.
    pub hash: String,
    /// When it was taken.
    pub captured_at: String,
    /// The number of the current version.
    pub version: i64,
    /// How many versions are kept, including the current one.
    pub versions: usize,
}

/// One version of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Version {
    /// Its number; unique among all baselines of a store. 0 is a file that the store did not write,
    /// for example one that git brought.
    pub version: i64,
    /// The route.
    pub route: String,
    /// The viewport.
    pub viewport: Size,
    /// The hash.
    pub hash: String,
    /// When it was taken.
    pub captured_at: String,
    /// Whether it is the current version.
    pub current: bool,
    /// The branch it belongs to, where the store has branches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The user who accepted it, where the store keeps that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted_by: Option<String>,
    /// When it was saved, where the store keeps that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_at: Option<String>,
}

/// Which of the baselines of a name to choose: the best fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit<'a> {
    /// The route of the page.
    pub route: Option<&'a str>,
    /// The viewport of the tab.
    pub viewport: Option<Size>,
    /// The requested scope; none for any.
    pub scope: Option<&'a str>,
    /// The requested depth; none for any.
    pub depth: Option<Depth>,
}

impl<'a> Fit<'a> {
    /// Returns the fit for a baseline that a fingerprint can be compared with directly.
    pub fn of(fingerprint: &'a Fingerprint) -> Fit<'a> {
        Fit {
            route: Some(&fingerprint.route),
            viewport: Some(fingerprint.viewport),
            scope: Some(&fingerprint.scope),
            depth: Some(fingerprint.depth),
        }
    }
}

/// A store of baselines: those that tools save under a name, with their history, and those of the
/// pages of a check. Several processes may use it at once. Once a call has returned, its changes
/// are kept.
pub trait Baselines: Send + Sync {
    /// Saves a fingerprint under a name and returns its version. The previous one with the same
    /// name, route, viewport, scope and depth becomes history, unless a newer pagesight wrote it.
    fn save(&self, name: &Name, fingerprint: &Fingerprint) -> Result<i64>;

    /// Returns the best fit under a name: the same route first, then the same scope, depth and
    /// viewport, then the newest.
    fn find(&self, name: &Name, fit: Fit<'_>) -> Result<Fingerprint>;

    /// Returns all current baselines, by name.
    fn list(&self) -> Result<Vec<Listed>>;

    /// Returns all current fingerprints with their names, for export.
    fn all(&self) -> Result<Vec<(Name, Fingerprint)>>;

    /// Returns the versions of a name, the newest first.
    fn history(&self, name: &Name) -> Result<Vec<Version>>;

    /// Makes an older version the current one.
    fn restore(&self, name: &Name, version: i64) -> Result<()>;

    /// Deletes a name with its history; returns how many versions there were.
    fn delete(&self, name: &Name) -> Result<usize>;

    /// Returns the text of the baseline of a page, if there is one.
    fn page_text(&self, key: &PageKey) -> Result<Option<PageText>>;

    /// Returns the picture of the baseline of a page, if it has one.
    fn page_picture(&self, key: &PageKey) -> Result<Option<Vec<u8>>>;

    /// Saves the baseline of a page. The picture of an older baseline does not stay.
    fn save_page(&self, key: &PageKey, page: &StoredPage) -> Result<()>;

    /// Returns how many bytes a picture may have, if that is limited.
    fn most_picture_bytes(&self) -> Option<usize> {
        None
    }
}

/// Returns the names that are most similar to an unknown one.
pub(super) fn nearest_names(wanted: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let mut scored: Vec<(usize, String)> =
        names.map(|name| (distance(wanted, &name), name)).collect();
    scored.sort();
    scored.dedup();
    scored.into_iter().take(NEAREST).map(|(_, name)| name).collect()
}

/// Returns how many letters must be changed to get from one text to the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.to_lowercase().chars().enumerate() {
        let mut corner = row[0];
        row[0] = at + 1;
        for (to, against) in other.iter().enumerate() {
            let changed = corner + usize::from(letter != *against);
            corner = row[to + 1];
            row[to + 1] = changed.min(corner + 1).min(row[to] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        for good in ["a", "home/login", "v1.2_x-y", "Übersicht"] {
            assert!(Name::parse(good).is_ok(), "{good}");
        }
        for bad in ["", "a b", "a\n", "a:b", &"x".repeat(129)] {
            assert!(Name::parse(bad).is_err(), "{bad}");
        }
    }
}
