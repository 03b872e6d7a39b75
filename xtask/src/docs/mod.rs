//! `cargo xtask docs`: writes the parts of the documentation that derive from the program. Tools
//! come from its MCP answer, commands from its help, so the documentation cannot differ from them.

mod commands;
mod page;
mod program;
mod tools;

use std::path::Path;

use anyhow::Context;
use page::DocsPage;
use program::Program;

/// The first line of a generated file.
const GENERATED: &str = "<!-- made by cargo xtask docs: do not edit -->";
/// Folders in which every file is generated.
const FOLDERS: [&str; 2] = ["docs/commands", "docs/tools"];

/// Writes the generated documentation, or only checks that it is up to date.
pub fn run(check: bool) -> anyhow::Result<()> {
    let root = crate::project::root();
    let program = Program::build(&root)?;
    let mut pages = tools::pages(&program.tools()?);
    pages.extend(commands::pages(&program.commands()?));
    for page in &mut pages {
        page.text.insert_str(0, &format!("{GENERATED}\n\n"));
    }
    let left = left_over(&root, &pages)?;
    pages.retain(|page| {
        std::fs::read_to_string(root.join(&page.path)).ok().as_ref() != Some(&page.text)
    });
    if check {
        let stale: Vec<&str> = pages
            .iter()
            .map(|page| page.path.as_str())
            .chain(left.iter().map(String::as_str))
            .collect();
        anyhow::ensure!(
            stale.is_empty(),
            "{} differs from the program; run cargo xtask docs",
            stale.join(", ")
        );
        return Ok(());
    }
    for DocsPage { path, text } in pages {
        let file = root.join(&path);
        std::fs::create_dir_all(file.parent().unwrap_or(&root)).context(path.clone())?;
        std::fs::write(file, text).context(path.clone())?;
        println!("{path} written");
    }
    for path in left {
        std::fs::remove_file(root.join(&path)).context(path.clone())?;
        println!("{path} removed");
    }
    Ok(())
}

/// Returns the files of generated folders that are not among the pages.
fn left_over(root: &Path, pages: &[DocsPage]) -> anyhow::Result<Vec<String>> {
    let mut left = Vec::new();
    for folder in FOLDERS {
        let Ok(files) = std::fs::read_dir(root.join(folder)) else { continue };
        for file in files {
            let path = format!("{folder}/{}", file?.file_name().to_string_lossy());
            if !pages.iter().any(|page| page.path == path) {
                left.push(path);
            }
        }
    }
    left.sort();
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_a_command_that_is_gone_is_left_over() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("docs/commands")).unwrap();
        for name in ["look.md", "gone.md"] {
            std::fs::write(root.path().join("docs/commands").join(name), "").unwrap();
        }
        let page = DocsPage { path: "docs/commands/look.md".to_owned(), text: String::new() };
        assert_eq!(left_over(root.path(), &[page]).unwrap(), ["docs/commands/gone.md"]);
    }
}
