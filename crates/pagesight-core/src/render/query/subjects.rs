//! Splits a query into its subjects: `Name, Other permissions and Create` asks for three. What a
//! name or a text of the page contains as written is one subject, and so is quoted text. A whole
//! name of the page is not split, also if the query says more of it: `Amount Smith, Ann`.

use super::terms::{each_word, says_little};
use crate::page::{Node, Page};
use crate::render::items::{Item, ItemKind};
use crate::text::escape::clean;

/// How many subjects of one query are answered.
const MOST_SUBJECTS: usize = 5;

/// The subjects of a query.
#[derive(Debug, PartialEq)]
pub(super) struct Subjects {
    /// The subjects in the order asked; at least one.
    pub(super) asked: Vec<String>,
    /// How many more were asked for.
    pub(super) left_out: usize,
}

/// Splits a query.
pub(super) fn split(page: &Page, items: &[Item], query: &str) -> Subjects {
    let pieces = pieces(query);
    let texts = if pieces.len() > 1 { all_texts(page, items) } else { Vec::new() };
    let names = if pieces.len() > 1 { names_within(page, &texts, query) } else { Vec::new() };
    let mut asked: Vec<String> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        // The longest run of pieces that the page contains as written is one subject.
        let one = |end: &usize| {
            let run = Run { query, pieces: &pieces[at..*end] };
            let quoted = run.pieces.iter().any(|piece| piece.quoted);
            !quoted && (run.is_written(&texts) || run.is_around(&names))
        };
        let end = (at + 2..=pieces.len()).rev().find(one).unwrap_or(at + 1);
        let subject = clean(&query[pieces[at].start..pieces[end - 1].end].replace(QUOTES, " "));
        let known = asked.iter().any(|other| other.to_lowercase() == subject.to_lowercase());
        if has_words(&subject) && !known {
            asked.push(subject);
        }
        at = end;
    }
    if asked.is_empty() {
        asked.push(query.to_owned());
    }
    let left_out = asked.len().saturating_sub(MOST_SUBJECTS);
    asked.truncate(MOST_SUBJECTS);
    Subjects { asked, left_out }
}

const QUOTES: [char; 3] = ['"', '“', '”'];

/// A part of a query between separators, as a range of bytes.
#[derive(Debug)]
struct Piece {
    start: usize,
    end: usize,
    /// Whether it is nothing but a quoted text.
    quoted: bool,
}

/// Cuts a query at its separators. Quotes protect what is between them.
fn pieces(query: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut add = |start: usize, end: usize, quoted: bool| {
        let text = &query[start..end];
        let start = start + (text.len() - text.trim_start().len());
        let end = start + text.trim().len();
        if start < end {
            out.push(Piece { start, end, quoted });
        }
    };
    let (mut start, mut at) = (0, 0);
    while let Some(character) = query[at..].chars().next() {
        let next = at + character.len_utf8();
        let close = QUOTES.contains(&character).then(|| query[next..].find(QUOTES)).flatten();
        if let Some(inside) = close {
            let end =
                next + inside + query[next + inside..].chars().next().map_or(0, char::len_utf8);
            // A quoted text alone is a subject, also if no separator follows.
            if query[start..at].trim().is_empty() && ends_piece(&query[end..]) {
                add(at, end, true);
                start = end;
            }
            at = end;
        } else if let Some(length) = separator(query, at) {
            add(start, at, false);
            at += length;
            start = at;
        } else {
            at = next;
        }
    }
    add(start, query.len(), false);
    out
}

/// Whether nothing, a separator or a quoted text follows.
fn ends_piece(rest: &str) -> bool {
    let next = rest.trim_start();
    next.is_empty()
        || next.starts_with(QUOTES)
        || separator(rest, 0).is_some()
        || separator(next, 0).is_some()
}

/// Returns the length of the separator at a place. A comma between digits is part of a number.
fn separator(query: &str, at: usize) -> Option<usize> {
    let rest = &query[at..];
    let digit =
        |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
    match rest.chars().next()? {
        ',' if digit(query[..at].chars().next_back()) && digit(rest[1..].chars().next()) => None,
        // As in "Name, Email, and Create".
        ';' | ',' if rest[1..].starts_with(char::is_whitespace) => {
            Some(1 + separator(query, at + 1).unwrap_or(0))
        }
        ';' | ',' => Some(1),
        space if space.is_whitespace() => {
            let word = rest.trim_start();
            let and = word.get(..3).filter(|and| and.eq_ignore_ascii_case("and"))?;
            let after = &word[and.len()..];
            let length = rest.len() - after.len();
            after.starts_with(char::is_whitespace).then_some(length)
        }
        _ => None,
    }
}

fn has_words(text: &str) -> bool {
    let mut found = false;
    each_word(text, |_| found = true);
    found
}

/// Returns all names, texts and values of the page in lower case.
fn all_texts(page: &Page, items: &[Item]) -> Vec<String> {
    let shown = items.iter().filter(|item| !matches!(item.kind, ItemKind::Soft | ItemKind::Note));
    let mut texts = Vec::new();
    for item in shown {
        let node: Node<'_> = page.node(item.node);
        let own = [item.name.as_str(), item.guess.as_str(), node.value().unwrap_or_default()];
        texts.extend(
            own.into_iter().chain(node.options()).filter(|text| !text.is_empty()).map(plain),
        );
    }
    texts
}

/// Returns the names and texts that a query contains. A cell's text is part of the line of its row,
/// so the single texts of the page count, too.
fn names_within(page: &Page, texts: &[String], query: &str) -> Vec<String> {
    let said = plain(query);
    let single = page.nodes().filter(|node| node.is_text() && node.name().len() <= query.len());
    let single = single.map(|node| plain(node.name())).filter(|text| contains(&said, text));
    texts.iter().filter(|text| contains(&said, text)).cloned().chain(single).collect()
}

fn plain(text: &str) -> String {
    clean(text).to_lowercase()
}

/// Successive pieces with the separators between them.
struct Run<'q> {
    query: &'q str,
    pieces: &'q [Piece],
}

impl Run<'_> {
    fn whole(&self) -> String {
        match self.pieces {
            [first, .., last] => plain(&self.query[first.start..last.end]),
            _ => String::new(),
        }
    }

    fn piece(&self, piece: &Piece) -> String {
        plain(&self.query[piece.start..piece.end])
    }

    /// Whether a text contains the words as they are written. Words around them such as `the` and
    /// `link` are those of the caller; a piece that has no others is a subject of its own.
    fn is_written(&self, texts: &[String]) -> bool {
        let whole = self.whole();
        let core = core(&whole);
        let keeps_all =
            self.pieces.iter().all(|piece| !says_little(self::core(&self.piece(piece))));
        let cut = core != whole && keeps_all;
        texts.iter().any(|text| contains(text, &whole) || (cut && contains(text, core)))
    }

    /// Whether a name begins in the first piece and ends in the last one.
    fn is_around(&self, names: &[String]) -> bool {
        let [first, .., last] = self.pieces else { return false };
        let (whole, first, last) = (self.whole(), self.piece(first), self.piece(last));
        names.iter().any(|name| {
            whole
                .match_indices(name.as_str())
                .any(|(at, _)| at < first.len() && whole.len() - at - name.len() < last.len())
        })
    }
}

/// Returns a text without the words at its ends that only say which kind of element is meant.
fn core(text: &str) -> &str {
    let mut core = text;
    while let Some((_, rest)) = core.split_once(' ').filter(|(first, _)| says_little(first)) {
        core = rest;
    }
    while let Some((rest, _)) = core.rsplit_once(' ').filter(|(_, last)| says_little(last)) {
        core = rest;
    }
    core
}

/// Whether a text contains another one that begins and ends at the edges of words.
fn contains(text: &str, part: &str) -> bool {
    let letter = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    !part.is_empty()
        && text.match_indices(part).any(|(at, _)| {
            !letter(text[..at].chars().next_back())
                && !letter(text[at + part.len()..].chars().next())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::test_page::page;
    use crate::render::item_lines::lines;

    const PAGE: &str = r#"
main main "" block
  a link "Terms and Conditions" usable by-content href=/terms
  button button "Save and close" usable
  p - "" block
    'Smith, Ann'
  p - "" block
    'Salt, Pepper and Sugar'
  table table "" block
    tr row "" block
      td cell "Ray, Ira"
        'Ray, Ira'
      td cell "12"
        '12'
"#;

    fn asked(query: &str) -> Vec<String> {
        let page = page(PAGE);
        split(&page, &lines(&page), query).asked
    }

    #[test]
    fn separators_split_a_query() {
        for query in [
            "Name, Other permissions, Create",
            "Name; Other permissions AND Create",
            "Name,Other permissions  and  Create",
            "Name, , Other permissions, name, and Create",
        ] {
            assert_eq!(asked(query), ["Name", "Other permissions", "Create"], "{query}");
        }
        assert_eq!(asked("Zinc Kelp limit Zinc Heron level"), ["Zinc Kelp limit Zinc Heron level"]);
        assert_eq!(asked("brand, android; sand"), ["brand", "android", "sand"]);
        assert_eq!(asked("order 1,000, 2.5"), ["order 1,000", "2.5"]);
    }

    #[test]
    fn what_the_page_contains_as_written_is_one_subject() {
        assert_eq!(asked("terms  AND conditions"), ["terms AND conditions"]);
        assert_eq!(asked("smith, ann"), ["smith, ann"]);
        assert_eq!(asked("the Terms and Conditions link"), ["the Terms and Conditions link"]);
        assert_eq!(
            asked("Smith, Ann, Save and close, Create"),
            ["Smith, Ann", "Save and close", "Create"]
        );
        assert_eq!(asked("Salt, Pepper and Sugar"), ["Salt, Pepper and Sugar"]);
        // Not at the edges of words.
        assert_eq!(asked("mith, Ann"), ["mith", "Ann"]);
        // A piece of words about kinds and states is not a word around the other one.
        assert_eq!(asked("disabled button and Smith"), ["disabled button", "Smith"]);
        assert_eq!(asked("Salt, button"), ["Salt", "button"]);
    }

    #[test]
    fn a_whole_name_is_not_split_beside_other_words() {
        assert_eq!(asked("Amount Smith, Ann"), ["Amount Smith, Ann"]);
        assert_eq!(asked("Smith, Ann amount"), ["Smith, Ann amount"]);
        assert_eq!(
            asked("Name, invite Smith, Ann and Save and close form and Create"),
            ["Name", "invite Smith, Ann", "Save and close form", "Create"]
        );
        // Only a part of the name.
        assert_eq!(asked("amount Pepper and Sugar"), ["amount Pepper", "Sugar"]);
        assert_eq!(asked("Smith, Annette"), ["Smith", "Annette"]);
        assert_eq!(asked("Invite Ray, Ira and Create"), ["Invite Ray, Ira", "Create"]);
    }

    #[test]
    fn quoted_text_is_one_subject() {
        assert_eq!(asked("\"black and white\", Create"), ["black and white", "Create"]);
        assert_eq!(asked("\"a, b\" “c; d”"), ["a, b", "c; d"]);
        assert_eq!(asked("button \"Stop and go\", Create"), ["button Stop and go", "Create"]);
        assert_eq!(asked("\"Smith\", \"Ann\""), ["Smith", "Ann"]);
        assert_eq!(asked("5\" screen, Create"), ["5 screen", "Create"]);
    }

    #[test]
    fn five_subjects_are_answered_and_the_rest_is_counted() {
        let page = page(PAGE);
        let subjects = split(&page, &lines(&page), "a1, b1, c1, d1, e1, f1, g1");
        assert_eq!((subjects.asked.len(), subjects.left_out), (5, 2));
        assert_eq!(asked(" , ; "), [" , ; "]);
    }
}
