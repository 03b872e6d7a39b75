//! Tests what belongs to which workspace of `pagesight serve`: the tabs when the workspaces share
//! their cookies, in the user's own browser and in a profile that is kept; what is copied by key.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};

use crate::lifetime::Theirs;
use crate::support::{Client, Serving, Site, alive, has, is_firefox, lacks, until};

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

both_engines!(what_one_workspace_copies_is_not_pasted_in_another);
async fn what_one_workspace_copies_is_not_pasted_in_another() {
    let site = Site::start().await;
    let mut arguments = vec!["--allow-evaluate"];
    if is_firefox() {
        arguments.extend(["--browser", "firefox"]);
    }
    let serving = Serving::start(&arguments).await;
    let (a, b) = (Named(&serving, "a"), Named(&serving, "b"));
    let page = |text: &str| {
        site.page(&format!(
            "<title>Fields</title><input aria-label=From value='{text}'><input aria-label=To>\
             <input type=password aria-label=Secret value=swordfish1>\
             <div contenteditable role=textbox aria-label=Rich></div>"
        ))
    };
    let mut numbers = Vec::new();
    for (workspace, text) in [(&a, "from a"), (&b, "from b")] {
        workspace.call("browser_navigate", json!({ "url": page(text) })).await;
        let look = workspace.call("inspect_tab", json!({})).await;
        let number = |name: &str| {
            let before = look.split_once(&format!("] textbox: {name}")).expect(name).0;
            before.rsplit('[').next().unwrap().to_owned()
        };
        numbers.push(["From", "To", "Secret", "Rich"].map(number));
    }
    let press = async |workspace: &Named<'_>, field: &str, keys: &[&str]| {
        let press = |key: &&str| json!({"type": "press", "key": key, "element": field});
        let actions: Vec<Value> = keys.iter().map(press).collect();
        workspace.call("browser_interact", json!({ "actions": actions })).await
    };
    let [in_a, in_b] = [&numbers[0], &numbers[1]];
    // Nothing was copied in b yet, so the text of a is not pasted there.
    press(&a, &in_a[0], &["Control+A", "Control+C"]).await;
    let nothing = press(&b, &in_b[1], &["Control+V"]).await;
    has(&nothing, "failed: nothing was copied by key in this workspace");
    press(&b, &in_b[0], &["Control+A", "Control+X"]).await;
    for (workspace, numbers, text) in [(&a, in_a, "from a"), (&b, in_b, "from b")] {
        press(workspace, &numbers[1], &["Control+V", "Shift+Insert"]).await;
        press(workspace, &numbers[3], &["Control+V"]).await;
        let values = "document.querySelectorAll('input')[1].value + '|' + \
            document.querySelector('div').textContent";
        has(&workspace.evaluate(values).await, &format!("{text}{text}|{text}"));
    }
    has(&b.evaluate("'[' + document.querySelector('input').value + ']'").await, "[]");
    // A password is not copied; what was copied before stays.
    press(&a, &in_a[2], &["Control+A", "Control+C"]).await;
    press(&a, &in_a[1], &["Control+A", "Control+V"]).await;
    has(&a.evaluate("document.querySelectorAll('input')[1].value").await, "from a");
    // A page gets the event of a paste, and decides what is copied.
    a.evaluate(
        "addEventListener('paste', (event) => { document.title = event.clipboardData.getData('text/plain'); event.preventDefault() }); \
         addEventListener('copy', (event) => { event.clipboardData.setData('text/plain', 'chosen'); event.preventDefault() })",
    )
    .await;
    press(&a, &in_a[0], &["Control+A", "Control+C", "Control+V"]).await;
    // In Firefox the page cannot read the text of an event that the page script sends.
    if !is_firefox() {
        has(&a.evaluate("document.title").await, "chosen");
    }
    serving.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_session_has_the_clipboard_of_the_browser() {
    let (site, client) = (Site::start().await, Client::start(&["--allow-evaluate"]).await);
    let page = site.page("<title>Copy</title><input aria-label=Field value=word>");
    client.ok("browser_navigate", json!({ "url": page })).await;
    let listen = "addEventListener('paste', (event) => document.title = String(event.isTrusted))";
    client.ok("browser_evaluate", json!({ "expression": listen })).await;
    let field = client.ok("inspect_tab", json!({})).await.number("textbox: Field");
    let press = |key: &str| json!({"type": "press", "key": key, "element": field});
    let actions = ["Control+A", "Control+C", "End", "Control+V"].map(press);
    client.ok("browser_interact", json!({ "actions": actions })).await;
    let now = "document.querySelector('input').value + document.title";
    has(&client.ok("browser_evaluate", json!({ "expression": now })).await.text, "wordwordtrue");
    client.close().await;
}
