//! Asks for two or three things of a page in one query. Each subject is judged separately, by the
//! lines below `for "Subject":`. A name that contains a separator must stay one subject, beside
//! others and alone.

use super::facts::words;
use super::judge::{AnswerVerdict, Dialect, NOTHING, is_subject, judge};
use super::questions::Question;
use super::visit::Answered;
use crate::product::count_tokens;
use crate::random::Random;
use crate::report::table;

/// The share of the subjects that must be answered.
const ANSWERED: f64 = 0.95;
/// The share of the subjects with a separator in their name that must stay whole.
const WHOLE: f64 = 0.99;
/// How many queries a whole run asks at least.
const LEAST_QUERIES: usize = 500;
/// How many queries a page gets.
const PER_PAGE: usize = 8;
/// How many of 100 queries have a subject that the page does not answer.
const WITH_ABSENT: usize = 20;

/// Separators of subjects, the last of a query beside the others.
const JOINTS: [(&str, &str); 4] = [(", ", ", "), ("; ", "; "), (" and ", " and "), (", ", " and ")];

/// A query with its subjects.
pub struct SeveralQuery {
    pub text: String,
    pub subjects: Vec<Question>,
}

/// A subject with its part of the answer.
pub struct SubjectAnswer {
    pub answered: Answered,
    /// How many subjects the query had.
    pub beside: usize,
    /// Whether the name contains a separator.
    pub has_separator: bool,
    /// Whether the answer has lines for this subject as it was asked.
    pub whole: bool,
}

/// Whether a name could be taken for several subjects.
fn has_separator(text: &str) -> bool {
    text.contains([',', ';']) || text.to_lowercase().contains(" and ")
}

/// Makes queries from the questions of one page; `absent` are questions that it does not answer.
pub fn queries(asked: &[Question], absent: &[Question], random: &mut Random) -> Vec<SeveralQuery> {
    // The order of a reworded name with a separator is not that of the page.
    let fits =
        |question: &&Question| question.rewording.is_none() || !has_separator(&question.text);
    let all: Vec<&Question> = asked.iter().filter(fits).collect();
    let odd: Vec<&Question> =
        all.iter().copied().filter(|question| has_separator(&question.text)).collect();
    let mut out: Vec<SeveralQuery> = Vec::new();
    for round in 0..PER_PAGE {
        let mut subjects: Vec<Question> = Vec::new();
        let mut add = |question: Option<&Question>| {
            let new = |question: &&Question| {
                subjects.iter().all(|other| words(&other.text) != words(&question.text))
            };
            subjects.extend(question.filter(new).cloned());
        };
        add(random.one(&odd).copied());
        // A name with a separator is also asked for alone.
        if odd.is_empty() || round > 1 {
            add(random.one(&all).copied());
            if random.percent(50) {
                add(random.one(&all).copied());
            }
            if random.percent(WITH_ABSENT) {
                add(random.one(absent).filter(|question| !has_separator(&question.text)));
            }
        }
        random.shuffle(&mut subjects);
        let (joint, last) = JOINTS[random.below(JOINTS.len())];
        let text = join(&subjects, joint, last);
        let alone = subjects.len() < 2 && !subjects.iter().any(|one| has_separator(&one.text));
        if !alone && out.iter().all(|query| query.text != text) {
            out.push(SeveralQuery { text, subjects });
        }
    }
    out
}

fn join(subjects: &[Question], joint: &str, last: &str) -> String {
    let mut text = String::new();
    for (at, subject) in subjects.iter().enumerate() {
        text.push_str(match at {
            0 => "",
            _ if at + 1 == subjects.len() => last,
            _ => joint,
        });
        text.push_str(&subject.text);
    }
    text
}

/// Judges the answer of a query, each subject by its own lines.
pub fn judge_each(
    answer: &str,
    query: &SeveralQuery,
    answered: impl Fn(Question, String, AnswerVerdict) -> Answered,
) -> Vec<SubjectAnswer> {
    let parts = parts(answer);
    let asked_one = query.subjects.len() == 1;
    let whole_count = parts.len() == query.subjects.len() || (asked_one && parts.is_empty());
    let judged = query.subjects.iter().enumerate().map(|(at, question)| {
        let part = match parts.get(at) {
            None if asked_one => Some(answer.to_owned()),
            Some((label, part)) if whole_count && is_label(label, &question.text) => {
                Some(part.clone())
            }
            _ => None,
        };
        let verdict = part
            .as_deref()
            .map(|part| judge(part, question.gold.as_ref(), Dialect::Pagesight))
            .unwrap_or_default();
        SubjectAnswer {
            beside: query.subjects.len(),
            has_separator: has_separator(&question.text),
            whole: part.is_some(),
            answered: answered(
                question.clone(),
                part.unwrap_or_else(|| answer.to_owned()),
                verdict,
            ),
        }
    });
    judged.collect()
}

/// Returns the subjects of an answer with their lines, each below the head of the answer.
fn parts(answer: &str) -> Vec<(String, String)> {
    let mut lines = answer.lines();
    let head = lines.next().unwrap_or_default();
    let mut parts: Vec<(String, String)> = Vec::new();
    for line in lines {
        if is_subject(line) {
            let label = line.strip_prefix(NOTHING).or_else(|| line.strip_prefix("for \""));
            let label = label.unwrap_or_default();
            let label = label.rfind('"').map_or(label, |end| &label[..end]);
            parts.push((label.to_owned(), format!("{head}\n")));
        }
        if let Some((_, part)) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts
}

/// Whether a label is that of a subject; a long one is cut.
fn is_label(label: &str, subject: &str) -> bool {
    let (mut shown, asked) = (words(label), words(subject));
    if label.ends_with('…') {
        shown.pop();
        return asked.starts_with(&shown);
    }
    shown == asked
}

/// The figures of the subjects.
pub struct SubjectFigures {
    count: usize,
    answered: f64,
    first: f64,
    whole: f64,
    tokens: usize,
}

impl SubjectFigures {
    fn of<'a>(subjects: impl Iterator<Item = &'a SubjectAnswer>) -> Option<SubjectFigures> {
        let all: Vec<&SubjectAnswer> = subjects.collect();
        if all.is_empty() {
            return None;
        }
        let share = |fits: fn(&SubjectAnswer) -> bool| {
            all.iter().filter(|one| fits(one)).count() as f64 / all.len() as f64
        };
        let tokens: Vec<usize> = all.iter().map(|one| count_tokens(&one.answered.answer)).collect();
        Some(SubjectFigures {
            count: all.len(),
            answered: share(SubjectAnswer::is_right),
            first: share(|one| one.answered.verdict.first),
            whole: share(|one| one.whole),
            tokens: crate::report::median(&tokens),
        })
    }
}

impl SubjectAnswer {
    /// Whether the answer has what was asked for, or says that the page does not have it.
    fn is_right(&self) -> bool {
        let verdict = &self.answered.verdict;
        match self.answered.question.gold {
            Some(_) => verdict.found,
            None => verdict.poor,
        }
    }
}

/// Prints the table, and returns what is below a threshold.
pub fn report(subjects: &[SubjectAnswer], queries: usize, part: bool) -> Vec<String> {
    println!(
        "\n{queries} queries with several subjects, or with one whose name has a separator:\n"
    );
    table("subjects | count | answered | in the first unit | whole | median tokens");
    let row = |what: &str, fits: &dyn Fn(&SubjectAnswer) -> bool| {
        let figures = SubjectFigures::of(subjects.iter().filter(|one| fits(one)))?;
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        println!(
            "| {what} | {} | {} | {} | {} | {} |",
            figures.count,
            percent(figures.answered),
            percent(figures.first),
            percent(figures.whole),
            figures.tokens
        );
        Some(figures)
    };
    let is_there = |one: &SubjectAnswer| one.answered.question.gold.is_some();
    for (count, what) in [(1, "alone"), (2, "of two"), (3, "of three"), (4, "of four")] {
        row(what, &|one| is_there(one) && one.beside == count);
    }
    let odd = row("with a separator in the name", &|one| is_there(one) && one.has_separator);
    let all = row("**all that the page has**", &is_there);
    let absent = row("that the page does not have", &|one| !is_there(one));
    let mut short = Vec::new();
    let mut at_least = |what: &str, share: Option<f64>, least: f64| {
        if let Some(share) = share.filter(|share| *share < least) {
            short.push(format!("{what}: {:.1} % instead of {:.0} %", share * 100.0, least * 100.0));
        }
    };
    at_least("subjects answered", all.map(|all| all.answered), ANSWERED);
    at_least("absent subjects answered so", absent.map(|absent| absent.answered), ANSWERED);
    at_least("names with a separator that stay whole", odd.map(|odd| odd.whole), WHOLE);
    if !part && queries < LEAST_QUERIES {
        short.push(format!("only {queries} queries with several subjects"));
    }
    short
}

#[cfg(test)]
mod tests {
    use super::super::questions::{Gold, QuestionKind};
    use super::*;
    use crate::options::PageGroup;

    fn button(name: &str) -> Question {
        Question {
            kind: QuestionKind::ByRoleAndState,
            text: name.to_owned(),
            rewording: None,
            gold: Some(Gold { role: "button".into(), name: name.to_owned(), ..Gold::default() }),
        }
    }

    fn right(answer: &str, subjects: &[&str]) -> Vec<bool> {
        let subjects = subjects.iter().map(|name| button(name)).collect();
        let query = SeveralQuery { text: String::new(), subjects };
        let answered = |question, answer, verdict| Answered {
            page: String::new(),
            group: PageGroup::Generated,
            url: None,
            question,
            answer,
            tokens: 0,
            verdict,
        };
        let judged = judge_each(&format!("Title  http://x/\n{answer}"), &query, answered);
        judged.iter().map(SubjectAnswer::is_right).collect()
    }

    #[test]
    fn each_subject_is_judged_by_its_own_lines() {
        let both = "for \"Save\":\n[1] button: Save\nfor \"Open\":\n[2] button: Open\n";
        assert_eq!(right(both, &["Save", "Open"]), [true, true]);
        assert_eq!(right(both, &["Open", "Save"]), [false, false], "a different order");
        let lost = "for \"Save\":\n[1] button: Save\n[2] button: Open\nnothing for \"Open\"\n";
        assert_eq!(right(lost, &["Save", "Open"]), [true, false]);
        let one = "[1] button: Save\n[2] button: Open\n";
        assert_eq!(right(one, &["Save", "Open"]), [false, false]);
    }

    #[test]
    fn a_name_with_a_separator_must_stay_whole() {
        let name = "Save, archive";
        assert_eq!(right("[1] button: Save, archive\n", &[name]), [true]);
        let split = "for \"Save\":\n[1] button: Save, archive\nfor \"archive\":\n[1] button: Save, archive\n";
        assert_eq!(right(split, &[name]), [false]);
        assert_eq!(right(split, &[name, "Open"]), [false, false]);
    }

    #[test]
    fn queries_have_different_subjects() {
        let asked: Vec<Question> =
            ["Save", "Open", "Salt and pepper", "Close"].map(button).into_iter().collect();
        let made = queries(&asked, &[], &mut Random::new(1));
        assert!(made.iter().any(|query| query.text == "Salt and pepper"));
        assert!(made.iter().any(|query| query.subjects.len() == 3));
        for query in made {
            let texts: std::collections::BTreeSet<&str> =
                query.subjects.iter().map(|subject| subject.text.as_str()).collect();
            assert_eq!(texts.len(), query.subjects.len(), "{}", query.text);
        }
    }
}
