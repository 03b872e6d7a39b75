//! Tests a baseline store that many processes use at once while some of them are killed.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::baselines::{capture, command, result_of, run};

/// How many processes run at a time. Every fifth of them is killed, at varying moments.
const WORKERS: u64 = 50;

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = command(folder, &[arguments, &["--output", "json"]].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Returns the versions of a name, the newest first.
fn versions(folder: &Path, name: &str) -> Vec<i64> {
    let history = run(folder, &["baselines", "history", name, "--output", "json"]);
    let history: Value = serde_json::from_slice(&history.stdout).unwrap_or_default();
    let versions = history["versions"].as_array().into_iter().flatten();
    versions.filter_map(|version| version["version"].as_i64()).collect()
}

/// Processes save, read and restore a shared baseline and save their own, and some are killed.
/// Every acknowledged baseline must be in the store, and every file must be whole.
#[test]
fn fifty_processes_lose_nothing_though_some_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir(at.join(".pagesight")).unwrap();
    let (page, other) = (capture("forms"), capture("shop"));
    assert!(start(at, &["fingerprint", &page, "--save", "shared"]).wait().unwrap().success());
    let seconds = std::env::var("PAGESIGHT_TEST_SECONDS").ok();
    let seconds = seconds.and_then(|text| text.parse().ok()).unwrap_or(6);
    let end = Instant::now() + Duration::from_secs(seconds);
    let acknowledged: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| {
                let (page, other) = (&page, &other);
                scope.spawn(move || {
                    let (mut kept, mut turn) = (Vec::new(), worker);
                    while Instant::now() < end {
                        turn += 1;
                        let own = format!("Worker-{worker}/{turn}");
                        let mut child = match turn % 4 {
                            0 => start(at, &["fingerprint", page, "--save", &own]),
                            1 => start(at, &["fingerprint", page, "--save", "shared"]),
                            2 => start(at, &["compare", other, "--against", "shared"]),
                            _ => {
                                let known = versions(at, "shared");
                                let version = known[turn as usize % known.len()].to_string();
                                start(at, &["baselines", "restore", "shared", &version])
                            }
                        };
                        let killed = worker % 5 == 0 && turn % 3 != 1;
                        if killed {
                            std::thread::sleep(Duration::from_millis(turn * 7 % 90));
                            let _ = child.kill();
                        }
                        let code = child.wait().unwrap().code();
                        match turn % 4 {
                            0 if code == Some(0) => kept.push(own),
                            // A page differs, so 1 is the right answer; 2 would be an error.
                            2 => assert!(killed || code == Some(1), "compare ended with {code:?}"),
                            _ => {}
                        }
                    }
                    kept
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(acknowledged.len() >= 10, "{}", acknowledged.len());
    let list = result_of(&run(at, &["baselines", "list", "--output", "json"]));
    let there: Vec<&str> = list["baselines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|listed| listed["name"].as_str().unwrap())
        .collect();
    let lost: Vec<&String> =
        acknowledged.iter().filter(|name| !there.contains(&name.as_str())).collect();
    assert!(lost.is_empty(), "{lost:?}");
    let known = versions(at, "shared");
    assert!((2..=21).contains(&known.len()), "{known:?}");
    assert!(known.is_sorted_by(|one, other| one > other), "no number twice: {known:?}");
    // Every version can be restored, so its file is whole.
    for version in known {
        let restored = run(at, &["baselines", "restore", "shared", &version.to_string()]);
        assert!(restored.status.success(), "{restored:?}");
    }
}
