//! The lines of usable elements in an outline: which of them have a name, a hint, or neither.

use std::collections::HashMap;

use crate::outline::OutlineLine;
use crate::product::{Flags, GuessSource, Outline, Page, guessed_name};

/// The line of a usable element.
pub struct UsableLine {
    /// The line without its number.
    pub text: String,
    /// The hint, without a position among equal ones.
    pub hint: String,
    /// Where the hint was found.
    pub source: Option<GuessSource>,
    /// The box in the viewport: left, top, width, height.
    pub rect: [i32; 4],
    /// Whether it is in the viewport.
    pub in_viewport: bool,
    has_name: bool,
    /// Whether the hint is the label beside a field, which outlines had before there were hints.
    label_of_field: bool,
}

impl UsableLine {
    /// Whether it has neither a name nor a hint.
    pub fn is_silent(&self) -> bool {
        !self.has_name && self.hint.is_empty()
    }

    /// Whether it has a hint in the place of a name.
    pub fn is_hinted(&self) -> bool {
        !self.has_name && !self.hint.is_empty()
    }
}

/// Returns the lines of the usable elements of a page.
pub fn usable_lines(page: &Page, outline: &Outline) -> Vec<UsableLine> {
    let mut texts: HashMap<u32, &str> = HashMap::new();
    for line in outline.text.lines() {
        let numbered = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("] "));
        if let Some((number, text)) = numbered
            && let Ok(number) = number.parse()
        {
            texts.entry(number).or_insert(text);
        }
    }
    let mut lines = Vec::new();
    for (id, number) in &outline.shown {
        let node = page.node(*id);
        let Some(text) = texts.get(number).filter(|_| node.is(Flags::USABLE)) else { continue };
        if node.hidden().is_some() {
            continue;
        }
        let read = OutlineLine::read(&format!("[{number}] {text}"));
        let source = guessed_name(node).map(|guess| guess.source);
        let rect = node.rect();
        lines.push(UsableLine {
            text: (*text).to_owned(),
            label_of_field: node.role().is_field() && source.is_none_or(is_label),
            hint: without_position(&read.hint).to_owned(),
            source,
            rect: [rect.x, rect.y, rect.width, rect.height],
            in_viewport: node.is(Flags::IN_VIEWPORT),
            has_name: is_usable(&read.name, read.value.as_deref()),
        });
    }
    lines
}

fn is_label(source: GuessSource) -> bool {
    source == GuessSource::Label
}

/// Whether a name says something: it has letters or digits, and is not the value.
fn is_usable(name: &str, value: Option<&str>) -> bool {
    name.chars().any(char::is_alphanumeric) && value != Some(name)
}

/// Returns a hint without its position among equal ones: `star icon, 2 of 5`.
fn without_position(hint: &str) -> &str {
    match hint.rsplit_once(", ") {
        Some((text, position)) if is_position(position) => text,
        _ => hint,
    }
}

fn is_position(text: &str) -> bool {
    let number = |part: &str| part.parse::<u32>().is_ok();
    text.split_once(" of ").is_some_and(|(at, of)| number(at) && number(of))
}

/// How many lines a page has, and how many of them say nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NamelessTally {
    /// Lines of usable elements.
    pub lines: usize,
    /// Lines without a usable name.
    pub unnamed: usize,
    /// The same, without fields that have a label beside them.
    pub unlabelled: usize,
    /// Lines with neither a name nor a hint.
    pub silent: usize,
}

impl NamelessTally {
    pub fn count(&mut self, line: &UsableLine) {
        self.lines += 1;
        self.unnamed += usize::from(!line.has_name);
        let labelled = line.is_hinted() && line.label_of_field;
        self.unlabelled += usize::from(!line.has_name && !labelled);
        self.silent += usize::from(line.is_silent());
    }

    /// Adds the counts of a different page.
    pub fn add(&mut self, other: &NamelessTally) {
        self.lines += other.lines;
        self.unnamed += other.unnamed;
        self.unlabelled += other.unlabelled;
        self.silent += other.silent;
    }

    /// Returns the share of lines with neither a name nor a hint.
    pub fn silent_share(&self) -> f64 {
        self.silent as f64 / self.lines.max(1) as f64
    }

    /// Returns a row of the table.
    pub fn row(&self, page: &str) -> String {
        let share = |count: usize| {
            format!("{count} ({:.1} %)", 100.0 * count as f64 / self.lines.max(1) as f64)
        };
        let (unnamed, unlabelled) = (share(self.unnamed), share(self.unlabelled));
        format!("| {page} | {} | {unnamed} | {unlabelled} | {} |\n", self.lines, share(self.silent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_not_part_of_a_hint() {
        assert_eq!(without_position("star icon, 2 of 5"), "star icon");
        assert_eq!(without_position("Smith, John"), "Smith, John");
        assert_eq!(without_position("a, b of c"), "a, b of c");
    }

    #[test]
    fn lines_without_name_and_hint_are_counted() {
        let line = |name: bool, hint: &str, label_of_field: bool| UsableLine {
            text: String::new(),
            hint: hint.to_owned(),
            source: None,
            rect: [0; 4],
            in_viewport: true,
            has_name: name,
            label_of_field,
        };
        let mut tally = NamelessTally::default();
        for line in [
            line(true, "", false),
            line(false, "star icon", false),
            line(false, "Range", true),
            line(false, "", false),
        ] {
            tally.count(&line);
        }
        let expected = NamelessTally { lines: 4, unnamed: 3, unlabelled: 2, silent: 1 };
        assert_eq!(tally, expected);
        assert!(tally.row("page").contains("| 4 | 3 (75.0 %) | 2 (50.0 %) | 1 (25.0 %) |"));
        assert!(is_usable("Add", None) && !is_usable("128", Some("128")) && !is_usable("×", None));
    }
}
