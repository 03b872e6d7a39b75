//! Finds numbers that people read as amounts: with a currency, a percentage or a unit.

/// Signs of currencies, and letters that stand for one.
pub(crate) const CURRENCIES: [&str; 51] = [
    "US$", "NZ$", "HK$", "A$", "C$", "R$", "$", "€", "£", "¥", "₹", "₩", "₽", "₺", "₴", "₪", "₫",
    "฿", "₱", "₦", "kr.", "kr", "zł", "Kč", "Ft", "lei", "лв.", "Fr.", "CHF", "EUR", "USD", "GBP",
    "JPY", "元", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "CAD", "AUD", "NZD", "CNY", "INR",
    "BRL", "MXN", "KRW", "TRY", "RUB", "ZAR",
];
/// Units of measure. Units of time are left out: what they count changes on its own.
const UNITS: [&str; 38] = [
    "kg", "g", "mg", "lb", "lbs", "oz", "km", "m", "cm", "mm", "mi", "ft", "yd", "l", "ml", "cl",
    "dl", "gal", "km/h", "mph", "m²", "m³", "km²", "°C", "°F", "W", "kW", "kWh", "MWh", "mAh",
    "Hz", "GHz", "kB", "KB", "MB", "GB", "TB", "kcal",
];

/// Which numbers of a text are amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AmountKinds {
    /// Those with a currency.
    Currencies,
    /// Also percentages, and those with a unit.
    Units,
    /// Every number, because the page says that it is a price.
    All,
}

/// Returns the amounts in a text, each with its sign and unit, as they are written.
pub(crate) fn amounts(text: &str, kinds: AmountKinds) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(|c: char| c.is_ascii_digit()).map(|at| from + at) {
        let end = number_end(text, start);
        let (before, after) = (&text[..start], &text[end..]);
        from = end;
        let glued = before.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let sign = currency_before(before);
        if glued && sign.is_none() {
            continue;
        }
        let unit = unit_after(after, kinds);
        if sign.is_none() && unit.is_none() && kinds != AmountKinds::All {
            continue;
        }
        let begin = start - sign.unwrap_or(0);
        let minus = text[..begin].chars().next_back().filter(|c| matches!(c, '-' | '−' | '+'));
        let begin = begin - minus.map_or(0, char::len_utf8);
        from = end + unit.unwrap_or(0);
        found.push(&text[begin..from]);
    }
    found
}

/// Returns the end of the number that begins at a digit, with the marks between its digits.
fn number_end(text: &str, start: usize) -> usize {
    let mut end = start;
    for (at, c) in text[start..].char_indices() {
        let next = start + at + c.len_utf8();
        let is_mark = matches!(c, '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '\u{2009}');
        if c.is_ascii_digit() {
            end = next;
        } else if !(is_mark && text[next..].starts_with(|c: char| c.is_ascii_digit())) {
            break;
        }
    }
    end
}

/// Returns the length of the currency before a number, with the space between them.
fn currency_before(before: &str) -> Option<usize> {
    let bare = before.trim_end();
    let sign = CURRENCIES.iter().filter(|sign| bare.ends_with(**sign));
    let sign = sign.max_by_key(|sign| sign.len())?;
    let rest = &bare[..bare.len() - sign.len()];
    let whole = !begins_in_word(sign, rest);
    (whole && before.len() - bare.len() <= 3).then(|| before.len() - rest.len())
}

/// Whether a currency that is written as a word is only the end of a longer word.
fn begins_in_word(sign: &str, rest: &str) -> bool {
    sign.starts_with(char::is_alphabetic) && rest.ends_with(char::is_alphanumeric)
}

/// Returns the length of the currency or unit after a number, with the space between them.
fn unit_after(after: &str, kinds: AmountKinds) -> Option<usize> {
    let bare = after.trim_start();
    let gap = after.len() - bare.len();
    let listed: &[&str] = if kinds == AmountKinds::Currencies { &[] } else { &UNITS };
    let signs: &[&str] = if kinds == AmountKinds::Currencies { &[] } else { &["%", "‰"] };
    let known = CURRENCIES.iter().chain(listed).chain(signs);
    let unit = known.filter(|unit| {
        let rest = bare.strip_prefix(**unit);
        rest.is_some_and(|rest| {
            !unit.ends_with(char::is_alphanumeric) || !rest.starts_with(char::is_alphanumeric)
        })
    });
    // A currency after white space may also be the one of the next amount: `5 $29`.
    let unit = unit.max_by_key(|unit| unit.len())?;
    let rest = bare[unit.len()..].trim_start();
    let begins_next = gap > 0
        && !unit.starts_with(char::is_alphanumeric)
        && CURRENCIES.contains(unit)
        && bare[unit.len()..].starts_with(|c: char| c.is_ascii_digit())
        && !rest.is_empty();
    (gap <= 3 && !begins_next).then_some(gap + unit.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, kinds: AmountKinds) -> Vec<&str> {
        amounts(text, kinds)
    }

    #[test]
    fn amounts_with_a_currency_in_every_form() {
        for (text, amount) in [
            ("Only $29!", "$29"),
            ("$2,900.00 a year", "$2,900.00"),
            ("199.00 EUR", "199.00 EUR"),
            ("1.299,00 €", "1.299,00 €"),
            ("CHF 1’200.50", "CHF 1’200.50"),
            ("US$ 5", "US$ 5"),
            ("ab 9,99 zł", "9,99 zł"),
            ("Saldo: -12 €", "-12 €"),
        ] {
            assert_eq!(found(text, AmountKinds::Currencies), [amount], "{text}");
        }
        assert_eq!(found("was $40, now $29", AmountKinds::Currencies), ["$40", "$29"]);
        assert_eq!(found("2 $29", AmountKinds::Currencies), ["$29"]);
    }

    #[test]
    fn other_numbers_are_no_amounts() {
        for text in
            ["Cart (3)", "5 items", "h1", "12:30", "2026-11-15", "v2", "Mark1 5", "24 hours"]
        {
            assert!(found(text, AmountKinds::Currencies).is_empty(), "{text}");
            assert!(found(text, AmountKinds::Units).is_empty(), "{text}");
        }
    }

    #[test]
    fn percentages_and_units_where_they_count() {
        assert!(found("20 % off, 5 kg", AmountKinds::Currencies).is_empty());
        assert_eq!(found("20 % off, 5 kg", AmountKinds::Units), ["20 %", "5 kg"]);
        assert_eq!(found("-4.2% at 21 °C", AmountKinds::Units), ["-4.2%", "21 °C"]);
        assert!(found("5 kings", AmountKinds::Units).is_empty());
        assert_eq!(found("199", AmountKinds::All), ["199"]);
    }
}
