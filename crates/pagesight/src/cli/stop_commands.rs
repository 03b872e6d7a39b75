//! Makes GitHub's runner ignore commands in a block of output. Between `::stop-commands::WORD` and
//! `::WORD::` the runner obeys nothing, and no page can guess the word. Page text has no commands
//! in it anyway (`text::escape`); this guards against forms that the escaping does not know.

/// Reports whether the output is the log of a GitHub action.
pub(crate) fn on_github() -> bool {
    std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true")
}

/// Returns a block of lines, wrapped if the output is the log of a GitHub action. The whole block
/// is one text, so that a signal does not leave commands stopped.
pub(crate) fn wrapped(block: &str) -> String {
    match on_github().then(word).flatten() {
        Some(word) => between(&word, block),
        None => block.to_owned(),
    }
}

fn between(word: &str, block: &str) -> String {
    let block = block.trim_end_matches('\n');
    format!("::stop-commands::{word}\n{block}\n::{word}::\n")
}

/// Returns a word that cannot be guessed; `None` if the system has no random numbers.
fn word() -> Option<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_new_each_time_and_the_block_is_between() {
        let (one, other) = (word().unwrap(), word().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 32);
        assert_eq!(between("w", "a\nb\n"), "::stop-commands::w\na\nb\n::w::\n");
    }
}
