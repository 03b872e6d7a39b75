//! The text of a console message: its arguments as the console shows them, on few characters.

use crate::api::log::ScriptFrame;

/// The longest text of a message that is kept, in characters.
const TEXT_LIMIT: usize = 1_000;
/// The longest stack that is kept.
pub(crate) const STACK_LIMIT: usize = 8;
/// The longest address of a script that is kept, in bytes.
const URL_LIMIT: usize = 500;

/// An argument of a console call.
pub(crate) struct ConsoleArgument {
    /// As the console shows it.
    pub(crate) text: String,
    /// Whether it is a string.
    pub(crate) is_string: bool,
}

/// Joins arguments; the first may be a format such as `%s of %d`.
pub(crate) fn joined(arguments: &[ConsoleArgument]) -> String {
    let Some((first, mut rest)) = arguments.split_first() else { return String::new() };
    let mut out = String::new();
    match first.is_string && first.text.contains('%') && !rest.is_empty() {
        false => out.push_str(&first.text),
        true => {
            let mut characters = first.text.chars().peekable();
            while let Some(c) = characters.next() {
                let specifier = characters.peek().copied().filter(|_| c == '%');
                match specifier {
                    Some('%') => {
                        characters.next();
                        out.push('%');
                    }
                    Some(specifier @ ('s' | 'd' | 'i' | 'f' | 'o' | 'O' | 'c'))
                        if !rest.is_empty() =>
                    {
                        characters.next();
                        // A style is not text.
                        if specifier != 'c' {
                            out.push_str(&rest[0].text);
                        }
                        rest = &rest[1..];
                    }
                    _ => out.push(c),
                }
            }
        }
    }
    for argument in rest {
        if out.len() > TEXT_LIMIT * 4 {
            break;
        }
        out.push(' ');
        out.push_str(&argument.text);
    }
    bounded(&out)
}

/// Returns a text in quotes. Quotes in it are escaped, so that it is known where it ends.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Cuts a text of the console.
pub(crate) fn bounded(text: &str) -> String {
    match text.char_indices().nth(TEXT_LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Makes a frame of a stack; the protocols count lines and columns from 0. Addresses that hold a
/// whole document are cut.
pub(crate) fn frame(url: String, line: i64, column: i64, function: String) -> ScriptFrame {
    let number = |zero_based: i64| u32::try_from(zero_based.saturating_add(1)).unwrap_or_default();
    let url = match url.char_indices().find(|(at, _)| *at >= URL_LIMIT) {
        Some((end, _)) => url[..end].to_owned(),
        None => url,
    };
    let function = function.chars().take(80).collect();
    ScriptFrame { url, line: number(line), column: number(column), function }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_joined_and_formats_applied() {
        let string = |text: &str| ConsoleArgument { text: text.to_owned(), is_string: true };
        let other = |text: &str| ConsoleArgument { text: text.to_owned(), is_string: false };
        assert_eq!(joined(&[]), "");
        assert_eq!(joined(&[string("a"), other("1")]), "a 1");
        assert_eq!(
            joined(&[string("%s of %d%%"), string("x"), other("3"), other("y")]),
            "x of 3% y"
        );
        assert_eq!(joined(&[string("%cstyled"), string("color: red")]), "styled");
        assert_eq!(joined(&[string("100%"), string("x")]), "100% x");
        assert_eq!(joined(&[string("50% s %s")]), "50% s %s");
        assert_eq!(joined(&[string(&"x".repeat(5_000))]).chars().count(), TEXT_LIMIT + 1);
    }
}
