//! `cargo xtask docs`: writes the parts of the documentation that derive from the program. Tools
//! come from its MCP answer, commands from its help, so the documentation cannot differ from them.

mod commands;
mod program;
mod tools;

use std::path::Path;

use anyhow::Context;
use program::Program;

/// The first line of a generated file.
const GENERATED: &str = "<!-- made by cargo xtask docs: do not edit -->";

/// Writes the generated documentation, or only checks that it is up to date.
pub fn run(check: bool) -> anyhow::Result<()> {
    let root = crate::project::root();
    let stale: Vec<String> = pages(&root)?
        .into_iter()
        .filter(|(path, text)| std::fs::read_to_string(root.join(path)).ok().as_ref() != Some(text))
        .map(|(path, text)| {
            if !check {
                std::fs::write(root.join(path), text).with_context(|| path.to_owned())?;
            }
            Ok(path.to_owned())
        })
        .collect::<anyhow::Result<_>>()?;
    anyhow::ensure!(
        !check || stale.is_empty(),
        "{} differs from the program; run cargo xtask docs",
        stale.join(", ")
    );
    for path in stale {
        println!("{path} written");
    }
    Ok(())
}

/// Returns every page with generated parts: its path and its text.
fn pages(root: &Path) -> anyhow::Result<Vec<(&'static str, String)>> {
    let program = Program::build(root)?;
    let tools = program.tools()?;
    let commands = program.commands()?;
    let readme = std::fs::read_to_string(root.join("README.md")).context("README.md")?;
    let readme = with_block(&readme, "tools", &tools::table(&tools))?;
    let readme = with_block(&readme, "commands", &commands::table(&commands))?;
    Ok(vec![
        ("README.md", readme),
        ("docs/tools.md", format!("{GENERATED}\n\n{}", tools::page(&tools))),
        ("docs/commands.md", format!("{GENERATED}\n\n{}", commands::page(&commands))),
    ])
}

/// Replaces the lines between `<!-- NAME: … -->` and `<!-- end of NAME -->`.
fn with_block(text: &str, name: &str, block: &str) -> anyhow::Result<String> {
    let start = format!("<!-- {name}: made by cargo xtask docs -->\n");
    let end = format!("<!-- end of {name} -->");
    let parts = text.split_once(&start).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some((before, after))
    });
    let (before, after) = parts.with_context(|| format!("no block for {name}: {start}"))?;
    Ok(format!("{before}{start}\n{block}\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_replaced_between_its_marks() {
        let text = "a\n<!-- tools: made by cargo xtask docs -->\nold\n<!-- end of tools -->\nb\n";
        let new = with_block(text, "tools", "new\n").unwrap();
        assert_eq!(new, text.replace("old\n", "\nnew\n\n"));
        assert_eq!(with_block(&new, "tools", "new\n").unwrap(), new);
        assert!(with_block(text, "commands", "new").is_err());
    }
}
