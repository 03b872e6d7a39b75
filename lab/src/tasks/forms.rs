//! Tasks with forms: registering, logging in, wizards, settings, choices that depend on each other.

use anyhow::Context;

use super::agent::TaskAgent;

pub async fn register(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let who = agent.must("register ")?;
    agent.fill(&[("Full name", &who), ("Mail", &who), ("Phone", "5550000")], "Register").await?;
    // Only the page says what is wrong.
    let phone = agent.must("Phone has the form ")?;
    anyhow::ensure!(agent.line_with("Mail needs an @").is_some(), "the mail was not refused");
    let mail = format!("{who}@example.org");
    agent.fill(&[("Mail", &mail), ("Phone", &phone)], "Register").await?;
    if agent.line_with("Terms have to be accepted").is_some() {
        agent.click("checkbox", "I agree to the terms").await?;
        agent.click("button", "Register").await?;
    }
    let code = agent.must("Your code is ")?;
    agent.fill(&[("Code", &code)], "Confirm").await
}

pub async fn log_in(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    agent.click("button", "Hint").await?;
    let word = agent.must("The password is ")?;
    agent.fill(&[("User", "guest"), ("Password", &word)], "Log in").await?;
    let pin = agent.must("It is ")?;
    agent.fill(&[("Number", &pin)], "Check").await?;
    agent.click("button", "Continue").await
}

pub async fn wizard(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    for step in 1..=4 {
        let answer = agent.must("Please enter ")?;
        agent.fill(&[(&format!("Answer {step}"), &answer)], "Continue").await?;
    }
    Ok(())
}

pub async fn settings(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    agent.click("switch", "Alerts").await?;
    agent.click("radio", "Mail").await?;
    agent.click("radio", "Daily").await?;
    agent.click("button", "Save settings").await
}

pub async fn selects(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    let line = agent.line_with("find the branch in ").context("no task")?;
    let names = line.split_once("branch in ").and_then(|(_, rest)| rest.split_once(" and call"));
    let names: Vec<String> = names.context("no names")?.0.split(" / ").map(str::to_owned).collect();
    for (list, value) in ["Country", "Region", "Town"].into_iter().zip(names) {
        let number = agent.field(list).await?;
        agent
            .act(serde_json::json!([{ "type": "select", "element": number, "values": [value] }]))
            .await?;
    }
    agent.click("button", "Show the branch").await?;
    agent.click("button", "Call it").await
}

pub async fn quiz(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    for _ in 0..5 {
        let line = agent.line_with("What is ").context("no question")?;
        let sum: u32 = line
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|part| part.parse::<u32>().ok())
            .sum();
        agent.fill(&[("Answer", &sum.to_string())], "Answer it").await?;
    }
    Ok(())
}

pub async fn chat(agent: &mut TaskAgent<'_>) -> anyhow::Result<()> {
    agent.fill(&[("Message", "Give me the code please")], "Send").await?;
    let code = agent.must("the code is ")?;
    agent.fill(&[("Message", &code)], "Send").await?;
    agent.click("button", "Yes, close it").await
}
