//! The reasons why an agent's configuration was not changed.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why the entry was not added. Nothing was written.
#[derive(Debug)]
pub(crate) enum InstallError {
    /// The file is broken.
    Syntax {
        format: &'static str,
        /// The message of the parser.
        reason: String,
    },
    /// A value that has to be an object or a table is something else.
    Shape {
        /// The key of the value.
        key: String,
    },
    /// A value that has to be a list is something else.
    List {
        /// The key of the value.
        key: String,
    },
    /// One of the above, with the file it is about.
    In { path: PathBuf, reason: Box<InstallError> },
    /// The file could not be read or written.
    File {
        path: PathBuf,
        /// The attempted operation: `read`, `written`.
        doing: &'static str,
        /// The error of the operating system.
        reason: io::Error,
    },
    /// The file is protected.
    ReadOnly { path: PathBuf },
    /// Another program changed the file since the edit was prepared.
    Changed { path: PathBuf },
    /// The file is not as `install` wrote it.
    Edited { path: PathBuf },
    /// The user's home folder is not known.
    NoHome,
}

impl fmt::Display for InstallError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstallError::Syntax { format, reason } => {
                write!(out, "it is not valid {format} ({reason}); repair it and try again")
            }
            InstallError::Shape { key } => {
                write!(out, "{key} is not a table of names and values; repair it and try again")
            }
            InstallError::List { key } => {
                write!(out, "{key} is not a list; repair it and try again")
            }
            InstallError::In { path, reason } => {
                write!(out, "{} was not changed: {reason}", path.display())
            }
            InstallError::File { path, doing, reason } => {
                write!(
                    out,
                    "{} could not be {doing} ({reason}); check its permissions and try again",
                    path.display()
                )
            }
            InstallError::ReadOnly { path } => {
                write!(out, "{} is read-only; make it writable and try again", path.display())
            }
            InstallError::Changed { path } => {
                write!(
                    out,
                    "{} was changed by another program in the meantime; try again",
                    path.display()
                )
            }
            InstallError::Edited { path } => {
                write!(out, "{} was changed since; remove it by hand", path.display())
            }
            InstallError::NoHome => {
                write!(out, "your home folder is not known; set HOME and try again")
            }
        }
    }
}

impl std::error::Error for InstallError {}
