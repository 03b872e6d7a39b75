//! The diff as it is read: most important first, long runs folded, never past its budget, and what
//! was left out counted.

use std::collections::HashSet;

use crate::diff::model::{Detail, LineChange, LineFate};
use crate::diff::phrases::{DiffEntry, DiffNumbers, Phrases};
use crate::diff::result::Diff;
use crate::diff::text_change::contrast;
use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId};
use crate::render::{ItemKind, Numbers, Placeholder, headline, surely_fits};
use crate::text::tokens::{count, estimate};

/// How many of the same kind are told one by one: rows that came, other things that came, things
/// that went, things that changed alike, things that changed each in its own way.
const ROWS_LISTED: usize = 6;
const THINGS_LISTED: usize = 12;
const GONE_LISTED: usize = 3;
const ALIKE_LISTED: usize = 3;
const CHANGED_LISTED: usize = 6;
/// Rows are told one by one up to so many, if they are short: in estimated tokens.
const SHORT_ROWS: usize = 12;
const SHORT_ROWS_TOKENS: usize = 150;
/// How many new numbers are told.
const NUMBERS_NAMED: usize = 6;
/// How many things that change by themselves are named.
const RESTLESS_NAMED: usize = 3;
/// How many tokens what appeared may take for what it holds, tried in this order.
const ROOMS: [usize; 4] = [300, 100, 40, 0];

impl Diff<'_> {
    /// The diff in at most `max_tokens` o200k tokens, as far as its first line leaves room. `was`
    /// knows the numbers that elements of the page before were shown with.
    pub fn told(
        &self,
        max_tokens: usize,
        numbers: &mut dyn Numbers,
        was: &dyn Fn(NodeId) -> Option<u32>,
    ) -> String {
        if !self.confidence.is_enough() {
            let (percent, unseen) = (self.confidence.hundredths, self.confidence.unseen.join(", "));
            return format!(
                "diff confidence below threshold ({percent}%): {unseen}; call inspect_tab\n"
            );
        }
        let words = Phrases::new(self);
        let entries = self.entries();
        let draft = |room: usize, kept: usize, numbers: &mut DiffNumbers<'_>| {
            let mut text = self.head();
            for entry in &entries[..kept] {
                text.push_str(&words.entry(entry, room, numbers));
            }
            let left: usize = entries[kept..].iter().map(DiffEntry::count).sum();
            if left > 0 {
                let plural = if left == 1 { "" } else { "s" };
                text.push_str(&format!("… {left} more change{plural} — inspect_tab\n"));
            }
            text.push_str(&self.tail(&words, numbers));
            text
        };
        let fits = |room: usize, kept: usize| {
            let text = draft(
                room,
                kept,
                &mut DiffNumbers { now: &mut Placeholder, was: &|_| Some(88_888) },
            );
            surely_fits(&text, max_tokens) || count(&text) <= max_tokens
        };
        let rooms =
            std::iter::once(max_tokens).chain(ROOMS.into_iter().filter(|room| *room < max_tokens));
        let (mut room, mut kept) = (0, entries.len());
        let roomy = rooms.into_iter().find(|room| fits(*room, entries.len()));
        match roomy {
            Some(enough) => room = enough,
            None => {
                let mut low = 0;
                while low < kept {
                    let middle = (low + kept).div_ceil(2);
                    if fits(0, middle) { low = middle } else { kept = middle - 1 }
                }
            }
        }
        draft(room, kept, &mut DiffNumbers { now: numbers, was })
    }

    /// One line for each change, in the order of [`Diff::changes`]; nothing folded, nothing left
    /// out.
    pub fn lines(
        &self,
        numbers: &mut dyn Numbers,
        was: &dyn Fn(NodeId) -> Option<u32>,
    ) -> Vec<String> {
        let words = Phrases::new(self);
        let mut numbers = DiffNumbers { now: numbers, was };
        let line =
            |change| words.entry(&DiffEntry::One(change), 0, &mut numbers).trim_end().to_owned();
        self.changes.iter().map(line).collect()
    }

    /// `changes (confidence 0.95, 12 elements more):`.
    fn head(&self) -> String {
        if self.is_empty() {
            return "no visible change in text or controls\n".to_owned();
        }
        let (was, now) = (self.old.page.elements, self.new.page.elements);
        let plural = if was.abs_diff(now) == 1 { "" } else { "s" };
        let more = match now.cmp(&was) {
            std::cmp::Ordering::Equal => String::new(),
            std::cmp::Ordering::Greater => format!(", {} element{plural} more", now - was),
            std::cmp::Ordering::Less => format!(", {} element{plural} fewer", was - now),
        };
        format!("changes (confidence {}{more}):\n", self.confidence)
    }

    /// How much of the page after is new, in hundredths of its lines.
    pub fn share_new(&self) -> usize {
        let new: usize = self
            .changes
            .iter()
            .filter(|change| matches!(change.fate, LineFate::Appeared | LineFate::Revealed))
            .filter_map(|change| change.new)
            .map(|line| self.new.lines[line].end - line)
            .sum();
        new * 100 / self.new.lines.len().max(1)
    }

    /// The title, and what changed by itself.
    fn tail(&self, words: &Phrases<'_, '_>, numbers: &mut DiffNumbers<'_>) -> String {
        let mut text = String::new();
        if let Some((was, now)) = &self.title {
            text.push_str(&format!("~ title {}\n", contrast(was, now)));
        }
        text.push_str(&self.new_numbers(numbers));
        if !self.by_itself.is_empty() {
            let named: Vec<String> = self
                .by_itself
                .iter()
                .take(RESTLESS_NAMED)
                .map(|change| words.short(change, numbers))
                .collect();
            let more = match self.by_itself.len() - named.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            text.push_str(&format!("by itself: {}{more}\n", named.join("; ")));
        }
        text
    }

    /// Numbers that are good no longer, because their elements were drawn anew, and those that take
    /// their place.
    fn new_numbers(&self, numbers: &mut DiffNumbers<'_>) -> String {
        let changed: HashSet<NodeId> =
            self.changes.iter().filter_map(|change| change.after).collect();
        let lost: Vec<(u32, NodeId)> = self
            .drawn_anew
            .iter()
            .filter(|(_, after)| !changed.contains(after))
            .filter_map(|(before, after)| Some(((numbers.was)(*before)?, *after)))
            .collect();
        let mut runs: Vec<(u32, u32, NodeId, u32)> = Vec::new();
        for (was, node) in &lost {
            let now = numbers.now.number(*node);
            match runs.last_mut() {
                // In the same order as before: a run needs its ends only.
                Some((first, anew, _, more)) if *was == *first + *more && now == *anew + *more => {
                    *more += 1
                }
                _ => runs.push((*was, now, *node, 1)),
            }
        }
        let named: Vec<String> =
            runs.iter().take(NUMBERS_NAMED).map(|run| self.new_number(*run)).collect();
        let left: u32 = runs.iter().skip(NUMBERS_NAMED).map(|(.., count)| count).sum();
        match (named.is_empty(), left) {
            (true, _) => String::new(),
            (false, 0) => format!("drawn anew: {}\n", named.join("; ")),
            (false, more) => format!("drawn anew: {} and {more} more\n", named.join("; ")),
        }
    }

    /// `[12] is now [40] button: Save`, or `[12] to [30] are now [40] to [58]`.
    fn new_number(&self, (was, now, node, count): (u32, u32, NodeId, u32)) -> String {
        if count == 1 {
            return format!("[{was}] is now [{now}] {}", headline(self.new.page.node(node)));
        }
        format!("[{was}] to [{}] are now [{now}] to [{}]", was + count - 1, now + count - 1)
    }

    /// The changes as they will be told: runs folded, the most important first.
    fn entries(&self) -> Vec<DiffEntry<'_>> {
        let mut groups: Vec<(Option<Likeness>, Vec<&LineChange>)> = Vec::new();
        for change in &self.changes {
            let likeness = self.likeness(change);
            match groups.last_mut() {
                Some((last, run)) if likeness.is_some() && *last == likeness => run.push(change),
                _ => groups.push((likeness, vec![change])),
            }
        }
        // What changed alike is one even where other changes stand between.
        let mut merged: Vec<(Option<Likeness>, Vec<&LineChange>)> = Vec::new();
        let mut places: std::collections::HashMap<Likeness, usize> = Default::default();
        for (likeness, run) in groups {
            match likeness.as_ref().and_then(|likeness| places.get(likeness)) {
                Some(place) => merged[*place].1.extend(run),
                None => {
                    if let Some(likeness) = &likeness {
                        places.insert(likeness.clone(), merged.len());
                    }
                    merged.push((likeness, run));
                }
            }
        }
        let mut entries = Vec::new();
        for (likeness, run) in merged {
            if likeness
                .is_some_and(|likeness| run.len() > likeness.listed() && !self.are_short_rows(&run))
            {
                entries.push(DiffEntry::Run(run));
            } else {
                entries.extend(run.into_iter().map(DiffEntry::One));
            }
        }
        let region = self.region_acted_in();
        entries.sort_by_cached_key(|entry| {
            let change = entry.first();
            (self.rank(change, region), change.new.is_none(), change.new.or(change.old))
        });
        entries
    }

    /// Rows that came and are few and short enough to be told: the next page of a table.
    fn are_short_rows(&self, run: &[&LineChange]) -> bool {
        let came =
            |change: &&LineChange| matches!(change.fate, LineFate::Appeared | LineFate::Revealed);
        let tokens = |change: &&LineChange| -> usize {
            let Some(line) = change.new else { return SHORT_ROWS_TOKENS };
            let below = line..self.new.lines[line].end;
            below.map(|line| estimate(&self.new.item(line).body) + 8).sum()
        };
        run.len() <= SHORT_ROWS
            && run.iter().all(came)
            && run.iter().map(tokens).sum::<usize>() <= SHORT_ROWS_TOKENS
    }

    /// What makes changes alike; none for what is always told by itself.
    fn likeness(&self, change: &LineChange) -> Option<Likeness> {
        let lines = if change.new.is_some() { &self.new } else { &self.old };
        let line = change.new.or(change.old)?;
        let item = lines.item(line);
        if matches!(item.kind, ItemKind::Region | ItemKind::Heading) {
            return None;
        }
        let manner = match &change.details[..] {
            [] => Variation::Whole,
            [Detail::Name(..), ..] => Variation::Own("name"),
            [Detail::Value(..), ..] => Variation::Own("value"),
            [Detail::Attribute(name, ..), ..] => Variation::Own(name),
            [Detail::Moved(_)] => Variation::Alike("moved".to_owned()),
            details => Variation::Alike(format!("{details:?}")),
        };
        Some(Likeness {
            fate: change.fate,
            parent: lines.lines[line].parent,
            of_old: change.new.is_none(),
            role: item.role,
            manner,
        })
    }

    /// The element that holds what was acted on: a form, a list, a landmark.
    fn region_acted_in(&self) -> Option<NodeId> {
        let (token, local) = self.acted.last()?;
        let new = &self.new;
        let around = |node: Node<'_>| {
            std::iter::once(node)
                .chain(node.ancestors())
                .find(|above| {
                    let role = above.role();
                    role.is_landmark()
                        || matches!(
                            role,
                            Role::Dialog
                                | Role::Article
                                | Role::List
                                | Role::Table
                                | Role::Grid
                                | Role::TabPanel
                        )
                })
                .map(Node::id)
        };
        if let Some(node) = new.page.find(token, *local) {
            return around(new.page.node(node));
        }
        let gone = self.old.page.find(token, *local).map(|node| self.old.page.node(node))?;
        let standing = gone.ancestors().find_map(|above| new.find(self.old.element(above.id())))?;
        around(standing)
    }

    /// Dialogs and the top layer, alerts and status, the region acted in, main, the rest.
    fn rank(&self, change: &LineChange, region: Option<NodeId>) -> u8 {
        let gone = change.new.is_none();
        let lines = if gone { &self.old } else { &self.new };
        let Some(line) = change.new.or(change.old) else { return 4 };
        let node = lines.node(line);
        let mut rank = 4;
        for around in std::iter::once(node).chain(node.ancestors()) {
            let here = match around.role() {
                // A dialog that went away matters less than what it leaves behind.
                Role::Dialog | Role::AlertDialog if gone && around.id() == node.id() => 4,
                Role::Dialog | Role::AlertDialog => 0,
                _ if around.is(Flags::MODAL) => 0,
                Role::Alert | Role::Status | Role::Log => 1,
                _ if around.is(Flags::LIVE) => 1,
                _ if !gone && Some(around.id()) == region => 2,
                Role::Main => 3,
                _ => 4,
            };
            rank = rank.min(here);
        }
        rank
    }
}

/// What changes must have in common to be told as one.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Likeness {
    fate: LineFate,
    parent: Option<usize>,
    of_old: bool,
    role: Role,
    manner: Variation,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Variation {
    /// It came or went.
    Whole,
    /// The same happened to each.
    Alike(String),
    /// Each changed in its own way.
    Own(&'static str),
}

impl Likeness {
    /// How many are told one by one.
    fn listed(&self) -> usize {
        match (&self.manner, self.fate, self.role) {
            (Variation::Alike(_), ..) => ALIKE_LISTED,
            (Variation::Own(_), ..) => CHANGED_LISTED,
            (Variation::Whole, LineFate::Disappeared | LineFate::Hidden, _) => GONE_LISTED,
            (Variation::Whole, _, Role::Row | Role::ListItem | Role::Article) => ROWS_LISTED,
            (Variation::Whole, ..) => THINGS_LISTED,
        }
    }
}
