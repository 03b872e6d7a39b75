//! The sentences of errors that several files of `install` report. Nothing was written then.

use std::fmt::Display;
use std::path::Path;

use anyhow::anyhow;

/// The file is broken; `reason` is the message of the parser.
pub(super) fn invalid(format: &str, reason: impl Display) -> anyhow::Error {
    anyhow!("it is not valid {format} ({reason}); repair it and try again")
}

/// A value that has to be an object or a table is something else.
pub(super) fn not_a_table(key: &str) -> anyhow::Error {
    anyhow!("{key} is not a table of names and values; repair it and try again")
}

/// The file could not be `read` or `written`.
pub(super) fn failed(path: &Path, doing: &str, reason: std::io::Error) -> anyhow::Error {
    let path = path.display();
    anyhow!("{path} could not be {doing} ({reason}); check its permissions and try again")
}

/// Names the file that an error is about.
pub(super) fn in_file(path: &Path, reason: anyhow::Error) -> anyhow::Error {
    anyhow!("{} was not changed: {reason}", path.display())
}
