//! The sentences that pagesight says: errors and notices. `cargo xtask docs` makes the table from
//! the strings of all crates, so that no sentence can be forgotten.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::form::fits;

/// One beginning of a sentence per line, at most four words; `*` stands for any text.
const TABLE: &str = include_str!("sentences.txt");

/// How many words of a text may stand in the place of a value that begins a sentence.
const MOST_WORDS: usize = 12;

/// The beginnings by their first word; those that begin with a value, by the word after it.
struct Sentences {
    plain: HashMap<&'static str, Vec<&'static str>>,
    after_value: HashMap<&'static str, Vec<&'static str>>,
}

static SENTENCES: LazyLock<Sentences> = LazyLock::new(|| {
    let mut all = Sentences { plain: HashMap::new(), after_value: HashMap::new() };
    for form in sentences() {
        let (first, rest) = form.split_once(' ').unwrap_or((form, ""));
        let (words, form) = match first {
            "*" => (&mut all.after_value, rest),
            _ => (&mut all.plain, form),
        };
        words.entry(first_word(form)).or_default().push(form);
    }
    all
});

/// Returns the beginnings of all sentences, in the form of [`super::FORMS`].
pub fn sentences() -> impl Iterator<Item = &'static str> {
    TABLE.lines().filter(|line| !line.is_empty())
}

/// Whether a text begins like a sentence of pagesight.
pub(super) fn begins(text: &str) -> bool {
    let has = |forms: &HashMap<&str, Vec<&str>>, text: &str| {
        let forms = forms.get(first_word(text));
        forms.is_some_and(|forms| forms.iter().any(|form| fits(form, text)))
    };
    let mut gaps = text.match_indices(' ').map(|(at, _)| at + 1).take(MOST_WORDS);
    has(&SENTENCES.plain, text) || gaps.any(|at| has(&SENTENCES.after_value, &text[at..]))
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}
