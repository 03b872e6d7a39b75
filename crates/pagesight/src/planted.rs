//! Plants hostile texts in what the program says about pages: answers of tools and errors.
//! `tests/whole/planted.rs` does the same through the command line, and `pagesight-check` has such
//! a test for reports.

use std::time::Duration;

use pagesight_browser::BrowserError;
use pagesight_core::settle::Reason;
use pagesight_core::wire::page_file;
use pagesight_session::{LookError, Navigated, SessionError, TabInfo, WaitOutcome};
use serde_json::Value;

use crate::tools::answer::{Answer, Content};
use crate::tools::{expand, navigate, tabs};
use crate::{hints, mcp};

#[path = "../../../tests/hostile_texts.rs"]
mod hostile_texts;

use hostile_texts::{Dice, faults_of_json, faults_of_text, own_lines, plant, text};

const CAPTURE: &str = include_str!("../../../tests/captures/forms.page.json");

/// Returns the text that an answer becomes for a client.
fn sent(content: Content) -> String {
    let result = mcp::result::result_of(content.into());
    let value = serde_json::to_value(result).unwrap();
    value["content"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn no_answer_lets_a_page_act_or_speak_for_pagesight() {
    let own = own_lines();
    for seed in 0..300 {
        let dice = &mut Dice(seed);
        let mut plant = || text(dice, &own);
        let navigated = Navigated {
            url: format!("https://x/{}", plant()),
            title: plant(),
            status: Some(200),
            waited: Duration::from_millis(3),
            outcome: WaitOutcome::Settled(Reason::StillPending(plant())),
            trouble: None,
        };
        let tab =
            TabInfo { id: "t1".into(), name: None, url: plant(), unchosen: None, active: true };
        let found = TabInfo { unchosen: Some(plant()), active: false, ..tab.clone() };
        let errors: [SessionError; 4] = [
            BrowserError::Script(plant()).into(),
            BrowserError::DialogOpen { kind: "alert".into(), message: plant() }.into(),
            BrowserError::Refused { method: "x".into(), message: plant() }.into(),
            LookError::NoMatch { selector: plant() }.into(),
        ];
        let mut texts = vec![navigate::lines(&navigated, hints::MCP), tabs::line(&tab)];
        texts.push(tabs::line(&found));
        texts.extend(errors.iter().map(|error| hints::sentence(hints::MCP, error)));
        for text in texts {
            // What a printer of its own filters is clean before the last filter.
            assert_eq!(faults_of_text(&text, &own), Vec::<String>::new());
        }
        // The last filter catches what no printer filtered.
        let raw = plant();
        let shown = sent(Content::Text(format!("x {raw}")));
        let unseen = faults_of_text(&shown, &[]);
        assert_eq!(unseen, Vec::<String>::new());
        let value = Value::from(vec![raw.clone(), raw]);
        let shown = sent(Content::Json(value.clone()));
        assert_eq!(faults_of_json(&shown), Vec::<String>::new());
        assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), value);
        let late = Answer::json_text("{\"a\":1}".into()).with_late_changes(&plant());
        assert_eq!(faults_of_json(&sent(late.content)), Vec::<String>::new());
    }
}

#[test]
fn a_described_element_is_exact_and_harmless() {
    let own = own_lines();
    for seed in 0..6 {
        let page = page_file::read(&plant(CAPTURE, &mut Dice(seed), &own)).unwrap();
        for number in 1..60 {
            let Ok(value) = expand::expand_file(&page, &number.to_string()) else { continue };
            let shown = sent(Content::Json(value.clone()));
            assert_eq!(faults_of_json(&shown), Vec::<String>::new());
            assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), value);
        }
    }
}
