//! Parses questions. Names of columns are as they are printed, without regard to case.

use super::model::{Aggregate, Amount, Operator, Order, RowCondition, RowsQueryError};
use crate::text::escape::{bounded, safe};
use crate::text::json;

/// The longest part of a question that an error repeats.
const SHOWN: usize = 60;
/// The most amounts of an aggregate.
const MOST_AMOUNTS: usize = 5;

/// Operators, those first that begin with a different one.
const SIGNS: [(&str, Operator); 8] = [
    ("!=", Operator::NotEqual),
    ("<>", Operator::NotEqual),
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("==", Operator::Equal),
    ("=", Operator::Equal),
    ("<", Operator::Less),
    (">", Operator::Greater),
];

/// The columns that a question may name.
pub(super) struct ColumnNames<'t> {
    names: &'t [String],
}

impl<'t> ColumnNames<'t> {
    pub(super) fn of(names: &'t [String]) -> ColumnNames<'t> {
        ColumnNames { names }
    }

    /// Lists the columns for an error.
    fn known(&self) -> String {
        const LISTED: usize = 30;
        let mut names: Vec<String> =
            self.names.iter().take(LISTED).map(|name| json::string(name)).collect();
        if self.names.len() > LISTED {
            names.push(format!("… {} more", self.names.len() - LISTED));
        }
        names.join(", ")
    }

    fn missing(&self, parameter: &'static str, given: &str) -> RowsQueryError {
        let given = bounded(given.trim(), SHOWN);
        RowsQueryError::Column { parameter, given, known: self.known() }
    }

    /// Finds a column by its whole name, also as it is printed.
    pub(super) fn find(
        &self,
        parameter: &'static str,
        given: &str,
    ) -> Result<usize, RowsQueryError> {
        let given = given.trim();
        if given.is_empty() {
            return Err(RowsQueryError::Empty { parameter });
        }
        let unquoted = quoted(given).filter(|(_, rest)| rest.trim().is_empty());
        let is = |name: &String, given: &str| name.to_lowercase() == given.to_lowercase();
        let position = |given: &str| self.names.iter().position(|name| is(name, given));
        position(given)
            .or_else(|| self.names.iter().position(|name| safe(name, usize::MAX) == given))
            .or_else(|| position(&unquoted?.0))
            .ok_or_else(|| self.missing(parameter, given))
    }

    /// Finds the column that a condition begins with, and returns what follows it: the longest name
    /// after which an operator can stand.
    fn leading<'g>(&self, given: &'g str) -> Result<(usize, &'g str), RowsQueryError> {
        if let Some((name, rest)) = quoted(given) {
            return Ok((self.find("where", &name)?, rest));
        }
        let ends = |rest: &str| rest.is_empty() || !rest.starts_with(char::is_alphanumeric);
        let found = self
            .names
            .iter()
            .enumerate()
            .filter_map(|(at, name)| Some((at, name.len(), after(given, name)?)))
            .filter(|(.., rest)| ends(rest))
            .max_by_key(|(_, length, _)| *length);
        match found {
            Some((at, _, rest)) => Ok((at, rest)),
            None => {
                let name = given.split(['=', '<', '>', '!']).next().unwrap_or(given).trim();
                let name =
                    lower_split(name, " contains ").or_else(|| lower_split(name, " is empty"));
                let name = name.unwrap_or_else(|| {
                    given.split(['=', '<', '>', '!']).next().unwrap_or(given).trim()
                });
                Err(self.missing("where", name))
            }
        }
    }
}

/// Returns the text before a word, without regard to case.
fn lower_split<'g>(text: &'g str, word: &str) -> Option<&'g str> {
    text.char_indices()
        .map(|(at, _)| at)
        .find(|at| after(&text[*at..], word).is_some())
        .map(|at| &text[..at])
}

/// Returns what follows a beginning, without regard to case.
fn after<'g>(text: &'g str, beginning: &str) -> Option<&'g str> {
    let mut rest = text.chars();
    for expected in beginning.chars() {
        let given = rest.next()?;
        if given != expected && !given.to_lowercase().eq(expected.to_lowercase()) {
            return None;
        }
    }
    Some(rest.as_str())
}

/// Reads a text in quotes, and returns it with what follows. In double quotes, a backslash escapes.
fn quoted(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((out, &text[at + 1..])),
            '\\' if quote == '"' => out.extend(chars.next().map(|(_, c)| c)),
            c => out.push(c),
        }
    }
    None
}

/// Parses conditions that are joined by `and`.
pub(super) fn conditions(
    columns: &ColumnNames<'_>,
    given: &str,
) -> Result<Vec<RowCondition>, RowsQueryError> {
    let mut rest = given.trim();
    if rest.is_empty() {
        return Err(RowsQueryError::Empty { parameter: "where" });
    }
    let mut conditions = Vec::new();
    loop {
        let (column, after_column) = columns.leading(rest)?;
        let (operator, after_operator) = operator(after_column).ok_or_else(|| {
            RowsQueryError::Operator { given: bounded(rest, SHOWN), known: columns.known() }
        })?;
        let (value, next) = match operator {
            Operator::IsEmpty => (String::new(), split_and(after_operator)),
            _ => value(columns, after_operator)?,
        };
        if operator == Operator::IsEmpty && !next.0.trim().is_empty() {
            let (given, known) = (bounded(rest, SHOWN), columns.known());
            return Err(RowsQueryError::Operator { given, known });
        }
        conditions.push(RowCondition { column, operator, value });
        match next.1 {
            Some(next) => rest = next.trim_start(),
            None => return Ok(conditions),
        }
    }
}

/// Reads the operator after a column.
fn operator(text: &str) -> Option<(Operator, &str)> {
    let text = text.trim_start();
    let sign = SIGNS.iter().find_map(|(sign, is)| Some((*is, text.strip_prefix(sign)?)));
    let word = || {
        let rest = after(text, "contains")?;
        let ends = rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
        (ends || rest.is_empty()).then_some((Operator::Contains, rest))
    };
    let empty = || {
        let rest = after(after(text, "is")?.trim_start(), "empty")?;
        (!rest.starts_with(char::is_alphanumeric)).then_some((Operator::IsEmpty, rest))
    };
    sign.or_else(word).or_else(empty)
}

/// A text up to `and`, and what follows that.
type Split<'g> = (&'g str, Option<&'g str>);

/// Splits a text at the first `and` between words.
fn split_and(text: &str) -> Split<'_> {
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        if c.is_whitespace()
            && let Some(rest) = after(rest, "and")
            && rest.starts_with(char::is_whitespace)
        {
            return (&text[..at], Some(rest));
        }
    }
    (text, None)
}

/// Whether a value goes on with a different condition after `or`, `||` or `&&`. As a value it would
/// match nothing.
fn has_condition(columns: &ColumnNames<'_>, value: &str) -> bool {
    let begins = |word: &&str| {
        value.char_indices().any(|(at, _)| {
            let condition = after(&value[at..], word).map(str::trim_start);
            let rest = condition.and_then(|text| columns.leading(text).ok());
            rest.is_some_and(|(_, rest)| operator(rest).is_some())
        })
    };
    [" or ", "||", "&&"].iter().any(begins)
}

/// Reads the value after an operator, and what follows it.
fn value<'g>(
    columns: &ColumnNames<'_>,
    text: &'g str,
) -> Result<(String, Split<'g>), RowsQueryError> {
    if text.trim_start().starts_with(['"', '\'']) {
        let wrong = || RowsQueryError::Quotes { given: bounded(text.trim(), SHOWN) };
        let (value, rest) = quoted(text).ok_or_else(wrong)?;
        let next = split_and(rest);
        return if next.0.trim().is_empty() { Ok((value, next)) } else { Err(wrong()) };
    }
    let next = split_and(text);
    let value = next.0.trim();
    if value.is_empty() {
        return Err(RowsQueryError::Value { after: "the operator".to_owned() });
    }
    if has_condition(columns, value) {
        return Err(RowsQueryError::Joined { given: bounded(value, SHOWN) });
    }
    Ok((value.to_owned(), next))
}

/// Parses an order: a column, and `asc` or `desc`.
pub(super) fn order(columns: &ColumnNames<'_>, given: &str) -> Result<Order, RowsQueryError> {
    let given = given.trim();
    // A column may be named so.
    if let Ok(column) = columns.find("order_by", given) {
        return Ok(Order { column, descending: false });
    }
    let (name, descending) = match given.rsplit_once(char::is_whitespace) {
        Some((name, word)) if word.eq_ignore_ascii_case("desc") => (name, true),
        Some((name, word)) if word.eq_ignore_ascii_case("asc") => (name, false),
        _ => (given, false),
    };
    Ok(Order { column: columns.find("order_by", name)?, descending })
}

/// Parses an aggregate: amounts with commas between them, and the column of the groups.
pub(super) fn aggregate(
    columns: &ColumnNames<'_>,
    given: &str,
) -> Result<Aggregate, RowsQueryError> {
    let text = given.trim();
    let unknown = || RowsQueryError::Aggregate { given: bounded(text, SHOWN) };
    let (mut amounts, mut rest) = (Vec::new(), text);
    loop {
        let after_amount = if let Some(rest) = after(rest, "count") {
            amounts.push(Amount::Count);
            rest
        } else {
            let inside = after(rest, "sum").and_then(|rest| rest.trim_start().strip_prefix('('));
            let inside = inside.ok_or_else(unknown)?;
            // A name may have brackets, so the last one that leaves a known form ends it.
            let mut ends = inside.char_indices().filter(|(_, c)| *c == ')').map(|(at, _)| at);
            let is_end = |at: &usize| {
                let rest = inside[at + 1..].trim_start();
                rest.is_empty() || rest.starts_with(',') || by(rest).is_some()
            };
            let end = ends.find(is_end).ok_or_else(unknown)?;
            amounts.push(Amount::Sum(columns.find("aggregate", &inside[..end])?));
            &inside[end + 1..]
        };
        rest = after_amount.trim();
        match rest.strip_prefix(',') {
            Some(next) if amounts.len() < MOST_AMOUNTS => rest = next.trim_start(),
            Some(_) => return Err(unknown()),
            None => break,
        }
    }
    let by = match (rest.is_empty(), by(rest)) {
        (true, _) => None,
        (false, Some(name)) => Some(columns.find("aggregate", name)?),
        (false, None) => return Err(unknown()),
    };
    Ok(Aggregate { amounts, by })
}

/// Returns the name after `by`.
fn by(text: &str) -> Option<&str> {
    after(text, "by").filter(|rest| rest.starts_with(char::is_whitespace))
}
