//! Writes answers to files below one folder. The path comes from a caller that a page may have
//! misled, so no link is followed, nothing outside the folder is touched and no file is replaced
//! unless the caller says so. The content comes from a page: a file cannot be run, and its name is
//! none that a shell, a version control system or an agent obeys. A file is there as a whole or not
//! at all.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use pagesight_core::hint::Hint;
use pagesight_core::text::printable::is_unprintable;

#[cfg(unix)]
mod unix;
#[cfg(unix)]
use unix as platform;
#[cfg(not(unix))]
mod portable;
#[cfg(not(unix))]
use portable as platform;

/// The longest path that is accepted, in bytes.
const LONGEST_PATH: usize = 1_000;

/// The endings of names, in lower case.
const ENDINGS: [&str; 12] = [
    ".txt",
    ".md",
    ".json",
    ".jsonl",
    ".csv",
    ".png",
    ".jpg",
    ".jpeg",
    ".webp",
    ".html",
    ".har",
    ".flow.toml",
];

/// The first parts of names that agents read as instructions, whatever stands between them and
/// `.md`, in lower case: `CLAUDE.local.md`. Text of a page must not become one.
const INSTRUCTIONS: [&str; 6] =
    ["claude", "agents", "agent", "gemini", "skill", "copilot-instructions"];

/// How a file that exists is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is kept; writing fails.
    Keep,
    /// It is replaced as a whole.
    Replace,
}

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum OutputError {
    #[error("answers cannot be written to files: no folder was allowed")]
    NotAllowed,
    #[error("{path:?} is not a file below {root}")]
    Outside { path: String, root: String },
    #[error("{path}: {part} begins with a dot, and hidden files are not written; rename it")]
    Hidden { path: String, part: String },
    #[error("{path}: {part} may be the short name of a different file; rename it")]
    ShortName { path: String, part: String },
    #[error("{path:?} has no ending that can be written; use one of {}", ENDINGS.join(", "))]
    Ending { path: String },
    #[error("{path}: {name} would be read by agents as instructions; give a different name")]
    Instructions { path: String, name: String },
    #[error("{path}: {part} is a link, and links are not followed")]
    Link { path: String, part: String },
    #[error("{path}: {part} is not a folder")]
    NotAFolder { path: String, part: String },
    #[error("{path} exists and is not a file; give a different path")]
    NotAFile { path: String },
    #[error("{path} exists and was kept; set overwrite to replace it, or give a different path")]
    Exists { path: String },
    #[error("{path} could not be written: {reason}")]
    Failed { path: String, reason: String },
}

impl OutputError {
    /// Returns what the caller can do about it.
    pub fn hint(&self) -> Option<Hint> {
        (*self == OutputError::NotAllowed).then_some(Hint::AllowFiles)
    }
}

/// The folder below which files may be written.
#[derive(Clone, Debug)]
pub struct OutputRoot {
    folder: PathBuf,
    given: PathBuf,
}

/// A file below the folder.
#[derive(Clone, Debug)]
pub struct OutputFile {
    root: PathBuf,
    /// The names of the folders between the root and the file.
    folders: Vec<String>,
    name: String,
}

impl OutputRoot {
    /// Uses a folder that exists.
    pub fn new(folder: &Path) -> std::io::Result<OutputRoot> {
        if !folder.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        Ok(OutputRoot { folder: folder.canonicalize()?, given: folder.to_owned() })
    }

    /// Returns the file of a path: one that is relative to the folder, or an absolute one below it.
    pub fn file(&self, path: &str) -> Result<OutputFile, OutputError> {
        let outside = || OutputError::Outside {
            path: path.chars().take(200).collect(),
            root: self.folder.display().to_string(),
        };
        let given = Path::new(path);
        let below = match given.is_absolute() {
            true => given.strip_prefix(&self.folder).or_else(|_| given.strip_prefix(&self.given)),
            false => Ok(given),
        };
        let below = below.map_err(|_| outside())?;
        let mut folders = Vec::new();
        for part in below.components() {
            match (part, part.as_os_str().to_str()) {
                (Component::CurDir, _) => {}
                (Component::Normal(_), Some(name)) => folders.push(name.to_owned()),
                _ => return Err(outside()),
            }
        }
        let unusable = path.len() > LONGEST_PATH
            || path.ends_with(['/', std::path::MAIN_SEPARATOR])
            || path.chars().any(is_unprintable);
        let name = folders.pop().filter(|_| !unusable).ok_or_else(outside)?;
        let file = OutputFile { root: self.folder.clone(), folders, name };
        file.check_names()?;
        Ok(file)
    }
}

/// Returns a name as file systems compare it that ignore the case: `ſ` is an `s` there.
fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// Whether Windows may know a different file by this name: `CLAUDE~1` is `.claude`.
fn is_short_name(part: &str) -> bool {
    part.split('~').skip(1).any(|after| after.starts_with(|c: char| c.is_ascii_digit()))
}

impl OutputFile {
    /// Returns its absolute path.
    pub fn path(&self) -> PathBuf {
        let mut path = self.root.clone();
        path.extend(&self.folders);
        path.join(&self.name)
    }

    /// Returns the path up to one of its folders.
    #[cfg(unix)]
    fn part(&self, folders: usize) -> String {
        let mut path = self.root.clone();
        path.extend(self.folders.iter().take(folders));
        path.display().to_string()
    }

    fn shown(&self) -> String {
        self.path().display().to_string()
    }

    /// Refuses names that have a meaning for programs or agents.
    fn check_names(&self) -> Result<(), OutputError> {
        let path = self.shown();
        let is_hidden = |part: &&String| part.starts_with('.');
        if let Some(part) = self.folders.iter().chain([&self.name]).find(is_hidden) {
            return Err(OutputError::Hidden { path, part: part.clone() });
        }
        let is_short = |part: &&String| cfg!(windows) && is_short_name(part);
        if let Some(part) = self.folders.iter().chain([&self.name]).find(is_short) {
            return Err(OutputError::ShortName { path, part: part.clone() });
        }
        let name = folded(&self.name);
        let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
        // On Windows a colon begins the name of a second content of the file.
        if stem.is_none_or(str::is_empty) || cfg!(windows) && name.contains(':') {
            return Err(OutputError::Ending { path });
        }
        let first = name.split('.').next().unwrap_or_default();
        let is_instruction = INSTRUCTIONS.contains(&first) || name.ends_with(".instructions.md");
        if is_instruction && name.ends_with(".md") {
            return Err(OutputError::Instructions { path, name: self.name.clone() });
        }
        Ok(())
    }

    fn failed(&self, reason: impl std::fmt::Display) -> OutputError {
        OutputError::Failed { path: self.shown(), reason: reason.to_string() }
    }

    /// Checks whether it could be written now, without writing anything.
    pub fn check(&self, existing: Existing) -> Result<(), OutputError> {
        platform::check(self, existing)
    }

    /// Writes it. The folders above it are created. Only the user can read it and nobody can run
    /// it, also if it replaces a file with a different mode.
    pub fn write(&self, bytes: &[u8], existing: Existing) -> Result<(), OutputError> {
        platform::write(self, bytes, existing)
    }
}

#[cfg(test)]
mod tests;
