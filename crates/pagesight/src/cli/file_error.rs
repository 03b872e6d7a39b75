//! Says why a file that a person named cannot be read, without the number of the system's error.

use std::io::{Error, ErrorKind};
use std::path::Path;

/// Returns the sentence about a file that cannot be read.
pub(crate) fn unreadable(file: &Path, error: &Error) -> String {
    let shown = file.display();
    match error.kind() {
        ErrorKind::NotFound => format!("there is no file {shown}"),
        ErrorKind::IsADirectory => format!("{shown} is a folder; give a file"),
        ErrorKind::PermissionDenied => format!("{shown} may not be read; change its permissions"),
        ErrorKind::InvalidData => format!("{shown} is not a text file"),
        _ => format!("{shown} cannot be read: {error}"),
    }
}

/// Returns the sentence about a file that cannot be written.
pub(crate) fn unwritable(file: &Path, error: &Error) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match (error.kind(), folder) {
        (ErrorKind::NotFound, Some(folder)) => {
            format!("there is no folder {}; create it first", folder.display())
        }
        (ErrorKind::IsADirectory, _) => format!("{} is a folder; give a file", file.display()),
        _ => format!("{} cannot be written: {error}", file.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_names_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        for (file, says) in [
            (folder.path().join("missing/a.png"), "missing; create it first"),
            (folder.path().to_owned(), " is a folder; give a file"),
        ] {
            let said = unwritable(&file, &std::fs::write(&file, "").unwrap_err());
            assert!(said.contains(says) && !said.contains("os error"), "{said}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let binary = folder.path().join("binary");
        std::fs::write(&binary, [0xff, 0xfe]).unwrap();
        let missing = folder.path().join("missing");
        for (file, says) in [
            (missing.as_path(), "there is no file "),
            (folder.path(), " is a folder; give a file"),
            (binary.as_path(), " is not a text file"),
        ] {
            let said = unreadable(file, &std::fs::read_to_string(file).unwrap_err());
            assert!(said.contains(says) && !said.contains("os error"), "{said}");
        }
    }
}
