//! Tests the diff through the whole program: the answer to an action contains the changes, in both
//! browsers, and `pagesight diff` prints the differences between two pages.

use crate::support::{Client, Reply, Site, has, outside_ci};
use serde_json::{Value, json};

struct Stage {
    client: Client,
}

impl Stage {
    async fn open(arguments: &[&str], url: &str) -> Stage {
        let client = Client::shared(arguments).await;
        client.ok("browser_navigate", json!({ "url": url })).await;
        Stage { client }
    }

    async fn number(&self, words: &str) -> String {
        self.client.ok("inspect_tab", json!({ "fold": false })).await.number(words)
    }

    async fn act(&self, action: Value) -> Reply {
        self.client.call("browser_interact", json!({ "actions": [action] })).await
    }

    async fn click(&self, words: &str) -> Reply {
        let element = self.number(words).await;
        self.act(json!({ "type": "click", "element": element })).await
    }

    /// Clicks, and compares the reported changes, with numbers written as `[n]`.
    async fn changes(&self, words: &str, expected: &str) {
        let reply = self.click(words).await;
        assert!(!reply.is_error, "{}", reply.text);
        assert_eq!(unnumbered(&reply.changes), expected, "{words}: {}", reply.text);
    }
}

/// Returns the text without the numbers of elements.
fn unnumbered(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.trim_end();
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        out.push_str(if digits > 0 { "[n" } else { "[" });
        rest = &after[digits..];
    }
    out + rest
}

both_engines!(an_action_answers_with_what_it_changed);
async fn an_action_answers_with_what_it_changed() {
    let site = Site::start().await;
    let stage = Stage::open(&[], &site.url("changes.html")).await;
    stage
        .changes(
            "button: Open modal",
            "changes:\n+ [n] dialog: Edit order — revealed\n    [n] textbox: Title = \"Alpha\" — focused\n    [n] button: Close\nthe page behind is inert",
        )
        .await;
    stage
        .changes("button: Close", "changes:\nthe page behind is active again\n- [n] dialog: Edit order — hidden\n~ [n] button: Open modal — now focused")
        .await;
    // Running transitions are waited for: half open, the last button would be missing.
    for (verb, done) in [("Ease", "Eased"), ("Slide", "Slid")] {
        let expected = format!(
            "changes:\n+ [n] {done} first — revealed\n+ [n] button: {done} last — revealed"
        );
        stage.changes(&format!("button: {verb} open"), &expected).await;
    }
    // A value that a script sets fires no event. Here it is set after the page was captured by the
    // prefetch.
    stage
        .changes(
            "button: In two goes",
            "changes:\n~ [n] \"idle\" → \"begun\"\n~ [n] textbox: Slow = \"\" → \"done\"",
        )
        .await;
    stage.changes("button: In shadow", "changes:\n~ [n] \"closed\" → \"opened\"").await;
    stage.changes("button: In frame", "changes:\n~ [n] button: \"In frame\" → \"Pressed\"").await;
    stage
        .changes(
            "button: Add late",
            "changes (4 elements more):\n+ [n] row: Late in table: Orders\n    [n] button: Delete",
        )
        .await;
    stage.changes("button: Plot", "changes:\n~ [n] canvas: Plot — redrawn").await;
    // Re-rendered equal content, and a changed colour. The answer does not claim that nothing
    // changed at all.
    stage.changes("button: Draw again", "no visible change in text or controls").await;
    stage.changes("button: Blush", "no visible change in text or controls").await;
    let still = stage.click("button: Still").await;
    has(&still.text, "button: Still — no visible change within ");
    assert_eq!(still.changes, "");
    stage.client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_pages_are_compared_on_the_command_line() {
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = async |arguments: &[&str]| {
        let output =
            tokio::process::Command::from(outside_ci()).args(arguments).output().await.unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let pages = [
        "<title>Shop</title><h1>Shop</h1><button>Buy</button><p>4 items</p>",
        "<title>Shop</title><h1>Shop</h1><p>5 items</p>",
    ];
    for (name, html) in ["a.page.json", "b.page.json"].into_iter().zip(pages) {
        let (code, ..) = run(&["look", &site.page(html), "--save-page", &file(name)]).await;
        assert_eq!(code, Some(0));
    }
    let reported = "changes (1 element fewer):\n~ [1] \"4 items\" → \"5 items\"\n- button: Buy\n";
    assert_eq!(
        run(&["diff", &file("a.page.json"), &file("b.page.json")]).await,
        (Some(1), reported.to_owned(), String::new())
    );
    let (code, text, _) = run(&["diff", &file("a.page.json"), &site.page(pages[0])]).await;
    assert_eq!((code, text.as_str()), (Some(0), "no visible change in text or controls\n"));
    let (code, text, _) =
        run(&["diff", &file("a.page.json"), &file("b.page.json"), "--output", "json"]).await;
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (code, &json["confidence"], json["changes"].as_array().map(Vec::len)),
        (Some(1), &json!(1.0), Some(2))
    );
    assert_eq!(json["changes"][1], json!({ "change": "disappeared", "line": "- button: Buy" }));
    let (code, _, error) = run(&["diff", "missing.page.json", &file("b.page.json")]).await;
    assert_eq!(code, Some(2));
    has(&error, "there is no file missing.page.json");
}
