//! The folder of the socket, which only the user can open.

#[cfg(unix)]
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;

#[cfg(not(unix))]
use super::local_socket::MISSING;

/// Why the folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RuntimeFolderError {
    #[cfg(unix)]
    #[error("cannot create the folder {}: {error}", .folder.display())]
    Create { folder: PathBuf, error: std::io::Error },
    #[cfg(unix)]
    #[error("cannot read the folder {}: {error}", .folder.display())]
    Read { folder: PathBuf, error: std::io::Error },
    #[cfg(unix)]
    #[error(
        "{} is not a folder that only you can open; remove it, or set XDG_RUNTIME_DIR",
        .0.display()
    )]
    NotPrivate(PathBuf),
    #[cfg(not(unix))]
    #[error("{MISSING}")]
    NoSockets,
}

/// Returns the folder, and creates it if it is not there. Refuses one that others could have
/// prepared.
#[cfg(unix)]
pub(crate) fn runtime_folder() -> Result<PathBuf, RuntimeFolderError> {
    let user = rustix::process::geteuid().as_raw();
    let folder = match std::env::var_os("XDG_RUNTIME_DIR").filter(|given| !given.is_empty()) {
        Some(given) => PathBuf::from(given).join("pagesight"),
        None => std::env::temp_dir().join(format!("pagesight-{user}")),
    };
    private(&folder, user)?;
    Ok(folder)
}

/// Fails, because there is no socket either.
#[cfg(not(unix))]
pub(crate) fn runtime_folder() -> Result<PathBuf, RuntimeFolderError> {
    Err(RuntimeFolderError::NoSockets)
}

#[cfg(unix)]
fn private(folder: &Path, user: u32) -> Result<(), RuntimeFolderError> {
    let folder = folder.to_owned();
    match std::fs::DirBuilder::new().mode(0o700).create(&folder) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(RuntimeFolderError::Create { folder, error }),
    }
    // A link is not followed: its owner decides where it leads.
    match std::fs::symlink_metadata(&folder) {
        Ok(found) if found.is_dir() && found.uid() == user && found.mode() & 0o077 == 0 => Ok(()),
        Ok(_) => Err(RuntimeFolderError::NotPrivate(folder)),
        Err(error) => Err(RuntimeFolderError::Read { folder, error }),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn folders_of_others_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let user = rustix::process::geteuid().as_raw();
        let fine = place.path().join("fine");
        assert!(private(&fine, user).is_ok());
        assert!(private(&fine, user).is_ok());
        assert!(private(&fine, user + 1).is_err(), "owned by someone else");
        std::fs::set_permissions(&fine, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(private(&fine, user).is_err(), "others can read it");
        std::fs::set_permissions(&fine, std::fs::Permissions::from_mode(0o700)).unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink(&fine, &link).unwrap();
        assert!(private(&link, user).is_err(), "a link");
        std::fs::write(place.path().join("file"), "").unwrap();
        assert!(private(&place.path().join("file"), user).is_err(), "a file");
    }
}
