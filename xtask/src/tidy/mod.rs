//! The rules of the project that a program can check. Each rule is a function from the files of the
//! project to a list of violations, one sentence each.

mod circles;
mod dependencies;
mod environment;
mod files;
pub mod imports;
mod links;
mod names;
mod page_access;
pub mod patterns;
pub mod source;
pub mod tree;
mod versions;
mod words;

use tree::Tree;

/// Checks every rule; fails with the list of violations.
pub fn run() -> anyhow::Result<()> {
    let root = crate::project::root();
    let tree = Tree::read(&root)?;
    let page_imports = imports::in_page_script(&tree);
    let broken = [
        files::check(&tree),
        page_access::check(&tree),
        imports::folder_order(&page_imports),
        circles::check(&page_imports),
        circles::check(&imports::in_rust(&tree)),
        words::check(&tree),
        environment::check(&tree),
        names::types(&tree),
        names::tools(&tree),
        links::check(&tree, &|path| root.join(path).exists()),
        versions::check(&tree),
        dependencies::unused(&root, &tree),
        dependencies::licences(&root)?,
    ]
    .concat();
    anyhow::ensure!(broken.is_empty(), "{}", broken.join("\n"));
    Ok(())
}
