//! Compares what a command printed with what the documentation shows. In the documentation, `…`
//! stands for any text of a line, and a line `…` for any lines. Durations may differ.

/// Returns whether the printed lines are as the documentation shows them.
pub fn agree(shown: &str, printed: &str) -> bool {
    let shown: Vec<String> = shown.lines().map(without_durations).collect();
    let printed: Vec<String> = printed.lines().map(without_durations).collect();
    // Whether the rest of `printed` from each line on agrees with the rest of `shown`; filled from
    // the last line of `shown` to the first.
    let mut rest: Vec<bool> = (0..=printed.len()).map(|at| at == printed.len()).collect();
    for line in shown.iter().rev() {
        let mut next = vec![false; printed.len() + 1];
        for at in (0..=printed.len()).rev() {
            next[at] = match line.trim() {
                "…" => rest[at] || next.get(at + 1).copied().unwrap_or(false),
                _ => {
                    printed.get(at).is_some_and(|printed| line_agrees(line, printed))
                        && rest[at + 1]
                }
            };
        }
        rest = next;
    }
    rest[0]
}

fn line_agrees(shown: &str, printed: &str) -> bool {
    let parts: Vec<&str> = shown.split('…').collect();
    let [first, middle @ .., last] = parts.as_slice() else { return shown == printed };
    let Some(mut left) = printed.strip_prefix(first) else { return false };
    for part in middle {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

/// Replaces the number of `12 ms` and `1.2 s`, and trailing spaces.
fn without_durations(line: &str) -> String {
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    let unit = |word: Option<&&str>| {
        word.is_some_and(|word| ["ms", "s"].contains(&word.trim_end_matches([',', '.', ';', ')'])))
    };
    let is_number = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
    };
    let written = words
        .iter()
        .enumerate()
        .map(|(at, word)| if is_number(word) && unit(words.get(at + 1)) { "N" } else { *word });
    written.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_left_out_text_may_differ() {
        for (shown, printed) in [
            ("a\nb\n", "a\nb\n"),
            ("done in 8.7 s\n", "done in 12.03 s\n"),
            ("ready after 96 ms", "ready after 601 ms"),
            ("a … c … e", "a b c d e"),
            ("Choose…, Ada", "Choose…, Ada"),
            ("a\n…\nd\n", "a\nb\nc\nd\n"),
            ("a\n…\n", "a\n"),
            ("…\nb\n…", "a\nb\nb\nc"),
        ] {
            assert!(agree(shown, printed), "{shown:?} and {printed:?}");
        }
    }

    #[test]
    fn everything_else_is_a_difference() {
        for (shown, printed) in [
            ("a\nb\n", "a\n"),
            ("a\n", "a\nb\n"),
            ("2 pages in 8 s", "3 pages in 8 s"),
            ("a … c", "a b d"),
            ("a\n…\nd\n", "a\nb\nc\n"),
            ("", "a\n"),
        ] {
            assert!(!agree(shown, printed), "{shown:?} and {printed:?}");
        }
    }
}
