//! The independent judge: a script in the page (`judge.js`) records which element trusted input
//! reached. This module compares that with what the reply says.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::mcp::McpClient;
use crate::outline::OutlineLine;

const SCRIPT: &str = include_str!("judge.js");

/// The verdict on one action.
#[derive(Debug, PartialEq)]
pub enum ActionVerdict {
    /// Input hit the element, and how it was recognised.
    Right(String),
    /// Nothing can be said: why.
    Unknown(&'static str),
    /// The page went from under the mouse, and the reply says so.
    Admitted,
    /// Input hit something else, and the reply does not say so.
    Wrong(String),
}

#[derive(Deserialize)]
struct ArmReply {
    found: bool,
    #[serde(default)]
    says: String,
}

#[derive(Debug, Deserialize)]
struct SeenEvent {
    #[serde(rename = "type")]
    kind: String,
    verdict: String,
    hit: String,
}

#[derive(Deserialize)]
struct ReadReply {
    seen: Option<Vec<SeenEvent>>,
    #[serde(default)]
    left: bool,
}

/// Hands the element to the judge, by what `expand_dom_selector` says about it. Returns why the
/// action cannot be judged, if it cannot. An error means that pagesight contradicts itself.
pub async fn arm(
    client: &McpClient,
    line: &OutlineLine,
    about: &Value,
    id: usize,
) -> anyhow::Result<Option<&'static str>> {
    if !about["frame"].is_null() {
        return Ok(Some("in a frame"));
    }
    let order = json!({ "arm": { "selectors": about["selectors"], "hosts": about["shadow_path"], "tag": about["tag"], "id": id } });
    let Some(armed) = evaluate::<ArmReply>(client, &order).await? else {
        return Ok(Some("the page did not answer"));
    };
    if !armed.found {
        return Ok(Some("not found by its selectors"));
    }
    let name = about["name"].as_str().unwrap_or_default();
    anyhow::ensure!(
        says(&armed.says, name),
        "[{}] is called {name:?}, but the element of its selectors says {:?}",
        line.number.unwrap_or_default(),
        armed.says.chars().take(200).collect::<String>()
    );
    Ok(None)
}

/// Whether all words of a name are in what an element says; generated contents and pictures are in
/// no text, so half of them will do.
fn says(said: &str, name: &str) -> bool {
    let plain = |text: &str| text.to_lowercase();
    let said = plain(said);
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(plain)
        .collect();
    let there = words.iter().filter(|word| said.contains(word.as_str())).count();
    there * 2 >= words.len()
}

/// The judge's observation of an action of this kind.
pub async fn read(
    client: &McpClient,
    id: usize,
    kind: &str,
    failed: bool,
    text: &str,
) -> anyhow::Result<ActionVerdict> {
    let Some(read) = evaluate::<ReadReply>(client, &json!({ "read": id })).await? else {
        return Ok(ActionVerdict::Unknown("the page did not answer"));
    };
    let Some(seen) = read.seen else { return Ok(ActionVerdict::Unknown("the page was left")) };
    Ok(weigh(&seen, read.left, kind, failed, text))
}

fn weigh(seen: &[SeenEvent], left: bool, kind: &str, failed: bool, text: &str) -> ActionVerdict {
    let counts: &[&str] = match kind {
        "hover" => &["pointermove"],
        "press" => &["keydown"],
        // Dates and the like are not typed.
        "fill" | "type" => &["beforeinput"],
        // Moves nothing but the page.
        "scroll" => &[],
        _ => &["pointerdown"],
    };
    let mut events = seen.iter().filter(|event| counts.contains(&event.kind.as_str()));
    if let Some(other) = events.clone().find(|event| event.verdict == "other") {
        let admitted = failed
            && ["did not get the click", "got the press but no click", "lost the focus"]
                .iter()
                .any(|words| text.contains(words));
        // The last move may go to an element that came up under the resting mouse.
        let moved = kind == "hover";
        return match (admitted, moved) {
            (true, _) => ActionVerdict::Admitted,
            (_, true) => ActionVerdict::Unknown("something came under the mouse"),
            _ => ActionVerdict::Wrong(format!("{} went to {}", other.kind, other.hit)),
        };
    }
    match events.next() {
        Some(event) => ActionVerdict::Right(event.verdict.clone()),
        None if failed => ActionVerdict::Right("refused, nothing was hit".to_owned()),
        None if left => ActionVerdict::Unknown("the page was left"),
        None if kind == "fill" || kind == "type" => ActionVerdict::Unknown("filled without typing"),
        None if kind == "scroll" => ActionVerdict::Unknown("only scrolled"),
        None if text.contains("already") => {
            ActionVerdict::Right("already so, nothing was hit".to_owned())
        }
        None if kind == "hover" => ActionVerdict::Unknown("the mouse was there already"),
        None => ActionVerdict::Wrong(format!("no {} arrived", counts.join(" or "))),
    }
}

/// Runs the judge's script; none if the page cannot answer now.
async fn evaluate<T: serde::de::DeserializeOwned>(
    client: &McpClient,
    order: &Value,
) -> anyhow::Result<Option<T>> {
    let expression = SCRIPT.replacen("(() => {", &format!("(() => {{ const ORDER = {order};"), 1);
    let reply = client.ask("browser_evaluate", json!({ "expression": expression })).await?;
    if reply.failed {
        return Ok(None);
    }
    Ok(serde_json::from_str(&reply.text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(kind: &str, verdict: &str) -> SeenEvent {
        SeenEvent { kind: kind.to_owned(), verdict: verdict.to_owned(), hit: "<b>".to_owned() }
    }

    #[test]
    fn input_that_hits_something_else_is_wrong_unless_admitted() {
        let other = [seen("pointerdown", "other")];
        assert!(matches!(
            weigh(&other, false, "click", false, "clicked [1] button"),
            ActionVerdict::Wrong(_)
        ));
        assert!(matches!(
            weigh(&other, false, "click", true, "failed: [1] button is covered"),
            ActionVerdict::Wrong(_)
        ));
        assert_eq!(
            weigh(&other, false, "click", true, "failed: [1] button did not get the click"),
            ActionVerdict::Admitted
        );
        assert_eq!(
            weigh(&[seen("pointerdown", "hit")], false, "click", false, ""),
            ActionVerdict::Right("hit".into())
        );
        assert!(matches!(
            weigh(&[], false, "click", false, "clicked [1]"),
            ActionVerdict::Wrong(_)
        ));
        assert!(matches!(weigh(&[], false, "click", true, "failed: …"), ActionVerdict::Right(_)));
        assert!(matches!(
            weigh(&[], true, "click", false, "clicked [1]"),
            ActionVerdict::Unknown(_)
        ));
        assert!(matches!(
            weigh(&[seen("keydown", "other")], false, "press", false, ""),
            ActionVerdict::Wrong(_)
        ));
    }

    #[test]
    fn a_name_is_in_what_the_element_says() {
        assert!(
            says("Save  the project", "Save the project")
                && says("", "")
                && says("✕ close", "Close dialog")
        );
        assert!(!says("Cancel", "Save") && !says("", "Save"));
    }
}
