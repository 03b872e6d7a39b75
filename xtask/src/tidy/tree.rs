//! The text files of the project that the rules apply to, in memory, so that the rules can be
//! tested on trees that break them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

/// The extensions of files that are read.
const ENDINGS: [&str; 5] = ["rs", "ts", "js", "md", "toml"];
/// Folders that hold generated files, other people's files or pages for tests.
const LEFT_OUT: [&str; 9] = [
    "target",
    "node_modules",
    ".git",
    "fixtures",
    "corpus",
    "site",
    "results",
    "apps",
    ".pagesight",
];
const GENERATED: [&str; 2] =
    ["crates/pagesight-browser/src/page.js", "crates/pagesight-browser/src/page_start.js"];

/// Text files by their path from the root of the project, with `/` between folders.
#[derive(Debug, Default)]
pub struct Tree(BTreeMap<String, String>);

impl Tree {
    /// Reads the project below `root`.
    pub fn read(root: &Path) -> anyhow::Result<Tree> {
        let mut tree = Tree::default();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
                let path = entry?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let from_root = path.strip_prefix(root).unwrap_or(&path);
                let from_root = from_root.to_string_lossy().replace('\\', "/");
                let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
                if path.is_dir() {
                    if !LEFT_OUT.contains(&name.as_str()) {
                        folders.push(path);
                    }
                } else if ENDINGS.contains(&ending.as_str())
                    && !GENERATED.contains(&from_root.as_str())
                {
                    let text = std::fs::read_to_string(&path).with_context(|| from_root.clone())?;
                    tree.0.insert(from_root, text);
                }
            }
        }
        Ok(tree)
    }

    /// Returns every file with its text, ordered by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns the files below a folder with this extension.
    pub fn below<'a>(
        &'a self,
        folder: &'a str,
        ending: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files().filter(move |(path, _)| path.starts_with(folder) && path.ends_with(ending))
    }

    /// Returns the text of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Makes a tree of these files.
    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Tree {
        Tree(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }
}
