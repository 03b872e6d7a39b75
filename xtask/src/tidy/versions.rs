//! Checks that every file that states the version of pagesight states the version of the workspace,
//! and that the entry for the MCP registry fits its schema.

use std::path::Path;

use serde_json::Value;

use super::schema;

/// The entry for the MCP registry, and what it must look like.
const REGISTRY_ENTRY: &str = "server.json";
const REGISTRY_SCHEMA: &str = "packaging/server.schema.json";
/// JSON files with a version, and where in them it is.
const IN_JSON: [(&str, &str); 4] = [
    (REGISTRY_ENTRY, "/version"),
    (REGISTRY_ENTRY, "/packages/0/version"),
    (REGISTRY_ENTRY, "/packages/1/version"),
    ("plugin/.claude-plugin/plugin.json", "/version"),
];

/// Checks the files below `root`.
pub fn check(root: &Path) -> Vec<String> {
    findings(&|path| std::fs::read_to_string(root.join(path)).ok())
}

fn findings(read: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let manifest = read("Cargo.toml").unwrap_or_default();
    let Some(version) = line_value(&manifest, "version = ") else {
        return vec!["Cargo.toml: the workspace has no version".to_owned()];
    };
    let mut found = Vec::new();
    for line in manifest.lines().filter(|line| line.starts_with("pagesight-")) {
        if !line.contains(&format!("version = \"{version}\"")) {
            found.push(format!("Cargo.toml: this line must name version {version}: {line}"));
        }
    }
    let lab = read("lab/Cargo.toml").unwrap_or_default();
    if line_value(&lab, "version = ") != Some(version) {
        found.push(format!("lab/Cargo.toml: the version must be {version}"));
    }
    for (path, place) in IN_JSON {
        let Some(value) = json(read, path, &mut found) else { continue };
        if value.pointer(place).and_then(Value::as_str) != Some(version) {
            found.push(format!("{path}: {place} must be {version}"));
        }
    }
    let entry = json(read, REGISTRY_ENTRY, &mut found);
    let rules = json(read, REGISTRY_SCHEMA, &mut found);
    if let (Some(entry), Some(rules)) = (entry, rules) {
        let broken = schema::findings(&entry, &rules);
        found.extend(broken.iter().map(|fault| format!("{REGISTRY_ENTRY}: {fault}")));
    }
    found
}

fn json(
    read: &dyn Fn(&str) -> Option<String>,
    path: &str,
    found: &mut Vec<String>,
) -> Option<Value> {
    let value = read(path).and_then(|text| serde_json::from_str(&text).ok());
    if value.is_none() {
        found.push(format!("{path}: it is missing or not JSON"));
    }
    value
}

/// Returns the string after the first line start `key`.
fn line_value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let line = text.lines().find(|line| line.starts_with(key))?;
    line[key.len()..].trim().strip_prefix('"')?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(versions: [&str; 6]) -> Vec<String> {
        let [workspace, crates, lab, entry, package, plugin] = versions;
        findings(&|path| {
            Some(match path {
                "Cargo.toml" => format!(
                    "[workspace.package]\nversion = \"{workspace}\"\n\
                     pagesight-core = {{ path = \"x\", version = \"{crates}\" }}\n"
                ),
                "lab/Cargo.toml" => format!("version = \"{lab}\"\n"),
                "server.json" => format!(
                    "{{\"version\": \"{entry}\", \"packages\": \
                     [{{\"version\": \"{entry}\"}}, {{\"version\": \"{package}\"}}]}}"
                ),
                "plugin/.claude-plugin/plugin.json" => format!("{{\"version\": \"{plugin}\"}}"),
                "packaging/server.schema.json" => "{\"required\": [\"packages\"]}".to_owned(),
                _ => return None,
            })
        })
    }

    #[test]
    fn one_version_everywhere() {
        assert_eq!(at(["1.2.3"; 6]), Vec::<String>::new());
    }

    #[test]
    fn every_other_version_is_found() {
        let mut expected = [1; 6];
        expected[0] = 6;
        expected[3] = 2;
        for (place, count) in expected.into_iter().enumerate() {
            let mut versions = ["1.2.3"; 6];
            versions[place] = "1.2.4";
            assert_eq!(at(versions).len(), count, "{:?}", at(versions));
        }
    }

    #[test]
    fn missing_files_are_found() {
        let found =
            findings(&|path| (path == "Cargo.toml").then(|| "version = \"1.0.0\"\n".to_owned()));
        assert!(found.contains(&"server.json: it is missing or not JSON".to_owned()));
        assert!(found.contains(&"lab/Cargo.toml: the version must be 1.0.0".to_owned()));
    }
}
