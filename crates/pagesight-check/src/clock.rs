//! Formats the times that pagesight stores and prints.

use std::fmt::Display;

use chrono::{DateTime, Local, TimeZone, Utc};

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

/// Returns a stored time as people read it, in local time: `23 Jan 2026, 11:30 (UTC+01:00)`. A text
/// that is not a stored time stays as it is.
pub fn readable(stored: &str) -> String {
    match DateTime::parse_from_rfc3339(stored) {
        Ok(time) => shown(time.with_timezone(&Local)),
        Err(_) => stored.to_owned(),
    }
}

fn shown<Zone: TimeZone<Offset: Display>>(time: DateTime<Zone>) -> String {
    time.format("%-d %b %Y, %H:%M (UTC%:z)").to_string().replace("UTC+00:00", "UTC")
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

    #[test]
    fn people_read_the_time_of_their_zone() {
        let at = |zone: i32| {
            let zone = chrono::FixedOffset::east_opt(zone).unwrap();
            shown(
                DateTime::parse_from_rfc3339("2026-01-23T10:30:45Z").unwrap().with_timezone(&zone),
            )
        };
        assert_eq!(at(0), "23 Jan 2026, 10:30 (UTC)");
        assert_eq!(at(5 * 3600 + 1800), "23 Jan 2026, 16:00 (UTC+05:30)");
        assert_eq!(readable("yesterday"), "yesterday");
    }
}
