//! Writes files with page content so that only the user can read them. A file that exists keeps its
//! mode, because the user may share it on purpose.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{ErrorKind, Result, Write};
use std::path::Path;

/// How many names of temporary files are tried.
const MOST_NAMES: u32 = 16;

/// Creates a folder and the missing folders above it.
pub fn create_folders(path: &Path) -> Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Creates an empty file, if there is none.
pub fn create(path: &Path) -> Result<()> {
    match new_file(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    }
}

/// Returns whether other users can read or change a file. Only Unix says so.
pub fn is_open_to_others(file: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::mode(file) & 0o077 != 0;
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}

/// Writes a file in place.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    private(&mut options).open(path)?.write_all(bytes)
}

/// Replaces a file atomically. An unfinished file is named `.NAME.….tmp`.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    replace_with(path, bytes, std::fs::metadata(path).ok())
}

/// Replaces a file atomically. Only the user can read it then, whatever mode it had.
pub fn replace_private(path: &Path, bytes: &[u8]) -> Result<()> {
    replace_with(path, bytes, None)
}

/// `old`: the file whose mode is kept.
fn replace_with(path: &Path, bytes: &[u8], old: Option<Metadata>) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut tries = 0;
    let (unfinished, mut file) = loop {
        // The name cannot be guessed, and a file or a link that is there is never opened.
        let random = RandomState::new().build_hasher().finish();
        let unfinished = path.with_file_name(format!(".{name}.{random:016x}.tmp"));
        match new_file(&unfinished) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < MOST_NAMES => {
                tries += 1;
            }
            made => break (unfinished, made?),
        }
    };
    let written = file
        .write_all(bytes)
        .and_then(|()| match old {
            Some(old) if old.is_file() => file.set_permissions(old.permissions()),
            _ => Ok(()),
        })
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
    written
}

fn new_file(path: &Path) -> Result<File> {
    private(OpenOptions::new().write(true).create_new(true)).open(path)
}

/// Sets the mode of a new file.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn new_files_are_private_and_old_ones_keep_their_mode() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| std::fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
        create_folders(&at("a/b")).unwrap();
        create(&at("a/b/empty")).unwrap();
        for name in ["written", "replaced"] {
            std::fs::write(at(&format!("old-{name}")), "old").unwrap();
            let shared = PermissionsExt::from_mode(0o640);
            std::fs::set_permissions(at(&format!("old-{name}")), shared).unwrap();
        }
        for name in ["written", "old-written"] {
            write(&at(name), b"new").unwrap();
        }
        for name in ["replaced", "old-replaced"] {
            replace(&at(name), b"new").unwrap();
        }
        assert_eq!([mode("a"), mode("a/b"), mode("a/b/empty")], [0o700, 0o700, 0o600]);
        assert_eq!([mode("written"), mode("replaced")], [0o600, 0o600]);
        assert_eq!([mode("old-written"), mode("old-replaced")], [0o640, 0o640]);
        assert_eq!(std::fs::read(at("old-replaced")).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 5, "nothing is left over");
    }

    #[test]
    fn a_link_is_not_followed_and_an_existing_file_is_not_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        std::fs::write(&target, "kept").unwrap();
        symlink(&target, &link).unwrap();
        assert_eq!(new_file(&link).unwrap_err().kind(), ErrorKind::AlreadyExists);
        create(&target).unwrap();
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "kept");
    }
}
