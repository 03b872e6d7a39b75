//! Measures how far a diff can be trusted: 1.00, minus an amount for each kind of thing that was
//! not captured. Counts in hundredths, so that rounding cannot move a diff across the threshold.

use crate::diff::model::Circumstances;
use crate::page::Page;

/// Below this many hundredths, no changes are reported.
pub const THRESHOLD: u32 = 70;
/// The loss if listeners added by scripts could not be read.
const DEAF: u32 = 5;
/// Where shadow roots and frames are not entered, a page with more elements than this loses
/// confidence.
const MANY_ELEMENTS: u32 = 5_000;

/// How much of the page was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confidence {
    /// 0 to 100.
    pub hundredths: u32,
    /// The parts that were not seen, in words.
    pub unseen: Vec<String>,
}

impl Confidence {
    pub(super) fn of(
        before: &Page,
        after: &Page,
        circumstances: &Circumstances,
        revealed: bool,
    ) -> Confidence {
        let mut confidence = Confidence { hundredths: 100, unseen: Vec::new() };
        let most = |count: fn(&Page) -> u32| count(before).max(count(after));
        let roots = most(|page| page.roots_left_out);
        let frames = most(|page| page.frames_left_out);
        confidence.lose(roots, 10, (15, 35), "shadow root not entered", "shadow roots not entered");
        confidence.lose(frames, 5, (10, 20), "frame not entered", "frames not entered");
        if before.truncated || after.truncated {
            confidence.lower(35, "the page was too large to be read whole".to_owned());
        }
        let changing = after.changing.len().max(circumstances.still_changing) as u32;
        confidence.lose(changing, 1, (10, 20), "region still changing", "regions still changing");
        if circumstances.no_pierce {
            if most(|page| page.elements) > MANY_ELEMENTS {
                confidence.lower(15, format!("more than {MANY_ELEMENTS} elements"));
            }
            if revealed {
                confidence.lower(10, "text that was hidden before".to_owned());
            }
        }
        if before.deaf || after.deaf {
            // A limit of the engine alone must not push a diff below the threshold.
            let least = THRESHOLD.min(confidence.hundredths);
            confidence.lower(DEAF, "listeners added by script".to_owned());
            confidence.hundredths = confidence.hundredths.max(least);
        }
        confidence
    }

    /// Whether changes may be reported.
    pub fn is_enough(&self) -> bool {
        self.hundredths >= THRESHOLD
    }

    /// Whether everything was seen.
    pub fn is_full(&self) -> bool {
        self.hundredths >= 100
    }

    /// Subtracts the first amount for 1 to `few`, and the second for more.
    fn lose(&mut self, count: u32, few: u32, (some, many): (u32, u32), one: &str, several: &str) {
        if count > 0 {
            let words = if count == 1 { one } else { several };
            self.lower(if count > few { many } else { some }, format!("{count} {words}"));
        }
    }

    fn lower(&mut self, hundredths: u32, unseen: String) {
        self.hundredths = self.hundredths.saturating_sub(hundredths);
        self.unseen.push(unseen);
    }
}

impl std::fmt::Display for Confidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:02}", self.hundredths / 100, self.hundredths % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::test_page::page;

    fn confidence(
        change: impl Fn(&mut Page),
        circumstances: Circumstances,
        revealed: bool,
    ) -> Confidence {
        let before = page("main main");
        let mut after = before.clone();
        change(&mut after);
        Confidence::of(&before, &after, &circumstances, revealed)
    }

    #[test]
    fn what_was_not_seen_costs() {
        let plain = Circumstances::default;
        let of = |change: fn(&mut Page)| confidence(change, plain(), true).to_string();
        assert_eq!(of(|_| ()), "1.00");
        assert_eq!(of(|page| page.roots_left_out = 1), "0.85");
        assert_eq!(of(|page| page.roots_left_out = 10), "0.85");
        assert_eq!(of(|page| page.roots_left_out = 11), "0.65");
        assert_eq!(of(|page| page.frames_left_out = 5), "0.90");
        assert_eq!(of(|page| page.frames_left_out = 6), "0.80");
        assert_eq!(of(|page| page.truncated = true), "0.65");
        assert_eq!(
            of(|page| page.elements = 6_000),
            "1.00",
            "a large page that was seen whole was seen whole"
        );
        assert_eq!(of(|page| page.deaf = true), "0.95");
        assert_eq!(of(|page| (page.deaf, page.roots_left_out) = (true, 11)), "0.65", "as without");
        let changing = |count| Circumstances { still_changing: count, ..plain() };
        let deaf = |page: &mut Page| (page.deaf, page.frames_left_out) = (true, 6);
        assert_eq!(
            confidence(deaf, changing(1), false).to_string(),
            "0.70",
            "just enough, as without"
        );
        assert_eq!(confidence(|_| (), changing(1), false).to_string(), "0.90");
        assert_eq!(confidence(|_| (), changing(2), false).to_string(), "0.80");
    }

    #[test]
    fn without_piercing_it_is_the_seeds_own_table() {
        let blind = || Circumstances { no_pierce: true, ..Circumstances::default() };
        let of = |roots: u32, frames: u32, elements: u32, revealed| {
            confidence(
                |page| {
                    (page.roots_left_out, page.frames_left_out, page.elements) =
                        (roots, frames, elements)
                },
                blind(),
                revealed,
            )
        };
        assert_eq!(of(550, 0, 900, false).hundredths, 65);
        assert!(!of(550, 0, 900, false).is_enough());
        assert_eq!(of(0, 30, 900, false).hundredths, 80);
        assert_eq!(of(0, 0, 5_001, false).hundredths, 85);
        assert_eq!(of(0, 0, 5_000, true).hundredths, 90);
        assert_eq!(of(550, 30, 6_000, true).hundredths, 20);
        let least = confidence(
            |page| {
                (page.roots_left_out, page.frames_left_out, page.elements, page.truncated) =
                    (550, 30, 6_000, true)
            },
            Circumstances { still_changing: 9, ..blind() },
            true,
        );
        assert_eq!(least.to_string(), "0.00", "never below nothing");
    }
}
