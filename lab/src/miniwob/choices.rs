//! Tasks in which something is chosen or opened first: boxes, options, tabs, sections, trees and
//! menus.

use anyhow::Context;
use serde_json::json;

use super::agent::{MiniwobAgent, SolveResult, click};

/// The boxes whose names the task lists, then `Submit`.
pub async fn boxes(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let wanted = sight.between("Select ", " and click Submit")?;
    let mut clicks = Vec::new();
    for name in wanted.split(", ").filter(|name| *name != "nothing") {
        let either = sight.named("checkbox", name).or_else(|| sight.named("radio", name));
        clicks.push(click(either.with_context(|| format!("no box {name:?}"))?.number()?));
    }
    clicks.push(click(sight.find("button", "Submit")?.number()?));
    agent.act(json!(clicks)).await.map(drop)
}

/// A tab by its name.
pub async fn tab(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let tab = sight.find("link", sight.between("Click on ", ".")?)?.number()?;
    agent.click(tab).await.map(drop)
}

/// A word on one of several tabs.
pub async fn behind_tabs(agent: &mut MiniwobAgent) -> SolveResult {
    let mut sight = agent.look().await?;
    let tabs =
        sight.all("link").iter().map(|line| line.number()).collect::<anyhow::Result<Vec<u32>>>()?;
    for next in tabs.iter().skip(1).map(Some).chain([None]) {
        if let Some(word) = sight.named("clickable", sight.quoted(0)?) {
            let word = word.number()?;
            return agent.click(word).await.map(drop);
        }
        if let Some(next) = next {
            agent.click(*next).await?;
            sight = agent.look().await?;
        }
    }
    anyhow::bail!("{:?} is on none of {} tabs", sight.quoted(0), tabs.len())
}

/// The one section, then `Submit`.
pub async fn section(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let section = sight.nth("tab", 0)?.number()?;
    let submit = sight.find("button", "Submit")?.number()?;
    agent.act(json!([click(section), click(submit)])).await.map(drop)
}

/// A word in one of several sections.
pub async fn in_sections(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let wanted = sight.quoted(0)?;
    for section in sight.all("tab") {
        agent.click(section.number()?).await?;
        let open = agent.look().await?;
        if let Some(word) = open.named("clickable", wanted) {
            return agent.click(word.number()?).await.map(drop);
        }
    }
    anyhow::bail!("{wanted:?} is in none of the sections")
}

/// A file or a folder of a tree; folders are opened on the way.
pub async fn tree(agent: &mut MiniwobAgent) -> SolveResult {
    let mut opened: Vec<u32> = Vec::new();
    loop {
        let sight = agent.look().await?;
        let wanted = sight.quoted(0)?;
        if let Some(found) =
            sight.lines.iter().find(|line| line.number.is_some() && line.name == wanted)
        {
            return agent.click(found.number()?).await.map(drop);
        }
        // A file is a list item, a folder has something in it to be clicked.
        let folders = sight.all("clickable").into_iter().filter(|line| !line.name.is_empty());
        let next = folders.filter_map(|line| line.number).find(|number| !opened.contains(number));
        let next = next.with_context(|| format!("{wanted:?} is nowhere in the tree"))?;
        opened.push(next);
        agent.click(next).await?;
    }
}

/// A path through a menu.
pub async fn menu_path(agent: &mut MiniwobAgent) -> SolveResult {
    let mut sight = agent.look().await?;
    let path: Vec<String> =
        sight.task().trim_start_matches("Select ").split('>').map(str::to_owned).collect();
    for (at, name) in path.iter().enumerate() {
        let item = sight.find("menuitem", name)?.number()?;
        if at + 1 == path.len() {
            agent.click(item).await?;
        } else {
            // The next menu comes after a while under the mouse.
            agent.act(json!([{ "type": "hover", "element": item }])).await?;
            sight = agent.look_for("menuitem", &path[at + 1]).await?;
        }
    }
    Ok(())
}
