//! Tasks in which something is chosen or opened first: boxes, options, tabs, sections, trees and
//! menus.

use anyhow::Context;
use serde_json::json;

use super::hand::{Done, Hand, click};

/// The boxes whose names the task lists, then `Submit`.
pub async fn boxes(hand: &mut Hand) -> Done {
    let sight = hand.look().await?;
    let wanted = sight.between("Select ", " and click Submit")?;
    let mut clicks = Vec::new();
    for name in wanted.split(", ").filter(|name| *name != "nothing") {
        let either = sight.named("checkbox", name).or_else(|| sight.named("radio", name));
        clicks.push(click(either.with_context(|| format!("no box {name:?}"))?.number()?));
    }
    clicks.push(click(sight.find("button", "Submit")?.number()?));
    hand.act(json!(clicks)).await.map(drop)
}

/// A tab by its name.
pub async fn tab(hand: &mut Hand) -> Done {
    let sight = hand.look().await?;
    let tab = sight.find("link", sight.between("Click on ", ".")?)?.number()?;
    hand.click(tab).await.map(drop)
}

/// A word that stands behind one of several tabs.
pub async fn behind_tabs(hand: &mut Hand) -> Done {
    let mut sight = hand.look().await?;
    let tabs =
        sight.all("link").iter().map(|line| line.number()).collect::<anyhow::Result<Vec<u32>>>()?;
    for next in tabs.iter().skip(1).map(Some).chain([None]) {
        if let Some(word) = sight.named("clickable", sight.quoted(0)?) {
            let word = word.number()?;
            return hand.click(word).await.map(drop);
        }
        if let Some(next) = next {
            hand.click(*next).await?;
            sight = hand.look().await?;
        }
    }
    anyhow::bail!("{:?} is behind none of {} tabs", sight.quoted(0), tabs.len())
}

/// The one section, then `Submit`.
pub async fn section(hand: &mut Hand) -> Done {
    let sight = hand.look().await?;
    let section = sight.nth("tab", 0)?.number()?;
    let submit = sight.find("button", "Submit")?.number()?;
    hand.act(json!([click(section), click(submit)])).await.map(drop)
}

/// A word in one of several sections.
pub async fn in_sections(hand: &mut Hand) -> Done {
    let sight = hand.look().await?;
    let wanted = sight.quoted(0)?;
    for section in sight.all("tab") {
        hand.click(section.number()?).await?;
        let open = hand.look().await?;
        if let Some(word) = open.named("clickable", wanted) {
            return hand.click(word.number()?).await.map(drop);
        }
    }
    anyhow::bail!("{wanted:?} is in none of the sections")
}

/// A file or a folder of a tree; folders are opened on the way.
pub async fn tree(hand: &mut Hand) -> Done {
    let mut opened: Vec<u32> = Vec::new();
    loop {
        let sight = hand.look().await?;
        let wanted = sight.quoted(0)?;
        if let Some(found) =
            sight.lines.iter().find(|line| line.number.is_some() && line.name == wanted)
        {
            return hand.click(found.number()?).await.map(drop);
        }
        // A file is a list item, a folder has something in it to be clicked.
        let folders = sight.all("clickable").into_iter().filter(|line| !line.name.is_empty());
        let next = folders.filter_map(|line| line.number).find(|number| !opened.contains(number));
        let next = next.with_context(|| format!("{wanted:?} is nowhere in the tree"))?;
        opened.push(next);
        hand.click(next).await?;
    }
}

/// A path through a menu.
pub async fn menu_path(hand: &mut Hand) -> Done {
    let mut sight = hand.look().await?;
    let path: Vec<String> =
        sight.task().trim_start_matches("Select ").split('>').map(str::to_owned).collect();
    for (at, name) in path.iter().enumerate() {
        let item = sight.find("menuitem", name)?.number()?;
        if at + 1 == path.len() {
            hand.click(item).await?;
        } else {
            // The next menu comes after a while under the mouse.
            hand.act(json!([{ "type": "hover", "element": item }])).await?;
            sight = hand.look_for("menuitem", &path[at + 1]).await?;
        }
    }
    Ok(())
}
