//! Decimal numbers as texts: a field may show the number that was given in its own way.

/// Whether two texts are the same decimal number: `200` and `200.0`, `.5` and `0.50`, `+3` and `3`.
/// Other texts, such as codes with leading zeros, are never the same number.
pub fn same_number(one: &str, other: &str) -> bool {
    parts(one).is_some_and(|number| Some(number) == parts(other))
}

/// Returns whether a number is below zero, its digits before the point, and those after it without
/// zeros at the end.
fn parts(text: &str) -> Option<(bool, &str, &str)> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix(['-', '−']) {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = fraction.trim_end_matches('0');
    Some((negative && (whole != "0" || !fraction.is_empty()), whole, fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_as_numbers() {
        for (one, other) in [
            ("200", "200.0"),
            ("200.50", "200.5"),
            (".5", "0.5"),
            ("5.", "5"),
            ("+3", "3"),
            ("-0", "0.0"),
            ("−2", "-2.0"),
            (" 7 ", "7"),
            ("12345678901234567890", "12345678901234567890.00"),
        ] {
            assert!(same_number(one, other) && same_number(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("200", "201"),
            ("2", "-2"),
            ("007", "7"),
            ("12345678901234567890", "12345678901234567891"),
            ("", "0"),
            (".", "0"),
            ("1.2.3", "1.2.3"),
            ("1,000", "1000"),
            ("1e3", "1000"),
            ("ten", "ten"),
        ] {
            assert!(!same_number(one, other), "{one} {other}");
        }
    }
}
