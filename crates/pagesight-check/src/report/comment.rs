//! Formats the result of a check as Markdown for a comment on a pull request: the pages that
//! changed, with sentences, and how to accept them.

use pagesight_core::compare::Severity;

use super::github::{TABLE, cell, listed, row};
use super::words::{count, first};
use crate::result::{CheckResult, Outcome};

/// Marks the comment, so that the next run finds and replaces it.
const MARK: &str = "<!-- pagesight check -->";
/// GitHub refuses a comment of more than 65,536 characters.
const LONGEST: usize = 60_000;
/// How many changes of a page are listed, and the longest sentence.
const MOST_CHANGES: usize = 8;
const LONGEST_SENTENCE: usize = 400;

/// How changes are accepted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AcceptWay {
    /// The command that accepts them.
    pub command: String,
    /// The command that fetches the run from CI, if that is known.
    pub fetch: Option<String>,
}

impl AcceptWay {
    /// Returns the way for a command that needs no run.
    pub fn command(command: &str) -> AcceptWay {
        AcceptWay { command: command.to_owned(), fetch: None }
    }

    /// Returns the way for a command. On GitHub, `PAGESIGHT_ARTIFACT` names the artifact with the
    /// run.
    pub fn of(command: String, environment: &dyn Fn(&str) -> Option<String>) -> AcceptWay {
        let plain = |name: &str| {
            let fine = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            let value = environment(name)?;
            let is_plain = !value.is_empty() && !value.starts_with('-') && value.chars().all(fine);
            is_plain.then_some(value)
        };
        let fetch =
            plain("GITHUB_RUN_ID").zip(plain("PAGESIGHT_ARTIFACT")).map(|(run, artifact)| {
                format!("gh run download {run} --name {artifact} --dir .pagesight/run")
            });
        let command = match &fetch {
            Some(_) => "pagesight check accept".to_owned(),
            None => command,
        };
        AcceptWay { command, fetch }
    }
}

/// Returns the result as Markdown, for a comment on a pull request.
pub fn markdown(checked: &CheckResult, way: &AcceptWay) -> String {
    let headline = match (checked.pages(), checked.bad_pages()) {
        (0, _) => "nothing was checked".to_owned(),
        (all, 0) => format!("{} passed", count(all, "page")),
        (all, bad) => format!("{bad} of {} failed", count(all, "page")),
    };
    let mut out = format!(
        "{MARK}\n### pagesight: {headline}\n\n{}, {}\n",
        cell(&checked.subject),
        checked.summary()
    );
    let listed = listed(checked);
    let end = how_to_accept(checked, way);
    if !listed.is_empty() {
        out.push_str(TABLE);
        let mut room = LONGEST.saturating_sub(out.chars().count() + end.chars().count());
        let mut left = listed.len();
        for outcome in &listed {
            let row = row(outcome, checked.fail_on, &sentences(outcome));
            let length = row.chars().count();
            if length > room {
                break;
            }
            room -= length;
            left -= 1;
            out.push_str(&row);
        }
        if left > 0 {
            out.push_str(&format!("\nand {}\n", count(left, "more page")));
        }
    }
    out + &end
}

/// Returns what to report about a page, escaped and shortened.
fn sentences(outcome: &Outcome) -> Vec<String> {
    let mut sentences = first(outcome.reasons(Severity::Info), MOST_CHANGES);
    sentences.extend(first(outcome.notes.iter().cloned(), MOST_CHANGES));
    let short = |text: &String| {
        let begin: String = text.chars().take(LONGEST_SENTENCE).collect();
        let dots = if begin.len() < text.len() { "…" } else { "" };
        format!("{}{dots}", cell(&begin))
    };
    sentences.iter().map(short).collect()
}

/// Returns how to accept the changes; nothing if there are none.
fn how_to_accept(checked: &CheckResult, way: &AcceptWay) -> String {
    let acceptable = checked.count("changed") + checked.count("no baseline");
    if acceptable == 0 {
        return String::new();
    }
    let fetch = way.fetch.as_ref().map_or(String::new(), |fetch| format!("{fetch}\n"));
    let where_from = match &way.fetch {
        Some(_) => "accept this run in your checkout, without visiting the pages again",
        None => "accept this run without visiting the pages again",
    };
    format!(
        "\nIf these changes are intended, {where_from}, and commit the baselines:\n\n```sh\n{fetch}{}\n```\n\n`--only NAME` accepts one page, `--type TYPE` one type of change.\n",
        way.command
    )
}

#[cfg(test)]
mod tests {
    use pagesight_core::compare::Comparison;

    use super::*;
    use crate::result::Verdict;
    use crate::result::tests::{change, checked, compared};

    fn way() -> AcceptWay {
        AcceptWay::of("pagesight check accept".to_owned(), &|_| None)
    }

    #[test]
    fn it_lists_what_changed_and_how_to_accept_it() {
        let run = checked(
            Severity::Error,
            vec![
                Verdict::Compared(compared(&[])),
                Verdict::Compared(compared(&[Severity::Error])),
                Verdict::NoBaseline,
            ],
        );
        let text = markdown(&run, &way());
        assert!(
            text.starts_with("<!-- pagesight check -->\n### pagesight: 2 of 3 pages failed\n"),
            "{text}"
        );
        assert!(
            text.contains(
                "| p1 (chromium 1280x720) | **changed** | error: Button 'Save' is no longer there."
            ),
            "{text}"
        );
        assert!(
            text.contains("```sh\npagesight check accept\n```") && !text.contains("| p0"),
            "{text}"
        );
        let quiet =
            markdown(&checked(Severity::Error, vec![Verdict::Compared(compared(&[]))]), &way());
        assert!(quiet.contains("1 page passed") && !quiet.contains("accept"), "{quiet}");
    }

    #[test]
    fn on_github_the_run_is_fetched_first() {
        let of = |artifact: &str| {
            let found = |name: &str| match name {
                "GITHUB_RUN_ID" => Some("123".to_owned()),
                "PAGESIGHT_ARTIFACT" => Some(artifact.to_owned()),
                _ => None,
            };
            AcceptWay::of("x".to_owned(), &found)
        };
        let fetch = of("pagesight-run").fetch.unwrap();
        assert_eq!(fetch, "gh run download 123 --name pagesight-run --dir .pagesight/run");
        for bad in ["a b", "$(x)", "`x`", "", "-x", "a\nb"] {
            assert_eq!(of(bad).fetch, None, "{bad:?}");
        }
    }

    #[test]
    fn a_page_cannot_write_markdown_and_the_length_is_bounded() {
        let hostile = change(
            Severity::Error,
            "Link '<!-- x --> | @team [a](b) ``` https://evil.example' is gone",
        );
        let comparison = Comparison { changes: vec![hostile], ..compared(&[]) };
        let text = markdown(&checked(Severity::Error, vec![Verdict::Compared(comparison)]), &way());
        let row = text.lines().find(|line| line.starts_with("| p0")).unwrap();
        assert!(
            !row.contains("<!--")
                && row.contains("&#64;\u{200b}team")
                && !row.contains("```")
                && !row.contains("https:"),
            "{row}"
        );
        let long = "x".repeat(10_000);
        let many = (0..3_000).map(|_| Verdict::Failed { error: long.clone() }).collect();
        let text = markdown(&checked(Severity::Error, many), &way());
        assert!(text.chars().count() <= LONGEST + 100, "{}", text.chars().count());
        assert!(text.contains(" more pages\n"), "{text}");
    }
}
