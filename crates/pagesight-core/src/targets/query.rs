//! Reads a target as callers write it: a printed line, a bare name, or a CSS selector.

use crate::page::role::Role;
use crate::text::escape::clean;

/// The first word of a line that is not a role.
const LINE_WORDS: [&str; 5] = ["scrollable", "iframe", "canvas", "video", "audio"];

/// Words that stand after the name in a printed line. A name that contains one of them is printed
/// as a JSON string, so the first of them ends a name without quotes.
const AFTER_NAME: [&str; 4] = [" = \"", " — ", " → ", " (+"];

/// An element as the caller names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetQuery {
    /// A printed line with its number: the number.
    Reference(String),
    /// A CSS selector.
    Css(String),
    /// A line without a number, or a name.
    Line(LineQuery),
}

/// Why a text is not a target.
#[derive(Debug, thiserror::Error, Clone, Copy, PartialEq, Eq)]
pub enum TargetQueryError {
    /// It has no words.
    #[error("a target must not be empty; give a name, a printed line, or css=SELECTOR")]
    Empty,
    /// `css=` without a selector.
    #[error("css= needs a selector, such as css=.next")]
    NoSelector,
}

/// The parts of a line that a target is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineQuery {
    /// Lines that may be meant, the most likely first. The next one counts only if no line matches
    /// this one.
    pub(super) readings: Vec<TargetReading>,
}

/// One way to read a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TargetReading {
    /// The word that a line begins with, in lower case.
    pub(super) role: Option<String>,
    /// The name without the quotes that it is printed with; empty for a line without a name.
    pub(super) name: String,
    /// The guessed name, which counts only for a line without a name.
    pub(super) guess: String,
    /// The owner of the element, as an answer to a query prints it after equal controls.
    pub(super) owner: Option<String>,
}

impl TargetQuery {
    /// Reads a target.
    pub fn parse(given: &str) -> Result<TargetQuery, TargetQueryError> {
        let text = clean(given);
        if text.is_empty() {
            return Err(TargetQueryError::Empty);
        }
        if let Some(selector) = given.trim().strip_prefix("css=") {
            let selector = selector.trim();
            return match selector.is_empty() {
                true => Err(TargetQueryError::NoSelector),
                false => Ok(TargetQuery::Css(selector.to_owned())),
            };
        }
        if let Some(number) = numbered_line(&text) {
            return Ok(TargetQuery::Reference(number.to_owned()));
        }
        let name_only = |name| TargetReading { name, ..TargetReading::default() };
        let (name, quoted) = (name_only(text.clone()), unquoted(&text).map(name_only));
        let readings = match line(&text) {
            // `search` is a region, but a button may have that name.
            Some(line) if line.name.is_empty() && line.guess.is_empty() => vec![name, line],
            Some(line) => {
                let owned = line.owned();
                std::iter::once(line).chain(owned).collect()
            }
            None => {
                let owned = name.owned();
                std::iter::once(name).chain(quoted).chain(owned).collect()
            }
        };
        Ok(TargetQuery::Line(LineQuery { readings }))
    }

    /// Reads the container that limits a target. A number is a reference here.
    pub fn parse_container(given: &str) -> Result<TargetQuery, TargetQueryError> {
        match crate::refs::parse(given) {
            Ok(_) => Ok(TargetQuery::Reference(given.trim().to_owned())),
            Err(_) => TargetQuery::parse(given),
        }
    }
}

impl TargetReading {
    /// Returns the same line with the end of its name as its owner: `More (HeatPump)`.
    fn owned(&self) -> Option<TargetReading> {
        let (name, guess, owner) = match self.guess.rsplit_once(") (") {
            Some((guess, owner)) if self.name.is_empty() => ("", guess, owner),
            _ => {
                let (name, owner) = self.name.strip_suffix(')')?.rsplit_once(" (")?;
                (name, self.guess.as_str(), owner)
            }
        };
        let owner = unquoted(owner).unwrap_or_else(|| owner.to_owned());
        let (role, name, guess) = (self.role.clone(), name.to_owned(), guess.to_owned());
        Some(TargetReading { role, name, guess, owner: Some(owner) })
    }
}

/// Returns the number of a printed line: `[12] button: Save`. Brackets alone are a name.
fn numbered_line(text: &str) -> Option<&str> {
    let (number, rest) = text.strip_prefix('[')?.split_once(']')?;
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (digits && first_word(rest.strip_prefix(' ')?).is_some()).then_some(number)
}

/// Returns the word that a printed line begins with, in lower case, and the rest of the line.
fn first_word(text: &str) -> Option<(String, &str)> {
    let end = text.find([' ', ':']).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let lower = word.to_ascii_lowercase();
    let known = Role::parse(&lower) != Role::None || LINE_WORDS.contains(&lower.as_str());
    let role = if lower == "img" { "image".to_owned() } else { lower.clone() };
    // Only a colon makes a role of a word that is not written as roles are printed.
    (known && (lower == word || rest.starts_with(':'))).then_some((role, rest))
}

/// Reads `role level (guess): name = "value" — state`; `None` if the text is not such a line.
fn line(text: &str) -> Option<TargetReading> {
    let (role, rest) = first_word(text)?;
    let rest = without_level(rest);
    let (guess, rest) = match rest.strip_prefix(" (") {
        Some(inner) => guess_of(inner)?,
        None => (String::new(), rest),
    };
    let role = Some(role);
    if let Some(name) = rest.strip_prefix(':') {
        let name = name.trim_start();
        let counted = holds_count(role.as_deref()?);
        let name = printed_name(name, counted);
        return Some(TargetReading { role, name, guess, owner: None });
    }
    let ends = rest.is_empty() || AFTER_NAME.iter().any(|mark| rest.starts_with(mark));
    ends.then_some(TargetReading { role, guess, ..TargetReading::default() })
}

/// Returns the rest of a line after the level of a heading: ` 2: Prices`.
fn without_level(rest: &str) -> &str {
    let Some(level) = rest.strip_prefix(' ') else { return rest };
    let after = level.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.len() < level.len() { after } else { rest }
}

/// Reads a guessed name up to its bracket, and returns the rest of the line.
fn guess_of(inner: &str) -> Option<(String, &str)> {
    if let Some((text, rest)) = quoted_start(inner) {
        return Some((text, rest.strip_prefix(')')?));
    }
    let end = inner.find("):").or_else(|| {
        let marked = AFTER_NAME.iter().filter_map(|mark| inner.find(&format!("){mark}"))).min();
        marked.or_else(|| inner.ends_with(')').then(|| inner.len() - 1))
    })?;
    Some((inner[..end].to_owned(), &inner[end + 1..]))
}

/// Returns the name at the beginning of the rest of a line.
fn printed_name(rest: &str, counted: bool) -> String {
    if let Some((name, _)) = quoted_start(rest) {
        return name;
    }
    let end = AFTER_NAME.iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
    let name = rest[..end].trim_end();
    let count = name.rsplit_once(" (").filter(|(_, count)| counted && is_count(count));
    count.map_or(name, |(name, _)| name).to_owned()
}

/// Whether lines with this role say how much they hold.
fn holds_count(role: &str) -> bool {
    matches!(Role::parse(role), Role::List | Role::Feed | Role::Table | Role::Grid | Role::TreeGrid)
}

/// Whether a text is the end of a count: `5)`, `300 rows)`.
fn is_count(text: &str) -> bool {
    let Some(count) = text.strip_suffix(')') else { return false };
    let number = count.strip_suffix(" rows").or(count.strip_suffix(" row")).unwrap_or(count);
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads a JSON string at the beginning of a text, and returns what comes after it.
fn quoted_start(text: &str) -> Option<(String, &str)> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let name = strings.next()?.ok()?;
    let rest = &text[strings.byte_offset()..];
    Some((clean(&name), rest))
}

/// Returns a name that is written as it is printed, as a JSON string.
fn unquoted(text: &str) -> Option<String> {
    quoted_start(text).filter(|(_, rest)| rest.is_empty()).map(|(name, _)| name)
}
