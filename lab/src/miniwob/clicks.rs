//! Tasks that are clicks: on the thing that the task names, or that is found by what it says.

use anyhow::Context;
use serde_json::{Value, json};

use super::agent::{MiniwobAgent, SolveResult, click};

/// The only button there is.
pub async fn only_button(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let button = sight.nth("button", 0)?.number()?;
    agent.click(button).await.map(drop)
}

/// The button whose name stands in quotation marks.
pub async fn button(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let button = sight.find("button", sight.quoted(0)?)?.number()?;
    agent.click(button).await.map(drop)
}

pub async fn button_one(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let one = sight.find("button", "ONE")?.number()?;
    agent.click(one).await.map(drop)
}

/// Button ONE, then button TWO.
pub async fn one_then_two(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (one, two) =
        (sight.find("button", "ONE")?.number()?, sight.find("button", "TWO")?.number()?);
    agent.act(json!([click(one), click(two)])).await.map(drop)
}

/// A word in a text that is a link.
pub async fn link(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let link = sight.find("clickable", sight.quoted(0)?)?.number()?;
    agent.click(link).await.map(drop)
}

/// The button of a dialog; `x` is the one that closes it.
pub async fn dialog(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let label = sight.quoted(0)?;
    let button = sight.find("button", if label == "x" { "Close" } else { label })?.number()?;
    agent.click(button).await.map(drop)
}

/// A control of a kind.
pub async fn widget(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let kind = sight.quoted(0)?;
    let (role, tag) = match kind {
        "text" => ("textbox", "input"),
        "textarea" => ("textbox", "textarea"),
        kind => (kind, if kind == "button" { "button" } else { "input" }),
    };
    for line in sight.all(role) {
        let number = line.number()?;
        if agent.expand(number).await?["tag"] == tag {
            return agent.click(number).await.map(drop);
        }
    }
    anyhow::bail!("no {kind} is listed")
}

/// A box of a colour; the colour is a word of the task or drawn in it.
pub async fn color(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let boxes = sight.all("clickable");
    let mut boxes = boxes.iter().map(|line| line.number());
    let color = match sight.between("Click on the ", " colored box") {
        Ok(color) => color.to_owned(),
        Err(_) => {
            let drawn = boxes.next().context("no colour is shown")??;
            let style = agent.attribute(drawn, "style").await?;
            style.trim_start_matches("background-color: ").trim_end_matches(';').to_owned()
        }
    };
    for number in boxes {
        let number = number?;
        if agent.attribute(number, "data-color").await? == color {
            return agent.click(number).await.map(drop);
        }
    }
    anyhow::bail!("no {color} box is listed")
}

/// Numbers, the smallest first. They are covered after the first click, so they are clicked where
/// they were.
pub async fn ascending(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let mut numbers = Vec::new();
    for line in sight.all("clickable") {
        let area = agent.expand(line.number()?).await?["box"].clone();
        let side = |at: usize| area[at].as_f64().unwrap_or_default();
        numbers.push((line.name.parse::<i64>()?, side(0) + side(2) / 2.0, side(1) + side(3) / 2.0));
    }
    numbers.sort_by_key(|(number, ..)| *number);
    let clicks: Vec<Value> =
        numbers.iter().map(|(_, x, y)| json!({ "type": "click", "x": x, "y": y })).collect();
    agent.act(json!(clicks)).await.map(drop)
}

/// Odd or even, for each number between two buttons.
pub async fn odd_or_even(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let mut clicks = Vec::new();
    for (at, line) in sight.lines.iter().enumerate().skip(1) {
        let Ok(number) = line.name.parse::<i64>() else { continue };
        // `Odd` stands before the number, `Even` after it.
        let side = if number % 2 == 0 { sight.lines.get(at + 1) } else { sight.lines.get(at - 1) };
        if let Some(button) = side.filter(|line| line.role == "button") {
            clicks.push(click(button.number()?));
        }
    }
    clicks.push(click(sight.find("button", "Submit")?.number()?));
    agent.act(json!(clicks)).await.map(drop)
}
