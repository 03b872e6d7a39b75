//! Tasks that are small apps: results in pages, posts, mails, a shop. What is meant is found by
//! what stands near it.

use anyhow::Context;
use serde_json::json;

use super::agent::{MiniwobAgent, SolveResult, click, fill};
use crate::outline::{OutlineLine, ParsedOutline};

/// The n-th result of a search; three on a page.
pub async fn search(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (field, button) =
        (sight.nth("textbox", 0)?.number()?, sight.find("button", "Search")?.number()?);
    let place = sight.ordinal()?;
    agent.fill_and_click(field, sight.quoted(0)?, button).await?;
    let mut results = agent.look().await?;
    if place >= 3 {
        let page = results.find("link", &(place / 3 + 1).to_string())?.number()?;
        agent.click(page).await?;
        results = agent.look().await?;
    }
    let result = results.nth("link", place % 3)?.number()?;
    agent.click(result).await.map(drop)
}

/// The numbered things below the line that holds these words, up to the next text.
fn below(sight: &ParsedOutline, at: usize) -> Vec<&OutlineLine> {
    let rest = sight.lines.iter().skip(at).skip_while(|line| line.number.is_none());
    rest.take_while(|line| line.number.is_some() && line.role == "clickable").collect()
}

/// Where the posts of a user begin.
fn posts(sight: &ParsedOutline, user: &str) -> Vec<usize> {
    let by = |line: &OutlineLine| line.name.split(' ').any(|word| word == user);
    let lines = sight.lines.iter().enumerate().skip(2);
    lines.filter(|(_, line)| line.number.is_none() && by(line)).map(|(at, _)| at).collect()
}

/// The icon of a class among nameless ones.
async fn icon(
    agent: &mut MiniwobAgent,
    icons: &[&OutlineLine],
    class: &str,
) -> anyhow::Result<u32> {
    for line in icons {
        let number = line.number()?;
        if agent.attribute(number, "class").await?.split(' ').any(|word| word == class) {
            return Ok(number);
        }
    }
    anyhow::bail!("no icon {class:?} among {}", icons.len())
}

/// One thing to do with the post of a user; half of them are in a menu.
pub async fn post(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look_unfolded().await?;
    let (user, action) = (sight.between("user ", ",")?, sight.quoted(0)?);
    let at = *posts(&sight, user).first().with_context(|| format!("no post by {user}"))?;
    let icons = below(&sight, at);
    if ["Reply", "Retweet", "Like"].contains(&action) {
        let icon = icon(agent, &icons, &action.to_lowercase()).await?;
        return agent.click(icon).await.map(drop);
    }
    let more = icon(agent, &icons, "more").await?;
    agent.click(more).await?;
    let open = agent.look_unfolded().await?;
    let item =
        open.lines.iter().find(|line| line.number.is_some() && line.name.starts_with(action));
    agent.click(item.with_context(|| format!("no item {action:?}"))?.number()?).await.map(drop)
}

/// The same icon of all, or of some, posts of a user, then `Submit`.
pub async fn many_posts(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look_unfolded().await?;
    let (user, class) = (sight.between(" by ", " and then")?, sight.quoted(0)?.to_lowercase());
    let all = posts(&sight, user);
    let some = sight
        .between("button on ", " post")
        .ok()
        .and_then(|some| some.parse().ok())
        .unwrap_or(all.len());
    let mut clicks = Vec::new();
    for at in all.iter().take(some) {
        clicks.push(click(icon(agent, &below(&sight, *at), &class).await?));
    }
    clicks.push(click(sight.find("button", "Submit")?.number()?));
    agent.act(json!(clicks)).await.map(drop)
}

/// A mail: starred, deleted, answered or sent on.
pub async fn mail(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look_unfolded().await?;
    let from = sight.between("email by ", " and ")?;
    let at = sight.lines.iter().skip(1).position(|line| line.number.is_none() && line.name == from);
    let icons = below(
        &sight,
        at.with_context(|| {
            let all: Vec<&str> = sight.lines.iter().map(|line| line.name.as_str()).collect();
            format!("no mail by {from} among {all:?}")
        })? + 1,
    );
    let (trash, star) = (icon(agent, &icons, "trash").await?, icon(agent, &icons, "star").await?);
    if sight.task().contains("trash icon") {
        return agent.click(trash).await.map(drop);
    }
    if sight.task().contains("star icon") {
        return agent.click(star).await.map(drop);
    }
    // The row itself has no number, because there are things to be clicked in it; left of those it
    // is hit.
    let area = agent.expand(star).await?["box"].clone();
    let (x, y) =
        (area[0].as_f64().unwrap_or_default() - 60.0, area[1].as_f64().unwrap_or_default() + 4.0);
    agent.act(json!([{ "type": "scroll", "element": star }])).await?;
    let moved = agent.expand(star).await?["box"].clone();
    let y = y + moved[1].as_f64().unwrap_or_default() - area[1].as_f64().unwrap_or_default();
    agent.act(json!([{ "type": "click", "x": x, "y": y }])).await?;
    let open = agent.look_unfolded().await?;
    let (what, text) = match sight.quoted(0) {
        Ok(text) => ("Reply", text.to_owned()),
        Err(_) => (
            "Forward",
            sight.task().rsplit(' ').next().unwrap_or_default().trim_end_matches('.').to_owned(),
        ),
    };
    let what = open.lines.iter().find(|line| line.number.is_some() && line.name == what);
    agent.click(what.context("the mail did not open")?.number()?).await?;
    let form = agent.look_unfolded().await?;
    let field = form.nth("textbox", 0)?.number()?;
    let icons: Vec<&OutlineLine> = form.all("clickable");
    let mut send = None;
    for line in icons {
        let number = line.number()?;
        if agent.attribute(number, "id").await?.starts_with("send-") {
            send = Some(number);
        }
    }
    agent
        .act(json!([fill(field, &text), click(send.context("nothing to send it with")?)]))
        .await
        .map(drop)
}

/// A form whose labels stand in several ways before its fields.
pub async fn film(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (genre, rest) =
        (sight.between("Search for ", " movies")?, sight.between("directed by ", ".")?);
    let (director, year) = rest.split_once(" from year ").context("no year")?;
    let mut actions = Vec::new();
    let mut label = String::new();
    for line in sight.lines.iter().skip(1) {
        if line.role != "textbox" {
            label.clone_from(&line.name);
            continue;
        }
        let said = [&line.name, &line.hint, &label].into_iter().find(|said| !said.is_empty());
        let said = said.map(String::as_str).unwrap_or_default();
        let text = match said.to_lowercase() {
            said if said.contains("genre") => genre,
            said if said.contains("director") => director,
            said if said.contains("year") || said.contains("date") => year,
            said => anyhow::bail!("a field is called {said:?}"),
        };
        actions.push(fill(line.number()?, text));
    }
    let last = sight.lines.iter().rfind(|line| line.number.is_some()).context("no button")?;
    actions.push(click(last.number()?));
    agent.act(json!(actions)).await.map(drop)
}

/// The cheapest, dearest, shortest or longest flight.
pub async fn ticket(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let mut flights = Vec::new();
    let mut minutes = 0;
    for line in &sight.lines {
        let time: Vec<i64> =
            line.name.split(['h', 'm', ' ']).filter_map(|part| part.parse().ok()).collect();
        if let ([hours, rest], true) = (&time[..], line.number.is_none()) {
            minutes = hours * 60 + rest;
        }
        if let Some(cost) = line.name.strip_prefix("Book for $") {
            flights.push((cost.replace(',', "").parse::<i64>()?, minutes, line.number()?));
        }
    }
    let task = sight.task();
    let best = flights.iter().min_by_key(|(cost, minutes, _)| match task {
        task if task.contains("cheapest") => *cost,
        task if task.contains("expensive") => -*cost,
        task if task.contains("shortest") => *minutes,
        _ => -*minutes,
    });
    agent.click(best.context("no flight")?.2).await.map(drop)
}
