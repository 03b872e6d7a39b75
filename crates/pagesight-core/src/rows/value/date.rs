//! Recognises dates, with or without a time of the day.

use std::borrow::Cow;

use super::locale::Locale;
use super::model::Value;

/// The first letters of the months, in the languages that are known; in each the months in order.
const MONTHS: [&str; 9] = [
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "jän feb mär apr mai jun jul aug sep okt nov dez",
    "janv févr mars avr mai juin juil août sept oct nov déc",
    "ene feb mar abr may jun jul ago sep oct nov dic",
    "gen feb mar apr mag giu lug ago set ott nov dic",
    "jan fev mar abr mai jun jul ago set out nov dez",
    "jan feb mrt apr mei jun jul aug sep okt nov dec",
    "jan feb mar apr maj jun jul aug sep okt nov dec",
    "sty lut mar kwi maj cze lip sie wrz paź lis gru",
];

/// Reads a date; `None` if the text is not one.
pub(super) fn read(text: &str, locale: Locale) -> Option<Value> {
    let (date, time) = split_time(text)?;
    let date = &*western(date);
    let (year, month, day) = match written(date) {
        Some(date) => date,
        None => {
            let (first, mark, second, third) = three(date)?;
            match mark {
                '-' | '/' | '.' if first.len() == 4 => {
                    (number(first)?, number(second)?, number(third)?)
                }
                '.' => (year(third)?, number(second)?, number(first)?),
                _ => {
                    let (one, two) = (number(first)?, number(second)?);
                    let month_first = match (one > 12, two > 12) {
                        (true, _) => false,
                        (_, true) => true,
                        _ if one == two => true,
                        _ => match locale.month_first {
                            Some(month_first) => month_first,
                            None => return Some(Value::Doubtful),
                        },
                    };
                    let (month, day) = if month_first { (one, two) } else { (two, one) };
                    (year(third)?, month, day)
                }
            }
        }
    };
    let valid = (1..=12).contains(&month) && (1..=31).contains(&day);
    valid.then_some(Value::Date(year as i32, month, day, time))
}

/// Writes a date with the signs for year, month and day as `2024-3-14`.
fn western(date: &str) -> Cow<'_, str> {
    match date.contains('年') {
        true => Cow::Owned(date.replace(['年', '月'], "-").replace('日', "")),
        false => Cow::Borrowed(date),
    }
}

/// Returns whether the month comes first in a date with slashes or hyphens, if it leaves no doubt.
pub(super) fn month_first_in(text: &str) -> Option<bool> {
    let (date, _) = split_time(text)?;
    let (first, '/' | '-', second, _) = three(date)? else { return None };
    if first.len() > 2 {
        return None;
    }
    match (number(first)? > 12, number(second)? > 12) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => None,
    }
}

/// Splits a date from the time after it, in seconds.
fn split_time(text: &str) -> Option<(&str, u32)> {
    let at = text.find(':').map(|colon| text[..colon].rfind(|c: char| !c.is_ascii_digit()));
    let Some(at) = at else { return Some((text, 0)) };
    let at = at?;
    let mut time = text[at..].trim_start_matches(['T', ' ', ',', '\u{a0}', '\u{202f}']);
    // A zone is the same for all of a column.
    time = time.trim_end_matches('Z').trim_end_matches(" UTC").trim();
    if text[at..].starts_with('T')
        && let Some(zone) = time.rfind(['+', '-'])
    {
        time = &time[..zone];
    }
    let lower = time.to_ascii_lowercase();
    let (clock, noon) = match lower.strip_suffix("pm").or_else(|| lower.strip_suffix("p.m.")) {
        Some(clock) => (clock, Some(12)),
        None => match lower.strip_suffix("am").or_else(|| lower.strip_suffix("a.m.")) {
            Some(clock) => (clock, Some(0)),
            None => (lower.as_str(), None),
        },
    };
    let mut parts = clock.trim().split(':');
    let mut hour = number(parts.next()?)?;
    let minute = number(parts.next()?)?;
    let second = match parts.next() {
        Some(second) => number(second.split('.').next()?)?,
        None => 0,
    };
    if let Some(noon) = noon {
        hour = hour % 12 + noon;
    }
    let valid = hour < 25 && minute < 60 && second < 61 && parts.next().is_none();
    let date = text[..at].trim_end_matches([' ', ',', 'T', '\u{a0}']);
    let date = date.strip_suffix(" at").unwrap_or(date);
    (valid && !date.is_empty()).then_some((date, hour * 3600 + minute * 60 + second))
}

/// Reads a date with the name of its month: `May 3, 2024`, `3. Mai 2024`.
fn written(date: &str) -> Option<(u32, u32, u32)> {
    let words: Vec<&str> = date
        .split([' ', ',', '\u{a0}', '-', '/'])
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty() && *word != "de" && *word != "of")
        .collect();
    let [first, second, third] = words[..] else { return None };
    let day = |word: &str| {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == 'º');
        number(digits).filter(|_| digits.len() <= 2)
    };
    if let (Some(month), Some(day)) = (month(first), day(second)) {
        return Some((year(third)?, month, day));
    }
    if first.len() == 4 {
        return Some((number(first)?, month(second)?, day(third)?));
    }
    Some((year(third)?, month(second)?, day(first)?))
}

/// Returns the number of a month by its name, of which at least three letters are given.
fn month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    if word.chars().count() < 3 || word.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    MONTHS.iter().find_map(|months| {
        let found = months.split(' ').position(|month| {
            let stem: String =
                month.chars().take(if month.starts_with("jui") { 4 } else { 3 }).collect();
            word.starts_with(&stem)
        });
        Some(found? as u32 + 1)
    })
}

/// Splits three numbers with one mark between them.
fn three(date: &str) -> Option<(&str, char, &str, &str)> {
    let mark = date.chars().find(|c| !c.is_ascii_digit())?;
    let mut parts = date.split(mark);
    let parts = (parts.next()?, mark, parts.next()?, parts.next()?, parts.next());
    let (first, mark, second, third, None) = parts else { return None };
    let short =
        |part: &str| matches!(part.len(), 1..=4) && part.bytes().all(|b| b.is_ascii_digit());
    (short(first) && short(second) && short(third)).then_some((first, mark, second, third))
}

fn year(text: &str) -> Option<u32> {
    match text.len() {
        4 => number(text),
        2 => number(text).map(|year| if year < 70 { 2000 + year } else { 1900 + year }),
        _ => None,
    }
}

fn number(text: &str) -> Option<u32> {
    if text.len() > 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        None
    } else {
        text.parse().ok()
    }
}
