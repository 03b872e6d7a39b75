//! Tests menus of fields: the mouse moves like a hand.

use crate::support::{Client, Reply, Site, has};
use serde_json::{Value, json};

struct Menus {
    client: Client,
    look: Reply,
    _site: Site,
}

impl Menus {
    async fn open() -> Menus {
        let site = Site::start().await;
        let client = Client::shared(&[]).await;
        client.ok("browser_navigate", json!({ "url": site.url("menus.html") })).await;
        let look = client.ok("inspect_tab", json!({ "fold": false })).await;
        Menus { client, look, _site: site }
    }

    async fn act(&self, actions: Value) -> Reply {
        self.client.ok("browser_interact", json!({ "actions": actions })).await
    }

    fn fill(&self, words: &str, text: &str) -> Value {
        json!({ "type": "fill", "element": self.look.number(words), "text": text })
    }

    /// Returns the number of a line of the page as it is now.
    async fn number(&self, words: &str) -> String {
        self.client.ok("inspect_tab", json!({ "fold": false })).await.number(words)
    }

    /// Clicks the line with these words, and returns the line of the action.
    async fn click(&self, words: &str) -> String {
        let number = self.number(words).await;
        let reply = self.act(json!([{ "type": "click", "element": number }])).await;
        reply.text.lines().next().unwrap().to_owned()
    }

    /// Returns the line of a field as it is now.
    async fn line(&self, words: &str) -> String {
        let look = self.client.ok("inspect_tab", json!({ "fold": false })).await;
        look.text.lines().find(|line| line.contains(words)).unwrap().trim().to_owned()
    }
}

#[tokio::test]
async fn a_menu_that_ignores_a_jump_takes_a_hand() {
    let menus = Menus::open().await;
    menus.act(json!([menus.fill("textbox: Country", "So")])).await;
    let line = menus.click("Somalia").await;
    assert!(line.ends_with("listitem: Somalia"), "{line}");
    let field = menus.line("textbox: Country").await;
    has(&field, "= \"Somalia\"");

    // The same at a point.
    menus.act(json!([menus.fill("textbox: Country", "So")])).await;
    let item = menus.number("listitem: Somalia").await;
    let all = menus.client.ok("expand_dom_selector", json!({ "elementId": item })).await.json();
    let [x, y] = [0, 1].map(|side| all["box"][side].as_i64().unwrap() + 9);
    menus.act(json!([{ "type": "click", "x": x, "y": y }])).await;
    let field = menus.line("textbox: Country").await;
    has(&field, "= \"Somalia\"");
}

#[tokio::test]
async fn a_menu_that_opens_under_the_mouse_takes_the_clicked_item() {
    let menus = Menus::open().await;
    let old = menus.look.number("textbox: Old");
    let all = menus.client.ok("expand_dom_selector", json!({ "elementId": old })).await.json();
    let side = |side: usize| all["box"][side].as_i64().unwrap();
    let (x, y) = (side(0), side(1) + side(3) + 10);
    for item in ["Somalia", "Solomon Islands"] {
        let hover = json!({ "type": "hover", "x": x, "y": y });
        menus.act(json!([hover, menus.fill("textbox: Old", "So")])).await;
        menus.click(&format!("listitem: {item}")).await;
        let field = menus.line("textbox: Old").await;
        has(&field, &format!("= \"{item}\""));
    }
}
