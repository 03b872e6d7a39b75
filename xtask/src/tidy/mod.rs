//! The house rules, enforced by a test instead of by memory. Each rule is a function from the files
//! of the project to the sentences about what breaks it.

mod circles;
mod dependencies;
mod files;
mod page_imports;
mod rust_imports;
mod rust_tokens;
mod tree;

use tree::Tree;

/// Checks every rule; fails with the list of what breaks one.
pub fn run() -> anyhow::Result<()> {
    let broken = findings(&Tree::read(&crate::project::root())?);
    anyhow::ensure!(broken.is_empty(), "{}", broken.join("\n"));
    Ok(())
}

fn findings(tree: &Tree) -> Vec<String> {
    let mut found = files::check(tree);
    found.extend(page_imports::folder_order(tree));
    let mut imports = page_imports::edges(tree);
    imports.extend(rust_imports::edges(tree));
    found.extend(circles::check(&imports));
    found.extend(dependencies::check(tree));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_rules_hold() {
        if let Err(error) = run() {
            panic!("{error}");
        }
    }
}
