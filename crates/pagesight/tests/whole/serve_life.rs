//! Tests how workspaces and protocol sessions of `pagesight serve` end, and what clients read then.

use std::time::{Duration, Instant};

use crate::support::shop::gone;
use serde_json::json;
use tokio::net::TcpStream;

use crate::support::{Serving, Site, descendants, has, kill, stateless, until};

const ENDED: &str = "this workspace had ended";

/// Waits until `sessions` prints this.
async fn until_listed(serving: &Serving, expected: &str) {
    until(expected, async || (serving.shell(&["sessions"]).await == expected).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_workspace_ends_and_the_next_answer_says_so() {
    let (site, serving) = (Site::start().await, Serving::start(&["--idle", "1s"]).await);
    let url = site.url("done.html");
    let session = serving.session().await;
    // A workspace does not end during a call, however long that takes.
    let open = json!({ "url": url });
    let wait = json!({"actions": [{"type": "wait", "ms": 3500}]});
    let in_session = async {
        serving.call(&session, "browser_navigate", open.clone()).await;
        serving.call(&session, "browser_interact", wait.clone()).await
    };
    let named = async {
        serving.call_stateless("/mcp/a", "browser_navigate", open.clone()).await;
        serving.call_stateless("/mcp/a", "browser_interact", wait.clone()).await
    };
    let (waited, other) = tokio::join!(in_session, named);
    for text in [&waited, &other] {
        assert!(text.starts_with("waited") && !text.contains(ENDED), "{text}");
    }
    until_listed(&serving, "no sessions\n").await;
    let pid = serving.process.id().unwrap();
    until("no browser runs", async || descendants(pid).is_empty().then_some(())).await;
    // The protocol session is still there; its workspace is a new one.
    let acted = json!({"actions": [{"type": "click", "element": 1}]});
    let text = serving.call(&session, "browser_interact", acted.clone()).await;
    assert!(text.starts_with(ENDED) && text.contains("no element has the number 1"), "{text}");
    let text = serving.call_stateless("/mcp/a", "browser_interact", acted).await;
    assert!(text.starts_with(ENDED) && text.contains("no element has the number 1"), "{text}");
    let tabs = serving.call_stateless("/mcp/a", "browser_tabs", json!({"action": "list"})).await;
    assert!(!tabs.contains(ENDED) && !tabs.contains("done.html"), "{tabs}");
    serving.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_session_is_gone() {
    let (site, serving) = (Site::start().await, Serving::start(&[]).await);
    let (gone, stays) = (serving.session().await, serving.session().await);
    let open = json!({ "url": site.url("done.html") });
    for session in [&gone, &stays] {
        serving.call(session, "browser_navigate", open.clone()).await;
    }
    assert_eq!(serving.shell(&["sessions"]).await.lines().count(), 2);
    let status = serving.delete(&gone).await;
    assert_eq!(status, 200);
    let listed = serving.shell(&["sessions"]).await;
    assert_eq!(listed.lines().count(), 1, "its workspace ended: {listed}");
    has(&listed, &stays);
    assert_eq!(serving.respond(&gone, "inspect_tab", json!({})).await.status(), 404);
    let look = serving.call(&stays, "inspect_tab", json!({})).await;
    has(&look, "Thank you");
    serving.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_leaves_nothing_and_its_sessions_are_unknown() {
    let (site, serving) = (Site::start().await, Serving::start(&[]).await);
    let open = json!({ "url": site.url("done.html") });
    let old = serving.session().await;
    serving.call(&old, "browser_navigate", open.clone()).await;
    let pid = serving.process.id().unwrap();
    let family = descendants(pid);
    assert!(!family.is_empty());
    kill(pid);
    let Serving { mut process, address, folder, token } = serving;
    process.wait().await.unwrap();
    assert!(gone(&family).await, "the browser outlived the process");
    assert!(TcpStream::connect(&address).await.is_err(), "connections are refused");

    let serving = Serving::start_in(folder, &[]).await;
    assert_eq!((&serving.address, &serving.token), (&address, &token));
    assert_eq!(serving.respond(&old, "inspect_tab", json!({})).await.status(), 404);
    let new = serving.session().await;
    let opened = serving.call(&new, "browser_navigate", open).await;
    has(&opened, "Thank you");
    serving.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_call_reports_progress_and_ends_with_its_stream() {
    let (site, serving) = (Site::start().await, Serving::start(&[]).await);
    serving
        .call_stateless("/mcp/a", "browser_navigate", json!({ "url": site.url("done.html") }))
        .await;
    let wait = |ms: u32| json!({"actions": [{"type": "wait", "ms": ms}]});
    let (headers, mut body) = stateless("browser_interact", wait(4000));
    body["params"]["_meta"]["progressToken"] = json!("p1");
    let given: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let answer = serving.authorized("/mcp/a", &given, &body).await;
    let progress = answer.0.find("notifications/progress").expect("progress");
    has(&answer.0, "\"p1\"");
    assert!(progress < answer.0.find("waited").unwrap(), "it comes before the result");

    // Calls on one tab run in order: the next one waits for this one. A batch that is cancelled
    // ends between two actions.
    let step = |ms: u32| json!({"type": "wait", "ms": ms});
    let batch = json!({"actions": [step(1000), step(20_000), step(20_000)]});
    let (headers, body) = stateless("browser_interact", batch);
    let stream = serving.begin("/mcp/a", &headers, &body).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    drop(stream);
    let begun = Instant::now();
    let look = serving.call_stateless("/mcp/a", "inspect_tab", json!({})).await;
    has(&look, "Thank you");
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    serving.end().await;
}
