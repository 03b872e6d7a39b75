//! `pagesight audit`: the violations of accessibility rules on a page, within a budget.

use clap::Args;
use pagesight_core::fingerprint::{Audit, AuditLevel, Violation};
use pagesight_core::text::{escape, tokens};
use pagesight_session::{AuditRequest, FingerprintRequest, ScopeChoice};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{CallEnding, ShellAnswer};
use crate::tools::error::ToolError;
use crate::tools::words::one_of;
use crate::tools::workspace::Workspace;

/// The budget of an answer.
const TOKENS: usize = 1_000;
const FEWEST_TOKENS: usize = 200;
/// How many elements of one rule are listed.
const MOST_ELEMENTS: usize = 5;
const LEVELS: [&str; 4] = ["minor", "moderate", "serious", "critical"];

/// The parameters of an audit.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
pub(crate) struct AuditParameters {
    /// The part of the page: full, viewport, a reference or a CSS selector
    #[arg(long)]
    scope: Option<String>,
    /// The least level that is printed and counts
    #[arg(long, value_name = "LEVEL", default_value = "minor", value_parser = one_of::<AuditLevel>(LEVELS))]
    level: AuditLevel,
    /// Only the rules of axe-core with one of these tags, such as wcag2aa, and those with the tag
    /// pagesight
    #[arg(long, value_name = "TAG,…", value_delimiter = ',', value_parser = name)]
    tags: Vec<String>,
    /// Leave out these rules
    #[arg(long, value_name = "RULE,…", value_delimiter = ',', value_parser = name)]
    ignore: Vec<String>,
    /// The budget of the answer, in tokens
    #[arg(long, value_name = "N", default_value_t = TOKENS, value_parser = budget)]
    max_tokens: usize,
}

/// Parses the name of a rule or a tag.
fn name(given: &str) -> Result<String, String> {
    let fine = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match !given.is_empty() && given.chars().all(fine) {
        true => Ok(given.to_owned()),
        false => Err("give a name of axe-core, such as color-contrast or wcag2aa".to_owned()),
    }
}

fn budget(given: &str) -> Result<usize, String> {
    let tokens = given.parse().ok().filter(|tokens| *tokens >= FEWEST_TOKENS);
    tokens.ok_or_else(|| format!("give a number of tokens, at least {FEWEST_TOKENS}"))
}

/// Audits the page of a workspace. A violation is a result, so the command fails.
pub(super) async fn audit(
    workspace: &Workspace,
    parameters: &AuditParameters,
) -> Result<ShellAnswer, ToolError> {
    let AuditParameters { level, tags, ignore, .. } = parameters;
    let asked = AuditRequest { level: *level, tags: tags.clone(), ignored: ignore.clone() };
    let request = FingerprintRequest {
        scope: ScopeChoice::parse(parameters.scope.as_deref())?,
        audit: Some(asked),
        ..FingerprintRequest::default()
    };
    let tab = workspace.tab(&None).await?;
    let taken = workspace.session.fingerprint(&tab, &request).await?;
    let audit = taken.structure.audit.clone().unwrap_or_default();
    let text = text(&audit, &taken.url, parameters.max_tokens);
    let data = json!({ "url": taken.url, "title": taken.title, "audit": audit });
    let ending = if audit.violations.is_empty() { CallEnding::Done } else { CallEnding::Failed };
    Ok(ShellAnswer { ending, ..ShellAnswer::new(text, data) })
}

/// Returns the violations as text, those of one rule together, the worst first.
fn text(audit: &Audit, url: &str, most: usize) -> String {
    let address = escape::printable(url);
    let frames = match audit.left_out {
        0 => String::new(),
        1 => " (1 frame could not be tested)".to_owned(),
        many => format!(" ({many} frames could not be tested)"),
    };
    let rules = audit.violations.chunk_by(|one, other| one.rule == other.rule);
    let rules: Vec<&[Violation]> = rules.collect();
    let head = match audit.violations.len() {
        0 => format!("{address}: no violations{frames}\n"),
        all => format!(
            "{address}: {} of {}{frames}\n",
            counted(all, "violation"),
            counted(rules.len(), "rule")
        ),
    };
    let engine = format!("axe-core {}\n", audit.engine);
    let mut out = head;
    for (at, rule) in rules.iter().enumerate() {
        let block = block(rule);
        let rest = counted(rules.len() - at, "more rule");
        let end = format!("… {rest} not shown; --max-tokens shows more\n");
        if tokens::count(&format!("{out}{block}{end}{engine}")) > most {
            out.push_str(&end);
            break;
        }
        out.push_str(&block);
    }
    out + &engine
}

/// Returns the lines of one rule.
fn block(violations: &[Violation]) -> String {
    let first = &violations[0];
    let count =
        if violations.len() > 1 { format!(" ({})", violations.len()) } else { String::new() };
    let mut out = format!("{}  {}: {}{count}\n", first.level.as_str(), first.rule, first.help);
    for violation in violations.iter().take(MOST_ELEMENTS) {
        out.push_str(&format!("  {}\n", escape::printable(&violation.element)));
    }
    match violations.len().saturating_sub(MOST_ELEMENTS) {
        0 => {}
        more => out.push_str(&format!("  … {more} more\n")),
    }
    if !first.fix.is_empty() {
        out.push_str(&format!("  fix: {}\n", escape::printable(&first.fix)));
    }
    out
}

fn counted(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violation(rule: &str, element: &str) -> Violation {
        Violation {
            rule: rule.to_owned(),
            level: AuditLevel::Serious,
            element: element.to_owned(),
            help: "Buttons must have a name".to_owned(),
            fix: "Add a text".to_owned(),
            ..Violation::default()
        }
    }

    #[test]
    fn violations_of_a_rule_are_together_and_the_budget_is_kept() {
        let all =
            (0..200).map(|at| violation(&format!("rule-{}", at / 4), &format!("button: {at}")));
        let mut audit = Audit { engine: "4.14.1".to_owned(), ..Audit::default() };
        assert_eq!(text(&audit, "http://a/", 1000), "http://a/: no violations\naxe-core 4.14.1\n");
        audit.violations = all.collect();
        for most in [200, 1000, 5000] {
            let text = text(&audit, "http://a/", most);
            assert!(tokens::count(&text) <= most, "{most}: {text}");
            assert!(
                text.starts_with("http://a/: 200 violations of 50 rules\nserious  rule-0: "),
                "{text}"
            );
            assert_eq!(text.contains("more rules not shown"), most < 5000, "{text}");
        }
        let one = text(
            &Audit { violations: vec![violation("x", "button: Save")], ..audit },
            "http://a/",
            200,
        );
        assert_eq!(
            one,
            "http://a/: 1 violation of 1 rule\nserious  x: Buttons must have a name\n  button: Save\n  fix: Add a text\naxe-core 4.14.1\n"
        );
    }

    #[test]
    fn wrong_values_are_refused() {
        assert!(name("color-contrast").is_ok() && name("").is_err() && name("a b").is_err());
        assert!(budget("200").is_ok() && budget("199").is_err() && budget("x").is_err());
    }
}
