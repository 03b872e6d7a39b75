//! Tests results of an action other than a change of the page: downloads, `beforeunload` dialogs,
//! permission prompts, windows that the page opens; and code editors that draw their own text.

use crate::support::{self, Client, Reply, Site, has, until};
use serde_json::json;

async fn open(client: &Client, site: &Site) -> Reply {
    client.ok("browser_navigate", json!({ "url": site.url("outcomes.html") })).await;
    client.ok("inspect_tab", json!({})).await
}

pub(crate) async fn click(client: &Client, look: &Reply, words: &str) -> String {
    let actions = json!({ "actions": [{ "type": "click", "element": look.number(words) }] });
    client.call("browser_interact", actions).await.text
}

/// Returns the path at the end of a line that reports a download.
pub(crate) fn path_in(line: &str) -> std::path::PathBuf {
    let rest = line
        .lines()
        .find_map(|line| line.split(") to ").nth(1))
        .unwrap_or_else(|| panic!("{line}"));
    rest.split(" — ").next().unwrap().into()
}

both_engines!(downloads_are_kept_and_reported_until_the_browser_ends);
async fn downloads_are_kept_and_reported_until_the_browser_ends() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let look = open(&client, &site).await;
    let mut kept = Vec::new();
    // Firefox reports the name of the saved file, Chromium the name that the server gave.
    let own = if support::is_firefox() {
        ["file.zip", "file(1).zip", "file(2).zip"]
    } else {
        ["file.zip"; 3]
    };
    for (words, name) in ["link: Report", "link: Report", "link: Report in a tab"].iter().zip(own) {
        let line = click(&client, &look, words).await;
        has(&line, &format!("{words} — downloaded {name} (16 B) to "));
        let path = path_in(&line);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "not really a zip");
        kept.push(path);
    }
    let copy = click(&client, &look, "button: Save copy").await;
    assert!(copy.contains("(10 B) to ") && !copy.contains("zip"), "{copy}");
    kept.push(path_in(&copy));
    let went = client.ok("browser_navigate", json!({ "url": site.url("file.zip") })).await.text;
    assert!(
        went.contains("no new page")
            && went.contains(if support::is_firefox() {
                "\ndownloaded file(3).zip (16 B) to "
            } else {
                "\ndownloaded file.zip (16 B) to "
            }),
        "{went}"
    );
    kept.push(path_in(&went));
    let folder = kept[0].parent().unwrap().to_owned();
    let names: Vec<_> =
        kept.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    let expected =
        if support::is_firefox() { own } else { ["file.zip", "file (1).zip", "file (2).zip"] };
    assert_eq!(names[..3], expected);
    assert!(kept.iter().all(|path| path.parent() == Some(&folder)), "{kept:?}");

    let slow = click(&client, &look, "link: Slow report").await;
    assert!(slow.contains("still downloading slow.zip ("), "{slow}");
    client.close().await;
    until("the downloads are deleted", async || (!folder.exists()).then_some(())).await;
}

both_engines!(a_page_may_ask_before_it_is_left);
async fn a_page_may_ask_before_it_is_left() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let look = open(&client, &site).await;
    click(&client, &look, "button: Keep me").await;
    let answer = |accept: bool| json!({ "actions": [{ "type": "dialog", "accept": accept }] });
    let asked = click(&client, &look, "link: Leave").await;
    has(&asked, "opened dialog (beforeunload)");
    let blocked = client.fails("inspect_tab", json!({})).await;
    has(&blocked, "dialog open (beforeunload)");
    let stayed = client.ok("browser_interact", answer(false)).await.text;
    assert!(stayed.starts_with("dismissed dialog (beforeunload)"), "{stayed}");
    assert!(
        client.ok("inspect_tab", json!({})).await.text.contains("button: Keep me"),
        "it stayed"
    );
    let asked = client.call("browser_navigate", json!({ "url": site.url("done.html") })).await.text;
    has(&asked, "dialog open (beforeunload)");
    let left = client.ok("browser_interact", answer(true)).await.text;
    assert!(left.starts_with("accepted dialog (beforeunload)"), "{left}");
    let wait = json!({ "actions": [{ "type": "wait", "url": "done.html" }] });
    client.ok("browser_interact", wait).await;
    client.close().await;
}

both_engines!(questions_are_answered_with_no_and_windows_are_few);
async fn questions_are_answered_with_no_and_windows_are_few() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    let look = open(&client, &site).await;
    let place = click(&client, &look, "button: Where am I").await;
    // Firefox denies without a prompt, so there is nothing to report.
    assert!(
        support::is_firefox() || place.contains("\n1 denied permission: geolocation\n"),
        "{place}"
    );
    assert!(client.ok("inspect_tab", json!({})).await.text.contains("no place 1"));
    let notify = click(&client, &look, "button: Notify me").await;
    assert!(
        support::is_firefox() || notify.contains("\n1 denied permission: notifications\n"),
        "{notify}"
    );
    assert!(client.ok("inspect_tab", json!({})).await.text.contains("notifications denied"));
    let many = click(&client, &look, "button: Many windows").await;
    has(&many, "opened tab t2");
    let tabs = client.ok("browser_tabs", json!({ "action": "list" })).await.text;
    assert!(tabs.lines().count() < 10, "{tabs}");
    let members = click(&client, &look, "link: Members").await;
    // Chromium shows no page if the server asks for a password; Firefox shows the body of the 401
    // response.
    if support::is_firefox() {
        has(&members, "navigated to /login (401)");
        let shown = client.ok("browser_navigate", json!({ "url": site.url("login") })).await.text;
        has(&shown, "/login  401\n");
    } else {
        has(&members, "401: the server asks for a name and password");
        let refused = client.fails("browser_navigate", json!({ "url": site.url("login") })).await;
        has(&refused, "asks for a name and password (HTTP 401)");
    }
    assert!(open(&client, &site).await.text.contains("Outcomes"), "nothing hangs");
    client.close().await;
}

both_engines!(editors_that_draw_their_text_are_filled_whole);
async fn editors_that_draw_their_text_are_filled_whole() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let look = open(&client, &site).await;
    let number = look.number("textbox: Code");
    for text in ["let a = 1;\nlet b = \"👩‍👩‍👧\";", "short", ""] {
        let fill = json!({ "actions": [{ "type": "fill", "element": number, "text": text }] });
        let line = client.ok("browser_interact", fill).await.text;
        // The joiners of the emoji are invisible, so they are not printed.
        let shown = json!(text.replace('\u{200d}', ""));
        assert_eq!(line, format!("filled [{number}] textbox: Code = {shown}\n"));
    }
    let rich = look.number("textbox: Rich");
    let fill = json!({ "actions": [{ "type": "fill", "element": rich, "text": "a\nb שלום" }] });
    assert_eq!(
        client.ok("browser_interact", fill).await.text,
        format!("filled [{rich}] textbox: Rich = \"a\\nb שלום\"\n")
    );
    client.close().await;
}

both_engines!(a_drop_may_ask);
/// Regression test: in Firefox, a drop that opened a dialog left the mouse button pressed, and the
/// page received no more input.
async fn a_drop_may_ask() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<div draggable=true tabindex=0 role=button ondragstart=\"event.dataTransfer.setData('text/plain', 'x')\">Card</div>
        <div tabindex=0 role=button ondragover=\"event.preventDefault()\" ondrop=\"event.preventDefault(); alert('Moved')\">Bin</div>
        <div tabindex=0 role=button ondragover=\"event.preventDefault(); event.dataTransfer.dropEffect = 'none'\" ondrop=\"this.textContent = 'Wrong'\">Closed bin</div>
        <button onclick=\"this.textContent = 'Pressed'\">Press</button>";
    client.ok("browser_navigate", json!({ "url": site.page(html) })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let drag = |to: &str| json!({ "actions": [{ "type": "drag", "from": look.number("Card"), "to": look.number(to) }] });
    client.ok("browser_interact", drag("Closed bin")).await;
    let asked = client.ok("browser_interact", drag("button: Bin")).await.text;
    has(&asked, "opened dialog (alert): \"Moved\"");
    client
        .ok("browser_interact", json!({ "actions": [{ "type": "dialog", "accept": true }] }))
        .await;
    click(&client, &look, "button: Press").await;
    let after = client.ok("inspect_tab", json!({})).await.text;
    assert!(after.contains("button: Pressed") && !after.contains("Wrong"), "{after}");
    client.close().await;
}

both_engines!(a_suggestion_that_is_removed_by_the_press_is_chosen);
async fn a_suggestion_that_is_removed_by_the_press_is_chosen() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<main><div id=box></div><p id=said>nothing</p></main><script>
        const fill = (again) => {
          const list = document.createElement('div');
          for (const name of ['Zug', 'Bern']) list.append(Object.assign(document.createElement('div'), { textContent: name, style: 'cursor:pointer' }));
          list.onmousedown = (event) => { list.remove(); if (again) return fill(again); said.textContent = 'chosen ' + event.target.textContent };
          box.append(list);
        };
        fill(AGAIN)</script>";
    let choose = json!({ "actions": [{ "type": "click", "target": "Bern" }] });
    let open = async |html: &str| {
        client.ok("browser_navigate", json!({ "url": site.page(html) })).await;
    };
    open(&html.replace("AGAIN", "false")).await;
    let chosen = client.ok("browser_interact", choose.clone()).await;
    assert!(chosen.text.starts_with("clicked [") && chosen.changes.contains("chosen Bern"));
    // The press only renders it again, so its click is lost.
    open(&html.replace("AGAIN", "true")).await;
    let lost = client.call("browser_interact", choose).await;
    assert!(lost.is_error && lost.text.contains("got the press but no click"), "{lost:?}");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_opens_a_dialog_is_no_failure() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<button onmousedown='d.hidden=false'>Restart</button>
        <div id=d role=dialog aria-label='Sure?' hidden style='position:fixed;inset:0;background:#fff'>
        <button onclick='this.textContent=\"Restarted\"'>Confirm</button></div>";
    client.ok("browser_navigate", json!({ "url": site.page(html) })).await;
    let actions =
        json!([{ "type": "click", "target": "Restart" }, { "type": "click", "target": "Confirm" }]);
    let answer = client.ok("browser_interact", json!({ "actions": actions })).await;
    assert!(answer.text.starts_with("pressed ["), "it was not clicked: {answer:?}");
    has(&answer.text, "button: Restart — a dialog opened on the press, before the click");
    has(&answer.text, "clicked [");
    has(&answer.changes, "Restarted");
    client.close().await;
}

/// A date picker that opens over its field when that gets the focus.
#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_is_covered_on_the_press_is_no_failure() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<label>Day <input id=day onfocus='d.hidden=false'></label>
        <div id=d hidden style='position:fixed;inset:0;background:#fff'>
        <button onclick='day.value=\"17\";d.hidden=true'>17</button></div>";
    client.ok("browser_navigate", json!({ "url": site.page(html) })).await;
    let actions =
        json!([{ "type": "click", "target": "Day" }, { "type": "click", "target": "17" }]);
    let answer = client.ok("browser_interact", json!({ "actions": actions })).await;
    assert!(answer.text.starts_with("pressed ["), "it was not clicked: {answer:?}");
    has(&answer.text, "textbox: Day — it got the focus on the press; the click went elsewhere");
    has(&answer.changes, "= \"\" → \"17\"");
    client.close().await;
}

/// A list that chooses on the press and closes before the click, as many UI libraries do.
#[tokio::test(flavor = "multi_thread")]
async fn an_option_that_is_chosen_on_the_press_is_chosen() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<main><label>City <input id=city role=combobox aria-controls=cities aria-expanded=false readonly
        onclick=\"cities.hidden = false; city.setAttribute('aria-expanded', 'true')\"></label>
        <ul id=cities role=listbox hidden></ul></main><script>
        for (const name of ['Basel', 'Bern', 'Zug']) {
          const option = document.createElement('li');
          option.setAttribute('role', 'option');
          option.textContent = name;
          option.onmousedown = () => { city.value = name; cities.hidden = true; };
          cities.append(option);
        }</script>";
    let page = client.ok("browser_navigate", json!({ "url": site.page(html) })).await;
    let city = page.number("combobox: City");
    let select = json!({ "type": "select", "element": city, "values": ["Bern"] });
    let reply = client.ok("browser_interact", json!({ "actions": [select] })).await;
    assert!(reply.text.contains("selected \"Bern\" in "), "{reply:?}");
    let open = json!({ "type": "click", "element": city });
    client.ok("browser_interact", json!({ "actions": [open] })).await;
    let zug = client.ok("inspect_tab", json!({})).await.number("option: Zug");
    let choose = json!({ "actions": [{ "type": "click", "element": zug }] });
    let chosen = client.ok("browser_interact", choose).await;
    assert!(chosen.changes.contains("\"Bern\" → \"Zug\""), "{chosen:?}");
    client.close().await;
}
