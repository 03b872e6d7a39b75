//! Detects texts that change like a clock: a time of day, a countdown, `12 seconds ago`. Such a
//! change is background activity, even if nobody watched the text before.

/// The most seconds that a clock may advance between two looks.
const MOST_SECONDS: i64 = 10;

/// Whether one text is the other a few seconds later, or earlier for a countdown.
pub(super) fn ticked(was: &str, now: &str) -> bool {
    let (old, new) = (words(was), words(now));
    if old.len() != new.len() || was == now {
        return false;
    }
    let mut ticks = 0;
    for (at, (before, after)) in old.iter().zip(&new).enumerate() {
        if before == after {
            continue;
        }
        let unit = || has_unit(&new[at + 1..]);
        let (Some(one), Some(other)) = (seconds(before, unit()), seconds(after, unit())) else {
            return false;
        };
        // 23:59:59 is followed by 0:00:00.
        let apart = (other - one).rem_euclid(86_400).min((one - other).rem_euclid(86_400));
        if apart > MOST_SECONDS {
            return false;
        }
        ticks += 1;
    }
    ticks > 0
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().map(|word| word.trim_end_matches([',', '.', ';', ')'])).collect()
}

const UNITS: [&str; 5] = ["seconds", "second", "secs", "sec", "s"];

/// Whether the words after a number say that it counts seconds: `seconds ago`, `/ 900sec`.
fn has_unit(after: &[&str]) -> bool {
    let is_unit = |word: &str| UNITS.contains(&word.to_lowercase().as_str());
    match after {
        ["/" | "of", whole, rest @ ..] => {
            let number = whole.trim_end_matches(char::is_alphabetic);
            let unit = if number.len() < whole.len() { Some(&whole[number.len()..]) } else { None };
            number.parse::<i64>().is_ok() && unit.or(rest.first().copied()).is_some_and(is_unit)
        }
        [word, ..] => is_unit(word),
        [] => false,
    }
}

/// Parses seconds: `12:00:07`, `02:31` (minutes and seconds), `12s`, or a number before its unit.
fn seconds(word: &str, before_unit: bool) -> Option<i64> {
    let word = word.trim_start_matches('(');
    if before_unit {
        return word.parse::<i64>().ok().filter(|seconds| *seconds >= 0);
    }
    if let Some(number) = UNITS.iter().find_map(|unit| word.strip_suffix(unit)) {
        return number.parse().ok();
    }
    let parts: Vec<&str> = word.split(':').collect();
    let digits = |part: &&str| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !(2..=3).contains(&parts.len())
        || !parts.iter().all(digits)
        || parts[1..].iter().any(|part| part.len() != 2)
    {
        return None;
    }
    Some(parts.iter().fold(0, |sum, part| sum * 60 + part.parse::<i64>().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_countdowns_tick() {
        for (was, now) in [
            ("12:00:01", "12:00:02"),
            ("It is 9:59:59 PM", "It is 10:00:00 PM"),
            ("23:59:59", "0:00:00"),
            ("00:31", "00:30"),
            ("saved 3 seconds ago", "saved 4 seconds ago"),
            ("59s left", "58s left"),
            ("59sec left", "58sec left"),
            ("Time left: 900 / 900sec", "Time left: 899 / 900sec"),
            ("7 of 60 seconds", "8 of 60 seconds"),
        ] {
            assert!(ticked(was, now), "{was} {now}");
        }
    }

    #[test]
    fn other_numbers_do_not() {
        for (was, now) in [
            ("4 items", "5 items"),
            ("12:00:01", "12:30:01"),
            ("10:00 Meeting", "10:00 Lunch"),
            ("1 second", "1 minute"),
            ("3 / 10", "4 / 10"),
            ("3 of 10 items", "4 of 10 items"),
            ("3", "4"),
            ("$12.00", "$12.01"),
            ("12:00:01", "12:00:01"),
        ] {
            assert!(!ticked(was, now), "{was} {now}");
        }
    }
}
