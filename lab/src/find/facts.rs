//! The facts that the oracle reports about a page.

use std::collections::HashSet;

use serde::Deserialize;

/// The things that a person could ask for on a page.
#[derive(Debug, Default, Deserialize)]
pub struct PageFacts {
    /// The usable elements, in the order of the document.
    pub controls: Vec<Control>,
    /// Rows, list items and cards.
    pub records: Vec<Record>,
    /// Terms with their definitions.
    pub terms: Vec<DefinedTerm>,
    /// Headings with what follows each of them.
    pub sections: Vec<Section>,
    /// All words of the document, hidden ones included.
    pub words: HashSet<String>,
}

/// A control that can be seen.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Control {
    pub role: String,
    /// Whether it is a field: it has a label and holds something.
    pub field: bool,
    pub name: String,
    /// The text beside a field without a name.
    pub beside: String,
    /// The words of the icon of a control without a name, if the markup names it.
    #[serde(default)]
    pub icon: String,
    /// The outlines of its drawing.
    #[serde(default)]
    pub shapes: String,
    pub value: String,
    pub states: Vec<String>,
    /// Where a link leads.
    pub href: String,
    /// The text of the nearest thing around it that says more than it does.
    pub around: String,
    /// The record it is in, or -1.
    pub record: i64,
    /// The section it is in, or -1.
    pub section: i64,
}

/// A row, a list item or a card.
#[derive(Debug, Default, Deserialize)]
pub struct Record {
    /// The first text in it.
    pub key: String,
    /// All text in it.
    pub text: String,
    /// The cells below column heads, without the key.
    pub cells: Vec<Cell>,
    /// Whether a person can see it.
    pub seen: bool,
}

/// A cell of a table with column heads.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Cell {
    /// The head of its column.
    pub head: String,
    pub value: String,
    /// Whether it holds no control.
    pub plain: bool,
}

/// A term with its one definition.
#[derive(Debug, Default, Deserialize)]
pub struct DefinedTerm {
    pub label: String,
    pub value: String,
}

/// A heading with what follows it.
#[derive(Debug, Default, Deserialize)]
pub struct Section {
    /// The text of the heading.
    pub heading: String,
    /// The heading and all text up to the next one.
    pub text: String,
    /// The first link, if it is among the first lines; else -1.
    pub first: i64,
    /// Whether a person can see the heading.
    pub seen: bool,
}

/// Returns the words of a text in lower case: runs of letters and digits.
pub fn words(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns the words of a text as a set.
pub fn bag(text: &str) -> HashSet<String> {
    words(text).into_iter().collect()
}

/// Returns a word without the ending of a plural.
pub fn singular(word: &str) -> &str {
    let cut = word.strip_suffix('s').filter(|rest| rest.len() > 2 && !rest.ends_with('s'));
    cut.unwrap_or(word)
}
