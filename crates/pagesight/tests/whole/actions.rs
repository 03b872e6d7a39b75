//! Tests input in every place: in the page, in same-site and cross-site frames, and in open and
//! closed shadow roots. The page records every event: the events that a person
//! would have caused occur exactly once, on the right element, trusted.

use crate::support::{self, Client, Reply, Site};
use serde_json::{Value, json};

const PLACES: [&str; 5] = ["plain", "open", "closed", "same", "other"];

struct Stage {
    client: Client,
    look: Reply,
}

/// How late events from frames may arrive, in milliseconds.
const LATE: u32 = 100;

impl Stage {
    async fn set(site: &Site, arguments: &[&str]) -> Stage {
        let client = Client::shared(arguments).await;
        client.ok("browser_navigate", json!({ "url": site.url("actions.html") })).await;
        let look = client.ok("inspect_tab", json!({ "fold": false, "max_tokens": 20000 })).await;
        Stage { client, look }
    }

    fn number(&self, words: &str) -> String {
        self.look.number(words)
    }

    async fn act(&self, action: Value) -> Reply {
        self.client.call("browser_interact", json!({ "actions": [action] })).await
    }

    /// Returns the events of these kinds that the page recorded since the last call.
    async fn records(&self, kinds: &[&str]) -> Vec<String> {
        let all = json!({ "expression": format!("new Promise(done => setTimeout(() => done(records.splice(0)), {LATE}))") });
        let all: Vec<String> =
            serde_json::from_value(self.client.ok("browser_evaluate", all).await.json()).unwrap();
        let kind =
            |record: &String| record.split(' ').nth(1).unwrap().trim_end_matches('!').to_owned();
        // A text field fires `change` when it loses the focus, which is at the next action.
        let left =
            |record: &String| record.ends_with("change notes") || record.ends_with("change name");
        all.into_iter()
            .filter(|record| kinds.contains(&kind(record).as_str()) && !left(record))
            .collect()
    }

    /// Clears the recorded events.
    async fn forget(&self) {
        self.client.ok("browser_evaluate", json!({ "expression": "records.length = 0" })).await;
    }

    /// Runs the action in every place. Checks the start of the line and the recorded events.
    async fn everywhere(
        &self,
        action: impl Fn(&str) -> Value,
        line: impl Fn(&str) -> String,
        recorded: &[&str],
    ) {
        let kinds: Vec<&str> =
            recorded.iter().map(|record| record.split(' ').next().unwrap()).collect();
        for place in PLACES {
            self.forget().await;
            let reply = self.act(action(place)).await;
            assert!(!reply.is_error, "{place}: {}", reply.text);
            let line = line(place);
            // On a loaded machine, the line may also say that the page was busy.
            assert!(
                reply.text.starts_with(&line),
                "{place}: {line:?} does not begin {:?}",
                reply.text
            );
            let expected: Vec<String> =
                recorded.iter().map(|record| format!("{place} {record}")).collect();
            assert_eq!(self.records(&kinds).await, expected, "{place}: {}", reply.text);
        }
    }
}

both_engines!(the_mouse_works_in_every_place);
async fn the_mouse_works_in_every_place() {
    let site = Site::start().await;
    let stage = Stage::set(&site, &[]).await;
    let press = |place: &str| stage.number(&format!("button: Press {place}"));
    for (kind, verb, recorded) in [
        ("hover", "hovered", vec!["mouseenter press"]),
        ("click", "clicked", vec!["click press"]),
        ("double_click", "double-clicked", vec!["click press", "click press", "dblclick press"]),
        ("right_click", "right-clicked", vec!["contextmenu press"]),
    ] {
        let line = |place: &str| format!("{verb} [{}] button: Press {place}", press(place));
        stage
            .everywhere(|place| json!({ "type": kind, "element": press(place) }), line, &recorded)
            .await;
    }
    stage.client.close().await;
}

both_engines!(fields_are_filled_in_every_place);
async fn fields_are_filled_in_every_place() {
    let site = Site::start().await;
    let stage = Stage::set(&site, &[]).await;
    let number = |words: &str, place: &str| stage.number(&format!("{words} {place}"));
    let name = |place: &str| number("textbox: Name", place);
    stage
        .everywhere(
            |place| json!({ "type": "fill", "element": name(place), "text": "Zoë 👩‍👩‍👧 שלום e\u{301}" }),
            // The joiners of the emoji are invisible, so they are not printed.
            |place| format!("filled [{}] textbox: Name {place} = \"Zoë 👩👩👧 שלום e\u{301}\"\n", name(place)),
            &["input name"],
        )
        .await;
    // Typing continues after the existing text, so the field is emptied first.
    for place in PLACES {
        stage.act(json!({ "type": "fill", "element": name(place), "text": "" })).await;
    }
    let mut typed = vec![
        "keydown name a",
        "input name",
        "keydown name B",
        "input name",
        "input name",
        "keydown name !",
        "input name",
    ];
    if support::is_firefox() {
        // Firefox has a key for any character, and fires `input` for both surrogates.
        typed.splice(4..5, ["keydown name 👋", "input name", "input name"]);
    }
    stage
        .everywhere(
            |place| json!({ "type": "type", "element": name(place), "text": "aB👋!" }),
            |place| {
                format!(
                    "typed 4 characters in [{}] textbox: Name {place} = \"aB👋!\"\n",
                    name(place)
                )
            },
            &typed,
        )
        .await;
    // A line break is Enter.
    let notes = |place: &str| number("textbox: Notes", place);
    stage
        .everywhere(
            |place| json!({ "type": "type", "element": notes(place), "text": "a\nb" }),
            |place| {
                format!(
                    "typed 3 characters in [{}] textbox: Notes {place} = \"a\\nb\"\n",
                    notes(place)
                )
            },
            &[
                "keydown notes a",
                "input notes",
                "keydown notes Enter",
                "input notes",
                "keydown notes b",
                "input notes",
            ],
        )
        .await;
    let volume = |place: &str| number("slider: Volume", place);
    stage
        .everywhere(
            |place| json!({ "type": "fill", "element": volume(place), "text": "8" }),
            |place| format!("filled [{}] slider: Volume {place} = \"8\"\n", volume(place)),
            &["input volume", "change volume"],
        )
        .await;
    stage.client.close().await;
}

both_engines!(the_wheel_scrolls_in_every_place);
async fn the_wheel_scrolls_in_every_place() {
    let site = Site::start().await;
    let stage = Stage::set(&site, &[]).await;
    let number = |place: &str| stage.number(&format!("region: Box {place}"));
    for (by, words) in [(200, "down 200 px — 340 px left\n"), (900, "down 340 px — at its end\n")]
    {
        let mut late = Vec::new();
        for place in PLACES {
            stage.forget().await;
            let wheel =
                || stage.act(json!({ "type": "scroll", "element": number(place), "dy": by }));
            let mut reply = wheel().await;
            // On a busy machine Chromium may not deliver a wheel event to a cross-site frame, and
            // Firefox may scroll late. The answer reports that, and the test tries again.
            for _ in 0..4 {
                if reply.text.contains("did not reach") || reply.text.contains("it did not move") {
                    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                    stage.forget().await;
                    late.push(format!("{place} wheel box"));
                    reply = wheel().await;
                }
            }
            assert_eq!(
                reply.text,
                format!("scrolled [{}] region: Box {place} {words}", number(place))
            );
            // An event of an attempt that was repeated may arrive even later.
            let mut records = stage.records(&["wheel"]).await;
            records.dedup();
            records.retain(|record| record.starts_with(place) || !late.contains(record));
            assert_eq!(records, [format!("{place} wheel box")]);
        }
    }
    stage.client.close().await;
}

/// Returns the events that the page records for a drag. Firefox starts a drag and then sends the
/// page no more events, so the page script does.
fn dragged(from: &str, to: &str) -> [String; 2] {
    let by_script = if support::is_firefox() { "!" } else { "" };
    [format!("{from} dragstart{by_script} card"), format!("{to} drop{by_script} bin from {from}")]
}

both_engines!(drags_work_in_every_place);
async fn drags_work_in_every_place() {
    let site = Site::start().await;
    let stage = Stage::set(&site, &["--viewport", "1000x1400"]).await;
    let number = |words: &str, place: &str| stage.number(&format!("button: {words} {place}"));
    for place in PLACES {
        stage.forget().await;
        let (card, bin) = (number("Card", place), number("Bin", place));
        let reply = stage.act(json!({ "type": "drag", "from": card, "to": bin })).await;
        let line = format!("dragged [{card}] button: Card {place} to [{bin}] button: Bin {place}");
        assert!(!reply.is_error && reply.text.starts_with(&line), "{}", reply.text);
        let expected = dragged(place, place);
        assert_eq!(stage.records(&["dragstart", "drop", "click"]).await, expected);
        // The page receives input as before.
        let press = number("Press", place);
        assert!(!stage.act(json!({ "type": "click", "element": press })).await.is_error);
        assert_eq!(stage.records(&["click"]).await, [format!("{place} click press")]);
    }
    for place in PLACES {
        stage.forget().await;
        let knob = number("Knob", place);
        let at = stage.client.ok("expand_dom_selector", json!({ "elementId": knob })).await.json();
        let side = |n: usize| at["box"][n].as_f64().unwrap();
        let reply = stage.act(json!({ "type": "scroll", "element": knob })).await;
        assert!(!reply.is_error, "{}", reply.text);
        let at = stage.client.ok("expand_dom_selector", json!({ "elementId": knob })).await.json();
        let side = |n: usize| at["box"][n].as_f64().unwrap_or_else(|| side(n));
        let to = json!({ "x": side(0) + side(2) / 2.0 + 150.0, "y": side(1) + side(3) / 2.0 });
        let reply = stage.act(json!({ "type": "drag", "from": knob, "to": to })).await;
        assert!(!reply.is_error, "{}", reply.text);
        let records = stage.records(&["moved", "pointerdown", "pointerup"]).await;
        let expected = [
            format!("{place} pointerdown knob"),
            format!("{place} pointerup knob"),
            format!("{place} moved 150 in steps"),
        ];
        assert_eq!(records, expected);
    }
    stage.client.close().await;
}

both_engines!(drags_work_from_place_to_place);
async fn drags_work_from_place_to_place() {
    let site = Site::start().await;
    let stage = Stage::set(&site, &["--viewport", "1000x3600"]).await;
    for (from, to) in [("plain", "other"), ("other", "plain"), ("open", "same")] {
        stage.forget().await;
        let ends = (
            stage.number(&format!("button: Card {from}")),
            stage.number(&format!("button: Bin {to}")),
        );
        let reply = stage.act(json!({ "type": "drag", "from": ends.0, "to": ends.1 })).await;
        assert!(!reply.is_error, "{from} to {to}: {}", reply.text);
        let mut records = stage.records(&["dragstart", "drop", "click"]).await;
        // The events come from different processes.
        records.sort_by_key(|record| record.contains("drop"));
        let expected = dragged(from, to);
        assert_eq!(records, expected, "{from} to {to}: {}", reply.text);
        for place in [from, to] {
            let press = stage.number(&format!("button: Press {place}"));
            let clicked = stage.act(json!({ "type": "click", "element": press })).await;
            assert!(!clicked.is_error, "{place} takes input as before: {}", clicked.text);
        }
    }
    stage.client.close().await;
}

both_engines!(uploads_work_in_every_place);
async fn uploads_work_in_every_place() {
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("photo.txt"), "smile").unwrap();
    let stage = Stage::set(&site, &["--upload-root", folder.path().to_str().unwrap()]).await;
    let photo = |place: &str| stage.number(&format!("button: Photo {place}"));
    stage
        .everywhere(
            |place| json!({ "type": "upload", "element": photo(place), "paths": ["photo.txt"] }),
            |place| format!("uploaded \"photo.txt\" to [{}] button: Photo {place}", photo(place)),
            &["input photo", "change photo"],
        )
        .await;
    stage.client.close().await;
}
