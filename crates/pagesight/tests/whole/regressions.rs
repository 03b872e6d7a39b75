//! The benchmark of the DOM fingerprint: twenty controlled regressions (five removed elements, five
//! error states, five cases of lost content, five of style alone). Each one is found and named
//! correctly, and no change is reported where nothing is wrong. One page, one session.

use crate::support::{Client, Site};
use serde_json::{Value, json};

/// A change of the page, and the change that must be reported for it: type and text or selector.
struct Regression {
    what: &'static str,
    script: &'static str,
    found: (&'static str, &'static str),
    /// Types of other changes that may be reported with it.
    with: &'static [&'static str],
}

const fn regression(
    what: &'static str,
    script: &'static str,
    found: (&'static str, &'static str),
) -> Regression {
    Regression { what, script, found, with: &[] }
}

const STRUCTURAL: [Regression; 15] = [
    regression("a button is gone", "$('#new').remove()", ("element_missing", "New project")),
    regression(
        "a field is gone",
        "$('[name=email]').closest('label').remove()",
        ("field_missing", "Email"),
    ),
    regression(
        "a link of the navigation is gone",
        "$('nav li:nth-child(2)').remove()",
        ("element_missing", "Projects"),
    ),
    regression(
        "one of three equal buttons is gone",
        "$('.row:nth-of-type(2) .remove').remove()",
        ("element_missing", "Remove"),
    ),
    regression(
        "a select is gone",
        "$('[name=role]').closest('label').remove()",
        ("field_missing", "Role"),
    ),
    regression(
        "an alert",
        "$('main').insertAdjacentHTML('afterbegin', '<div role=alert>Failed to load projects</div>')",
        ("error_appeared", "Failed to load projects"),
    ),
    regression(
        "an error banner by its class",
        "$('#app').insertAdjacentHTML('afterbegin', '<div class=error-banner>No connection</div>')",
        ("error_appeared", "No connection"),
    ),
    regression(
        "a danger alert of Bootstrap's",
        "$('main').insertAdjacentHTML('beforeend', '<div class=\"alert alert-danger\">Something went wrong</div>')",
        ("error_appeared", "Something went wrong"),
    ),
    regression(
        "a message below a field",
        "$('[name=email]').closest('label').insertAdjacentHTML('afterend', '<div class=invalid-feedback>Enter an address</div>')",
        ("error_appeared", "Enter an address"),
    ),
    regression(
        "a toast that says it failed",
        "document.body.insertAdjacentHTML('beforeend', '<div class=\"toast toast-error\" role=status>Saving failed</div>')",
        ("error_appeared", "Saving failed"),
    ),
    regression(
        "a list is empty",
        "$('.project-list').innerHTML = ''",
        ("list_empty", ".project-list"),
    ),
    Regression {
        what: "a list gave way to an empty state",
        script: "$('.project-list').outerHTML = '<div class=empty-state>No projects yet</div>'",
        found: ("list_empty", ".project-list"),
        with: &["empty_state_appeared"],
    },
    regression("a heading is gone", "$('.team h2').remove()", ("heading_missing", "Team")),
    regression("a table is empty", "$('#orders tbody').innerHTML = ''", ("table_empty", "Orders")),
    regression(
        "a picture is broken",
        "$('#logo').src = '/no-such-picture.png'",
        ("image_broken", "Company logo"),
    ),
];

const STYLE: [Regression; 5] = [
    regression("display: none", "$('#save').style.display = 'none'", ("element_hidden", "Save")),
    regression(
        "something lies over it",
        "$('.actions').style.position = 'relative'; $('.actions').insertAdjacentHTML('beforeend', '<div style=\"position:absolute;inset:0;background:#fff;z-index:9\"></div>')",
        ("element_covered", "Save"),
    ),
    regression(
        "moved where nobody can scroll to",
        "Object.assign($('#archive').style, {position: 'absolute', left: '-9999px'})",
        ("element_hidden", "Archive"),
    ),
    regression(
        "transparent",
        "$('#send').style.opacity = 0",
        ("element_hidden", "Send invitation"),
    ),
    regression(
        "clicks go through",
        "$('#logout').style.pointerEvents = 'none'",
        ("element_hidden", "Log out"),
    ),
];

/// Changes of the page that must not be reported.
const NOTHING: [(&str, &str); 11] = [
    ("nothing", "0"),
    (
        "classes churn",
        "$$('*').forEach((el) => { if (!['STYLE', 'HEAD'].includes(el.tagName)) el.classList.add('x' + Math.random().toString(36).slice(2)) })",
    ),
    (
        "ids and data attributes churn",
        "$$('main *').forEach((el, i) => { el.dataset.v = i; if (el.id) el.id = 'r' + i })",
    ),
    (
        "attributes in another order",
        "const a = $('[name=email]'); const t = a.type; a.removeAttribute('type'); a.removeAttribute('name'); a.name = 'email'; a.type = t",
    ),
    (
        "wrappers",
        "$$('button').forEach((el) => { const w = document.createElement('div'); w.style.display = 'inline-block'; el.replaceWith(w); w.append(el) })",
    ),
    ("rendered again", "$('#app').innerHTML = $('#app').innerHTML"),
    ("a clock ticks", "$('time').textContent = '12:00:07'; $('.ago').textContent = 'an hour ago'"),
    ("a counter counts", "$('nav li:nth-child(3) a').textContent = 'Cart (12)'"),
    ("scrolled", "document.body.style.minHeight = '3000px'; scrollTo(0, 400)"),
    ("focus and value", "$('[name=email]').focus(); $('[name=email]').value = 'a@b.c'"),
    (
        "colours",
        "$$('button').forEach((el) => { el.style.background = 'navy'; el.style.color = 'white' })",
    ),
];

/// Restores the saved page, runs a script on it, and returns the reported changes at `warning` or
/// above.
async fn result_of(client: &Client, script: &str) -> Vec<Value> {
    let expression = format!(
        "(async () => {{ const $ = (s) => document.querySelector(s), $$ = (s) => [...document.querySelectorAll(s)];
        window.saved ??= document.body.innerHTML;
        for (const name of document.body.getAttributeNames()) document.body.removeAttribute(name);
        document.body.innerHTML = saved; scrollTo(0, 0); {script}; await 0; return true }})()"
    );
    client.ok("browser_evaluate", json!({ "expression": expression })).await;
    let compared = client.ok("compare_dom_fingerprint", json!({ "against": "good" })).await.json();
    compared["changes"].as_array().unwrap().clone()
}

fn names(change: &Value, (kind, text): (&str, &str)) -> bool {
    let element = &change["element"];
    change["type"] == kind && (element["text"] == text || element["selector"] == text)
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_regressions_are_found_and_nothing_else() {
    let (site, folder) = (Site::start().await, tempfile::tempdir().unwrap());
    let client = Client::start_in(folder.path(), &["--allow-evaluate"]).await;
    client.ok("browser_navigate", json!({ "url": site.url("regressions.html") })).await;
    client.ok("get_dom_fingerprint", json!({ "save_as": "good" })).await;
    let mut misses = Vec::new();
    for Regression { what, script, found, with } in STRUCTURAL.iter().chain(&STYLE) {
        let changes = result_of(&client, script).await;
        if !changes.iter().any(|change| names(change, *found)) {
            misses.push(format!("{what}: {found:?} is not in {changes:#?}"));
        }
        // A cover over Save also covers its neighbour.
        let other = |change: &&Value| {
            change["type"] != found.0
                && !with.contains(&change["type"].as_str().unwrap_or_default())
        };
        misses.extend(
            changes
                .iter()
                .filter(other)
                .map(|change| format!("{what}: {change:#} is reported too")),
        );
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
    for (what, script) in NOTHING {
        let changes = result_of(&client, script).await;
        assert!(changes.is_empty(), "{what}: {changes:#?}");
    }
    client.close().await;
}
