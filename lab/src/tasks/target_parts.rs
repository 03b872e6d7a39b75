//! Names, controls, actions and delays of the pages that targets are looked up in.

use serde_json::{Value, json};

use crate::random::Random;

const VERBS: [&str; 10] = [
    "Approve", "Print", "Export", "Publish", "Reserve", "Cancel", "Merge", "Assign", "Rename",
    "Refund",
];
const NOUNS: [&str; 10] = [
    "invoice", "ticket", "booking", "report", "shipment", "draft", "branch", "order", "schedule",
    "voucher",
];
pub const TITLES: [&str; 8] = [
    "Ecobee",
    "HeatPump",
    "Kitchen lights",
    "Garage door",
    "Front camera",
    "Water valve",
    "Anna Weber",
    "Order 1042",
];

pub fn name(random: &mut Random) -> String {
    format!("{} {}", VERBS[random.below(VERBS.len())], NOUNS[random.below(NOUNS.len())])
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// A control of a kind that a page may use. `key` is what the page records when it is reached.
pub fn control(kind: &str, name: &str, key: &str, more: &str) -> String {
    let name = escaped(name);
    match kind {
        "link" => format!("<a href=#k data-k={key} {more}>{name}</a>"),
        "clickable" => format!("<div class=c data-k={key} {more}>{name}</div>"),
        "menuitem" => format!("<div role=menuitem tabindex=0 data-k={key} {more}>{name}</div>"),
        "textbox" => format!("<input aria-label=\"{name}\" data-k={key} {more}>"),
        "checkbox" => format!("<input type=checkbox aria-label=\"{name}\" data-k={key} {more}>"),
        _ => format!("<button data-k={key} {more}>{name}</button>"),
    }
}

pub fn button(name: &str, key: &str) -> String {
    control("button", name, key, "")
}

/// An action that suits the kind of control.
pub fn action(kind: &str, target: &str) -> Value {
    match kind {
        "textbox" => json!({ "type": "fill", "target": target, "text": "x" }),
        "checkbox" => json!({ "type": "check", "target": target }),
        _ => json!({ "type": "click", "target": target }),
    }
}

pub fn any_kind(random: &mut Random) -> &'static str {
    ["button", "button", "link", "clickable", "menuitem", "textbox", "checkbox"][random.below(7)]
}

/// Says how long something takes to happen, and what it waits for: a timer, steps of a timer that
/// goes on, or an answer of the server.
pub fn delay(random: &mut Random) -> String {
    let way = ["timer", "steps", "request"][random.below(3)];
    format!("\"{way}\", {}", random.between(200, 1_500))
}

/// A script that does something later.
pub fn later(when: &str, what: &str) -> String {
    format!("after({when}, () => {{ {what} }});")
}

/// A script that puts controls into `#late` later.
pub fn appear(html: &str, when: &str) -> String {
    later(when, &format!("late.innerHTML = {}", json!(html)))
}
