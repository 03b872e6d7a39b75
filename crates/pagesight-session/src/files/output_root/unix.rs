//! Opens each folder of the path relative to the one above it, without following links. A link that
//! somebody puts there meanwhile is refused, too.

use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::os::fd::OwnedFd;

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, linkat, mkdirat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;

use super::{Existing, OutputError, OutputFile};

/// How a folder that is missing is treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Create,
    Leave,
}

pub(super) fn check(file: &OutputFile, existing: Existing) -> Result<(), OutputError> {
    match open_folder(file, Missing::Leave)? {
        Some(folder) => may_be_there(file, &folder, existing),
        None => Ok(()),
    }
}

pub(super) fn write(
    file: &OutputFile,
    bytes: &[u8],
    existing: Existing,
) -> Result<(), OutputError> {
    let Some(folder) = open_folder(file, Missing::Create)? else {
        return Err(file.failed(Errno::NOENT));
    };
    may_be_there(file, &folder, existing)?;
    // The name cannot be guessed, and a file or a link that is there is never opened.
    let random = RandomState::new().build_hasher().finish();
    let unfinished = format!(".pagesight-{random:016x}.tmp");
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let made = openat(&folder, &*unfinished, flags, Mode::RUSR | Mode::WUSR);
    let mut made = File::from(made.map_err(|error| file.failed(error))?);
    let written = made
        .write_all(bytes)
        .and_then(|()| made.sync_all())
        .map_err(|error| file.failed(error))
        .and_then(|()| publish(file, &folder, &unfinished, existing));
    // After `publish` only a name without a file, or a second name of the file, is left.
    let _ = unlinkat(&folder, &*unfinished, AtFlags::empty());
    written
}

/// Gives the finished file its name.
fn publish(
    file: &OutputFile,
    folder: &OwnedFd,
    unfinished: &str,
    existing: Existing,
) -> Result<(), OutputError> {
    let rename =
        || renameat(folder, unfinished, folder, &*file.name).map_err(|error| file.failed(error));
    if existing == Existing::Replace {
        return rename();
    }
    match linkat(folder, unfinished, folder, &*file.name, AtFlags::empty()) {
        Ok(()) => Ok(()),
        Err(Errno::EXIST) => Err(OutputError::Exists { path: file.shown() }),
        // Some file systems have no hard links.
        Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOSYS | Errno::MLINK) => {
            may_be_there(file, folder, existing)?;
            rename()
        }
        Err(error) => Err(file.failed(error)),
    }
}

/// Opens the folder of the file; `None` if it is missing and was not to be created.
fn open_folder(file: &OutputFile, missing: Missing) -> Result<Option<OwnedFd>, OutputError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let root = openat(CWD, &file.root, flags, Mode::empty());
    let mut folder = root.map_err(|error| file.failed(error))?;
    for (depth, name) in file.folders.iter().enumerate() {
        if missing == Missing::Create {
            match mkdirat(&folder, &**name, Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(file.failed(error)),
            }
        }
        folder = match openat(&folder, &**name, flags, Mode::empty()) {
            Ok(folder) => folder,
            Err(Errno::NOENT) if missing == Missing::Leave => return Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR | Errno::MLINK) => {
                let (path, part) = (file.shown(), file.part(depth + 1));
                let found = statat(&folder, &**name, AtFlags::SYMLINK_NOFOLLOW);
                let is_link = found.is_ok_and(|found| kind(found.st_mode) == FileType::Symlink);
                return Err(match is_link {
                    true => OutputError::Link { path, part },
                    false => OutputError::NotAFolder { path, part },
                });
            }
            Err(error) => return Err(file.failed(error)),
        };
    }
    Ok(Some(folder))
}

fn kind(mode: rustix::fs::RawMode) -> FileType {
    FileType::from_raw_mode(mode)
}

/// Fails if there is something that may not be replaced.
fn may_be_there(
    file: &OutputFile,
    folder: &OwnedFd,
    existing: Existing,
) -> Result<(), OutputError> {
    let path = file.shown();
    let found = match statat(folder, &*file.name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => found,
        Err(Errno::NOENT) => return Ok(()),
        Err(error) => return Err(file.failed(error)),
    };
    match (kind(found.st_mode), existing) {
        (FileType::Symlink, _) => Err(OutputError::Link { part: path.clone(), path }),
        (FileType::RegularFile, Existing::Keep) => Err(OutputError::Exists { path }),
        (FileType::RegularFile, Existing::Replace) => Ok(()),
        _ => Err(OutputError::NotAFile { path }),
    }
}
