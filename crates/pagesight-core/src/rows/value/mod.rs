//! Recognises what cells say for comparing: numbers, amounts, percentages, dates and durations.
//! What is doubtful stays text.

mod date;
mod decimal;
mod duration;
mod locale;
mod number;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

pub(super) use decimal::Decimal;
pub(super) use locale::Locale;
pub(super) use number::Unit;

/// The longest text that may be a value, in bytes.
const LONGEST: usize = 64;

/// What a text means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A number with its unit.
    Number(Decimal, Unit),
    /// Year, month, day, then seconds of the day.
    Date(i32, u32, u32, u32),
    /// Milliseconds.
    Duration(i64),
    /// It could be one value or a different one.
    Doubtful,
    /// A text.
    Text,
}

impl Value {
    /// Recognises the value of a text.
    pub(super) fn of(text: &str, locale: Locale) -> Value {
        let text = text.trim();
        if text.len() > LONGEST || !text.contains(|c: char| c.is_ascii_digit()) {
            return Value::Text;
        }
        number::read(text, locale)
            .or_else(|| date::read(text, locale))
            .or_else(|| duration::read(text))
            .unwrap_or(Value::Text)
    }

    /// Compares two values; `None` if they cannot be compared.
    pub(super) fn compare(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Number(one, unit), Value::Number(two, of_other)) => {
                unit.fits(of_other).then(|| one.compare(two))
            }
            (Value::Date(y, m, d, s), Value::Date(year, month, day, seconds)) => {
                Some((y, m, d, s).cmp(&(year, month, day, seconds)))
            }
            (Value::Duration(one), Value::Duration(two)) => Some(one.cmp(two)),
            _ => None,
        }
    }
}
