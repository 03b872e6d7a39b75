//! The house rules, enforced by a test instead of by memory.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// The longest source file that needs no excuse.
const LONGEST: usize = 600;
/// What core may not touch: it is pure.
const IMPURE: [&str; 9] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "Instant",
    "SystemTime",
    "tokio",
    "async fn",
    "std::env",
];
/// Protocol methods may be named in the browser crate only.
const PROTOCOL: [&str; 10] = [
    "\"Page.",
    "\"Runtime.",
    "\"Target.",
    "\"Input.",
    "\"Network.",
    "\"DOM.",
    "\"browsingContext.",
    "\"session.",
    "\"script.evaluate",
    "\"input.performActions",
];

/// Checks every rule; fails with the list of what breaks one.
pub fn run() -> anyhow::Result<()> {
    let root = crate::root();
    let mut broken = Vec::new();
    for file in sources(&root)? {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        let first = text.lines().next().unwrap_or_default();
        if !first.starts_with("//!") && !first.starts_with("// ") && !first.starts_with("/*") {
            broken.push(format!("{name}: the first line does not say why the file exists"));
        }
        if text.lines().count() > LONGEST {
            broken.push(format!("{name}: more than {LONGEST} lines; look for a second concept"));
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        if name.starts_with("crates/pagesight-core/src") {
            let used = IMPURE.iter().find(|word| {
                code.lines()
                    .any(|line| !line.trim_start().starts_with("//") && line.contains(**word))
            });
            broken.extend(used.map(|word| format!("{name}: core is pure, but this uses {word}")));
        }
        if name.starts_with("crates/") && !name.starts_with("crates/pagesight-browser") {
            let used = PROTOCOL.iter().find(|word| code.contains(**word));
            broken.extend(used.map(|word| {
                format!("{name}: only the browser crate names protocol methods ({word})")
            }));
        }
    }
    anyhow::ensure!(broken.is_empty(), "{}", broken.join("\n"));
    Ok(())
}

/// The source files of the project, in a stable order.
fn sources(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.join("crates"), root.join("xtask/src"), root.join("page/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            let bundle = path.ends_with("pagesight-browser/src/page.js");
            if path.is_dir() {
                folders.push(path);
            } else if !bundle
                && path
                    .extension()
                    .is_some_and(|ending| ending == "rs" || ending == "ts" || ending == "js")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_house_rules_hold() {
        if let Err(error) = super::run() {
            panic!("{error}");
        }
    }
}
