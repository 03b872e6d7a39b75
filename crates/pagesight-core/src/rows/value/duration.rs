//! Recognises durations: `1h 30m`, `90 min`, `1:30:00`, `500 ms`.

use super::model::Value;

/// Units with their milliseconds.
const UNITS: [(&str, i64); 8] = [
    ("ms msec millisecond milliseconds", 1),
    ("s sec secs second seconds sek sekunden", 1_000),
    ("m min mins minute minutes minuten", 60_000),
    ("h hr hrs hour hours std stunden heures", 3_600_000),
    ("d day days tag tage jours", 86_400_000),
    ("w wk wks week weeks wochen", 604_800_000),
    ("mo month months monate", 2_592_000_000),
    ("y yr yrs year years jahre", 31_536_000_000),
];

/// Reads a duration; `None` if the text is not one.
pub(super) fn read(text: &str) -> Option<Value> {
    let milliseconds = if text.contains(':') { clock(text)? } else { in_units(text)? };
    Some(Value::Duration(milliseconds))
}

/// Reads `1:30` and `1:02:30`: the last part is seconds.
fn clock(text: &str) -> Option<i64> {
    let mut total = 0i64;
    let mut parts = 0;
    for part in text.split(':') {
        let short = matches!(part.len(), 1..=4) && part.bytes().all(|byte| byte.is_ascii_digit());
        total = total * 60 + part.parse::<i64>().ok().filter(|_| short)?;
        parts += 1;
    }
    matches!(parts, 2 | 3).then_some(total * 1_000)
}

fn in_units(text: &str) -> Option<i64> {
    let mut total = 0i64;
    let mut rest = text.trim();
    let mut last = i64::MAX;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..end].parse().ok().filter(|number: &f64| *number < 1e6)?;
        let after = rest[end..].trim_start();
        let end = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let word = after[..end].to_lowercase();
        let (_, unit) = UNITS.iter().find(|(words, _)| words.split(' ').any(|one| one == word))?;
        // The largest unit comes first.
        if *unit >= last {
            return None;
        }
        last = *unit;
        total += (number * *unit as f64).round() as i64;
        rest = after[end..].trim_start_matches(['.', ',', ' ', '\u{a0}']);
    }
    Some(total)
}
