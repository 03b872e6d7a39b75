//! Checks what the program is made of: every dependency comes from crates.io, under a licence that
//! allows the program to be distributed under its own.

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

/// Licences that dependencies may have. None of them restricts programs that contain the code.
const ALLOWED: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "IJG",
    "MIT",
    "Unicode-3.0",
    "Zlib",
];

/// The only place that dependencies come from.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks the dependencies of the workspace, on all platforms.
pub fn check(root: &Path) -> anyhow::Result<Vec<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root)
        .output()
        .context("cargo metadata")?;
    let message = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "cargo metadata: {}", message.trim());
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    Ok(findings(&metadata))
}

fn findings(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    if packages.is_empty() {
        return vec!["cargo metadata: no packages are listed".to_owned()];
    }
    let mut found = Vec::new();
    for package in packages {
        let name = format!(
            "{} {}",
            package["name"].as_str().unwrap_or_default(),
            package["version"].as_str().unwrap_or_default()
        );
        let is_own = package["source"].is_null();
        let source = package["source"].as_str().unwrap_or_default();
        if !is_own && source != CRATES_IO {
            found.push(format!("{name}: its source is {source}, not crates.io"));
        }
        match package["license"].as_str() {
            None => found.push(format!("{name}: it does not name its licence")),
            Some(licence) if !allows(licence) => found
                .push(format!("{name}: its licence is not on the list of allowed ones: {licence}")),
            Some(_) => {}
        }
    }
    found
}

/// Whether an SPDX expression can be met with allowed licences only. `/` is an old way to write
/// `OR`. An expression that cannot be read is not allowed.
fn allows(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    either(&words, &mut at) == Some(true) && at == words.len()
}

fn either(words: &[&str], at: &mut usize) -> Option<bool> {
    let mut met = both(words, at)?;
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= both(words, at)?;
    }
    Some(met)
}

fn both(words: &[&str], at: &mut usize) -> Option<bool> {
    let mut met = licence(words, at)?;
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= licence(words, at)?;
    }
    Some(met)
}

fn licence(words: &[&str], at: &mut usize) -> Option<bool> {
    let word = *words.get(*at)?;
    *at += 1;
    if word == "(" {
        let met = either(words, at)?;
        let closed = words.get(*at) == Some(&")");
        *at += 1;
        return closed.then_some(met);
    }
    if words.get(*at) == Some(&"WITH") {
        let exception = words.get(*at + 1)?;
        *at += 2;
        return Some(ALLOWED.contains(&format!("{word} WITH {exception}").as_str()));
    }
    Some(ALLOWED.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_licence_expression_is_allowed_if_allowed_licences_meet_it() {
        for allowed in [
            "MIT",
            "MIT/Apache-2.0",
            "MIT OR GPL-3.0",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
        ] {
            assert!(allows(allowed), "{allowed}");
        }
        for refused in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR Apache-2.0) AND GPL-3.0",
            "MIT OR",
            "(MIT",
            "MIT MIT",
            "GPL-2.0 WITH Classpath-exception-2.0",
        ] {
            assert!(!allows(refused), "{refused}");
        }
    }

    #[test]
    fn other_sources_and_licences_are_found() {
        let package = |name, source: Value, license: Value| json!({"name": name, "version": "1.0.0", "source": source, "license": license});
        let git = "git+https://example.com/a.git";
        let metadata = json!({"packages": [
            package("own", Value::Null, json!("MIT")),
            package("good", json!(CRATES_IO), json!("MIT OR Apache-2.0")),
            package("fetched", json!(git), json!("MIT")),
            package("copyleft", json!(CRATES_IO), json!("AGPL-3.0")),
            package("silent", json!(CRATES_IO), Value::Null),
        ]});
        assert_eq!(
            findings(&metadata),
            [
                "fetched 1.0.0: its source is git+https://example.com/a.git, not crates.io",
                "copyleft 1.0.0: its licence is not on the list of allowed ones: AGPL-3.0",
                "silent 1.0.0: it does not name its licence",
            ]
        );
        assert_eq!(findings(&json!({})), ["cargo metadata: no packages are listed"]);
    }
}
