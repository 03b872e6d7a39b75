//! Rewords questions as people do: a different order, a missing word, a plural, an extra word,
//! different letter case.

use super::facts::words;
use crate::random::Random;

/// Words that people add to a question. Some of it carries no meaning, some names an action or a
/// kind of thing, and some is not in any list of the program.
const EXTRA: &str = "\
    the, my, please, show, current, find, of, which, page, value, for, where, what, is, this, \
    see, what is the, where is, show me the, change, open, go to, how do I change, now, here, \
    about, exactly, latest";

/// How a question was reworded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rewording {
    Order,
    MissingWord,
    Plural,
    ExtraWord,
    LetterCase,
}

impl Rewording {
    /// All rewordings, in the order of the table.
    pub const ALL: [Rewording; 5] = [
        Rewording::Order,
        Rewording::MissingWord,
        Rewording::Plural,
        Rewording::ExtraWord,
        Rewording::LetterCase,
    ];

    /// Returns the name in tables.
    pub fn label(self) -> &'static str {
        match self {
            Rewording::Order => "different order",
            Rewording::MissingWord => "a missing word",
            Rewording::Plural => "plural or singular",
            Rewording::ExtraWord => "an extra word",
            Rewording::LetterCase => "letter case",
        }
    }
}

/// Rewords a question in one random way that is possible. `clear` says whether a wording still
/// means one thing only.
pub fn reword(
    text: &str,
    random: &mut Random,
    clear: impl Fn(&str) -> bool,
) -> Option<(String, Rewording)> {
    let first = random.below(Rewording::ALL.len());
    (0..Rewording::ALL.len()).find_map(|step| {
        let rewording = Rewording::ALL[(first + step) % Rewording::ALL.len()];
        let changed = apply(text, rewording, random)?;
        // Extra words are not on the page in the thing that is meant, so they are not checked.
        let still = rewording == Rewording::ExtraWord || clear(&changed);
        (changed != text && still).then_some((changed, rewording))
    })
}

fn apply(text: &str, rewording: Rewording, random: &mut Random) -> Option<String> {
    let mut parts: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    match rewording {
        Rewording::Order => {
            if parts.len() < 2 {
                return None;
            }
            let by = 1 + random.below(parts.len() - 1);
            parts.rotate_left(by);
        }
        Rewording::MissingWord => {
            if parts.len() < 3 {
                return None;
            }
            parts.remove(random.below(parts.len()));
        }
        Rewording::Plural => {
            // "disabled" and "readonly" have no plural.
            let noun = |word: &str| !word.ends_with("ed") && !word.ends_with("ly");
            let plain = |word: &String| {
                word.len() > 3
                    && noun(word)
                    && word.chars().all(|letter| letter.is_ascii_alphabetic())
            };
            let places: Vec<usize> = (0..parts.len()).filter(|at| plain(&parts[*at])).collect();
            let at = *random.one(&places)?;
            let word = &parts[at];
            let lower = word.to_lowercase();
            parts[at] = if lower.ends_with("ss") || lower.ends_with("us") {
                return None;
            } else if lower.ends_with("ies") {
                format!("{}y", &word[..word.len() - 3])
            } else if ["xes", "ches", "shes"].iter().any(|end| lower.ends_with(end)) {
                word[..word.len() - 2].to_owned()
            } else if lower.ends_with('s') {
                word[..word.len() - 1].to_owned()
            } else if lower.ends_with("ch") || lower.ends_with("sh") || lower.ends_with('x') {
                format!("{word}es")
            } else if lower.ends_with('y') && !lower.ends_with("ay") && !lower.ends_with("ey") {
                format!("{}ies", &word[..word.len() - 1])
            } else {
                format!("{word}s")
            };
        }
        Rewording::ExtraWord => {
            let extras: Vec<&str> = EXTRA.split(", ").collect();
            let extra = *random.one(&extras)?;
            let said = words(text);
            if words(extra).iter().any(|word| said.contains(word)) {
                return None;
            }
            let at = if extra.contains(' ') { 0 } else { random.below(parts.len() + 1) };
            parts.insert(at, extra.to_owned());
        }
        Rewording::LetterCase => {
            let text = parts.join(" ");
            return Some(if random.percent(50) {
                text.to_uppercase()
            } else {
                text.to_lowercase()
            });
        }
    }
    Some(parts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rewording_is_made_and_stays_clear() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let clear = |text: &str| text.to_lowercase().contains("1017");
            let Some((text, rewording)) = reword("Amount of order 1017", &mut random, clear) else {
                continue;
            };
            assert!(text.contains("1017"), "{text}");
            assert_ne!(text, "Amount of order 1017");
            seen.insert(rewording);
        }
        assert_eq!(seen.len(), Rewording::ALL.len());
    }

    #[test]
    fn plurals_are_english() {
        let mut random = Random::new(1);
        let plural = |text: &str, random: &mut Random| apply(text, Rewording::Plural, random);
        assert_eq!(plural("Box", &mut random), None);
        assert_eq!(plural("Boxes", &mut random).as_deref(), Some("Box"));
        assert_eq!(plural("City", &mut random).as_deref(), Some("Cities"));
        assert_eq!(plural("Address", &mut random), None);
    }
}
