//! Parses the diff in a reply of `browser_interact`: each line becomes a mark and a claim. Uses
//! only what an agent reads.

use crate::outline::unquoted;
use crate::product::{NEW_REFERENCES, REGION_STATES, UNPROMPTED_CHANGES, begins_changes};

/// The claim of one line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claim {
    /// `+`, `-` or `~`.
    pub mark: char,
    /// Role and name, or a text, as printed; for a changed name or value, what precedes it.
    pub body: String,
    /// A name or text before and now.
    pub names: Option<(String, String)>,
    /// A value before and now; of new elements only the second counts.
    pub values: Option<(String, String)>,
    /// The states after the dash.
    pub states: Vec<String>,
    /// Its new place: `behind Apollo`.
    pub moved: Option<String>,
    /// How many it stands for, and what they are called.
    pub run: Option<(usize, String)>,
    /// The container.
    pub holder: Option<String>,
    /// It is inside an added element, and printed below it.
    pub inside: bool,
    pub line: String,
}

impl Claim {
    /// Whether it heads a region that is shown as it is now.
    pub fn shows_region(&self) -> bool {
        let shown = |state: &String| REGION_STATES.contains(&state.as_str());
        self.mark == '~' && !self.inside && self.states.iter().any(shown)
    }
}

/// Everything that a reply reports.
#[derive(Debug, Default)]
pub struct ReportedChanges {
    pub claims: Vec<Claim>,
    /// The line about parts that change without an action.
    pub unprompted: String,
    /// How many changes were left out.
    pub left_out: usize,
    /// The block of changes, for its tokens.
    pub block: String,
    /// Why there is no diff: confidence too low.
    pub refused: Option<String>,
}

/// Parses a reply of `browser_interact`.
pub fn read(reply: &str) -> ReportedChanges {
    let mut reported = ReportedChanges::default();
    let mut lines = reply.lines().skip_while(|line| !begins(line));
    if let Some(first) = lines.next() {
        reported.block = format!("{first}\n");
        reported.refused = first.starts_with("diff confidence below").then(|| first.to_owned());
    }
    for line in lines.filter(|line| !line.is_empty()) {
        reported.block.push_str(line);
        reported.block.push('\n');
        if let Some(rest) = line.strip_prefix(UNPROMPTED_CHANGES) {
            reported.unprompted = rest.to_owned();
        } else if let Some(rest) =
            line.strip_prefix("… ").filter(|rest| rest.contains("more change"))
        {
            reported.left_out =
                rest.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(1);
        } else if line.starts_with(NEW_REFERENCES) {
            // New references of unchanged elements: not a claim about the page. `cargo lab tasks`
            // shows whether they are right.
        } else if line.starts_with(' ') {
            reported.claims.push(inner(line));
        } else {
            reported.claims.push(outer(line));
        }
    }
    reported
}

fn begins(line: &str) -> bool {
    let others = ["no visible change in text", "diff confidence below"];
    begins_changes(line) || others.iter().any(|start| line.starts_with(start))
}

/// A line below something that came.
fn inner(line: &str) -> Claim {
    let text = line.trim_start();
    let mut claim = Claim { mark: '+', inside: true, line: line.to_owned(), ..Claim::default() };
    if let Some((count, rest)) = text.strip_prefix("… ").and_then(|rest| rest.split_once(" more "))
    {
        let rest = rest.split(" — ").next().unwrap_or(rest);
        let (noun, holder) =
            rest.split_once(" in ").map_or((rest, None), |(noun, at)| (noun, Some(at)));
        claim.run = count.parse().ok().map(|count| (count, noun.to_owned()));
        claim.holder = holder.map(|holder| numbered(holder).to_owned());
        return claim;
    }
    whole(numbered(text), &mut claim);
    claim
}

/// A line with a mark.
fn outer(line: &str) -> Claim {
    let mut claim = Claim {
        mark: line.chars().next().unwrap_or(' '),
        line: line.to_owned(),
        ..Claim::default()
    };
    let rest = line.get(2..).unwrap_or_default();
    if let Some((count, noun)) = run(rest) {
        return folded(rest, count, noun, claim);
    }
    let rest = numbered(rest);
    match change(rest) {
        // `— placeholder "Find" → "Seek"` is a detail, not another name.
        Some((head, ..)) if outside_quotes(head, " — ") < head.len() => whole(rest, &mut claim),
        Some((head, was, now, behind)) => {
            if let Some(body) = head.strip_suffix(" = ") {
                claim.body = body.to_owned();
                claim.values = Some((was, now));
            } else {
                claim.body = head.trim_end_matches(": ").to_owned();
                claim.names = Some((was, now));
            }
            details(behind, &mut claim);
        }
        None => whole(rest, &mut claim),
    }
    claim
}

/// `20 rows in [88] table: Orders, first …`: how many, and what they are called.
fn run(rest: &str) -> Option<(usize, String)> {
    let (count, after) = rest.split_once(' ')?;
    let count = count.parse().ok()?;
    let end = [" in ", ", first ", " — "].iter().filter_map(|mark| after.find(mark)).min()?;
    (after.contains(", first ")).then(|| (count, after[..end].to_owned()))
}

fn folded(rest: &str, count: usize, noun: String, mut claim: Claim) -> Claim {
    let after = rest.split_once(&noun).map_or("", |(_, after)| after);
    let first = after.find(", first ").unwrap_or(after.len());
    let (mut around, sample) =
        (&after[..first], &after[(first + ", first ".len()).min(after.len())..]);
    if let Some((before, states)) = around.split_once(" — ") {
        around = before;
        claim.states = states.split(", ").map(str::to_owned).collect();
    }
    claim.holder = around.strip_prefix(" in ").map(|holder| numbered(holder).to_owned());
    let sample = sample.strip_prefix("now ").unwrap_or(sample);
    let mut first = Claim::default();
    match change(numbered(sample)) {
        Some((_, was, now, _)) => claim.names = Some((was, now)),
        None => whole(numbered(sample), &mut first),
    }
    claim.body = first.body;
    claim.states.extend(first.states);
    claim.run = Some((count, noun));
    claim
}

/// Without the number in front.
fn numbered(text: &str) -> &str {
    match text.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => text,
    }
}

/// Splits `button: "Save" → "Saved" — now enabled` into what precedes the texts, both texts, and
/// what follows.
fn change(text: &str) -> Option<(&str, String, String, &str)> {
    for (at, _) in text.match_indices('"') {
        let Some((was, rest)) = unquoted(&text[at..]) else { continue };
        let Some((now, behind)) = rest.strip_prefix(" → ").and_then(unquoted) else { continue };
        return Some((&text[..at], was, now, behind));
    }
    None
}

/// `textbox: Name = "x" — required`.
fn whole(text: &str, claim: &mut Claim) {
    let dash = outside_quotes(text, " — ");
    details(&text[dash..], claim);
    let head = &text[..dash];
    match head.find(" = \"").and_then(|at| Some((at, unquoted(&head[at + 3..])?))) {
        Some((at, (value, rest))) => {
            claim.values = Some((String::new(), value));
            claim.body = format!("{}{rest}", &head[..at]);
        }
        None => claim.body = head.to_owned(),
    }
}

/// Returns the position of a mark outside JSON strings, or the end.
fn outside_quotes(text: &str, mark: &str) -> usize {
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(mark) {
            return at;
        }
        // A quotation mark in the middle of a word begins no string.
        let opens = at == 0 || text[..at].ends_with([' ', ':']);
        match unquoted(&text[at..]).filter(|_| opens) {
            Some((_, rest)) => at = text.len() - rest.len(),
            None => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    text.len()
}

/// ` — now checked, moved behind [7] Apollo in row: x`.
fn details(behind: &str, claim: &mut Claim) {
    let Some(at) = behind.find(" — ") else {
        claim.holder = behind.strip_prefix(" in ").map(str::to_owned);
        return;
    };
    let mut states = &behind[at + " — ".len()..];
    if let Some(moved) =
        states.find("moved ").filter(|at| *at == 0 || states[..*at].ends_with(", "))
    {
        let (place, to) = states[moved + 6..].split_once('[').unwrap_or((&states[moved + 6..], ""));
        let to = to.split_once("] ").map_or(to, |(_, to)| to);
        claim.moved = Some(format!("{place}{to}"));
        states = states[..moved].trim_end_matches(", ");
    }
    if let Some((before, holder)) =
        states.split_once(" in ").filter(|(before, _)| !before.contains('"'))
    {
        states = before;
        claim.holder = Some(holder.to_owned());
    }
    claim.states =
        states.split(", ").filter(|state| !state.is_empty()).map(str::to_owned).collect();
}

#[cfg(test)]
mod tests;
