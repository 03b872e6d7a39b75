//! Tests how much memory a check needs that lists 100,000 pages.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use crate::support::has;
use crate::support::shop::{command, said};

const LISTED: usize = 100_000;
/// The most memory in KiB: 200 MiB.
const MOST: u64 = 200 * 1024;

/// Runs a check and returns its output and the most memory that it had, in KiB.
async fn measured(folder: &Path, arguments: &[&str]) -> (Output, u64) {
    let mut command = command(folder, arguments);
    command.env("CI", "true").stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = tokio::process::Command::from(command).kill_on_drop(true).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id().unwrap());
    let watch = tokio::spawn(async move {
        let mut most = 0;
        // The process is gone when its file is.
        while let Ok(text) = std::fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let Some(line) = line else { break };
            most = line.trim().trim_end_matches(" kB").parse().unwrap_or(most);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        most
    });
    let output = tokio::time::timeout(Duration::from_secs(110), child.wait_with_output());
    let output = output.await.expect("it ends").unwrap();
    (output, watch.await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_thousand_listed_pages_fit_into_200_mib() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = format!(
        "base_url = \"http://127.0.0.1:9\"\nretries = 0\nignore = [{{ selector = \".clock\" }}]\n\
         command = \"seq -f '/products/category-%g/item?page=2' 1 {LISTED}\"\n"
    );
    std::fs::write(at.join("pages.toml"), text).unwrap();
    let (output, most) = measured(at, &["--only", "products-category-77-item-page-2"]).await;
    has(&said(&output), "1 page: 1 failed");
    has(&said(&output), ": 100000 pages");
    eprintln!("{LISTED} pages listed: {} MiB", most / 1024);
    assert!((1_024..MOST).contains(&most), "{most} KiB");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_thousand_results_are_merged_in_200_mib() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for shard in 1..=2 {
        let run = at.join(format!("run-{shard}"));
        std::fs::create_dir_all(run.join("files")).unwrap();
        let header = serde_json::json!({
            "pagesight_run": 1, "file": "pages.toml", "began": "2026-01-23T10:30:45Z", "took_ms": 1,
            "fail_on": "error", "plan": "x", "jobs": LISTED, "checked": LISTED / 2,
            "shard": [shard, 2],
        });
        std::fs::write(run.join("run.json"), header.to_string()).unwrap();
        let record = |job: usize| {
            let record = serde_json::json!({
                "job": job, "name": format!("products-category-{job}-item-page-2"),
                "url": format!("http://localhost:3000/products/category-{job}/item?page=2"),
                "browser": "chromium", "viewport": { "width": 1280, "height": 720 }, "line": 4,
                "result": "compared", "status": "unchanged", "tries": 1, "took_ms": 300,
                "base": "0".repeat(64),
            });
            format!("{record}\n")
        };
        let records: String = (0..LISTED).filter(|job| job % 2 + 1 == shard).map(record).collect();
        std::fs::write(run.join("pages.jsonl"), records).unwrap();
    }
    let files = ["--junit", "junit.xml", "--comment", "comment.md"];
    let (output, most) = measured(at, &[&["merge", "run-1", "run-2"], &files[..]].concat()).await;
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    has(&said(&output), "100000 pages: 100000 unchanged");
    eprintln!("{LISTED} results merged: {} MiB", most / 1024);
    assert!((1_024..MOST).contains(&most), "{most} KiB");
}
