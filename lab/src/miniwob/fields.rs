//! Tasks in which something is put into fields: what the task says, what the page says, or what
//! follows from it.

use anyhow::Context;
use serde_json::json;

use super::agent::{MiniwobAgent, SolveResult, click, fill};

/// Types the text in quotation marks into the one field.
pub async fn text(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (field, submit) =
        (sight.nth("textbox", 0)?.number()?, sight.find("button", "Submit")?.number()?);
    agent.fill_and_click(field, sight.quoted(0)?, submit).await
}

/// The same in other letters.
pub async fn cased_text(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (field, submit) =
        (sight.nth("textbox", 0)?.number()?, sight.find("button", "Submit")?.number()?);
    let text = sight.quoted(0)?;
    let text =
        if sight.task().contains("upper case") { text.to_uppercase() } else { text.to_lowercase() };
    agent.fill_and_click(field, &text, submit).await
}

/// The text that stands below the task.
pub async fn drawn_text(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (field, submit) =
        (sight.nth("textbox", 0)?.number()?, sight.find("button", "Submit")?.number()?);
    let text = sight
        .lines
        .get(1)
        .filter(|line| line.number.is_none())
        .context("no text below the task")?;
    agent.fill_and_click(field, &text.name, submit).await
}

/// The same password twice.
pub async fn password(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (first, second) = (sight.nth("textbox", 0)?.number()?, sight.nth("textbox", 1)?.number()?);
    let (text, submit) = (sight.quoted(0)?, sight.find("button", "Submit")?.number()?);
    agent.act(json!([fill(first, text), fill(second, text), click(submit)])).await.map(drop)
}

/// Name and password; a message that comes in between is put away.
pub async fn login(agent: &mut MiniwobAgent) -> SolveResult {
    let mut now = agent.look().await?;
    let (name, secret) = (now.quoted(0)?.to_owned(), now.quoted(1)?.to_owned());
    for _ in 0..4 {
        if let Some(cancel) = now.named("button", "Cancel") {
            agent.click(cancel.number()?).await?;
            now = agent.look().await?;
            continue;
        }
        let (first, second) = (now.nth("textbox", 0)?.number()?, now.nth("textbox", 1)?.number()?);
        let enter = now.nth("button", 0)?.number()?;
        // The message may come as soon as a field has the focus, and then the fields are disabled.
        if agent.act(json!([fill(first, &name), fill(second, &secret), click(enter)])).await.is_ok()
        {
            return Ok(());
        }
        now = agent.look().await?;
    }
    anyhow::bail!("the message came again and again")
}

/// `10/20/2017` into a date field.
pub async fn date(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (field, submit) =
        (sight.nth("textbox", 0)?.number()?, sight.find("button", "Submit")?.number()?);
    let parts: Vec<&str> = sight.between("Enter ", " as the date")?.split('/').collect();
    let [month, day, year] = parts[..] else { anyhow::bail!("no date in {:?}", sight.task()) };
    agent.fill_and_click(field, &format!("{year}-{month}-{day}"), submit).await
}

/// `7:55 PM` into a time field.
pub async fn time(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (field, submit) =
        (sight.nth("textbox", 0)?.number()?, sight.find("button", "Submit")?.number()?);
    let words = sight.between("Enter ", " as the time")?.replace('\u{202f}', " ");
    let (clock, half) = words.split_once(' ').context("no half of the day")?;
    let (hour, minute) = clock.split_once(':').context("no minutes")?;
    let hour = hour.parse::<u32>()? % 12 + if half == "PM" { 12 } else { 0 };
    agent.fill_and_click(field, &format!("{hour:02}:{minute}"), submit).await
}

/// The focus into a field, the one in the place that the task names if there are several.
pub async fn focus(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let field = sight.nth("textbox", sight.ordinal().unwrap_or(0))?.number()?;
    // The page lays its start screen over everything as soon as the field has the focus, between
    // press and click.
    match agent.click(field).await {
        Err(error) if !error.to_string().contains("got the press but no click") => Err(error),
        _ => Ok(()),
    }
}

/// The text of one field into another, which is empty.
pub async fn copy(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let fields = sight.all("textbox");
    let held = |line: &&&crate::outline::OutlineLine| {
        line.value.as_deref().is_some_and(|value| !value.is_empty())
    };
    let from =
        fields.iter().filter(held).nth(sight.ordinal().unwrap_or(0)).context("no text to copy")?;
    let to = fields.iter().find(|line| !held(line)).context("no empty field")?.number()?;
    let text = from.value.clone().unwrap_or_default();
    anyhow::ensure!(!text.ends_with('…'), "the text is cut: {text:?}");
    agent.fill_and_click(to, &text, sight.find("button", "Submit")?.number()?).await
}

/// A word of the paragraph, without the signs around it.
pub async fn word(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let paragraph = sight.lines.get(1).context("no paragraph")?;
    let word = paragraph.name.split_whitespace().nth(sight.ordinal()?).context("too few words")?;
    let word = word.trim_matches(|sign: char| !sign.is_alphanumeric());
    let (field, submit) =
        (sight.nth("textbox", 0)?.number()?, sight.find("button", "Submit")?.number()?);
    agent.fill_and_click(field, word, submit).await
}

/// `7 + 0 =`.
pub async fn arithmetic(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    // The problem is the label of the field.
    let sum = &sight.nth("textbox", 0)?.hint;
    let parts: Vec<&str> = sum.split_whitespace().collect();
    let [left, sign, right, "="] = parts[..] else { anyhow::bail!("{sum:?} is no problem") };
    let (left, right) = (left.parse::<i64>()?, right.parse::<i64>()?);
    let answer = match sign {
        "+" => left + right,
        "-" => left - right,
        _ => left * right,
    };
    let (field, submit) =
        (sight.nth("textbox", 0)?.number()?, sight.find("button", "Submit")?.number()?);
    agent.fill_and_click(field, &answer.to_string(), submit).await
}

/// `x + 7 = 5`, the unknown on either side of the sign.
pub async fn algebra(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let equation = &sight.lines.get(1).context("no equation")?.name;
    let parts: Vec<&str> = equation.split_whitespace().collect();
    let [left, sign, right, "=", result] = parts[..] else {
        anyhow::bail!("{equation:?} is no equation")
    };
    let result = result.parse::<i64>()?;
    let answer = match (left.parse::<i64>(), sign, right.parse::<i64>()) {
        (Err(_), "+", Ok(right)) => result - right,
        (Err(_), "-", Ok(right)) => result + right,
        (Ok(left), "+", Err(_)) => result - left,
        (Ok(left), "-", Err(_)) => left - result,
        _ => anyhow::bail!("{equation:?} is no equation"),
    };
    let (field, submit) =
        (sight.nth("textbox", 0)?.number()?, sight.find("button", "Submit")?.number()?);
    agent.fill_and_click(field, &answer.to_string(), submit).await
}

/// The value of a label in a table.
pub async fn table(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let label = sight.between("value of ", " into")?;
    let row = sight.all("row").into_iter().find_map(|row| row.name.strip_prefix(label));
    let value = row.with_context(|| format!("no row {label:?}"))?.trim();
    let (field, submit) =
        (sight.nth("textbox", 0)?.number()?, sight.find("button", "Submit")?.number()?);
    agent.fill_and_click(field, value, submit).await
}

/// The values of the labels that stand before the fields.
pub async fn labelled_table(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let mut actions = Vec::new();
    for field in sight.all("textbox") {
        let label = field.hint.trim_end_matches(':');
        let row = sight.all("row").into_iter().find_map(|row| row.name.strip_prefix(label));
        actions
            .push(fill(field.number()?, row.with_context(|| format!("no row {label:?}"))?.trim()));
    }
    actions.push(click(sight.find("button", "Submit")?.number()?));
    agent.act(json!(actions)).await.map(drop)
}
