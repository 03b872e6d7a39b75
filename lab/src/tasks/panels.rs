//! Tasks with panels, pickers and shops: tabs, accordions, auto-complete, calendars, carts, mails,
//! seats.

use anyhow::Context;
use serde_json::json;

use super::agent::TaskAgent;

pub async fn cart(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
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

pub async fn tabs(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    for tab in agent.names("tab", "", "") {
        if agent.after("The serial is ").is_some() {
            break;
        }
        agent.click("tab", &tab).await?;
    }
    let code = agent.must("The serial is ")?;
    agent.fill(&[("Serial number", &code)], "Check").await
}

pub async fn accordion(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
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

pub async fn flights(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
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

pub async fn calendar(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
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

pub async fn stepper(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let want = agent.must("exactly € ")?;
    for _ in 0..6 {
        if agent.must("Sum: € ")? == want {
            break;
        }
        agent.click("button", "More").await?;
    }
    agent.click("button", "Donate it").await
}

pub async fn mail(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let sender = agent.must("the mail of ")?;
    agent.click("link", &format!("{sender} wrote")).await?;
    let subject = agent.must("The subject is ")?;
    agent.click("button", "Reply").await?;
    agent.fill(&[("Your answer", &subject)], "Send it").await?;
    agent.click("button", "Archive it").await
}

pub async fn seats(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    for seat in agent.names("button", "Seat ", " free").into_iter().take(2) {
        agent.click("button", &seat).await?;
    }
    let code = agent.must("Confirm with ")?;
    agent.fill(&[("Confirmation", &code)], "Take them").await
}
