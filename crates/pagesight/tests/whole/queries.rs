//! Tests queries with several subjects, equal controls and many matches.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::support::{Client, Reply, Site, command, has, lacks};

/// Accounts of which every fourth has failed, and cards with equal buttons.
fn accounts() -> String {
    let mut rows = String::new();
    for n in 0..80 {
        let state = if n % 4 == 1 { "failed" } else { "paid" };
        let owner = ["Ann", "Bert of the Hill and Vale"][n / 4 % 2];
        let _ = write!(rows, "<tr><td>row{n}<td>{owner}<td>{state}<td><button>Retry</button>");
    }
    let cards: String = ["Ecobee", "Hvac", "HeatPump"]
        .iter()
        .map(|name| {
            format!("<div class=card><div>{name}</div><p>21 degrees</p><button>More</button></div>")
        })
        .collect();
    format!(
        "<title>Accounts</title><main><label>Name <input></label> <button>Create</button>
         <a href=/terms>Terms and Conditions</a>{cards}
         <table><tr><th>Id<th>Owner<th>State<th></th></tr>{rows}</table></main>"
    )
}

fn rows(text: &str) -> Vec<usize> {
    let ids = text.split("Id: row").skip(1);
    ids.map(|rest| rest.split(' ').next().unwrap().parse().unwrap()).collect()
}

/// Returns the reference that an answer says to continue after.
fn after(text: &str) -> String {
    let (_, rest) = text.split_once("the same query with after=").expect("a way to continue");
    rest.lines().next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_are_counted_and_all_can_be_reached() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.page(&accounts()) })).await;
    let ask = async |more: Value| {
        let mut arguments = json!({ "query": "failed" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.ok("inspect_tab", arguments).await.text
    };
    let all: Vec<usize> = (0..20).map(|n| n * 4 + 1).collect();
    let first = ask(json!({})).await;
    has(&first, "\n8 of 20 matches, best first\n");
    assert_eq!(rows(&first), all[..8], "in page order: {first}");
    let second = ask(json!({ "after": after(&first) })).await;
    has(&second, "\n9 to 16 of 20 matches, best first\n");
    assert_eq!(rows(&second), all[8..16], "{second}");
    let third = ask(json!({ "after": after(&second) })).await;
    assert_eq!(rows(&third), all[16..], "{third}");
    lacks(&third, "after=");
    let large = ask(json!({ "max_tokens": 9500 })).await;
    assert_eq!(rows(&large), all, "{large}");
    let small = ask(json!({ "max_tokens": 300 })).await;
    assert!(rows(&small).len() > 3 && rows(&small).len() < 20, "{small}");
    // The last match of a different query is not a match of this one.
    let cards = client.ok("inspect_tab", json!({ "query": "More" })).await;
    let wrong = json!({ "query": "failed", "after": cards.number("More (Ecobee)") });
    let error = client.fails("inspect_tab", wrong).await;
    has(&error, "is not in a match of");
    let several = json!({ "query": "Name, Create", "after": cards.number("More (Ecobee)") });
    has(&client.fails("inspect_tab", several).await, "the query has several");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_subject_of_a_query_is_answered() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let query = "Name, Delete all, HeatPump and Create";
    let open = json!({ "url": site.page(&accounts()), "query": query });
    let opened = client.ok("browser_navigate", open).await.text;
    let looked = client.ok("inspect_tab", json!({ "query": query })).await.text;
    for text in [opened, looked] {
        let places: Vec<usize> = [
            "for \"Name\":",
            "nothing for \"Delete all\"\n",
            "for \"HeatPump\":",
            "for \"Create\":",
        ]
        .iter()
        .map(|line| text.find(&format!("\n{line}")).unwrap_or_else(|| panic!("{line}: {text}")))
        .collect();
        assert!(places.is_sorted(), "{text}");
        for line in ["textbox: Name", "button: Create", "button: More (HeatPump)"] {
            has(&text, line);
        }
    }
    let text = client.ok("inspect_tab", json!({ "query": "terms and conditions" })).await.text;
    has(&text, "link: Terms and Conditions");
    lacks(&text, "for \"");
    // A whole name stays one subject beside other words, also if it is a cell.
    let query = json!({ "query": "row5 Bert of the Hill and Vale, Create" });
    let text = client.ok("inspect_tab", query).await.text;
    has(&text, "for \"row5 Bert of the Hill and Vale\":");
    has(&text, "for \"Create\":");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_controls_say_what_they_belong_to() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.page(&accounts()) })).await;
    let text = client.ok("inspect_tab", json!({ "query": "More" })).await.text;
    for owner in ["Ecobee", "Hvac", "HeatPump"] {
        has(&text, &format!("button: More ({owner})\n"));
    }
    // Its row is printed.
    let text = client.ok("inspect_tab", json!({ "query": "row5" })).await.text;
    has(&text, "button: Retry\n");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_refuses_to_continue_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    let capture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/captures/dashboard.page.json");
    let mut look = command(place.path());
    look.args(["look", capture, "delete", "--after", "1"]);
    let output = look.output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("is not in a match of \"delete\"") && said.lines().count() == 1,
        "{said}"
    );
}

/// A card that the page takes out and puts back.
const CARD: &str = "<title>Home</title><main><div id=card><p>Hall</p><button onclick='n.textContent = `on`'>Lights</button></div><p id=n>off</p>
    <script>
    function gone(ms, again) {
        const all = card, copy = all.cloneNode(true), place = n;
        all.remove();
        if (again) setTimeout(() => place.before(again === `new` ? copy : all), ms);
    }
    </script></main>";

both_engines!(an_element_that_is_gone_for_a_moment_is_found);
/// The card may be back before the action looks: that is right as well.
async fn an_element_that_is_gone_for_a_moment_is_found() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    for again in ["same", "new"] {
        client.ok("browser_navigate", json!({ "url": site.page(CARD) })).await;
        let look: Reply = client.ok("inspect_tab", json!({})).await;
        let lights = look.number("button: Lights");
        let gone = format!("gone(250, '{again}')");
        client.ok("browser_evaluate", json!({ "expression": gone })).await;
        let click = json!({ "actions": [{ "type": "click", "element": lights }] });
        let reply = client.ok("browser_interact", click.clone()).await;
        has(&reply.text, &format!("clicked [{lights}] button: Lights"));
        has(&reply.changes, "\"on\"");
        client.ok("browser_evaluate", json!({ "expression": gone })).await;
        client.ok("inspect_tab", json!({ "scope": format!("[{lights}]") })).await;
        client.ok("browser_evaluate", json!({ "expression": "gone(0, '')" })).await;
        let reply = client.call("browser_interact", click).await;
        assert!(reply.is_error, "{reply:?}");
        has(&reply.text, "is no longer in the page");
    }
    client.close().await;
}

/// A page without sections, all of which is rendered again at each click. The second button also
/// adds a message.
#[tokio::test(flavor = "multi_thread")]
async fn a_control_that_was_rendered_twice_is_found() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = "<title>Flat</title><div id=all></div><script>
        const draw = (say) => { all.innerHTML = `<button onclick=draw('')>Star</button><button onclick=draw('Moved')>Move</button>
          <button onclick=draw('Opened')>Open</button><button>Help</button><p>${say}</p>` };
        draw('')</script>";
    client.ok("browser_navigate", json!({ "url": site.page(page) })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let click =
        |name: &str| json!({ "type": "click", "element": look.number(&format!("button: {name}")) });
    let actions = json!([click("Star"), click("Move"), click("Open")]);
    let reply = client.call("browser_interact", json!({ "actions": actions })).await;
    assert!(!reply.is_error, "{reply:?}");
    has(&reply.changes, "Opened");
    // The caller also learns the numbers of what it did not use.
    let help = look.number("button: Help");
    has(&reply.changes, "re-rendered: [");
    let gone = json!({ "actions": [{ "type": "click", "element": help }] });
    has(&client.ok("browser_interact", gone).await.text, "] button: Help");
    client.close().await;
}
