//! The words of a query, and how well a word of the page matches one of them.

use crate::page::role::Role;
use crate::render::items::{Item, ItemKind};
use crate::text::lists;

/// How well an equal word, a plural, the start and a part of a word match.
pub(super) const WHOLE: f32 = 1.0;
const PLURAL: f32 = 0.95;
const START: f32 = 0.6;
const PART: f32 = 0.4;
/// A match of at least this quality is a whole word.
pub(super) const WHOLE_ENOUGH: f32 = 0.9;

/// How much a stop word and a word that callers add to the subject count, if they are on the page.
const STOP: f32 = 0.03;
const FILLER: f32 = 0.5;

/// The shortest word that may match the start or a part of a longer one.
const SHORTEST_START: usize = 3;
const SHORTEST_PART: usize = 4;

/// Words that say nothing about what is wanted.
const STOP_WORDS: &str = "a all an and any are as at be by can do does for from has have how i if in \
    is it its me my of on or please show that the there these this those to want was we what when \
    where which who with your";

/// Words that a caller adds to the subject. They count if they are on the page, but their absence
/// says nothing.
const FILLERS: &str = "change choose click content current data details display element enter find \
    get give go info information item look open page press read search section see set site text \
    type use value view";

/// One word of a query.
#[derive(Debug, PartialEq)]
pub(super) struct Term {
    /// The word as the caller wrote it, in lower case.
    pub(super) word: String,
    /// The roles that it names: "slider", "buttons".
    roles: &'static [Role],
    /// The state that it names, and whether an element must have it.
    state: Option<(&'static str, bool)>,
    /// Whether it says nothing about what is wanted; it only decides between equals.
    pub(super) stop: bool,
}

impl Term {
    fn of(word: &str, stop: bool) -> Term {
        let singular = match word.strip_suffix('s') {
            Some(_) if !roles(word).is_empty() => word,
            Some(one) if !roles(one).is_empty() => one,
            _ => word.strip_suffix("es").unwrap_or(word),
        };
        Term { roles: roles(singular), state: state(word), stop, word: word.to_owned() }
    }

    /// Returns how much the word counts if it is on the page. `None` for a word of the subject: it
    /// counts fully, also if it is missing.
    pub(super) fn aside(&self) -> Option<f32> {
        if self.stop { Some(STOP) } else { lists(FILLERS, &self.word).then_some(FILLER) }
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
        } else if self.stop {
            0.0
        } else if is_plural(word, &self.word) || is_plural(&self.word, word) {
            PLURAL
        } else if !self.word.is_ascii() && word.contains(&self.word) {
            // Languages without spaces between words.
            WHOLE_ENOUGH
        } else if self.word.len() >= SHORTEST_START && word.starts_with(&self.word) {
            START
        } else if self.word.len() >= SHORTEST_PART && word.contains(&self.word) {
            PART
        } else {
            0.0
        }
    }
}

/// Splits a query into its words. Stop words count like others if there are no others.
pub(super) fn parse(query: &str) -> Vec<Term> {
    let mut words: Vec<String> = Vec::new();
    each_word(query, |word| {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    });
    let is_stop = |word: &String| lists(STOP_WORDS, word);
    let only_stops = words.iter().all(is_stop);
    words.iter().map(|word| Term::of(word, is_stop(word) && !only_stops)).collect()
}

/// Whether the words of a text only say which kind of element is meant, or nothing at all.
pub(super) fn says_little(text: &str) -> bool {
    let mut little = true;
    each_word(text, |word| {
        let term = Term::of(word, lists(STOP_WORDS, word));
        little &= term.is_kind() || term.aside().is_some();
    });
    little
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

/// Whether a word is the English plural of another.
fn is_plural(many: &str, one: &str) -> bool {
    let takes_es = ["s", "x", "z", "o", "ch", "sh"].iter().any(|end| one.ends_with(end));
    one.len() >= 3
        && (many.strip_suffix('s') == Some(one) && !one.ends_with('s')
            || takes_es && many.strip_suffix("es") == Some(one)
            || one.ends_with('y') && many.strip_suffix("ies") == one.strip_suffix('y'))
}

fn roles(singular: &str) -> &'static [Role] {
    match singular {
        "button" => &[Role::Button],
        "link" => &[Role::Link],
        "slider" | "range" => &[Role::Slider],
        "number" => &[Role::SpinButton, Role::Slider],
        "checkbox" | "check" | "tickbox" => &[Role::Checkbox, Role::Switch],
        "switch" | "toggle" => &[Role::Switch, Role::Checkbox],
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
