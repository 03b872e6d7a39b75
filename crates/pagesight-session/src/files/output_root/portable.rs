//! Checks each part of the path before writing, where folders cannot be opened relative to each
//! other. A link that somebody puts there between the check and the write is not noticed.

use std::path::PathBuf;

use super::{Existing, OutputError, OutputFile};
use crate::files::private_files;

pub(super) fn check(file: &OutputFile, existing: Existing) -> Result<(), OutputError> {
    let path = file.shown();
    let mut part = file.root.clone();
    for name in &file.folders {
        part.push(name);
        let shown = part.display().to_string();
        match std::fs::symlink_metadata(&part) {
            Ok(found) if found.is_symlink() => return Err(OutputError::Link { path, part: shown }),
            Ok(found) if !found.is_dir() => {
                return Err(OutputError::NotAFolder { path, part: shown });
            }
            Ok(_) => {}
            Err(_) => return Ok(()),
        }
    }
    match std::fs::symlink_metadata(file.path()) {
        Ok(found) if found.is_symlink() => Err(OutputError::Link { part: path.clone(), path }),
        Ok(found) if !found.is_file() => Err(OutputError::NotAFile { path }),
        Ok(_) if existing == Existing::Keep => Err(OutputError::Exists { path }),
        _ => Ok(()),
    }
}

pub(super) fn write(
    file: &OutputFile,
    bytes: &[u8],
    existing: Existing,
) -> Result<(), OutputError> {
    check(file, existing)?;
    let path = file.path();
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    private_files::create_folders(&folder).map_err(|error| file.failed(error))?;
    check(file, existing)?;
    private_files::replace_private(&path, bytes).map_err(|error| file.failed(error))
}
