//! Tasks with tables, lists and trees: paging, filtering, sorting, editing, deleting, moving.

use anyhow::Context;
use serde_json::json;

use super::agent::TaskAgent;

pub async fn paging(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let button = format!("Choose {}", agent.must("page to ")?);
    for _ in 0..5 {
        if agent.sees("button", &button).await? {
            break;
        }
        agent.click("button", "Forward").await?;
    }
    agent.click("button", &button).await
}

pub async fn editing(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let marked = agent.names("button", "Edit ", "!");
    anyhow::ensure!(marked.len() == 2, "two are marked, not {marked:?}");
    for button in marked {
        agent.click("button", &button).await?;
        agent.fill(&[("Owner", "Ada")], "Save project").await?;
    }
    Ok(())
}

pub async fn cheapest(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let category = agent.must("of category ")?;
    let list = agent.field("Category").await?;
    agent.act(json!([{ "type": "select", "element": list, "values": [category] }])).await?;
    agent.click("button", "Sort by price").await?;
    // The table shows its order and the prices.
    let line = agent.cheapest_line(&category).context("no part of the category is known")?;
    let part = line.split_whitespace().next().unwrap_or_default().to_owned();
    agent.click("button", &format!("Buy {part}")).await?;
    agent.click("button", "Pay now").await
}

pub async fn to_do(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let line = agent.line_with("Task: add ").context("no task")?;
    let names: Vec<String> = line.split_whitespace().skip(2).take(3).map(str::to_owned).collect();
    for name in &names {
        agent.fill(&[("New", name)], "Add").await?;
    }
    agent.click("checkbox", &names[0]).await?;
    agent.click("button", "Clear done ones").await
}

pub async fn tree(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let line = agent.line_with("Task: open ").context("no task")?;
    let path = line
        .split_once("open ")
        .and_then(|(_, rest)| rest.split_once(" and delete"))
        .context("no path")?;
    let path: Vec<String> = path.0.split(" > ").map(str::to_owned).collect();
    for name in &path {
        agent.click("treeitem", name).await?;
    }
    agent.click("button", &format!("Delete {}", path[2])).await
}

pub async fn feed(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let button = format!("Like {}", agent.must("like the message of ")?);
    for _ in 0..6 {
        if agent.sees("button", &button).await? {
            break;
        }
        agent.click("button", "Show more").await?;
    }
    agent.click("button", &button).await
}

pub async fn deleting(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    for button in agent.names("button", "Delete ", "(off)") {
        agent.click("button", &button).await?;
        let yes = agent.name_of("button", "Yes, delete ").context("nobody asks")?;
        agent.click("button", &yes).await?;
    }
    Ok(())
}

pub async fn board(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let button = format!("Move {} on", agent.must("bring ")?);
    for _ in 0..3 {
        agent.click("button", &button).await?;
    }
    Ok(())
}
