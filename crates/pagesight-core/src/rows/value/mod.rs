//! Recognises what cells say for comparing: numbers, amounts, percentages, dates and durations.
//! What is doubtful stays text.

mod date;
mod decimal;
mod duration;
mod locale;
mod model;
mod number;

#[cfg(test)]
mod tests;

pub(super) use decimal::Decimal;
pub(super) use locale::Locale;
pub(super) use model::{NumberUnit, Value};

use model::LONGEST;

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
}

impl Locale {
    /// Returns how the texts of a column must be meant, as far as one of them leaves no doubt.
    pub(crate) fn of_texts<'t>(texts: impl Iterator<Item = &'t str>) -> Locale {
        let mut found = Locale::default();
        for text in texts.filter(|text| text.len() <= LONGEST) {
            found.comma = found.comma.or_else(|| number::comma_in(text));
            found.month_first = found.month_first.or_else(|| date::month_first_in(text));
            if found.comma.is_some() && found.month_first.is_some() {
                break;
            }
        }
        found
    }
}
