//! Remembers what `install` changed in each file, so that `--remove` can restore the file byte for
//! byte. A receipt holds only the part that was replaced, because configurations may hold secrets.

use std::path::{Path, PathBuf};

use pagesight_session::private_files;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The version of the file's format.
const VERSION: u32 = 1;
/// The number of files that are remembered; the oldest are dropped.
const LIMIT: usize = 200;

/// The receipts of this user, one per file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InstallReceipts {
    version: u32,
    files: Vec<InstallReceipt>,
}

/// The change of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct InstallReceipt {
    path: PathBuf,
    /// The hash of the text that was written.
    sha256: String,
    /// Whether the file did not exist before.
    created: bool,
    /// The folders that were created for it, the innermost first.
    folders: Vec<PathBuf>,
    /// Where the new text begins, and its length in bytes.
    start: usize,
    length: usize,
    /// The text that was there before.
    replaced: String,
}

/// Only the version, which is read first.
#[derive(Deserialize)]
struct ReceiptsVersion {
    version: u32,
}

impl InstallReceipts {
    pub(crate) fn empty() -> InstallReceipts {
        InstallReceipts { version: VERSION, files: Vec::new() }
    }

    /// Reports whether nothing is installed that is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Reads the file of receipts.
    pub(crate) fn read(path: &Path) -> Result<InstallReceipts, String> {
        let shown = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(InstallReceipts::empty());
            }
            Err(error) => return Err(format!("cannot read {shown}: {error}")),
        };
        let broken = |_| format!("{shown} is not a list of receipts");
        let ReceiptsVersion { version } = serde_json::from_str(&text).map_err(broken)?;
        if version > VERSION {
            return Err(format!("{shown} was written by a newer pagesight"));
        }
        serde_json::from_str(&text).map_err(broken)
    }

    /// Writes the file, readable for the user only. Removes it if no receipt is left, and its
    /// folder if that is empty.
    pub(crate) fn write(&self, path: &Path) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        if self.files.is_empty() {
            return match std::fs::remove_file(path) {
                Ok(()) => {
                    // It fails if the settings of `pagesight serve` are there, too.
                    let _ = path.parent().map(std::fs::remove_dir);
                    Ok(())
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                Err(error) => Err(format!("cannot remove {}: {error}", path.display())),
            };
        }
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        if let Some(folder) = path.parent() {
            private_files::create_folders(folder).map_err(failed)?;
        }
        private_files::replace_private(path, (text + "\n").as_bytes()).map_err(failed)
    }

    /// Returns the text of a file before it was installed into, or `None` inside if there was no
    /// file. Returns nothing if the file is not as it was written.
    pub(crate) fn original(&self, path: &Path, text: &str) -> Option<Option<String>> {
        let receipt = self.files.iter().find(|receipt| receipt.path == path)?;
        receipt.original(text)
    }

    pub(crate) fn add(
        &mut self,
        path: &Path,
        before: Option<&str>,
        after: &str,
        folders: Vec<PathBuf>,
    ) {
        let known = self.files.iter().position(|receipt| receipt.path == path);
        let known = known.map(|at| self.files.remove(at));
        // A second installation keeps the receipt of the first one valid.
        let earlier = known.zip(before).and_then(|(known, before)| {
            let original = known.original(before)?;
            Some((original, known.folders))
        });
        let (original, folders) = earlier.unwrap_or_else(|| (before.map(str::to_owned), folders));
        self.files.push(InstallReceipt::new(path, original.as_deref(), after, folders));
        let surplus = self.files.len().saturating_sub(LIMIT);
        self.files.drain(..surplus);
    }

    /// Forgets a file. Returns the folders that were created for it.
    pub(crate) fn take(&mut self, path: &Path) -> Vec<PathBuf> {
        let known = self.files.iter().position(|receipt| receipt.path == path);
        known.map_or_else(Vec::new, |at| self.files.remove(at).folders)
    }
}

impl InstallReceipt {
    fn new(
        path: &Path,
        before: Option<&str>,
        after: &str,
        folders: Vec<PathBuf>,
    ) -> InstallReceipt {
        let old = before.unwrap_or_default();
        let same = |pair: &(char, char)| pair.0 == pair.1;
        let length = |(char, _): (char, char)| char.len_utf8();
        let start: usize = old.chars().zip(after.chars()).take_while(same).map(length).sum();
        let rest = old[start..].chars().rev().zip(after[start..].chars().rev());
        let end: usize = rest.take_while(same).map(length).sum();
        InstallReceipt {
            path: path.to_owned(),
            sha256: hash(after),
            created: before.is_none(),
            folders,
            start,
            length: after.len() - start - end,
            replaced: old[start..old.len() - end].to_owned(),
        }
    }

    fn original(&self, text: &str) -> Option<Option<String>> {
        if hash(text) != self.sha256 {
            return None;
        }
        if self.created {
            return Some(None);
        }
        let head = text.get(..self.start)?;
        let tail = text.get(self.start.checked_add(self.length)?..)?;
        Some(Some([head, &self.replaced, tail].concat()))
    }
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_undone_byte_for_byte() {
        let path = Path::new("/a/mcp.json");
        for (before, after) in [
            ("{}\r\n", "{\r\n  \"é\": 1\r\n}\r\n"),
            ("{\"x\": \"é\"}", "{\"x\": \"è\"}"),
            ("", "{}"),
            ("aaa", "aaaa"),
        ] {
            let mut receipts = InstallReceipts::empty();
            receipts.add(path, Some(before), after, Vec::new());
            assert_eq!(receipts.original(path, after), Some(Some(before.to_owned())));
            assert_eq!(receipts.original(path, before), None, "a changed file");
            receipts.add(path, Some(after), "third", Vec::new());
            assert_eq!(receipts.original(path, "third"), Some(Some(before.to_owned())));
        }
        let mut receipts = InstallReceipts::empty();
        receipts.add(path, None, "one", vec![PathBuf::from("/a")]);
        receipts.add(path, Some("one"), "two", Vec::new());
        assert_eq!(receipts.original(path, "two"), Some(None), "the file was created");
        assert_eq!(receipts.take(path), [PathBuf::from("/a")]);
    }

    #[test]
    fn nothing_is_left_after_the_last_receipt() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state/pagesight/install.json");
        let mut receipts = InstallReceipts::empty();
        receipts.write(&file).unwrap();
        assert!(!folder.path().join("state").exists(), "nothing is created");
        for others in [None, Some("serve.json")] {
            receipts.add(Path::new("/a/mcp.json"), Some("{}"), "{ }", Vec::new());
            receipts.write(&file).unwrap();
            assert!(file.exists());
            if let Some(other) = others {
                std::fs::write(file.with_file_name(other), "x").unwrap();
            }
            receipts.take(Path::new("/a/mcp.json"));
            receipts.write(&file).unwrap();
            assert!(!file.exists());
            assert_eq!(file.parent().unwrap().exists(), others.is_some());
        }
    }

    #[test]
    fn receipts_are_kept_and_a_newer_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pagesight/install.json");
        let mut receipts = InstallReceipts::read(&file).unwrap();
        for number in 0..LIMIT + 5 {
            let path = PathBuf::from(format!("/{number}"));
            receipts.add(&path, Some("{}"), "{ }", Vec::new());
        }
        assert_eq!(receipts.files.len(), LIMIT);
        receipts.write(&file).unwrap();
        assert_eq!(InstallReceipts::read(&file).unwrap(), receipts);
        for (text, says) in [
            ("{\"version\": 2, \"files\": []}", "newer pagesight"),
            ("", "not a list"),
            ("{\"version\": 1}", "not a list"),
        ] {
            std::fs::write(&file, text).unwrap();
            let error = InstallReceipts::read(&file).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
