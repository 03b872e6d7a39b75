//! Shared by all stores: the stored form of a fingerprint, and the errors about it.

use pagesight_core::fingerprint::{Depth, FINGERPRINT_VERSION, Fingerprint};

use super::model::{BaselineError, Baselines, Name, Result, nearest_names};

/// Returns a fingerprint as it is stored. `store` names the store in errors.
pub fn write_fingerprint(store: &str, fingerprint: &Fingerprint) -> Result<String> {
    serde_json::to_string(fingerprint).map_err(|error| BaselineError::Broken {
        path: store.to_owned(),
        reason: error.to_string(),
    })
}

/// Reads a stored fingerprint.
pub fn read_fingerprint(store: &str, text: &str) -> Result<Fingerprint> {
    #[derive(serde::Deserialize)]
    struct Versioned {
        version: u32,
    }
    let damaged = |error: serde_json::Error| BaselineError::Damaged {
        path: store.to_owned(),
        reason: error.to_string(),
    };
    // The version comes first: in a newer form, everything else may be different.
    let Versioned { version } = serde_json::from_str(text).map_err(damaged)?;
    if version > FINGERPRINT_VERSION {
        return Err(newer(store, version.into()));
    }
    serde_json::from_str(text).map_err(damaged)
}

/// Returns that a newer pagesight wrote a fingerprint.
pub fn newer(store: &str, found: i64) -> BaselineError {
    BaselineError::Newer { path: store.to_owned(), found, known: FINGERPRINT_VERSION.into() }
}

/// Returns that a store has no baseline with this name.
pub fn missing(store: &dyn Baselines, name: &Name) -> BaselineError {
    let known = store.list().unwrap_or_default().into_iter().map(|listed| listed.name);
    let near = nearest_names(name.as_str(), known);
    BaselineError::Missing { name: name.as_str().to_owned(), near }
}

/// Returns the depth of a stored word.
pub fn depth(word: &str) -> Depth {
    let known = [Depth::Minimal, Depth::Standard, Depth::Detailed];
    known.into_iter().find(|depth| depth.as_str() == word).unwrap_or_default()
}
