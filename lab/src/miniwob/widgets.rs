//! Tasks with things that are set rather than clicked: lists, sliders, spinners, suggestions,
//! calendars, numbers that come by chance.

use anyhow::Context;
use serde_json::{Value, json};

use super::agent::{MiniwobAgent, SolveResult, click, fill};

/// One or more options of a list, then `Submit`.
pub async fn list(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let list = sight.named("combobox", "").or_else(|| sight.named("listbox", ""));
    let list = list.context("no list")?.number()?;
    let wanted = sight.between("Select ", " from the")?;
    let values: Vec<&str> = wanted.split(", ").collect();
    let submit = sight.find("button", "Submit")?.number()?;
    agent
        .act(json!([{ "type": "select", "element": list, "values": values }, click(submit)]))
        .await
        .map(drop)
}

/// A list that is drawn by script, then a button.
pub async fn drawn_list(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (wanted, label) = (sight.between("Choose ", " from the dropdown")?, sight.quoted(0)?);
    let list = sight.nth("clickable", 0)?.number()?;
    agent.click(list).await?;
    let open = agent.look_for("listitem", wanted).await?;
    let option = open.find("listitem", wanted)?.number()?;
    let button = sight.find("button", label)?.number()?;
    agent.act(json!([click(option), click(button)])).await.map(drop)
}

/// Sliders, each with its number below it, by the arrow keys.
pub async fn sliders(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let wanted: Vec<i64> = match sight.between("Select ", " with the slider") {
        Ok(number) => vec![number.parse()?],
        Err(_) => serde_json::from_str(&format!("[{}]", sight.between("[", "]")?))?,
    };
    let mut actions = Vec::new();
    let mut numbers = wanted.iter();
    for pair in sight.lines.windows(2).filter(|pair| pair[0].role == "clickable") {
        let Ok(now) = pair[1].name.parse::<i64>() else { continue };
        let to = numbers.next().context("more sliders than numbers")?;
        let key = if *to > now { "ArrowRight" } else { "ArrowLeft" };
        let press = json!({ "type": "press", "key": key, "element": pair[0].number()? });
        actions.extend(std::iter::repeat_n(press, (to - now).unsigned_abs() as usize));
    }
    if let Ok(place) = sight.ordinal() {
        actions.push(click(sight.nth("checkbox", place)?.number()?));
    }
    actions.push(click(sight.find("button", "Submit")?.number()?));
    // A batch has a limit in time.
    for some in actions.chunks(40) {
        agent.act(json!(some)).await?;
    }
    Ok(())
}

/// A number field with two small buttons.
pub async fn spinner(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let wanted: i64 = sight.between("Select ", " with")?.parse()?;
    let (up, down) = (sight.nth("button", 0)?.number()?, sight.nth("button", 1)?.number()?);
    let turn = click(if wanted > 0 { up } else { down });
    let mut actions = vec![turn; wanted.unsigned_abs() as usize];
    actions.push(click(sight.find("button", "Submit")?.number()?));
    agent.act(json!(actions)).await.map(drop)
}

/// A suggestion that begins, and may have to end, as the task says.
pub async fn suggestion(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (begins, ends) = (sight.quoted(0)?, sight.quoted(1).unwrap_or_default());
    let field = sight.nth("textbox", 0)?.number()?;
    agent.act(json!([{ "type": "type", "element": field, "text": begins }])).await?;
    for _ in 0..20 {
        let open = agent.look().await?;
        let fits = |name: &str| name.starts_with(begins) && name.ends_with(ends);
        let found = open
            .lines
            .iter()
            .skip(1)
            .find(|line| line.role != "textbox" && line.number.is_some() && fits(&line.name));
        if let Some(found) = found {
            let submit = open.find("button", "Submit")?.number()?;
            return agent.act(json!([click(found.number()?), click(submit)])).await.map(drop);
        }
        agent.act(json!([{ "type": "wait", "ms": 150 }])).await?;
    }
    anyhow::bail!("no suggestion {begins:?} … {ends:?} came")
}

/// A day in a calendar that opens at December.
pub async fn calendar(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let parts: Vec<u32> = sight
        .between("Select ", " as the date")?
        .split('/')
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let [month, day, _] = parts[..] else { anyhow::bail!("no date in {:?}", sight.task()) };
    agent.click(sight.nth("textbox", 0)?.number()?).await?;
    let names = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let wanted = names.get(month as usize - 1).context("no such month")?;
    for _ in 0..14 {
        let open = agent.look().await?;
        if open.lines.iter().any(|line| line.name.starts_with(wanted)) {
            agent.click(open.find("link", &day.to_string())?.number()?).await?;
            return agent.click(sight.find("button", "Submit")?.number()?).await.map(drop);
        }
        let before = open.lines.iter().find(|line| line.name == "Prev").context("no way back")?;
        agent.click(before.number()?).await?;
    }
    anyhow::bail!("{wanted} never came")
}

/// A number by chance that is as the task says.
pub async fn generated(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (generate, submit) =
        (sight.find("button", "Generate")?.number()?, sight.find("button", "Submit")?.number()?);
    let bound =
        |words: &str| sight.between(words, ",").ok().and_then(|number| number.parse::<i64>().ok());
    for _ in 0..60 {
        agent.click(generate).await?;
        let now = agent.look().await?;
        let Some(number) = now.lines.iter().skip(1).find_map(|line| line.name.parse::<i64>().ok())
        else {
            continue;
        };
        let fits = match (bound("less than "), bound("greater than ")) {
            (Some(bound), _) => number < bound,
            (_, Some(bound)) => number > bound,
            _ => (number % 2 == 0) == sight.task().contains("even"),
        };
        if fits {
            return agent.click(submit).await.map(drop);
        }
    }
    anyhow::bail!("no such number came")
}

/// A number between 0 and 9, from what is said about each guess.
pub async fn guessed(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (field, submit) =
        (sight.nth("spinbutton", 0)?.number()?, sight.find("button", "Submit")?.number()?);
    let (mut low, mut high) = (0, 9);
    while low <= high {
        let guess = (low + high) / 2;
        agent.fill_and_click(field, &guess.to_string(), submit).await?;
        let now = agent.look().await?;
        let says = |words: &str| now.lines.iter().any(|line| line.name.contains(words));
        match (says("is lower than"), says("is higher than")) {
            (true, _) => high = guess - 1,
            (_, true) => low = guess + 1,
            _ => return Ok(()),
        }
    }
    anyhow::bail!("no number fits what was said")
}

/// A radio button and a field, each by its place.
pub async fn places(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let place = |words: &str| -> anyhow::Result<usize> {
        let text = sight.between("the ", words)?.rsplit(' ').next().unwrap_or_default();
        Ok(text.trim_end_matches(|end: char| !end.is_ascii_digit()).parse::<usize>()? - 1)
    };
    let radio = sight.nth("radio", place(" radio")?)?.number()?;
    let field =
        sight.task().split("into the ").nth(1).and_then(|rest| rest.chars().next()?.to_digit(10));
    let field = sight.nth("textbox", field.context("no field named")? as usize - 1)?.number()?;
    let submit = sight.find("button", "Submit")?.number()?;
    agent.act(json!([click(radio), fill(field, sight.quoted(0)?), click(submit)])).await.map(drop)
}

/// A text that has to be scrolled to its end before the fields can be used.
pub async fn agreement(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    if sight.task().starts_with("Click the cancel") {
        return agent.click(sight.find("button", "Cancel")?.number()?).await.map(drop);
    }
    let (name, button) = (sight.quoted(0)?, sight.find("button", sight.quoted(1)?)?.number()?);
    let (text, field) = (sight.nth("textbox", 0)?.number()?, sight.nth("textbox", 1)?.number()?);
    let scroll: Value = json!({ "type": "scroll", "element": text, "dy": 10_000 });
    agent.act(json!([scroll, fill(field, name), click(button)])).await.map(drop)
}

/// The last word of a long text.
pub async fn last_word(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let all = agent.expand(sight.nth("textbox", 0)?.number()?).await?;
    let text = all["value"].as_str().context("the text has no value")?;
    let word = text
        .split_whitespace()
        .last()
        .context("no word")?
        .trim_matches(|sign: char| !sign.is_alphanumeric());
    let (field, submit) =
        (sight.nth("textbox", 1)?.number()?, sight.find("button", "Submit")?.number()?);
    agent.fill_and_click(field, word, submit).await
}

/// The smaller box into the larger one.
pub async fn drag(agent: &mut MiniwobAgent) -> SolveResult {
    let sight = agent.look().await?;
    let (small, large) =
        (sight.find("clickable", "s")?.number()?, sight.find("clickable", "L")?.number()?);
    agent.act(json!([{ "type": "drag", "from": small, "to": large }])).await?;
    agent.click(sight.find("button", "Submit")?.number()?).await.map(drop)
}
