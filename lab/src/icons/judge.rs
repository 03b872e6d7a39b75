//! Judges the hint of a button that has nothing but an icon.

use std::collections::BTreeSet;

/// Words for the style of a drawing, which a hint may leave out or keep.
const STYLES: [&str; 14] = [
    "outline", "outlined", "filled", "fill", "solid", "regular", "duotone", "rounded", "round",
    "sharp", "twotone", "line", "o", "alt",
];
/// A hint has at most this many words, and its words at most this many letters: more are cut off.
const MOST_WORDS: usize = 4;
const MOST_LETTERS: usize = 24;

/// The verdict on a hint, compared with the icon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// It is a name of the icon.
    Right,
    /// It is a different name.
    Wrong,
    /// There is no hint.
    Missing,
}

/// Judges a hint, as the outline prints it, by the names of the icon: its own in its set, and those
/// that other sets give to the same drawing.
pub fn judge(hint: &str, names: &BTreeSet<&str>) -> Verdict {
    // The position among equal hints is not part of it.
    let hint = hint.split(", ").next().unwrap_or_default();
    let Some(hint) = hint.strip_suffix(" icon") else {
        return if hint.is_empty() { Verdict::Missing } else { Verdict::Wrong };
    };
    let given = words(hint);
    let is_right = names.iter().any(|name| {
        let own = words(name);
        let letters = own.iter().map(|word| word.len() + 1).sum::<usize>();
        let is_cut = own.len() > MOST_WORDS || letters > MOST_LETTERS;
        !given.is_empty() && (given == own || (is_cut && own.starts_with(&given)))
    });
    if is_right { Verdict::Right } else { Verdict::Wrong }
}

/// Returns the words of a name. Variants of a drawing (`delete-bin-2`) and words for its style do
/// not count, unless nothing else is left.
fn words(name: &str) -> Vec<&str> {
    let all: Vec<&str> = name.split([' ', '-', '_']).filter(|word| !word.is_empty()).collect();
    let counts =
        |word: &&&str| !STYLES.contains(*word) && !word.bytes().all(|byte| byte.is_ascii_digit());
    let telling: Vec<&str> = all.iter().filter(counts).copied().collect();
    if telling.is_empty() { all } else { telling }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_right_if_it_is_a_name_of_the_icon() {
        let names = |names: &[&'static str]| names.iter().copied().collect::<BTreeSet<&str>>();
        let trash = names(&["trash-2", "delete-bin"]);
        for hint in ["trash icon", "trash-2 icon", "delete bin icon", "delete-bin icon, 2 of 5"] {
            assert_eq!(judge(hint, &trash), Verdict::Right, "{hint}");
        }
        for hint in ["delete icon", "bin icon", "Trash", "icon", "trash can icon"] {
            assert_eq!(judge(hint, &trash), Verdict::Wrong, "{hint}");
        }
        assert_eq!(judge("", &trash), Verdict::Missing);
        assert_eq!(judge("arrow icon", &names(&["arrow-left"])), Verdict::Wrong);
        assert_eq!(judge("numeric 1 icon", &names(&["numeric-1"])), Verdict::Right);
        let long = names(&["arrow-left-right-up-down-bold"]);
        assert_eq!(judge("arrow left right up icon", &long), Verdict::Right);
    }
}
