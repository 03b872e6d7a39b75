//! Tasks with panels, pickers and shops: tabs, accordions, auto-complete, calendars, carts, mails,
//! seats.

use anyhow::Context;
use serde_json::json;

use super::Task;
use super::agent::TaskAgent;

pub const TASKS: &[Task] = &[
    Task {
        name: "three things into the cart, and pay",
        page: r#"<h1>Shop</h1><p id=task></p><button id=cart>Cart (0)</button><ul aria-label=Goods id=list></ul><div id=out></div><script>
const goods = times(10, () => [name(), int(2, 60)]), want = shuffled(goods).slice(0, 3); let cart = []; $('#task').textContent = `Task: buy ${want.map((one) => one[0]).join(' ')} and pay.`;
goods.forEach(([one, cost]) => put('#list', `<li><b>${one}</b> € ${cost} <button>Add ${one}</button></li>`));
all('#list button').forEach((button, at) => button.addEventListener('click', () => { cart.push(goods[at]); $('#cart').textContent = `Cart (${cart.length})`; put('#out', `<p role=status>${goods[at][0]} is in your cart</p>`); $('#out').querySelector('[role=status]:not(:last-child)')?.remove() }));
on('#cart', 'click', () => { const sum = cart.reduce((sum, one) => sum + one[1], 0); document.body.insertAdjacentHTML('beforeend', `<div class=box role=dialog aria-modal=true aria-label="Your cart"><ul>${cart.map((one) => `<li>${one[0]}: € ${one[1]}</li>`).join('')}</ul><p>Sum: € ${sum}</p><button id=pay>Pay € ${sum}</button></div>`); on('#pay', 'click', () => { $('.box').innerHTML = '<p role=status>Thank you</p>'; if (cart.map((one) => one[0]).sort().join() === want.map((one) => one[0]).sort().join()) solved() }) })</script>"#,
        solve: |agent| Box::pin(cart(agent)),
    },
    Task {
        name: "a code behind one of five tabs",
        page: r#"<h1>Device</h1><p>Task: find the serial number behind the tabs and enter it.</p><div role=tablist id=tabs aria-label=Parts></div><div id=panels></div><label>Serial number <input id=field></label><button id=go>Check</button><div id=out></div><script>
const titles = times(5, name), at = int(2, 4), code = `${name()}${int(100, 999)}`; titles.forEach((title, place) => { put('#tabs', `<button role=tab aria-selected=${!place} id=t${place}>${title}</button>`); put('#panels', `<div role=tabpanel aria-labelledby=t${place} ${place ? 'hidden' : ''}><p>${place === at ? `The serial is ${code} here.` : `Nothing but ${name()} here.`}</p></div>`) });
all('[role=tab]').forEach((tab, place) => tab.addEventListener('click', () => { all('[role=tab]').forEach((other, n) => other.setAttribute('aria-selected', n === place)); all('[role=tabpanel]').forEach((panel, n) => (panel.hidden = n !== place)) }));
on('#go', 'click', () => { if ($('#field').value === code) { $('#out').textContent = 'Right'; solved() } })</script>"#,
        solve: |agent| Box::pin(tabs(agent)),
    },
    Task {
        name: "the right answer in an accordion",
        page: r#"<h1>Questions</h1><p id=task></p><div id=parts></div><script>
const titles = times(6, name), topics = times(6, name), at = int(2, 5); $('#task').textContent = `Task: find the answer about ${topics[at]} and say that it helped.`;
titles.forEach((title, place) => put('#parts', `<h3><button aria-expanded=false>${title}</button></h3><div hidden><p>This answers what ${topics[place]} is.</p><button>${topics[place]} helped</button></div>`));
all('#parts h3 button').forEach((button, place) => button.addEventListener('click', () => { button.setAttribute('aria-expanded', 'true'); button.parentElement.nextElementSibling.hidden = false }));
all('#parts div button').forEach((button, place) => button.addEventListener('click', () => { button.textContent = 'Thank you'; if (place === at) solved() }))</script>"#,
        solve: |agent| Box::pin(accordion(agent)),
    },
    Task {
        name: "auto-complete twice, then a flight",
        page: r#"<h1>Flights</h1><p id=task></p><label>From <input id=a></label><div id=la></div><label>To <input id=b></label><div id=lb></div><button id=go>Find flights</button><div id=out></div><script>
const towns = times(12, () => `${name()} ${name()}`), from = towns[2], to = towns[7], costs = times(5, () => int(50, 900)); $('#task').textContent = `Task: the cheapest flight from ${from.split(' ')[0]} to ${to.split(' ')[0]} please.`;
const wire = (field, list) => on(field, 'input', async () => { await late(50); const found = towns.filter((town) => town.startsWith($(field).value)); $(list).innerHTML = `<ul role=listbox aria-label=Towns>${found.map((town) => `<li role=option tabindex=-1>${town}</li>`).join('')}</ul>`; all(`${list} [role=option]`).forEach((option) => option.addEventListener('click', () => { $(field).value = option.textContent; $(list).innerHTML = '' })) }); wire('#a', '#la'); wire('#b', '#lb');
on('#go', 'click', async () => { await late(100); if ($('#a').value !== from || $('#b').value !== to) { $('#out').innerHTML = '<p role=alert>Choose both towns</p>'; return } $('#out').innerHTML = `<h2>5 flights</h2><ul>${costs.map((cost, at) => `<li>Flight ${at + 1} <button>Book for € ${cost}</button></li>`).join('')}</ul>`; all('#out button').forEach((button, at) => button.addEventListener('click', () => { $('#out').innerHTML = '<p role=status>Booked</p>'; if (costs[at] === Math.min(...costs)) solved() })) })</script>"#,
        solve: |agent| Box::pin(flights(agent)),
    },
    Task {
        name: "a day in a calendar",
        page: r#"<h1>Visit</h1><p id=task></p><button id=open>Choose a day</button><div id=slot></div><script>
const months = 'January February March April May June July August September October November December'.split(' '), target = int(2, 5), day = int(1, 28); let month = 0; $('#task').textContent = `Task: a visit on ${months[target]} ${day} please.`;
const draw = () => { $('#slot').innerHTML = `<div role=dialog aria-label=Calendar><h2>${months[month]} 2027</h2><button id=prev>Previous month</button><button id=next>Next month</button><table aria-label=Days>${times(4, (week) => `<tr>${times(7, (at) => `<td><button>${week * 7 + at + 1}</button></td>`).join('')}</tr>`).join('')}</table></div>`; on('#next', 'click', () => { month++; draw() }); on('#prev', 'click', () => { month--; draw() }); all('#slot td button').forEach((button) => button.addEventListener('click', () => { $('#slot').innerHTML = `<p>${months[month]} ${button.textContent} is free.</p><button id=ok>Book it</button>`; const right = month === target && button.textContent === `${day}`; on('#ok', 'click', () => { $('#slot').textContent = 'Booked'; if (right) solved() }) })) };
on('#open', 'click', draw)</script>"#,
        solve: |agent| Box::pin(calendar(agent)),
    },
    Task {
        name: "stepper until the sum is right",
        page: r#"<h1>Donate</h1><p id=task></p><button id=less>Less</button><output id=sum></output><button id=plus>More</button><button id=go>Donate it</button><div id=out></div><script>
let sum = 10; const step = int(3, 9), want = 10 + step * int(3, 5), show = () => ($('#sum').textContent = `Sum: € ${sum} now`); show(); $('#task').textContent = `Task: donate exactly € ${want} please.`;
on('#plus', 'click', () => { sum += step; show() }); on('#less', 'click', () => { sum -= step; show() }); on('#go', 'click', () => { $('#out').textContent = 'Thank you'; if (sum === want) solved() })</script>"#,
        solve: |agent| Box::pin(stepper(agent)),
    },
    Task {
        name: "a mail answered and archived",
        page: r#"<h1>Mail</h1><p id=task></p><div id=box></div><script>
const senders = times(9, name), subjects = times(9, name), at = int(0, 8); let gone = -1, answered = false; $('#task').textContent = `Task: answer the mail of ${senders[at]} with its subject, then archive it.`;
const inbox = () => { $('#box').innerHTML = `<h2>Inbox</h2><ul aria-label=Mails>${senders.map((one, place) => (place === gone ? '' : `<li><a href=#mail>${one} wrote</a></li>`)).join('')}</ul>`; all('#box a').forEach((link) => link.addEventListener('click', (event) => { event.preventDefault(); open(senders.indexOf(link.textContent.split(' ')[0])) })) };
const open = (place) => { $('#box').innerHTML = `<h2>Mail of ${senders[place]}</h2><p>The subject is ${subjects[place]} today.</p><button id=reply>Reply</button><button id=archive>Archive it</button><div id=slot></div>`; on('#reply', 'click', () => { $('#slot').innerHTML = '<label>Your answer <textarea id=text></textarea></label><button id=send>Send it</button>'; on('#send', 'click', () => { answered = place === at && $('#text').value === subjects[at]; $('#slot').innerHTML = '<p role=status>Sent</p>' }) }); on('#archive', 'click', () => { gone = place; inbox(); if (answered && place === at) solved() }) }; inbox()</script>"#,
        solve: |agent| Box::pin(mail(agent)),
    },
    Task {
        name: "two free seats",
        page: r#"<h1>Hall</h1><p>Task: take two free seats and confirm with the number shown.</p><div id=hall role=group aria-label=Seats></div><div id=out></div><script>
const free = shuffled(times(12, (at) => at)).slice(0, 4), taken = []; $('#hall').innerHTML = times(12, (at) => `<button aria-pressed=false ${free.includes(at) ? '' : 'disabled'}>Seat ${at + 1}${free.includes(at) ? ' free' : ''}</button>`).join('');
all('#hall button').forEach((button, at) => button.addEventListener('click', () => { taken.push(at); button.setAttribute('aria-pressed', 'true'); $('#out').innerHTML = `<p>${taken.length} chosen</p>`; if (taken.length === 2) { const code = `${int(100, 999)}`; $('#out').innerHTML = `<p>Confirm with ${code} please.</p><label>Confirmation <input id=code></label><button id=ok>Take them</button>`; on('#ok', 'click', () => { if ($('#code').value === code) { $('#out').innerHTML = '<p role=status>Yours</p>'; solved() } }) } }))</script>"#,
        solve: |agent| Box::pin(seats(agent)),
    },
];

async fn cart(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let line = agent.line_with("Task: buy ").context("no task")?;
    let names: Vec<String> = line.split_whitespace().skip(2).take(3).map(str::to_owned).collect();
    for (at, name) in names.iter().enumerate() {
        agent.click("button", &format!("Add {name}")).await?;
        anyhow::ensure!(
            agent.known("button", &format!("Cart ({})", at + 1)).is_some(),
            "the cart does not count"
        );
    }
    agent.click("button", "Cart (3)").await?;
    let pay = agent.name_of("button", "Pay € ").context("nothing to pay with")?;
    agent.click("button", &pay).await
}

async fn tabs(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    for tab in agent.names("tab", "", "") {
        if agent.after("The serial is ").is_some() {
            break;
        }
        agent.click("tab", &tab).await?;
    }
    let code = agent.must("The serial is ")?;
    agent.fill(&[("Serial number", &code)], "Check").await
}

async fn accordion(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let topic = agent.must("answer about ")?;
    let button = format!("{topic} helped");
    for title in agent.questions() {
        if agent.known("button", &button).is_some() {
            break;
        }
        agent.click("button", &title).await?;
    }
    agent.click("button", &button).await
}

async fn flights(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let from = agent.must("flight from ")?;
    let to = agent.must(&format!("flight from {from} to "))?;
    for (field, town) in [("From", from), ("To", to)] {
        let number = agent.field(field).await?;
        agent.act(json!([{ "type": "fill", "element": number, "text": town }])).await?;
        let option =
            agent.name_of("option", &town).with_context(|| format!("no town {town} is offered"))?;
        agent.click("option", &option).await?;
    }
    agent.click("button", "Find flights").await?;
    let offers = agent.names("button", "Book for € ", "");
    let cost = |offer: &String| {
        offer.rsplit(' ').next().and_then(|cost| cost.parse::<u32>().ok()).unwrap_or(u32::MAX)
    };
    let best = offers.into_iter().min_by_key(cost).context("no flight is offered")?;
    agent.click("button", &best).await
}

async fn calendar(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let month = agent.must("a visit on ")?;
    let day = agent.must(&format!("a visit on {month} "))?;
    agent.click("button", "Choose a day").await?;
    for _ in 0..6 {
        if agent.line_with(&format!("{month} 2027")).is_some() {
            break;
        }
        agent.click("button", "Next month").await?;
    }
    agent.click("button", &day).await?;
    agent.click("button", "Book it").await
}

async fn stepper(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let want = agent.must("exactly € ")?;
    for _ in 0..6 {
        if agent.must("Sum: € ")? == want {
            break;
        }
        agent.click("button", "More").await?;
    }
    agent.click("button", "Donate it").await
}

async fn mail(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let sender = agent.must("the mail of ")?;
    agent.click("link", &format!("{sender} wrote")).await?;
    let subject = agent.must("The subject is ")?;
    agent.click("button", "Reply").await?;
    agent.fill(&[("Your answer", &subject)], "Send it").await?;
    agent.click("button", "Archive it").await
}

async fn seats(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    for seat in agent.names("button", "Seat ", " free").into_iter().take(2) {
        agent.click("button", &seat).await?;
    }
    let code = agent.must("Confirm with ")?;
    agent.fill(&[("Confirmation", &code)], "Take them").await
}
