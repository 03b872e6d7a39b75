//! Splits Rust source into words and punctuation, without comments, strings and test code: enough
//! to find the paths in it.

/// Returns the words (identifiers) and punctuation characters of a file, with `::` as one token.
pub fn tokens(text: &str) -> Vec<String> {
    without_tests(split(text))
}

fn split(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let character = characters[at];
        let next = characters.get(at + 1).copied().unwrap_or(' ');
        if character == '/' && next == '/' {
            at = find(&characters, at, &['\n']);
        } else if character == '/' && next == '*' {
            at = block_comment_end(&characters, at);
        } else if character == '"' {
            at = string_end(&characters, at);
        } else if character == 'r' && (next == '"' || next == '#') && is_raw(&characters, at) {
            at = raw_string_end(&characters, at);
        } else if character == '\'' {
            at = quote_end(&characters, at);
        } else if character.is_alphanumeric() || character == '_' {
            let end = word_end(&characters, at);
            tokens.push(characters[at..end].iter().collect());
            at = end;
        } else if character == ':' && next == ':' {
            tokens.push("::".to_owned());
            at += 2;
        } else {
            if !character.is_whitespace() {
                tokens.push(character.to_string());
            }
            at += 1;
        }
    }
    tokens
}

fn find(characters: &[char], from: usize, ends: &[char]) -> usize {
    (from..characters.len()).find(|at| ends.contains(&characters[*at])).unwrap_or(characters.len())
}

fn word_end(characters: &[char], from: usize) -> usize {
    (from..characters.len())
        .find(|at| !(characters[*at].is_alphanumeric() || characters[*at] == '_'))
        .unwrap_or(characters.len())
}

fn block_comment_end(characters: &[char], from: usize) -> usize {
    let mut depth = 0;
    let mut at = from;
    while at + 1 < characters.len() {
        match (characters[at], characters[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    characters.len()
}

fn string_end(characters: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < characters.len() && characters[at] != '"' {
        at += if characters[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

fn is_raw(characters: &[char], from: usize) -> bool {
    let quote = (from + 1..characters.len()).find(|at| characters[*at] != '#');
    quote.is_some_and(|at| characters[at] == '"')
}

fn raw_string_end(characters: &[char], from: usize) -> usize {
    let quote = find(characters, from, &['"']);
    let hashes = quote - from - 1;
    let mut at = quote + 1;
    while at < characters.len() {
        let closes = characters[at] == '"'
            && characters[at + 1..].iter().take_while(|character| **character == '#').count()
                >= hashes;
        at += 1;
        if closes {
            return at + hashes;
        }
    }
    characters.len()
}

/// Returns the end of a character literal, or of the quote before a lifetime.
fn quote_end(characters: &[char], from: usize) -> usize {
    if characters.get(from + 1) == Some(&'\\') {
        return find(characters, from + 3, &['\'']) + 1;
    }
    if characters.get(from + 2) == Some(&'\'') { from + 3 } else { from + 1 }
}

/// Removes every item that follows `#[cfg(test)]`.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].iter().map(String::as_str).take(MARK.len()).eq(MARK) {
            at = item_end(&tokens, at + MARK.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// Returns the end of an item: its semicolon, or the brace that closes its body.
fn item_end(tokens: &[String], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token == "}" {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_and_tests_are_left_out() {
        let text = r####"
            // crate::a
            /* crate::b /* nested */ */
            use crate::c::D; let s = "crate::e \" more"; let r = r#"crate::f "quoted""#;
            let c = '"'; let d = '\''; fn g<'x>(a: &'x str) {}
            #[cfg(test)]
            mod tests { use crate::h; fn i() { {} } }
            #[cfg(test)]
            use crate::j;
            use crate::k;
        "####;
        let words: Vec<String> = tokens(text)
            .into_iter()
            .filter(|token| token.len() == 1 && token < &"z".into())
            .collect();
        for gone in ["a", "b", "e", "f", "h", "j"] {
            let named = tokens(text).windows(2).any(|pair| pair == ["::", gone]);
            assert!(!named, "{gone} in {words:?}");
        }
        for kept in ["c", "k"] {
            assert!(tokens(text).windows(2).any(|pair| pair == ["::", kept]), "{kept}");
        }
    }
}
