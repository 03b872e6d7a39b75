//! Tests `read_rows` and `pagesight rows` with lists of more than one screen or page.

use serde_json::{Value, json};

use crate::support::{Client, Site, has, lacks, outside_ci};

both_engines!(a_virtual_list_is_read_from_its_first_row_to_its_last);
both_engines!(rows_that_are_loaded_late_are_read_when_they_are_there);
both_engines!(pages_that_are_virtual_lists_are_scrolled);
both_engines!(an_endless_list_is_read_until_nothing_new_comes);
both_engines!(pages_are_read_to_the_last_one_and_on_from_where_it_ended);
both_engines!(pages_of_one_document_are_read_until_the_control_is_disabled);

async fn open(client: &Client, site: &Site, query: &str) {
    let url = site.url(&format!("lists.html?{query}"));
    client.ok("browser_navigate", json!({ "url": url, "max_tokens": 0 })).await;
}

/// Returns the last line of an answer that says how the reading ended.
fn ending(text: &str) -> &str {
    text.lines().find(|line| line.contains("; the tab is ")).unwrap_or_else(|| panic!("{text}"))
}

async fn a_virtual_list_is_read_from_its_first_row_to_its_last() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    open(&client, &site, "virtual=2000&keys").await;
    // Calls go on with each other where a machine needs more than one.
    let mut question = json!({ "pages": "scroll", "aggregate": "count by text 2" });
    let text = loop {
        let text = client.ok("read_rows", question.clone()).await.text;
        match ending(&text).split_once(" after=") {
            Some((_, after)) => question["after"] = after.parse::<u64>().unwrap().into(),
            None => break text,
        }
    };
    assert_eq!(text.lines().next(), Some("cards: Lists — 2000 rows"), "{text}");
    for line in ["\"failed\" · 654", "open · 1306", "twin · 40"] {
        has(&text, line);
    }
    assert_eq!(
        ending(&text),
        "read by scrolling, to the end of the list; the tab is scrolled to there"
    );
    // A second question about the rows that were read.
    let text = client.ok("read_rows", json!({ "pages": "scroll", "after": 1998 })).await.text;
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("Item ")).collect();
    assert_eq!(rows, ["Item 1998 · failed", "Item 1999 · open"], "{text}");
    client.close().await;
}

async fn rows_that_are_loaded_late_are_read_when_they_are_there() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    for query in ["virtual=500&keys&lazy", "virtual=100&lazy"] {
        open(&client, &site, query).await;
        let question = json!({ "pages": "scroll", "where": "text contains Loading" });
        let text = client.ok("read_rows", question).await.text;
        let rows = query.split(['=', '&']).nth(1).unwrap();
        let head = format!("cards: Lists — {rows} rows, 0 match (text contains Loading)");
        assert_eq!(text.lines().next(), Some(&*head), "{text}");
    }
    client.close().await;
}

async fn pages_that_are_virtual_lists_are_scrolled() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    for query in ["virtual=90&of=3&keys", "virtual=90&of=3"] {
        open(&client, &site, query).await;
        let text = client.ok("read_rows", json!({ "pages": "next" })).await.text;
        assert_eq!(text.lines().next(), Some("cards: Lists — 270 rows"), "{query}: {text}");
        has(ending(&text), "3 pages read, to the end of the list; the tab is on page 3, http");
        // Page after page, each from its first row to its last.
        for after in [89, 178, 268] {
            let question = json!({ "pages": "next", "after": after, "limit": 2 });
            let text = client.ok("read_rows", question).await.text;
            has(&text, &format!("\nItem {after} · "));
        }
    }
    client.close().await;
}

async fn an_endless_list_is_read_until_nothing_new_comes() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    open(&client, &site, "endless=200").await;
    let text = client.ok("read_rows", json!({ "pages": "scroll", "limit": 1 })).await.text;
    assert_eq!(text.lines().next(), Some("list: Lists — 200 rows"), "{text}");
    has(&text, "… 199 more rows — read_rows pages=scroll after=1");
    has(ending(&text), "to the end of the list");
    // A list that never ends.
    open(&client, &site, "endless=0").await;
    let question = json!({ "pages": "scroll", "max_rows": 150, "limit": 2 });
    let text = client.ok("read_rows", question).await.text;
    assert_eq!(text.lines().next(), Some("list: Lists — 150 rows"), "{text}");
    let end = ending(&text);
    has(end, "up to the limit of 150 rows; the tab is scrolled to the last row that was read");
    has(end, " — read_rows pages=scroll after=150");
    let question = json!({ "pages": "scroll", "max_rows": 100, "after": 150, "limit": 3 });
    let text = client.ok("read_rows", question).await.text;
    assert_eq!(text.lines().next(), Some("list: Lists — 250 rows"), "{text}");
    has(&text, "\nEntry 151 · /item/151");
    client.close().await;
}

async fn pages_are_read_to_the_last_one_and_on_from_where_it_ended() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    open(&client, &site, "page=1&of=4").await;
    let question =
        json!({ "pages": "next", "max_pages": 2, "order_by": "Amount desc", "limit": 1 });
    let text = client.ok("read_rows", question).await.text;
    // The pages share a row.
    assert_eq!(text.lines().next(), Some("table: Lists — 59 rows"), "{text}");
    has(&text, "\nPerson 59 · 59\n");
    let end = ending(&text);
    let place = format!(
        "2 pages read, and more follow; the tab is on page 2, {}",
        site.url("lists.html?page=2&of=4")
    );
    assert_eq!(end, format!("{place} — read_rows pages=next after=59"));
    let question = json!({ "pages": "next", "after": 59, "aggregate": "sum(Amount)" });
    let text = client.ok("read_rows", question).await.text;
    assert_eq!(text.lines().next(), Some("table: Lists — 117 rows"), "{text}");
    has(&text, &format!("sum(Amount): {}", 117 * 118 / 2));
    has(ending(&text), "4 pages read, to the end of the list; the tab is on page 4, http");
    lacks(ending(&text), " — ");
    // Where there are only numbers, the next one is clicked.
    open(&client, &site, "page=1&of=3&numbers").await;
    let text = client.ok("read_rows", json!({ "pages": "next", "aggregate": "count" })).await.text;
    has(&text, "count: 88");
    has(ending(&text), "3 pages read, to the end of the list; the tab is on page 3, http");
    // A page with other rows does not go on.
    open(&client, &site, "page=1&of=4").await;
    let error = client.fails("read_rows", json!({ "pages": "next", "after": 20 })).await;
    has(&error, "no longer shows the rows that were read before; leave after out");
    client.close().await;
}

async fn pages_of_one_document_are_read_until_the_control_is_disabled() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    open(&client, &site, "spa=3").await;
    let text = client.ok("read_rows", json!({ "pages": "next", "aggregate": "count" })).await.text;
    has(&text, "count: 58");
    has(ending(&text), "3 pages read, to the end of the list; the tab is on page 3, http");
    // The tab is on the last page now, but the question is about all of them.
    let question = json!({ "pages": "next", "scope": "table", "aggregate": "count" });
    let text = client.ok("read_rows", question).await.text;
    has(&text, "count: 58");
    has(ending(&text), "3 pages read before, to the end of the list; the tab is on page 3, http");
    open(&client, &site, "spa=3&stuck").await;
    let text = client.ok("read_rows", json!({ "pages": "next" })).await.text;
    has(
        ending(&text),
        "1 page read, to the end: the next page has no new rows; the tab is on page",
    );
    open(&client, &site, "spa=3&named").await;
    let text = client.ok("read_rows", json!({ "pages": "next" })).await.text;
    has(ending(&text), "1 page read: no control for a next page was found; give it as next");
    for next in ["Flip", ".go"] {
        open(&client, &site, "spa=3&named").await;
        let question = json!({ "pages": "next", "next": next });
        let text = client.ok("read_rows", question).await.text;
        assert_eq!(text.lines().next(), Some("table: Lists — 58 rows"), "{text}");
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_cannot_be_are_refused_in_one_sentence() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    open(&client, &site, "spa=3").await;
    for (question, words) in [
        (json!({ "pages": "all" }), "unknown variant `all`, expected `scroll` or `next`"),
        (json!({ "max_rows": 5 }), "max_rows needs pages; give pages scroll or next"),
        (json!({ "next": "Next" }), "next needs pages"),
        (json!({ "pages": "scroll", "max_pages": 5 }), "max_pages needs pages next, not scroll"),
        (json!({ "pages": "scroll", "next": "x" }), "next needs pages next, not scroll"),
        (json!({ "pages": "next", "max_pages": 0 }), "max_pages 0 is out of range; give 1 to 1000"),
        (json!({ "pages": "next", "max_rows": 100_001 }), "give 1 to 100000"),
        (json!({ "pages": "next", "next": " " }), "next is empty"),
        (json!({ "pages": "next", "next": "Nowhere" }), "nothing matches"),
        (json!({ "pages": "next", "scope": "viewport" }), "leave out scope viewport"),
        (json!({ "pages": "next", "where": "Stat = x" }), "there is no column \"Stat\""),
    ] {
        has(&client.fails("read_rows", question).await, words);
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_writes_the_rows_of_all_pages() {
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let (page, json) = (folder.path().join("a.page.json"), folder.path().join("a.json"));
    let (page, json) = (page.to_str().unwrap(), json.to_str().unwrap());
    let run = async |arguments: &[&str]| {
        let mut command = tokio::process::Command::from(outside_ci());
        let done = command.arg("rows").args(arguments).output().await.unwrap();
        let said =
            (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
        (done.status.code(), said.0, said.1)
    };
    let url = site.url("lists.html?page=1&of=3");
    let arguments = [&url, "--pages", "next", "--to", json, "--save-page", page];
    let (code, out, error) = run(&arguments).await;
    assert_eq!(code, Some(0), "{error}");
    has(&out, "3 pages read, to the end of the list");
    let rows: Value = serde_json::from_slice(&std::fs::read(json).unwrap()).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 88);
    assert_eq!(rows[87]["Name"], "Person 88");
    for (arguments, words) in [
        (&["--pages", "all"][..], "--pages must be scroll or next, not \"all\""),
        (&["--pages"], "needs a value"),
        (&["--pages", "next", "--pages", "next"], "is given twice; leave one of them out"),
        (&["--pages", "next"], "a page file holds one page"),
        (&["--max-pages", "3"], "max_pages needs pages"),
        (&["--max-rows", "x"], "--max-rows must be a whole number, not \"x\""),
    ] {
        let (code, _, error) = run(&[&[page][..], arguments].concat()).await;
        assert_eq!(code, Some(2), "{arguments:?}: {error}");
        has(&error, words);
    }
}
