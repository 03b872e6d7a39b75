//! Tests the hints of controls without a name, from the page to the answers of the tools.

use crate::support::{Client, Site};
use serde_json::{Value, json};

/// Controls without a name, each drawn in a different way.
const PAGE: &str = r##"<!doctype html><title>Icons</title>
<style>
  button, .cell { width: 40px; height: 40px; display: inline-block }
  .ligature { font-family: "Material Icons" }
  .star { background: url("/img/star-filled.svg") }
</style>
<main>
  <button id="b1x7" onclick="this.firstElementChild.className = 'fa fa-pause'; done.textContent = 'Playing'"><i class="fa fa-play"></i></button>
  <button><svg aria-hidden="true" width="20" height="20"><use href="#icon-trash"></use></svg></button>
  <button><span class="ligature" aria-hidden="true">more_vert</span></button>
  <button class="star"></button>
  <button class="star"></button>
  <p><label>Small Range</label> <input type="range" value="30"></p>
  <button title="" data-tooltip="Sign (out)"></button>
  <button data-testid="open-settings"></button>
  <button class="css-1x2y3z"></button>
  <button>Named</button>
  <p id="done" role="status"></p>
</main>"##;

#[tokio::test(flavor = "multi_thread")]
async fn controls_without_a_name_have_hints() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.page(PAGE) })).await;
    let text = client.ok("inspect_tab", json!({})).await.text;
    for line in [
        "button (play icon)\n",
        "button (trash icon)\n",
        "button (more vert icon)\n",
        "button (star icon, 1 of 2)\n",
        "button (star icon, 2 of 2)\n",
        "slider (Small Range) = \"30\"\n",
        "button (\"Sign (out)\")\n",
        "button (open settings)\n",
        "button\n",
        "button: Named\n",
    ] {
        assert!(text.contains(&format!("] {line}")), "{line} is missing in {text}");
    }
    assert!(!text.contains("more_vert"), "{text}");

    let found = client.ok("inspect_tab", json!({ "query": "trash" })).await.text;
    assert!(found.contains("button (trash icon)") && !found.contains("Named"), "{found}");

    let number = |line: &str| {
        let line = text.lines().find(|other| other.ends_with(line)).unwrap().trim();
        line[1..line.find(']').unwrap()].to_owned()
    };
    let trash = json!({ "elementId": number("(trash icon)") });
    let trash = client.ok("expand_dom_selector", trash).await.json();
    assert_eq!(trash["hint"], json!({ "text": "trash icon", "source": "icon sprite" }));
    assert_eq!(trash["name"], "");
    let named = json!({ "elementId": number("button: Named") });
    assert_eq!(client.ok("expand_dom_selector", named).await.json()["hint"], Value::Null);

    let play = number("(play icon)");
    let click = json!({ "actions": [{ "type": "click", "element": play }] });
    let clicked = client.ok("browser_interact", click).await;
    assert_eq!(clicked.text, format!("clicked [{play}] button (play icon)\n"));
    let changed = format!("~ [{play}] button (pause icon) — was (play icon)");
    assert!(clicked.changes.contains(&changed), "{}", clicked.changes);
    client.close().await;
}

/// A page that draws its tools again on request: as they were, or with a different icon.
const TOOLS: &str = r##"<!doctype html><title>Tools</title>
<style>button { width: 80px; height: 40px }</style>
<main>
  <div id="tools"></div>
  <button onclick="draw('plus')">Again</button>
  <button onclick="draw('download')">Change</button>
  <script>
    const icon = (name) => `<button><i class="fa fa-${name}"></i></button>`;
    const draw = (last) => { tools.innerHTML = icon('trash') + icon(last); };
    draw('plus');
  </script>
</main>"##;

#[tokio::test(flavor = "multi_thread")]
async fn a_number_goes_over_to_the_same_icon_only() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.page(TOOLS) })).await;
    let look = async || client.ok("inspect_tab", json!({})).await.text;
    let number = |text: &str, end: &str| -> u32 {
        let line = text.lines().find(|line| line.ends_with(end));
        let line = line.unwrap_or_else(|| panic!("{end} is missing in {text}")).trim();
        line[1..line.find(']').unwrap()].parse().unwrap()
    };
    let first = look().await;
    let (trash, plus) = (number(&first, "(trash icon)"), number(&first, "(plus icon)"));
    let click = async |name: &str| {
        let actions = json!([{ "type": "click", "element": number(&first, name) }]);
        client.ok("browser_interact", json!({ "actions": actions })).await
    };
    click("button: Again").await;
    let again = look().await;
    assert_eq!(number(&again, "(trash icon)"), trash, "{again}");
    assert_eq!(number(&again, "(plus icon)"), plus, "{again}");
    click("button: Change").await;
    let changed = look().await;
    assert_eq!(number(&changed, "(trash icon)"), trash, "{changed}");
    assert_ne!(number(&changed, "(download icon)"), plus, "{changed}");
    client.close().await;
}
