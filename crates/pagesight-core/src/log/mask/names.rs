//! Names whose values are secrets.

use crate::text::secret_names::{is_secret_name, name_words};

/// Stands for a secret.
pub const MASK: &str = "•••";

/// Words in names of members whose values are secrets. In addresses they have other meanings, too.
const MEMBER_WORDS: [&str; 2] = ["pass", "pw"];

/// Members that name the `value` beside them.
const NAMING_MEMBERS: [&str; 5] = ["name", "key", "id", "field", "type"];
/// Members that hold what is named beside them.
const VALUE_MEMBERS: [&str; 4] = ["value", "values", "content", "text"];

/// Whether the values of a member are secrets, whatever they look like.
pub(super) fn is_secret_member(name: &str) -> bool {
    is_surely_secret(name) || has_member_word(name)
}

/// Whether the values of a name are secrets also in a sentence, such as `token: abc123`.
pub(super) fn is_surely_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.contains("cookie") || lower.contains("authorization") || is_secret_name(name)
}

pub(super) fn has_member_word(name: &str) -> bool {
    let is_word =
        |word: &String| MEMBER_WORDS.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit()));
    name_words(name).iter().any(is_word)
}

/// Whether a name is the plural of a secret one. Its texts are secrets; its numbers are counts.
pub(super) fn is_secret_plural(name: &str) -> bool {
    name.strip_suffix(['s', 'S']).is_some_and(is_secret_member)
}

/// Whether a member names the value beside it.
pub(super) fn is_naming_member(name: &str) -> bool {
    NAMING_MEMBERS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

pub(super) fn is_value_member(name: &str) -> bool {
    VALUE_MEMBERS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a name is written as in a program, so that it is not a word of a sentence.
pub(super) fn is_of_program(name: &str) -> bool {
    let mut pairs = name.chars().zip(name.chars().skip(1));
    name.contains(['_', '-']) || pairs.any(|(a, b)| a.is_lowercase() && b.is_uppercase())
}
