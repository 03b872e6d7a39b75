//! Makes questions with known answers from what the oracle reports. A question is asked only if no
//! other thing on the page answers it as well.

use std::collections::HashSet;

use super::facts::{Control, PageFacts, bag, singular, words};
use super::reword::{Rewording, reword};
use crate::random::Random;

/// How many of 100 questions are reworded.
const REWORDED: usize = 60;
/// The longest name or key that is asked for, in words, and the longest in characters.
const LONGEST: usize = 7;
const LONGEST_TEXT: usize = 70;

/// The kinds of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum QuestionKind {
    FieldByLabel,
    CellByRowAndColumn,
    ControlByRow,
    LinkBySection,
    ByRoleAndState,
    ByIcon,
    NoAnswer,
}

impl QuestionKind {
    /// The kinds in the order of the table.
    pub const ALL: [QuestionKind; 7] = [
        QuestionKind::FieldByLabel,
        QuestionKind::CellByRowAndColumn,
        QuestionKind::ControlByRow,
        QuestionKind::LinkBySection,
        QuestionKind::ByRoleAndState,
        QuestionKind::ByIcon,
        QuestionKind::NoAnswer,
    ];

    /// Returns the name in tables.
    pub fn label(self) -> &'static str {
        match self {
            QuestionKind::FieldByLabel => "field by label",
            QuestionKind::CellByRowAndColumn => "cell by row and column",
            QuestionKind::ControlByRow => "control by row",
            QuestionKind::LinkBySection => "link by section",
            QuestionKind::ByRoleAndState => "element by role and state",
            QuestionKind::ByIcon => "nameless control by its icon",
            QuestionKind::NoAnswer => "no answer on the page",
        }
    }
}

/// The required content of the answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gold {
    /// The role of a control; empty for a text.
    pub role: String,
    /// Its name; for a text, the text.
    pub name: String,
    pub value: String,
    pub states: Vec<String>,
    /// Where a link leads; empty if it is not checked.
    pub href: String,
    /// The head of its column.
    pub head: String,
    /// The required neighbour: the key of its row, the label of a field without a name.
    pub beside: String,
    /// The words that may be around it in one unit.
    pub around: HashSet<String>,
}

#[derive(Clone, Debug)]
pub struct Question {
    pub kind: QuestionKind,
    pub text: String,
    /// How it was reworded.
    pub rewording: Option<Rewording>,
    /// The required content of the answer; `None` if there is none on the page.
    pub gold: Option<Gold>,
}

impl Question {
    /// Makes a question without an answer.
    fn open(text: String) -> Question {
        Question { kind: QuestionKind::NoAnswer, text, rewording: None, gold: None }
    }
}

/// Something on the page that could answer a question: its words, and which gold it is.
struct Rival {
    words: HashSet<String>,
    /// The words of its name alone.
    name: HashSet<String>,
    identity: String,
}

/// Makes the questions of one page, at most `per_kind` of one kind.
pub fn questions(facts: &PageFacts, per_kind: usize, random: &mut Random) -> Vec<Question> {
    let rivals = rivals(facts);
    let mut asked: HashSet<String> = HashSet::new();
    let mut out = Vec::new();
    for (kind, mut drafts) in [
        (QuestionKind::FieldByLabel, fields(facts)),
        (QuestionKind::CellByRowAndColumn, cells(facts)),
        (QuestionKind::ControlByRow, controls_of_records(facts)),
        (QuestionKind::LinkBySection, links(facts)),
        (QuestionKind::ByRoleAndState, states(facts)),
        (QuestionKind::ByIcon, icons(facts)),
    ] {
        random.shuffle(&mut drafts);
        let mut made = 0;
        for draft in drafts {
            if made == per_kind {
                break;
            }
            let clear = |text: &str| match kind {
                QuestionKind::FieldByLabel => is_clear_label(text, &draft.identity, &rivals),
                _ => is_clear(text, &draft.identity, &rivals),
            };
            if !clear(&draft.text) || !asked.insert(words(&draft.text).join(" ")) {
                continue;
            }
            let rewording =
                random.percent(REWORDED).then(|| reword(&draft.text, random, clear)).flatten();
            let (text, rewording) = match rewording {
                Some((text, rewording)) => (text, Some(rewording)),
                None => (draft.text, None),
            };
            out.push(Question { kind, text, rewording, gold: Some(draft.gold) });
            made += 1;
        }
    }
    out
}

/// Makes a question without an answer from one that was made for a different page: fewer than half
/// of its words are on this page.
pub fn without_answer(text: &str, page_words: &HashSet<String>) -> Option<Question> {
    let asked = words(text);
    let stems: HashSet<&str> = page_words.iter().map(|word| singular(word)).collect();
    let there = asked.iter().filter(|word| stems.contains(singular(word))).count();
    let open = asked.len() >= 2 && there * 2 < asked.len();
    open.then(|| Question::open(text.to_owned()))
}

/// Makes a question without an answer from one about a record: asks for the record of a different
/// page. At most half of its words are on the page.
pub fn about_absent_record(
    question: &Question,
    key: &str,
    page_words: &HashSet<String>,
) -> Option<Question> {
    let gold = question.gold.as_ref()?;
    let about = match question.kind {
        QuestionKind::CellByRowAndColumn => &gold.head,
        QuestionKind::ControlByRow => &gold.name,
        _ => return None,
    };
    let key_words = words(key);
    let absent = key_words.iter().all(|word| !page_words.contains(word));
    (absent && key_words.len() >= words(about).len())
        .then(|| Question::open(format!("{about} {key}")))
}

struct Draft {
    text: String,
    identity: String,
    gold: Gold,
}

fn is_askable(text: &str) -> bool {
    let count = words(text).len();
    (1..=LONGEST).contains(&count)
        && text.chars().count() <= LONGEST_TEXT
        && words(text).iter().any(|word| word.chars().count() > 1 || !word.is_ascii())
}

fn fields(facts: &PageFacts) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (at, control) in facts.controls.iter().enumerate().filter(|(_, control)| control.field) {
        let label = if control.name.is_empty() { &control.beside } else { &control.name };
        if is_askable(label) && control.value.chars().count() <= LONGEST_TEXT {
            let gold = Gold { beside: control.beside.clone(), ..gold_in_record(facts, control) };
            drafts.push(Draft { text: label.clone(), identity: identity(at), gold });
        }
    }
    for (at, term) in facts.terms.iter().enumerate() {
        if is_askable(&term.label) && is_askable(&term.value) {
            drafts.push(Draft {
                text: term.label.clone(),
                identity: format!("term {at}"),
                gold: Gold {
                    name: term.value.clone(),
                    beside: term.label.clone(),
                    around: bag(&format!("{} {}", term.label, term.value)),
                    ..Gold::default()
                },
            });
        }
    }
    drafts
}

fn cells(facts: &PageFacts) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (at, record) in facts.records.iter().enumerate().filter(|(_, record)| record.seen) {
        for cell in record.cells.iter().filter(|cell| cell.plain) {
            if [&record.key, &cell.head, &cell.value].into_iter().all(|text| is_askable(text)) {
                drafts.push(Draft {
                    text: format!("{} {}", record.key, cell.head),
                    identity: format!("record {at}"),
                    gold: Gold {
                        name: cell.value.clone(),
                        head: cell.head.clone(),
                        beside: record.key.clone(),
                        around: bag(&with_heads(record)),
                        ..Gold::default()
                    },
                });
            }
        }
    }
    drafts
}

fn controls_of_records(facts: &PageFacts) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (at, control) in facts.controls.iter().enumerate() {
        let Some(record) = usize::try_from(control.record).ok().map(|at| &facts.records[at]) else {
            continue;
        };
        // Without words of its own, the record does not say more than the control.
        let says_more = !bag(&record.key).is_subset(&bag(&control.name));
        if record.seen && says_more && is_askable(&record.key) && is_askable(&control.name) {
            drafts.push(Draft {
                text: format!("{} {}", control.name, record.key),
                identity: identity(at),
                gold: Gold {
                    beside: record.key.clone(),
                    around: bag(&with_heads(record)),
                    ..gold(control)
                },
            });
        }
    }
    drafts
}

fn links(facts: &PageFacts) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (at, section) in facts.sections.iter().enumerate().filter(|(_, section)| section.seen) {
        let Ok(first) = usize::try_from(section.first) else { continue };
        let control = &facts.controls[first];
        if is_askable(&section.heading) && is_askable(&control.name) {
            drafts.push(Draft {
                text: section.heading.clone(),
                identity: format!("section {at}"),
                gold: Gold { around: bag(&section.text), ..gold(control) },
            });
        }
    }
    for (at, control) in facts.controls.iter().enumerate() {
        let Some(section) = usize::try_from(control.section).ok().map(|at| &facts.sections[at])
        else {
            continue;
        };
        if control.role == "link"
            && section.seen
            && is_askable(&section.heading)
            && is_askable(&control.name)
        {
            drafts.push(Draft {
                text: format!("{} {}", section.heading, control.name),
                identity: identity(at),
                gold: Gold { around: bag(&section.text), ..gold(control) },
            });
        }
    }
    drafts
}

fn states(facts: &PageFacts) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (at, control) in facts.controls.iter().enumerate() {
        for state in &control.states {
            let Some(role) = role_word(&control.role) else { continue };
            let alike =
                |other: &&Control| other.role == control.role && other.states.contains(state);
            let alone = facts.controls.iter().filter(alike).count() == 1;
            if alone && control.name.chars().count() <= LONGEST_TEXT {
                drafts.push(Draft {
                    text: format!("{state} {role}"),
                    identity: identity(at),
                    gold: gold_in_record(facts, control),
                });
            }
            if is_askable(&control.name) {
                drafts.push(Draft {
                    text: format!("{state} {role} {}", control.name),
                    identity: identity(at),
                    gold: gold_in_record(facts, control),
                });
            }
        }
    }
    drafts
}

/// Asks for a control without a name by what its icon shows, and by the record that it is in.
fn icons(facts: &PageFacts) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (at, control) in facts.controls.iter().enumerate() {
        if !control.name.is_empty() || !is_askable(&control.icon) {
            continue;
        }
        let record = usize::try_from(control.record).ok().map(|at| &facts.records[at]);
        let key = record.map_or("", |record| record.key.as_str());
        let mut gold = Gold {
            name: control.icon.clone(),
            beside: key.to_owned(),
            ..gold_in_record(facts, control)
        };
        // Other icons of the record are in its unit.
        let others = facts.controls.iter().filter(|other| {
            control.record >= 0 && other.record == control.record && !other.icon.is_empty()
        });
        gold.around.extend(others.flat_map(|other| words(&format!("{} icon", other.icon))));
        let text = match is_askable(key) {
            true => format!("{} {key}", control.icon),
            false => control.icon.clone(),
        };
        drafts.push(Draft { text, identity: identity(at), gold });
    }
    drafts
}

fn gold(control: &Control) -> Gold {
    Gold {
        role: control.role.clone(),
        name: control.name.clone(),
        value: if control.field { control.value.clone() } else { String::new() },
        states: control.states.clone(),
        href: control.href.clone(),
        around: bag(&control.around),
        ..Gold::default()
    }
}

/// The same; its unit is the record that it is in.
fn gold_in_record(facts: &PageFacts, control: &Control) -> Gold {
    let mut gold = gold(control);
    if let Ok(record) = usize::try_from(control.record) {
        gold.around.extend(bag(&with_heads(&facts.records[record])));
    }
    gold
}

fn identity(control: usize) -> String {
    format!("control {control}")
}

/// The word that a person uses for a role.
fn role_word(role: &str) -> Option<&'static str> {
    Some(match role {
        "button" => "button",
        "link" => "link",
        "checkbox" => "checkbox",
        "radio" => "radio button",
        "switch" => "switch",
        "slider" => "slider",
        "tab" => "tab",
        "combobox" => "dropdown",
        "textbox" | "searchbox" | "spinbutton" => "field",
        _ => return None,
    })
}

fn with_heads(record: &super::facts::Record) -> String {
    let heads: Vec<&str> = record.cells.iter().map(|cell| cell.head.as_str()).collect();
    format!("{} {} {}", record.key, record.text, heads.join(" "))
}

/// Lists everything that could answer a question, with all words that could be meant by it.
fn rivals(facts: &PageFacts) -> Vec<Rival> {
    let mut rivals = Vec::new();
    let stems = |text: &str| words(text).iter().map(|word| singular(word).to_owned()).collect();
    for (at, control) in facts.controls.iter().enumerate() {
        let record = usize::try_from(control.record).ok().map(|at| with_heads(&facts.records[at]));
        let section = usize::try_from(control.section).ok().map(|at| &facts.sections[at].heading);
        let text = format!(
            "{} {} {} {} {} {} {} {}",
            control.name,
            control.icon,
            control.beside,
            control.role,
            role_word(&control.role).unwrap_or_default(),
            control.states.join(" "),
            record.unwrap_or_default(),
            section.map_or("", String::as_str),
        );
        let name = stems(&format!("{} {} {}", control.name, control.icon, control.beside));
        rivals.push(Rival { words: stems(&text), name, identity: identity(at) });
    }
    for (at, record) in facts.records.iter().enumerate() {
        rivals.push(Rival {
            words: stems(&with_heads(record)),
            name: stems(&record.key),
            identity: format!("record {at}"),
        });
    }
    for (at, term) in facts.terms.iter().enumerate() {
        rivals.push(Rival {
            words: stems(&format!("{} {}", term.label, term.value)),
            name: stems(&term.label),
            identity: format!("term {at}"),
        });
    }
    for (at, section) in facts.sections.iter().enumerate() {
        rivals.push(Rival {
            words: stems(&section.heading),
            name: stems(&section.heading),
            identity: format!("section {at}"),
        });
    }
    rivals
}

/// Whether nothing but the thing of this identity has all words of the question. What is inside a
/// row does not compete with the row.
fn is_clear(text: &str, identity: &str, rivals: &[Rival]) -> bool {
    let asked: Vec<String> = words(text).iter().map(|word| singular(word).to_owned()).collect();
    let own = rivals.iter().find(|rival| rival.identity == identity);
    let same_record = |rival: &Rival| {
        own.is_some_and(|own| {
            identity.starts_with("record") && rival.words.is_superset(&own.words)
                || rival.identity.starts_with("record") && own.words.is_superset(&rival.words)
        })
    };
    let section = identity.starts_with("section");
    let all_in = |words: &HashSet<String>| asked.iter().all(|word| words.contains(word));
    !asked.is_empty()
        && rivals.iter().all(|rival| {
            rival.identity == identity
                || same_record(rival)
                // What is in a section has the words of its heading, but perhaps not in its name.
                || !all_in(&rival.words)
                || (section && rival.identity.starts_with("control") && !all_in(&rival.name))
        })
}

/// Whether nothing else on the page is named so. A name with two more words is a different name;
/// texts and column heads with these words do not count, because a label comes before them.
fn is_clear_label(text: &str, identity: &str, rivals: &[Rival]) -> bool {
    let asked: HashSet<String> = words(text).iter().map(|word| singular(word).to_owned()).collect();
    rivals.iter().all(|rival| {
        rival.identity == identity
            || !asked.is_subset(&rival.name)
            || rival.name.len() >= asked.len() + 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> PageFacts {
        let control = |role: &str, name: &str, record: i64| Control {
            role: role.to_owned(),
            name: name.to_owned(),
            record,
            section: -1,
            ..Control::default()
        };
        let record = |key: &str, text: &str| super::super::facts::Record {
            key: key.to_owned(),
            text: text.to_owned(),
            seen: true,
            ..Default::default()
        };
        PageFacts {
            controls: vec![
                control("button", "Delete", 0),
                control("button", "Delete", 1),
                Control { field: true, ..control("textbox", "Email", -1) },
                control("link", "Email us", -1),
            ],
            records: vec![record("Anna", "Anna admin"), record("Bert", "Bert guest")],
            ..PageFacts::default()
        }
    }

    #[test]
    fn only_clear_questions_are_asked() {
        let mut asked: Vec<String> = (1..40)
            .flat_map(|seed| questions(&facts(), 20, &mut Random::new(seed)))
            .filter(|question| question.rewording.is_none())
            .map(|question| question.text)
            .collect();
        asked.sort();
        asked.dedup();
        // The field "Email" could be meant as well as the link "Email us".
        assert_eq!(asked, ["Delete Anna", "Delete Bert"]);
    }

    #[test]
    fn an_absent_record_is_asked_for_with_words_that_are_there() {
        let question = Question {
            kind: QuestionKind::ControlByRow,
            gold: Some(Gold { name: "Delete".into(), beside: "Anna".into(), ..Gold::default() }),
            ..Question::open("Delete Anna".into())
        };
        let page = bag("Delete Anna Bert");
        let asked = |key: &str| about_absent_record(&question, key, &page).map(|one| one.text);
        assert_eq!(asked("Zoe").as_deref(), Some("Delete Zoe"));
        assert_eq!(asked("Bert"), None);
    }

    #[test]
    fn a_question_without_an_answer_shares_less_than_half_of_its_words() {
        let page = bag("orders open paid");
        assert!(without_answer("open invoices zebra", &page).is_some());
        assert!(without_answer("order zebra", &page).is_none());
        assert!(without_answer("zebra", &page).is_none());
    }
}
