//! Tests what few pages do: they lock the mouse, undo every scroll, hide a control without drawing
//! anything in its place, or react to presses only.

use serde_json::{Value, json};

use crate::support::{Client, Site, has};

async fn act(client: &Client, action: Value) -> String {
    client.call("browser_interact", json!({ "actions": [action] })).await.text
}

both_engines!(a_click_while_the_page_has_locked_the_mouse_is_refused);
async fn a_click_while_the_page_has_locked_the_mouse_is_refused() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = "<!doctype html><title>Lock</title><body style='margin:0'>\
        <button id=game style='width:200px;height:100px' onclick='this.requestPointerLock()'>Play\
        </button><button style='display:block;height:50px' onclick='document.title = 1'>Other\
        </button><script>document.onpointerlockchange = () => \
        document.body.append(document.pointerLockElement ? 'locked' : 'free')</script>";
    client.ok("browser_navigate", json!({ "url": site.page(page) })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let (play, other) = (look.number("button: Play"), look.number("button: Other"));
    act(&client, json!({ "type": "click", "element": play })).await;
    act(&client, json!({ "type": "wait", "text": "locked" })).await;
    for target in [json!({ "element": other }), json!({ "x": 20, "y": 120 })] {
        let mut action = target.clone();
        action["type"] = json!("click");
        let refused = act(&client, action).await;
        let by = format!("the page has locked the mouse to [{play}] button: Play (pointer lock)");
        assert!(refused.starts_with("failed: ") && refused.contains(&by), "{target}: {refused}");
    }
    // What has the mouse can be clicked.
    let clicked = act(&client, json!({ "type": "click", "element": play })).await;
    assert!(clicked.starts_with("clicked "), "{clicked}");
    client.ok("browser_evaluate", json!({ "expression": "document.exitPointerLock()" })).await;
    act(&client, json!({ "type": "wait", "text": "free" })).await;
    let clicked = act(&client, json!({ "type": "click", "element": other })).await;
    assert!(clicked.starts_with("clicked "), "{clicked}");
    client.close().await;
}

both_engines!(a_click_while_a_frame_has_locked_the_mouse_is_refused);
async fn a_click_while_a_frame_has_locked_the_mouse_is_refused() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let frame = "<button style=\"width:200px;height:100px\" onclick=\"this.requestPointerLock();\
        parent.document.title += 1\">Play</button>";
    let page = format!(
        "<!doctype html><title>Lock</title><body style='margin:0'>\
        <button style='display:block;height:50px' onclick='document.body.append(\"pressed\")'>Other\
        </button><iframe srcdoc='{}'></iframe>",
        frame.replace('\'', "&#39;")
    );
    client.ok("browser_navigate", json!({ "url": site.page(&page) })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let (play, other) = (look.number("button: Play"), look.number("button: Other"));
    act(&client, json!({ "type": "click", "element": play })).await;
    let locked = "(frames[0].document.pointerLockElement !== null) + ' ' + document.title";
    for target in [json!({ "element": other }), json!({ "x": 20, "y": 20 })] {
        let mut action = target.clone();
        action["type"] = json!("click");
        let refused = act(&client, action).await;
        let by = format!("the page has locked the mouse to [{play}] button: Play (pointer lock)");
        assert!(refused.starts_with("failed: ") && refused.contains(&by), "{target}: {refused}");
    }
    // The button in the frame got no other click.
    let state = client.ok("browser_evaluate", json!({ "expression": locked })).await.text;
    assert!(state.contains("true Lock1") && !state.contains("Lock11"), "{state}");
    client.close().await;
}

both_engines!(a_scroll_that_has_no_effect_says_why);
async fn a_scroll_that_has_no_effect_says_why() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    for (script, words) in [
        (
            "addEventListener('scroll', () => scrollTo(0, 0))",
            "it did not move, and the page did not prevent it",
        ),
        (
            "addEventListener('wheel', (e) => e.preventDefault(), { passive: false })",
            "it did not move: the page takes the wheel for something else",
        ),
    ] {
        let page = format!(
            "<!doctype html><title>Scroll</title><div style='height:5000px'>Tall</div><script>{script}</script>"
        );
        client.ok("browser_navigate", json!({ "url": site.page(&page) })).await;
        let line = act(&client, json!({ "type": "scroll", "dy": 300 })).await;
        assert!(line.contains(words), "{script}: {line}");
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_control_that_nobody_can_see_is_marked() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = "<!doctype html><title>Faded</title><style>.o { opacity: 0 } label, p { display: block } \
        .box { position: relative; width: 120px; height: 40px } .fill { position: absolute; inset: 0; \
        width: 120px; height: 40px; margin: 0 }</style>\
        <p><button class=o>Ghost</button></p>\
        <p>Row <span class=o><button>Reveal</button></span></p>\
        <div class=box style='background:#ddd'><input class='o fill' type=file aria-label=Upload></div>\
        <div class=box><input class='o fill' type=checkbox aria-label=Switch><i style='position:absolute;\
        inset:0;border:1px solid'></i></div>\
        <button>Plain</button>";
    client.ok("browser_navigate", json!({ "url": site.page(page) })).await;
    let text = client.ok("inspect_tab", json!({})).await.text;
    let line = |words: &str| text.lines().find(|line| line.contains(words)).unwrap_or_default();
    for (words, invisible) in
        [("Ghost", true), ("Reveal", true), ("Upload", false), ("Switch", false), ("Plain", false)]
    {
        assert_eq!(line(words).contains("invisible"), invisible, "{words}:\n{text}");
    }
    // A drawing that appears later counts.
    let draw = "document.querySelector('p').style.cssText = 'background:#ccc;width:60px'";
    client.ok("browser_evaluate", json!({ "expression": draw })).await;
    let text = client.ok("inspect_tab", json!({})).await.text;
    assert!(
        !text.lines().any(|line| line.contains("Ghost") && line.contains("invisible")),
        "{text}"
    );
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_function_gets_its_element() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = "<!doctype html><title>Evaluate</title><button>One</button>\
        <iframe srcdoc='<button>Inner</button>'></iframe><script>var list = Array(9999).fill('x')</script>";
    client.ok("browser_navigate", json!({ "url": site.page(page) })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let own = "(el) => { el.mine = (el.mine ?? 0) + 1; return [el.textContent, el.mine] }";
    for (name, value) in [("One", json!(["One", 1])), ("Inner", json!(["Inner", 1]))] {
        let element = look.number(&format!("button: {name}"));
        let arguments = json!({ "expression": own, "element": element });
        assert_eq!(client.ok("browser_evaluate", arguments).await.json(), value);
    }
    let arguments = json!({ "expression": "list", "max_tokens": 200 });
    let cut = client.ok("browser_evaluate", arguments).await;
    assert!(cut.json()["truncated"] == true && cut.text.len() < 2_000, "{}", cut.text);
    let gone = json!({ "expression": own, "element": 99_999 });
    assert!(client.fails("browser_evaluate", gone).await.contains("the number 99999"));
    let wrong = json!({ "expression": "el => el.nothing.here", "element": look.number("One") });
    assert!(client.fails("browser_evaluate", wrong).await.contains("the script failed"));
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tampering_changes_nothing() {
    let (site, client) = (Site::start().await, Client::start(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("hostile.html") })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let expected = format!(
        "Hostile  {}\nheading 1: Hostile\n[1] button: Honest button\n[2] textbox: Field = \"\"\n",
        site.url("hostile.html")
    );
    assert_eq!(look.text, expected);
    let actions = json!([{ "type": "click", "element": "1" }, { "type": "fill", "element": "2", "text": "x" }]);
    let acted = client.ok("browser_interact", json!({ "actions": actions })).await.text;
    assert!(acted.starts_with("clicked [1] button: Honest button"), "{acted}");
    has(&acted, "filled [2] textbox: Field = \"x\"");
    let again = client.ok("inspect_tab", json!({})).await.text;
    // A title that begins like the line of an action is quoted.
    assert!(again.starts_with("\"pressed\"  "), "{again}");
    client.close().await;
}

/// A field that was a password field is masked as long as its document exists: also if the page
/// shows its value while it loads, has no origin of its own, or comes back from the back/forward
/// cache.
#[tokio::test(flavor = "multi_thread")]
async fn a_password_that_the_page_shows_is_masked() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<h1>Sign in</h1><input type=password aria-label=Word value=swordfish1><script>document.querySelector('input').type = 'text'</script>";
    let hidden = |text: String| {
        assert!(text.contains("Word") && !text.contains("swordfish"), "{text}");
    };
    for url in [site.sandboxed(html), site.page(html)] {
        hidden(client.ok("browser_navigate", json!({ "url": url })).await.text);
    }
    client.ok("browser_navigate", json!({ "url": site.url("done.html") })).await;
    hidden(client.ok("browser_navigate", json!({ "action": "back" })).await.text);
    hidden(client.ok("inspect_tab", json!({})).await.text);
    client.close().await;
}

/// React listens on the root of the app and keeps the handlers in a property of each element.
#[tokio::test(flavor = "multi_thread")]
async fn elements_that_react_to_presses_only_are_listed() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = "<!doctype html><title>App</title><div id=root></div><script>\
        for (const type of ['click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', \
        'touchstart', 'touchend']) root.addEventListener(type, () => {}); \
        const add = (name, props) => { const el = document.createElement('div'); el.textContent = name; \
        el['__reactProps$x1'] = props; root.append(el) }; \
        add('Mouse', { onMouseDown() {} }); add('Pointer', { onPointerDown() {} }); \
        add('Nothing', { className: 'x' }); add('Moves', { onMouseMove() {} })</script>";
    client.ok("browser_navigate", json!({ "url": site.page(page) })).await;
    let text = client.ok("inspect_tab", json!({})).await.text;
    for name in ["Mouse", "Pointer"] {
        assert!(text.contains(&format!("clickable: {name}")), "{name}:\n{text}");
    }
    for name in ["Nothing", "Moves"] {
        assert!(!text.contains(&format!("clickable: {name}")), "{name}:\n{text}");
    }
    let later = "add('Later', { onMouseDown() {} })";
    client.ok("browser_evaluate", json!({ "expression": later })).await;
    let text = client.ok("inspect_tab", json!({})).await.text;
    has(&text, "clickable: Later");
    client.close().await;
}
