//! The text files of the project that the rules apply to, in memory, so that the rules can be
//! tested on trees that break them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

/// The extensions of files that are read.
const ENDINGS: [&str; 10] = ["rs", "ts", "js", "mjs", "md", "toml", "json", "yml", "sh", "py"];
/// Scripts without an extension.
const SCRIPTS: [&str; 3] = ["test", "pagesight", ".ci/run"];
/// Folders that hold generated files, other people's files or pages for tests.
const LEFT_OUT: &str = "target node_modules .git .pagesight fixtures captures exchanges stored corpus \
                        site results apps";
const GENERATED: [&str; 3] = ["page.js", "page_start.js", "package-lock.json"];

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
                let from_root = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
                let name = from_root.rsplit('/').next().unwrap_or_default();
                let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
                let is_read = ENDINGS.contains(&ending) || SCRIPTS.contains(&&*from_root);
                if path.is_dir() {
                    if !LEFT_OUT.split(' ').any(|folder| folder == name) {
                        folders.push(path);
                    }
                } else if is_read && !GENERATED.contains(&name) {
                    let text = std::fs::read_to_string(&path).context(from_root.to_string())?;
                    tree.0.insert(from_root.into_owned(), text);
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

/// Returns the path that `name` means in a file.
pub fn relative_to(file: &str, name: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}
