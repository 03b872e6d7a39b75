//! Names whose values are secrets.

use crate::text::address::{is_secret_name, name_words};

/// Stands for a secret.
pub const MASK: &str = "•••";

/// Words in names of members whose values are secrets, besides those of addresses.
const MEMBER_WORDS: [&str; 5] = ["pass", "pw", "passcode", "cvv", "cvc"];

/// Members that name the `value` beside them.
pub(super) const NAMING_MEMBERS: [&str; 2] = ["name", "key"];

/// Whether the values of a member are secrets, whatever they look like.
pub(super) fn is_secret_member(name: &str) -> bool {
    is_surely_secret(name) || has_member_word(name)
}

/// Whether the values of a name are secrets also in a sentence, such as `token: abc123`.
pub(super) fn is_surely_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    // `password2` repeats `password1`.
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_' || c == '-');
    lower.contains("cookie") || lower.contains("authorization") || is_secret_name(plain)
}

pub(super) fn has_member_word(name: &str) -> bool {
    let is_word =
        |word: &String| MEMBER_WORDS.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit()));
    name_words(name).iter().any(is_word)
}

pub(super) fn is_value_member(name: &str) -> bool {
    name.eq_ignore_ascii_case("value") || name.eq_ignore_ascii_case("values")
}
