//! The rules of the project that a program can check. Each rule is a function from the files of the
//! project to a list of violations, one sentence each.

mod circles;
mod dependencies;
mod files;
mod licences;
mod links;
mod page_access;
mod page_code;
mod page_imports;
mod prose;
mod rust_imports;
mod rust_tokens;
pub mod schema;
mod tool_names;
mod tree;
mod type_names;
mod versions;
mod words;

use tree::Tree;

/// Checks every rule; fails with the list of violations.
pub fn run() -> anyhow::Result<()> {
    let root = crate::project::root();
    let tree = Tree::read(&root)?;
    let mut broken = findings(&tree);
    broken.extend(links::check(&tree, &|path| root.join(path).exists()));
    broken.extend(versions::check(&root));
    broken.extend(licences::check(&root)?);
    anyhow::ensure!(broken.is_empty(), "{}", broken.join("\n"));
    Ok(())
}

fn findings(tree: &Tree) -> Vec<String> {
    let mut found = files::check(tree);
    found.extend(page_access::check(tree));
    found.extend(page_imports::folder_order(tree));
    let mut imports = page_imports::edges(tree);
    imports.extend(rust_imports::edges(tree));
    found.extend(circles::check(&imports));
    found.extend(dependencies::check(tree));
    found.extend(words::check(tree));
    found.extend(type_names::check(tree));
    found.extend(tool_names::check(tree));
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
