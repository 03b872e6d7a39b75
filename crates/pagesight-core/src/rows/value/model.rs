//! The values that cells can have.

use std::cmp::Ordering;

use super::decimal::Decimal;

/// The longest text that may be a value, in bytes.
pub(super) const LONGEST: usize = 64;

/// The unit of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NumberUnit {
    None,
    Percent,
    Currency(String),
}

impl NumberUnit {
    /// Whether two numbers can be compared: a number without a unit fits each.
    pub(crate) fn fits(&self, other: &NumberUnit) -> bool {
        self == other || *self == NumberUnit::None || *other == NumberUnit::None
    }
}

/// The meaning of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A number with its unit.
    Number(Decimal, NumberUnit),
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
    /// Compares two values; `None` if they cannot be compared.
    pub(crate) fn compare(&self, other: &Value) -> Option<Ordering> {
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
