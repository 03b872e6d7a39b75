//! Baselines as JSON files, one per baseline, for version control: stable order, one item per line,
//! the same file for the same baseline.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use pagesight_core::fingerprint::{FINGERPRINT_VERSION, Fingerprint};
use pagesight_session::private_files;
use serde::{Deserialize, Serialize};

use super::model::{BaselineError, Baselines, Name, Result};

/// The version of the files.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Envelope {
    pagesight_baseline: u32,
    name: String,
    fingerprint: Fingerprint,
}

/// The longest part of a file name that comes from the name of a baseline, in bytes. File systems
/// allow 255 for all of it.
const LONGEST_PART: usize = 150;

/// Returns the file name of a baseline: its name, and what distinguishes it from others of that
/// name.
pub fn file_name(name: &Name, fingerprint: &Fingerprint) -> String {
    let size = fingerprint.viewport;
    let mut key = [&fingerprint.route, &fingerprint.scope, fingerprint.depth.as_str()].join("\n");
    // Some file systems ignore case.
    if name.as_str() != name.as_str().to_lowercase() {
        key.push('\n');
        key.push_str(name.as_str());
    }
    format!("{}@{}x{}-{:08x}.json", file_part(name), size.width, size.height, sum(&key) as u32)
}

/// Returns the beginning of the names of all files of a name.
pub(super) fn file_part(name: &Name) -> String {
    let safe: String = name.as_str().replace('/', "%2F");
    // A leading dot is escaped, because a name of dots alone would be a folder.
    let mut safe = safe.strip_prefix('.').map(|rest| format!("%2E{rest}")).unwrap_or(safe);
    if safe.len() > LONGEST_PART {
        let end = (0..=LONGEST_PART).rev().find(|at| safe.is_char_boundary(*at));
        safe.truncate(end.unwrap_or_default());
        safe.push_str(&format!("-{:016x}", sum(name.as_str())));
    }
    safe
}

/// Returns the FNV-1a hash of a text, which is the same in every version.
fn sum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// Returns the text of a baseline's file.
pub fn write_file(name: &Name, fingerprint: &Fingerprint) -> Result<String> {
    let envelope = Envelope {
        pagesight_baseline: VERSION,
        name: name.as_str().to_owned(),
        fingerprint: fingerprint.clone(),
    };
    serde_json::to_string_pretty(&envelope).map(|text| text + "\n").map_err(|error| {
        BaselineError::File { path: name.as_str().to_owned(), reason: error.to_string() }
    })
}

/// Returns the version of a text that is newer than this pagesight, and the one that it knows.
/// Reads nothing but the versions, because everything else may have a different shape.
fn newer_version(text: &str) -> std::result::Result<Option<(u32, u32)>, serde_json::Error> {
    #[derive(Deserialize)]
    struct FileVersion {
        pagesight_baseline: u32,
    }
    #[derive(Deserialize)]
    struct FingerprintVersion {
        fingerprint: VersionedFingerprint,
    }
    #[derive(Deserialize)]
    struct VersionedFingerprint {
        version: u32,
    }
    let FileVersion { pagesight_baseline } = serde_json::from_str(text)?;
    if pagesight_baseline > VERSION {
        return Ok(Some((pagesight_baseline, VERSION)));
    }
    let FingerprintVersion { fingerprint } = serde_json::from_str(text)?;
    let newer = fingerprint.version > FINGERPRINT_VERSION;
    Ok(newer.then_some((fingerprint.version, FINGERPRINT_VERSION)))
}

/// Parses the text of a baseline's file.
pub fn read_file(path: &Path, text: &str) -> Result<(Name, Fingerprint)> {
    let wrong = |error: serde_json::Error| BaselineError::File {
        path: path.display().to_string(),
        reason: error.to_string(),
    };
    if let Some((found, known)) = newer_version(text).map_err(wrong)? {
        let path = path.display().to_string();
        return Err(BaselineError::Newer { path, found: found.into(), known: known.into() });
    }
    let envelope: Envelope = serde_json::from_str(text).map_err(wrong)?;
    Ok((Name::parse(&envelope.name)?, envelope.fingerprint))
}

/// Refuses to replace a file that is not a baseline, or that a newer pagesight wrote.
fn check_replaced(path: &Path) -> Result<()> {
    let place = || path.display().to_string();
    let foreign = |reason: String| {
        let repair = "; move it away, or export to a different folder";
        BaselineError::Page { place: place(), reason, repair }
    };
    let text = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        read => read.map_err(|error| foreign(error.to_string()))?,
    };
    match newer_version(&text) {
        Ok(None) => Ok(()),
        Ok(Some((version, _))) => {
            Err(BaselineError::NewerPage { place: place(), version: version.into() })
        }
        Err(error) => Err(foreign(format!("it is not a baseline file: {error}"))),
    }
}

/// Writes the baselines of a store into a folder; only those with these names, if any are given.
/// Returns the files. If one of them may not be replaced, none is written.
pub fn export(store: &dyn Baselines, folder: &Path, names: &[Name]) -> Result<Vec<PathBuf>> {
    let failed = |path: &Path, error: std::io::Error| BaselineError::Broken {
        path: path.display().to_string(),
        reason: error.to_string(),
    };
    private_files::create_folders(folder).map_err(|error| failed(folder, error))?;
    for name in names {
        store.history(name)?;
    }
    let mut files = Vec::new();
    for (name, fingerprint) in store.all()? {
        if names.is_empty() || names.contains(&name) {
            let path = folder.join(file_name(&name, &fingerprint));
            check_replaced(&path)?;
            files.push((path, write_file(&name, &fingerprint)?));
        }
    }
    for (path, text) in &files {
        private_files::replace(path, text.as_bytes()).map_err(|error| failed(path, error))?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}
