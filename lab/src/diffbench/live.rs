//! Judges diffs in apps that keep no list of their changes. A script (`oracle.js`) records what can
//! be read before and after. That is less exact than a page's own list: a line is true if what it
//! names is there more often than before (or less often). A text counts as found if a line contains
//! it, if it belongs to what a line names, or if a folded line of the same mark stands for many.

use std::collections::HashMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::claims::{Claim, ReportedChanges, read};
use super::judge::DiffVerdict;
use super::play::DiffRun;
use crate::mcp::McpClient;
use crate::outline::unquoted;
use crate::product::{Role, begins_changes, count_tokens};

const ORACLE: &str = include_str!("oracle.js");

/// The readable text before and after an action.
#[derive(Debug, Default, Deserialize)]
pub struct TextAccount {
    added: Vec<String>,
    removed: Vec<RemovedText>,
    /// Which states of controls changed.
    kinds: Vec<String>,
    /// States that more or fewer controls have than before; added elements may bring them.
    redrawn: Vec<String>,
    before: Vec<String>,
    after: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
struct RemovedText {
    text: String,
    /// All text that was removed with it.
    around: String,
}

/// Acts and judges the diff; none if the page was left.
pub async fn act(client: &McpClient, actions: Value) -> anyhow::Result<Option<DiffRun>> {
    client.evaluate(&format!("({ORACLE})('before')")).await?;
    let reply = client.ask("browser_interact", json!({ "actions": actions })).await?;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let left = reply.text.contains("navigated to") && !reply.text.lines().any(begins_changes);
    if reply.failed || left || reply.text.contains("opened ") {
        return Ok(None);
    }
    let account: Option<TextAccount> =
        serde_json::from_value(client.evaluate(&format!("({ORACLE})('after')")).await?)?;
    let Some(account) = account else { return Ok(None) };
    let reported = read(&reply.text);
    let verdict = judge(&reported, &account);
    let (tokens, reply_tokens) = (count_tokens(&reported.block), count_tokens(&reply.text));
    Ok(Some(DiffRun { verdict, tokens, reply_tokens, took: reply.took, reply: reply.text }))
}

/// Compares the lines with the account.
fn judge(reported: &ReportedChanges, account: &TextAccount) -> DiffVerdict {
    let (before, after) = (squeeze(&account.before.concat()), squeeze(&account.after.concat()));
    let (gone, come) =
        (surplus(&account.before, &account.after), surplus(&account.after, &account.before));
    let mut verdict = DiffVerdict::default();
    let (mut now, mut was) = (String::new(), String::new());
    let (mut folded, mut nameless) = (Vec::new(), false);
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    for claim in &reported.claims {
        // What has neither letter nor digit is drawn by a style or a font of icons.
        let name = squeeze(&named(claim));
        let name = if name.chars().any(char::is_alphanumeric) { name } else { String::new() };
        let more = |side: &str, other: &str, pieces: &[String]| {
            side.matches(&name).count() > other.matches(&name).count() || composed(&name, pieces)
        };
        for state in claim.states.iter().filter(|_| claim.mark == '~') {
            *kinds.entry(kind(state)).or_default() += 1;
        }
        let right = match (claim.mark, &claim.names, &claim.values) {
            _ if claim.moved.is_some()
                || claim.states.iter().any(|state| state == "re-ordered") =>
            {
                continue;
            }
            _ if claim.inside && claim.run.is_some() => true,
            ('~', Some((old, new)), _) => {
                was.push_str(&squeeze(&cut(old)));
                now.push_str(&squeeze(&cut(new)));
                before.contains(&squeeze(&cut(old))) && after.contains(&squeeze(&cut(new)))
            }
            ('~', None, Some((_, new))) => {
                *kinds.entry("value").or_default() += 1;
                now.push_str(&squeeze(new));
                after.contains(&squeeze(&cut(new))) || new.contains('•')
            }
            ('~', ..) => claim.states.iter().all(|state| {
                let kind = kind(state);
                kind == "other"
                    || account.kinds.iter().chain(&account.redrawn).any(|changed| changed == kind)
            }),
            ('-', ..) => {
                was.push_str(&squeeze(&claim.body));
                nameless |= name.is_empty();
                name.is_empty() || more(&before, &after, &gone)
            }
            _ => {
                now.push_str(&squeeze(&claim.body));
                now.push_str(&squeeze(claim.values.as_ref().map_or("", |(_, value)| value)));
                name.is_empty()
                    || more(&after, &before, &come)
                    || named_by_another(claim) && after.contains(&name)
            }
        };
        if claim.run.is_some() {
            folded.push(claim.mark);
        }
        verdict.lines += 1;
        verdict.right += usize::from(right);
        if !right {
            verdict.faults.push(format!("false: {}", claim.line.trim()));
        }
    }
    find(reported, account, (&now, &was, &folded, nameless), &kinds, &mut verdict);
    verdict
}

/// Counts how much of the account was reported.
fn find(
    reported: &ReportedChanges,
    account: &TextAccount,
    (now, was, folded, nameless): (&str, &str, &[char], bool),
    kinds: &HashMap<&str, usize>,
    verdict: &mut DiffVerdict,
) {
    // What went and came again with the same words did not change.
    let mut gone: HashMap<&str, usize> = HashMap::new();
    account.removed.iter().for_each(|removed| *gone.entry(&removed.text).or_default() += 1);
    let mut back: HashMap<&str, usize> = HashMap::new();
    let mut note = |found: bool, what: String| {
        verdict.weight += 1.0;
        verdict.found += f64::from(u8::from(found));
        if !found {
            verdict.faults.push(format!("missed: {what}"));
        }
    };
    let unprompted = squeeze(&reported.unprompted);
    for text in &account.added {
        if let Some(left) = gone.get_mut(text.as_str()).filter(|left| **left > 0) {
            *left -= 1;
            *back.entry(text).or_default() += 1;
            continue;
        }
        let piece = squeeze(text);
        note(
            now.contains(&piece) || folded.contains(&'+') || unprompted.contains(&piece),
            format!("+ {text:?}"),
        );
    }
    for removed in &account.removed {
        if let Some(left) = back.get_mut(removed.text.as_str()).filter(|left| **left > 0) {
            *left -= 1;
            continue;
        }
        let (piece, around) = (squeeze(&removed.text), squeeze(&removed.around));
        let with = reported
            .claims
            .iter()
            .filter(|claim| claim.mark == '-')
            .map(|claim| squeeze(&named(claim)));
        let with = with.into_iter().any(|name| !name.is_empty() && around.contains(&name));
        let found = was.contains(&piece)
            || with
            || nameless
            || folded.contains(&'-')
            || unprompted.contains(&piece);
        note(found, format!("- {:?}", removed.text));
    }
    let mut expected: HashMap<&str, usize> = HashMap::new();
    account.kinds.iter().for_each(|kind| *expected.entry(kind).or_default() += 1);
    for (kind, times) in expected {
        note(
            kinds.get(kind).is_some_and(|times| *times > 0) || folded.contains(&'~'),
            format!("~ {kind}, {times} times"),
        );
    }
}

/// Returns the texts that one side has more often.
fn surplus(side: &[String], other: &[String]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    other.iter().for_each(|text| *counts.entry(text).or_default() += 1);
    let mut more: Vec<String> = Vec::new();
    for text in side {
        match counts.get_mut(text.as_str()).filter(|left| **left > 0) {
            Some(left) => *left -= 1,
            None => more.push(squeeze(text)),
        }
    }
    more.sort_by_key(|text| std::cmp::Reverse(text.len()));
    more
}

/// Whether a name is put together of these pieces and nothing else.
fn composed(name: &str, pieces: &[String]) -> bool {
    let rest = pieces
        .iter()
        .filter(|piece| piece.len() > 1)
        .fold(name.to_owned(), |rest, piece| rest.replacen(piece.as_str(), "", 1));
    !rest.chars().any(char::is_alphanumeric)
}

/// A container may get its name from something that stands elsewhere and was there before.
fn named_by_another(claim: &Claim) -> bool {
    ["region", "tabpanel", "group", "dialog", "list", "menu"]
        .iter()
        .any(|role| claim.body.starts_with(role))
}

/// Returns the kind of state that `now checked` or `no longer selected` is about.
fn kind(state: &str) -> &'static str {
    match state.rsplit(' ').next().unwrap_or_default() {
        "checked" | "unchecked" | "mixed" => "checked",
        "disabled" | "enabled" => "disabled",
        "expanded" | "collapsed" => "expanded",
        "selected" => "selected",
        "pressed" => "pressed",
        "invalid" | "valid" => "invalid",
        _ => "other",
    }
}

/// The words of a line without its role, its count and what it lies in.
fn named(claim: &Claim) -> String {
    let body = claim.body.split(" in ").next().unwrap_or_default();
    let body = body
        .rsplit_once(" (")
        .filter(|(_, rest)| rest.ends_with(')'))
        .map_or(body, |(body, _)| body);
    let word = body.split([':', ' ']).next().unwrap_or_default();
    let ours = Role::parse(word) != Role::None
        || matches!(
            word,
            "clickable" | "scrollable" | "iframe" | "canvas" | "columns" | "options" | "figure"
        );
    let name = match body.split_once(": ") {
        Some((head, name)) if ours && head.split(' ').count() <= 2 => name,
        None if ours && body.split(' ').count() <= 2 => "",
        _ => body,
    };
    let name = unquoted(name).map_or(name.to_owned(), |(name, _)| name);
    let name = name.split(" in ").next().unwrap_or_default();
    cut(name)
}

/// Without the signs that something was left out.
fn cut(text: &str) -> String {
    text.trim_start_matches("… ").trim_end_matches('…').trim().to_owned()
}

/// Without white space, and alike for what a style writes in capitals or we write as a list.
fn squeeze(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, ',' | '"'))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(before: &[&str], after: &[&str]) -> TextAccount {
        let all = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let missing = |from: &[&str], of: &[&str]| -> Vec<String> {
            of.iter().filter(|text| !from.contains(text)).map(|text| (*text).to_owned()).collect()
        };
        let removed = missing(after, before)
            .into_iter()
            .map(|text| RemovedText { around: text.clone(), text })
            .collect();
        TextAccount {
            added: missing(before, after),
            removed,
            kinds: Vec::new(),
            redrawn: Vec::new(),
            before: all(before),
            after: all(after),
        }
    }

    fn score(lines: &str, account: &TextAccount) -> (usize, usize, f64, f64) {
        let verdict = judge(&read(&format!("clicked\nchanges:\n{lines}\n")), account);
        (verdict.right, verdict.lines, verdict.found, verdict.weight)
    }

    #[test]
    fn it_can_fail() {
        let changed = account(&["Home", "4 items"], &["Home", "5 items", "Saved"]);
        assert_eq!(
            score("~ [1] \"4 items\" → \"5 items\"\n+ [2] alert: Saved", &changed),
            (2, 2, 3.0, 3.0)
        );
        assert_eq!(
            score("~ [1] \"4 items\" → \"6 items\"\n+ [2] alert: Saved", &changed),
            (1, 2, 2.0, 3.0)
        );
        assert_eq!(score("+ [2] alert: Home", &changed), (0, 1, 0.0, 3.0), "it was there before");
        assert_eq!(score("- [2] alert: Saved", &changed), (0, 1, 0.0, 3.0), "the other way round");
        assert_eq!(score("", &changed), (0, 0, 0.0, 3.0));
        assert_eq!(score("+ [2] row: Saved 5 items", &changed).0, 1, "put together of what came");
        assert_eq!(score("+ [2] row: Saved 7 items", &changed).0, 0);
        let mut checked = account(&["A"], &["A"]);
        checked.kinds = vec!["checked".to_owned()];
        assert_eq!(score("~ [2] checkbox: A — now checked", &checked), (1, 1, 1.0, 1.0));
        assert_eq!(score("~ [2] checkbox: A — now disabled", &checked), (0, 1, 0.0, 1.0));
    }
}
