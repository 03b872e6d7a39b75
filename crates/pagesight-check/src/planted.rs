//! Plants hostile texts in what a check says about pages: reports, JUnit, annotations.

use pagesight_core::compare::{Comparison, IgnoreRules, Severity, compare};
use pagesight_core::fingerprint::{Fingerprint, FingerprintOptions, extract};
use pagesight_core::text::json;
use pagesight_core::wire::page_file;

use crate::report::{comparison, github, html, json as report_json, junit, text as report_text};
use crate::result::tests::{outcome, run_of};
use crate::result::{CheckResult, Outcome, Verdict};

#[path = "../../../tests/hostile_texts.rs"]
mod hostile_texts;

use hostile_texts::{Dice, faults_of_json, faults_of_text, own_lines, plant, text};

const CAPTURE: &str = include_str!("../../../tests/captures/forms.page.json");

fn fingerprint(dice: &mut Dice, own: &[String]) -> Fingerprint {
    let page = page_file::read(&plant(CAPTURE, dice, own)).unwrap();
    extract(&page, &FingerprintOptions::default())
}

/// Returns a run with one page of each kind.
fn checked(dice: &mut Dice, own: &[String]) -> CheckResult {
    let mut compared = || -> Comparison {
        let [was, now] = [fingerprint(dice, own), fingerprint(dice, own)];
        compare(&was, &now, &IgnoreRules::default())
    };
    let verdicts = [Verdict::Compared(compared()), Verdict::Updated(compared())];
    // A reason and a note begin with words of the program.
    let mut said = || format!("x {}", text(dice, own));
    let failed = [Verdict::Failed { error: said() }, Verdict::Failed { error: said() }];
    let outcomes = verdicts.into_iter().chain(failed).enumerate().map(|(at, verdict)| Outcome {
        notes: vec![said()],
        url: said(),
        ..outcome(&format!("p{at}"), verdict)
    });
    run_of(outcomes.collect())
}

#[test]
fn no_report_lets_a_page_act_or_speak_for_pagesight() {
    let own = own_lines();
    for seed in 0..30 {
        let run = checked(&mut Dice(seed), &own);
        let mut texts = vec![
            report_text::pages(&run, |_| true) + &report_text::total(&run, "accept"),
            report_text::undone(&run.outcomes[2]),
            junit::xml(&run).unwrap(),
        ];
        texts.extend(run.outcomes.iter().filter_map(|outcome| {
            Some(comparison::lines(outcome.verdict.comparison()?, Severity::Info))
        }));
        // A command of pagesight is one line, and begins with its own words.
        for line in github::annotations(&run, "pages.toml", |_| 1) {
            assert_eq!(line.lines().count(), 1, "{line}");
            texts.push(line.strip_prefix("::error file=pages.toml").unwrap().to_owned());
        }
        for text in texts {
            // Annotations break up mentions with it.
            let text = text.replace('\u{200b}', "");
            assert_eq!(faults_of_text(&text, &own), Vec::<String>::new());
        }
        let printed = json::to_text(&report_json::result(&run, &[]));
        assert_eq!(faults_of_json(&printed), Vec::<String>::new());
        // Nothing is a command in a file of HTML or Markdown.
        for text in [html::html(&run), github::summary(&run)] {
            let text = text.replace('\t', " ").replace('\u{200b}', "");
            let faults = faults_of_text(&text, &[]);
            let unseen: Vec<&String> = faults.iter().filter(|it| it.starts_with("U+")).collect();
            assert!(unseen.is_empty(), "{unseen:?}");
        }
    }
}
