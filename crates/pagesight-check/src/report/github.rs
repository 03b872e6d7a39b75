//! Formats the result of a check for GitHub Actions: an annotation for each page that fails, on its
//! line of `pages.toml`, and a job summary in Markdown.

use pagesight_core::compare::Severity;
use pagesight_core::text::escape;

use super::inert::{BREAK, inert};
use super::words::first;
use crate::result::{CheckResult, Outcome, Verdict};

/// GitHub shows ten annotations of one kind per step; the rest is in the summary.
const MOST_ANNOTATIONS: usize = 10;
/// How many changes of a page are listed.
const MOST_CHANGES: usize = 10;
/// How many pages the summary lists; GitHub refuses a summary of more than 1 MiB.
const MOST_PAGES: usize = 200;

/// Returns one annotation per page that fails. `file` is the path of `pages.toml` in the
/// repository, and `line_of` finds the line of a page in it by the page's name.
pub fn annotations(
    checked: &CheckResult,
    file: &str,
    line_of: impl Fn(&str) -> usize,
) -> Vec<String> {
    let bad: Vec<&Outcome> = checked
        .worst_first()
        .into_iter()
        .filter(|outcome| outcome.is_bad(checked.fail_on))
        .collect();
    let annotate = |outcome: &&Outcome| {
        let line = line_of(&outcome.name);
        let title = format!("{}: {}", outcome.title(), outcome.verdict.word());
        let reasons = first(outcome.reasons(checked.fail_on), MOST_CHANGES);
        format!(
            "::error file={},line={line},title={}::{}",
            property(&escape::lines(file)),
            property(&inert(&escape::lines(&title))),
            message(&reasons.join("\n"))
        )
    };
    bad.iter().take(MOST_ANNOTATIONS).map(annotate).collect()
}

/// Returns the job summary.
pub fn summary(checked: &CheckResult) -> String {
    let mut out = format!("## pagesight: {}\n\n{}\n", cell(&checked.subject), checked.summary());
    let reported = listed(checked);
    if reported.is_empty() {
        return out;
    }
    out.push_str(TABLE);
    for outcome in reported.iter().take(MOST_PAGES) {
        let mut reasons = first(outcome.reasons(Severity::Info), MOST_CHANGES);
        reasons.extend(outcome.notes.iter().cloned());
        let reasons: Vec<String> = reasons.iter().map(|reason| cell(reason)).collect();
        out.push_str(&row(outcome, checked.fail_on, &reasons));
    }
    if reported.len() > MOST_PAGES {
        out.push_str(&format!("\nand {} more pages\n", reported.len() - MOST_PAGES));
    }
    out
}

/// The head of the table of pages.
pub(super) const TABLE: &str = "\n| page | result | what |\n|---|---|---|\n";

/// Returns the row of a page, with sentences that are escaped.
pub(super) fn row(outcome: &Outcome, fail_on: Severity, sentences: &[String]) -> String {
    let mark = if outcome.is_bad(fail_on) { "**" } else { "" };
    let (title, word) = (cell(&outcome.title()), outcome.verdict.word());
    format!("| {title} | {mark}{word}{mark} | {} |\n", sentences.join("<br>"))
}

/// Returns the pages that have something to report, the worst first.
pub(super) fn listed(checked: &CheckResult) -> Vec<&Outcome> {
    checked.worst_first().into_iter().filter(|outcome| is_listed(outcome)).collect()
}

fn is_listed(outcome: &Outcome) -> bool {
    let quiet = match &outcome.verdict {
        Verdict::Compared(comparison) => comparison.changes.is_empty(),
        Verdict::Saved => true,
        _ => false,
    };
    !quiet || !outcome.notes.is_empty()
}

/// Escapes the text of a workflow command. Nothing in it is a link or a mention.
fn message(text: &str) -> String {
    data(&inert(&escape::lines(text)))
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Escapes what ends the data of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes text for a cell of a Markdown table. Nothing in it is a link or a mention.
pub(super) fn cell(text: &str) -> String {
    let mut out = String::new();
    let text = inert(&escape::printable(text));
    for (at, c) in text.char_indices() {
        let begin = &text[..at];
        let is_broken = || text[at + c.len_utf8()..].starts_with(BREAK) || begin.ends_with(BREAK);
        match c {
            // Not every Markdown keeps characters that cannot be seen.
            ':' | '.' | '@' if is_broken() => out.push_str(&format!("&#{};", u32::from(c))),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\n' | '\r' => out.push(' '),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::tests::{change, checked, compared};
    use pagesight_core::compare::Comparison;

    fn line_of(name: &str) -> usize {
        if name == "p1" { 7 } else { 3 }
    }

    #[test]
    fn an_annotation_stands_on_the_line_of_its_page_and_cannot_be_broken_out_of() {
        let hostile = change(Severity::Error, "Button '100%\n::error::x' is gone");
        let comparison = Comparison { changes: vec![hostile], ..compared(&[]) };
        let run = checked(
            Severity::Error,
            vec![Verdict::Compared(compared(&[Severity::Info])), Verdict::Compared(comparison)],
        );
        let lines = annotations(&run, "web/pages.toml", line_of);
        assert_eq!(
            lines,
            [
                "::error file=web/pages.toml,line=7,title=p1 (chromium 1280x720)%3A changed::error: Button '100%25 ::error::x' is gone. (main > form)"
            ]
        );
    }

    #[test]
    fn an_annotation_mentions_nobody() {
        let hostile =
            change(Severity::Error, "Link '@team #1 https://evil.example 16c999e8' is gone");
        let comparison = Comparison { changes: vec![hostile], ..compared(&[]) };
        let mut run = checked(Severity::Error, vec![Verdict::Compared(comparison)]);
        run.outcomes[0].scope = "#main".to_owned();
        let line = annotations(&run, "web/@a/pages.toml", line_of).remove(0);
        assert_eq!(
            line.replace(BREAK, "|"),
            "::error file=web/@a/pages.toml,line=3,title=p0 (chromium 1280x720%2C #|main)%3A changed::error: Link '@|team #|1 https:|//evil.example 16c999|e8' is gone. (main > form)"
        );
    }

    #[test]
    fn only_as_many_as_are_shown() {
        let run = checked(
            Severity::Error,
            (0..30).map(|_| Verdict::Failed { error: "no".into() }).collect(),
        );
        assert_eq!(annotations(&run, "pages.toml", line_of).len(), MOST_ANNOTATIONS);
    }

    #[test]
    fn the_summary_is_markdown_that_pages_cannot_write() {
        let hostile = change(Severity::Error, "Link '<img src=x> | @team [a](b)' is gone");
        let comparison = Comparison { changes: vec![hostile], ..compared(&[]) };
        let run = checked(
            Severity::Error,
            vec![Verdict::Compared(comparison), Verdict::Compared(compared(&[]))],
        );
        let text = summary(&run);
        assert!(text.contains("2 pages: 1 unchanged, 1 changed (1 error)"), "{text}");
        assert!(text.contains("| p0 (chromium 1280x720) | **changed** | error: Link '&lt;img src=x&gt; \\| &#64;\u{200b}team \\[a\\](b)' is gone."), "{text}");
        assert!(!text.contains("p1"), "{text}");
    }

    #[test]
    fn addresses_in_the_summary_are_no_links() {
        for (text, expected) in [
            ("see https://evil.example/", "see https&#58;|//evil.example/"),
            ("HTTP://a ftp://b", "HTTP&#58;|//a ftp&#58;|//b"),
            ("www.evil.example", "www|&#46;evil.example"),
            ("mailto:a xmpp:b", "mailto&#58;|a xmpp&#58;|b"),
            ("#12 GH-3 16c999e8", "\\#|12 GH-|3 16c999|e8"),
            ("error: 3 items at 10:30. Wow.", "error: 3 items at 10:30. Wow."),
        ] {
            assert_eq!(cell(text).replace(BREAK, "~"), expected.replace('|', "~"));
        }
    }
}
