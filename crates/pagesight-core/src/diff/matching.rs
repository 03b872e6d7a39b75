//! Pairs the lines before with the lines after, by node first. Nodes that a framework re-rendered
//! are different nodes: under the same parent they are paired by equal content, then by role and
//! name, then by their position between paired neighbours if they are similar enough.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::diff::lines::{LineKind, Lines, was_hidden};
use crate::page::role::Role;
use crate::render::ItemKind;

/// The pairs of lines, in both directions.
pub(super) struct Matching {
    pub(super) to_new: Vec<Option<usize>>,
    pub(super) to_old: Vec<Option<usize>>,
    /// Lines of the new page that only stand in a different row of the same table.
    pub(super) re_laid: HashSet<usize>,
    /// Pairs whose children were not compared yet.
    open: Vec<(Option<usize>, Option<usize>)>,
}

impl Matching {
    pub(super) fn of(old: &Lines<'_>, new: &Lines<'_>) -> Matching {
        let (to_new, to_old) = (vec![None; old.lines.len()], vec![None; new.lines.len()]);
        let mut matching =
            Matching { to_new, to_old, re_laid: HashSet::new(), open: vec![(None, None)] };
        let by_key: HashMap<_, usize> =
            old.lines.iter().enumerate().filter_map(|(at, line)| Some((line.key?, at))).collect();
        for (at, line) in new.lines.iter().enumerate() {
            if let Some(before) = line.key.and_then(|key| by_key.get(&key)) {
                matching.pair(*before, at);
            }
        }
        while let Some((before, after)) = matching.open.pop() {
            matching.children(old, new, before, after);
        }
        matching.in_other_rows(old, new);
        matching
    }

    /// Pairs controls that were rendered again and stand in a different row of the same table, such
    /// as the days of a calendar that shows the next month. The rows have no names, and no other
    /// control of the table is called so.
    fn in_other_rows(&mut self, old: &Lines<'_>, new: &Lines<'_>) {
        let (was, now) = (controls_of_tables(old), controls_of_tables(new));
        for ((table, called), before) in &was {
            let Some(table) = self.to_new[*table] else { continue };
            let after = now.get(&(table, *called)).copied().flatten();
            let (Some(before), Some(after)) = (*before, after) else { continue };
            if self.to_new[before].is_none() && self.to_old[after].is_none() {
                self.pair(before, after);
                self.re_laid.insert(after);
            }
        }
    }

    fn pair(&mut self, before: usize, after: usize) {
        self.to_new[before] = Some(after);
        self.to_old[after] = Some(before);
        self.open.push((Some(before), Some(after)));
    }

    /// Pairs the unpaired lines below two paired lines.
    fn children(
        &mut self,
        old: &Lines<'_>,
        new: &Lines<'_>,
        before: Option<usize>,
        after: Option<usize>,
    ) {
        let mut left: Vec<usize> =
            old.children(before).filter(|at| self.to_new[*at].is_none()).collect();
        let mut right: Vec<usize> =
            new.children(after).filter(|at| self.to_old[*at].is_none()).collect();
        if left.is_empty() && right.is_empty() {
            return;
        }
        // The content of a list or group that may be looked through counts too. Otherwise an item
        // would be taken apart because the other side has a list of items.
        let roles = |lines: &Lines<'_>, of: &[usize]| -> HashSet<Role> {
            let inner = of
                .iter()
                .filter(|at| is_bare(lines, **at))
                .flat_map(|at| lines.children(Some(*at)));
            of.iter().copied().chain(inner).map(|at| lines.item(at).role).collect()
        };
        let (on_left, on_right) = (roles(old, &left), roles(new, &right));
        let left_opened = seen_through(old, &left, &on_right, |at| self.to_new[at].is_none());
        let right_opened = seen_through(new, &right, &on_left, |at| self.to_old[at].is_none());
        (left, right) = (left_opened, right_opened);
        if left.is_empty() || right.is_empty() {
            return;
        }
        self.equal(&mut left, &mut right, |at| old.lines[at].whole, |at| new.lines[at].whole);
        let named = |lines: &Lines<'_>, at: usize| {
            (lines.item(at).role, lines.sort(at), lines.lines[at].name.clone())
        };
        let guessed = |lines: &Lines<'_>, at: usize| {
            (lines.item(at).role, lines.lines[at].name.clone(), lines.item(at).guess.clone())
        };
        self.equal(&mut left, &mut right, |at| guessed(old, at), |at| guessed(new, at));
        self.equal(&mut left, &mut right, |at| named(old, at), |at| named(new, at));
        self.same_subject((old, before, &mut left), (new, after, &mut right));
        // An element that was hidden before is not the same as the element that it replaces.
        // Neither is an element that is hidden now.
        right.retain(|at| !was_hidden(old, new, *at));
        left.retain(|at| {
            let now = new.find(old.element(old.element_of(*at).id()));
            now.is_none_or(|now| now.hidden().is_none())
        });
        self.between_neighbours(old, new, left, right);
    }

    /// Pairs lines with the same mark, in order.
    fn equal<Mark: std::hash::Hash + Eq>(
        &mut self,
        left: &mut Vec<usize>,
        right: &mut Vec<usize>,
        old_mark: impl Fn(usize) -> Mark,
        new_mark: impl Fn(usize) -> Mark,
    ) {
        let mut waiting: HashMap<Mark, Vec<usize>> = HashMap::new();
        // From the end, so that the first can be popped.
        for at in left.iter().rev() {
            waiting.entry(old_mark(*at)).or_default().push(*at);
        }
        for at in right.iter() {
            if let Some(before) = waiting.get_mut(&new_mark(*at)).and_then(Vec::pop) {
                self.pair(before, *at);
            }
        }
        left.retain(|at| self.to_new[*at].is_none());
        right.retain(|at| self.to_old[*at].is_none());
    }

    /// Pairs rows with the same subject, even if their other words differ.
    fn same_subject(
        &mut self,
        (old, before, left): (&Lines<'_>, Option<usize>, &mut Vec<usize>),
        (new, after, right): (&Lines<'_>, Option<usize>, &mut Vec<usize>),
    ) {
        let (was, now) = (subjects(old, before, left), subjects(new, after, right));
        for (subject, at) in &was {
            if let Some(there) = now.get(subject) {
                self.pair(*at, *there);
            }
        }
        left.retain(|at| self.to_new[*at].is_none());
        right.retain(|at| self.to_old[*at].is_none());
    }

    /// Pairs similar lines that follow the same neighbour.
    fn between_neighbours(
        &mut self,
        old: &Lines<'_>,
        new: &Lines<'_>,
        left: Vec<usize>,
        right: Vec<usize>,
    ) {
        let mut gaps: HashMap<Option<usize>, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for at in left {
            let neighbour = old.in_front(at).take(REACH).find_map(|other| self.to_new[other]);
            gaps.entry(neighbour).or_default().0.push(at);
        }
        for at in right {
            let neighbour =
                new.in_front(at).take(REACH).find(|other| self.to_old[*other].is_some());
            gaps.entry(neighbour).or_default().1.push(at);
        }
        let mut gaps: Vec<_> = gaps
            .into_iter()
            .filter(|(_, (left, right))| !left.is_empty() && !right.is_empty())
            .collect();
        gaps.sort_unstable_by_key(|(neighbour, _)| *neighbour);
        for (_, (left, right)) in gaps {
            let (left, right) = (by_kind(old, left), by_kind(new, right));
            for (kind, left) in left {
                if let Some(right) = right.get(&kind) {
                    self.most_alike(old, new, &left, right, kind.0);
                }
            }
        }
    }

    /// Pairs lines of one kind, the most similar first. The result is the same in both directions.
    fn most_alike(
        &mut self,
        old: &Lines<'_>,
        new: &Lines<'_>,
        left: &[usize],
        right: &[usize],
        role: Role,
    ) {
        if let ([before], [after]) = (left, right)
            && is_replaceable(role)
        {
            return self.pair(*before, *after);
        }
        // A text is the same if half of its words are equal. A row must share more than half.
        let least = if is_replaceable(role) { 500 } else { 501 };
        let mut pairs = Vec::new();
        for (i, before) in left.iter().enumerate() {
            let near = right
                .iter()
                .enumerate()
                .skip(i.saturating_sub(NEAR))
                .take_while(|(j, _)| *j <= i + NEAR);
            for (j, after) in near {
                let likeness = alike(&old.lines[*before].name, &new.lines[*after].name);
                if likeness >= least {
                    pairs.push((
                        std::cmp::Reverse(likeness),
                        i + j,
                        i.abs_diff(j),
                        *before,
                        *after,
                    ));
                }
            }
        }
        pairs.sort_unstable();
        for (.., before, after) in pairs {
            if self.to_new[before].is_none() && self.to_old[after].is_none() {
                self.pair(before, after);
            }
        }
    }
}

/// The table that a control is in, and what it is called.
type CalledInTable<'l> = (usize, (Role, &'l str, &'l str));

/// Returns the controls that stand in rows without a name, or right below a table; none for several
/// of a table that are called alike.
fn controls_of_tables<'l>(lines: &'l Lines<'_>) -> BTreeMap<CalledInTable<'l>, Option<usize>> {
    let is_table = |at: usize| matches!(lines.item(at).role, Role::Table | Role::Grid);
    let mut found = BTreeMap::new();
    for at in 0..lines.lines.len() {
        let item = lines.item(at);
        if item.kind != ItemKind::Usable || lines.lines[at].end != at + 1 {
            continue;
        }
        let Some(parent) = lines.lines[at].parent else { continue };
        let is_row = lines.item(parent).role == Role::Row && lines.lines[parent].name.is_empty();
        let table = if is_row { lines.lines[parent].parent } else { Some(parent) };
        let Some(table) = table.filter(|at| is_table(*at)) else { continue };
        let called = (item.role, lines.lines[at].name.as_str(), item.guess.as_str());
        found.entry((table, called)).and_modify(|one| *one = None).or_insert(Some(at));
    }
    found
}

/// Looks through a list or group without a name and without a counterpart: it may have a line only
/// because it now holds more than one thing.
fn seen_through(
    lines: &Lines<'_>,
    candidates: &[usize],
    counterparts: &HashSet<Role>,
    is_free: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut out = Vec::with_capacity(candidates.len());
    for at in candidates.iter().copied() {
        if is_bare(lines, at) && !counterparts.contains(&lines.item(at).role) {
            out.extend(lines.children(Some(at)).filter(|child| is_free(*child)));
        } else {
            out.push(at);
        }
    }
    out
}

fn is_bare(lines: &Lines<'_>, at: usize) -> bool {
    lines.item(at).kind == ItemKind::Group && lines.lines[at].name.is_empty()
}

/// Groups lines by role and kind; each group is in order.
fn by_kind(lines: &Lines<'_>, of: Vec<usize>) -> BTreeMap<(Role, LineKind), Vec<usize>> {
    let mut kinds: BTreeMap<(Role, LineKind), Vec<usize>> = BTreeMap::new();
    for at in of {
        kinds.entry((lines.item(at).role, lines.sort(at))).or_default().push(at);
    }
    kinds
}

/// Returns the candidates that can be identified by their subject: by the first link or heading in
/// them, if no sibling has the same.
fn subjects<'l>(
    lines: &'l Lines<'_>,
    parent: Option<usize>,
    candidates: &[usize],
) -> BTreeMap<(Role, &'l str), usize> {
    let subject = |at: usize| {
        let role = lines.item(at).role;
        let below = at + 1..lines.lines[at].end.min(at + 1 + SUBJECT_REACH);
        let mut inside =
            below.filter(|inner| matches!(lines.item(*inner).role, Role::Link | Role::Heading));
        let name = inside.next().map(|inner| lines.lines[inner].name.as_str())?;
        (!is_replaceable(role) && !name.is_empty()).then_some((role, name))
    };
    let mut count: HashMap<(Role, &str), usize> = HashMap::new();
    for beside in lines.children(parent).filter_map(subject) {
        *count.entry(beside).or_default() += 1;
    }
    let named = candidates.iter().filter_map(|at| Some((subject(*at)?, *at)));
    named.filter(|(subject, _)| count.get(subject) == Some(&1)).collect()
}

/// How many lines of a row are searched for its subject.
const SUBJECT_REACH: usize = 16;
/// How far apart two paired lines of one kind may be: enough for a re-rendered form, and no more
/// than linear for a re-rendered table.
const NEAR: usize = 16;
/// How many siblings before a line are searched for a paired one.
const REACH: usize = 64;

/// Whether a line may change its text completely and still be the same line: a label, a status, a
/// text. A row, a dialog or a field with a different text is a different one.
fn is_replaceable(role: Role) -> bool {
    !role.is_field()
        && !matches!(
            role,
            Role::Row
                | Role::ListItem
                | Role::Article
                | Role::Option
                | Role::Dialog
                | Role::AlertDialog
                | Role::Alert
                | Role::TreeItem
                | Role::MenuItem
        )
}

/// Returns how many words two texts have in common, in thousandths.
fn alike(one: &str, other: &str) -> usize {
    if one.is_empty() || other.is_empty() {
        return if one.is_empty() && other.is_empty() { 1_000 } else { 0 };
    }
    let (mut left, mut right): (Vec<&str>, Vec<&str>) =
        (one.split_whitespace().take(200).collect(), other.split_whitespace().take(200).collect());
    left.sort_unstable();
    right.sort_unstable();
    let (mut common, mut i, mut j) = (0, 0, 0);
    while i < left.len() && j < right.len() {
        match left[i].cmp(right[j]) {
            std::cmp::Ordering::Equal => (common, i, j) = (common + 1, i + 1, j + 1),
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
        }
    }
    common * 1_000 / left.len().max(right.len())
}
