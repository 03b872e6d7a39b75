//! What a baseline is called, how one is listed, what can go wrong, and what every store of them
//! has to do.

use pagesight_core::fingerprint::{Depth, Fingerprint, Size};
use serde::Serialize;

use crate::hint::Hint;

/// The longest name.
const LONGEST_NAME: usize = 128;
/// How many names are suggested for one that is not there.
const NEAREST: usize = 3;

/// Why a baseline could not be kept or found.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum BaselineError {
    /// Not a name.
    #[error("{0:?} is no name for a baseline; use 1 to 128 letters, digits, '.', '_', '-' and '/'")]
    Name(String),
    /// There is none of that name.
    #[error("there is no baseline {name:?}{}", nearest(.near))]
    Missing {
        /// The name that was asked for.
        name: String,
        /// The nearest that there are.
        near: Vec<String>,
    },
    /// There is no such version.
    #[error("baseline {name:?} has no version {version}")]
    Version {
        /// The name.
        name: String,
        /// The version that was asked for.
        version: i64,
    },
    /// The store is damaged.
    #[error(
        "the baselines in {path} cannot be read ({reason}); the file was left as it is: move it away, or put a copy back"
    )]
    Damaged {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The store is a newer pagesight's.
    #[error(
        "the baselines in {path} were written by a newer pagesight (version {found}, this one reads {known}); use that one"
    )]
    Newer {
        /// The file.
        path: String,
        /// Its version.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// The file is somebody else's.
    #[error("{path} is no store of baselines; move it away, or choose another folder")]
    Foreign {
        /// The file.
        path: String,
    },
    /// It does not work.
    #[error(
        "the baselines in {path} cannot be used: {reason}; is the folder writable and the disk not full?"
    )]
    Broken {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A file that is no baseline.
    #[error("{path} is no baseline file ({reason})")]
    File {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// There is nowhere to keep them.
    #[error("there is no folder to keep baselines in; make one with: mkdir .pagesight")]
    Nowhere,
}

impl BaselineError {
    /// What the caller can do about it.
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

/// The result of anything done with baselines.
pub type Result<T> = std::result::Result<T, BaselineError>;

/// A name that may be used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name(String);

impl Name {
    /// Checks a name.
    pub fn parse(given: &str) -> Result<Name> {
        let fine = |c: char| c.is_alphanumeric() || "._-/".contains(c);
        let length = given.chars().count();
        if (1..=LONGEST_NAME).contains(&length) && given.chars().all(fine) {
            Ok(Name(given.to_owned()))
        } else {
            Err(BaselineError::Name(given.chars().take(LONGEST_NAME).collect()))
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One baseline as it is listed: under one name there may be several, of different routes,
/// viewports, scopes and depths.
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
    /// The number of the version that counts.
    pub version: i64,
    /// How many versions are kept, this one included.
    pub versions: usize,
}

/// One version of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Version {
    /// Its number; no two baselines of a store ever have the same.
    pub version: i64,
    /// The route.
    pub route: String,
    /// The viewport.
    pub viewport: Size,
    /// The hash.
    pub hash: String,
    /// When it was taken.
    pub captured_at: String,
    /// Whether it is the one that counts.
    pub current: bool,
}

/// Which of the baselines of a name is meant: the one that fits best.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit<'a> {
    /// The route that is shown.
    pub route: Option<&'a str>,
    /// The viewport of the tab.
    pub viewport: Option<Size>,
    /// The scope that is asked for; any, if none is.
    pub scope: Option<&'a str>,
    /// The depth that is asked for; any, if none is.
    pub depth: Option<Depth>,
}

impl<'a> Fit<'a> {
    /// The one that a fingerprint can be compared with as it is, if there is one.
    pub fn of(fingerprint: &'a Fingerprint) -> Fit<'a> {
        Fit {
            route: Some(&fingerprint.route),
            viewport: Some(fingerprint.viewport),
            scope: Some(&fingerprint.scope),
            depth: Some(fingerprint.depth),
        }
    }
}

/// A store of baselines. Several processes may use it at once; what a call acknowledged is kept.
pub trait Baselines: Send + Sync {
    /// Keeps a fingerprint under a name; the one of the same name, route, viewport, scope and depth
    /// becomes history, unless a newer pagesight wrote it. Answers with its version.
    fn save(&self, name: &Name, fingerprint: &Fingerprint) -> Result<i64>;

    /// The fingerprint under a name that fits best: of the same route, then of the same scope,
    /// depth and viewport, then the newest.
    fn find(&self, name: &Name, fit: Fit<'_>) -> Result<Fingerprint>;

    /// All that count, by name.
    fn list(&self) -> Result<Vec<Listed>>;

    /// All fingerprints that count, with their names; for export.
    fn all(&self) -> Result<Vec<(Name, Fingerprint)>>;

    /// The versions of a name, the newest first.
    fn history(&self, name: &Name) -> Result<Vec<Version>>;

    /// Makes an older version the one that counts.
    fn restore(&self, name: &Name, version: i64) -> Result<()>;

    /// Forgets a name with its history; answers with how many versions that were.
    fn delete(&self, name: &Name) -> Result<usize>;
}

/// The names that are most like one that is not there.
pub(crate) fn nearest_names(wanted: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let mut scored: Vec<(usize, String)> =
        names.map(|name| (distance(wanted, &name), name)).collect();
    scored.sort();
    scored.dedup();
    scored.into_iter().take(NEAREST).map(|(_, name)| name).collect()
}

/// How many letters have to be changed to get from one to the other.
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
