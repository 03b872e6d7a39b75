//! Formats the result of a check as JUnit XML, which every CI system reads: a test case for each
//! page, a failure for a change, an error for a page that could not be checked.

use std::io;

use pagesight_core::compare::Severity;
use pagesight_core::text::escape;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::result::{CheckResult, Outcome, Verdict};

/// The name of the suite.
const SUITE: &str = "pagesight";

/// Returns the XML document.
pub fn xml(checked: &CheckResult) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let failures =
        checked.outcomes.iter().filter(|outcome| outcome.has_changed(checked.fail_on)).count();
    let errors = checked.outcomes.iter().filter(|outcome| outcome.is_undone()).count();
    let counts = [
        ("tests", checked.outcomes.len().to_string()),
        ("failures", failures.to_string()),
        ("errors", errors.to_string()),
        ("time", seconds(checked.took)),
    ];
    let counted = || counts.iter().map(|(key, value)| (*key, value.as_str()));
    let began = checked.began.trim_end_matches('Z');
    writer
        .create_element("testsuites")
        .with_attribute(("name", SUITE))
        .with_attributes(counted())
        .write_inner_content(|writer| {
            let suite = writer
                .create_element("testsuite")
                .with_attribute(("name", clean(&checked.subject).as_str()));
            let suite = suite
                .with_attribute(("timestamp", began))
                .with_attribute(("hostname", "localhost"));
            suite.with_attributes(counted()).with_attribute(("skipped", "0")).write_inner_content(
                |writer| {
                    checked
                        .outcomes
                        .iter()
                        .try_for_each(|outcome| case(writer, outcome, checked.fail_on))
                },
            )?;
            Ok(())
        })?;
    Ok(String::from_utf8_lossy(&writer.into_inner()).into_owned() + "\n")
}

fn case(writer: &mut Writer<Vec<u8>>, outcome: &Outcome, fail_on: Severity) -> io::Result<()> {
    let name = clean(&outcome.title());
    let took = seconds(outcome.took);
    let case = writer.create_element("testcase").with_attribute(("name", name.as_str()));
    let case = case.with_attribute(("classname", SUITE)).with_attribute(("time", took.as_str()));
    let element = match &outcome.verdict {
        Verdict::Failed { .. } => Some(("error", "failed")),
        Verdict::NoBaseline => Some(("error", "no_baseline")),
        _ if outcome.has_changed(fail_on) => Some(("failure", "changed")),
        _ => None,
    };
    let reasons = outcome.reasons(Severity::Info);
    if element.is_none() && reasons.is_empty() && outcome.notes.is_empty() {
        case.write_empty()?;
        return Ok(());
    }
    case.write_inner_content(|writer| {
        if let Some((element, kind)) = element {
            let first = reasons.first().map_or("", String::as_str);
            let more = if reasons.len() > 1 {
                format!(" (and {} more)", reasons.len() - 1)
            } else {
                String::new()
            };
            let message = clean(&format!("{first}{more}"));
            let element =
                writer.create_element(element).with_attribute(("message", message.as_str()));
            let body =
                clean(&format!("{}\n{}", escape::sentence(&outcome.url), reasons.join("\n")));
            element.with_attribute(("type", kind)).write_text_content(BytesText::new(&body))?;
        }
        // Changes that do not fail are still reported.
        let said = if element.is_some() { Vec::new() } else { reasons };
        let notes = outcome.notes.iter().map(|note| escape::sentence(note));
        let said = said.into_iter().chain(notes).collect::<Vec<_>>().join("\n");
        if !said.is_empty() {
            writer
                .create_element("system-out")
                .write_text_content(BytesText::new(&clean(&said)))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn seconds(took: std::time::Duration) -> String {
    format!("{:.3}", took.as_secs_f64())
}

/// Returns a text without what a page must not write, and without characters that XML does not
/// allow, even escaped.
fn clean(text: &str) -> String {
    let fine = |c: &char| matches!(c, '\t' | '\n' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    escape::lines(text).chars().filter(fine).collect()
}

#[cfg(test)]
mod tests;
