//! Tests which tabs belong to which workspace of `pagesight serve` when the workspaces share their
//! cookies: in the user's own browser, and in a profile that is kept.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};

use crate::lifetime::Theirs;
use crate::support::{Serving, Site, alive, has, lacks, until};

/// A workspace of a server.
struct Named<'a>(&'a Serving, &'static str);

impl Named<'_> {
    async fn call(&self, tool: &str, arguments: Value) -> String {
        self.0.call_stateless(&format!("/mcp/{}", self.1), tool, arguments).await
    }

    async fn tabs(&self) -> String {
        self.call("browser_tabs", json!({"action": "list"})).await
    }

    /// Waits until the user's tab is listed, and returns its id.
    async fn until_found(&self) -> String {
        until("the user's tab is listed", async || {
            not_chosen(&self.tabs().await).map(str::to_owned)
        })
        .await
    }

    async fn evaluate(&self, expression: &str) -> String {
        self.call("browser_evaluate", json!({ "expression": expression })).await
    }
}

/// Returns the id of the user's tab in a list of tabs.
fn not_chosen(tabs: &str) -> Option<&str> {
    let line = tabs.lines().find(|line| line.ends_with("not chosen"))?;
    line.split(' ').next()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_of_the_user_belongs_to_who_chose_it() {
    let site = Site::start().await;
    let user = Theirs::start(&site.url("dashboard.html"), "Dashboard - MyApp");
    let arguments = ["--allow-evaluate", "--connect", &user.address];
    let serving = Serving::start(&arguments).await;
    let (a, b) = (Named(&serving, "a"), Named(&serving, "b"));
    let theirs = a.until_found().await;
    b.until_found().await;

    // Chosen in one workspace, it is not in the other.
    let look = a.call("inspect_tab", json!({ "tab": theirs })).await;
    has(&look, "heading 1: Dashboard");
    let in_b = b.tabs().await;
    assert!(not_chosen(&in_b).is_none() && !in_b.contains("dashboard.html"), "{in_b}");
    // So is a tab that it opened; cookies are shared.
    let open = json!({"action": "new", "url": site.url("done.html"), "name": "mine"});
    a.call("browser_tabs", open).await;
    b.call("browser_navigate", json!({ "url": site.url("forms.html") })).await;
    let (in_a, in_b) = (a.tabs().await, b.tabs().await);
    assert!(in_a.contains("done.html") && !in_a.contains("forms.html"), "{in_a}");
    assert!(in_b.contains("forms.html") && !in_b.contains("done.html"), "{in_b}");
    let unknown = b.call("inspect_tab", json!({"tab": "mine"})).await;
    assert!(unknown.contains("mine") && !unknown.contains("Thank you"), "{unknown}");
    a.evaluate("document.cookie = 'shared=yes'").await;
    let seen = b.evaluate("document.cookie").await;
    has(&seen, "shared=yes");

    // The user's tab is given back with the workspace, as it is; the other tab is closed.
    let fill = "document.querySelector('input').value = 'typed'";
    a.call("browser_evaluate", json!({"expression": fill, "tab": theirs})).await;
    assert_eq!(serving.shell(&["close", "-s", "a"]).await, "closed the session\n");
    let theirs = b.until_found().await;
    let in_b = b.tabs().await;
    lacks(&in_b, "done.html");
    let look = b.call("inspect_tab", json!({ "tab": theirs })).await;
    assert!(look.contains("heading 1: Dashboard") && look.contains("typed"), "{look}");
    // It works like one that was chosen first: it navigates, and its events arrive.
    let gone =
        b.call("browser_navigate", json!({"url": site.url("done.html"), "tab": theirs})).await;
    assert!(gone.contains("  200\nready after ") && gone.contains("Thank you"), "{gone}");
    serving.end().await;
    assert!(alive(user.pid()), "the user's browser was ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn workspaces_share_a_profile_and_not_its_tabs() {
    let (site, profile) = (Site::start().await, tempfile::tempdir().unwrap());
    let folder = profile.path().display().to_string();
    let serving = Serving::start(&["--allow-evaluate", "--profile", &folder]).await;
    let (a, b) = (Named(&serving, "a"), Named(&serving, "b"));
    a.call("browser_navigate", json!({ "url": site.url("done.html") })).await;
    b.call("browser_navigate", json!({ "url": site.url("forms.html") })).await;
    let (in_a, in_b) = (a.tabs().await, b.tabs().await);
    assert!(in_a.contains("done.html") && !in_a.contains("forms.html"), "{in_a}");
    assert!(in_b.contains("forms.html") && !in_b.contains("done.html"), "{in_b}");
    a.evaluate("document.cookie = 'shared=yes', localStorage.mark = 'kept'").await;
    let seen = b.evaluate("document.cookie + localStorage.mark").await;
    assert!(seen.contains("shared=yes") && seen.contains("kept"), "{seen}");
    // A pop-up belongs to the workspace of its opener.
    let page = site.page("<a href=/dashboard.html target=_blank>More</a>");
    let opened = a.call("browser_navigate", json!({ "url": page })).await;
    let link = opened.split_once("] link: More").and_then(|(before, _)| before.rsplit('[').next());
    let click = json!({"type": "click", "element": link.expect("a link")});
    a.call("browser_interact", json!({ "actions": [click] })).await;
    until("a pop-up", async || a.tabs().await.contains("dashboard.html").then_some(())).await;
    assert!(!b.tabs().await.contains("dashboard.html"));
    assert_eq!(serving.shell(&["close", "-s", "a"]).await, "closed the session\n");
    let look = b.call("inspect_tab", json!({})).await;
    assert!(!look.contains("Thank you") && look.contains("[1]"), "{look}");
    assert_eq!(b.tabs().await.lines().count(), 1, "{}", b.tabs().await);
    serving.end().await;
}
