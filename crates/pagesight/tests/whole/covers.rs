//! Tests what covers elements for good: a banner over a part of a page, as `pagesight demo` shows
//! it, is found by looks, by the description of an element, by comparisons, by checks and by
//! clicks; a header that can be scrolled away from is not, also over frames.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::support::shop::{command, ended, run, said};
use crate::support::{Client, Site, has, lacks, outside_ci};

/// The demo page, served by the program. Ends when it is dropped.
struct Demo {
    _process: Child,
    url: String,
}

impl Demo {
    async fn start(arguments: &[&str]) -> Demo {
        let mut command = Command::from(outside_ci());
        command.args(["demo", "--serve"]).args(arguments).kill_on_drop(true);
        let mut process = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = lines.next_line().await.unwrap().unwrap();
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        Demo { _process: process, url }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_banner_of_the_demo_is_noticed() {
    let (whole, covered) = (Demo::start(&[]).await, Demo::start(&["--fault", "covered"]).await);
    let folder = tempfile::tempdir().unwrap();
    let client = Client::start_in(folder.path(), &[]).await;
    client.ok("browser_navigate", json!({ "url": whole.url })).await;
    client.ok("get_dom_fingerprint", json!({ "save_as": "board" })).await;
    client.ok("browser_navigate", json!({ "url": covered.url })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let (add, banner) = (look.number("button: Add task"), look.number("dialog: Cookies"));
    has(&look.text, &format!("[{add}] button: Add task — covered by [{banner}]"));
    let element = client.ok("expand_dom_selector", json!({ "elementId": add })).await.json();
    assert_eq!(element["covered_by"], format!("[{banner}] dialog: Cookies"), "{element}");
    let actions = json!([{ "type": "click", "element": add }]);
    let refused = client.fails("browser_interact", json!({ "actions": actions })).await;
    has(&refused, &format!("button: Add task is covered by [{banner}] dialog: Cookies"));
    let compared = client.ok("compare_dom_fingerprint", json!({ "against": "board" })).await;
    let changes = compared.json()["changes"].as_array().unwrap().clone();
    let is_found = |change: &Value| {
        change["type"] == "element_covered"
            && change["severity"] == "error"
            && change["element"]["text"] == "Add task"
    };
    assert!(changes.iter().any(is_found), "{changes:#?}");
    client.close().await;

    let pages = |demo: &Demo| {
        let text = format!("base_url = \"{}\"\n[[page]]\nroute = \"/\"\n", demo.url);
        std::fs::write(folder.path().join("pages.toml"), text).unwrap();
    };
    pages(&whole);
    ended(0, run(command(folder.path(), &[])).await);
    ended(0, run(command(folder.path(), &[])).await);
    pages(&covered);
    has(&said(&ended(1, run(command(folder.path(), &[])).await)), "Add task");
}

both_engines!(what_can_be_scrolled_out_is_clicked_there);
async fn what_can_be_scrolled_out_is_clicked_there() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    // The document in the second frame scrolls, so its button gets out; that of the first does not.
    let button = |name: &str, more: &str| {
        format!(
            "<body style=\"margin:0\"><button style=\"display:block;margin-top:130px\" \
             onclick=\"parent.document.title += `{name} `\">{name}</button>{more}"
        )
    };
    let frame = |place: &str, html: &str| {
        format!(
            "<iframe style='position:fixed;{place};bottom:0;width:300px;height:200px' \
             srcdoc='{html}'></iframe>"
        )
    };
    let page = format!(
        "<!doctype html><title>T </title><body style='margin:0'>\
         <button style='position:absolute;top:calc(100vh - 60px)' \
         onclick='document.title += `Outer `'>Outer</button><div style='height:3000px'></div>{}{}\
         <div role=dialog aria-label=Cookies style='position:fixed;left:0;right:0;bottom:0;\
         height:100px;background:white'>C</div>",
        frame("left:300px", &button("Stuck", "")),
        frame("left:700px", &button("Scrolls", "<div style=\"height:900px\"></div>")),
    );
    client.ok("browser_navigate", json!({ "url": site.page(&page) })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    has(&look.text, "button: Stuck — covered by [");
    for name in ["Outer", "Scrolls"] {
        lacks(&look.text, &format!("button: {name} — covered"));
        let actions =
            json!([{ "type": "click", "element": look.number(&format!("button: {name}")) }]);
        let done = client.ok("browser_interact", json!({ "actions": actions })).await;
        assert!(done.text.starts_with("clicked "), "{}", done.text);
    }
    let title = client.ok("browser_evaluate", json!({ "expression": "document.title" })).await;
    // The browser trims the title.
    has(&title.text, "OuterScrolls");
    let stuck = json!([{ "type": "click", "element": look.number("button: Stuck") }]);
    let refused = client.fails("browser_interact", json!({ "actions": stuck })).await;
    has(&refused, "button: Stuck is covered by [");
    client.close().await;
}
