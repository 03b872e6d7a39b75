//! Prints a diff: the most important changes first, long runs folded, within the budget. What is
//! left out is counted.

use std::collections::HashSet;

use crate::diff::behind::PageBehind;
use crate::diff::model::{Detail, LineChange, LineFate};
use crate::diff::phrases::{DiffEntry, DiffNumbers, Phrases};
use crate::diff::regions::{rerendered, shown_by};
use crate::diff::result::Diff;
use crate::diff::room::{EntryCounts, Room};
use crate::diff::text_change::contrast;
use crate::hint::{Hint, Wording};
use crate::page::role::Role;
use crate::page::{DRAWN, Flags, Node, NodeId};
use crate::render::{ItemKind, Numbers, Placeholder, headline, surely_fits};
use crate::text::tokens::{count, estimate};

/// How many changes of the same kind are listed one by one: rows that appeared, other things that
/// appeared, things that disappeared, things that changed in the same way, things that changed each
/// in a different way.
const ROWS_LISTED: usize = 6;
const THINGS_LISTED: usize = 12;
const GONE_LISTED: usize = 3;
const ALIKE_LISTED: usize = 3;
const CHANGED_LISTED: usize = 6;
/// Up to this many new rows are listed one by one, if all of them together need at most this many
/// estimated tokens.
const SHORT_ROWS: usize = 12;
const SHORT_ROWS_TOKENS: usize = 150;
/// The same for other new controls, such as the days of a calendar without a frame; of a
/// small budget they may take two thirds.
const SHORT_THINGS: usize = 48;
const SHORT_THINGS_TOKENS: usize = 600;
/// How many new numbers are printed.
const NUMBERS_NAMED: usize = 6;
/// The most entries in a summary.
const SUMMARY_ENTRIES: usize = 6;
/// How many background changes are named.
const RESTLESS_NAMED: usize = 3;
/// The first places of an entry.
const DIALOG: u8 = 0;
const MESSAGE: u8 = 1;
const ADDED: u8 = 2;
const ALTERED: u8 = 3;

impl Diff<'_> {
    /// Renders the diff in at most `max_tokens` o200k tokens, unless the lines that are always
    /// there need more. `was` returns the numbers that elements of the page before were shown with.
    pub fn render(
        &self,
        max_tokens: usize,
        wording: Wording,
        numbers: &mut dyn Numbers,
        was: &dyn Fn(NodeId) -> Option<u32>,
    ) -> String {
        if !self.confidence.is_enough() {
            let (percent, unseen) = (self.confidence.hundredths, self.confidence.unseen.join(", "));
            let sentence = format!("diff confidence below threshold ({percent}%): {unseen}");
            return wording.sentence(sentence, Some(&Hint::Look)) + "\n";
        }
        let words = Phrases::new(self, wording);
        let entries = self.entries(&self.renumbered(was), max_tokens);
        let dialogs = self.leading_dialogs(&entries);
        let added = self.leading_added(&entries);
        let behind = self.behind_place(dialogs, added);
        let draft = |room: Room, numbers: &mut DiffNumbers<'_>| {
            let kept = room.kept;
            let mut text = self.head();
            for (at, entry) in entries[..kept].iter().enumerate() {
                if at == behind {
                    text.push_str(&self.behind_line());
                }
                let room = match at {
                    _ if at >= added => room.altered,
                    0 => room.first,
                    _ => room.rest,
                };
                text.push_str(&words.entry(entry, room, numbers));
            }
            if kept <= behind {
                text.push_str(&self.behind_line());
            }
            let left: usize = entries[kept..].iter().map(DiffEntry::count).sum();
            if left > 0 {
                let plural = if left == 1 { "" } else { "s" };
                let line = format!("… {left} more change{plural}");
                text.push_str(&wording.line(line, Some(&Hint::SeeChanges)));
                text.push('\n');
            }
            let regions = entries.iter().filter_map(|entry| match entry {
                DiffEntry::Region(region) => Some(region.line),
                _ => None,
            });
            text.push_str(&self.tail(&words, &regions.collect::<Vec<_>>(), numbers));
            text
        };
        let fits = |room: Room| {
            let text =
                draft(room, &mut DiffNumbers { now: &mut Placeholder, was: &|_| Some(88_888) });
            surely_fits(&text, max_tokens) || count(&text) <= max_tokens
        };
        let counts = EntryCounts { all: entries.len(), added, opens_with_dialog: dialogs > 0 };
        let room = Room::find(max_tokens, counts, &fits);
        draft(room, &mut DiffNumbers { now: numbers, was })
    }

    /// Returns how many of the first entries are dialogs that opened.
    fn leading_dialogs(&self, entries: &[DiffEntry<'_>]) -> usize {
        let is_dialog =
            |entry: &&DiffEntry<'_>| entry.adds() && self.rank(entry.first(), None) == DIALOG;
        entries.iter().take_while(is_dialog).count()
    }

    /// Returns how many of the first entries are dialogs, messages or new.
    fn leading_added(&self, entries: &[DiffEntry<'_>]) -> usize {
        let region = self.region_acted_in();
        let first = |entry: &&DiffEntry<'_>| self.order(entry, region).0 < ALTERED;
        entries.iter().take_while(first).count()
    }

    /// Returns before which entry the line about the page behind stands: after the dialogs, or
    /// after the content of an overlay that is not a dialog.
    fn behind_place(&self, dialogs: usize, added: usize) -> usize {
        match self.behind {
            Some(PageBehind::Inert) if dialogs == 0 => added,
            _ => dialogs,
        }
    }

    /// Returns the line about the page behind; empty if nothing happened to it.
    fn behind_line(&self) -> String {
        self.behind.map_or(String::new(), |behind| format!("{}\n", behind.words()))
    }

    /// Returns the most important changes in one line of at most `max_tokens` tokens; none if there
    /// are none, or if too little of the page was captured. Minor changes are left out.
    pub fn summary(
        &self,
        max_tokens: usize,
        numbers: &mut dyn Numbers,
        was: &dyn Fn(NodeId) -> Option<u32>,
    ) -> Option<String> {
        if !self.confidence.is_enough() {
            return None;
        }
        let words = Phrases::new(self, Wording::PLAIN);
        let minor = |entry: &DiffEntry<'_>| match entry {
            DiffEntry::Minor(_) => true,
            DiffEntry::One(change) => self.is_minor(change),
            DiffEntry::Run(_) | DiffEntry::Region(_) => false,
        };
        let entries: Vec<DiffEntry<'_>> = self
            .entries(&self.renumbered(was), max_tokens)
            .into_iter()
            .filter(|e| !minor(e))
            .collect();
        let behind_place =
            self.behind_place(self.leading_dialogs(&entries), self.leading_added(&entries));
        let draft = |kept: usize, numbers: &mut DiffNumbers<'_>| {
            let mut parts: Vec<String> = entries[..kept]
                .iter()
                .map(|entry| words.entry(entry, 0, numbers).trim_end().to_owned())
                .collect();
            if let Some(behind) = self.behind {
                parts.insert(behind_place.min(kept), behind.words().to_owned());
            }
            match entries[kept..].iter().map(DiffEntry::count).sum::<usize>() {
                0 => {}
                1 => parts.push("1 more change".to_owned()),
                left => parts.push(format!("{left} more changes")),
            }
            parts.join("; ")
        };
        let fits = |kept: &usize| {
            let mut numbers = DiffNumbers { now: &mut Placeholder, was: &|_| Some(88_888) };
            count(&draft(*kept, &mut numbers)) <= max_tokens
        };
        // A summary is short, so few entries are tried.
        let kept = (0..=entries.len().min(SUMMARY_ENTRIES)).rev().find(fits)?;
        let text = draft(kept, &mut DiffNumbers { now: numbers, was });
        (!text.is_empty()).then_some(text)
    }

    /// Returns one line per change, in the order of [`Diff::changes`], without folding or leaving
    /// out anything.
    pub fn lines(
        &self,
        numbers: &mut dyn Numbers,
        was: &dyn Fn(NodeId) -> Option<u32>,
    ) -> Vec<String> {
        let words = Phrases::new(self, Wording::PLAIN);
        let mut numbers = DiffNumbers { now: numbers, was };
        let line =
            |change| words.entry(&DiffEntry::One(change), 0, &mut numbers).trim_end().to_owned();
        self.changes.iter().map(line).collect()
    }

    /// Returns the first line: `changes (confidence 0.95, 12 elements more):`, each part only if it
    /// says something.
    fn head(&self) -> String {
        if self.is_empty() {
            return match self.background.is_empty() {
                true => "no visible change in text or controls\n".to_owned(),
                // An effect of an action may be among the changes of a page that always changes.
                false => "no visible change except in the background\n".to_owned(),
            };
        }
        let (was, now) = (self.old.page.elements, self.new.page.elements);
        let plural = if was.abs_diff(now) == 1 { "" } else { "s" };
        let more = match now.cmp(&was) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(format!("{} element{plural} more", now - was)),
            std::cmp::Ordering::Less => Some(format!("{} element{plural} fewer", was - now)),
        };
        let confidence =
            (!self.confidence.is_full()).then(|| format!("confidence {}", self.confidence));
        let parts: Vec<String> = confidence.into_iter().chain(more).collect();
        match parts.is_empty() {
            true => "changes:\n".to_owned(),
            false => format!("changes ({}):\n", parts.join(", ")),
        }
    }

    /// Returns how much of the page after is new, in hundredths of its lines.
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

    /// Returns the title, the new numbers and the background changes.
    fn tail(
        &self,
        words: &Phrases<'_, '_>,
        regions: &[usize],
        numbers: &mut DiffNumbers<'_>,
    ) -> String {
        let mut text = String::new();
        if let Some((was, now)) = &self.title {
            text.push_str(&format!("~ title {}\n", contrast(was, now)));
        }
        text.push_str(&self.new_numbers(regions, numbers));
        if !self.background.is_empty() {
            let named: Vec<String> = self
                .background
                .iter()
                .take(RESTLESS_NAMED)
                .map(|change| words.short(change, numbers))
                .collect();
            let more = match self.background.len() - named.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            text.push_str(&format!("in the background: {}{more}\n", named.join("; ")));
        }
        text
    }

    /// Returns the numbers that are no longer valid because their elements were re-rendered, with
    /// their replacements. Those in `regions` are printed there.
    fn new_numbers(&self, regions: &[usize], numbers: &mut DiffNumbers<'_>) -> String {
        let shown = |node: NodeId| {
            regions.iter().any(|line| self.new.page.node(self.new.lines[*line].node).contains(node))
        };
        let changed: HashSet<NodeId> =
            self.changes.iter().filter_map(|change| change.after).collect();
        let lost: Vec<(u32, NodeId)> = self
            .replaced
            .iter()
            .filter(|(_, after)| !changed.contains(after) && !shown(*after))
            .filter_map(|(before, after)| Some(((numbers.was)(*before)?, *after)))
            .collect();
        let mut runs: Vec<(u32, u32, NodeId, u32)> = Vec::new();
        for (was, node) in &lost {
            let now = numbers.now.number(*node);
            match runs.last_mut() {
                // In a run that kept its order, only the two ends are printed.
                Some((first, new, _, more)) if *was == *first + *more && now == *new + *more => {
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
            (false, 0) => format!("re-rendered: {}\n", named.join("; ")),
            (false, more) => format!("re-rendered: {} and {more} more\n", named.join("; ")),
        }
    }

    /// Returns a new number in words: `[12] is now [40] button: Save`, or
    /// `[12] to [30] are now [40] to [58]`.
    fn new_number(&self, (was, now, node, count): (u32, u32, NodeId, u32)) -> String {
        if count == 1 {
            return format!("[{was}] is now [{now}] {}", headline(self.new.page.node(node)));
        }
        format!("[{was}] to [{}] are now [{now}] to [{}]", was + count - 1, now + count - 1)
    }

    /// Returns the elements of the new page that replaced elements with a number.
    fn renumbered(&self, was: &dyn Fn(NodeId) -> Option<u32>) -> HashSet<NodeId> {
        let lost = self.replaced.iter().filter(|(before, _)| was(*before).is_some());
        lost.map(|(_, after)| *after).collect()
    }

    /// Returns the entries to print in `max_tokens` tokens: runs folded, the most important first.
    /// `renumbered` are elements of the new page that replaced numbered ones.
    fn entries(&self, renumbered: &HashSet<NodeId>, max_tokens: usize) -> Vec<DiffEntry<'_>> {
        let regions = rerendered(self, renumbered);
        let shown = shown_by(&regions);
        let mut minor = Vec::new();
        let mut groups: Vec<(Option<Likeness>, Vec<&LineChange>)> = Vec::new();
        for change in &self.changes {
            if shown.contains(&std::ptr::from_ref(change)) {
                continue;
            }
            if self.is_minor(change) {
                minor.push(change);
                continue;
            }
            let likeness = self.likeness(change);
            match groups.last_mut() {
                Some((last, run)) if likeness.is_some() && *last == likeness => run.push(change),
                _ => groups.push((likeness, vec![change])),
            }
        }
        // Changes of the same kind are merged even if other changes stand between them.
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
            if likeness.is_some_and(|likeness| {
                run.len() > likeness.listed() && !self.are_short(&run, max_tokens)
            }) {
                entries.push(DiffEntry::Run(run));
            } else {
                entries.extend(run.into_iter().map(DiffEntry::One));
            }
        }
        let with_changes = regions.into_iter().filter(|region| !region.changes.is_empty());
        entries.extend(with_changes.map(DiffEntry::Region));
        let region = self.region_acted_in();
        entries.sort_by_cached_key(|entry| {
            let change = entry.first();
            (self.order(entry, region), change.new.is_none(), change.new.or(change.old))
        });
        match minor[..] {
            [] => {}
            [only] => entries.push(DiffEntry::One(only)),
            _ => entries.push(DiffEntry::Minor(minor)),
        }
        entries
    }

    /// Whether a change rarely matters: a redrawn canvas, a moved focus, a bare number that counts.
    fn is_minor(&self, change: &LineChange) -> bool {
        let minor = |detail: &Detail| match detail {
            Detail::Attribute(DRAWN, ..) | Detail::Focus(_) => true,
            Detail::Name(was, now) => is_count(was) && is_count(now),
            _ => false,
        };
        let bare = |line: usize| {
            let item = self.new.item(line);
            item.kind == ItemKind::Text && item.role == Role::None
        };
        let counts = || change.details.iter().any(|detail| matches!(detail, Detail::Name(..)));
        change.fate == LineFate::Changed
            && !change.details.is_empty()
            && change.details.iter().all(minor)
            && (!counts() || change.new.is_some_and(bare))
    }

    /// Whether these appeared and are few and short: the next page of a table, the days of a
    /// calendar.
    fn are_short(&self, run: &[&LineChange], max_tokens: usize) -> bool {
        let came =
            |change: &&LineChange| matches!(change.fate, LineFate::Appeared | LineFate::Revealed);
        let first = run.first().and_then(|change| change.new).map(|line| self.new.item(line));
        let (most, limit) = match first {
            Some(item) if is_row(item.role) => (SHORT_ROWS, SHORT_ROWS_TOKENS),
            Some(item) if item.kind == ItemKind::Usable => {
                (SHORT_THINGS, SHORT_THINGS_TOKENS.min(max_tokens * 2 / 3))
            }
            _ => return false,
        };
        let tokens = |change: &&LineChange| -> usize {
            let Some(line) = change.new else { return limit };
            let below = line..self.new.lines[line].end;
            below.map(|line| estimate(&self.new.item(line).body) + 8).sum()
        };
        run.len() <= most && run.iter().all(came) && run.iter().map(tokens).sum::<usize>() <= limit
    }

    /// Returns what makes changes alike; none for a change that is always listed alone.
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

    /// Returns the element around what was acted on: a form, a list, a landmark.
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

    /// Returns the place of an entry: dialogs and messages first, then what was added, then what
    /// was altered.
    fn order(&self, entry: &DiffEntry<'_>, region: Option<NodeId>) -> (u8, bool, u8) {
        let rank = self.rank(entry.first(), region);
        let class = match (rank, entry.adds()) {
            (DIALOG, true) | (MESSAGE, _) => rank,
            (_, true) => ADDED,
            (_, false) => ALTERED,
        };
        (class, !entry.adds(), rank)
    }

    /// Returns the rank of a change: dialogs and the top layer first, then alerts and status
    /// messages, the region acted in, main, the rest.
    fn rank(&self, change: &LineChange, region: Option<NodeId>) -> u8 {
        let gone = change.new.is_none();
        let lines = if gone { &self.old } else { &self.new };
        let Some(line) = change.new.or(change.old) else { return 4 };
        let node = lines.node(line);
        let mut rank = 4;
        for around in std::iter::once(node).chain(node.ancestors()) {
            let here = match around.role() {
                // A dialog that disappeared matters less than the page under it.
                Role::Dialog | Role::AlertDialog if gone && around.id() == node.id() => 4,
                Role::Dialog | Role::AlertDialog => DIALOG,
                _ if around.is(Flags::MODAL) => DIALOG,
                Role::Alert | Role::Status | Role::Log => MESSAGE,
                _ if around.is(Flags::LIVE) => MESSAGE,
                _ if !gone && Some(around.id()) == region => 2,
                Role::Main => 3,
                _ => 4,
            };
            rank = rank.min(here);
        }
        rank
    }
}

/// Whether an element with this role is one of many of its kind, of which a few are enough.
fn is_row(role: Role) -> bool {
    matches!(role, Role::Row | Role::ListItem | Role::Article)
}

/// Whether a text is only a number, such as `12/200` or `45 %`.
fn is_count(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || " .,/:%()+-".contains(c))
}

/// The facts that changes must have in common to be printed as one.
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
    /// It appeared or disappeared.
    Whole,
    /// The same happened to each.
    Alike(String),
    /// Each changed in a different way.
    Own(&'static str),
}

impl Likeness {
    /// Returns how many are listed one by one.
    fn listed(&self) -> usize {
        match (&self.manner, self.fate, self.role) {
            (Variation::Alike(_), ..) => ALIKE_LISTED,
            (Variation::Own(_), ..) => CHANGED_LISTED,
            (Variation::Whole, LineFate::Disappeared | LineFate::Hidden, _) => GONE_LISTED,
            (Variation::Whole, _, role) if is_row(role) => ROWS_LISTED,
            (Variation::Whole, ..) => THINGS_LISTED,
        }
    }
}
