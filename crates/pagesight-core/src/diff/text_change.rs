//! Prints two texts side by side: `"4 items" → "5 items"`. For long texts, only the part that
//! differs with a few words around it.

use crate::text::escape::value;

/// Texts up to this length are printed completely.
const WHOLE: usize = 60;
/// How many words are printed on either side of the difference.
const AROUND: usize = 3;
/// The longest printed part.
const LONGEST: usize = 120;

/// Returns a text before and after the change.
pub(super) fn contrast(was: &str, now: &str) -> String {
    if was.chars().count() <= WHOLE && now.chars().count() <= WHOLE {
        return format!("{} → {}", value(was, WHOLE), value(now, WHOLE));
    }
    let (left, right): (Vec<&str>, Vec<&str>) =
        (was.split(' ').collect(), now.split(' ').collect());
    let start = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
    let most = left.len().min(right.len()) - start;
    let tail =
        left.iter().rev().zip(right.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    format!("{} → {}", stretch(&left, start, tail), stretch(&right, start, tail))
}

/// Returns the words between a common beginning and a common end, with a few words of both.
fn stretch(words: &[&str], start: usize, tail: usize) -> String {
    let (from, to) = (start.saturating_sub(AROUND), (words.len() - tail + AROUND).min(words.len()));
    let mut text = words[from..to].join(" ");
    if from > 0 {
        text.insert_str(0, "… ");
    }
    if to < words.len() {
        text.push_str(" …");
    }
    value(&text, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_printed_whole_and_long_ones_where_they_differ() {
        assert_eq!(contrast("4 items", "5 items"), r#""4 items" → "5 items""#);
        let text = |word: &str| {
            format!(
                "{} middle {word} of it {}",
                "begin ".repeat(30).trim(),
                "end ".repeat(30).trim()
            )
        };
        assert_eq!(
            contrast(&text("one"), &text("two")),
            r#""… begin begin middle one of it end …" → "… begin begin middle two of it end …""#
        );
        assert_eq!(contrast("", "x"), r#""" → "x""#);
        let long = "word ".repeat(30);
        let more = format!("{}more", "word ".repeat(30));
        assert_eq!(contrast(long.trim(), &more), r#""… word word word" → "… word word word more""#);
    }
}
