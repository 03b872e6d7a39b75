//! Finds the prose of a source file: its comments and its messages (string literals).

/// A word of prose and the line it is on, counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub line: usize,
}

/// The context of a character in a source file.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Code,
    LineComment,
    BlockComment,
    Text { quote: char, hashes: usize, raw: bool },
}

/// Returns the words of comments, and of string literals in code that is not a test, in lower case.
pub fn words(path: &str, text: &str) -> Vec<Word> {
    if path.ends_with(".md") || path.ends_with(".toml") {
        let lines = text.lines().enumerate();
        return split(lines.map(|(at, line)| (at + 1, without_code(line))));
    }
    let tests_begin = match is_test(path) {
        true => 0,
        false => text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len()),
    };
    let mut lines: Vec<(usize, String)> = vec![(1, String::new())];
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let (mut place, mut at) = (Place::Code, 0);
    while let Some(&(offset, character)) = characters.get(at) {
        let next = |ahead: usize| characters.get(at + ahead).map_or('\0', |(_, next)| *next);
        let mut width = 1;
        match place {
            Place::Code => match (character, next(1)) {
                ('/', '/') => (place, width) = (Place::LineComment, 2),
                ('/', '*') => (place, width) = (Place::BlockComment, 2),
                ('\'', _) if path.ends_with(".rs") => width = character_width(&characters[at..]),
                ('"' | '`' | '\'', _) => {
                    place = Place::Text { quote: character, hashes: 0, raw: false };
                }
                ('r', '"' | '#') if path.ends_with(".rs") && !follows_word(&characters, at) => {
                    let hashes = (1..).take_while(|ahead| next(*ahead) == '#').count();
                    if next(hashes + 1) == '"' {
                        place = Place::Text { quote: '"', hashes, raw: true };
                        width = hashes + 2;
                    }
                }
                _ => {}
            },
            Place::LineComment if character == '\n' => place = Place::Code,
            Place::BlockComment if character == '*' && next(1) == '/' => {
                (place, width) = (Place::Code, 2);
            }
            Place::Text { raw: false, .. } if character == '\\' => width = 2,
            Place::Text { quote, hashes, .. }
                if character == quote && (1..=hashes).all(|ahead| next(ahead) == '#') =>
            {
                (place, width) = (Place::Code, 1 + hashes);
            }
            Place::Text { .. } if offset >= tests_begin => {}
            _ => push(&mut lines, character),
        }
        for ahead in 0..width {
            if next(ahead) == '\n' {
                let line = lines.last().map_or(1, |(line, _)| *line) + 1;
                lines.push((line, String::new()));
            }
        }
        if place == Place::Code {
            push(&mut lines, ' ');
        }
        at += width;
    }
    split(lines.into_iter())
}

/// Removes the code spans of a line of Markdown.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// Whether a file holds only tests: its strings are pages and expectations, not messages.
fn is_test(path: &str) -> bool {
    let names = ["tests.rs", "properties.rs", "degenerate.rs", "in_browser.rs", "test_page.rs"];
    path.contains("/tests/")
        || path.starts_with("page/test/")
        || names.iter().any(|name| path.ends_with(&format!("/{name}")))
}

fn push(lines: &mut [(usize, String)], character: char) {
    if let Some((_, line)) = lines.last_mut() {
        line.push(character);
    }
}

/// Returns the length of a character literal, or 1 for a lifetime.
fn character_width(from: &[(usize, char)]) -> usize {
    let at = |index: usize| from.get(index).map(|(_, character)| *character);
    match (at(1), at(2)) {
        (Some('\\'), _) => {
            2 + (2..).take_while(|index| at(*index).is_some_and(|c| c != '\'')).count()
        }
        (Some(_), Some('\'')) => 3,
        _ => 1,
    }
}

fn follows_word(characters: &[(usize, char)], at: usize) -> bool {
    at > 0 && (characters[at - 1].1.is_alphanumeric() || characters[at - 1].1 == '_')
}

fn split(lines: impl Iterator<Item = (usize, String)>) -> Vec<Word> {
    let mut words = Vec::new();
    for (line, text) in lines {
        let found =
            text.split(|character: char| !(character.is_alphanumeric() || character == '_'));
        words.extend(
            found
                .filter(|word| !word.is_empty())
                .map(|word| Word { text: word.to_lowercase(), line }),
        );
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<(String, usize)> {
        words(path, text).into_iter().map(|word| (word.text, word.line)).collect()
    }

    fn is(path: &str, text: &str, expected: &[(&str, usize)]) {
        let expected: Vec<(String, usize)> =
            expected.iter().map(|(word, line)| ((*word).to_owned(), *line)).collect();
        assert_eq!(found(path, text), expected);
    }

    #[test]
    fn comments_and_strings_are_prose_and_code_is_not() {
        is(
            "a.rs",
            "let told = 1; // Says a\nf(\"b \\\"c\");",
            &[("says", 1), ("a", 1), ("b", 2), ("c", 2)],
        );
        is("a.rs", "fn f<'a>() { g('\"', r#\"x \" y\"#) }", &[("x", 1), ("y", 1)]);
        is(
            "a.ts",
            "const told = `one\ntwo` /* three */",
            &[("one", 1), ("two", 2), ("three", 1)]
                .map(|(word, line)| if word == "three" { (word, 2) } else { (word, line) }),
        );
    }

    #[test]
    fn code_in_markdown_is_not_prose() {
        is("a.md", "One `two` three", &[("one", 1), ("three", 1)]);
    }

    #[test]
    fn strings_of_tests_are_not_messages() {
        let text = "f(\"a\");\n#[cfg(test)]\nmod tests {\n// b\nf(\"c\"); }";
        is("src/x.rs", text, &[("a", 1), ("b", 4)]);
        is("x/tests/y.rs", "f(\"a\"); // b", &[("b", 1)]);
    }
}
