//! `cargo xtask docs`: writes the parts of the documentation that derive from the program. Tools
//! come from its MCP answer, commands from its help, so the documentation cannot differ from them.
//! The table of the program's sentences, from which page text is quoted, comes from its source. The
//! example on the page of a tool or a command is written by hand and kept.

mod commands;
mod example;
mod meanings;
mod program;
mod sentences;
mod text;
mod tools;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use program::Program;

/// The first line of a generated file.
const GENERATED: &str = "<!-- made by cargo xtask docs: do not edit -->";
/// The first line of a generated file with an example.
const WITH_EXAMPLE: &str =
    "<!-- made by cargo xtask docs: edit only the example, which a test runs -->";
/// Folders in which every file is generated.
const FOLDERS: [&str; 2] = ["docs/commands", "docs/tools"];

/// Writes the generated documentation, or only checks that it is up to date.
pub fn run(check: bool) -> anyhow::Result<()> {
    let root = crate::project::root();
    let program = Program::build(&root)?;
    // By their path from the root of the project.
    let mut pages = tools::pages(&program.tools()?)?;
    pages.extend(commands::pages(&program.commands()?));
    for (path, text) in &mut pages {
        let is_example = FOLDERS.iter().any(|folder| path.starts_with(&format!("{folder}/")));
        if is_example {
            let before = std::fs::read_to_string(root.join(path)).unwrap_or_default();
            *text = example::kept(text, &before);
        }
        let first = if is_example { WITH_EXAMPLE } else { GENERATED };
        text.insert_str(0, &format!("{first}\n\n"));
    }
    let tree = crate::tidy::tree::Tree::read(&root)?;
    pages.insert(sentences::PATH.to_owned(), sentences::table(&tree));
    pages.insert("server.json".to_owned(), crate::dist::registry::entry()?);
    let left = left_over(&root, &pages)?;
    pages.retain(|path, text| std::fs::read_to_string(root.join(path)).ok().as_ref() != Some(text));
    if check {
        let stale: Vec<&String> = pages.keys().chain(&left).collect();
        anyhow::ensure!(
            stale.is_empty(),
            "{stale:?} differ from the program; run cargo xtask docs"
        );
        return Ok(());
    }
    for (path, text) in pages {
        std::fs::write(root.join(&path), text).context(path.clone())?;
        println!("{path} written");
    }
    for path in left {
        std::fs::remove_file(root.join(&path)).context(path.clone())?;
        println!("{path} removed");
    }
    Ok(())
}

/// Returns the files of generated folders that are not among the pages.
fn left_over(root: &Path, pages: &BTreeMap<String, String>) -> anyhow::Result<Vec<String>> {
    let mut left = Vec::new();
    for folder in FOLDERS {
        for file in std::fs::read_dir(root.join(folder))? {
            left.push(format!("{folder}/{}", file?.file_name().display()));
        }
    }
    left.retain(|path| !pages.contains_key(path));
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_a_command_that_is_gone_is_left_over() {
        let root = tempfile::tempdir().unwrap();
        for name in FOLDERS.map(|folder| root.path().join(folder)) {
            std::fs::create_dir_all(&name).unwrap();
            std::fs::write(name.join("look.md"), "").unwrap();
        }
        let pages = BTreeMap::from([("docs/commands/look.md".to_owned(), String::new())]);
        assert_eq!(left_over(root.path(), &pages).unwrap(), ["docs/tools/look.md"]);
    }
}
