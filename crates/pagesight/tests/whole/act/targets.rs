//! Tests actions on elements that are named: looked up when the action's turn comes, waited for,
//! and refused unless exactly one matches.

use serde_json::{Value, json};

use crate::support::{Client, Reply, Site, has, lacks};

/// A calendar: a dialog opens late, its button is enabled late, and its picker re-renders.
const CALENDAR: &str = "<title>Calendar</title><main><h1>May</h1>
    <button onclick='setTimeout(() => { box.innerHTML = dialog }, 300)'>New event</button>
    <button>New event type…</button><a href='#x'>button: Delete</a>
    <section><h2>HeatPump</h2><button onclick='out.textContent = `heat`'>More</button></section>
    <section><h2>Ecobee</h2><button onclick='out.textContent = `eco`'>More</button></section>
    <button>12</button><button style='display:none'>Secret</button>
    <div id=host></div><iframe srcdoc='<button onclick=\"this.textContent = `Done inside`\">Inside</button>'></iframe>
    <p id=out>Nothing</p><div id=box></div></main><script>
    const dialog = `<div role=dialog aria-label='Add event'><label>Title <input oninput='setTimeout(() => { save.disabled = false }, 300)'></label>
      <span class=prev onclick='out.textContent = \"back\"'>&lt;</span>
      <button id=save disabled onclick='out.textContent = \"saved \" + document.querySelector(\"input\").value; box.innerHTML = \"\"'>Save</button></div>`;
    const root = host.attachShadow({ mode: 'closed' });
    root.innerHTML = '<button>Closed one</button>';
    root.querySelector('button').onclick = () => { out.textContent = 'closed' }
    </script>";

async fn act(client: &Client, actions: Value) -> Reply {
    client.call("browser_interact", json!({ "actions": actions })).await
}

async fn calendar(client: &Client, site: &Site) {
    client.ok("browser_navigate", json!({ "url": site.page(CALENDAR) })).await;
}

both_engines!(a_batch_acts_on_what_appears_while_it_runs);
async fn a_batch_acts_on_what_appears_while_it_runs() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    calendar(&client, &site).await;
    let all = json!([
        { "type": "click", "target": "button: New event" },
        { "type": "click", "target": "css=.prev", "in": "dialog: Add event" },
        { "type": "fill", "fields": [{ "target": "Title", "in": "Add event", "text": "Tea" }] },
        // It is enabled a moment after the text was entered.
        { "type": "click", "target": "save" },
    ]);
    let reply = act(&client, all).await;
    assert!(!reply.is_error, "{reply:?}");
    let lines: Vec<&str> = reply.text.lines().collect();
    for (line, (start, end)) in lines.iter().zip([
        ("clicked [", "] button: New event"),
        ("clicked [", "] clickable (prev): <"),
        ("filled [", "] textbox: Title = \"Tea\""),
        ("clicked [", "] button: Save"),
    ]) {
        assert!(line.starts_with(start) && line.contains(end), "{start}…{end}: {reply:?}");
    }
    has(&reply.changes, "saved Tea");
    client.close().await;
}

both_engines!(frames_and_closed_roots_have_targets);
async fn frames_and_closed_roots_have_targets() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    calendar(&client, &site).await;
    let reply = act(
        &client,
        json!([{ "type": "click", "target": "Inside" }, { "type": "click", "target": "Closed one" }]),
    )
    .await;
    assert!(!reply.is_error, "{reply:?}");
    has(&reply.changes, "Done inside");
    has(&reply.changes, "\"closed\"");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_is_not_clear_does_nothing() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    calendar(&client, &site).await;
    let refused = async |action: Value| {
        let reply = act(&client, json!([action])).await;
        assert!(reply.is_error, "{action}: {reply:?}");
        assert!(reply.text.starts_with("failed: "), "{action}: {reply:?}");
        reply.text
    };
    let click = |target: &str| json!({ "type": "click", "target": target, "timeout_ms": 100 });
    let several = refused(click("more")).await;
    has(&several, "2 elements match \"more\", so nothing was done: [");
    has(&several, "] button: More (HeatPump), [");
    has(&several, "] button: More (Ecobee); give one of the numbers as element");
    // A text of the page is not a role, and what cannot be seen is not there.
    let forged = refused(click("button: Delete")).await;
    has(&forged, "nothing matches \"button: Delete\" after ");
    refused(click("Secret")).await;
    let near = refused(click("event")).await;
    has(&near, "near it are [");
    has(&near, "] button: New event (");
    has(&refused(click("css=button:nth(")).await, "not a CSS selector");
    has(&refused(click("css=main button")).await, "elements match \"css=main button\"");
    let nowhere = json!({ "type": "click", "target": "More", "in": "Fan", "timeout_ms": 0 });
    has(&refused(nowhere).await, "nothing matches in: \"Fan\" after ");
    let disabled = json!([
        { "type": "click", "target": "New event" },
        { "type": "click", "target": "Save", "timeout_ms": 1500 },
    ]);
    let reply = act(&client, disabled).await;
    assert!(reply.is_error, "{reply:?}");
    has(&reply.text, "\"Save\" cannot be used after ");
    has(&reply.text, "] button: Save (");
    let look = client.ok("inspect_tab", json!({})).await.text;
    has(&look, "Nothing");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_containers_and_names_are_distinguished() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    calendar(&client, &site).await;
    let look = client.ok("inspect_tab", json!({})).await;
    let twelve = look.number("button: 12");
    let more = look.number("button: More");
    // A number is a name, unless it stands before its line.
    let reply = act(&client, json!([{ "type": "click", "target": "12" }])).await;
    assert!(reply.text.starts_with(&format!("clicked [{twelve}] button: 12")), "{reply:?}");
    let line = format!("[{more}] button: More — focused");
    let reply = act(&client, json!([{ "type": "click", "target": line }])).await;
    has(&reply.changes, "\"heat\"");
    let within = json!([{ "type": "click", "target": "More", "in": "heading 2: Ecobee" }]);
    has(&act(&client, within).await.changes, "\"eco\"");
    // A container may be a number; what is in it must still match.
    let inside = json!([{ "type": "click", "target": "More", "in": more, "timeout_ms": 0 }]);
    has(&act(&client, inside).await.text, "nothing matches \"More\"");
    let stale = json!([{ "type": "click", "target": "More", "in": 98_765 }]);
    has(&act(&client, stale).await.text, "no element has the number 98765; if in means a text");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drag_takes_targets() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = "<title>Drag</title><button id=a draggable=true style='width:80px;height:40px'>Card</button>
        <div id=b tabindex=0 role=region aria-label=Bin style='width:200px;height:200px;margin-top:40px'
          ondragover='event.preventDefault()' ondrop='out.textContent = `dropped`'>Bin</div><p id=out>-</p>";
    client.ok("browser_navigate", json!({ "url": site.page(page) })).await;
    let drag = json!([{ "type": "drag", "from": { "target": "Card" }, "to": { "target": "region: Bin" } }]);
    let reply = act(&client, drag).await;
    assert!(!reply.is_error, "{reply:?}");
    has(&reply.text, "] button: Card to [");
    has(&reply.changes, "dropped");
    lacks(&reply.text, "failed");
    client.close().await;
}

/// Rooms whose controls are made again after each click; the last click of Bath is refused.
const ROOMS: &str = "<title>Rooms</title><main id=all></main><script>
    const rooms = { Kitchen: 20, Bath: 22 };
    const draw = () => { all.innerHTML = Object.entries(rooms).map(([name, at]) => `<section><h2>${name}</h2>
      <p>${at} degrees</p><button ${at >= 25 ? 'disabled' : ''} onclick=\"rooms.${name}++; draw()\">Plus</button></section>`).join('')
      + `<ul>${['a', 'b', 'c'].filter((one) => !gone.has(one)).map((one) => `<li>Task ${one} <button onclick=\"gone.add('${one}'); draw()\">Delete</button></li>`).join('')}</ul>` };
    const gone = new Set(); draw()</script><input aria-label=Count type=number value=1>";

both_engines!(a_control_that_is_made_again_is_clicked_several_times);
async fn a_control_that_is_made_again_is_clicked_several_times() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.page(ROOMS) })).await;
    let plus = |room: &str, times: u32| json!([{ "type": "click", "target": "Plus", "in": room, "times": times }]);
    let reply = act(&client, plus("Kitchen", 4)).await;
    assert!(!reply.is_error, "{reply:?}");
    has(&reply.text, "] button: Plus — 4 times\n");
    has(&reply.changes, "24 degrees");
    // The third click disables it.
    let reply = act(&client, plus("Bath", 5)).await;
    assert!(reply.is_error, "{reply:?}");
    has(&reply.text, "failed: done 3 of 5 times, then it stopped: [");
    has(&reply.text, "] button: Plus is disabled");
    // The button of the next task is not the same button.
    let tasks =
        json!([{ "type": "click", "target": "Delete", "in": "listitem: Task b", "times": 3 }]);
    let reply = act(&client, tasks).await;
    has(&reply.text, "failed: done 1 of 3 times, then it stopped: stale reference [");
    let look = client.ok("inspect_tab", json!({})).await.text;
    has(&look, "Task a");
    has(&look, "Task c");
    lacks(&look, "Task b");
    let keys = json!([{ "type": "press", "key": "ArrowUp", "target": "Count", "times": 3 }]);
    has(&act(&client, keys).await.text, "pressed ArrowUp in [");
    has(&client.ok("inspect_tab", json!({})).await.text, "Count = \"4\"");
    client.close().await;
}

/// A calendar of months, with a notice that is there only at first.
const MONTHS: &str = "<title>Months</title><main><div id=note><p>We use cookies</p>
    <button onclick='note.remove()'>Accept cookies</button></div>
    <h1 id=month>Month 1</h1><button onclick='month.textContent = `Month ${++at}`; range.value = at * 10'>Next month</button>
    <input id=range type=range aria-label=Level min=0 max=100 value=10>
    <label><input type=checkbox> Agree</label>
    <button onclick='throw 1'>Broken</button><button disabled>Off</button></main><script>let at = 1</script>";

both_engines!(actions_are_repeated_until_a_condition_is_met);
async fn actions_are_repeated_until_a_condition_is_met() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.page(MONTHS) })).await;
    let next = json!([{ "type": "click", "target": "Next month" }]);
    let repeat = |until: Value, max: u32| json!([{ "type": "repeat", "actions": next, "until": until, "max": max }]);
    let reply = act(&client, repeat(json!({ "text": "Month 4" }), 9)).await;
    assert!(!reply.is_error, "{reply:?}");
    let lines: Vec<&str> = reply.text.lines().collect();
    assert_eq!(lines.len(), 2, "only the lines of the last time: {reply:?}");
    assert_eq!(lines[1], "repeated 3 times: the text \"Month 4\"");
    // It is tested before the first time.
    let reply = act(&client, repeat(json!({ "gone": "Month 3" }), 9)).await;
    assert_eq!(reply.text, "repeated 0 times: no text \"Month 3\"\n", "{reply:?}");
    let level = json!({ "target": "slider: Level", "value": 60 });
    let reply = act(&client, repeat(level, 9)).await;
    has(&reply.text, "repeated 2 times: \"slider: Level\" has the value \"60\"");
    let reply = act(&client, repeat(json!({ "target": "Agree", "state": "checked" }), 2)).await;
    assert!(reply.is_error, "{reply:?}");
    has(
        &reply.text,
        "failed: repeated 2 times, but the condition is not met: \"Agree\" is checked; give a larger max",
    );
    // An action that fails ends it, and the actions after it are counted.
    let off = json!([
        { "type": "repeat", "until": { "text": "Never" }, "actions": [
            { "type": "click", "target": "Next month" },
            { "type": "click", "target": "Off", "timeout_ms": 50 },
        ] },
        { "type": "click", "target": "Next month" },
    ]);
    let reply = act(&client, off).await;
    has(&reply.text, "repeated 0 times, then an action failed\nclicked [");
    has(&reply.text, "failed: \"Off\" cannot be used after ");
    has(&reply.text, "1 action was not run");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn actions_are_chosen_by_a_condition() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.page(MONTHS) })).await;
    let accept = json!([{
        "type": "if", "exists": "button: Accept cookies",
        "then": [{ "type": "click", "target": "Accept cookies" }],
        "else": [{ "type": "click", "target": "Next month" }],
    }]);
    let reply = act(&client, accept.clone()).await;
    has(&reply.text, "condition met: \"button: Accept cookies\"\nclicked [");
    has(&reply.text, "] button: Accept cookies");
    let reply = act(&client, accept).await;
    has(&reply.text, "condition not met: \"button: Accept cookies\"\nclicked [");
    has(&reply.changes, "Month 2");
    let nested = json!([{
        "type": "repeat", "until": { "text": "Month 5" },
        "actions": [{ "type": "if", "text": "Month", "then": [{ "type": "click", "target": "Next month" }] }],
    }]);
    has(&act(&client, nested).await.text, "repeated 3 times: the text \"Month 5\"");
    let late = json!([
        { "type": "if", "gone": "Month 5", "then": [{ "type": "press", "key": "Tab" }], "timeout_ms": 100 },
    ]);
    has(&act(&client, late).await.text, "condition not met: no text \"Month 5\"\n");
    client.close().await;
}

both_engines!(items_of_a_list_that_listens_are_used);
async fn items_of_a_list_that_listens_are_used() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let page = "<title>Mail</title>
        <ul id=mails><li>Ann: lunch</li><li>Bob: notes</li></ul>
        <table id=rows><thead><tr><th>State</th></tr></thead><tbody><tr><td>failed</td></tr></tbody></table>
        <ul id=late><li>One</li><li>Two</li></ul>
        <ul id=links><li>Go <a href=#x>there</a></li></ul>
        <ul><li>Plain</li></ul><p id=said>nothing</p>
        <div id=trees><div class=tree>Oak</div><div class=tree>Elm</div></div>
        <div id=card><h2 class=top>Card</h2><p class=text>about it</p></div>
        <div id=inbox><div style='cursor:pointer'><i class='bi bi-star' style='display:inline-block;width:16px;height:16px'></i>Cem: plans</div></div>
        <script>
        const listen = (list) => list.addEventListener('click', (event) => { said.textContent = 'chosen: ' + event.target.textContent });
        [mails, rows, links, trees, card, inbox].forEach(listen);
        rows.addEventListener('click', () => listen(late));
        </script>";
    client.ok("browser_navigate", json!({ "url": site.page(page) })).await;
    let look = client.ok("inspect_tab", json!({})).await;
    for line in [
        "] listitem: Ann: lunch",
        "] listitem: Bob: notes",
        "] row: failed",
        "] link: there",
        "] clickable: Oak",
        "] clickable: Elm",
        "] clickable: Cem: plans",
        "] clickable: Card about it",
        "] clickable (star icon)",
    ] {
        has(&look.text, line);
    }
    for line in [
        "] list (2)",
        "] rowgroup",
        "] row: State",
        "] listitem: One",
        "] listitem: Go",
        "] listitem: Plain",
    ] {
        assert!(!look.text.contains(line), "{line}:\n{}", look.text);
    }
    let click = |target: &str| json!({ "actions": [{ "type": "click", "target": target }] });
    let reply = client.ok("browser_interact", click("listitem: Bob: notes")).await;
    has(&reply.changes, "chosen: Bob: notes");
    // A list that listens later has the same effect on items that were read before.
    client.ok("browser_interact", click("row: failed")).await;
    has(&client.ok("browser_interact", click("listitem: Two")).await.changes, "chosen: Two");
    client.close().await;
}

both_engines!(the_first_cell_of_a_row_limits_a_target);
async fn the_first_cell_of_a_row_limits_a_target() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let row = |name: &str| {
        format!(
            "<tr><td>{name}<td>open<td><button onclick='out.textContent = `retried {name}`'>Retry</button>"
        )
    };
    let page = format!(
        "<title>Jobs</title><main><table><tr><th>Id<th>State<th></th></tr>{}{}</table><p id=out>Nothing</p></main>",
        row("Mail"),
        row("Backup") + &row("4711")
    );
    client.ok("browser_navigate", json!({ "url": site.page(&page) })).await;
    let retry = |within: &str| json!([{ "type": "click", "target": "Retry", "in": within, "timeout_ms": 100 }]);
    let reply = act(&client, retry("Backup")).await;
    assert!(!reply.is_error, "{reply:?}");
    has(&reply.changes, "retried Backup");
    // In quotes, a number is a text.
    let reply = act(&client, retry("\"4711\"")).await;
    has(&reply.changes, "retried 4711");
    let both = act(&client, retry("open")).await;
    assert!(both.is_error, "{both:?}");
    has(&both.text, "3 elements match in: \"open\"");
    client.close().await;
}
