//! Tests the limits of a check: a server that never answers, and one that answers late.

use std::collections::BTreeSet;

use crate::support::shop::{baselines, check, ended, folder_with, names, result_of, serve};

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_kept_and_used_to_the_full() {
    // Accepts connections and sends nothing.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent_at = silent.local_addr().unwrap();
    let listening = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = silent.accept().await {
            held.push(stream);
        }
    });
    let served = serve().await;
    let text = format!(
        r#"
[[page]]
name = "silent"
url = "http://{silent_at}/"
timeout_s = 2
retries = 0
[[page]]
name = "patient"
route = "/patient/27"
timeout_s = 60
[[page]]
name = "late"
route = "/late"
actions = [{{ type = "click", element = ".go" }}, {{ type = "click", element = {{ role = "button", name = "Name" }} }}]
[[page]]
route = "/p/1"
"#
    );
    let folder = folder_with(&served, &text);
    let first = ended(2, check(folder.path(), &["--output", "json"]).await);
    let reported = result_of(&first);
    assert_eq!(names(&reported, "failed"), BTreeSet::from(["silent".to_owned()]), "{reported:#}");
    assert_eq!(names(&reported, "saved").len(), 3, "the rest goes on");
    let why = reported["pages"][0]["error"].as_str().unwrap();
    assert_eq!(why, "it did not answer within 2 s; check its server, or raise timeout_s");
    assert!(reported["pages"][0]["took_ms"].as_u64().unwrap() < 20_000, "{reported:#}");
    let files = baselines(folder.path());
    assert!(files.keys().all(|name| !name.starts_with("silent")), "{:?}", files.keys());
    let patient = String::from_utf8_lossy(&files["patient@chromium-1280x720.json"]).into_owned();
    assert!(patient.contains("Save Tea"), "what came late is what was looked at: {patient}");
    listening.abort();
}
