//! Finds regions that are shown once, as they are now, because dozens of single changes say less:
//! regions that were re-rendered, such as a calendar that shows the next month (most of their lines
//! changed or have new numbers), and regions that were empty and now hold things of several kinds.

use std::collections::HashSet;
use std::ops::Range;

use super::lines::{LineKind, Lines};
use super::model::{Detail, LineChange, LineFate};
use super::result::Diff;
use crate::page::NodeId;
use crate::page::role::Role;

/// The fewest lines that a re-rendered region has, and had before.
const FEWEST_LINES: usize = 8;
const FEWEST_LINES_BEFORE: usize = 4;
/// The most lines that a filled region had before, and the fewest that it has after.
const EMPTY_LINES: usize = 1;
const FILLED_LINES: usize = 6;

/// A region that is shown as it is now.
pub(super) struct RerenderedRegion<'d> {
    /// Its line in the new page.
    pub(super) line: usize,
    /// Whether it was empty before.
    pub(super) filled: bool,
    /// The changes in it.
    pub(super) changes: Vec<&'d LineChange>,
}

/// Returns the regions that are shown as they are now, in the order of the page. `renumbered` are
/// the elements of the new page that replaced numbered ones.
pub(super) fn rerendered<'d>(
    diff: &'d Diff<'_>,
    renumbered: &HashSet<NodeId>,
) -> Vec<RerenderedRegion<'d>> {
    let new = &diff.new;
    if diff.changes.len() + renumbered.len() < FEWEST_LINES / 2 {
        return Vec::new();
    }
    let mut sums = ChangedLines::new(diff, renumbered);
    sums.accumulate();
    let before = LinesBefore::new(diff);
    let is_filled = |line: usize| {
        let empty = before.of(line).is_some_and(|lines| lines.len() <= EMPTY_LINES);
        let (changed, lines) = ChangedLines::below(&sums.new, new, line);
        let mut roles = new.children(Some(line)).map(|child| new.item(child).role);
        let first = roles.next();
        empty
            && lines >= FILLED_LINES
            && changed * 2 > lines
            && roles.any(|role| Some(role) != first)
    };
    let is_rerendered = |line: usize| {
        let (changed, lines) = ChangedLines::below(&sums.new, new, line);
        let most = |changed: usize, lines: usize, fewest| lines >= fewest && changed * 2 > lines;
        let Some(was) = before.of(line).filter(|_| changed * 2 > lines) else { return false };
        let lost = |sums: &[usize]| sums[was.end] - sums[was.start];
        // New numbers alone are a reason only in a large region.
        let before = most(lost(&sums.old), was.len(), FEWEST_LINES)
            || most(lost(&sums.old_content), was.len(), FEWEST_LINES_BEFORE);
        (most(changed, lines, FEWEST_LINES) && before) || is_filled(line)
    };
    let mut regions = Vec::new();
    let mut at = 0;
    while at < new.lines.len() {
        if !is_rerendered(at) {
            at += 1;
            continue;
        }
        let end = new.lines[at].end;
        let line = innermost(&sums.new, new, at, &is_rerendered);
        let was = before.of(line).unwrap_or_default();
        let within = |change: &&LineChange| match (change.new, change.old) {
            (Some(inner), _) => (line + 1..new.lines[line].end).contains(&inner),
            (None, Some(inner)) => was.contains(&inner),
            (None, None) => false,
        };
        let changes = diff.changes.iter().filter(within).filter(|change| !is_message(diff, change));
        let filled = is_filled(line);
        regions.push(RerenderedRegion { line, filled, changes: changes.collect() });
        at = end;
    }
    regions
}

/// The old lines of regions of the new page.
struct LinesBefore<'d, 'p> {
    diff: &'d Diff<'p>,
    /// The lines of the new page that appeared with all that is in them.
    whole: HashSet<usize>,
    /// The nodes of the lines of the old page; empty if they are not in the order of the page.
    nodes: Vec<usize>,
}

impl<'d, 'p> LinesBefore<'d, 'p> {
    fn new(diff: &'d Diff<'p>) -> LinesBefore<'d, 'p> {
        let came = diff.changes.iter().filter(|change| change.fate != LineFate::Changed);
        let mut nodes: Vec<usize> = diff.old.lines.iter().map(|line| line.node.index()).collect();
        if !nodes.is_sorted() {
            nodes.clear();
        }
        LinesBefore { diff, whole: came.filter_map(|change| change.new).collect(), nodes }
    }

    /// Returns the lines of the old page that were in a region, whether it was the same element,
    /// one that was re-rendered, or an element that had no line then.
    fn of(&self, line: usize) -> Option<Range<usize>> {
        let (old, new) = (&self.diff.old, &self.diff.new);
        if new.sort(line) != LineKind::Element {
            return None;
        }
        if let Some(partner) = self.diff.partners[line] {
            return Some(partner + 1..old.lines[partner].end);
        }
        if self.whole.contains(&line) || self.nodes.len() != old.lines.len() {
            return None;
        }
        let was = old.find(new.element(new.lines[line].node))?;
        let place = |node: usize| self.nodes.partition_point(|other| *other < node);
        Some(place(was.id().index() + 1)..place(was.end()))
    }
}

/// Descends to the smallest region that contains nearly all of the changes.
fn innermost(
    sums: &[usize],
    new: &Lines<'_>,
    mut line: usize,
    is_rerendered: &impl Fn(usize) -> bool,
) -> usize {
    loop {
        let (changed, _) = ChangedLines::below(sums, new, line);
        let inner = new.children(Some(line)).find(|child| {
            let (inside, _) = ChangedLines::below(sums, new, *child);
            inside * 10 >= changed * 9 && is_rerendered(*child)
        });
        match inner {
            Some(child) => line = child,
            None => return line,
        }
    }
}

/// Whether a change is a message to the user, which is always listed alone.
fn is_message(diff: &Diff<'_>, change: &LineChange) -> bool {
    let role = match (change.new, change.old) {
        (Some(line), _) => diff.new.item(line).role,
        (None, Some(line)) => diff.old.item(line).role,
        (None, None) => return false,
    };
    matches!(role, Role::Dialog | Role::AlertDialog | Role::Alert | Role::Status | Role::Log)
}

/// How many lines before each line have a different content than in the other page.
struct ChangedLines {
    old: Vec<usize>,
    /// The same, without elements that only have new numbers.
    old_content: Vec<usize>,
    new: Vec<usize>,
}

impl ChangedLines {
    fn new(diff: &Diff<'_>, renumbered: &HashSet<NodeId>) -> ChangedLines {
        let (old, new) = (&diff.old, &diff.new);
        let mut lines = ChangedLines {
            old: vec![0; old.lines.len() + 1],
            old_content: Vec::new(),
            new: vec![0; new.lines.len() + 1],
        };
        for change in &diff.changes {
            let whole = change.fate != LineFate::Changed;
            let content = |detail: &Detail| matches!(detail, Detail::Name(..) | Detail::Role(..));
            // A row that is still the same row says more with its text before.
            let is_row = change.new.is_some_and(|line| {
                matches!(new.item(line).role, Role::Row | Role::ListItem | Role::Article)
            });
            if !whole && (is_row || !change.details.iter().any(content)) {
                continue;
            }
            for (side, lines, at) in
                [(&mut lines.old, &old.lines, change.old), (&mut lines.new, &new.lines, change.new)]
            {
                let Some(at) = at else { continue };
                let end = if whole { lines[at].end } else { at + 1 };
                // The count of a line is stored one place further, for the sums.
                side[at + 1..=end].fill(1);
            }
        }
        lines.old_content = lines.old.clone();
        if !renumbered.is_empty() {
            let was: HashSet<NodeId> = diff
                .replaced
                .iter()
                .filter(|(_, now)| renumbered.contains(now))
                .map(|(was, _)| *was)
                .collect();
            for (side, all, nodes) in
                [(&mut lines.old, &old.lines, &was), (&mut lines.new, &new.lines, renumbered)]
            {
                for (at, line) in all.iter().enumerate() {
                    side[at + 1] |= usize::from(nodes.contains(&line.node));
                }
            }
        }
        lines
    }

    fn accumulate(&mut self) {
        for side in [&mut self.old, &mut self.old_content, &mut self.new] {
            for at in 1..side.len() {
                side[at] += side[at - 1];
            }
        }
    }

    /// Returns how many lines below a line changed, and how many there are.
    fn below(sums: &[usize], lines: &Lines<'_>, line: usize) -> (usize, usize) {
        let end = lines.lines[line].end;
        (sums[end] - sums[line + 1], end - line - 1)
    }
}

/// Returns the changes that regions show.
pub(super) fn shown_by(regions: &[RerenderedRegion<'_>]) -> HashSet<*const LineChange> {
    regions
        .iter()
        .flat_map(|region| region.changes.iter().map(|change| std::ptr::from_ref(*change)))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::diff::diff;
    use crate::diff::tests::{Local, printed};
    use crate::hint::Wording;
    use crate::page::test_page::page;

    /// A calendar whose first day has this id; the days are new elements each month.
    fn calendar(month: &str, first: u32, message: &str) -> String {
        let day =
            |day: u32| format!("      button button \"{month} {day}\" @{} usable\n", first + day);
        let days: String = (1..=28).map(day).collect();
        format!(
            "main main @2\n  h1 heading \"Book\" @3 block level=1\n  button button \"Next\" @4 usable\n{message}  div grid \"Days\" @5 block\n    div group @6 block\n{days}"
        )
    }

    #[test]
    fn a_calendar_shows_the_next_month_once() {
        let message = "  div status @90 block\n    'June is cheap'\n";
        let (before, after) =
            (page(&calendar("May", 100, "")), page(&calendar("June", 200, message)));
        let printed = printed(&diff(&before, &after), 1_000);
        let lines: Vec<&str> = printed.lines().collect();
        assert!(lines[1].starts_with("+ [90] status: June is cheap"), "{printed}");
        assert!(
            lines[2].starts_with("~ [5] grid: Days") && lines[2].ends_with(" — re-rendered"),
            "{printed}"
        );
        assert!(printed.contains("[201] button: June 1\n"), "{printed}");
        assert!(!printed.contains("May") && !printed.contains("\n- "), "{printed}");
    }

    /// Regression test: days whose numbers were taken over were listed as new and as gone, because
    /// they stood in a different week.
    #[test]
    fn days_that_stand_in_a_different_week_are_the_same_days() {
        let month = |name: &str, length: u32, skipped: u32, first: u32| {
            let day = |day: u32| match day {
                day if day <= skipped || day > skipped + length => String::new(),
                day => format!(
                    "      button button \"{}\" @{} usable\n",
                    day - skipped,
                    first + day - skipped
                ),
            };
            let week = |week: u32| {
                let days: String = (week * 7 + 1..=week * 7 + 7).map(day).collect();
                format!("    tr row @{} block\n{days}", first + 50 + week)
            };
            let weeks: String = (0..5).map(week).collect();
            page(&format!(
                "section region \"Check-up\" @2 block\n  strong @4\n    '{name}'\n  table grid @3 block\n{weeks}"
            ))
        };
        let (before, after) = (month("May", 30, 3, 100), month("June", 31, 1, 200));
        // No number was lost.
        let text =
            diff(&before, &after).render(1_000, Wording::PLAIN, &mut Local(&after), &|_| None);
        assert_eq!(
            text,
            "changes (1 element more):\n+ [231] button: 31\n~ [4] \"May\" → \"June\"\n"
        );
    }

    #[test]
    fn the_next_page_of_a_table_is_shown_once() {
        let rows = |ids: std::ops::Range<u32>| -> String {
            let row = |id| {
                format!("    tr row @{id}0 block\n      td cell @{id}1\n        'Order {id}'\n")
            };
            format!(
                "main main @2\n  table table \"Orders\" @8 block\n{}",
                ids.map(row).collect::<String>()
            )
        };
        let (before, after) = (page(&rows(10..18)), page(&rows(20..28)));
        let text = printed(&diff(&before, &after), 1_000);
        assert!(
            text.contains("~ [8] table: Orders (8 rows) — re-rendered\n    row: Order 20\n"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 10, "{text}");
        // Rows that are only added, or only removed, are counted.
        let more = printed(&diff(&before, &page(&rows(10..40))), 1_000);
        assert!(more.contains("+ 22 rows in [8] table: Orders, first "), "{more}");
        let fewer = printed(&diff(&page(&rows(10..40)), &before), 1_000);
        assert!(fewer.contains("- 22 rows in [8] table: Orders, first "), "{fewer}");
    }

    #[test]
    fn rows_that_change_but_stay_are_not_re_rendered() {
        let rows = |price: u32| -> String {
            let row = |id: u32| {
                format!(
                    "    tr row @{id}0 block\n      td cell @{id}1\n        'Order {id}'\n      td cell @{id}2\n        'costs {}'\n",
                    id * price
                )
            };
            format!(
                "main main @2\n  table table \"Orders\" @8 block\n{}",
                (10..40).map(row).collect::<String>()
            )
        };
        let text = printed(&diff(&page(&rows(3)), &page(&rows(5))), 1_000);
        assert!(text.contains("~ 30 rows in [8] table: Orders, first "), "{text}");
    }

    #[test]
    fn a_calendar_with_the_same_days_is_shown_because_of_its_new_numbers() {
        let month = |name: &str, first: u32| {
            let week = |week: u32| {
                let day = |day: u32| format!("      a link \"{day}\" @{} usable\n", first + day);
                let days: String = (week * 7 + 1..=week * 7 + 7).map(day).collect();
                format!("    div row @{} block\n{days}", first + 50 + week)
            };
            let weeks: String = (0..4).map(week).collect();
            format!(
                "main main @2\n  h2 heading \"{name}\" @3 block level=2\n  div grid \"Days\" @5 block\n{weeks}    a link \"{name} {first}\" @{first} usable\n"
            )
        };
        let (before, after) = (page(&month("May", 100)), page(&month("June", 200)));
        let text = printed(&diff(&before, &after), 1_000);
        assert!(text.contains("grid: Days") && text.contains(" — re-rendered\n"), "{text}");
        assert!(text.contains("[216] link: 16\n") && !text.contains("are now"), "{text}");
    }

    /// Regression test: the table of a date picker is a new element each month, and most of its
    /// days keep their place. Single days were listed, and the others as ranges of numbers.
    #[test]
    fn a_calendar_whose_table_is_replaced_is_shown_too() {
        let month = |name: &str, table: u32, skipped: u32| {
            let day = |day: u32| match day {
                day if day <= skipped => String::new(),
                day => format!("      a link \"{}\" @{} usable\n", day - skipped, table + day),
            };
            let week = |week: u32| {
                let days: String = (week * 7 + 1..=week * 7 + 7).map(day).collect();
                format!("    tr row @{} block\n{days}", table + 50 + week)
            };
            let weeks: String = (0..5).map(week).collect();
            format!(
                "input textbox \"Date\" @3 usable\ndiv @4\n  a clickable \"Prev\" @{} usable\n  span\n    '{name}'\n  table table @{table} block\n{weeks}",
                table + 90
            )
        };
        let text =
            printed(&diff(&page(&month("May", 100, 4)), &page(&month("June", 200, 2))), 1_000);
        assert!(text.contains("] table (5 rows) — re-rendered\n"), "{text}");
        assert!(text.contains("[210] link: 8\n"), "{text}");
        assert!(!text.contains("to [") && !text.contains("\n- "), "{text}");
    }

    /// Regression test: an element that has a line only since it can be scrolled was not taken for
    /// a region, so its texts and its buttons were counted separately.
    #[test]
    fn a_region_that_had_no_line_before_is_shown_too() {
        let post = |n: u32| {
            let button = |m: u32| format!("      span clickable @{n}{m} usable\n");
            let buttons: String = (2..6).map(button).collect();
            format!("    div @{n}0 block\n      p @{n}1 block\n        'Post {n}'\n{buttons}")
        };
        let posts: String = (10..19).map(post).collect();
        let after = page(&format!("main main @2\n  div @3 block scrolls\n{posts}"));
        for before in [
            "",
            "    p @5 block\n      'One'\n    p @6 block\n      'Two'\n    p @7 block\n      'Three'\n    button button \"Search\" @8 usable\n",
        ] {
            let before = page(&format!("main main @2\n  div @3 block\n{before}"));
            let text = printed(&diff(&before, &after), 1_000);
            assert!(text.contains("scrollable"), "{text}");
            assert!(text.contains("    Post 11\n"), "{text}");
            assert!(!text.contains(" in [3]") && !text.contains("Three"), "{text}");
        }
    }

    #[test]
    fn what_fills_an_empty_region_is_shown_in_order() {
        let flight = |n: u32| {
            format!(
                "    p @{n}1 block\n      'Flight {n}'\n    button button \"Book {n}\" @{n}2 usable\n"
            )
        };
        let flights: String = (1..=9).map(flight).collect();
        let before = page("main main @2\n  div region \"Results\" @3 block\n");
        let after = page(&format!("main main @2\n  div region \"Results\" @3 block\n{flights}"));
        let text = printed(&diff(&before, &after), 1_000);
        assert!(text.contains("region: Results — filled\n"), "{text}");
        assert!(text.contains("Flight 2\n    [22] button: Book 2\n"), "{text}");
    }
}
