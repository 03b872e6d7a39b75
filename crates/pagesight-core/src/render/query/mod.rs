//! Answers a query: ranks the units of a page (a row, a list item, a field, a card, a section) by
//! the words of the caller and gives those that match, best first. Not all words are required. If
//! no unit matches well, the answer says which words were found and gives the nearest units. Each
//! subject of a query has an answer of its own.

mod assemble;
mod owners;
mod rank;
mod subjects;
mod terms;
#[cfg(test)]
mod tests;
mod units;

use self::owners::Owners;
use self::rank::Ranking;
use self::terms::Term;
use crate::page::{NodeId, Page};
use crate::render::items::{How, Item, ItemKind, Items, More, Tally};
use crate::text::escape::{safe, value};

/// How many matches are shown of one subject, if the caller sets no limit.
pub(crate) const MOST_MATCHES: usize = 8;
/// The longest subject that a line repeats.
const SUBJECT_LIMIT: usize = 80;

/// Why the matches of a query cannot be continued after an element.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum CannotContinue {
    /// The numbers of matches of several subjects are in no common order.
    #[error("after continues the matches of one subject, and the query has several; ask for one")]
    SeveralSubjects,
    /// The element is not in a match.
    #[error("the element is not in a match of {query:?}; give the last number of the answer")]
    NotAMatch {
        /// The query.
        query: String,
    },
}

/// The matches of a query.
pub(crate) struct Matches {
    /// The lines of the page.
    items: Items,
    owners: Owners,
    /// The subjects with their matches, in the order asked; at least one.
    subjects: Vec<Subject>,
    /// How many subjects were not looked for.
    left_out: usize,
    /// How many matches the caller has seen already; only of a single subject.
    seen: usize,
}

struct Subject {
    words: String,
    terms: Vec<Term>,
    ranking: Ranking,
}

/// The lines that are printed of the matches.
pub(crate) struct QueryResult {
    pub(crate) items: Items,
    /// Lines before the items; empty if there is nothing to say.
    pub(crate) remark: String,
}

impl Matches {
    /// Finds the units that match the words of a query.
    pub(crate) fn find(page: &Page, items: Items, query: &str) -> Matches {
        let subjects::Subjects { asked, left_out } = subjects::split(page, &items, query);
        let subject = |words: String| {
            let terms = terms::parse(&words);
            let ranking = rank::rank(page, &items, &terms);
            Subject { words, terms, ranking }
        };
        let subjects = asked.into_iter().map(subject).collect();
        let owners = Owners::of(&items);
        Matches { items, owners, subjects, left_out, seen: 0 }
    }

    /// Leaves out the match that an element is in, and those before it.
    pub(crate) fn continue_after(
        &mut self,
        page: &Page,
        after: NodeId,
    ) -> Result<(), CannotContinue> {
        let [subject] = self.subjects.as_slice() else {
            return Err(CannotContinue::SeveralSubjects);
        };
        // A text has the number of its element.
        let is_after = |item: &Item| {
            let node = page.node(item.node);
            item.node == after
                || (node.is_text() && node.parent().is_some_and(|above| above.id() == after))
        };
        let mut matches = subject.ranking.picked.iter();
        let last =
            matches.position(|one| self.items[one.unit.start..one.unit.end].iter().any(is_after));
        let not_there = || CannotContinue::NotAMatch { query: safe(&subject.words, SUBJECT_LIMIT) };
        self.seen = last.filter(|_| subject.ranking.well).ok_or_else(not_there)? + 1;
        Ok(())
    }

    /// Returns how many matches of one subject can be shown.
    pub(crate) fn most(&self) -> usize {
        let counts = self.subjects.iter().map(|subject| subject.ranking.picked.len());
        counts.max().unwrap_or(0).saturating_sub(self.seen).max(1)
    }

    /// Returns how many matches of one subject are shown, if the caller sets no limit.
    pub(crate) fn usual(&self) -> usize {
        self.most().min(MOST_MATCHES + 1 - self.subjects.len())
    }

    /// Returns the lines of at most `most` matches of each subject.
    pub(crate) fn show(&self, page: &Page, most: usize) -> QueryResult {
        if let [subject] = self.subjects.as_slice() {
            let Subject { words, terms, ranking } = subject;
            let shown = self.seen..ranking.picked.len().min(self.seen + most);
            let mut items = assemble::assemble(page, &self.items, terms, ranking, shown.clone());
            self.owners.add(page, &self.items, &mut items);
            self.point_to_rest(&mut items, ranking, shown.end);
            let remark = match ranking.well {
                true => ranking.count(shown).map(|count| count + "\n").unwrap_or_default(),
                false => ranking.remark(terms, words),
            };
            return QueryResult { items, remark };
        }
        let mut out = Items::new();
        for Subject { words, terms, ranking } in &self.subjects {
            let words = value(words, SUBJECT_LIMIT);
            let shown = 0..ranking.picked.len().min(most);
            let line = match ranking.well {
                false => format!("nothing for {words}"),
                true => match ranking.count(shown.clone()) {
                    Some(count) => format!("for {words}: {count}"),
                    None => format!("for {words}:"),
                },
            };
            let end = out.len() as u32 + 1;
            out.push(Item { kind: ItemKind::Text, body: line, end, ..Item::blank(NodeId::ROOT) });
            if ranking.well {
                let base = out.len() as u32;
                let items = assemble::assemble(page, &self.items, terms, ranking, shown);
                out.extend(items.into_iter().map(|item| Item { end: item.end + base, ..item }));
            }
        }
        self.owners.add(page, &self.items, &mut out);
        let remark = match self.left_out {
            0 => String::new(),
            1 => "1 more subject was not looked for\n".to_owned(),
            more => format!("{more} more subjects were not looked for\n"),
        };
        QueryResult { items: out, remark }
    }

    /// Adds a line that says how to see the matches after those shown.
    fn point_to_rest(&self, items: &mut Items, ranking: &Ranking, end: usize) {
        let more = ranking.picked.len() - end;
        let Some(last) = ranking.picked[..end].last().filter(|_| more > 0 && ranking.well) else {
            return;
        };
        let unit = &self.items[last.unit.start..last.unit.end];
        let is_line = |item: &&mut Item| item.kind != ItemKind::Soft && item.kind != ItemKind::Note;
        let is_of_unit = |item: &&mut Item| unit.iter().any(|other| other.node == item.node);
        let mut lines: Vec<&mut Item> =
            items.iter_mut().filter(is_line).filter(is_of_unit).collect();
        let at = lines.iter().position(|item| item.numbered).unwrap_or(0);
        let Some(line) = lines.get_mut(at) else { return };
        line.numbered = true;
        let how = How::SameQueryAfter(line.node);
        let what = format!("{more} more {}", if more == 1 { "match" } else { "matches" });
        let more = Some(Box::new(More { what, inside: None, how, tally: Tally::default() }));
        let end = items.len() as u32 + 1;
        items.push(Item { kind: ItemKind::Note, more, end, ..Item::blank(NodeId::ROOT) });
    }
}
