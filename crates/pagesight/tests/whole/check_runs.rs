//! Tests runs through the whole program: shards, retries, lost and repeated shards, merged results,
//! and accepting a run in a different checkout.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Output;

use crate::support::shop::{
    PAGES, Served, baselines, check, command, ended, names, project, result_of, run, said, serve,
};
use crate::support::{has, lacks};

const SHARDS: u32 = 3;

/// Runs one shard as an attempt of run 7 of CI.
async fn shard(at: &Path, index: u32, attempt: &str, more: &[&str]) -> Output {
    let (shard, folder) = (format!("{index}/{SHARDS}"), format!("runs/{index}-{attempt}"));
    let mut arguments = vec!["--shard", &shard, "--run", &folder, "--output", "json"];
    arguments.extend(more);
    let mut command = command(at, &arguments);
    command.env("CI", "true").env("PAGESIGHT_RUN", "7").env("PAGESIGHT_ATTEMPT", attempt);
    run(command).await
}

/// Copies what is committed to a new checkout.
fn checkout(from: &Path) -> tempfile::TempDir {
    let to = tempfile::tempdir().unwrap();
    copy(&from.join("pages.baselines"), &to.path().join("pages.baselines"));
    std::fs::copy(from.join("pages.toml"), to.path().join("pages.toml")).unwrap();
    to
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// Returns the names of the files that differ.
fn different(
    one: &BTreeMap<String, Vec<u8>>,
    other: &BTreeMap<String, Vec<u8>>,
) -> BTreeSet<String> {
    let all = one.keys().chain(other.keys());
    all.filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

fn files_of(pages: &[&str]) -> BTreeSet<String> {
    let named =
        |page: &&str| ["json", "png"].map(|ending| format!("{page}@chromium-1280x720.{ending}"));
    pages.iter().flat_map(named).collect()
}

/// A shop whose baselines are saved, and in which three pages are broken afterwards.
async fn broken_shop() -> (Served, tempfile::TempDir) {
    let served = serve().await;
    let folder = project(&served, "retries = 0");
    ended(0, check(folder.path(), &[]).await);
    // A missing button, a missing heading, and a missing button again.
    served.shop.lock().unwrap().broken = [(1, 0), (3, 5), (5, 0)].into();
    (served, folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn shards_make_one_result_that_is_accepted_elsewhere() {
    let (_served, folder) = broken_shop().await;
    let at = folder.path();
    let (mut seen, mut lost) = (BTreeSet::new(), 0);
    for index in 1..=SHARDS {
        // The server of the second shard is away at the first try.
        let away: &[&str] = if index == 2 { &["--base-url", "http://127.0.0.1:9"] } else { &[] };
        let done = shard(at, index, "1", away).await;
        let result = result_of(&done);
        for page in result["pages"].as_array().unwrap() {
            let name = page["name"].as_str().unwrap().to_owned();
            assert!(seen.insert(name), "in one shard only: {page}");
        }
        if index == 2 {
            assert_eq!(done.status.code(), Some(2), "{}", said(&done));
            lost = names(&result, "failed").len();
        }
    }
    assert_eq!((seen.len(), lost > 0), (PAGES, true), "the shards have all pages: {seen:?}");
    let retried = shard(at, 2, "2", &[]).await;
    assert!(retried.status.code() < Some(2), "{}", said(&retried));

    let merge = async |folders: &[&str], more: &[&str]| {
        check(at, &[&["merge"], folders, more].concat()).await
    };
    let stored = at.join(".pagesight/run/run.json");
    std::fs::remove_dir_all(at.join(".pagesight")).unwrap();
    let refused = async |folders: &[&str], says: &str| {
        let output = ended(2, merge(folders, &[]).await);
        has(&said(&output), says);
        assert!(output.stdout.is_empty() && !stored.exists(), "there is no result");
    };
    let all = ["runs/1-1", "runs/2-1", "runs/2-2", "runs/3-1"];
    refused(&["runs/1-1", "runs/2-2"], "shard 3/3 is missing").await;
    copy(&at.join("runs/3-1"), &at.join("runs/copy"));
    refused(&[&all[..], &["runs/copy"]].concat(), "shard 3/3 is there twice").await;
    refused(&["pages.baselines"], "is not the folder of a complete run").await;

    let files = ["--junit", "junit.xml", "--comment", "comment.md", "--report", "report.html"];
    let merged = ended(1, merge(&all, &[&files[..], &["--output", "json"]].concat()).await);
    has(&said(&merged), "runs/2-2 is a retry and replaces runs/2-1");
    let result = result_of(&merged);
    let broken = ["p-1", "p-3", "p-5"];
    assert_eq!(names(&result, "changed"), broken.map(str::to_owned).into(), "{result:#}");
    assert_eq!(result["counts"]["unchanged"], PAGES - broken.len());
    let order: Vec<&str> = result["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| page["name"].as_str().unwrap())
        .collect();
    assert_eq!(order[..3], ["p-0", "p-1", "p-2"], "in the order of pages.toml");
    let read = |name: &str| std::fs::read_to_string(at.join(name)).unwrap();
    assert!(read("junit.xml").contains("tests=\"8\" failures=\"3\" errors=\"0\""));
    assert_eq!(read("report.html").matches("data:image/png;base64,").count(), 2 * broken.len());
    let comment = read("comment.md");
    assert!(
        comment.contains("3 of 8 pages failed") && comment.contains("'Save Tea' is missing."),
        "{comment}"
    );
    has(&comment, "pagesight check accept");

    accepted_elsewhere(at).await;
}

/// Accepts the merged run of `at` in new checkouts.
async fn accepted_elsewhere(at: &Path) {
    let before = baselines(at);
    let (first, second) = (checkout(at), checkout(at));
    let (first, second) = (first.path(), second.path());
    copy(&at.join(".pagesight/run"), &first.join("artifact"));
    let accept = async |folder: &Path, more: &[&str]| {
        check(folder, &[&["accept", "artifact"], more].concat()).await
    };
    let one = ended(0, accept(first, &["--only", "p-1"]).await);
    assert_eq!(different(&before, &baselines(first)), files_of(&["p-1"]), "{}", said(&one));
    let kind = accept(first, &["--type", "element_missing", "--output", "json"]).await;
    let accepted_kind = result_of(&kind);
    assert_eq!(accepted_kind["accepted"][0]["name"], "p-5", "{accepted_kind}");
    assert_eq!(accepted_kind["already_accepted"][0]["name"], "p-1", "{accepted_kind}");
    assert_eq!(accepted_kind["left_out"][0]["name"], "p-3", "{accepted_kind}");
    assert_eq!(different(&before, &baselines(first)), files_of(&["p-1", "p-5"]));
    ended(0, accept(first, &[]).await);
    assert_eq!(different(&before, &baselines(first)), files_of(&["p-1", "p-3", "p-5"]));
    let again = check(first, &[]).await;
    has(&said(&again), "8 pages: 8 unchanged");

    // In the meantime somebody changed a baseline.
    copy(&at.join(".pagesight/run"), &second.join("artifact"));
    let file = second.join("pages.baselines/p-3@chromium-1280x720.json");
    let edited =
        std::fs::read_to_string(&file).unwrap().replacen("\"title\": \"", "\"title\": \"New ", 1);
    std::fs::write(&file, &edited).unwrap();
    let conflict = ended(1, accept(second, &[]).await);
    has(&said(&conflict), "its baseline changed since the run");
    has(&said(&conflict), "3 pages: 2 accepted, 1 not accepted");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), edited);
    let json = ["p-3@chromium-1280x720.json".to_owned()];
    let expected: BTreeSet<String> = files_of(&["p-1", "p-5"]).into_iter().chain(json).collect();
    assert_eq!(different(&before, &baselines(second)), expected);
    ended(2, accept(second, &["--only", "p-99"]).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn new_pages_of_ci_are_accepted_and_a_signal_keeps_the_earlier_run() {
    let served = serve().await;
    let folder = project(&served, "retries = 0");
    let at = folder.path();
    let mut in_ci = command(at, &["--only", "p-1", "--only", "p-2"]);
    in_ci.env("CI", "true");
    let missing = ended(2, run(in_ci).await);
    has(&said(&missing), "2 pages: 2 no baseline");
    assert!(baselines(at).is_empty());
    let accepted = ended(0, check(at, &["accept"]).await);
    assert_eq!(baselines(at).len(), 4, "{}", said(&accepted));
    let same = check(at, &["--only", "p-1", "--only", "p-2"]).await;
    has(&said(&same), "2 pages: 2 unchanged");
    let nothing = ended(0, check(at, &["accept"]).await);
    has(&said(&nothing), "nothing to accept");

    let header = at.join(".pagesight/run/run.json");
    let kept = std::fs::read(&header).unwrap();
    let child = crate::support::shop::begin(at, &["--jobs", "1"]);
    let pid = child.id().unwrap();
    crate::support::shop::until_saved(at, 3).await;
    crate::support::shop::signal("-INT", pid);
    let ended = child.wait_with_output().await.unwrap();
    assert_eq!(ended.status.code(), Some(2), "{}", said(&ended));
    assert_eq!(std::fs::read(&header).unwrap(), kept, "an unfinished run replaces nothing");
    let left: Vec<_> = std::fs::read_dir(at.join(".pagesight")).unwrap().flatten().collect();
    assert_eq!(left.len(), 3, "run, only-runs and .gitignore: {left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_runs_write_nothing_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("checkout");
    std::fs::create_dir_all(at.join("run/files")).unwrap();
    std::fs::write(at.join("pages.toml"), "").unwrap();
    std::fs::write(folder.path().join("up.toml"), "").unwrap();
    let write = |file: &str, name: &str, version: u64| {
        let header = serde_json::json!({
            "pagesight_run": version, "file": file, "began": "", "took_ms": 0, "fail_on": "error",
            "plan": "", "jobs": 1, "checked": 1,
        });
        let record = serde_json::json!({
            "job": 0, "name": name, "url": "http://a/", "browser": "chromium",
            "viewport": { "width": 1, "height": 1 }, "line": 1, "result": "no_baseline",
            "tries": 1, "took_ms": 1, "baseline": "x",
        });
        std::fs::write(at.join("run/run.json"), header.to_string()).unwrap();
        std::fs::write(at.join("run/pages.jsonl"), format!("{record}\n")).unwrap();
        std::fs::write(at.join("run/files/0.json"), "{}").unwrap();
    };
    for (file, name, version, says) in [
        ("../up.toml", "a", 1, "is outside this folder"),
        ("/etc/passwd", "a", 1, "is outside this folder"),
        ("no.toml", "a", 1, "there is no no.toml here"),
        ("pages.toml", "../../evil\u{0}", 1, "is not a valid name"),
        ("pages.toml", "a b", 1, "is not a valid name"),
        ("pages.toml", "../../evil", 1, "a baseline that was changed"),
        ("pages.toml", "a", 99, "newer pagesight (version 99)"),
    ] {
        write(file, name, version);
        let output = check(&at, &["accept", "run"]).await;
        assert_eq!(output.status.code(), Some(2), "{name}: {}", said(&output));
        assert!(said(&output).contains(says), "{name}: {}", said(&output));
    }
    let entries = |path: &Path| std::fs::read_dir(path).unwrap().count();
    assert_eq!((entries(folder.path()), entries(&at)), (2, 2), "nothing was written");
    // A folder that is not a run is not replaced.
    std::fs::write(at.join("pages.toml"), "[[page]]\nurl = \"http://127.0.0.1:9/\"\n").unwrap();
    ended(2, check(&at, &["--run", "."]).await);
    assert_eq!(entries(&at), 2);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn links_in_a_run_and_in_a_checkout_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let (at, outside) = (folder.path().join("checkout"), folder.path().join("outside"));
    std::fs::create_dir_all(at.join("run/files")).unwrap();
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(at.join("pages.toml"), "").unwrap();
    std::fs::write(outside.join("pages.toml"), "").unwrap();
    std::fs::write(outside.join("token.json"), "{\"token\": \"hunter22\"}").unwrap();
    let write = |file: &str| {
        let header = serde_json::json!({
            "pagesight_run": 1, "file": file, "began": "", "took_ms": 0, "fail_on": "error",
            "plan": "", "jobs": 1, "checked": 1, "shard": [1, 1],
        });
        let record = serde_json::json!({
            "job": 0, "name": "a", "url": "http://a/", "browser": "chromium",
            "viewport": { "width": 1, "height": 1 }, "line": 1, "result": "no_baseline",
            "tries": 1, "took_ms": 1, "baseline": "x",
        });
        std::fs::write(at.join("run/run.json"), header.to_string()).unwrap();
        std::fs::write(at.join("run/pages.jsonl"), format!("{record}\n")).unwrap();
    };
    let refused = async |arguments: &[&str], says: &str| {
        let output = ended(2, check(&at, arguments).await);
        has(&said(&output), says);
        lacks(&said(&output), "hunter22");
    };
    write("pages.toml");
    symlink(outside.join("token.json"), at.join("run/files/0.json")).unwrap();
    refused(&["accept", "run"], "it is a link").await;
    refused(&["merge", "run", "--run", "merged"], "it is a link").await;
    symlink(at.join("run"), at.join("linked")).unwrap();
    refused(&["accept", "linked"], "is a link, which is not followed").await;
    // The folders that would be written to.
    write("sub/pages.toml");
    symlink(&outside, at.join("sub")).unwrap();
    refused(&["accept", "run"], "leads out of this folder by a link").await;
    write("pages.toml");
    symlink(&outside, at.join("pages.baselines")).unwrap();
    refused(&["accept", "run"], "leads out of this folder by a link").await;
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 2, "nothing was written");
    assert!(!at.join("merged").exists());
}
