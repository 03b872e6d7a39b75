//! Formats the times that pagesight stores and prints.

use chrono::{DateTime, Local, Utc};

/// Returns the current time in the form that is stored: `2026-01-23T10:30:45Z`.
pub fn timestamp() -> String {
    written(Utc::now())
}

/// Returns the current time in seconds since 1970.
pub fn seconds() -> f64 {
    Utc::now().timestamp() as f64
}

/// Returns the local time of day: `10:30:45`.
pub fn time_of_day() -> String {
    Local::now().format("%H:%M:%S").to_string()
}

fn written(time: DateTime<Utc>) -> String {
    time.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc_with_seconds() {
        let at = |seconds| written(DateTime::from_timestamp(seconds, 999_999_999).unwrap());
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(1_769_164_245), "2026-01-23T10:30:45Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59Z");
    }
}
