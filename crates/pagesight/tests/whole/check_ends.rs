//! Tests how a check ends if it is killed, interrupted by a signal, or loses its browser. No result
//! is lost, and no browser is left running.

use std::time::Duration;

use crate::support::shop::{
    PAGES, baselines, begin, check, ended, gone, names, result_of, said, serve, signal,
    slow_project, until_some,
};
use crate::support::{descendants, has};

#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_is_killed_and_started_again_loses_nothing() {
    let served = serve().await;
    let folder = slow_project(&served);
    let at = folder.path();
    let mut child = begin(at, &["--jobs", "2"]);
    let pid = child.id().unwrap();
    until_some(at).await;
    let browsers = descendants(pid);
    signal("-KILL", pid);
    child.wait().await.unwrap();
    assert!(gone(&browsers).await, "no browser is left");
    let kept = baselines(at);
    let done = kept.keys().filter(|name| name.ends_with("json") && !name.starts_with('.')).count();
    assert!((2..PAGES).contains(&done), "{:?}", kept.keys());

    let again = ended(0, check(at, &[]).await);
    has(&said(&again), &format!("{PAGES} pages: {done} unchanged, {} saved", PAGES - done));
    let now = baselines(at);
    assert!(
        kept.iter()
            .filter(|(name, _)| name.ends_with("json"))
            .all(|(name, text)| now[name] == *text)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_ends_a_check_with_what_is_done() {
    let served = serve().await;
    let folder = slow_project(&served);
    let at = folder.path();
    let child = begin(at, &["--jobs", "2", "--output", "json"]);
    let pid = child.id().unwrap();
    until_some(at).await;
    let browsers = descendants(pid);
    signal("-INT", pid);
    let output = tokio::time::timeout(Duration::from_secs(60), child.wait_with_output())
        .await
        .expect("it ends")
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let reported = result_of(&output);
    let (saved, failed) = (names(&reported, "saved").len(), names(&reported, "failed").len());
    assert!(saved >= 2 && saved + failed == PAGES, "{reported}");
    assert!(reported.to_string().contains("not checked: ended by a signal"), "{reported}");
    assert!(gone(&browsers).await, "no browser is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_dies_costs_no_page() {
    let served = serve().await;
    let folder = slow_project(&served);
    let at = folder.path();
    let child = begin(at, &["--jobs", "2"]);
    let pid = child.id().unwrap();
    until_some(at).await;
    let all = descendants(pid);
    let browser = all.iter().copied().find(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        line.contains("--remote-debugging-pipe")
            && !line.contains("--type=")
            && !line.starts_with("/bin/sh")
    });
    signal("-KILL", browser.expect("a browser runs"));
    let output = tokio::time::timeout(Duration::from_secs(120), child.wait_with_output())
        .await
        .expect("it ends")
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let text = said(&output);
    has(&text, &format!("{PAGES} pages: {PAGES} saved"));
    has(&text, "the browser ended; the page was checked again in a new one");
    assert!(gone(&all).await, "no browser is left");
}
