//! How browsers begin and end: crashes, kills, and what does not start. Every test ends
//! what it started and looks for what is left of it. Linux only: it looks into `/proc`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod common;

use std::time::{Duration, Instant};

use common::*;
use pagesight_browser::*;

#[tokio::test]
async fn crashes() {
    if no_chromium() {
        return;
    }
    let mut browser = start().await;
    let server = serve().await;
    let mut tab = browser.tab().await;
    tab.open(&format!("{server}/a")).await;
    let waiting = tab.tab.script(None, "quiet", "[60000, 60000]", LIMIT);
    let crash = tab.tab.navigate("chrome://crash", Duration::from_secs(2));
    let (waited, _) = tokio::join!(waiting, crash);
    assert_eq!(waited, Err(BrowserError::TabCrashed));
    tab.until("Crashed", |event| *event == TabEvent::Crashed).await;
    assert_eq!(tab.tab.script(None, "info", "[]", LIMIT).await, Err(BrowserError::TabCrashed));
    assert_eq!(
        tab.tab.gesture(&Gesture::Move { x: 1.0, y: 1.0 }).await,
        Err(BrowserError::TabCrashed)
    );
    tab.open(&format!("{server}/b")).await;
    assert!(tab.tab.script(None, "walk", "[{}]", LIMIT).await.is_ok());

    // The browser itself is killed.
    let profile = profile_of(&browser.mark).unwrap();
    let waiting = tab.tab.script(None, "quiet", "[60000, 60000]", LIMIT);
    let killing = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        signal(main_process(&browser.mark), "-KILL");
    };
    let (waited, ()) = tokio::join!(waiting, killing);
    assert_eq!(waited, Err(BrowserError::Disconnected));
    assert!(matches!(browser.next().await, BrowserEvent::Disconnected));
    assert!(!browser.browser.is_alive());
    assert_eq!(tab.tab.script(None, "info", "[]", LIMIT).await, Err(BrowserError::Disconnected));
    assert_eq!(
        browser.browser.open_tab(Viewport::default()).await.err(),
        Some(BrowserError::Disconnected)
    );
    let mark = browser.mark.clone();
    eventually("clean-up after a killed browser", Duration::from_secs(5), || {
        processes(&mark).is_empty() && !profile.exists()
    })
    .await;
    browser.browser.close().await;
}

#[tokio::test]
async fn a_stopped_browser_is_ended_all_the_same() {
    if no_chromium() {
        return;
    }
    let browser = start().await;
    let tab = browser.tab().await;
    let profile = profile_of(&browser.mark).unwrap();
    signal(main_process(&browser.mark), "-STOP");
    let limit = Duration::from_millis(300);
    let answer = tab.tab.script(None, "info", "[]", limit).await;
    assert!(matches!(answer, Err(BrowserError::TimedOut { .. })), "{answer:?}");
    let began = Instant::now();
    browser.browser.close().await;
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert!(processes(&browser.mark).is_empty() && !profile.exists());
}

#[tokio::test]
async fn a_dropped_browser_ends() {
    if no_chromium() {
        return;
    }
    let browser = start().await;
    let profile = profile_of(&browser.mark).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(&profile).unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o700, "others can look into the profile");
    let mark = browser.mark.clone();
    drop(browser);
    eventually("the end of a dropped browser", Duration::from_secs(5), || {
        processes(&mark).is_empty() && !profile.exists()
    })
    .await;
}

/// The process that is killed in the next test: it starts a browser, opens a tab and says so.
#[tokio::test]
async fn victim() {
    let Ok(mark) = std::env::var("PAGESIGHT_TEST_MARK") else { return };
    let options = LaunchOptions { args: vec![mark], ..LaunchOptions::default() };
    let connected = launch(&options).await.unwrap();
    let _tab = connected.browser.open_tab(Viewport::default()).await.unwrap();
    std::fs::write(std::env::var("PAGESIGHT_TEST_FILE").unwrap(), "ready").unwrap();
    tokio::time::sleep(Duration::from_secs(30)).await;
}

#[tokio::test]
async fn killed_by_force() {
    if no_chromium() {
        return;
    }
    for stopped in [false, true] {
        let mark = new_mark();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ready");
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "victim", "--nocapture"])
            .env("PAGESIGHT_TEST_MARK", &mark)
            .env("PAGESIGHT_TEST_FILE", &file)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut child = Child(child);
        eventually("a victim", Duration::from_secs(20), || file.exists()).await;
        let profile = profile_of(&mark).unwrap();
        assert!(profile.exists());
        if stopped {
            signal(main_process(&mark), "-STOP");
        }
        signal(child.0.id(), "-KILL");
        child.0.wait().unwrap();
        let gone = || processes(&mark).is_empty() && !profile.exists();
        let took = eventually("clean-up after SIGKILL", Duration::from_secs(5), gone).await;
        println!("gone {took:?} after SIGKILL (browser stopped: {stopped})");
    }
}

#[tokio::test]
async fn what_does_not_start() {
    if no_chromium() {
        return;
    }
    let check = async |options: LaunchOptions, words: &str| {
        let began = Instant::now();
        let error = launch(&options).await.err().expect("an error").to_string();
        assert!(error.contains(words), "{error}");
        assert!(began.elapsed() < Duration::from_secs(8), "{error}: {:?}", began.elapsed());
    };
    check(
        LaunchOptions { program: Some("/nowhere/chromium".into()), ..Default::default() },
        "not found",
    )
    .await;
    check(
        LaunchOptions { program: Some("/bin/true".into()), ..Default::default() },
        "it ended at once",
    )
    .await;
    check(
        LaunchOptions { profile: Some("/proc/no/profile".into()), ..Default::default() },
        "the profile /proc/no/profile",
    )
    .await;

    // A profile of the user's is kept; while it is in use nobody else gets it.
    let folder = tempfile::tempdir().unwrap();
    let mark = new_mark();
    let options = LaunchOptions {
        profile: Some(folder.path().join("kept")),
        args: vec![mark.clone()],
        ..Default::default()
    };
    let connected = launch(&options).await.unwrap();
    check(options.clone(), "in use").await;
    connected.browser.close().await;
    assert!(processes(&mark).is_empty());
    assert!(folder.path().join("kept/Default").exists());
}
