//! Judges the reports of tabs that nobody chose: before and after, they may differ in the time that
//! passed and in nothing else.

use serde::Deserialize;

/// The share of the ticks before that a tab must keep. Timers of tabs in the background are late on
/// a busy machine.
const LEAST_SHARE: f64 = 0.75;

/// What a tab counted since it was opened, and its state.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Beat {
    pub id: u32,
    /// How often its timer ran.
    pub ticks: u32,
    focus: u32,
    blur: u32,
    visibility: u32,
    resize: u32,
    /// How often it was frozen or resumed.
    pub lifecycle: u32,
    /// The longest time between two ticks, in milliseconds.
    pub longest: f64,
    pub shown: String,
    focused: bool,
    size: String,
}

impl Beat {
    /// Returns how many events of each kind there were.
    pub fn events(&self) -> [(&'static str, u32); 5] {
        [
            ("focus", self.focus),
            ("blur", self.blur),
            ("visibilitychange", self.visibility),
            ("resize", self.resize),
            ("freeze or resume", self.lifecycle),
        ]
    }

    /// Returns what is different from an earlier report of the same tab, apart from its ticks.
    pub fn differences(&self, before: &Beat) -> Vec<String> {
        let mut different: Vec<String> = self
            .events()
            .iter()
            .zip(before.events())
            .filter(|((_, now), (_, then))| now != then)
            .map(|((name, now), (_, then))| format!("{} more {name}", now.saturating_sub(then)))
            .collect();
        for (what, then, now) in [
            ("visibility", &before.shown, &self.shown),
            ("size", &before.size, &self.size),
            ("focus", &before.focused.to_string(), &self.focused.to_string()),
        ] {
            if then != now {
                different.push(format!("{what} {then} → {now}"));
            }
        }
        different
    }
}

/// Returns whether the timers of tabs ran as often as before, per second of each time.
pub fn keeps_pace(before: f64, during: f64) -> bool {
    during >= before * LEAST_SHARE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat() -> Beat {
        Beat {
            id: 1,
            ticks: 5,
            focus: 1,
            blur: 0,
            visibility: 0,
            resize: 2,
            lifecycle: 0,
            longest: 1000.0,
            shown: "hidden".to_owned(),
            focused: false,
            size: "800x600x1".to_owned(),
        }
    }

    #[test]
    fn ticks_are_no_difference_and_all_else_is() {
        let before = beat();
        let later = Beat { ticks: 9, longest: 1100.0, ..beat() };
        assert_eq!(later.differences(&before), Vec::<String>::new());
        let changed = Beat {
            focus: 2,
            lifecycle: 1,
            shown: "visible".to_owned(),
            focused: true,
            size: "1280x720x1".to_owned(),
            ..beat()
        };
        let words = changed.differences(&before).join(", ");
        let expected = "1 more focus, 1 more freeze or resume, visibility hidden → visible, \
                        size 800x600x1 → 1280x720x1, focus false → true";
        assert_eq!(words, expected);
    }

    #[test]
    fn timers_that_stop_are_noticed() {
        assert!(keeps_pace(1.0, 0.8) && !keeps_pace(1.0, 0.7));
    }
}
