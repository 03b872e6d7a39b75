//! Compares a reported diff with the page's own list of changes. A line is true if one entry of the
//! list has everything that it claims. An entry is found if a line reports all of it. Changes in
//! the line of unprompted changes count as neither, so a real change there is missed.
//!
//! The rules in detail:
//! - The words must be the page's own, except for white space. Roles must be ARIA's where the list
//!   names one.
//! - An added element is `revealed`, and a removed one `hidden`, exactly if it was or stays in the
//!   document.
//! - A folded run is true up to the number of elements that changed in that way in that place. Its
//!   sample must be one of them, and what is inside of them counts as reported.
//! - A second line for the same change is false, unless it reports it of another element (`or`).
//! - A consequence of another change (`may`: the focus, a row around a cell) need not be reported.
//! - A region that is shown as it is now (`re-rendered`) is true if more than half of the lines
//!   below it are. It then also reports that what was in it before went.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::claims::{Claim, ReportedChanges};
use crate::outline::unquoted;
use crate::product::Role;

/// One change, as the page recorded it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct TruthEntry {
    /// `+`, `-` or `~`.
    pub mark: String,
    /// ARIA's role; empty for a plain text.
    pub role: String,
    /// Name or text, as it is now (of what went: as it was).
    pub text: String,
    /// The earlier name or text.
    pub was: Option<String>,
    /// The value of a field now and before.
    pub value: Option<String>,
    pub old: Option<String>,
    /// States of an added element; changed states for `~` (`now checked`).
    pub states: Vec<String>,
    /// More of them that follow from these.
    pub may_states: Vec<String>,
    /// The name of the list or table it lies in.
    pub holder: String,
    /// A new element was in the document before, or a removed one still is.
    pub hidden: bool,
    /// It need not be reported.
    pub may: bool,
    /// Entries of one group weigh as one.
    pub group: Option<String>,
    /// The text of the row or dialog it came with.
    pub of: Option<String>,
    /// Order before and after, for things that changed places.
    pub order: Option<(Vec<String>, Vec<String>)>,
    /// The name of what it was moved into.
    pub into: Option<String>,
    /// Digits do not count: a clock stands in the same line.
    pub loose: bool,
    /// Other elements of which the same may be reported: a cell instead of its row.
    pub or: Vec<TruthEntry>,
}

/// The verdict on one reply.
#[derive(Debug, Default)]
pub struct DiffVerdict {
    /// Lines that claim something, and those of them that are true.
    pub lines: usize,
    pub right: usize,
    /// The weight of all changes, and of those that were reported.
    pub weight: f64,
    pub found: f64,
    /// The fault, in words.
    pub faults: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ClaimFit {
    No,
    /// All that the line claims is true, but it does not report everything.
    Partly,
    Whole,
}

/// An entry while lines are read.
#[derive(Clone, Default)]
struct EntryState {
    /// Which of its forms were reported.
    forms: Vec<usize>,
    found: bool,
    by_run: bool,
    moved: HashSet<usize>,
}

pub fn judge(reported: &ReportedChanges, truth: &[TruthEntry]) -> DiffVerdict {
    let mut marks = vec![EntryState::default(); truth.len()];
    let mut verdict = DiffVerdict { lines: reported.claims.len(), ..DiffVerdict::default() };
    // Changes with a line of their own are not in the runs, and regions are judged by the lines
    // below them.
    let mut order: Vec<usize> = (0..reported.claims.len()).collect();
    order.sort_by_key(|at| match &reported.claims[*at] {
        claim if claim.shows_region() => 2,
        claim => u8::from(claim.run.is_some()),
    });
    let mut judged = vec![false; reported.claims.len()];
    for at in order {
        let claim = &reported.claims[at];
        let right = match &claim.run {
            _ if claim.shows_region() => {
                region(&reported.claims[at..], &judged[at..], truth, &mut marks)
            }
            Some((count, noun)) => run(claim, *count, noun, truth, &mut marks),
            None => one(claim, truth, &mut marks),
        };
        judged[at] = right;
        verdict.right += usize::from(right);
        if !right {
            verdict.faults.push(format!("false: {}", claim.line.trim()));
        }
    }
    let mut groups: HashMap<&str, f64> = HashMap::new();
    for entry in truth {
        *groups.entry(entry.group.as_deref().unwrap_or_default()).or_default() += 1.0;
    }
    for (at, entry) in truth.iter().enumerate().filter(|(_, entry)| !entry.may) {
        let weight = entry.group.as_deref().map_or(1.0, |group| 1.0 / groups[group]);
        let with_run = entry.of.as_ref().is_some_and(|of| {
            truth.iter().zip(&marks).any(|(other, mark)| mark.by_run && other.text == *of)
        });
        let in_order =
            entry.order.as_ref().is_some_and(|(from, to)| in_order(from, to, &marks[at].moved));
        verdict.weight += weight;
        if marks[at].found || with_run || in_order {
            verdict.found += weight;
        } else {
            let unprompted = !entry.text.is_empty() && reported.unprompted.contains(&entry.text);
            let why = if unprompted { " (reported as unprompted)" } else { "" };
            verdict.faults.push(format!("missed{why}: {}", words(entry)));
        }
    }
    verdict
}

fn words(entry: &TruthEntry) -> String {
    let was = entry.was.as_ref().or(entry.old.as_ref());
    let was = was.map_or(String::new(), |was| format!(" (was {was:?})"));
    let order = if entry.order.is_some() { " — different order" } else { "" };
    let value = entry.value.as_ref().map_or(String::new(), |value| format!(" = {value:?}"));
    format!(
        "{} {} {:?}{value}{was} {}{order}",
        entry.mark,
        entry.role,
        entry.text,
        entry.states.join(", ")
    )
}

/// Finds the entry that one line reports.
fn one(claim: &Claim, truth: &[TruthEntry], marks: &mut [EntryState]) -> bool {
    let mut known = false;
    let mut partly = None;
    for (at, entry) in truth.iter().enumerate() {
        if let Some((from, to)) = &entry.order {
            if moved_right(claim, entry, from, to, &mut marks[at].moved) {
                return true;
            }
            continue;
        }
        for (form, shape) in std::iter::once(entry).chain(&entry.or).enumerate() {
            match fit(claim, shape) {
                ClaimFit::No => {}
                _ if marks[at].forms.contains(&form) => {}
                // The same change, reported of another element.
                _ if !marks[at].forms.is_empty() => {
                    marks[at].forms.push(form);
                    known = true;
                }
                ClaimFit::Whole => {
                    marks[at].forms.push(form);
                    marks[at].found = true;
                    return true;
                }
                ClaimFit::Partly => partly = partly.or(Some((at, form))),
            }
        }
    }
    if let Some((at, form)) = partly {
        marks[at].forms.push(form);
        return true;
    }
    known
}

/// Judges the first of these claims, a region that is shown as it is now, by the claims below it.
fn region(
    claims: &[Claim],
    judged: &[bool],
    truth: &[TruthEntry],
    marks: &mut [EntryState],
) -> bool {
    let below = 1 + claims[1..].iter().take_while(|claim| claim.inside).count();
    let right = judged[1..below].iter().filter(|right| **right).count();
    if 2 * right < below {
        return false;
    }
    // A list item is printed without its role, so what is shown is known by what it reported.
    let reported: HashSet<&str> = truth
        .iter()
        .zip(marks.iter())
        .filter(|(entry, mark)| entry.mark == "+" && mark.found)
        .map(|(entry, _)| entry.role.as_str())
        .collect();
    for (entry, mark) in truth.iter().zip(marks) {
        let here = match entry.holder.as_str() {
            "" => reported.contains(entry.role.as_str()),
            holder => claims[0].body.contains(holder),
        };
        mark.found |= entry.mark == "-" && here;
    }
    true
}

/// Takes as many of the entries as a folded line stands for; false if there are not so many.
fn run(
    claim: &Claim,
    count: usize,
    noun: &str,
    truth: &[TruthEntry],
    marks: &mut [EntryState],
) -> bool {
    let of_kind = |entry: &TruthEntry| {
        let fits = |entry: &TruthEntry| Role::parse(&entry.role).plural() == noun;
        claim.mark.to_string() == entry.mark && (fits(entry) || entry.or.iter().any(fits))
    };
    if claim.states == ["re-ordered"] {
        let place = truth.iter().position(|entry| {
            let first = entry.order.as_ref().is_some_and(|(_, to)| {
                count <= to.len()
                    && to.first().is_some_and(|first| says(&claim.body, &entry.role, first))
            });
            first && of_kind(entry)
        });
        let Some(at) = place else { return false };
        marks[at].found = true;
        return true;
    }
    let hidden = claim.states.iter().any(|state| state == "revealed" || state == "hidden");
    let in_place = |entry: &TruthEntry| match (&claim.holder, entry.holder.as_str()) {
        (None, _) | (_, "") => true,
        (Some(holder), name) => holder.contains(name),
    };
    let states = |entry: &TruthEntry| {
        claim.mark != '~'
            || claim.states.iter().all(|state| entry.states.contains(state) || state == "focused")
    };
    let candidates: Vec<usize> = truth
        .iter()
        .enumerate()
        .filter(|(at, entry)| {
            of_kind(entry) && !marks[*at].found && in_place(entry) && states(entry)
        })
        .filter(|(_, entry)| claim.mark == '~' || claim.inside || entry.hidden == hidden)
        .map(|(at, _)| at)
        .collect();
    let sample = Claim { run: None, holder: None, ..claim.clone() };
    let sampled = claim.inside
        || candidates.iter().any(|at| {
            let forms = std::iter::once(&truth[*at]).chain(&truth[*at].or);
            forms.into_iter().any(|form| match (&sample.names, claim.mark) {
                (None, _) => says(&sample.body, &form.role, &form.text),
                (Some((was, now)), _) => {
                    stretch(was, form.was.as_deref()) && stretch(now, Some(&form.text))
                }
            })
        });
    if candidates.len() < count || !sampled {
        return false;
    }
    for at in candidates.into_iter().take(count) {
        marks[at].found = true;
        marks[at].by_run = true;
    }
    true
}

/// Returns whether a line reports an entry.
fn fit(claim: &Claim, entry: &TruthEntry) -> ClaimFit {
    if claim.mark.to_string() != entry.mark {
        return ClaimFit::No;
    }
    let own = |word: &str| claim.states.iter().any(|state| state == word);
    let rest = |spared: &[&str]| -> HashSet<&str> {
        claim.states.iter().map(String::as_str).filter(|state| !spared.contains(state)).collect()
    };
    let states: HashSet<&str> = entry.states.iter().map(String::as_str).collect();
    let allowed: HashSet<&str> =
        states.iter().copied().chain(entry.may_states.iter().map(String::as_str)).collect();
    let fine = match claim.mark {
        '+' => {
            let value = claim.values.as_ref().map_or("", |(_, value)| value.as_str());
            let reported = rest(&["revealed", "focused"]);
            says(&claim.body, &entry.role, &entry.text)
                && value == entry.value.as_deref().unwrap_or_default()
                && states.is_subset(&reported)
                && reported.is_subset(&allowed)
                && (claim.inside || own("revealed") == entry.hidden)
        }
        '-' => {
            says(&claim.body, &entry.role, &entry.text)
                && own("hidden") == entry.hidden
                && rest(&["hidden"]).is_subset(&allowed)
        }
        _ => return changed(claim, entry, &states, &allowed),
    };
    if fine { ClaimFit::Whole } else { ClaimFit::No }
}

fn changed(
    claim: &Claim,
    entry: &TruthEntry,
    states: &HashSet<&str>,
    allowed: &HashSet<&str>,
) -> ClaimFit {
    let reported: HashSet<&str> = claim.states.iter().map(String::as_str).collect();
    let named = match (&claim.names, &entry.was) {
        (Some((was, now)), Some(old)) if entry.loose => {
            let same =
                |reported: &str, text: &str| squeeze(&still(reported)) == squeeze(&still(text));
            same(was, old) && same(now, &entry.text)
        }
        (Some((was, now)), Some(_)) => {
            stretch(was, entry.was.as_deref())
                && stretch(now, Some(&entry.text))
                && (entry.role.is_empty()
                    || claim.body.is_empty()
                    || claim.body.starts_with(&entry.role))
        }
        (Some(_), None) => false,
        (None, _) => says(&claim.body, &entry.role, &entry.text),
    };
    let valued = match (&claim.values, &entry.old) {
        (Some((was, now)), Some(old)) => was == old && Some(now) == entry.value.as_ref(),
        (Some(_), None) => false,
        (None, _) => true,
    };
    let moved = match (&claim.moved, &entry.into) {
        (Some(moved), Some(into)) => moved.starts_with("into") && moved.contains(into.as_str()),
        (Some(_), None) => false,
        (None, _) => true,
    };
    if !named || !valued || !moved || !reported.is_subset(allowed) {
        return ClaimFit::No;
    }
    let all = claim.names.is_some() == entry.was.is_some()
        && claim.values.is_some() == entry.old.is_some()
        && claim.moved.is_some() == entry.into.is_some()
        && states.is_subset(&reported);
    let some = claim.names.is_some()
        || claim.values.is_some()
        || claim.moved.is_some()
        || !reported.is_empty();
    if all {
        ClaimFit::Whole
    } else if some {
        ClaimFit::Partly
    } else {
        ClaimFit::No
    }
}

/// Whether a line says truly where one of a re-ordered family stands now.
fn moved_right(
    claim: &Claim,
    entry: &TruthEntry,
    from: &[String],
    to: &[String],
    moved: &mut HashSet<usize>,
) -> bool {
    let Some(place) = claim.moved.as_ref().filter(|_| claim.mark == '~' && claim.names.is_none())
    else {
        return false;
    };
    let Some(at) = to.iter().position(|text| says(&claim.body, &entry.role, text)) else {
        return false;
    };
    let right = match place.strip_prefix("behind ") {
        Some(other) => at > 0 && says(other, &entry.role, &to[at - 1]),
        None => place.starts_with("to the top") && at == 0,
    };
    let old = from.iter().position(|text| *text == to[at]);
    right && old.is_some_and(|old| moved.insert(old))
}

/// Whether what was not said to have moved keeps its order.
fn in_order(from: &[String], to: &[String], moved: &HashSet<usize>) -> bool {
    let places: Vec<usize> = to
        .iter()
        .filter_map(|text| from.iter().position(|other| other == text))
        .filter(|at| !moved.contains(at))
        .collect();
    places.is_sorted()
}

/// Whether the head of a line is this role and text: `row: 1042 Apollo (5) in table: Orders`.
fn says(body: &str, role: &str, text: &str) -> bool {
    let bare = |body: &str| {
        body.rsplit_once(" (")
            .filter(|(_, count)| count.ends_with(')'))
            .map(|(head, _)| head.to_owned())
    };
    let heads = std::iter::once(body).chain(body.match_indices(" in ").map(|(at, _)| &body[..at]));
    heads
        .into_iter()
        .any(|head| is(head, role, text) || bare(head).is_some_and(|head| is(&head, role, text)))
}

fn is(head: &str, role: &str, text: &str) -> bool {
    if text.is_empty() && head == role {
        return true;
    }
    let level = |rest: &str| {
        rest.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit())
            .strip_prefix(": ")
            .map(str::to_owned)
    };
    let named = head.strip_prefix(role).filter(|_| !role.is_empty()).and_then(level);
    let same = |reported: &str| {
        let reported = unquoted(reported)
            .filter(|(_, rest)| rest.is_empty())
            .map_or(reported.to_owned(), |(reported, _)| reported);
        match reported.strip_suffix('…') {
            Some(start) if start.chars().count() >= 20 => {
                squeeze(text).starts_with(&squeeze(start))
            }
            _ => squeeze(&reported) == squeeze(text),
        }
    };
    // A text has no role, and some roles go without saying.
    let plain = matches!(role, "" | "listitem" | "cell" | "paragraph" | "article") && same(head);
    plain || named.is_some_and(|named| same(&named))
}

/// Returns whether the reported text is this text, or a part of it that was cut.
fn stretch(reported: &str, text: Option<&str>) -> bool {
    let Some(text) = text else { return false };
    let cut = reported.trim_start_matches("… ").trim_end_matches(" …").trim_end_matches('…');
    squeeze(reported) == squeeze(text) || (cut != reported && squeeze(text).contains(&squeeze(cut)))
}

fn still(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit() && *c != ':').collect()
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests;
