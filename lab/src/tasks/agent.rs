//! The knowledge and the abilities of the program of a task. It acts on the references that it has
//! read. It learns what an action changed from the diff in the reply or, with the diff turned off,
//! by looking at the page again; the program is the same. Counts calls and the tokens of their
//! answers.

use anyhow::Context;
use serde_json::{Value, json};

use crate::mcp::McpClient;
use crate::outline::{OutlineLine, ParsedOutline};
use crate::product::{NEW_REFERENCES, UNPROMPTED_CHANGES, begins_changes, count_tokens};

/// How a program learns what an action changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// From the diff in the reply.
    Diff,
    /// By another look at the page.
    Look,
}

/// The effort of solving a task.
#[derive(Clone, Copy, Default)]
pub struct TaskCost {
    pub calls: usize,
    pub tokens: usize,
    /// Of the first look alone.
    pub first_look: usize,
    /// Looks that were needed in addition to the replies.
    pub extra_looks: usize,
}

impl TaskCost {
    /// Adds the cost of another run.
    pub fn add(&mut self, other: TaskCost) {
        self.calls += other.calls;
        self.tokens += other.tokens;
        self.first_look += other.first_look;
        self.extra_looks += other.extra_looks;
    }
}

/// The agent of one task, and what it knows.
pub struct TaskAgent<'c> {
    client: &'c McpClient,
    feedback: Feedback,
    /// The known facts, the newest first.
    lines: Vec<OutlineLine>,
    /// References of folded parts that could be opened.
    folded: Vec<u32>,
    pub cost: TaskCost,
}

impl<'c> TaskAgent<'c> {
    /// Goes to the page and looks at it.
    pub async fn begin(
        client: &'c McpClient,
        feedback: Feedback,
        url: &str,
    ) -> anyhow::Result<TaskAgent<'c>> {
        client
            .call("experimental_features", json!({ "page_diffing": feedback == Feedback::Diff }))
            .await?;
        let mut agent = TaskAgent {
            client,
            feedback,
            lines: Vec::new(),
            folded: Vec::new(),
            cost: TaskCost::default(),
        };
        agent.call("browser_navigate", json!({ "url": url })).await?;
        let before = agent.cost.tokens;
        agent.look().await?;
        agent.cost.first_look = agent.cost.tokens - before;
        Ok(agent)
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> anyhow::Result<String> {
        let reply = self.client.ask(tool, arguments).await?;
        self.cost.calls += 1;
        self.cost.tokens += count_tokens(&reply.text);
        anyhow::ensure!(!reply.failed, "{tool}: {}", reply.text);
        Ok(reply.text)
    }

    async fn look(&mut self) -> anyhow::Result<()> {
        let outline = self.call("inspect_tab", json!({})).await?;
        self.lines = ParsedOutline::read(&outline).lines;
        self.folded = outline.lines().filter_map(|line| number_after(line, "scope=[")).collect();
        Ok(())
    }

    /// Opens what is folded, one after the other, until something of this role and name is known.
    async fn unfold(&mut self, role: &str, name: &str) -> anyhow::Result<bool> {
        while self.known(role, name).is_none() {
            let Some(scope) = self.folded.pop() else { return Ok(false) };
            self.cost.extra_looks += 1;
            let outline = self.call("inspect_tab", json!({ "scope": scope.to_string() })).await?;
            self.lines.splice(0..0, ParsedOutline::read(&outline).lines);
        }
        Ok(true)
    }

    /// Whether it is there, after opening what is folded.
    pub async fn sees(&mut self, role: &str, name: &str) -> anyhow::Result<bool> {
        self.unfold(role, name).await
    }

    /// Acts, and learns what changed.
    pub async fn act(&mut self, actions: Value) -> anyhow::Result<()> {
        anyhow::ensure!(self.tried(actions).await?, "a reference was stale");
        Ok(())
    }

    /// The same; false if a reference was stale, and another look was taken.
    async fn tried(&mut self, actions: Value) -> anyhow::Result<bool> {
        let reply = self.call("browser_interact", json!({ "actions": actions })).await;
        match (self.feedback, reply) {
            (_, Err(error)) if error.to_string().contains("stale reference") => {
                self.cost.extra_looks += 1;
                self.look().await?;
                Ok(false)
            }
            (_, Err(error)) => Err(error),
            (Feedback::Look, Ok(_)) => self.look().await.map(|()| true),
            (Feedback::Diff, Ok(reply)) => {
                self.learn(&reply);
                Ok(true)
            }
        }
    }

    /// Clicks on what has this role and name; once more if its number was stale.
    pub async fn click(&mut self, role: &str, name: &str) -> anyhow::Result<()> {
        let number = self.number(role, name).await?;
        if self.tried(json!([{ "type": "click", "element": number }])).await? {
            return Ok(());
        }
        let number = self.number(role, name).await?;
        self.act(json!([{ "type": "click", "element": number }])).await
    }

    /// Fills fields, then clicks a button; once more if a number was stale.
    pub async fn fill(&mut self, fields: &[(&str, &str)], button: &str) -> anyhow::Result<()> {
        let actions = self.filling(fields, button).await?;
        if self.tried(actions).await? {
            return Ok(());
        }
        let actions = self.filling(fields, button).await?;
        self.act(actions).await
    }

    async fn filling(&mut self, fields: &[(&str, &str)], button: &str) -> anyhow::Result<Value> {
        let mut actions = Vec::new();
        for (field, text) in fields {
            let number = self.field(field).await?;
            actions.push(json!({ "type": "fill", "element": number, "text": text }));
        }
        let number = self.number("button", button).await?;
        actions.push(json!({ "type": "click", "element": number }));
        Ok(json!(actions))
    }

    /// The number of a field by its name, whatever its role.
    pub async fn field(&mut self, name: &str) -> anyhow::Result<u32> {
        for role in ["textbox", "combobox", "searchbox", "spinbutton"] {
            if let Some(number) = self.known(role, name) {
                return Ok(number);
            }
        }
        self.number("textbox", name).await
    }

    /// The number of what has this role and name; what is not known is looked for.
    pub async fn number(&mut self, role: &str, name: &str) -> anyhow::Result<u32> {
        if !self.unfold(role, name).await? {
            self.cost.extra_looks += 1;
            self.look().await?;
        }
        let lines: Vec<&str> = self.lines.iter().map(|line| line.name.as_str()).collect();
        self.known(role, name).with_context(|| format!("no {role} {name:?} among {lines:?}"))
    }

    /// The number, if it is known.
    pub fn known(&self, role: &str, name: &str) -> Option<u32> {
        // `treeitem 2`: the level follows the role.
        let fits =
            |line: &&OutlineLine| line.role.split(' ').next() == Some(role) && line.name == name;
        self.lines.iter().find(fits).and_then(|line| line.number)
    }

    /// The first name of a role that begins like this, the newest first.
    pub fn name_of(&self, role: &str, begin: &str) -> Option<String> {
        let fits = |line: &&OutlineLine| line.role == role && line.name.starts_with(begin);
        self.lines.iter().find(fits).map(|line| line.name.clone())
    }

    /// All names of a role that begin and end like this.
    pub fn names(&self, role: &str, begin: &str, end: &str) -> Vec<String> {
        let fits = |line: &&OutlineLine| {
            line.role == role && line.name.starts_with(begin) && line.name.ends_with(end)
        };
        self.lines.iter().filter(fits).map(|line| line.name.clone()).collect()
    }

    /// The names of buttons that open something.
    pub fn questions(&self) -> Vec<String> {
        let shut = |line: &&OutlineLine| {
            line.role == "button" && line.states.iter().any(|state| state == "collapsed")
        };
        self.lines.iter().filter(shut).map(|line| line.name.clone()).collect()
    }

    /// Finds the lowest price of all lines with this word; the name stands in front of it.
    pub fn cheapest_line(&self, word: &str) -> Option<String> {
        let priced = self.lines.iter().filter(|line| line.name.contains(word)).filter_map(|line| {
            let cost =
                line.name.split_once("€ ")?.1.split_whitespace().next()?.parse::<u32>().ok()?;
            Some((cost, line.name.clone()))
        });
        priced.min().map(|(_, name)| name)
    }

    /// Returns the word after these words in the newest line that has them.
    pub fn after(&self, words: &str) -> Option<String> {
        let texts = self.lines.iter().map(said);
        let rest = texts
            .into_iter()
            .find_map(|text| text.split_once(words).map(|(_, rest)| rest.to_owned()))?;
        let word = rest.split_whitespace().next()?;
        Some(word.trim_end_matches(['.', ',', ';']).to_owned())
    }

    /// The newest line that has these words, whole.
    pub fn line_with(&self, words: &str) -> Option<String> {
        self.lines.iter().map(said).find(|text| text.contains(words))
    }

    /// The same, or an error that says so.
    pub fn must(&self, words: &str) -> anyhow::Result<String> {
        self.after(words).with_context(|| format!("nothing says {words:?}"))
    }

    /// Takes the lines of a reply into what is known.
    fn learn(&mut self, reply: &str) {
        let mut fresh = Vec::new();
        for (was, now) in
            reply.lines().filter_map(|line| line.strip_prefix(NEW_REFERENCES)).flat_map(renumbered)
        {
            self.lines
                .iter_mut()
                .filter(|line| line.number == Some(was))
                .for_each(|line| line.number = Some(now));
        }
        let reported = reply.lines().skip_while(|line| !begins_changes(line));
        let mut lines = reported.skip(1).peekable();
        if lines.peek().is_none() && reply.contains("navigated to") {
            // Another page: what follows the verdict is an outline of it.
            self.lines = ParsedOutline::read(reply).lines;
            return;
        }
        for line in lines.filter(|line| {
            !line.starts_with(NEW_REFERENCES) && !line.starts_with(UNPROMPTED_CHANGES)
        }) {
            let text = line.trim_start();
            if let Some(gone) = text.strip_prefix("- ") {
                let number = OutlineLine::read(gone).number;
                self.lines.retain(|known| number.is_none() || known.number != number);
                continue;
            }
            let text = text.strip_prefix("+ ").or(text.strip_prefix("~ ")).unwrap_or(text);
            // A folded run shows one item; the rest is in the container that it names.
            if text.contains(", first ") {
                self.folded.extend(number_after(text, " in ["));
            }
            let text = [", first now ", ", first "]
                .iter()
                .find_map(|words| Some(text.split_once(words)?.1))
                .unwrap_or(text);
            fresh.push(renamed(text).unwrap_or_else(|| OutlineLine::read(text)));
        }
        for line in fresh.iter().filter(|line| line.number.is_some()) {
            self.lines.retain(|known| known.number != line.number);
        }
        self.lines.splice(0..0, fresh);
    }
}

/// `[12] is now [40] button: Save; [20] to [22] are now [41] to [43]`, number by number.
fn renumbered(reported: &str) -> Vec<(u32, u32)> {
    let numbers = |part: &str| -> Vec<u32> {
        part.split('[').skip(1).filter_map(|rest| rest.split_once(']')?.0.parse().ok()).collect()
    };
    let pairs = reported.split("; ").flat_map(|part| match numbers(part)[..] {
        [first, last, start, end] if last >= first && last - first == end.saturating_sub(start) => {
            (first..=last).zip(start..=end).collect()
        }
        [was, now, ..] => vec![(was, now)],
        _ => Vec::new(),
    });
    pairs.collect()
}

/// Returns the reference after these words.
fn number_after(line: &str, words: &str) -> Option<u32> {
    line.split_once(words)?.1.split_once(']')?.0.parse().ok()
}

/// A line's words: plain texts with a number are read as a role.
fn said(line: &OutlineLine) -> String {
    match (line.role.is_empty(), line.name.is_empty(), &line.value) {
        (_, _, Some(value)) => format!("{} {} {value}", line.role, line.name),
        (true, ..) => line.name.clone(),
        (false, true, _) => line.role.clone(),
        (false, false, _) => format!("{}: {}", line.role, line.name),
    }
}

/// `[7] button: "Save" → "Saved"` as the line that it is now.
fn renamed(text: &str) -> Option<OutlineLine> {
    let (head, now) = text.split_once(" → ")?;
    let mut line = OutlineLine::read(
        head.get(..head.find('"')?)?.trim_end().trim_end_matches([':', '=']).trim_end(),
    );
    let (text, rest) = crate::outline::unquoted(now)?;
    if head.contains(" = \"") {
        line.value = Some(text);
    } else {
        line.name = text;
    }
    line.states = rest.trim_start_matches(" — ").split(", ").map(str::to_owned).collect();
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_numbers_take_the_place_of_the_old_ones() {
        let reported =
            "[12] is now [40] button: Save; [20] to [22] are now [41] to [43] and 3 more";
        assert_eq!(renumbered(reported), [(12, 40), (20, 41), (21, 42), (22, 43)]);
    }

    #[test]
    fn a_changed_line_is_read_as_it_is_now() {
        let line = renamed("[7] button: \"Save\" → \"Saved\" — now disabled").unwrap();
        assert_eq!(
            (line.number, line.role.as_str(), line.name.as_str()),
            (Some(7), "button", "Saved")
        );
        let line = renamed("[7] textbox: Name = \"a\" → \"b\"").unwrap();
        assert_eq!((line.name.as_str(), line.value.as_deref()), ("Name", Some("b")));
        let line = renamed("[7] \"4 items\" → \"5 items\"").unwrap();
        assert_eq!(said(&line), "5 items");
    }
}
