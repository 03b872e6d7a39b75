//! Tests `pagesight install` through the whole program, started as `npx` starts it: from its cache.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{has, program};

#[test]
fn a_program_of_npx_is_copied_until_the_last_entry_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let cached = folder.path().join("_npx/1/node_modules/@pagesight/x/bin/pagesight");
    for file in [&cached, &home.join("file")] {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    }
    if std::fs::hard_link(program(), &cached).is_err() {
        std::fs::copy(program(), &cached).unwrap();
    }
    let install = |arguments: &[&str]| {
        let mut command = Command::new(&cached);
        command.arg("install").args(arguments).current_dir(folder.path()).stdin(Stdio::null());
        let output = command.env_clear().env("HOME", &home).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        said
    };
    let started = |file: &str| -> PathBuf {
        let text = std::fs::read_to_string(home.join(file)).unwrap();
        let entry = &serde_json::from_str::<Value>(&text).unwrap()["mcpServers"]["pagesight"];
        assert_eq!(entry["args"], serde_json::json!(["mcp"]), "{text}");
        PathBuf::from(entry["command"].as_str().unwrap())
    };
    let version = |program: &Path| {
        let output = Command::new(program).arg("--version").output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };

    has(&install(&["claude", "--dry-run"]), "nothing was written");
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 0);
    install(&["claude", "--yes"]);
    let copy = started(".claude.json");
    assert!(copy.starts_with(&home), "{}", copy.display());
    has(&version(&copy), env!("CARGO_PKG_VERSION"));
    // A copy that was deleted is made again.
    std::fs::remove_file(&copy).unwrap();
    has(&install(&["claude", "--yes"]), "already has this entry");
    install(&["cursor", "--yes"]);
    assert_eq!(started(".cursor/mcp.json"), copy);
    install(&["claude", "--remove", "--yes"]);
    has(&version(&copy), env!("CARGO_PKG_VERSION"));
    install(&["cursor", "--remove", "--yes"]);
    assert!(!copy.ancestors().nth(3).unwrap().exists(), "{}", copy.display());
}
