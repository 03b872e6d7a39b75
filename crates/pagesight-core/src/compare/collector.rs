//! Collects the changes of one comparison, applies ignore rules, and notes which parts of the page
//! changed.

use std::collections::{HashMap, HashSet};

use super::change::{Change, ChangeDraft, Severity};
use super::comparison::{Comparison, Status};
use super::ignore_rules::IgnoreRules;
use super::location::{landmarks_around, location};
use crate::fingerprint::Fingerprint;
use crate::text::escape::sentence;

/// How many unchanged landmarks are named.
const MOST_UNCHANGED: usize = 12;

/// The changes found so far.
pub(super) struct Collector<'f> {
    pub(super) was: &'f Fingerprint,
    pub(super) now: &'f Fingerprint,
    rules: &'f IgnoreRules,
    changes: Vec<Change>,
    /// The landmarks and the parts of the fingerprint that changed.
    touched: HashSet<String>,
    ignored: usize,
    /// How many interactive elements are missing from each list of the old page; each of them is
    /// reported on its own.
    pub(super) missing_from_list: HashMap<u32, u32>,
    /// The targets whose texts the new page was asked for.
    pub(super) exact_targets: HashSet<&'f str>,
}

impl<'f> Collector<'f> {
    pub(super) fn new(was: &'f Fingerprint, now: &'f Fingerprint, rules: &'f IgnoreRules) -> Self {
        Collector {
            was,
            now,
            rules,
            changes: Vec::new(),
            touched: HashSet::new(),
            ignored: 0,
            missing_from_list: HashMap::new(),
            exact_targets: now.structure.exact.iter().map(|exact| exact.target.as_str()).collect(),
        }
    }

    /// Adds a change, unless a rule excludes it.
    pub(super) fn report(&mut self, draft: ChangeDraft<'_>) {
        let ChangeDraft { mut change, place, part, ignored } = draft;
        // If the page was not captured completely, what seems to be missing may be there.
        if self.now.truncated && change.kind.removes() {
            change.severity = Severity::Info;
        }
        if let Some((structure, place)) = place {
            change.location = location(structure, place);
        }
        if ignored || self.rules.ignore(&change) {
            self.ignored += 1;
            return;
        }
        self.touched.extend(part.map(str::to_owned));
        if let Some((structure, place)) = place {
            self.touched.extend(landmarks_around(structure, place));
        }
        change.description = sentence(&change.description);
        change.location = sentence(&change.location);
        self.changes.push(change);
    }

    pub(super) fn finish(mut self) -> Comparison {
        self.changes.sort_by_key(|change| std::cmp::Reverse(change.severity));
        let status = match () {
            () if self.was.route != self.now.route => Status::RouteChanged,
            () if self.now.loading && !self.was.loading => Status::Loading,
            () if self.changes.is_empty() => Status::Unchanged,
            () => Status::Changed,
        };
        let mut unchanged: Vec<String> = Vec::new();
        for landmark in &self.now.structure.landmarks {
            let key = &landmark.key;
            if !landmark.sight.is_hidden()
                && !self.touched.contains(key.as_str())
                && unchanged.len() < MOST_UNCHANGED
            {
                unchanged.push(key.clone());
            }
        }
        let structure = &self.was.structure;
        for (part, there) in [
            ("headings", !structure.headings.is_empty()),
            ("lists", !structure.lists.is_empty()),
            ("forms", !structure.forms.is_empty()),
            ("tables", !structure.tables.is_empty()),
            ("images", !structure.images.is_empty()),
            ("interactive", !structure.interactive.is_empty()),
            ("state", true),
        ] {
            if there && !self.touched.contains(part) {
                unchanged.push(part.to_owned());
            }
        }
        let uncompared = uncompared(self.was, self.now);
        Comparison { status, changes: self.changes, unchanged, ignored: self.ignored, uncompared }
    }
}

/// Returns what only the page now was asked for.
fn uncompared(was: &Fingerprint, now: &Fingerprint) -> Vec<String> {
    let (was, now) = (&was.structure, &now.structure);
    let mut parts = Vec::new();
    if now.has_limits && !was.has_limits {
        parts.push("the limits of fields".to_owned());
    }
    if now.numbers.is_some() && was.numbers.is_none() {
        parts.push("prices and other numbers with a unit".to_owned());
    }
    if now.layout.is_some() && was.layout.is_none() {
        parts.push("the layout".to_owned());
    }
    match (&was.audit, &now.audit) {
        (None, Some(_)) => parts.push("accessibility".to_owned()),
        (Some(was), Some(now)) if !was.is_like(now) => {
            parts.push("accessibility (with these settings)".to_owned());
        }
        _ => {}
    }
    let known: HashSet<&str> = was.exact.iter().map(|exact| exact.target.as_str()).collect();
    let mut targets: Vec<&str> = now.exact.iter().map(|exact| exact.target.as_str()).collect();
    targets.dedup();
    let new = targets.into_iter().filter(|target| !known.contains(target));
    parts.extend(new.map(|target| format!("the text of '{target}'")));
    parts
}
