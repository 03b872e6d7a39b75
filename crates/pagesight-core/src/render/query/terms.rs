//! The words of a query, and how well a word of the page matches one of them.

use crate::page::role::Role;
use crate::render::items::{Item, ItemKind};

/// How well an equal word, a plural, the start and a part of a word match.
pub(super) const WHOLE: f32 = 1.0;
const PLURAL: f32 = 0.95;
const START: f32 = 0.6;
const PART: f32 = 0.4;
/// A match of at least this quality is a whole word.
pub(super) const WHOLE_ENOUGH: f32 = 0.9;

/// The shortest word that may match the start or a part of a longer one.
const SHORTEST_START: usize = 3;
const SHORTEST_PART: usize = 4;

/// Words that say nothing about what is wanted.
const STOP_WORDS: [&str; 26] = [
    "a", "all", "an", "and", "are", "at", "by", "for", "from", "how", "in", "is", "it", "me", "my",
    "of", "on", "or", "please", "show", "the", "to", "what", "where", "which", "with",
];

/// One word of a query.
#[derive(Debug, PartialEq)]
pub(super) struct Term {
    /// The word as the caller wrote it, in lower case.
    pub(super) word: String,
    stem: String,
    /// The roles that it names: "slider", "buttons".
    roles: &'static [Role],
    /// The state that it names, and whether an element must have it.
    state: Option<(&'static str, bool)>,
}

impl Term {
    fn of(word: &str) -> Term {
        let stem = stem(word).to_owned();
        Term { roles: roles(&stem), state: state(word), stem, word: word.to_owned() }
    }

    /// Whether the word names a role or a state.
    pub(super) fn is_kind(&self) -> bool {
        !self.roles.is_empty() || self.state.is_some()
    }

    /// Whether an item has the role or the state that the word names.
    pub(super) fn names_kind_of(&self, item: &Item) -> bool {
        let has = |word: &str| item.states.iter().any(|state| state == word);
        // "unchecked" is about boxes, "enabled" about everything that can be used.
        let can_have = |word: &str| {
            word != "checked" || matches!(item.role, Role::Checkbox | Role::Radio | Role::Switch)
        };
        self.roles.contains(&item.role)
            || self.state.is_some_and(|(word, wanted)| {
                item.kind == ItemKind::Usable && has(word) == wanted && (wanted || can_have(word))
            })
    }

    /// Returns how well a word of the page, in lower case, matches: 0 to 1.
    pub(super) fn matches(&self, word: &str) -> f32 {
        if word == self.word {
            WHOLE
        } else if stem(word) == self.stem {
            PLURAL
        } else if !self.word.is_ascii() && word.contains(&self.word) {
            // Languages without spaces between words.
            WHOLE
        } else if self.word.len() >= SHORTEST_START && word.starts_with(&self.word) {
            START
        } else if self.word.len() >= SHORTEST_PART && word.contains(&self.word) {
            PART
        } else {
            0.0
        }
    }
}

/// Splits a query into its words, without stop words unless there are no others.
pub(super) fn parse(query: &str) -> Vec<Term> {
    let mut all: Vec<String> = Vec::new();
    each_word(query, |word| {
        if !all.iter().any(|known| known == word) {
            all.push(word.to_owned());
        }
    });
    let telling: Vec<&String> =
        all.iter().filter(|word| !STOP_WORDS.contains(&word.as_str())).collect();
    let words = if telling.is_empty() { all.iter().collect() } else { telling };
    words.into_iter().map(|word| Term::of(word)).collect()
}

/// Calls `f` with each word of a text, in lower case. Digits with points or commas between them are
/// one word.
pub(super) fn each_word(text: &str, mut f: impl FnMut(&str)) {
    let mut word = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let between_digits = matches!(character, '.' | ',')
            && word.ends_with(|last: char| last.is_ascii_digit())
            && characters.peek().is_some_and(char::is_ascii_digit);
        if character.is_alphanumeric() || between_digits {
            word.extend(character.to_lowercase());
        } else if !matches!(character, '\'' | '’') && !word.is_empty() {
            f(&word);
            word.clear();
        }
    }
    if !word.is_empty() {
        f(&word);
    }
}

/// Returns an English word without the ending of its plural.
fn stem(word: &str) -> &str {
    let cut = |length: usize| &word[..word.len() - length];
    if word.len() <= 3 || !word.is_ascii() || word.ends_with("ss") || word.ends_with("us") {
        word
    } else if ["sses", "xes", "zes", "ches", "shes"].iter().any(|end| word.ends_with(end)) {
        cut(2)
    } else if word.ends_with('s') {
        cut(1)
    } else {
        word
    }
}

fn roles(stem: &str) -> &'static [Role] {
    match stem {
        "button" => &[Role::Button],
        "link" => &[Role::Link],
        "slider" | "range" => &[Role::Slider],
        "checkbox" | "check" | "tickbox" => &[Role::Checkbox, Role::Switch],
        "switch" | "switche" | "toggle" => &[Role::Switch, Role::Checkbox],
        "radio" => &[Role::Radio],
        "field" | "input" | "textbox" => &[
            Role::TextBox,
            Role::SearchBox,
            Role::Combobox,
            Role::SpinButton,
            Role::Slider,
            Role::ListBox,
        ],
        "dropdown" | "select" | "combobox" => &[Role::Combobox, Role::ListBox],
        "searchbox" => &[Role::SearchBox],
        "heading" => &[Role::Heading],
        "image" | "picture" => &[Role::Image],
        "tab" => &[Role::Tab],
        "option" => &[Role::Option],
        "dialog" | "modal" => &[Role::Dialog, Role::AlertDialog],
        "alert" => &[Role::Alert],
        "table" => &[Role::Table, Role::Grid, Role::TreeGrid],
        "row" => &[Role::Row],
        "list" => &[Role::List],
        "menu" => &[Role::Menu, Role::MenuBar],
        "menuitem" => &[Role::MenuItem],
        _ => &[],
    }
}

fn state(word: &str) -> Option<(&'static str, bool)> {
    Some(match word {
        "checked" | "ticked" => ("checked", true),
        "unchecked" | "unticked" => ("checked", false),
        "disabled" => ("disabled", true),
        "enabled" => ("disabled", false),
        "selected" => ("selected", true),
        "expanded" => ("expanded", true),
        "collapsed" => ("collapsed", true),
        "pressed" => ("pressed", true),
        "required" => ("required", true),
        "invalid" => ("invalid", true),
        "readonly" => ("readonly", true),
        "focused" => ("focused", true),
        "busy" => ("busy", true),
        _ => return None,
    })
}
