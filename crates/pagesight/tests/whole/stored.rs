//! Tests that data of earlier versions still works: page files, hashes, exported baselines and the
//! baselines of `pagesight check`. The store of these versions is left alone. Each version wrote
//! its files in `tests/stored` from the pages in `tests/captures` and `tests/fixtures`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Site, outside_ci};

/// The captured pages and the hashes that 0.1.0 gave them.
const HASHES: [(&str, &str); 3] =
    [("dashboard", "845cacd5"), ("forms", "07b6172a"), ("shop", "3a2647a1")];

fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

fn stored(path: &str) -> PathBuf {
    tests_folder().join("stored").join(path)
}

fn capture(name: &str) -> String {
    tests_folder().join(format!("captures/{name}.page.json")).display().to_string()
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = outside_ci();
    command.args(arguments).args(["--output", "json"]).current_dir(folder);
    command.env("XDG_DATA_HOME", folder.join("data")).env("HOME", folder);
    command
}

/// Runs the program in `folder`, which also holds the user's data. Returns its exit code and
/// output.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = command(folder, arguments).output().unwrap();
    let json = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:?}"));
    (output.status.code(), json)
}

fn compare_all(folder: &Path) {
    for (name, _) in HASHES {
        let (code, compared) = run(folder, &["compare", &capture(name), "--against", name]);
        assert_eq!((code, &compared["status"]), (Some(0), &"unchanged".into()), "{compared}");
    }
}

#[test]
fn hashes_stay_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (name, hash) in HASHES {
        let (code, fingerprint) = run(folder.path(), &["fingerprint", &capture(name)]);
        assert_eq!((code, &fingerprint["hash"]), (Some(0), &hash.into()), "{name}");
    }
}

#[test]
fn an_earlier_store_is_left_alone_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data/pagesight");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::copy(stored("0.1.0/baselines.db"), data.join("baselines.db")).unwrap();
    let compare = ["compare", &capture("dashboard"), "--against", "dashboard"];
    let refused = command(folder.path(), &compare).output().unwrap();
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{why}");
    assert!(why.contains("export its baselines with that version"), "{why}");
    run(folder.path(), &["fingerprint", &capture("dashboard"), "--save", "dashboard"]);
    let (code, compared) = run(folder.path(), &compare);
    assert_eq!((code, &compared["status"]), (Some(0), &"unchanged".into()), "{compared}");
    let [old, new] = [stored("0.1.0/baselines.db"), data.join("baselines.db")];
    assert!(std::fs::read(old).unwrap() == std::fs::read(new).unwrap(), "it is as it was");
}

#[test]
fn earlier_exports_are_imported() {
    for version in ["0.1.0/exported", "0.2.0/exported"] {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<String> = std::fs::read_dir(stored(version))
            .unwrap()
            .map(|entry| entry.unwrap().path().display().to_string())
            .collect();
        assert_eq!(files.len(), HASHES.len());
        let mut arguments = vec!["baselines", "import"];
        arguments.extend(files.iter().map(String::as_str));
        let (code, imported) = run(folder.path(), &arguments);
        assert_eq!(code, Some(0), "{imported}");
        compare_all(folder.path());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn earlier_baselines_of_a_check_are_unchanged() {
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let baselines = folder.path().join("pages.baselines");
    std::fs::create_dir(&baselines).unwrap();
    for entry in std::fs::read_dir(stored("0.1.0/pages.baselines")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, baselines.join(path.file_name().unwrap())).unwrap();
    }
    let page = |name: &str| format!("[[page]]\nname = \"{name}\"\nroute = \"/{name}.html\"\n");
    let base_url = site.url("");
    let plan = format!(
        "base_url = \"{}\"\n{}{}",
        base_url.trim_end_matches('/'),
        page("dashboard"),
        page("forms")
    );
    std::fs::write(folder.path().join("pages.toml"), plan).unwrap();
    let at = folder.path().to_owned();
    let (code, checked) = tokio::task::spawn_blocking(move || run(&at, &["check"])).await.unwrap();
    assert_eq!((code, &checked["counts"]["unchanged"]), (Some(0), &2.into()), "{checked}");
}
