//! Parses an outline: each line becomes reference, role, name, value and states. Uses only what an
//! agent reads.

use anyhow::Context;

use crate::product::LATE_CHANGES;

/// Roles that stand in lines without a number.
const UNNUMBERED: [&str; 12] = [
    "heading", "row", "image", "table", "list", "tablist", "tabpanel", "menu", "dialog", "banner",
    "main", "canvas",
];

/// One line of an outline.
#[derive(Debug, Default, PartialEq)]
pub struct OutlineLine {
    /// How far it is indented.
    pub depth: usize,
    pub number: Option<u32>,
    /// Empty for a plain text.
    pub role: String,
    /// A stand-in for the name: the label of its row.
    pub hint: String,
    /// The name, or the plain text.
    pub name: String,
    /// The value of a field.
    pub value: Option<String>,
    pub states: Vec<String>,
}

impl OutlineLine {
    pub fn read(line: &str) -> OutlineLine {
        let text = line.trim_start();
        let mut read =
            OutlineLine { depth: (line.len() - text.len()) / 2, ..OutlineLine::default() };
        let mut rest = text;
        if let Some((number, after)) =
            text.strip_prefix('[').and_then(|after| after.split_once("] "))
        {
            read.number = number.parse().ok();
            rest = after;
        }
        let word = rest.split([':', ' ']).next().unwrap_or_default();
        if read.number.is_none() && !UNNUMBERED.contains(&word) {
            read.name = unquoted(rest).map_or_else(|| rest.to_owned(), |(text, _)| text);
            return read;
        }
        let head = [": ", " = \"", " — ", " ("]
            .iter()
            .filter_map(|mark| rest.find(mark))
            .min()
            .unwrap_or(rest.len());
        read.role = rest[..head].to_owned();
        rest = &rest[head..];
        if let Some(hint) = rest.strip_prefix(" (") {
            match unquoted(hint) {
                Some((text, after)) => {
                    (read.hint, rest) = (text, after.strip_prefix(')').unwrap_or(after));
                }
                None => {
                    let end = hint.find(')').unwrap_or(hint.len());
                    read.hint = hint[..end].to_owned();
                    rest = hint.get(end + 1..).unwrap_or_default();
                }
            }
        }
        if let Some(after) = rest.strip_prefix(": ") {
            if let Some((name, after)) = unquoted(after) {
                (read.name, rest) = (name, after);
            } else {
                let end = [" = \"", " — ", " (+"]
                    .iter()
                    .filter_map(|mark| after.find(mark))
                    .min()
                    .unwrap_or(after.len());
                read.name = after[..end].to_owned();
                rest = &after[end..];
            }
        }
        // How many click targets without a name the line counts.
        if let Some((_, after)) = rest.strip_prefix(" (+").and_then(|more| more.split_once(')')) {
            rest = after;
        }
        if let Some((value, after)) = rest.strip_prefix(" = ").and_then(unquoted) {
            read.value = Some(value);
            rest = after;
        }
        if let Some(states) = rest.strip_prefix(" — ") {
            read.states = states.split(", ").map(str::to_owned).collect();
        }
        read
    }

    /// Returns its reference; an error if it has none.
    pub fn number(&self) -> anyhow::Result<u32> {
        self.number.with_context(|| format!("{:?} has no number", self.name))
    }
}

/// Parses a JSON string at the start; returns it and the rest.
pub fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let value = text.starts_with('"').then(|| values.next())??.ok()?;
    Some((value, &text[values.byte_offset()..]))
}

pub struct ParsedOutline {
    /// Its lines, without late changes and the page's title.
    pub lines: Vec<OutlineLine>,
}

impl ParsedOutline {
    /// Reads the answer of `inspect_tab`.
    pub fn read(outline: &str) -> ParsedOutline {
        let lines = outline.lines().skip_while(|line| line.starts_with(LATE_CHANGES)).skip(1);
        ParsedOutline { lines: lines.map(OutlineLine::read).collect() }
    }

    /// Returns the task: the first text of the page.
    pub fn task(&self) -> &str {
        self.lines.first().map_or("", |line| line.name.as_str())
    }

    /// Returns a part of the task in quotation marks, by its index.
    pub fn quoted(&self, place: usize) -> anyhow::Result<&str> {
        let part = self.task().split('"').nth(place * 2 + 1);
        part.with_context(|| format!("nothing in quotation marks in {:?}", self.task()))
    }

    /// Returns the text between two pieces of the task.
    pub fn between(&self, before: &str, after: &str) -> anyhow::Result<&str> {
        let part = self.task().split_once(before).and_then(|(_, rest)| rest.split_once(after));
        Ok(part.with_context(|| format!("no {before:?} … {after:?} in {:?}", self.task()))?.0)
    }

    /// Returns the first ordinal of the task (`3rd`) as an index from 0.
    pub fn ordinal(&self) -> anyhow::Result<usize> {
        let place = self.task().split(' ').find_map(|word| {
            let digits = word.trim_end_matches(|end: char| !end.is_ascii_digit());
            (digits.len() + 2 == word.trim_end_matches('.').len())
                .then(|| digits.parse::<usize>().ok())?
        });
        place
            .and_then(|place| place.checked_sub(1))
            .with_context(|| format!("no place in {:?}", self.task()))
    }

    /// All lines of a role.
    pub fn all(&self, role: &str) -> Vec<&OutlineLine> {
        self.lines.iter().filter(|line| line.role == role).collect()
    }

    /// The line of a role in a place, from 0.
    pub fn nth(&self, role: &str, place: usize) -> anyhow::Result<&OutlineLine> {
        self.all(role).into_iter().nth(place).with_context(|| format!("no {role} in place {place}"))
    }

    /// The first line of a role and a name.
    pub fn named(&self, role: &str, name: &str) -> Option<&OutlineLine> {
        self.lines.iter().find(|line| line.role == role && line.name == name)
    }

    /// The same, or an error.
    pub fn find(&self, role: &str, name: &str) -> anyhow::Result<&OutlineLine> {
        self.named(role, name).with_context(|| format!("no {role} {name:?} is listed"))
    }

    /// Returns the reference of the element with this role and name.
    pub fn number(&self, role: &str, name: &str) -> anyhow::Result<u32> {
        self.find(role, name)?.number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_apart() {
        let line =
            OutlineLine::read("  [12] textbox: \"a — b\" = \"x \\\" = \" — required, focused");
        assert_eq!((line.depth, line.number, line.role.as_str()), (1, Some(12), "textbox"));
        assert_eq!((line.name.as_str(), line.value.as_deref()), ("a — b", Some("x \" = ")));
        assert_eq!(line.states, ["required", "focused"]);
        let plain = OutlineLine::read("Enter \"it\" = now: here");
        assert_eq!((plain.role.as_str(), plain.name.as_str()), ("", "Enter \"it\" = now: here"));
        assert_eq!(OutlineLine::read("\"-5\"").name, "-5");
        let nameless = OutlineLine::read("[7] textbox = \"\"");
        assert_eq!(
            (nameless.role.as_str(), nameless.name.as_str(), nameless.value),
            ("textbox", "", Some(String::new()))
        );
        assert_eq!(OutlineLine::read("[3] clickable").role, "clickable");
        let hinted = OutlineLine::read("[64] slider (\"Range (px)\") = \"128\"");
        assert_eq!(
            (hinted.role.as_str(), hinted.hint.as_str(), hinted.value.as_deref()),
            ("slider", "Range (px)", Some("128"))
        );
        let hinted = OutlineLine::read("[65] checkbox (Eggs) — checked");
        assert_eq!((hinted.hint.as_str(), hinted.states.len()), ("Eggs", 1));
        for line in
            ["[66] link: Apollo (+1 click target)", "[66] link: \"Apollo\" (+1 click target)"]
        {
            assert_eq!(OutlineLine::read(line).name, "Apollo");
        }
        assert_eq!(OutlineLine::read("row: Last name Mcdowell").name, "Last name Mcdowell");
    }

    #[test]
    fn a_task_says_what_and_where() {
        let sight = ParsedOutline::read(
            "Title  http://x/\nCopy \"a\" to the 3rd field, not \"b\".\n[1] button: Go\n",
        );
        assert_eq!(sight.quoted(1).ok(), Some("b"));
        assert_eq!(sight.ordinal().ok(), Some(2));
        assert_eq!(sight.between("to the ", " field").ok(), Some("3rd"));
        assert!(sight.find("button", "PageState").is_err() && sight.find("button", "Go").is_ok());
    }
}
