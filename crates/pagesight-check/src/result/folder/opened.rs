//! Opens the files of a run folder. The folder may come from a different machine: a link in it
//! could lead to a file of the user, which `accept` would copy into the repository, and a pipe
//! would never end. So only regular files that begin as ours do are read.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result};
use std::path::Path;

use crate::baseline::picture;

/// How a file begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileStart {
    /// As an object in JSON.
    Json,
    /// As lines of objects in JSON. There may be none.
    Lines,
    /// As a PNG file.
    Png,
}

impl FileStart {
    fn fits(self, begin: &[u8]) -> bool {
        match self {
            FileStart::Json => begin.starts_with(b"{"),
            FileStart::Lines => begin.is_empty() || begin.starts_with(b"{"),
            FileStart::Png => picture::is_png(begin),
        }
    }

    fn name(self) -> &'static str {
        match self {
            FileStart::Json | FileStart::Lines => "JSON",
            FileStart::Png => "PNG",
        }
    }
}

/// Opens a regular file that begins so. Links are not followed.
pub(super) fn open(path: &Path, start: FileStart) -> Result<BufReader<File>> {
    let refused = |why: String| Error::new(ErrorKind::InvalidData, why);
    if path.symlink_metadata()?.is_symlink() {
        return Err(refused("it is a link".to_owned()));
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Opening a pipe would wait for its writer.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(refused("it is not a regular file".to_owned()));
    }
    let mut reader = BufReader::new(file);
    match start.fits(reader.fill_buf()?) {
        true => Ok(reader),
        false => Err(refused(format!("it is not a {} file", start.name()))),
    }
}

/// Reads a file that has at most this many bytes.
pub(super) fn read(path: &Path, start: FileStart, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path, start)?.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(Error::other(format!("it is larger than {} MiB", most >> 20))),
        false => Ok(bytes),
    }
}
