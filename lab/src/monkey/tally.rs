//! Counts the results of one app, and prints its row of the table.

use std::collections::BTreeMap;
use std::time::Duration;

/// Phrases of refusals and errors, each with the word that stands for it in the table.
const REASONS: &[(&str, &str)] = &[
    ("is covered by", "covered"),
    ("stale reference", "stale"),
    ("unknown reference", "unknown reference"),
    ("is disabled", "disabled"),
    ("is read-only", "read-only"),
    ("does not stop moving", "moving"),
    ("is not visible", "not visible"),
    ("cannot be scrolled into view", "not to be scrolled to"),
    ("left the page just now", "gone"),
    ("changed just now", "changed"),
    ("did not get the click", "click missed"),
    ("got the press but no click", "press without click"),
    ("does not take or keep the focus", "takes no focus"),
    ("does not keep the focus", "takes no focus"),
    ("lost the focus", "lost focus"),
    ("is not a field", "no field"),
    ("stayed empty", "stayed empty"),
    ("does not take", "does not take the text"),
    ("cannot be typed", "nothing to type"),
    ("dialog open", "dialog open"),
    ("did not answer within", "page busy"),
    ("was ended after", "page busy"),
    ("navigated away during", "navigated meanwhile"),
    ("could not be loaded", "not loaded"),
];

/// Phrases of verdicts, each with the word that stands for it in the table.
const VERDICTS: &[(&str, &str)] = &[
    (" — no visible change", "no change"),
    (" — opened dialog", "dialog"),
    (" — opened tab", "tab"),
    (" — navigated to", "navigated"),
    (" — a navigation ended without a page", "download"),
    (" — a navigation began but did not arrive", "no arrival"),
    (" — the navigation failed", "navigation failed"),
    (" — the tab closed itself", "tab closed"),
    (" — not what was given", "other value"),
];

/// The counts of one app.
#[derive(Default)]
pub struct AppTally {
    pub app: String,
    /// Actions done or refused.
    pub actions: usize,
    /// The totals.
    pub verdicts: BTreeMap<&'static str, usize>,
    /// Why they were refused.
    pub refused: BTreeMap<String, usize>,
    /// How the judge recognised what was hit.
    pub judged: BTreeMap<String, usize>,
    /// Why the judge could not say.
    pub unjudged: BTreeMap<&'static str, usize>,
    pub slowest: Duration,
    /// How often it went back to the start.
    pub returns: usize,
    /// The server's memory before and after, in MiB.
    pub memory: (f64, f64),
}

impl AppTally {
    pub fn count(&mut self, text: &str, failed: bool) {
        self.actions += 1;
        if failed {
            *self.refused.entry(reason(text)).or_default() += 1;
        } else {
            *self.verdicts.entry(verdict(text)).or_default() += 1;
        }
    }

    /// How many were judged, and how many could have been.
    pub fn share(&self) -> (usize, usize) {
        let judged: usize = self.judged.values().sum();
        (judged, judged + self.unjudged.values().sum::<usize>())
    }

    /// Its line of the table.
    pub fn row(&self) -> String {
        let (judged, all) = self.share();
        format!(
            "| {} | {} | {} | {} | {judged} / {all} ({}) | {:.1} | {:.1} → {:.1} |",
            self.app,
            self.actions,
            listed(&self.verdicts),
            listed(&self.refused),
            listed(&self.unjudged),
            self.slowest.as_secs_f64(),
            self.memory.0,
            self.memory.1
        )
    }
}

/// `covered 3, stale 1`.
fn listed<K: AsRef<str>>(counts: &BTreeMap<K, usize>) -> String {
    let mut counts: Vec<(&str, usize)> =
        counts.iter().map(|(word, count)| (word.as_ref(), *count)).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.iter().map(|(word, count)| format!("{word} {count}")).collect::<Vec<_>>().join(", ")
}

fn reason(text: &str) -> String {
    let known = REASONS.iter().find(|(phrase, _)| text.contains(phrase));
    known.map_or_else(|| text.trim().chars().take(60).collect(), |(_, word)| (*word).to_owned())
}

fn verdict(text: &str) -> &'static str {
    VERDICTS.iter().find(|(phrase, _)| text.contains(phrase)).map_or("changed", |(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_distinguished() {
        let mut tally = AppTally::default();
        tally.count("clicked [1] button: Save — no visible change\n", false);
        tally.count("clicked [1] button: Save\n", false);
        tally.count("failed: [2] link is covered by [3] dialog", true);
        tally.count("failed: nobody knows", true);
        assert_eq!(tally.verdicts, BTreeMap::from([("no change", 1), ("changed", 1)]));
        assert_eq!(listed(&tally.refused), "covered 1, failed: nobody knows 1");
    }
}
