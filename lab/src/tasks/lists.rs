//! Tasks with tables, lists and trees: paging, filtering, sorting, editing, deleting, moving.

use anyhow::Context;
use serde_json::json;

use super::Task;
use super::agent::TaskAgent;

pub const TASKS: &[Task] = &[
    Task {
        name: "paging through a table",
        page: r#"<h1>People</h1><p id=task></p><table aria-label=People id=table></table><button id=back>Back</button><span id=at></span><button id=go>Forward</button><div id=out></div><script>
const people = times(40, (at) => `${words[at]} ${int(1960, 2005)}`), want = int(22, 38); let page = 0; $('#task').textContent = `Task: page to ${people[want].split(' ')[0]} and choose that person.`;
const draw = () => { $('#table').innerHTML = people.slice(page * 8, page * 8 + 8).map((one) => `<tr><td>${one}</td><td><button>Choose ${one.split(' ')[0]}</button></td></tr>`).join(''); $('#at').textContent = `Page ${page + 1} of 5`;
  all('#table button').forEach((button) => button.addEventListener('click', () => { $('#out').innerHTML = `<p>Chosen: ${button.textContent}</p>`; if (button.textContent === `Choose ${people[want].split(' ')[0]}`) solved() })) }; draw();
on('#go', 'click', async () => { await late(60); page = Math.min(page + 1, 4); draw() }); on('#back', 'click', () => { page = Math.max(page - 1, 0); draw() })</script>"#,
        solve: |agent| Box::pin(paging(agent)),
    },
    Task {
        name: "editing two rows in a modal",
        page: r#"<h1>Projects</h1><p>Task: give both projects that are marked with ! the owner Ada.</p><table aria-label=Projects id=table></table><dialog id=dialog aria-label="Edit project"><label>Owner <input id=owner></label><button id=save>Save project</button><button id=cancel>Cancel</button></dialog><div id=out></div><script>
const names = times(9, name), marked = shuffled(times(9, (at) => at)).slice(0, 2), owners = names.map(() => 'Bob'); let now;
const draw = () => { $('#table').innerHTML = names.map((one, at) => `<tr><td>${one}${marked.includes(at) ? '!' : ''}</td><td>${owners[at]}</td><td><button>Edit ${one}${marked.includes(at) ? '!' : ''}</button></td></tr>`).join(''); all('#table button').forEach((button, at) => button.addEventListener('click', () => { now = at; $('#owner').value = owners[at]; $('#dialog').showModal() })) }; draw();
on('#cancel', 'click', () => $('#dialog').close()); on('#save', 'click', () => { owners[now] = $('#owner').value; $('#dialog').close(); draw(); $('#out').innerHTML = `<p role=status>${names[now]} saved</p>`; if (marked.every((at) => owners[at] === 'Ada')) solved() })</script>"#,
        solve: |agent| Box::pin(editing(agent)),
    },
    Task {
        name: "filter, sort and buy the cheapest",
        page: r#"<h1>Parts</h1><p id=task></p><label>Category <select id=cat><option>All</option></select></label><button id=sort>Sort by price</button><table aria-label=Parts id=table></table><div id=out></div><script>
const cats = times(3, name), parts = times(24, (at) => ({ name: words[at], cat: cats[at % 3], price: int(10, 999) })), want = cats[int(0, 2)]; let sorted = false; cats.forEach((one) => put('#cat', `<option>${one}</option>`)); $('#task').textContent = `Task: buy the cheapest part of category ${want}.`;
const draw = () => { let list = parts.filter((part) => $('#cat').value === 'All' || part.cat === $('#cat').value); if (sorted) list = [...list].sort((a, b) => a.price - b.price); $('#table').innerHTML = list.map((part) => `<tr><td>${part.name}</td><td>${part.cat}</td><td>€ ${part.price}</td><td><button>Buy ${part.name}</button></td></tr>`).join('');
  all('#table button').forEach((button, at) => button.addEventListener('click', () => { $('#out').innerHTML = `<p>Bought ${list[at].name}.</p><button id=pay>Pay now</button>`; on('#pay', 'click', () => { $('#out').textContent = 'Paid'; const best = Math.min(...parts.filter((part) => part.cat === want).map((part) => part.price)); if (list[at].cat === want && list[at].price === best) solved() }) })) }; draw();
on('#cat', 'change', draw); on('#sort', 'click', () => { sorted = true; draw() })</script>"#,
        solve: |agent| Box::pin(cheapest(agent)),
    },
    Task {
        name: "to-do list",
        page: r#"<h1>To do</h1><p id=task></p><label>New <input id=new></label><button id=add>Add</button><ul aria-label=Things id=list></ul><p id=left>0 left</p><button id=clear>Clear done ones</button><script>
const wanted = times(3, name); let things = []; $('#task').textContent = `Task: add ${wanted.join(' ')} then finish the first and clear.`;
const draw = () => { $('#list').innerHTML = things.map((one) => `<li><label><input type=checkbox ${one.done ? 'checked' : ''}> ${one.name}</label></li>`).join(''); $('#left').textContent = `${things.filter((one) => !one.done).length} left`; all('#list input').forEach((box, at) => box.addEventListener('change', () => { things[at].done = box.checked; draw() })) };
on('#add', 'click', () => { things.push({ name: $('#new').value, done: false }); $('#new').value = ''; draw() });
on('#clear', 'click', () => { things = things.filter((one) => !one.done); draw(); if (things.map((one) => one.name).join() === wanted.slice(1).join()) solved() })</script>"#,
        solve: |agent| Box::pin(to_do(agent)),
    },
    Task {
        name: "a path in a tree",
        page: r#"<h1>Files</h1><p id=task></p><ul role=tree aria-label=Files id=tree></ul><div id=out></div><script>
const levels = times(3, () => times(4, name)), path = levels.map((level) => level[int(0, 3)]); $('#task').textContent = `Task: open ${path.join(' > ')} and delete it.`;
const make = (holder, level) => levels[level].forEach((one) => { const item = document.createElement('li'); item.setAttribute('role', 'treeitem'); item.tabIndex = 0; item.setAttribute('aria-label', one); item.innerHTML = `<span>${one}</span>`; if (level < 2) item.setAttribute('aria-expanded', 'false'); holder.append(item);
  item.addEventListener('click', (event) => { event.stopPropagation(); if (level < 2 && item.getAttribute('aria-expanded') === 'false') { item.setAttribute('aria-expanded', 'true'); const group = document.createElement('ul'); group.setAttribute('role', 'group'); item.append(group); make(group, level + 1) } else if (level === 2) { $('#out').innerHTML = `<p>${one} is selected.</p><button id=del>Delete ${one}</button>`; on('#del', 'click', () => { item.remove(); $('#out').innerHTML = '<p role=status>Deleted</p>'; if (one === path[2]) solved() }) } }) });
make($('#tree'), 0)</script>"#,
        solve: |agent| Box::pin(tree(agent)),
    },
    Task {
        name: "more and more of a feed",
        page: r#"<h1>News</h1><p id=task></p><div role=feed aria-label=News id=feed></div><button id=more>Show more</button><div id=out></div><script>
const list = times(40, (at) => words[at]), want = int(13, 23); let shown = 0; $('#task').textContent = `Task: like the message of ${list[want]}.`;
const more = () => { list.slice(shown, shown + 6).forEach((one) => { put('#feed', `<article><p>Message of ${one}</p><button>Like ${one}</button></article>`); $('#feed').lastElementChild.querySelector('button').addEventListener('click', (event) => { event.target.textContent = `Liked ${one}`; if (one === list[want]) solved() }) }); shown += 6 }; more(); on('#more', 'click', async () => { await late(80); more() })</script>"#,
        solve: |agent| Box::pin(feed(agent)),
    },
    Task {
        name: "deleting with a question each time",
        page: r#"<h1>IgnoreRules</h1><p>Task: delete the three rules that are off.</p><table aria-label=IgnoreRules id=table></table><div id=ask></div><script>
const names = times(8, name), off = shuffled(times(8, (at) => at)).slice(0, 3); let left = 3;
$('#table').innerHTML = names.map((one, at) => `<tr><td>${one}</td><td>${off.includes(at) ? 'off' : 'on'}</td><td><button>Delete ${one} (${off.includes(at) ? 'off' : 'on'})</button></td></tr>`).join('');
all('#table button').forEach((button, at) => button.addEventListener('click', () => { $('#ask').innerHTML = `<div class=box role=dialog aria-modal=true aria-label="Delete ${names[at]}?"><p>It cannot be brought back.</p><button id=yes>Yes, delete ${names[at]}</button><button>No</button></div>`; on('#yes', 'click', () => { button.closest('tr').remove(); $('#ask').innerHTML = ''; if (off.includes(at) && --left === 0) solved() }) }))</script>"#,
        solve: |agent| Box::pin(deleting(agent)),
    },
    Task {
        name: "a card through the columns of a board",
        page: r#"<h1>Board</h1><p id=task></p><div id=board style="display:flex;gap:20px"></div><script>
const columns = ['Planned', 'Doing', 'Testing', 'Done'], cards = times(7, (at) => ({ name: name(), at: at % 3 })), want = cards[0]; $('#task').textContent = `Task: bring ${want.name} to Done.`;
$('#board').innerHTML = columns.map((one) => `<section aria-label=${one}><h2>${one}</h2><ul></ul></section>`).join('');
cards.forEach((card) => { const item = document.createElement('li'); item.innerHTML = `${card.name} <button>Move ${card.name} on</button>`; const place = () => { all('#board ul')[card.at].append(item); if (card.at === 3) { item.querySelector('button').remove(); if (card === want) solved() } }; place(); item.querySelector('button').addEventListener('click', () => { card.at++; place() }) })</script>"#,
        solve: |agent| Box::pin(board(agent)),
    },
];

async fn paging(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let button = format!("Choose {}", agent.must("page to ")?);
    for _ in 0..5 {
        if agent.sees("button", &button).await? {
            break;
        }
        agent.click("button", "Forward").await?;
    }
    agent.click("button", &button).await
}

async fn editing(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let marked = agent.names("button", "Edit ", "!");
    anyhow::ensure!(marked.len() == 2, "two are marked, not {marked:?}");
    for button in marked {
        agent.click("button", &button).await?;
        agent.fill(&[("Owner", "Ada")], "Save project").await?;
    }
    Ok(())
}

async fn cheapest(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
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

async fn to_do(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let line = agent.line_with("Task: add ").context("no task")?;
    let names: Vec<String> = line.split_whitespace().skip(2).take(3).map(str::to_owned).collect();
    for name in &names {
        agent.fill(&[("New", name)], "Add").await?;
    }
    agent.click("checkbox", &names[0]).await?;
    agent.click("button", "Clear done ones").await
}

async fn tree(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
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

async fn feed(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let button = format!("Like {}", agent.must("like the message of ")?);
    for _ in 0..6 {
        if agent.sees("button", &button).await? {
            break;
        }
        agent.click("button", "Show more").await?;
    }
    agent.click("button", &button).await
}

async fn deleting(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    for button in agent.names("button", "Delete ", "(off)") {
        agent.click("button", &button).await?;
        let yes = agent.name_of("button", "Yes, delete ").context("nobody asks")?;
        agent.click("button", &yes).await?;
    }
    Ok(())
}

async fn board(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let button = format!("Move {} on", agent.must("bring ")?);
    for _ in 0..3 {
        agent.click("button", &button).await?;
    }
    Ok(())
}
