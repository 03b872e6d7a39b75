//! Tests a baseline store that many processes use at once while some of them are killed.

use std::time::{Duration, Instant};

use crate::baselines::{capture, command, result_of, run};

/// Many processes save under a shared name and under their own names, and some are killed. Every
/// acknowledged baseline must be in the store.
#[test]
fn ten_processes_lose_nothing_though_some_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir(at.join(".pagesight")).unwrap();
    let page = capture("forms");
    let seconds = std::env::var("PAGESIGHT_TEST_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(3);
    let end = Instant::now() + Duration::from_secs(seconds);
    let acknowledged: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..10)
            .map(|worker| {
                let page = &page;
                scope.spawn(move || {
                    let (mut kept, mut turn) = (Vec::new(), 0);
                    while Instant::now() < end {
                        turn += 1;
                        let name = if turn % 2 == 1 {
                            "shared".to_owned()
                        } else {
                            format!("worker-{worker}/{turn}")
                        };
                        let mut command = command(
                            at,
                            &["fingerprint", page, "--save", &name, "--output", "json"],
                        );
                        let mut child = command
                            .stdout(std::process::Stdio::null())
                            .stderr(std::process::Stdio::null())
                            .spawn()
                            .unwrap();
                        // Two of three processes of one worker are killed, at varying moments.
                        if worker == 0 && turn % 3 != 1 {
                            std::thread::sleep(Duration::from_millis(turn * 7 % 90));
                            let _ = child.kill();
                        }
                        if child.wait().unwrap().success() {
                            kept.push(name);
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
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    for name in &acknowledged {
        assert!(there.contains(&name.as_str()), "{name} was acknowledged and is lost");
    }
    assert_eq!(run(at, &["compare", &page, "--against", "shared"]).status.code(), Some(0));
}
