//! Tests the trap page: every element that a person could use is listed once, with role and name,
//! and actions reach it (the page counts hits). All other elements are absent or marked.

use std::collections::BTreeMap;

use crate::support::{Client, Site, has, lacks, until};
use serde_json::{Value, json};

/// Role and name of every usable element, in no order. The page counts hits under the name.
const USABLE: &[(&str, &str)] = &[
    ("button", "Sticky"),
    // Native controls.
    ("button", "Plain"),
    ("button", "Send form"),
    ("button", "Picture button"),
    ("link", "Plain link"),
    ("link", "Logo"),
    ("link", "Card heading"),
    ("button", "In open details"),
    ("button", "Open details"),
    ("button", "Closed details"),
    ("textbox", "E-mail"),
    ("textbox", "Credit limit"),
    ("textbox", "Placeholder only"),
    ("textbox", "Title only"),
    ("combobox", "Colour"),
    ("textbox", "Notes"),
    ("slider", "Volume"),
    ("button", "Upload"),
    ("link", "Vector link"),
    ("link", "Room one"),
    ("clickable", "Film"),
    // Drawn by something else.
    ("checkbox", "Invisible box"),
    ("radio", "Clipped radio"),
    ("checkbox", "Undrawn box"),
    ("checkbox", "Wrapped box"),
    ("button", "Icon with title"),
    ("button", "Close panel"),
    ("button", "Drawn by style"),
    ("button", "With icon"),
    // Roles and listeners.
    ("button", "Role button"),
    ("button", "Role without focus"),
    ("clickable", "Handler attribute"),
    ("clickable", "Listener only"),
    ("clickable", "Pointer only"),
    ("clickable", "Focusable"),
    ("menuitem", "Menu item"),
    ("tab", "First tab"),
    ("switch", "Dark mode"),
    ("slider", "Rating"),
    ("treeitem", "Folder"),
    ("option", "Large"),
    ("link", "Card link"),
    ("listitem", "Delegated one"),
    ("listitem", "Delegated two"),
    ("button", "Only once"),
    ("gridcell", "Day 1"),
    ("combobox", "City"),
    ("spinbutton", "Amount"),
    ("button", "Own listener twice"),
    ("button", "Row button"),
    ("button", "Hidden from readers"),
    // Odd boxes.
    ("button", "Visible in hidden"),
    ("button", "In zero size"),
    ("button", "In contents"),
    ("button", "Rotated"),
    ("button", "Under glass"),
    ("button", "Half covered"),
    ("button", "Scrolled inside"),
    ("button", "Rendered late"),
    ("button", "In popover"),
    ("button", "In dialog"),
    // Shadow roots.
    ("button", "In open root"),
    ("button", "In closed root"),
    ("button", "Closed in open"),
    ("button", "Slotted first"),
    ("button", "Slotted second"),
    ("button", "In closed slot"),
    ("button", "In late root"),
    // Frames, each with a closed root in it.
    ("button", "Frame same"),
    ("button", "Root same"),
    ("button", "Frame other"),
    ("button", "Root other"),
    ("button", "In srcdoc"),
    ("button", "Frame nested"),
    ("button", "Root nested"),
    ("button", "In sandbox"),
    ("button", "In blank"),
    ("button", "Frame scaled"),
    ("button", "Root scaled"),
    ("button", "Frame late"),
    ("button", "Root late"),
    // Far away.
    ("button", "Below the fold"),
    ("button", "Fixed"),
];

/// Elements that nobody can use, and how they may be shown: not at all, or with this mark.
const USELESS: &[(&str, &str)] = &[
    ("In closed details", ""),
    ("Display none", ""),
    ("Visibility hidden", ""),
    ("Hidden attribute", ""),
    ("In closed dialog", ""),
    ("In closed popover", ""),
    ("Content hidden", ""),
    ("Clipped away", ""),
    ("In nothing", "unreachable"),
    ("Collapsed", "unreachable"),
    ("Off to the left", "unreachable"),
    ("Scaled away", ""),
    ("Next slide", "unreachable"),
    ("Hidden input", ""),
    ("In template", ""),
    ("Without script", ""),
    ("Inert", "inert"),
    ("Disabled", "disabled"),
    ("In frozen set", "disabled"),
    ("Said to be disabled", "disabled"),
    ("Lets clicks through", "disabled"),
    ("Not slotted", ""),
    ("In canvas", ""),
    ("In video", ""),
    ("Unused area", ""),
    ("Moved away", "unreachable"),
    ("Until found", ""),
    ("Collapsed row", ""),
    ("Clipped box", "unreachable"),
    ("Overflow clip", "unreachable"),
    ("Frame hidden", ""),
    ("Frame tiny", ""),
    ("Covered", "covered by"),
    ("Frame under", "covered by"),
    ("Root under", "covered by"),
];

/// Splits a numbered line into the number, the text before the states, and the states.
fn read_line(line: &str) -> Option<(&str, &str, &str)> {
    let (number, rest) = line.trim_start().strip_prefix('[')?.split_once("] ")?;
    let (head, states) = rest.split_once(" — ").unwrap_or((rest, ""));
    Some((number, head.split(" = ").next()?, states))
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_usable_is_seen_once_and_hit() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("traps.html") })).await;
    let outline = until("the last frame is loaded", async || {
        let all = json!({ "fold": false, "max_tokens": 20_000 });
        let outline = client.ok("inspect_tab", all).await.text;
        outline.contains("button: Root late").then_some(outline)
    });
    let outline = outline.await;
    let lines: Vec<(&str, &str, &str)> = outline.lines().filter_map(read_line).collect();
    let mut wrong = Vec::new();
    for (role, name) in USABLE {
        let found: Vec<_> = lines
            .iter()
            .filter(|(_, head, _)| head.split_once(": ").is_some_and(|(_, said)| said == *name))
            .collect();
        match found.as_slice() {
            [(_, head, states)] if head.split([':', ' ']).next() == Some(role) => {
                if states.contains("covered")
                    || states.contains("disabled")
                    || states.contains("unreachable")
                {
                    wrong.push(format!("{name} is marked: {states}"));
                }
            }
            other => wrong.push(format!("{role}: {name} is listed as {other:?}")),
        }
    }
    for (name, mark) in USELESS {
        for (_, head, states) in
            lines.iter().filter(|(_, head, _)| head.ends_with(&format!(": {name}")))
        {
            if mark.is_empty() || !states.contains(mark) {
                wrong.push(format!("{head} — {states} is not marked {mark:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n\n{outline}", wrong.join("\n"));
    lacks(&outline, "not entered");
    // A canvas and a scrollable region are one line each; the latter says how much is left below.
    has(&outline, "\n  canvas: Chart\n");
    has(&outline, "scrollable — 161 px more below\n");

    let numbers: BTreeMap<&str, &str> = lines
        .iter()
        .filter_map(|(number, head, _)| head.split_once(": ").map(|(_, name)| (name, *number)))
        .collect();
    // A player's own controls keep their events to themselves, so the page cannot count them.
    let countable: Vec<&str> =
        USABLE.iter().map(|(_, name)| *name).filter(|name| *name != "Film").collect();
    for names in countable.chunks(20) {
        let actions: Vec<Value> =
            names.iter().map(|name| json!({ "type": "click", "element": numbers[name] })).collect();
        let reply = client.call("browser_interact", json!({ "actions": actions })).await;
        let expression = "(() => { const seen = hits; hits = {}; return seen })()";
        let hits = client.ok("browser_evaluate", json!({ "expression": expression })).await.json();
        let expected: Value = names.iter().map(|name| ((*name).to_owned(), json!(1))).collect();
        assert_eq!(hits, expected, "each is hit once: {}", reply.text);
    }

    for (name, cover) in [("Covered", "dialog: Cookies"), ("Frame under", "dialog: Frame veil")] {
        let actions = json!([{ "type": "click", "element": numbers[name] }]);
        let answer = client.fails("browser_interact", json!({ "actions": actions })).await;
        let expected =
            format!("is covered by [{}] {cover}", numbers[cover.split_once(": ").unwrap().1]);
        has(&answer, &expected);
    }
    client.close().await;
}
