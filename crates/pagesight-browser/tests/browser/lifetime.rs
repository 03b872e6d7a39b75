//! How browsers begin and end: crashes, kills, and browsers that do not start. Every test ends the
//! processes that it started and checks that nothing of them is left.

use std::time::Duration;

use pagesight_browser::*;

use crate::support::*;

both_engines!(crate::support::run: crashes, ends_with_a_killed_process, does_not_start);

/// Kills the process of the page that a tab shows.
async fn kill_page(engine: Engine, browser: &Fixture, tab: &Watched) {
    match engine {
        Engine::Chromium => {
            let _ = tab.tab.navigate("chrome://crash", Duration::from_secs(2)).await;
        }
        Engine::Firefox => {
            tokio::time::sleep(Duration::from_millis(100)).await;
            for pid in family(&browser.mark) {
                let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                if String::from_utf8_lossy(&line).contains("-isForBrowser") {
                    signal(pid, "-KILL");
                }
            }
        }
    }
}

async fn crashes(engine: Engine) {
    let mut browser = start_engine(engine).await;
    let server = serve().await;
    let mut tab = browser.tab().await;
    tab.open(&format!("{server}/a")).await;
    let waiting = tab.tab.script(None, "waitForQuiet", "[60000, 60000]", LIMIT);
    let (waited, ()) = tokio::join!(waiting, kill_page(engine, &browser, &tab));
    let crashed = match engine {
        Engine::Chromium => waited == Err(BrowserError::TabCrashed),
        Engine::Firefox => {
            matches!(waited, Err(BrowserError::TabCrashed | BrowserError::Navigated))
        }
    };
    assert!(crashed, "{waited:?}");
    tab.until("Crashed", |event| *event == TabEvent::Crashed).await;
    assert_eq!(tab.script("pageInfo", "[]").await, Err(BrowserError::TabCrashed));
    let gesture = tab.tab.gesture(&Gesture::Move { x: 1.0, y: 1.0, via: vec![] }).await;
    assert_eq!(gesture, Err(BrowserError::TabCrashed));
    tab.open(&format!("{server}/b")).await;
    assert!(tab.script("walk", "[{}]").await.is_ok());

    // The browser itself is killed.
    let profile = profile_of(&browser.mark).unwrap();
    let all = family(&browser.mark);
    let waiting = tab.tab.script(None, "waitForQuiet", "[60000, 60000]", LIMIT);
    let killing = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        signal(main_process(&browser.mark), "-KILL");
    };
    let (waited, ()) = tokio::join!(waiting, killing);
    assert_eq!(waited, Err(BrowserError::Disconnected));
    assert!(matches!(browser.next().await, BrowserEvent::Disconnected));
    assert!(!browser.browser.is_alive());
    assert_eq!(tab.script("pageInfo", "[]").await, Err(BrowserError::Disconnected));
    assert_eq!(
        browser.browser.open_tab(Viewport::default()).await.err(),
        Some(BrowserError::Disconnected)
    );
    eventually("clean-up after a killed browser", || {
        all.iter().all(|pid| !runs(*pid)) && !profile.exists()
    })
    .await;
    browser.browser.close().await;
}

#[test]
fn a_stopped_browser_is_ended_all_the_same() {
    run(Engine::Chromium, async |engine| {
        let browser = start_engine(engine).await;
        let tab = browser.tab().await;
        let profile = profile_of(&browser.mark).unwrap();
        signal(main_process(&browser.mark), "-STOP");
        let limit = Duration::from_millis(300);
        let answer = tab.tab.script(None, "pageInfo", "[]", limit).await;
        assert!(matches!(answer, Err(BrowserError::TimedOut { .. })), "{answer:?}");
        browser.browser.close().await;
        assert!(processes(&browser.mark).is_empty() && !profile.exists());
    });
}

#[test]
fn a_dropped_browser_ends() {
    run(Engine::Chromium, async |engine| {
        let browser = start_engine(engine).await;
        let profile = profile_of(&browser.mark).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &std::fs::metadata(&profile).unwrap().permissions(),
        );
        assert_eq!(mode & 0o777, 0o700, "others can read the profile");
        let mark = browser.mark.clone();
        drop(browser);
        eventually("the end of a dropped browser", || {
            processes(&mark).is_empty() && !profile.exists()
        })
        .await;
    });
}

/// The process that is killed in the next test: it starts a browser, opens a tab and writes a file.
#[tokio::test]
async fn victim() {
    let Ok(mark) = std::env::var("PAGESIGHT_TEST_MARK") else { return };
    let engine = match std::env::var("PAGESIGHT_TEST_VICTIM").as_deref() {
        Ok("Firefox") => Engine::Firefox,
        _ => Engine::Chromium,
    };
    let options = LaunchOptions { engine, args: vec![mark], ..LaunchOptions::default() };
    let connected = launch(&options).await.unwrap();
    let _tab = connected.browser.open_tab(Viewport::default()).await.unwrap();
    std::fs::write(std::env::var("PAGESIGHT_TEST_FILE").unwrap(), "ready").unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
}

/// Our own process is killed. `stopped`: its browser does not react either.
async fn killed_by_force(engine: Engine, stopped: bool) {
    let mark = new_mark();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ready");
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "lifetime::victim", "--nocapture"])
        .env("PAGESIGHT_TEST_MARK", &mark)
        .env("PAGESIGHT_TEST_VICTIM", engine.name())
        .env("PAGESIGHT_TEST_FILE", &file)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut child = Child(child);
    eventually("a victim", || file.exists()).await;
    let profile = profile_of(&mark).unwrap();
    let all = family(&mark);
    assert!(profile.exists() && all.len() > 2, "{all:?}");
    if stopped {
        signal(main_process(&mark), "-STOP");
    }
    signal(child.0.id(), "-KILL");
    child.0.wait().unwrap();
    let gone = || all.iter().all(|pid| !runs(*pid)) && !profile.exists();
    eventually("clean-up after SIGKILL", gone).await;
}

async fn ends_with_a_killed_process(engine: Engine) {
    killed_by_force(engine, false).await;
    if engine == Engine::Chromium {
        killed_by_force(engine, true).await;
    }
}

/// Programs and profiles that do not work.
async fn does_not_start(engine: Engine) {
    let check = async |options: LaunchOptions, words: &str| {
        let error = launch(&LaunchOptions { engine, ..options }).await.err().expect("an error");
        let error = error.to_string();
        assert!(error.contains(words), "{error}");
    };
    let program = |path: &str| LaunchOptions { program: Some(path.into()), ..Default::default() };
    check(program("/nowhere/browser"), "not found").await;
    check(program("/bin/true"), "it ended at once").await;
    let nowhere = LaunchOptions { profile: Some("/proc/no/profile".into()), ..Default::default() };
    check(nowhere, "the profile /proc/no/profile").await;

    // A user's profile is kept; while it is in use, a second browser cannot use it.
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let mark = new_mark();
    let options = LaunchOptions {
        engine,
        profile: Some(kept.clone()),
        args: vec![mark.clone()],
        ..Default::default()
    };
    let connected = launch(&options).await.unwrap();
    check(options.clone(), "in use").await;
    connected.browser.close().await;
    assert!(processes(&mark).is_empty());
    let settings = match engine {
        Engine::Chromium => "Default",
        Engine::Firefox => "prefs.js",
    };
    assert!(kept.join(settings).exists());
}
