//! Tests of the guard, with `sh` in the place of a browser.

use super::*;

fn sh(script: &str) -> (GuardedProcess, tokio::net::UnixStream, std::path::PathBuf) {
    let profile = tempfile::Builder::new().prefix("pagesight-test-").tempdir().unwrap();
    let path = profile.path().to_owned();
    let arguments = ["-c".into(), script.into()];
    let (guarded, socket) = spawn(Path::new("/bin/sh"), &arguments, &[], Some(profile)).unwrap();
    (guarded, socket, path)
}

#[tokio::test]
async fn the_socket_is_3_and_4_and_ends_with_the_browser() {
    let (guarded, mut socket, path) = sh("read -r line <&3; echo \"got $line\" >&4");
    tokio::io::AsyncWriteExt::write_all(&mut socket, b"hello\n").await.unwrap();
    let mut heard = String::new();
    socket.read_to_string(&mut heard).await.unwrap();
    assert_eq!(heard, "got hello\n");
    assert!(path.exists());
    assert!(guarded.end(Duration::from_secs(5)).await);
    assert!(!path.exists());
}

#[tokio::test]
async fn a_deaf_browser_and_its_children_are_killed() {
    let (guarded, _socket, path) =
        sh("trap '' TERM INT HUP; sleep 77.7 & while :; do sleep 0.1; done");
    tokio::time::sleep(Duration::from_millis(200)).await;
    let began = std::time::Instant::now();
    assert!(guarded.end(Duration::from_secs(5)).await);
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(!path.exists());
}

#[tokio::test]
async fn a_browser_that_is_asked_to_end_has_time_to_write_its_profile() {
    let kept = tempfile::tempdir().unwrap();
    let written = kept.path().join("written");
    let script = format!("read -r _ <&3; exec 3<&- 4<&-; sleep 1; : > '{}'", written.display());
    let (guarded, mut socket, path) = sh(&script);
    let ask = async {
        tokio::io::AsyncWriteExt::write_all(&mut socket, b"end\n").await.unwrap();
        let _ = socket.read(&mut [0; 8]).await;
        // The connection is closed.
        guarded.release();
    };
    guarded.ends_asked(Duration::from_secs(10), ask).await;
    assert!(written.exists(), "it was ended too early, or not waited for");
    assert!(guarded.end(Duration::from_secs(5)).await);
    assert!(!path.exists());
}

#[tokio::test]
async fn a_dropped_guard_cleans_up() {
    let (guarded, _socket, path) = sh("sleep 78.8");
    drop(guarded);
    for _ in 0..100 {
        if !path.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the profile is still there");
}

#[tokio::test]
async fn the_log_says_why() {
    let path = Path::new("/nowhere/to/be/found");
    let (guarded, mut socket) = spawn(path, &[], &[], None).unwrap();
    assert_eq!(socket.read(&mut [0; 8]).await.unwrap(), 0);
    guarded.release();
    let log = guarded.log().await.join("\n");
    assert!(log.contains("not found"), "{log}");
    let lines = "for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do echo line $n >&2; done";
    let (guarded, mut socket, _) = sh(lines);
    let _ = socket.read(&mut [0; 8]).await;
    guarded.release();
    let log = guarded.log().await;
    assert_eq!((log.len(), log[0].as_str()), (LOG_LINES, "line 3"));
    let (guarded, _socket, _) = sh("sleep 0.1; echo port 12 >&2; sleep 0.1");
    assert_eq!(guarded.says("port").await.as_deref(), Some("port 12"));
    // The guard holds the log open too; its end ends the log.
    guarded.release();
    assert_eq!(guarded.says("nothing").await, None);
}

#[tokio::test]
async fn a_guard_that_is_killed_takes_the_browser_along() {
    let (guarded, mut socket, path) = sh("sleep 79.9; sleep 80.1");
    tokio::time::sleep(Duration::from_millis(200)).await;
    let guard = guarded.child.lock().await.id().unwrap().to_string();
    let killed = std::process::Command::new("kill").args(["-KILL", &guard]).status().unwrap();
    assert!(killed.success());
    // The browser holds the other end of the socket.
    let ended = tokio::time::timeout(Duration::from_secs(5), socket.read(&mut [0; 8])).await;
    assert!(ended.is_ok(), "the browser still runs");
    for _ in 0..100 {
        if !path.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the profile is still there");
}
