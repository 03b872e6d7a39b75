//! The form of an own line: `#` stands for a number, `*` for any text. Pure.

/// Returns whether a text fits a form.
pub(super) fn fits(form: &str, text: &str) -> bool {
    let special = form.find(['#', '*']).unwrap_or(form.len());
    let Some(text) = text.strip_prefix(&form[..special]) else { return false };
    let form = &form[special..];
    match form.as_bytes().first() {
        None => true,
        Some(b'#') => {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
            rest.len() < text.len() && fits(&form[1..], rest)
        }
        Some(_) => {
            // The first place of the next words is enough: no form has a number after a `*`.
            let words = form[1..].split('*').next().unwrap_or_default();
            let rest = text.find(words).map(|at| &text[at + words.len()..]);
            rest.is_some_and(|rest| fits(&form[1 + words.len()..], rest))
        }
    }
}
