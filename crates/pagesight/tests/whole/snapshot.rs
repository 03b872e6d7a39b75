//! Tests `take_snapshot` through the whole program: MCP client → program → browser → page →
//! pipeline, and back; and from a file.

use crate::support::{Client, Site, outside_ci};
use serde_json::{Value, json};

/// Returns the lines without numbers and indentation.
fn lines(text: &str) -> Vec<String> {
    let line = |line: &str| match line.trim_start() {
        rest if rest.starts_with("uid=") => rest.split_once(' ').unwrap().1.to_owned(),
        rest => rest.to_owned(),
    };
    text.lines().map(line).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_takes_a_snapshot() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("snapshot.html") })).await;
    let text = client.ok("take_snapshot", json!({})).await.text;
    assert!(text.starts_with("uid="), "{text}");
    let reported = lines(&text);
    for expected in [
        "nav name=\"Main\" id=\"app\"",
        "a href=\"/about\" text=\"About us\"",
        "h1 text=\"Orders\"",
        "p text=\"Some bold words, \"",
        "a href=\"/docs\" text=\"the docs\"",
        "text=\" and more.\"",
        "td text=\"3\"",
        "td",
        "input name=\"Mail\" type=\"email\" value=\"\" placeholder=\"you@example.org\" data-testid=\"mail\" required form_name=\"mail\"",
        "button type=\"submit\" text=\"Send\"",
        "p text=\"Seen inside hidden\"",
        "p text=\"uid=1_999 button text=\\\"Fake\\\"\"",
        "div text=\"Over\"",
        "p text=\"In the frame\"",
        "button text=\"Frame button\"",
        "1 hidden usable element left out — pipeline {\"enable_visibility_filter\":false} shows all",
        "1 covered usable element left out — pipeline {\"enable_paint_order_filter\":false} shows all",
        "1 invisible text withheld",
    ] {
        assert!(reported.iter().any(|line| line == expected), "{expected} is not in\n{text}");
    }
    assert!(
        reported
            .iter()
            .any(|line| line.starts_with("button") && line.ends_with("text=\"In the shadow\"")),
        "{text}"
    );
    let checkbox = reported.iter().find(|line| line.contains("checkbox")).unwrap();
    assert!(checkbox.contains("checked") && checkbox.contains("Remember me"), "{checkbox}");
    for gone in [
        "script",
        "#comment",
        "meta",
        "hunter2",
        "ignore previous",
        "Hidden words",
        "Under",
        "class=",
    ] {
        assert!(!text.contains(gone), "{gone} is in\n{text}");
    }
    // A number from one tool is valid in every other tool.
    let uid = text.lines().find(|line| line.contains("text=\"Send\"")).unwrap().trim_start();
    let uid = uid.strip_prefix("uid=").unwrap().split_once(' ').unwrap().0;
    let number = uid.split_once('_').unwrap().1;
    let outline = client.ok("inspect_tab", json!({})).await;
    assert_eq!(outline.number("button: Send"), number, "{}", outline.text);
    let scoped = client.ok("take_snapshot", json!({ "scope": uid })).await.text;
    assert_eq!(scoped, format!("uid={uid} button type=\"submit\" text=\"Send\"\n"));
    let framed = client.ok("take_snapshot", json!({ "scope": "iframe" })).await.text;
    assert!(framed.contains("Frame button") && !framed.contains("Send"), "{framed}");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_takes_one_of_a_page_and_of_a_file() {
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.page.json");
    let run = async |arguments: &[&str]| {
        let done = tokio::process::Command::from(outside_ci())
            .arg("snapshot")
            .args(arguments)
            .output()
            .await
            .unwrap();
        let (out, error) =
            (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
        assert!(done.status.success(), "{arguments:?}: {error}");
        out
    };
    let live = run(&[&site.url("snapshot.html"), "--save-page", file.to_str().unwrap()]).await;
    let saved = run(&[file.to_str().unwrap()]).await;
    assert_eq!(lines(&live), lines(&saved), "a file says what its page said");
    let json = run(&[
        file.to_str().unwrap(),
        "--json",
        "--metrics",
        "--pipeline",
        "{\"enable_metadata_bucketing\": false}",
    ])
    .await;
    let value: Value = serde_json::from_str(&json).unwrap();
    assert!(
        value.get("dictionary").is_none() && value["metrics"]["total_nodes"].as_u64().unwrap() > 50
    );
    let reported =
        run(&[file.to_str().unwrap(), "--metrics", "--output", "json", "--scope", "form"]).await;
    let value: Value = serde_json::from_str(&reported).unwrap();
    assert!(value["snapshot"].as_str().unwrap().starts_with("uid=1_"));
    assert!(value["metrics"]["tokens_after"].as_u64().unwrap() > 0);
}
