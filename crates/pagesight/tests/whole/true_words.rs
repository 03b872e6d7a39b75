//! Tests that answers say what happened, and no more: numbers, navigations, busy pages, failures of
//! other sites, and texts that were waited for.

use crate::support::{Client, Site, has, lacks};
use serde_json::{Value, json};

async fn act(client: &Client, action: Value) -> String {
    client.ok("browser_interact", json!({ "actions": [action] })).await.text
}

both_engines!(a_number_in_other_digits_is_what_was_given);
async fn a_number_in_other_digits_is_what_was_given() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = site.page("<input aria-label=Power oninput='value = Number(value).toFixed(1)'>");
    let look = client.ok("browser_navigate", json!({ "url": page })).await;
    let fill =
        |text: &str| json!({ "type": "fill", "element": look.number("Power"), "text": text });
    let filled = act(&client, fill("200")).await;
    has(&filled, "textbox: Power = \"200.0\"\n");
    has(&act(&client, fill("200.26")).await, "textbox: Power = \"200.3\" — not what was given");
    client.close().await;
}

both_engines!(only_a_different_address_is_a_navigation);
async fn only_a_different_address_is_a_navigation() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = site.page(
        "<button onclick='history.pushState(1, \"\"); out.textContent = \"opened\"'>Open</button>
         <button onclick='location.hash = \"part\"; out.textContent = \"jumped\"'>Jump</button>
         <button onclick='location.hash = \"#/orders\"; out.textContent = \"routed\"'>Route</button>
         <button onclick='history.pushState(2, \"\", \"?of=2\"); out.textContent = \"asked\"'>Ask</button>
         <p id=out></p>",
    );
    let look = client.ok("browser_navigate", json!({ "url": page })).await;
    let click =
        |name: &str| json!({ "type": "click", "element": look.number(&format!("button: {name}")) });
    for name in ["Open", "Jump"] {
        let line = act(&client, click(name)).await;
        assert!(
            line.starts_with("clicked [") && line.contains(&format!("button: {name}\n")),
            "{line}"
        );
    }
    has(&act(&client, click("Route")).await, "button: Route — navigated to ");
    has(&act(&client, click("Ask")).await, "button: Ask — navigated to ");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_on_a_busy_page_is_reported_in_the_past() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    // Busy in pieces, for longer than an action is waited for. The title counts the clicks.
    let page = site.page(
        "<button onclick='document.title = \"pressed\"; work(6)'>Work</button><script>
         function work(left) {
           const end = Date.now() + 900;
           while (Date.now() < end);
           if (left > 1) setTimeout(work, 0, left - 1);
         }</script>",
    );
    let look = client.ok("browser_navigate", json!({ "url": page })).await;
    let line = act(&client, json!({ "type": "click", "element": look.number("Work") })).await;
    has(&line, "] button: Work; the page was busy for ");
    lacks(&line, "timed out");
    client.close().await;
}

both_engines!(what_was_waited_for_is_printed);
async fn what_was_waited_for_is_printed() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page =
        site.page("<h1>Shop</h1><p>Your reward: 40 points</p><div role=status id=out></div>");
    client.ok("browser_navigate", json!({ "url": page })).await;
    // It was there before, so it is not among the changes.
    let line = act(&client, json!({ "type": "wait", "text": "reward" })).await;
    has(&line, "ms for the text \"reward\" — [");
    has(&line, "] Your reward: 40 points\n");
    let gone = act(&client, json!({ "type": "wait", "gone": "nothing" })).await;
    has(&gone, "to go\n");
    client.close().await;
}

both_engines!(failures_of_other_sites_are_those_of_the_page);
async fn failures_of_other_sites_are_those_of_the_page() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let quiet = site.page("<h1>Quiet</h1>");
    client.ok("browser_navigate", json!({ "url": quiet })).await;
    let fail = async |host: &str| {
        let expression = format!("fetch('http://{host}.invalid/').then(() => 1, () => 2)");
        client.ok("browser_evaluate", json!({ "expression": expression })).await;
    };
    fail("ads").await;
    has(&act(&client, json!({ "type": "press", "key": "Tab" })).await, "of other sites");
    // This happens after the last answer about its page.
    fail("pixels").await;
    let away = client.ok("browser_navigate", json!({ "url": quiet })).await.text;
    lacks(&away, "other sites");
    client.close().await;
}
