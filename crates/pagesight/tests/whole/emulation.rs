//! The conditions that tabs emulate, as pages observe them: in the page, its frames, its pop-ups
//! and its workers.

use serde_json::{Value, json};

use crate::support::{Client, Site, has, is_firefox, until};

/// Returns what the fixture observed in each of its parts.
async fn observed(client: &Client) -> Value {
    until("all parts report", async || {
        let all = client.ok("browser_evaluate", json!({ "expression": "all()" })).await;
        let all: Value = serde_json::from_str(&text(&all.text)).unwrap();
        ["frame", "cross", "worker"].iter().all(|part| all.get(part).is_some()).then_some(all)
    })
    .await
}

/// Opens the pop-up of the fixture, and returns what all parts observed.
async fn with_pop_up(client: &Client) -> Value {
    let open = json!({ "type": "click", "target": "Open a window" });
    client.ok("browser_interact", json!({ "actions": [open] })).await;
    until("the pop-up reports", async || {
        let all = observed(client).await;
        all.get("popup").is_some().then_some(all)
    })
    .await
}

/// Returns a string that an expression returned.
fn text(answer: &str) -> String {
    serde_json::from_str(answer.lines().last().unwrap()).unwrap_or_else(|_| answer.to_owned())
}

async fn evaluated(client: &Client, expression: &str) -> String {
    text(&client.ok("browser_evaluate", json!({ "expression": expression })).await.text)
}

async fn open(client: &Client, site: &Site) -> Value {
    client.ok("browser_navigate", json!({ "url": site.url("observe.html") })).await;
    observed(client).await
}

async fn emulate(client: &Client, conditions: Value) -> String {
    let mut arguments = conditions;
    arguments["action"] = json!("emulate");
    client.ok("browser_tabs", arguments).await.text
}

#[tokio::test(flavor = "multi_thread")]
async fn media_and_places_are_the_same_in_every_part() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let said = emulate(
        &client,
        json!({
            "color_scheme": "dark", "reduced_motion": true, "contrast": "more", "forced_colors": true,
            "locale": "de-DE", "timezone": "Asia/Tokyo", "geolocation": "35.68,139.77,20",
        }),
    )
    .await;
    has(
        &said,
        "emulates: dark, reduced motion, contrast more, forced colors, de-DE, Asia/Tokyo, at \
         35.68,139.77,20",
    );
    open(&client, &site).await;
    let all = with_pop_up(&client).await;
    for part in ["page", "frame", "cross", "popup", "worker"] {
        let facts = &all[part];
        assert_eq!(facts["locale"], "de-DE", "{part}: {facts}");
        assert_eq!(facts["number"], "1.234,5", "{part}: {facts}");
        assert_eq!(facts["languages"], "de-DE,de", "{part}: {facts}");
        assert_eq!(
            (&facts["zone"], &facts["offset"]),
            (&json!("Asia/Tokyo"), &json!(-540)),
            "{part}"
        );
        assert!(facts["brands"].as_u64() != Some(0), "client hints stay: {part}: {facts}");
        if part != "worker" {
            let media = facts["media"].as_str().unwrap();
            for query in ["color-scheme: dark", "motion: reduce", "contrast: more", "forced-colors"]
            {
                assert!(media.contains(query), "{part}: {query} is not in {media}");
            }
        }
    }
    assert_eq!(evaluated(&client, "place()").await, "35.68,139.77,20");
    let header = evaluated(&client, "fetch('/headers').then((answer) => answer.text())").await;
    has(&header, "accept-language: de-DE,de;q=0.9");
    let info = client.ok("get_page_info", json!({})).await.text;
    let info: Value = serde_json::from_str(info.lines().last().unwrap()).unwrap();
    assert_eq!(info["emulated"]["timezone"], "Asia/Tokyo", "{info}");
    // A reload keeps it, and one value can change.
    emulate(&client, json!({ "color_scheme": "light", "reduced_motion": false })).await;
    client.ok("browser_navigate", json!({ "action": "reload" })).await;
    let page = observed(&client).await;
    let media = page["page"]["media"].as_str().unwrap();
    assert!(
        !media.contains("dark") && !media.contains("motion") && media.contains("contrast: more")
    );
    assert_eq!(page["cross"]["zone"], "Asia/Tokyo");
    // Nothing is left after a reset.
    has(&emulate(&client, json!({})).await, "emulates nothing");
    let plain = open(&client, &site).await;
    for part in ["page", "frame", "cross", "worker"] {
        assert_ne!(plain[part]["locale"], "de-DE", "{part}");
        assert_ne!(plain[part]["zone"], "Asia/Tokyo", "{part}");
    }
    let media = plain["cross"]["media"].as_str().unwrap();
    for query in ["color-scheme", "motion", "contrast", "forced-colors"] {
        assert!(!media.contains(query), "{media}");
    }
    has(&evaluated(&client, "place()").await, "error ");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_can_be_offline_slow_and_printed() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    open(&client, &site).await;
    has(
        &emulate(&client, json!({ "offline": true, "media": "print", "cpu": 2 })).await,
        "print, offline, cpu 2",
    );
    let now: Value = serde_json::from_str(&evaluated(&client, "again()").await).unwrap();
    assert_eq!(
        (&now["online"], now["media"].as_str().unwrap().contains("print")),
        (&json!(false), true)
    );
    let fetched = "fetch('/headers').then(() => 'got', () => 'failed')";
    assert_eq!(evaluated(&client, fetched).await, "failed");
    let in_worker = "new Promise((done) => { const worker = new Worker(URL.createObjectURL(new Blob([\
        `fetch('${location.origin}/headers').then(() => postMessage('got'), () => postMessage('failed'))`\
        ]))); worker.onmessage = ({ data }) => done(data); })";
    assert_eq!(evaluated(&client, in_worker).await, "failed");
    let failed = client.fails("browser_navigate", json!({ "url": site.url("done.html") })).await;
    has(&failed, "could not be loaded");
    // The rate is kept: 64 KiB at 400 kbit/s take more than a second.
    emulate(&client, json!({ "offline": false, "network": "400,10" })).await;
    open(&client, &site).await;
    let timed = "(async () => { const begun = performance.now(); \
        await (await fetch('/large.txt')).text(); return performance.now() - begun > 900 })()";
    assert_eq!(evaluated(&client, timed).await, "true");
    emulate(&client, json!({})).await;
    assert_eq!(evaluated(&client, timed).await, "false");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_emulated_is_refused_and_changes_nothing() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    open(&client, &site).await;
    for (arguments, says) in [
        (
            json!({ "action": "emulate", "timezone": "Mars/Phobos" }),
            "the time zone Mars/Phobos cannot be emulated: the browser does not know it",
        ),
        (
            json!({ "action": "emulate", "color_scheme": "blue" }),
            "\"blue\" cannot be used; give dark or light",
        ),
        (json!({ "action": "emulate", "dark": true }), "unknown field `dark`"),
        (json!({ "action": "list", "offline": true }), "only with action emulate"),
        (json!({ "action": "emulate", "device": "ipad" }), "device only with action resize"),
        (
            json!({ "action": "resize", "device": "ipad", "width": 300, "height": 300 }),
            "or device; give one of them",
        ),
        (
            json!({ "action": "resize", "device": "nokia" }),
            "\"nokia\" cannot be used; give one of iphone-se",
        ),
    ] {
        has(&client.fails("browser_tabs", arguments).await, says);
    }
    let both = json!({ "action": "emulate", "color_scheme": "dark", "timezone": "Mars/Phobos" });
    client.fails("browser_tabs", both).await;
    let now: Value = serde_json::from_str(&evaluated(&client, "again()").await).unwrap();
    assert!(!now["media"].as_str().unwrap().contains("dark"), "{now}");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_has_its_size_its_touch_screen_and_its_user_agent() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let said = client.ok("browser_tabs", json!({ "action": "resize", "device": "pixel-9" })).await;
    has(&said.text, "is now pixel-9, 412x843");
    open(&client, &site).await;
    let all = with_pop_up(&client).await;
    for part in ["page", "frame", "cross", "popup", "worker"] {
        let facts = &all[part];
        assert!(facts["agent"].as_str().unwrap().contains("Android 10; K"), "{part}: {facts}");
        assert_eq!(facts["mobile"], true, "{part}: {facts}");
        if part != "worker" {
            assert_eq!(facts["platform"], "Linux armv81", "{part}: {facts}");
            assert_eq!(
                (&facts["touch"], &facts["touches"]),
                (&json!(5), &json!(true)),
                "{part}: {facts}"
            );
            // Chromium gives a frame in a process of its own no screen.
            if part != "cross" {
                let screen = (&facts["ratio"], &facts["screen"]);
                assert_eq!(screen, (&json!(2.625), &json!("412x923")), "{part}");
            }
            let media = facts["media"].as_str().unwrap();
            assert!(
                media.contains("pointer: coarse") && !media.contains("hover"),
                "{part}: {media}"
            );
        }
    }
    assert_eq!(
        (&all["page"]["size"], &all["popup"]["size"]),
        (&json!("412x843"), &json!("412x843"))
    );
    // A size alone ends it.
    client.ok("browser_tabs", json!({ "action": "resize", "width": 900, "height": 600 })).await;
    let plain = &open(&client, &site).await["page"];
    assert_eq!(
        (&plain["touch"], &plain["ratio"], &plain["size"]),
        (&json!(0), &json!(1), &json!("900x600"))
    );
    assert!(!plain["agent"].as_str().unwrap().contains("Android"), "{plain}");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_phone_clicks_are_taps() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let html = "<meta name=viewport content='width=device-width'><title>Taps</title>\
        <button style='width:200px;height:80px'>Tap</button><p id=log></p>\
        <div id=list style='width:300px;height:200px;overflow:auto'><p style='height:2000px'>Long</p></div>\
        <script>const log = document.getElementById('log');\
        for (const kind of ['touchstart','touchend','pointerdown','mousedown','click','dblclick','contextmenu'])\
        document.querySelector('button').addEventListener(kind, (event) => {\
        log.append(kind + (event.pointerType ? ':' + event.pointerType : '') + ' ') });</script>";
    client.ok("browser_tabs", json!({ "action": "resize", "device": "iphone-16" })).await;
    client.ok("browser_navigate", json!({ "url": site.page(html) })).await;
    let log = async || evaluated(&client, "log.textContent").await;
    let act = async |actions: Value| {
        client.ok("browser_interact", json!({ "actions": actions })).await.text
    };
    has(&act(json!([{ "type": "click", "target": "Tap" }])).await, "clicked [");
    assert_eq!(log().await, "pointerdown:touch touchstart touchend mousedown click:touch ");
    evaluated(&client, "log.textContent = ''").await;
    act(json!([{ "type": "double_click", "target": "Tap" }])).await;
    let twice = log().await;
    assert_eq!(twice.matches("click:touch").count(), 2, "{twice}");
    has(&twice, "dblclick");
    let hover = json!({ "actions": [{ "type": "hover", "target": "Tap" }] });
    has(&client.fails("browser_interact", hover).await, "nothing can hover on iphone-16");
    let list = json!([{ "type": "swipe", "target": "css=#list", "dy": -100 }]);
    has(&act(list).await, "swiped [");
    assert_ne!(evaluated(&client, "list.scrollTop").await, "0");
    // Without a touch screen there is no swipe.
    client.ok("browser_tabs", json!({ "action": "resize", "width": 900, "height": 600 })).await;
    let swipe = json!({ "actions": [{ "type": "swipe", "dy": -100 }] });
    has(&client.fails("browser_interact", swipe).await, "swipe needs a touch screen");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn flags_hold_for_every_tab() {
    let site = Site::start().await;
    let client = Client::start(&[
        "--allow-evaluate",
        "--device",
        "galaxy-s25",
        "--color-scheme",
        "dark",
        "--locale",
        "fr-FR",
        "--user-agent",
        "Bot/1.0",
    ])
    .await;
    let first = open(&client, &site).await;
    client.ok("browser_tabs", json!({ "action": "new" })).await;
    let second = open(&client, &site).await;
    for all in [&first, &second] {
        for part in ["page", "cross", "worker"] {
            assert_eq!(
                (&all[part]["agent"], &all[part]["locale"]),
                (&json!("Bot/1.0"), &json!("fr-FR")),
                "{part}"
            );
        }
        assert_eq!(all["page"]["screen"], "360x780");
        assert!(all["cross"]["media"].as_str().unwrap().contains("dark"));
    }
    // A reset gives a tab what the flags say.
    emulate(&client, json!({ "locale": "de-DE", "offline": true })).await;
    has(
        &emulate(&client, json!({})).await,
        "emulates: galaxy-s25, dark, fr-FR, user agent Bot/1.0",
    );
    client.close().await;
}

both_engines!(both_engines_emulate_places_and_sizes);

async fn both_engines_emulate_places_and_sizes() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let places = json!({
        "locale": "de-DE", "timezone": "Asia/Tokyo", "geolocation": "35.68,139.77,20",
        "user_agent": "Bot/1.0",
    });
    emulate(&client, places).await;
    client.ok("browser_tabs", json!({ "action": "resize", "device": "800x600@2" })).await;
    let all = open(&client, &site).await;
    for part in ["page", "frame", "cross", "worker"] {
        let facts = &all[part];
        assert_eq!(
            (&facts["locale"], &facts["zone"]),
            (&json!("de-DE"), &json!("Asia/Tokyo")),
            "{part}: {facts}"
        );
        assert_eq!(
            (&facts["number"], &facts["agent"]),
            (&json!("1.234,5"), &json!("Bot/1.0")),
            "{part}: {facts}"
        );
    }
    assert_eq!((&all["page"]["ratio"], &all["page"]["size"]), (&json!(2), &json!("800x600")));
    assert_eq!(evaluated(&client, "place()").await, "35.68,139.77,20");
    emulate(&client, json!({ "offline": true })).await;
    let fetched = "fetch('/headers').then(() => 'got', () => 'failed')";
    assert_eq!(evaluated(&client, fetched).await, "failed");
    if is_firefox() {
        for (arguments, says) in [
            (
                json!({ "action": "emulate", "color_scheme": "dark" }),
                "a colour scheme is not possible in Firefox 1",
            ),
            (json!({ "action": "emulate", "cpu": 2 }), "; Chromium can do it"),
            (
                json!({ "action": "resize", "device": "pixel-9" }),
                "a touch screen is not possible in Firefox 1",
            ),
        ] {
            has(&client.fails("browser_tabs", arguments).await, says);
        }
    }
    emulate(&client, json!({})).await;
    client.ok("browser_tabs", json!({ "action": "resize", "width": 1280, "height": 720 })).await;
    let plain = &open(&client, &site).await["page"];
    assert_ne!(plain["agent"], "Bot/1.0");
    assert_eq!((&plain["ratio"], &plain["online"]), (&json!(1), &json!(true)), "{plain}");
    client.close().await;
}
