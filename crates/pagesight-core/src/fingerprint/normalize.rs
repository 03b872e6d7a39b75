//! Replaces volatile parts of a text with placeholders: dates, times, relative times, counters and
//! generated ids. A running clock is then not a change. Words stay, so that a count that became
//! zero, or an error, still changes the text.

use std::borrow::Cow;

/// Names of months and days as they appear in dates, in the most common languages of browsers.
const MONTHS: &str = " jan january januar janvier janv enero ene gennaio gen janeiro januari styczeń stycznia январь января янв \
 feb february februar février févr fevrier febrero febbraio fevereiro fev februari lutego февраль февраля февр фев \
 mar march märz mrz mars marzo março maart mrt marca март марта мар apr april avril avr abril abr aprile kwietnia апрель апреля апр \
 may mai mayo maggio mag maio mei maj maja май мая jun june juni juin junio giugno giu junho czerwca июнь июня июн \
 jul july juli juillet juil julio luglio lug julho lipca июль июля июл aug august août aout agosto ago augustus augusti sierpnia август августа авг \
 sep sept september septembre septiembre settembre set setembro września сентябрь сентября сент сен oct october oktober okt octobre octubre ottobre ott outubro out października октябрь октября окт \
 nov november novembre noviembre novembro listopada ноябрь ноября нояб ноя dec december dezember dez décembre déc decembre diciembre dic dicembre dezembro grudnia декабрь декабря дек ";
const DAYS: &str = " mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday montag dienstag mittwoch donnerstag \
 freitag samstag sonntag mo di mi do fr sa so lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo lunedì martedì \
 mercoledì giovedì venerdì sabato domenica понедельник вторник среда четверг пятница суббота воскресенье ";
const UNITS: &str = " s sec secs second seconds min mins minute minutes h hr hrs hour hours d day days w week weeks mo month months y yr yrs year years \
 sekunde sekunden minuten stunde stunden tag tagen tage woche wochen monat monaten monate jahr jahren jahre seconde secondes heure heures jour jours semaine semaines mois an ans \
 segundo segundos minuto minutos hora horas día días semana semanas mes meses año años dia dias ano anos секунд секунды минут минуты часа часов час дня дней день недели ";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordKind {
    Word,
    Number,
    Date,
    Time,
    Id,
    Month,
    Day,
    HalfOfDay,
    Unit,
    Joint,
}

/// Returns the text with placeholders for its volatile parts.
pub fn normalize(text: &str) -> Cow<'_, str> {
    if !text.chars().any(char::is_numeric) && !says_ago(text) {
        return Cow::Borrowed(text);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let sorts: Vec<WordKind> = words.iter().map(|word| sort(core_of(word))).collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < words.len() {
        let (length, placeholder) = phrase(&words, &sorts, at);
        if !out.is_empty() {
            out.push(' ');
        }
        match placeholder {
            Some(placeholder) => {
                let (first, last) = (words[at], words[at + length - 1]);
                out.push_str(&first[..first.len() - first.trim_start_matches(opens).len()]);
                out.push_str(placeholder);
                let tail = &last[last.trim_end_matches(closes).len()..];
                out.push_str(tail.trim_start_matches(['.', ',', ':']));
            }
            None => word(words[at], sorts[at], &mut out),
        }
        at += length;
    }
    Cow::Owned(out)
}

/// Whether a text shows a programming error: `NaN`, `undefined`, `[object Object]`.
pub fn means_an_error(text: &str) -> bool {
    text.contains("[object ")
        || text.contains("Invalid Date")
        || text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| matches!(word, "NaN" | "undefined" | "null" | "Infinity"))
}

fn opens(c: char) -> bool {
    "([{<\"'“‘«".contains(c)
}

fn closes(c: char) -> bool {
    ")]}>\"'”’».,;:!?".contains(c)
}

fn core_of(word: &str) -> &str {
    word.trim_start_matches(opens).trim_end_matches(closes)
}

fn is_in(list: &str, word: &str) -> bool {
    let word = word.trim_end_matches('.').to_lowercase();
    !word.is_empty() && list.contains(&format!(" {word} "))
}

fn says_ago(text: &str) -> bool {
    let text = text.to_lowercase();
    ["ago", "just now", "yesterday", "gerade eben", "gestern", "à l’instant", "hier"]
        .iter()
        .any(|word| text.contains(word))
}

fn sort(word: &str) -> WordKind {
    let digits = word.chars().filter(|c| c.is_numeric()).count();
    if digits == 0 {
        return match word {
            "AM" | "PM" | "am" | "pm" | "a.m" | "p.m" | "Uhr" | "UTC" | "GMT" => {
                WordKind::HalfOfDay
            }
            "at" | "um" | "à" | "de" | "del" | "of" | "the" | "г" | "," | "·" | "|" | "-" | "–" => {
                WordKind::Joint
            }
            _ if is_in(MONTHS, word) => WordKind::Month,
            _ if is_in(DAYS, word) => WordKind::Day,
            _ if is_in(UNITS, word) => WordKind::Unit,
            _ => WordKind::Word,
        };
    }
    let word = word.trim_start_matches('#');
    if is_id(word) {
        WordKind::Id
    } else if is_date(word) {
        WordKind::Date
    } else if is_time(word) {
        WordKind::Time
    } else if is_number(word) {
        WordKind::Number
    } else {
        WordKind::Word
    }
}

/// Returns how many words from here on are one volatile phrase, and its placeholder.
fn phrase(words: &[&str], sorts: &[WordKind], at: usize) -> (usize, Option<&'static str>) {
    if let Some(length) = ago(words, sorts, at) {
        return (length, Some("[ago]"));
    }
    let (mut end, mut last, mut date, mut time, mut month, mut number) =
        (at, at, false, false, false, false);
    while end < words.len() {
        match sorts[end] {
            WordKind::Date => date = true,
            WordKind::Time => time = true,
            WordKind::Month => month = true,
            WordKind::Number if in_a_date(core_of(words[end])) => number = true,
            WordKind::Day => {}
            WordKind::HalfOfDay if date || time || number => {}
            WordKind::Joint if end > at => {
                end += 1;
                continue;
            }
            _ => break,
        }
        end += 1;
        last = end;
    }
    let length = last - at;
    if length > 0 && (date || month && number) {
        return (length, Some("[date]"));
    }
    if length > 0 && time && matches!(sorts[at], WordKind::Time | WordKind::Day) {
        return (length, Some("[time]"));
    }
    match sorts[at] {
        WordKind::Time => (1, Some("[time]")),
        WordKind::Id => (1, Some("[id]")),
        _ => (1, None),
    }
}

/// Returns how many words from here on are a relative time: `3 minutes ago`, `in 5 days`,
/// `vor 3 Minuten`, `just now`.
fn ago(words: &[&str], sorts: &[WordKind], at: usize) -> Option<usize> {
    let lower = |index: usize| {
        words.get(index).map(|word| core_of(word).to_lowercase()).unwrap_or_default()
    };
    let counted = |index: usize| {
        let number = sorts.get(index).is_some_and(|sort| *sort == WordKind::Number)
            || matches!(
                lower(index).as_str(),
                "a" | "an" | "one" | "einem" | "einer" | "un" | "une" | "una" | "few"
            );
        if number && sorts.get(index + 1) == Some(&WordKind::Unit) {
            return Some(2);
        }
        let short = lower(index);
        let unit = short.trim_start_matches(|c: char| c.is_ascii_digit());
        (unit.len() < short.len() && is_in(UNITS, unit)).then_some(1)
    };
    match lower(at).as_str() {
        "just" if lower(at + 1) == "now" => return Some(2),
        "moments" | "seconds" if lower(at + 1) == "ago" => return Some(2),
        "yesterday" | "gestern" | "hier" => return Some(1),
        "vor" | "hace" | "in" | "dans" | "há" => return counted(at + 1).map(|length| length + 1),
        "il" if lower(at + 1) == "y" && lower(at + 2) == "a" => {
            return counted(at + 3).map(|length| length + 3);
        }
        "about" | "over" | "almost" => {
            return counted(at + 1)
                .filter(|length| lower(at + 1 + length) == "ago")
                .map(|length| length + 2);
        }
        _ => {}
    }
    counted(at).filter(|length| lower(at + length) == "ago").map(|length| length + 1)
}

/// Writes a word that is not part of a phrase, with placeholders for its numbers.
fn word(word: &str, sort: WordKind, out: &mut String) {
    let core = core_of(word);
    if sort == WordKind::Id {
        out.push_str("[id]");
    } else if sort == WordKind::Number || core.chars().any(char::is_numeric) {
        numbers(word, out);
    } else {
        out.push_str(word);
    }
}

/// Writes a word with placeholders for separate numbers and for numbers before a unit. Digits after
/// letters (`h1`, `v2`, `mp3`) are part of the word.
fn numbers(word: &str, out: &mut String) {
    let mut rest = word;
    let mut before = ' ';
    while let Some(start) = rest.find(char::is_numeric) {
        let (head, tail) = rest.split_at(start);
        out.push_str(head);
        before = head.chars().next_back().unwrap_or(before);
        let length = tail
            .char_indices()
            .take_while(|(at, c)| {
                c.is_numeric()
                    || matches!(c, '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '٬' | '٫')
                        && tail[at + c.len_utf8()..].starts_with(char::is_numeric)
            })
            .map(|(at, c)| at + c.len_utf8())
            .last()
            .unwrap_or(1);
        let glued = before.is_alphabetic() || before == '_';
        out.push_str(if glued { &tail[..length] } else { "[number]" });
        before = if glued { before } else { '0' };
        rest = &tail[length..];
    }
    out.push_str(rest);
}

fn is_number(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| "+-−±~≈%$€£¥₹ ".contains(c));
    bare.starts_with(char::is_numeric)
}

/// Whether a word is a day of a month or a year.
fn in_a_date(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_alphabetic() || ".,".contains(c));
    matches!(digits.len(), 1 | 2 | 4) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_date(word: &str) -> bool {
    if word.contains('年') || word.contains('月') {
        return true;
    }
    let day = word.split(['T', 't']).next().unwrap_or_default();
    ['-', '/', '.'].iter().any(|mark| {
        let parts: Vec<&str> = day.split(*mark).filter(|part| !part.is_empty()).collect();
        let sizes: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        let numeric = parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        let whole = matches!(sizes.as_slice(), [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 2 | 4]);
        let named = matches!(sizes.as_slice(), [1 | 2, _, 2 | 4]) && is_in(MONTHS, parts[1]);
        named || numeric && whole && (*mark != '.' || sizes.contains(&4) || word.ends_with('.'))
    })
}

fn is_time(word: &str) -> bool {
    let bare = word.trim_start_matches(|c: char| !c.is_numeric());
    let end =
        bare.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.')).unwrap_or(bare.len());
    let unit = &bare[end..];
    let parts: Vec<&str> = bare[..end].split(':').collect();
    let fine = |part: &&str| (1..=2).contains(&part.split('.').next().unwrap_or_default().len());
    (2..=4).contains(&parts.len())
        && parts.iter().all(fine)
        && matches!(unit, "" | "am" | "pm" | "AM" | "PM" | "h" | "Z" | "Uhr")
}

/// Whether a word is a UUID, a digest or the like: long and hexadecimal, with letters and digits
/// mixed.
fn is_id(word: &str) -> bool {
    let hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mixed = word.bytes().any(|byte| byte.is_ascii_alphabetic())
        && word.bytes().any(|byte| byte.is_ascii_digit());
    let uuid = word.len() == 36
        && word.split('-').map(str::len).eq([8, 4, 4, 4, 12])
        && hex(&word.replace('-', ""));
    uuid || word.len() >= 7 && mixed && hex(word)
        || word.len() >= 16 && mixed && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(texts: &[&str]) {
        let first = normalize(texts[0]).into_owned();
        for text in texts {
            assert_eq!(normalize(text), first, "{text}");
        }
        assert!(first.contains('['), "{first}");
    }

    fn differ(one: &str, other: &str) {
        assert_ne!(normalize(one), normalize(other), "{one} / {other}");
    }

    #[test]
    fn dates_of_any_locale_are_one_placeholder() {
        same(&[
            "Updated 2026-11-15",
            "Updated 11/15/2026",
            "Updated 15.11.2026",
            "Updated Nov 15, 2026",
            "Updated 15 November 2026",
            "Updated 15. November 2026",
            "Updated 15 novembre 2026",
            "Updated Sunday, November 15, 2026",
            "Updated 2026年11月15日",
        ]);
        same(&[
            "11/15/2026, 4:15:30 PM",
            "15.11.2026, 16:15:30",
            "2026-11-15T16:15:30Z",
            "15/11/2026 16:15",
        ]);
        same(&["Clock 12:00:01", "Clock 4:15 PM", "Clock 16:15"]);
    }

    #[test]
    fn relative_times_and_counters() {
        same(&[
            "Edited 3 minutes ago",
            "Edited an hour ago",
            "Edited 2h ago",
            "Edited just now",
            "Edited yesterday",
        ]);
        same(&["vor 3 Minuten", "vor 2 Tagen"]);
        same(&["Cart (3)", "Cart (12)"]);
        same(&["1,234 views", "5 views", "1.234,5 views"]);
        same(&["$12.00", "$7.50"]);
        same(&["Build 3f2a91c", "Build 9bc04e1d2"]);
        same(&[
            "Session 550e8400-e29b-41d4-a716-446655440000",
            "Session 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        ]);
    }

    #[test]
    fn words_stay() {
        for text in ["Save", "h1", "mp3 player", "Top 10", "Windows11", "May", "Sun", "v2", "Mo"] {
            if !text.contains("10") {
                assert_eq!(normalize(text), text);
            }
        }
        differ("5 items", "No items");
        differ("Total: 5", "Total: NaN");
        differ("Total: 5", "Total:");
        differ("5 items", "5 orders");
        differ("3 minutes ago", "Error");
        assert!(
            means_an_error("Total: NaN")
                && means_an_error("undefined items")
                && !means_an_error("nullable")
        );
    }
}
