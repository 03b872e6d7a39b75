//! Exact decimal numbers, because sums of amounts must not be rounded.

use std::cmp::Ordering;

/// The most digits of a number. Products of two powers of ten still fit.
const MOST_DIGITS: usize = 18;

/// A decimal number: `digits` divided by ten to the power of `scale`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decimal {
    digits: i128,
    scale: u32,
}

impl Decimal {
    /// Reads digits with at most one point; `None` if there are none, or too many.
    pub(super) fn read(text: &str, negative: bool) -> Option<Decimal> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits: String = whole.chars().chain(fraction.chars()).collect();
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !plain || digits.len() > MOST_DIGITS {
            return None;
        }
        let digits: i128 = digits.parse().ok()?;
        let digits = if negative { -digits } else { digits };
        Some(Decimal { digits, scale: fraction.len() as u32 })
    }

    /// Returns both numbers with the same scale.
    fn aligned(&self, other: &Decimal) -> (i128, i128, u32) {
        let scale = self.scale.max(other.scale);
        let at = |one: &Decimal| one.digits.saturating_mul(10i128.pow(scale - one.scale));
        (at(self), at(other), scale)
    }

    pub(super) fn compare(&self, other: &Decimal) -> Ordering {
        let (one, two, _) = self.aligned(other);
        one.cmp(&two)
    }

    /// Adds two numbers.
    pub(crate) fn plus(&self, other: &Decimal) -> Decimal {
        let (one, two, scale) = self.aligned(other);
        Decimal { digits: one.saturating_add(two), scale }
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Decimal) -> bool {
        self.compare(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let digits = self.digits.unsigned_abs();
        let unit = 10u128.pow(self.scale);
        write!(f, "{sign}{}", digits / unit)?;
        if self.scale > 0 {
            write!(f, ".{:0width$}", digits % unit, width = self.scale as usize)?;
        }
        Ok(())
    }
}
