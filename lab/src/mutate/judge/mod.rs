//! Judges whether a comparison reports what was done: the right type and the right element, or
//! nothing at all. Counts by kind, with 95 % intervals.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

use super::alarms;
use crate::product::{Change, Comparison, Subject};
use crate::report::{interval, percent};

/// The change types that are correct for each kind of mutation.
const RIGHT: [(&str, &[&str]); 30] = [
    ("remove button", &["element_missing"]),
    ("remove link", &["element_missing"]),
    ("remove field", &["field_missing", "element_missing"]),
    ("remove heading", &["heading_missing"]),
    ("remove landmark", &["landmark_missing"]),
    ("remove list", &["element_missing", "list_empty"]),
    ("empty list", &["list_empty"]),
    ("remove list item", &["list_changed", "element_missing"]),
    ("empty table", &["table_empty"]),
    ("remove table row", &["table_changed"]),
    ("rename column", &["table_changed"]),
    ("rename button", &["element_renamed"]),
    ("rename link", &["element_renamed"]),
    ("rename heading", &["heading_changed"]),
    ("name becomes NaN", &["element_renamed"]),
    ("change link", &["link_changed"]),
    ("disable control", &["element_disabled"]),
    ("add alert", &["error_appeared"]),
    ("add error banner", &["error_appeared"]),
    ("add danger alert", &["error_appeared"]),
    ("open dialog", &["modal_opened"]),
    ("add empty state", &["empty_state_appeared"]),
    ("add message", &["notification_appeared"]),
    ("add button", &["element_added"]),
    ("add field", &["field_added"]),
    ("break picture", &["image_broken"]),
    ("remove picture", &["element_missing"]),
    ("change heading level", &["heading_changed"]),
    ("insert list", &["element_added"]),
    ("reorder list", &["element_moved"]),
];
const STYLE: [&str; 2] = ["element_hidden", "element_covered"];

/// The required shares, in percent.
const STRUCTURAL_SHARE: f64 = 99.0;
const STYLE_SHARE: f64 = 85.0;

/// A mutation that was applied to a page.
#[derive(Deserialize)]
pub struct Mutation {
    /// Whether a person would notice; of a no-op: whether nobody would.
    effective: bool,
    /// The changed element, as the page's own text has it.
    name: String,
    /// For an element without a name: its tag, label, id and classes, separated by bars.
    #[serde(default)]
    text: String,
}

#[derive(Default)]
struct KindTally {
    effective: usize,
    right: usize,
    void: usize,
}

/// The counts of a whole run.
#[derive(Default)]
pub struct MutationTallies {
    kinds: BTreeMap<String, KindTally>,
    /// Descriptions of what was wrong.
    pub misses: Vec<String>,
    reloads: ReloadTally,
    /// Pages that could not be judged to the end.
    pub stopped: usize,
}

/// The counts of plain reloads.
#[derive(Default)]
struct ReloadTally {
    /// How many were compared.
    judged: usize,
    /// Without a change at `warning` or above.
    calm: usize,
    /// With the same hash.
    same: usize,
    /// Not ready before or after; their changes count as alarms too.
    unready: usize,
}

/// How many mutations and reloads a run must have judged.
#[derive(Clone, Copy)]
pub struct RequiredCounts {
    pub mutations: usize,
    pub reloads: usize,
}

impl MutationTallies {
    pub fn judge(&mut self, page: &str, kind: &str, mutation: &Mutation, compared: &Comparison) {
        let tally = self.kinds.entry(kind.to_owned()).or_default();
        if !mutation.effective {
            tally.void += 1;
            return;
        }
        tally.effective += 1;
        let right = match sort(kind) {
            MutationClass::Quiet => alarms(compared).is_empty(),
            MutationClass::Style => compared
                .changes
                .iter()
                .any(|change| STYLE.contains(&change.kind.as_str()) && names(change, mutation)),
            MutationClass::Structural => {
                let types = RIGHT
                    .iter()
                    .find(|(known, _)| *known == kind)
                    .map_or(&[][..], |(_, types)| types);
                compared
                    .changes
                    .iter()
                    .any(|change| types.contains(&change.kind.as_str()) && names(change, mutation))
            }
        };
        tally.right += usize::from(right);
        if !right {
            let reported: Vec<String> = compared
                .changes
                .iter()
                .take(5)
                .map(|change| format!("{} {}", change.kind.as_str(), change.description))
                .collect();
            self.misses.push(format!(
                "{page}: {kind} {:?}: {}",
                mutation.name,
                reported.join(" | ")
            ));
        }
    }

    /// How often a kind was judged.
    pub fn judged(&self, kind: &str) -> usize {
        self.kinds.get(kind).map_or(0, |tally| tally.effective + tally.void)
    }

    /// Counts a plain reload.
    pub fn reloaded(&mut self, page: &str, ready: bool, same_hash: bool, compared: &Comparison) {
        let alarms = alarms(compared);
        self.reloads.judged += 1;
        self.reloads.unready += usize::from(!ready);
        self.reloads.calm += usize::from(alarms.is_empty());
        self.reloads.same += usize::from(same_hash);
        if !alarms.is_empty() || !same_hash {
            self.misses.push(format!(
                "{page}: reload, ready {ready}, same hash {same_hash}: {}",
                alarms.iter().take(5).cloned().collect::<Vec<_>>().join(" | ")
            ));
        }
    }

    fn sum(&self, wanted: MutationClass) -> (usize, usize) {
        let of = self.kinds.iter().filter(|(kind, _)| sort(kind) == wanted);
        of.fold((0, 0), |(right, all), (_, tally)| (right + tally.right, all + tally.effective))
    }

    /// Returns how many noticeable changes were named correctly, and how many there were.
    pub fn found(&self) -> (usize, usize) {
        let ((found, all), (more, others)) =
            (self.sum(MutationClass::Structural), self.sum(MutationClass::Style));
        (found + more, all + others)
    }

    pub fn table(&self) -> String {
        let mut out = String::from(
            "| kind | effective | found and named correctly | 95 % interval | void |\n|---|---|---|---|---|\n",
        );
        for (kind, tally) in &self.kinds {
            let (low, high) = interval(tally.right, tally.effective);
            let _ = writeln!(
                out,
                "| {kind} | {} | {} | {low:.0}–{high:.0} % | {} |",
                tally.effective, tally.right, tally.void
            );
        }
        for (word, wanted) in [
            ("all structural", MutationClass::Structural),
            ("all of style alone", MutationClass::Style),
            ("all no-ops (found: nothing reported)", MutationClass::Quiet),
        ] {
            let (right, all) = self.sum(wanted);
            let (low, high) = interval(right, all);
            let _ = writeln!(
                out,
                "| **{word}** | {all} | {right} ({:.1} %) | {low:.1}–{high:.1} % | |",
                percent(right, all)
            );
        }
        let ReloadTally { judged, calm, same, unready } = self.reloads;
        let (low, high) = interval(calm, judged);
        let _ = writeln!(
            out,
            "| **plain reloads (found: nothing reported)** | {judged} | {calm} ({:.1} %) | {low:.1}–{high:.1} % | |",
            percent(calm, judged)
        );
        let _ = writeln!(
            out,
            "\nJudged: {} mutations, {} of them void; {judged} plain reloads, {same} with the same hash, {unready} of pages that were not ready; {} pages stopped early.",
            self.mutations(),
            self.kinds.values().map(|tally| tally.void).sum::<usize>(),
            self.stopped
        );
        out
    }

    /// How many mutations were judged, void ones included.
    fn mutations(&self) -> usize {
        self.kinds.values().map(|tally| tally.effective + tally.void).sum()
    }

    /// Fails below what must hold, and where less was judged than asked for.
    pub fn enough(&self, least: RequiredCounts) -> anyhow::Result<()> {
        let (mutations, reloads) = (self.mutations(), self.reloads.judged);
        anyhow::ensure!(
            mutations >= least.mutations,
            "{mutations} mutations were judged, {} were asked for; give more pages, or fewer kinds that they have no place for",
            least.mutations
        );
        anyhow::ensure!(
            reloads >= least.reloads,
            "{reloads} reloads were judged, {} were asked for; see which pages stopped early",
            least.reloads
        );
        let alarms = reloads - self.reloads.calm;
        anyhow::ensure!(
            alarms == 0,
            "{alarms} of {reloads} plain reloads raised an alarm; --details FILE lists them"
        );
        for (word, wanted, least) in [
            ("structural", MutationClass::Structural, STRUCTURAL_SHARE),
            ("style", MutationClass::Style, STYLE_SHARE),
            ("no-op", MutationClass::Quiet, 100.0),
        ] {
            let (right, all) = self.sum(wanted);
            anyhow::ensure!(
                all == 0 || percent(right, all) >= least,
                "{word}: {right} of {all} are less than {least} %; --details FILE lists them"
            );
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MutationClass {
    Structural,
    Style,
    Quiet,
}

/// Whether a person would notice it.
pub fn is_noticeable(kind: &str, mutation: &Mutation) -> bool {
    mutation.effective && sort(kind) != MutationClass::Quiet
}

fn sort(kind: &str) -> MutationClass {
    match kind {
        kind if kind.starts_with("no-op") => MutationClass::Quiet,
        kind if kind.starts_with("css") => MutationClass::Style,
        _ => MutationClass::Structural,
    }
}

/// Whether a change is about what was changed; texts are compared without spaces and case, as far
/// as both go.
fn names(change: &Change, mutation: &Mutation) -> bool {
    let squeeze = |text: &str| {
        text.to_lowercase()
            .chars()
            .filter(|c| !c.is_whitespace() && !is_unreadable(*c))
            .collect::<String>()
    };
    let element = change.element.clone().unwrap_or_default();
    if mutation.name.is_empty() {
        return mutation.text.is_empty() || describes(&element, &mutation.text);
    }
    let name = squeeze(&mutation.name);
    if name.is_empty() {
        // A sign of an icon font, which nobody can read out: it has no name for us either.
        return element.text.as_deref().is_none_or(|text| squeeze(text).is_empty());
    }
    let reported = squeeze(element.text.as_deref().unwrap_or_default().trim_end_matches('…'));
    let head = |text: &str| text.chars().take(60).collect::<String>();
    !reported.is_empty() && (reported.contains(&head(&name)) || name.contains(&head(&reported)))
}

/// Characters of private use and without any width.
fn is_unreadable(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{f0000}'..='\u{10ffff}')
}

/// Whether a change is about a thing without a name: one of the words that the page has for it (its
/// tag, its label, its id, its classes, the names of what is in it), separated by bars, is what the
/// change calls it.
fn describes(element: &Subject, words: &str) -> bool {
    let plain =
        |text: &str| text.to_lowercase().trim_start_matches(['#', '.', '[']).trim().to_owned();
    let reported: Vec<String> =
        [&element.text, &element.selector].into_iter().flatten().map(|text| plain(text)).collect();
    words.split('|').map(plain).filter(|word| !word.is_empty()).any(|word| {
        reported.iter().any(|text| *text == word || text.split(':').any(|part| part == word))
    })
}

#[cfg(test)]
mod tests;
