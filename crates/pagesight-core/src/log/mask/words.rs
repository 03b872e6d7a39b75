//! Masks secrets in texts. A value after a name such as `password` is taken by its delimiter, so
//! that all of it is masked, whatever characters it has.

use super::names::{
    MASK, has_member_word, is_naming_member, is_of_program, is_secret_member, is_secret_plural,
    is_surely_secret, is_value_member,
};
use crate::text::address::{is_secret_value, without_values_in};

/// Words that introduce a secret in a text.
const SCHEMES: [&str; 5] = ["bearer", "basic", "digest", "negotiate", "apikey"];

/// Stands for a value of an address that is left out.
const LEFT_OUT: &str = "…";

/// How far the name of a value is read.
const LONGEST_NAME: usize = 100;

/// How far a tag is read, and an object in which the name may follow its value.
const LONGEST_TAG: usize = 1000;

const QUOTES: [char; 3] = ['"', '\'', '`'];

/// Words that follow a name as in a program, but are not its value.
const NOT_VALUES: [&str; 8] =
    ["required", "missing", "invalid", "undefined", "null", "true", "false", "string"];

/// Returns a text without what looks like secrets: the values of parameters of addresses, values
/// after names such as `password=`, and tokens.
pub fn text(given: &str) -> String {
    let text = without_values_in(given);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    // Whether the object that is being read has said that its value is a secret.
    let mut named = false;
    let mut tags = Tags::default();
    while let Some(first) = rest.chars().next() {
        if !is_of_word(first) {
            named &= first != '}';
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        // A long name may look like a token; it is a name all the same.
        let printed = if is_token(word) { MASK } else { word };
        out.push_str(printed);
        rest = after;
        let is_name = after_separator(after).is_some();
        let is_scheme = || SCHEMES.contains(&word.to_ascii_lowercase().as_str());
        let value = match is_name {
            false if is_secret_member(word) && is_tag(&out, printed) => tags.content(word, after),
            // Most words are neither names nor schemes.
            false if !is_scheme() => None,
            false => after.strip_prefix(' ').map(GivenValue::of_scheme),
            true if is_naming_member(word) => {
                named = name_given(after).map_or(named, is_secret_member);
                None
            }
            true if is_value_member(word) => {
                let value = GivenValue::after_name(after);
                named |= value.as_ref().is_some_and(GivenValue::is_named_later);
                value
            }
            true if is_secret_member(word) || is_secret_plural(word) => {
                GivenValue::after_name(after)
            }
            true => None,
        };
        let Some(value) = value else { continue };
        if value.is_secret(word, named) {
            let start = after.len() - value.rest.len();
            match value.quote {
                // The attributes of the tag.
                Some('<') if start > 1 => out.push_str(&self::text(&after[..start])),
                _ => out.push_str(&after[..start]),
            }
            out.push_str(MASK);
            rest = &value.rest[value.length(word)..];
        }
    }
    out
}

/// Returns the text after the separator between a name and its value, given the text after the
/// name.
fn after_separator(after: &str) -> Option<(Separator, &str)> {
    // The quote after the name; in JSON within a text there are `\` before it.
    let rest = after.trim_start_matches('\\').strip_prefix(QUOTES).unwrap_or(after);
    let rest = rest.trim_start_matches(' ');
    let (separator, rest) = if let Some(rest) = rest.strip_prefix("=>") {
        (Separator::Arrow, rest)
    } else if let Some(rest) = rest.strip_prefix('=') {
        (Separator::Equals, rest)
    } else {
        (Separator::Colon, rest.strip_prefix(':')?)
    };
    // `==` compares, `::` is a path.
    (!rest.starts_with(['=', ':'])).then_some((separator, rest))
}

/// Returns the name that a member such as `name` gives. Only a start is read, because nothing of it
/// is skipped.
fn name_given(after: &str) -> Option<&str> {
    let value = GivenValue::after_name(start_of(after, LONGEST_NAME))?;
    value.quote.is_some().then_some(value.text)
}

/// Returns the first characters of a text.
fn start_of(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at])
}

/// The elements of XML in a text.
#[derive(Default)]
struct Tags {
    /// One of them does not end in the text, so no other end is searched: that could take long.
    unclosed: bool,
}

impl Tags {
    /// Returns the content of an element with a secret name, given the text after its name.
    fn content<'t>(&mut self, name: &str, after: &'t str) -> Option<GivenValue<'t>> {
        let tag = start_of(after, LONGEST_TAG);
        let end = tag.find(['<', '>']).filter(|&end| tag[end..].starts_with('>'))?;
        let is_empty = if end == 0 { name.ends_with('/') } else { tag[..end].ends_with('/') };
        if is_empty || !tag.starts_with(['>', ' ', '\n', '\r', '\t']) {
            return None;
        }
        let rest = &after[end + 1..];
        let closing = if self.unclosed { None } else { rest.find(&format!("{name}>")) };
        self.unclosed |= closing.is_none();
        let length = match closing {
            Some(at) => rest[..at].rfind("</").unwrap_or(at),
            // Text or elements in an element that is cut off.
            None if rest.trim_start().starts_with('<') => rest.len(),
            None => rest.find('<').unwrap_or(rest.len()),
        };
        let text = &rest[..length];
        Some(GivenValue { rest, text, quote: Some('<'), separator: Separator::Equals })
    }
}

/// A value in a text, after its name or scheme.
struct GivenValue<'t> {
    /// The text from the first character of the value on.
    rest: &'t str,
    /// The value, up to its delimiter.
    text: &'t str,
    /// The quote that the value is in.
    quote: Option<char>,
    separator: Separator,
}

#[derive(Clone, Copy, PartialEq)]
enum Separator {
    Equals,
    /// May also be in a sentence.
    Colon,
    /// `=>`, which may also be in a program.
    Arrow,
    /// The space after a scheme.
    Scheme,
}

impl GivenValue<'_> {
    /// Returns the value that belongs to a name, given the text after the name.
    fn after_name(after: &str) -> Option<GivenValue<'_>> {
        let (separator, rest) = after_separator(after)?;
        let mut rest = rest.trim_start_matches(' ');
        if let Some(inside) = inside_of_group(rest) {
            let text = &inside[..group_end(inside)];
            return Some(GivenValue { rest: inside, text, quote: Some('['), separator });
        }
        let escapes = rest.len() - rest.trim_start_matches('\\').len();
        let quote = rest[escapes..].chars().next().filter(|c| QUOTES.contains(c));
        if let Some(quote) = quote {
            rest = &rest[escapes + quote.len_utf8()..];
            let text = &rest[..closing(rest, quote, escapes)];
            return Some(GivenValue { rest, text, quote: Some(quote), separator });
        }
        // An arrow without a quote is in a program.
        let is_value = separator != Separator::Arrow;
        is_value.then(|| GivenValue { rest, text: bare(rest), quote, separator })
    }

    /// Returns the value after a scheme and a space.
    fn of_scheme(rest: &str) -> GivenValue<'_> {
        GivenValue { rest, text: bare(rest), quote: None, separator: Separator::Scheme }
    }

    /// Whether the rest of its object or tag says that it is a secret: `{value: "x", name:
    /// "password"}`.
    fn is_named_later(&self) -> bool {
        if self.quote.is_none() {
            return false;
        }
        let mut rest = start_of(&self.rest[self.text.len()..], LONGEST_TAG);
        while let Some(at) = rest.find(|c: char| is_of_word(c) || "{}<>".contains(c)) {
            rest = &rest[at..];
            if rest.starts_with(['{', '}', '<', '>']) {
                return false;
            }
            let (word, after) = rest.split_at(rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()));
            if is_naming_member(word) && name_given(after).is_some_and(is_secret_member) {
                return true;
            }
            rest = after;
        }
        false
    }

    /// Whether it is a secret. A word after a colon may also be part of a sentence.
    fn is_secret(&self, name: &str, named: bool) -> bool {
        let text = self.text;
        // What is masked already stays; a bracket without data after it is in a sentence.
        if matches!(text.trim_end_matches([':', '.']), "" | MASK | LEFT_OUT)
            || self.quote.is_none() && text.starts_with(['{', '['])
        {
            return false;
        }
        let has_digit = text.contains(|c: char| c.is_ascii_digit());
        let long = text.chars().count() >= 12;
        if self.separator == Separator::Scheme {
            return has_digit && text.len() >= 6 || long || text.ends_with('=');
        }
        let certain = self.quote.is_some() || self.separator == Separator::Equals;
        if named && certain && is_value_member(name) {
            return true;
        }
        if !is_surely_secret(name) {
            let is_plural = self.quote.is_some() && is_secret_plural(name);
            return certain && has_member_word(name) || is_plural;
        }
        let end = text.trim_end_matches(['!', '?', '.', ':']);
        let odd = end.contains(['!', '@', '#', '$', '%', '^', '*', '+', '~', '?', '|', '=']);
        let of_program = is_of_program(name) && !NOT_VALUES.contains(&end);
        certain || of_program || is_whole_line(name) || odd || has_digit && text.len() >= 4 || long
    }

    /// Returns how many bytes are masked.
    fn length(&self, name: &str) -> usize {
        match self.quote.is_none() && is_whole_line(name) {
            true => line_end(self.rest).max(self.text.len()),
            false => self.text.len(),
        }
    }
}

/// Whether all of the line is the value: `Authorization: Bearer x`, `Cookie: a=b; c=d`.
fn is_whole_line(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.ends_with("cookie") || lower.ends_with("authorization")
}

/// Returns where the value of a header ends. A quote ends it, unless it begins the value of a
/// cookie.
fn line_end(text: &str) -> usize {
    let mut last = ' ';
    let mut inner = None;
    for (at, c) in text.char_indices() {
        match c {
            '\n' => return at,
            _ if inner == Some(c) => inner = None,
            _ if inner.is_some() => {}
            '}' => return at,
            c if QUOTES.contains(&c) && last == '=' => inner = Some(c),
            c if QUOTES.contains(&c) => return at,
            _ => {}
        }
        last = c;
    }
    text.len()
}

/// Returns where a quoted value ends; the end of the text if the quote is not closed. `escapes` is
/// the number of `\` before its first quote.
fn closing(text: &str, quote: char, escapes: usize) -> usize {
    let mut before = 0;
    for (at, c) in text.char_indices() {
        if c == '\\' {
            before += 1;
            continue;
        }
        let closes = if escapes == 0 { before % 2 == 0 } else { before <= escapes };
        if c == quote && closes {
            // The `\` before the quote belong to the quote.
            return if escapes == 0 { at } else { at - before };
        }
        before = 0;
    }
    text.len()
}

/// Returns the text inside of a list or an object, as a console shows it: `["a"]`, `{a: 1}`,
/// `Array(2) ["a", "b"]`. None if there is no data after the bracket.
fn inside_of_group(text: &str) -> Option<&str> {
    let inside = after_class(text).strip_prefix(['{', '['])?;
    let first = inside.trim_start_matches([' ', '\n', '\t', '\\']);
    let begins_data = |c: char| QUOTES.contains(&c) || matches!(c, '{' | '[' | '-' | '0'..='9');
    let name = &first[..first.find(|c: char| !is_of_word(c)).unwrap_or(first.len())];
    let is_data = first.starts_with(begins_data)
        || after_class(first).starts_with(['{', '['])
        || !name.is_empty() && first[name.len()..].trim_start_matches(' ').starts_with([':', '=']);
    is_data.then_some(inside)
}

/// Returns the text after the class of an object.
fn after_class(text: &str) -> &str {
    let is_of_class = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '(' | ')');
    text.trim_start_matches(is_of_class).trim_start_matches(' ')
}

/// Returns where a list or an object ends, given the text after its bracket.
fn group_end(inside: &str) -> usize {
    let (mut rest, mut depth) = (inside, 0_usize);
    while let Some(at) = rest.find(|c: char| "[]{}".contains(c) || QUOTES.contains(&c)) {
        let place = inside.len() - rest.len() + at;
        let before = &rest[..at];
        rest = &rest[at + 1..];
        match inside.as_bytes()[place] {
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth == 0 => return place,
            b']' | b'}' => depth -= 1,
            quote => {
                let quote = char::from(quote);
                let escapes = before.len() - before.trim_end_matches('\\').len();
                let after = &rest[closing(rest, quote, escapes)..];
                rest = after.trim_start_matches('\\').strip_prefix(quote).unwrap_or_default();
            }
        }
    }
    inside.len()
}

/// Whether a word at the end of a text is the name of a tag that opens: `<password`,
/// `<soap:password`.
fn is_tag(text: &str, word: &str) -> bool {
    let before = text.strip_suffix(word).unwrap_or(text);
    let space = before.trim_end_matches(|c: char| c == ':' || is_of_word(c));
    space.ends_with('<') && !text[space.len()..].starts_with('/')
}

/// Returns a value that has no quotes.
fn bare(text: &str) -> &str {
    let ends = |c: char| {
        c.is_whitespace() || QUOTES.contains(&c) || matches!(c, '&' | ';' | ',' | '}' | ']' | ')')
    };
    &text[..text.find(ends).unwrap_or(text.len())]
}

/// Whether a character belongs to a word; tokens are one word.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '/' | '%' | '~' | '$' | '!' | '@')
}

fn is_token(word: &str) -> bool {
    word.len() >= 16 && !word.contains("://") && !word.starts_with('/') && is_secret_value("", word)
}
