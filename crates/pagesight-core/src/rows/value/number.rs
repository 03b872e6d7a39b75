//! Recognises numbers, amounts with a currency, and percentages.

use super::decimal::Decimal;
use super::locale::Locale;
use super::model::{NumberUnit, Value};
use crate::text::amounts::CURRENCIES;

/// Reads a number; `None` if the text is not one.
pub(super) fn read(text: &str, locale: Locale) -> Option<Value> {
    let (digits, negative, unit) = parts(text)?;
    let plain = match plain(&digits, locale.comma)? {
        Some(plain) => plain,
        None => return Some(Value::Doubtful),
    };
    Some(Value::Number(Decimal::read(&plain, negative)?, unit))
}

/// Returns whether a comma begins the fraction of a number, if its form leaves no doubt.
pub(super) fn comma_in(text: &str) -> Option<bool> {
    let (digits, ..) = parts(text)?;
    let (last, other) = (digits.rfind([',', '.'])?, digits.find([',', '.'])?);
    let mark = digits.as_bytes()[last];
    let after = digits.len() - last - 1;
    let both = digits.as_bytes()[other] != mark;
    let several = other != last && !both;
    match (several, both || after != 3 || digits.starts_with('0')) {
        // Several equal marks separate groups.
        (true, _) => Some(mark == b'.'),
        (false, true) => Some(mark == b','),
        (false, false) => None,
    }
}

/// Splits a text into digits with marks, sign and unit.
fn parts(text: &str) -> Option<(String, bool, NumberUnit)> {
    let mut rest = text.trim();
    let mut negative = false;
    let mut unit = NumberUnit::None;
    if let Some(inner) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        (rest, negative) = (inner.trim(), true);
    }
    let mut signed = false;
    // Sign and currency stand in either order.
    for _ in 0..2 {
        if let Some(after) = rest.strip_prefix(['-', '−', '–', '+']).filter(|_| !signed) {
            negative |= !rest.starts_with('+');
            (rest, signed) = (after.trim_start(), true);
        }
        if unit == NumberUnit::None
            && let Some((found, after)) = currency(rest, |rest, sign| rest.strip_prefix(sign))
        {
            (unit, rest) = (found, after.trim_start());
        }
    }
    if unit == NumberUnit::None {
        if let Some(before) = rest.strip_suffix('%') {
            (unit, rest) = (NumberUnit::Percent, before.trim_end());
        } else if let Some((found, before)) = currency(rest, |rest, sign| rest.strip_suffix(sign)) {
            (unit, rest) = (found, before.trim_end());
        }
    }
    let digits: String = rest.chars().map(|c| if is_group_mark(c) { ' ' } else { c }).collect();
    let known = |c: char| c.is_ascii_digit() || matches!(c, ' ' | ',' | '.');
    let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let begins = ends(digits.chars().next()) || digits.starts_with('.') && digits.len() > 1;
    (digits.chars().all(known) && begins && ends(digits.chars().next_back()))
        .then_some((digits, negative, unit))
}

/// Whether a character only separates groups of digits.
fn is_group_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{202f}' | '\u{2009}' | '\'' | '’')
}

fn currency<'t>(
    text: &'t str,
    strip: impl Fn(&'t str, &'static str) -> Option<&'t str>,
) -> Option<(NumberUnit, &'t str)> {
    CURRENCIES
        .iter()
        .find_map(|sign| Some((NumberUnit::Currency((*sign).to_owned()), strip(text, sign)?)))
}

/// Returns the digits with a point before the fraction: `None` if this is not a number,
/// `Some(None)` if it could be two.
fn plain(digits: &str, comma: Option<bool>) -> Option<Option<String>> {
    let marks: Vec<(usize, u8)> =
        digits.bytes().enumerate().filter(|(_, byte)| matches!(byte, b',' | b'.')).collect();
    let fraction = match marks.as_slice() {
        [] => None,
        [(at, mark)] => {
            let after = digits.len() - at - 1;
            let may_group = after == 3 && *at > 0 && *at <= 3 && !digits.starts_with('0');
            match (may_group, comma) {
                (false, _) => Some(*at),
                (true, Some(comma)) => ((*mark == b',') == comma).then_some(*at),
                (true, None) => return Some(None),
            }
        }
        [first @ .., (at, mark)] => {
            let group = first[0].1;
            if first.iter().any(|(_, other)| *other != group) {
                return None;
            }
            (*mark != group).then_some(*at)
        }
    };
    let whole = &digits[..fraction.unwrap_or(digits.len())];
    let mut groups = whole.split([' ', ',', '.']);
    let first = groups.next().unwrap_or_default();
    let mut rest = groups.peekable();
    // The last group has three digits; the others two in India.
    if rest.peek().is_some() {
        let groups: Vec<&str> = rest.collect();
        let (last, others) = groups.split_last()?;
        let whole_groups = others.iter().all(|group| matches!(group.len(), 2 | 3));
        if first.is_empty() || first.len() > 3 || last.len() != 3 || !whole_groups {
            return None;
        }
    }
    let mut plain: String = whole.chars().filter(char::is_ascii_digit).collect();
    if let Some(at) = fraction {
        let fraction = &digits[at + 1..];
        if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        plain.push('.');
        plain.push_str(fraction);
    }
    Some(Some(plain))
}
