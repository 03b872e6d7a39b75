//! Makes page text inert where GitHub shows it: `@name` notifies people, `#12` and `GH-12` link to
//! issues, hexadecimal numbers to commits, and bare addresses become links. GitHub looks for them
//! in the finished text, so neither escapes nor entities help. A zero-width space breaks them up.

/// Breaks up what GitHub would turn into something else.
pub(super) const BREAK: char = '\u{200b}';
/// Shorter numbers are not taken for commits.
const SHORTEST_HASH: usize = 7;

/// Returns a text in which nothing mentions people, issues or commits, and nothing is a link.
pub(super) fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        if word > 0 {
            let (word, behind) = rest.split_at(word);
            push_word(&mut out, word);
            rest = behind;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '@' | '#' => out.extend([c, BREAK]),
            '-' if ends_with(&out, "gh") => out.extend([c, BREAK]),
            ':' if rest.starts_with("//") => out.extend([c, BREAK]),
            ':' if ends_with(&out, "mailto") || ends_with(&out, "xmpp") => out.extend([c, BREAK]),
            // After the point it would still be the name of a host.
            '.' if ends_with(&out, "www") => out.extend([BREAK, c]),
            c => out.push(c),
        }
    }
    out
}

/// Adds a word. One that may be the number of a commit is broken into parts that are too short.
fn push_word(out: &mut String, word: &str) {
    let is_hash = word.len() >= SHORTEST_HASH && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    for (at, c) in word.chars().enumerate() {
        if is_hash && at > 0 && at % (SHORTEST_HASH - 1) == 0 {
            out.push(BREAK);
        }
        out.push(c);
    }
}

/// Reports whether a text ends with a word, in any case.
fn ends_with(text: &str, word: &str) -> bool {
    let at = text.len().checked_sub(word.len());
    at.and_then(|at| text.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn mentions_and_links_are_broken_up() {
        for (text, expected) in [
            ("@team", "@|team"),
            ("ask @org/team, a@b.example", "ask @|org/team, a@|b.example"),
            ("fixes #12, org/repo#3", "fixes #|12, org/repo#|3"),
            ("GH-12 gh-3 (Gh-4)", "GH-|12 gh-|3 (Gh-|4)"),
            ("16c999e", "16c999|e"),
            ("org/repo@16c999e8c711", "org/repo@|16c999|e8c711"),
            ("_deadbeef_", "_deadbe|ef_"),
            ("https://evil.example/", "https:|//evil.example/"),
            ("www.evil.example WWW.x", "www|.evil.example WWW|.x"),
            ("mailto:a Xmpp:b", "mailto:|a Xmpp:|b"),
            (
                "feedback on 123456 at 10:30. Größe 5, light-12",
                "feedback on 123456 at 10:30. Größe 5, light-12",
            ),
        ] {
            assert_eq!(inert(text).replace(BREAK, "|"), expected);
        }
    }

    proptest! {
        #[test]
        fn nothing_is_left_to_recognise(text in "([@#.:/a-f0-9gGhHwW \u{e9}-]|GH-|gh-|://|www\\.){0,40}") {
            let shown = inert(&text);
            prop_assert_eq!(shown.replace(BREAK, ""), text.clone());
            let lower = shown.to_lowercase();
            for mark in ["@", "#", "gh-"] {
                for (at, _) in lower.match_indices(mark) {
                    prop_assert!(lower[at + mark.len()..].starts_with(BREAK), "{:?}", shown);
                }
            }
            prop_assert!(!shown.contains("://") && !shown.to_lowercase().contains("www."));
            for word in shown.split(|c: char| !c.is_ascii_alphanumeric()) {
                let is_hash = word.bytes().all(|byte| byte.is_ascii_hexdigit());
                prop_assert!(!is_hash || word.len() < SHORTEST_HASH, "{:?}", shown);
            }
        }
    }
}
