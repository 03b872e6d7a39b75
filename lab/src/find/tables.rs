//! The figures of a run, its tables, and the list of misses.

use super::judge::AnswerVerdict;
use super::questions::QuestionKind;
use super::reword::Rewording;
use super::visit::Answered;
use crate::options::PageGroup;
use crate::report::{median, table};

/// The figures that thresholds are about.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Questions with and without an answer on the page.
    pub questions: usize,
    pub without: usize,
    /// Shares of the questions with an answer.
    pub found: f64,
    pub first: f64,
    pub wrongly_poor: f64,
    /// The share of the questions without an answer that are answered so.
    pub rightly_poor: f64,
    pub median_tokens: usize,
    /// Questions about controls without a name, and the share of them that is found.
    pub by_icon: usize,
    pub found_by_icon: f64,
}

impl Figures {
    pub fn of<'a>(answered: impl IntoIterator<Item = &'a Answered>) -> Figures {
        let (with, without): (Vec<&Answered>, Vec<&Answered>) =
            answered.into_iter().partition(|answered| answered.question.gold.is_some());
        let share = |of: &[&Answered], fits: fn(&AnswerVerdict) -> bool| {
            let good = of.iter().filter(|answered| fits(&answered.verdict)).count();
            if of.is_empty() { 0.0 } else { good as f64 / of.len() as f64 }
        };
        let by_icon: Vec<&Answered> = with
            .iter()
            .copied()
            .filter(|answered| answered.question.kind == QuestionKind::ByIcon)
            .collect();
        let tokens: Vec<usize> = with.iter().map(|answered| answered.tokens).collect();
        Figures {
            questions: with.len(),
            without: without.len(),
            found: share(&with, |verdict| verdict.found),
            first: share(&with, |verdict| verdict.first),
            wrongly_poor: share(&with, |verdict| verdict.poor),
            rightly_poor: share(&without, |verdict| verdict.poor),
            median_tokens: median(&tokens),
            by_icon: by_icon.len(),
            found_by_icon: share(&by_icon, |verdict| verdict.found),
        }
    }

    fn row(&self, what: &str) -> String {
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        format!(
            "| {what} | {} | {} | {} | {} | {} |",
            self.questions,
            percent(self.found),
            percent(self.first),
            percent(self.wrongly_poor),
            self.median_tokens,
        )
    }
}

pub fn print(answered: &[Answered]) {
    let pages: std::collections::BTreeSet<&str> =
        answered.iter().map(|answered| answered.page.as_str()).collect();
    println!();
    table(
        "questions | count | element in the answer | in the first unit | \"no match\" | median tokens",
    );
    let row = |what: &str, fits: &dyn Fn(&Answered) -> bool| {
        let figures = Figures::of(answered.iter().filter(|answered| fits(answered)));
        if figures.questions > 0 {
            println!("{}", figures.row(what));
        }
    };
    for kind in QuestionKind::ALL {
        row(kind.label(), &|answered| answered.question.kind == kind);
    }
    for (group, name) in [
        (PageGroup::Saved, "on saved pages"),
        (PageGroup::Generated, "on generated pages"),
        (PageGroup::App, "on apps"),
    ] {
        row(name, &|answered| answered.group == group);
    }
    row("as written on the page", &|answered| answered.question.rewording.is_none());
    for rewording in Rewording::ALL {
        row(rewording.label(), &|answered| answered.question.rewording == Some(rewording));
    }
    let all = Figures::of(answered);
    println!("{}", all.row("**all**"));
    let reworded = answered.iter().filter(|answered| answered.question.rewording.is_some()).count();
    println!(
        "\n{} pages; {:.0} % of the questions are reworded. Of {} questions without an answer on the page, {:.1} % are answered so.",
        pages.len(),
        100.0 * reworded as f64 / all.questions.max(1) as f64,
        all.without,
        all.rightly_poor * 100.0
    );
}

/// Lists every miss with its answer.
pub fn misses<'a>(answered: impl Iterator<Item = &'a Answered>) -> String {
    let mut out = String::new();
    for one in answered {
        let AnswerVerdict { found, first, poor } = one.verdict;
        let faults: Vec<&str> = match &one.question.gold {
            Some(_) => [(!found, "not found"), (found && !first, "not first"), (poor, "poor")]
                .into_iter()
                .filter_map(|(fault, word)| fault.then_some(word))
                .collect(),
            None if poor => Vec::new(),
            None => vec!["not poor"],
        };
        if faults.is_empty() && one.tokens <= super::MEDIAN_TOKENS * 3 {
            continue;
        }
        let question = &one.question;
        out.push_str(&format!(
            "== {}: {} ({}{}), {} tokens: {}\n",
            one.page,
            question.text,
            question.kind.label(),
            question.rewording.map_or(String::new(), |how| format!(", {}", how.label())),
            one.tokens,
            if faults.is_empty() { "long".to_owned() } else { faults.join(", ") },
        ));
        if let Some(gold) = &question.gold {
            out.push_str(&format!(
                "gold: {} {:?} = {:?} {:?} {} head {:?} beside {:?}\n",
                gold.role, gold.name, gold.value, gold.states, gold.href, gold.head, gold.beside
            ));
        }
        out.push_str(&one.answer);
        out.push('\n');
    }
    out
}
