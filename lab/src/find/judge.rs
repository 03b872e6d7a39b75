//! Judges an answer by what an agent reads: whether the gold element is in it with its label, value
//! and column heads, whether it is in the first unit, and whether the answer says that nothing
//! matches well.

use std::collections::HashSet;

use super::facts::words;
use super::questions::Gold;

/// Starts the line that says that no unit matches well.
const POOR: &str = "no match for ";
/// Starts the line of a subject without an answer.
pub const NOTHING: &str = "nothing for \"";
/// Roles of lines that only say where a unit is.
const CONTEXT: &str = "\
    heading main banner navigation region form search complementary contentinfo table grid \
    list columns row listitem article group figure image iframe options";

/// The part of the gold that an answer shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerVerdict {
    /// It is in the answer, complete.
    pub found: bool,
    /// It is in the first unit.
    pub first: bool,
    /// The answer says that nothing matches well.
    pub poor: bool,
}

/// Which program answered; their lines differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Pagesight,
    Playwright,
}

/// One line of an answer.
#[derive(Debug)]
struct AnswerLine {
    depth: usize,
    /// Whether it has a reference.
    numbered: bool,
    /// Without indentation and reference.
    text: String,
    words: Vec<String>,
}

pub fn judge(answer: &str, gold: Option<&Gold>, dialect: Dialect) -> AnswerVerdict {
    let poor = match dialect {
        Dialect::Pagesight => is_poor(answer),
        Dialect::Playwright => answer.contains("No matches found for "),
    };
    let Some(gold) = gold else { return AnswerVerdict { poor, ..AnswerVerdict::default() } };
    let lines: Vec<AnswerLine> = match dialect {
        Dialect::Pagesight => {
            let lines = answer.lines().skip(1);
            let lines = lines.filter(|line| !line.starts_with(POOR) && !is_own(line));
            lines.map(pagesight_line).collect()
        }
        Dialect::Playwright => {
            let lines = answer.lines().filter(|line| line.trim_start().starts_with("- "));
            lines.map(playwright_line).collect()
        }
    };
    let heads_anywhere = lines.iter().any(|line| contains(&line.words, &words(&gold.head)));
    let places: Vec<(usize, usize)> = (0..lines.len())
        .filter(|at| is_gold(&lines[*at], gold, dialect))
        .map(|at| (region(&lines, at, gold), at))
        .filter(|(start, at)| is_beside(&lines, *start, *at, gold))
        .collect();
    let found = !places.is_empty() && (heads_anywhere || dialect == Dialect::Pagesight);
    let first =
        places.iter().any(|(start, _)| (0..*start).all(|at| is_context(&lines, at, *start)));
    AnswerVerdict { found, first: found && first, poor }
}

/// Whether an answer says that no unit matches well, or that no subject has an answer.
fn is_poor(answer: &str) -> bool {
    let mut subjects = answer.lines().skip(1).filter(|line| is_subject(line)).peekable();
    let none = subjects.peek().is_some() && subjects.all(|line| line.starts_with(NOTHING));
    none || answer.lines().any(|line| line.starts_with(POOR))
}

/// Whether a line is about the answer: the count of matches, or the beginning of a subject.
fn is_own(line: &str) -> bool {
    let counts = line.starts_with(|first: char| first.is_ascii_digit());
    is_subject(line) || (counts && line.ends_with(" matches, best first"))
}

pub fn is_subject(line: &str) -> bool {
    line.starts_with("for \"") || line.starts_with(NOTHING)
}

fn pagesight_line(line: &str) -> AnswerLine {
    let text = line.trim_start();
    let depth = (line.len() - text.len()) / 2;
    let numbered = text.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    let reference = numbered.filter(|(number, _)| number.parse::<u32>().is_ok());
    let text = reference.map_or(text, |(_, rest)| rest).to_owned();
    AnswerLine { depth, numbered: reference.is_some(), words: words(&text), text }
}

fn playwright_line(line: &str) -> AnswerLine {
    let text = line.trim_start();
    let depth = (line.len() - text.len()) / 2;
    let text = text.trim_start_matches("- ").to_owned();
    AnswerLine { depth, numbered: text.contains("[ref="), words: words(&text), text }
}

/// Whether a line is the line of the gold element.
fn is_gold(line: &AnswerLine, gold: &Gold, dialect: Dialect) -> bool {
    let name = words(&gold.name);
    let value = words(&gold.value);
    if gold.role.is_empty() {
        let head = words(&gold.head);
        // A cell says its column directly before its value.
        let cell: Vec<String> = match dialect {
            Dialect::Pagesight => head.into_iter().chain(name).collect(),
            Dialect::Playwright => name,
        };
        return contains(&line.words, &cell);
    }
    let role = line.text.strip_prefix(gold.role.as_str());
    let role = role.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ' ']));
    line.numbered
        && role
        && contains(&line.words, &name)
        && contains(&line.words, &value)
        && (dialect == Dialect::Playwright || (has_states(line, gold) && leads(line, gold)))
}

fn has_states(line: &AnswerLine, gold: &Gold) -> bool {
    let states = line.text.rsplit_once(" — ").map(|(_, states)| states).unwrap_or_default();
    gold.states.iter().all(|state| states.split(", ").any(|said| said == state))
}

/// Whether a line of a link says where it leads.
fn leads(line: &AnswerLine, gold: &Gold) -> bool {
    if gold.href.is_empty() {
        return true;
    }
    let Some((_, target)) = line.text.rsplit_once(" → ") else { return false };
    let target = target.split(" — ").next().unwrap_or_default().trim_matches('"');
    let shown = words(target.trim_end_matches('…'));
    // A long address is cut, perhaps in a word.
    let sure = shown.len().saturating_sub(usize::from(target.ends_with('…')));
    contains(&words(&gold.href), &shown[..sure])
        || contains(&words(&gold.href.replace("%20", " ")), &shown[..sure])
}

/// Returns where the run of lines begins that belong to the unit of the gold: only words that are
/// around it.
fn region(lines: &[AnswerLine], at: usize, gold: &Gold) -> usize {
    let mut start = at;
    while start > 0 && belongs(&lines[start - 1], &gold.around) {
        start -= 1;
    }
    start
}

/// Whether a line says nothing but what is around the gold.
fn belongs(line: &AnswerLine, around: &HashSet<String>) -> bool {
    let own = line.text.split(['→', '—']).next().unwrap_or_default();
    let said = words(own);
    let unknown = said.iter().filter(|word| !around.contains(*word)).count();
    // The role, the level of a heading, the count of a list or table are not words of the page; a
    // long text may be cut within a word.
    let cut = usize::from(line.text.contains('…')) * 2;
    let allowed = cut
        + match line.text.split([':', ' ']).next().unwrap_or_default() {
            // A record says whose line it is.
            "row" | "listitem" | "article" | "group" | "figure" => 1,
            _ if is_structure(line) => 3,
            _ => usize::from(line.numbered),
        };
    let nameless = line.numbered && said.len() <= 1;
    unknown <= allowed && (is_structure(line) || nameless || unknown < said.len())
}

/// Whether a line is that of a heading or a container.
fn is_structure(line: &AnswerLine) -> bool {
    let role = line.text.split([':', ' ']).next().unwrap_or_default();
    CONTEXT.split(' ').any(|known| known == role)
}

/// Whether what must be beside the gold is in its unit: in its line, in a line that it is below,
/// or in a line of the same run.
fn is_beside(lines: &[AnswerLine], start: usize, at: usize, gold: &Gold) -> bool {
    let wanted = words(&gold.beside);
    if contains(&lines[at].words, &wanted) {
        return true;
    }
    let mut depth = lines[at].depth;
    for above in (0..at).rev() {
        if lines[above].depth < depth {
            depth = lines[above].depth;
            if contains(&lines[above].words, &wanted) {
                return true;
            }
        }
    }
    let mut end = at + 1;
    while end < lines.len() && belongs(&lines[end], &gold.around) {
        end += 1;
    }
    lines[start..end].iter().any(|line| contains(&line.words, &wanted))
}

/// Whether a line only says where the line at `unit` is.
fn is_context(lines: &[AnswerLine], at: usize, unit: usize) -> bool {
    let around = lines[at + 1..=unit].iter().all(|line| line.depth > lines[at].depth);
    let record = ["row", "listitem", "article"].iter().any(|role| lines[at].text.starts_with(role));
    around || (is_structure(&lines[at]) && !record)
}

/// Whether words occur in this order, without others between them. No words occur everywhere.
fn contains(line: &[String], wanted: &[String]) -> bool {
    wanted.is_empty() || line.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::super::facts::bag;
    use super::*;

    const HEAD: &str = "Title  http://127.0.0.1/\n";

    fn verdict(lines: &str, gold: &Gold) -> (bool, bool) {
        let verdict = judge(&format!("{HEAD}{lines}"), Some(gold), Dialect::Pagesight);
        (verdict.found, verdict.first)
    }

    fn field() -> Gold {
        Gold {
            role: "textbox".into(),
            name: "Email address".into(),
            value: "a@example.org".into(),
            states: vec!["required".into()],
            around: bag("Email address a@example.org"),
            ..Gold::default()
        }
    }

    #[test]
    fn a_field_needs_its_role_name_value_and_states() {
        let good = "main\n  [3] textbox: Email address = \"a@example.org\" — required\n";
        assert_eq!(verdict(good, &field()), (true, true));
        for bad in [
            "main\n  [3] link: Email address = \"a@example.org\" — required\n",
            "main\n  [3] textbox: Email = \"a@example.org\" — required\n",
            "main\n  [3] textbox: Email address = \"\" — required\n",
            "main\n  [3] textbox: Email address = \"a@example.org\"\n",
            "main\n  textbox: Email address = \"a@example.org\" — required\n",
        ] {
            assert_eq!(verdict(bad, &field()), (false, false), "{bad}");
        }
    }

    #[test]
    fn what_comes_before_the_unit_makes_it_not_the_first() {
        let line = "  [3] textbox: Email address = \"a@example.org\" — required\n";
        let other = format!("main\n  [2] link: Contact → /contact\n{line}");
        assert_eq!(verdict(&other, &field()), (true, false));
        let below = format!("main\n  heading 2: Profile\n{line}  [4] button: Save\n");
        assert_eq!(verdict(&below, &field()), (true, true));
    }

    #[test]
    fn a_label_without_a_relation_must_be_in_the_same_unit() {
        let gold = Gold {
            role: "slider".into(),
            value: "128".into(),
            beside: "Small Range".into(),
            around: bag("Small Range 128"),
            ..Gold::default()
        };
        assert_eq!(verdict("main\n  Small Range\n  [1] slider = \"128\"\n", &gold), (true, true));
        assert_eq!(verdict("main\n  [1] slider = \"128\"\n", &gold), (false, false));
        let apart = "main\n  Small Range\n  Something else\n  [1] slider = \"128\"\n";
        assert_eq!(verdict(apart, &gold), (false, false));
    }

    #[test]
    fn a_cell_needs_its_head_and_the_key_of_its_row() {
        let gold = Gold {
            name: "failed".into(),
            head: "State".into(),
            beside: "1017".into(),
            around: bag("Order 1017 State failed Amount 20.98 Retry"),
            ..Gold::default()
        };
        let good = "main\n  table: Orders (9 rows)\n    row: Order: 1017 · State: failed · Amount: 20.98\n      [1] button: Retry\n";
        assert_eq!(verdict(good, &gold), (true, true));
        let linked = "main\n  table (9 rows)\n    row: State: failed · Amount: 20.98\n      [1] link: 1017 → /1017\n";
        assert_eq!(verdict(linked, &gold), (true, true));
        let bare = "main\n  table (9 rows)\n    row: 1017 failed 20.98\n";
        assert_eq!(verdict(bare, &gold), (false, false));
        let other =
            "main\n  table (9 rows)\n    row: Order: 1018 · State: failed · Amount: 20.98\n";
        assert_eq!(verdict(other, &gold), (false, false));
        let second = "main\n  table (9 rows)\n    row: Order: 1018 · State: paid\n    row: Order: 1017 · State: failed\n";
        assert_eq!(verdict(second, &gold), (true, false));
    }

    #[test]
    fn a_link_says_where_it_leads() {
        let gold = Gold {
            role: "link".into(),
            name: "Hermitian".into(),
            href: "http://127.0.0.1:80/wiki/Hermitian".into(),
            around: bag("External links Hermitian"),
            ..Gold::default()
        };
        let line = "main\n  heading 2: External links\n  list (2)\n    [1] link: Hermitian";
        assert_eq!(verdict(&format!("{line} → /wiki/Hermitian\n"), &gold), (true, true));
        assert_eq!(verdict(&format!("{line} → /wiki/Herm…\n"), &gold), (true, true));
        assert_eq!(verdict(&format!("{line} → /wiki/Other\n"), &gold), (false, false));
        assert_eq!(verdict(&format!("{line}\n"), &gold), (false, false));
    }

    #[test]
    fn a_poor_answer_says_so() {
        let poor = format!("{HEAD}no match for \"zebra\"; nearest:\nmain\n");
        assert!(judge(&poor, None, Dialect::Pagesight).poor);
        let quoted = format!("{HEAD}main\n  It says: no match for here\n");
        assert!(!judge(&quoted, None, Dialect::Pagesight).poor);
    }

    #[test]
    fn lines_of_playwright_are_judged_too() {
        let gold = Gold {
            name: "failed".into(),
            head: "State".into(),
            beside: "1017".into(),
            around: bag("1017 failed"),
            ..Gold::default()
        };
        let row = "- row \"1017 failed\" [ref=e5]:\n  - cell \"failed\" [ref=e6]\n";
        let judged = judge(row, Some(&gold), Dialect::Playwright);
        assert!(!judged.found, "the head of the column is missing");
        let with_head = format!("- columnheader \"State\" [ref=e2]\n{row}");
        assert!(judge(&with_head, Some(&gold), Dialect::Playwright).found);
        let control = Gold { states: Vec::new(), value: String::new(), ..field() };
        let line = "- textbox \"Email address\" [ref=e7]: a@example.org\n";
        assert!(judge(line, Some(&control), Dialect::Playwright).found);
        assert!(judge("No matches found for \"x\".", None, Dialect::Playwright).poor);
    }
}
