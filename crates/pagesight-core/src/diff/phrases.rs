//! Writes one change, or a run of changes of the same kind, as one line. The line is complete: a
//! reader who does not remember the page can understand it.

use std::collections::HashMap;

use crate::diff::lines::{LineKind, Lines};
use crate::diff::model::{Detail, LineChange, LineFate};
use crate::diff::moves::Move;
use crate::diff::regions::RerenderedRegion;
use crate::diff::result::Diff;
use crate::diff::text_change::contrast;
use crate::hint::Wording;
use crate::page::role::Role;
use crate::page::{DRAWN, NodeId};
use crate::render::{ItemKind, Numbers, head, section};
use crate::text::escape::{safe, value};

/// The longest name of something around a change.
const AROUND_LIMIT: usize = 60;
/// The longest printed value; of a changed one before and after the change. What a field shows now
/// is often the result that the caller waits for.
const VALUE_LIMIT: usize = 80;
const NEW_VALUE_LIMIT: usize = 240;

/// How many minor changes are named.
const MINOR_NAMED: usize = 4;

/// One or several changes that become a line of the diff.
pub(super) enum DiffEntry<'d> {
    One(&'d LineChange),
    /// Many of the same kind below the same line.
    Run(Vec<&'d LineChange>),
    /// A region that is shown as it is now.
    Region(RerenderedRegion<'d>),
    /// Changes that rarely matter.
    Minor(Vec<&'d LineChange>),
}

impl DiffEntry<'_> {
    pub(super) fn first(&self) -> &LineChange {
        match self {
            DiffEntry::One(change) => change,
            DiffEntry::Run(changes) | DiffEntry::Minor(changes) => changes[0],
            DiffEntry::Region(region) => region.changes[0],
        }
    }

    /// Whether it shows something that was not there before.
    pub(super) fn adds(&self) -> bool {
        match self {
            DiffEntry::Region(region) => region.filled,
            DiffEntry::Minor(_) => false,
            DiffEntry::One(_) | DiffEntry::Run(_) => {
                matches!(self.first().fate, LineFate::Appeared | LineFate::Revealed)
            }
        }
    }

    pub(super) fn count(&self) -> usize {
        match self {
            DiffEntry::One(_) => 1,
            DiffEntry::Run(changes) | DiffEntry::Minor(changes) => changes.len(),
            DiffEntry::Region(region) => region.changes.len(),
        }
    }
}

/// The numbers of both pages: those of the new page are assigned while the diff is printed, those
/// of the old page were assigned before.
pub(super) struct DiffNumbers<'n> {
    pub(super) now: &'n mut dyn Numbers,
    pub(super) was: &'n dyn Fn(NodeId) -> Option<u32>,
}

impl DiffNumbers<'_> {
    fn now(&mut self, lines: &Lines<'_>, line: usize) -> String {
        format!("[{}] ", self.now.number(lines.lines[line].node))
    }

    fn was(&self, lines: &Lines<'_>, line: usize) -> String {
        (self.was)(lines.element_of(line).id())
            .map_or(String::new(), |number| format!("[{number}] "))
    }
}

/// Writes changes as words.
pub(super) struct Phrases<'d, 'p> {
    diff: &'d Diff<'p>,
    wording: Wording,
    /// How many lines of the page after have this role and name.
    twins: HashMap<(Role, &'d str), u32>,
}

impl<'d, 'p> Phrases<'d, 'p> {
    pub(super) fn new(diff: &'d Diff<'p>, wording: Wording) -> Phrases<'d, 'p> {
        let mut twins = HashMap::new();
        for at in 0..diff.new.lines.len() {
            *twins
                .entry((diff.new.item(at).role, diff.new.lines[at].name.as_str()))
                .or_default() += 1;
        }
        Phrases { diff, wording, twins }
    }

    /// Returns the lines of an entry. A new element is printed with its content, up to `room`
    /// tokens.
    pub(super) fn entry(
        &self,
        entry: &DiffEntry<'_>,
        room: usize,
        numbers: &mut DiffNumbers<'_>,
    ) -> String {
        let change = entry.first();
        match (entry, change.new, change.old) {
            (DiffEntry::Run(changes), ..) => self.run(changes, numbers),
            (DiffEntry::Region(region), ..) => {
                let what = if region.filled { "filled" } else { "re-rendered" };
                let line = self.line(region.line, numbers);
                format!("~ {line} — {what}\n{}", self.below(region.line, room, numbers))
            }
            (DiffEntry::Minor(changes), ..) => format!("~ {}\n", self.minor(changes, numbers)),
            (DiffEntry::One(_), Some(line), _)
                if matches!(change.fate, LineFate::Appeared | LineFate::Revealed) =>
            {
                let mut text = format!("+ {}", self.line(line, numbers));
                let states = &self.diff.new.item(line).states;
                let states = states
                    .iter()
                    .map(String::as_str)
                    .chain((change.fate == LineFate::Revealed).then_some("revealed"));
                text.push_str(&after_dash(states.map(str::to_owned)));
                text.push('\n');
                text.push_str(&self.below(line, room, numbers));
                text
            }
            (DiffEntry::One(_), Some(line), _) => {
                format!("~ {}\n", self.changed(change, line, numbers))
            }
            (DiffEntry::One(_), None, Some(line)) => {
                let (old, hidden) = (&self.diff.old, change.fate == LineFate::Hidden);
                let words = format!("{}{}", numbers.was(old, line), old.item(line).body);
                match change.fate {
                    LineFate::Changed => {
                        format!("~ {words}{}\n", after_dash(self.detail_words(change, numbers)))
                    }
                    _ => format!("- {words}{}\n", if hidden { " — hidden" } else { "" }),
                }
            }
            (DiffEntry::One(_), None, None) => String::new(),
        }
    }

    /// Returns the lines below a line of the new page, in at most `room` tokens.
    fn below(&self, line: usize, room: usize, numbers: &mut DiffNumbers<'_>) -> String {
        let new = &self.diff.new;
        if room == 0 || new.lines[line].end == line + 1 {
            return String::new();
        }
        section(new.page, &new.items, new.lines[line].item, room, self.wording, numbers.now)
    }

    /// Returns several changes in one line.
    fn minor(&self, changes: &[&LineChange], numbers: &mut DiffNumbers<'_>) -> String {
        let named: Vec<String> =
            changes.iter().take(MINOR_NAMED).map(|change| self.short(change, numbers)).collect();
        let more = match changes.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}{more}", named.join("; "))
    }

    /// Returns a change in short form, for background changes.
    pub(super) fn short(&self, change: &LineChange, numbers: &mut DiffNumbers<'_>) -> String {
        match (change.new, change.old) {
            (Some(line), _) if change.fate == LineFate::Changed => {
                self.changed(change, line, numbers)
            }
            (Some(line), _) => self.line(line, numbers),
            (None, Some(line)) => {
                format!("{}{}", numbers.was(&self.diff.old, line), self.diff.old.item(line).body)
            }
            (None, None) => String::new(),
        }
    }

    /// Returns a line of the new page without its states: `[91] row: 1042 Apollo (5)`.
    fn line(&self, line: usize, numbers: &mut DiffNumbers<'_>) -> String {
        let new = &self.diff.new;
        let item = new.item(line);
        let mut text =
            format!("{}{}{}{}", numbers.now(new, line), item.body, item.count, item.value);
        let role = item.role;
        if matches!(role, Role::Row | Role::ListItem | Role::Option) || self.is_ambiguous(line) {
            text.push_str(&self.around(line));
        }
        text
    }

    fn is_ambiguous(&self, line: usize) -> bool {
        let new = &self.diff.new;
        self.twins
            .get(&(new.item(line).role, new.lines[line].name.as_str()))
            .is_some_and(|count| *count > 1)
    }

    /// Returns the nearest line around it that has a name and is not new itself:
    /// ` in row: 1042 Apollo`.
    fn around(&self, line: usize) -> String {
        let new = &self.diff.new;
        let named = new
            .ancestors(line)
            .find(|at| !new.lines[*at].name.is_empty() && new.item(*at).role != Role::Main);
        named.map_or(String::new(), |at| {
            let item = new.item(at);
            let word = if item.role == Role::None {
                String::new()
            } else {
                format!("{}: ", item.role.as_str())
            };
            format!(" in {word}{}", safe(&new.lines[at].name, AROUND_LIMIT))
        })
    }

    /// Returns the line of a change: `[14] button: Save — now disabled`.
    fn changed(&self, change: &LineChange, line: usize, numbers: &mut DiffNumbers<'_>) -> String {
        let new = &self.diff.new;
        let node = new.node(line);
        let number = numbers.now(new, line);
        let renamed = change.details.iter().find_map(|detail| match detail {
            Detail::Name(was, now) => Some(contrast(was, now)),
            _ => None,
        });
        let item = new.item(line);
        let mut text = match (new.sort(line), renamed) {
            (LineKind::Text, Some(names)) => names,
            (LineKind::Options, Some(names)) => format!("options: {names}"),
            (_, None) => item.body.clone(),
            (LineKind::Element, Some(names)) if item.body.starts_with("columns: ") => {
                format!("columns: {names}")
            }
            (LineKind::Element, Some(names)) => {
                let plain =
                    item.kind == ItemKind::Text && matches!(item.role, Role::None | Role::ListItem);
                let word = if item.role == Role::None && item.kind != ItemKind::Usable {
                    node.tag().to_owned()
                } else {
                    head(item.role, node.level(), "")
                };
                if plain { names } else { format!("{word}: {names}") }
            }
        };
        for detail in &change.details {
            if let Detail::Value(was, now) = detail {
                let quoted = |text: &Option<String>, limit| {
                    value(text.as_deref().unwrap_or_default(), limit)
                };
                let (was, now) = (quoted(was, VALUE_LIMIT), quoted(now, NEW_VALUE_LIMIT));
                text.push_str(&format!(" = {was} → {now}"));
            }
        }
        text.push_str(&after_dash(self.detail_words(change, numbers)));
        if self.is_ambiguous(line) && new.sort(line) != LineKind::Text {
            text.push_str(&self.around(line));
        }
        format!("{number}{text}")
    }

    /// Returns the words after the dash.
    fn detail_words(&self, change: &LineChange, numbers: &mut DiffNumbers<'_>) -> Vec<String> {
        let came = |word: &str| {
            change.details.contains(&Detail::State(
                match word {
                    "expanded" => "collapsed",
                    "collapsed" => "expanded",
                    "checked" => "mixed",
                    _ => "checked",
                },
                true,
            ))
        };
        let mut words = Vec::new();
        for detail in &change.details {
            words.extend(match detail {
                Detail::Name(..) | Detail::Value(..) => None,
                Detail::Role(was, _) if was.is_empty() => None,
                Detail::Role(was, _) => Some(format!("was {was}")),
                Detail::Icon(was) => Some(format!("was ({was})")),
                Detail::State(word, true) => Some(format!("now {word}")),
                // The opposite state is printed instead.
                Detail::State(word @ ("expanded" | "collapsed" | "mixed" | "checked"), false)
                    if came(word) =>
                {
                    None
                }
                Detail::State("disabled", false) => Some("now enabled".to_owned()),
                Detail::State("checked", false) => Some("now unchecked".to_owned()),
                Detail::State("invalid", false) => Some("now valid".to_owned()),
                Detail::State("readonly", false) => Some("now editable".to_owned()),
                Detail::State(word, false) => Some(format!("no longer {word}")),
                Detail::Usable(true) => Some("now usable".to_owned()),
                Detail::Usable(false) => Some("no longer usable".to_owned()),
                Detail::Focus(true) => Some("now focused".to_owned()),
                Detail::Focus(false) => Some("no longer focused".to_owned()),
                Detail::Attribute("href", _, now) => {
                    Some(format!("now leads to {}", safe(now, VALUE_LIMIT)))
                }
                Detail::Attribute("src", _, now) => {
                    Some(format!("a different picture {}", safe(now, VALUE_LIMIT)))
                }
                Detail::Attribute(DRAWN, ..) => Some("redrawn".to_owned()),
                Detail::Attribute(name, was, now) => Some(format!("{name} {}", contrast(was, now))),
                Detail::Moved(to) => Some(self.moved(change, *to, numbers)),
            });
        }
        words
    }

    /// Returns where a moved line is now.
    fn moved(&self, change: &LineChange, to: Move, numbers: &mut DiffNumbers<'_>) -> String {
        let new = &self.diff.new;
        let Some(line) = change.new else { return "moved".to_owned() };
        let mut place = |at: usize| {
            format!("{}{}", numbers.now(new, at), safe(&new.item(at).body, AROUND_LIMIT))
        };
        let parent = new.lines[line].parent;
        let sibling = new.in_front(line).next();
        match (to, sibling, parent) {
            (Move::Within, Some(sibling), _) => format!("moved behind {}", place(sibling)),
            (Move::Within, None, Some(parent)) => format!("moved to the top of {}", place(parent)),
            (Move::Elsewhere, _, Some(parent)) => format!("moved into {}", place(parent)),
            _ => "moved".to_owned(),
        }
    }

    /// Returns the line of a run: `+ 20 rows in [88] table: Orders, first [91] row: 1042 Apollo`.
    fn run(&self, changes: &[&LineChange], numbers: &mut DiffNumbers<'_>) -> String {
        let first = changes[0];
        let gone = first.new.is_none();
        let lines = if gone { &self.diff.old } else { &self.diff.new };
        let Some(line) = first.new.or(first.old) else { return String::new() };
        let noun = lines.item(line).role.plural();
        let holder = lines.lines[line].parent.filter(|at| lines.item(*at).role != Role::Main);
        // A container that disappeared as well has no number any more.
        let inside = holder.map_or(String::new(), |at| {
            let number = if gone { numbers.was(lines, at) } else { numbers.now(lines, at) };
            format!(" in {number}{}", lines.item(at).body)
        });
        let mark = match first.fate {
            LineFate::Appeared | LineFate::Revealed => '+',
            LineFate::Disappeared | LineFate::Hidden => '-',
            LineFate::Changed => '~',
        };
        let count = changes.len();
        let sample = if gone {
            format!("{}{}", numbers.was(lines, line), lines.item(line).body)
        } else {
            format!("{}{}", numbers.now(lines, line), lines.item(line).body)
        };
        let text = match first.details.first() {
            None => {
                let hidden = match first.fate {
                    LineFate::Revealed => " — revealed",
                    LineFate::Hidden => " — hidden",
                    _ => "",
                };
                format!("{count} {noun}{inside}, first {sample}{hidden}")
            }
            Some(Detail::Moved(_)) => {
                // Column headers come before the rows.
                let new = &self.diff.new;
                let top = new.children(holder).find(|at| new.item(*at).role == new.item(line).role);
                let top = top.unwrap_or(line);
                let top =
                    format!("{}{}", numbers.now(&self.diff.new, top), self.diff.new.item(top).body);
                format!("{count} {noun}{inside} — re-ordered, first now {top}")
            }
            Some(Detail::Name(..) | Detail::Value(..) | Detail::Attribute(..)) => {
                format!("{count} {noun}{inside}, first {}", self.short(first, numbers))
            }
            Some(_) => {
                format!(
                    "{count} {noun}{inside}{}, first {sample}",
                    after_dash(self.detail_words(first, numbers))
                )
            }
        };
        format!("{mark} {text}\n")
    }
}

fn after_dash(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().collect();
    if words.is_empty() { String::new() } else { format!(" — {}", words.join(", ")) }
}
