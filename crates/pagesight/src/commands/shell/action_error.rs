//! Errors of actions of `pagesight act`: one sentence says what is missing, and how the action is
//! written.

/// How alike a word and a verb must be for the verb to be suggested.
const ALIKE: f64 = 0.85;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ActionFormError {
    #[error("there is no action; give one such as 'click 12'")]
    Empty,
    #[error("{word} is not an action; did you mean {meant}?")]
    Misspelt { word: String, meant: &'static str },
    #[error("{word} is not an action; give one of {verbs}")]
    Verb { word: String, verbs: String },
    #[error("{verb} needs {needed}; write {forms}")]
    Missing { verb: &'static str, needed: String, forms: String },
    #[error("{word:?} is not {needed}; write {forms}")]
    Wrong { word: String, needed: String, forms: String },
    #[error("{word:?} is not expected there; write {forms}")]
    NotExpected { word: String, forms: String },
}

impl ActionFormError {
    /// Returns the error about a word that is not a verb.
    pub(super) fn verb(word: &str, verbs: &[&'static str]) -> ActionFormError {
        let given = word.to_ascii_lowercase().replace('-', "_");
        let like = |verb: &&str| (strsim::jaro_winkler(&given, verb) * 1e6) as u64;
        let word = word.to_owned();
        match verbs.iter().copied().max_by_key(|verb| like(&verb)) {
            Some(meant) if strsim::jaro_winkler(&given, meant) >= ALIKE => {
                ActionFormError::Misspelt { word, meant }
            }
            _ => ActionFormError::Verb { word, verbs: verbs.join(", ") },
        }
    }
}
