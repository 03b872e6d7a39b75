//! Formats the result of a check as one self-contained HTML file. The template escapes all text
//! that comes from a page, characters that cannot be seen are left out, and a content security
//! policy allows only the script of the report.

mod badge;
#[cfg(test)]
mod in_browser;
mod kind;
mod page;
mod pictures;
#[cfg(test)]
mod tests;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use pagesight_core::text::escape;
use sha2::{Digest, Sha256};

use crate::clock;
use crate::result::{CheckResult, Outcome};
use badge::Badge;
use kind::Kind;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Returns the result as one HTML file, with its pictures.
pub fn html(checked: &CheckResult) -> String {
    // What failed is read first.
    let pages: Vec<(&Outcome, Badge)> = checked
        .worst_first()
        .into_iter()
        .map(|outcome| (outcome, Badge::of(outcome, checked.fail_on)))
        .collect();
    let badges: Vec<Badge> = pages.iter().map(|(_, badge)| *badge).collect();
    let verdict = verdict(checked);
    // Only this script may run.
    let digest = BASE64.encode(Sha256::digest(SCRIPT));
    let policy = format!(
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    );
    let made = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (verdict) " – " (checked.subject) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a class="skip" href="#pages" { "Skip to the pages" }
                header class="top" {
                    p class="brand" { "pagesight" span class="soft" { " check" } }
                    button type="button" id="theme" class="quiet" hidden { "Dark" }
                }
                main {
                    (summary(checked, &pages, &verdict))
                    (controls(checked, &badges))
                    div id="pages" tabindex="-1" {
                        @for (at, (outcome, badge)) in pages.iter().enumerate() {
                            (page::card(at + 1, outcome, *badge))
                        }
                    }
                    p id="none" hidden { "No page matches these filters." }
                }
                footer {
                    p { "Made by pagesight. " span class="keys" {
                        kbd { "j" } " " kbd { "k" } " next and previous page, " kbd { "/" } " search, " kbd { "Esc" } " clear" } }
                }
                dialog id="large" aria-label="Picture in full size" {
                    form method="dialog" { button class="quiet" { "Close" } }
                    div class="sheet" {}
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    escape::printable(&made.into_string()).into_owned()
}

/// Returns the headline. Pages are counted, not their variants.
fn verdict(checked: &CheckResult) -> String {
    let count = |wanted: fn(Badge) -> bool| {
        checked.pages_with(|outcome| wanted(Badge::of(outcome, checked.fail_on)))
    };
    let all = checked.pages();
    let (failed, changed) = (count(Badge::fails), count(|it| it == Badge::Changed));
    match (all, failed, changed) {
        (0, ..) => "Nothing was checked".to_owned(),
        (1, 1, _) => "The page failed".to_owned(),
        (1, 0, 0) => "The page passed".to_owned(),
        (_, 0, 0) => format!("All {all} pages passed"),
        (1, 0, _) => "The page changed, nothing failed".to_owned(),
        (_, 0, changed) => format!("{changed} of {all} pages changed, none failed"),
        (_, failed, _) if failed == all => format!("All {all} pages failed"),
        (_, failed, _) => format!("{failed} of {all} pages failed"),
    }
}

fn summary(checked: &CheckResult, pages: &[(&Outcome, Badge)], verdict: &str) -> Markup {
    let failed = || pages.iter().enumerate().filter(|(_, (_, badge))| badge.fails());
    let bad = failed().next().is_some();
    html! {
        section class="summary" aria-labelledby="verdict" {
            h1 id="verdict" class=(if bad { "bad" } else { "good" }) { (verdict) }
            p class="soft facts" {
                bdi { (checked.subject) } " · " time datetime=(checked.began) { (clock::readable(&checked.began)) }
                " · took " (page::duration(checked.took)) " · " (checked.pages_counted()) " · fails on " (checked.fail_on.as_str())
            }
            @if !pages.is_empty() {
                div class="bar" aria-hidden="true" {
                    @for badge in Badge::ALL {
                        @let share = share(pages, badge);
                        @if share > 0.0 { span class=(badge.key()) style=(format!("flex-grow:{share:.4}")) {} }
                    }
                }
            }
            @if bad {
                h2 class="minor" { "Failures" }
                ol class="failures" {
                    @for (at, (outcome, badge)) in failed() {
                        li {
                            a href=(format!("#p{}", at + 1)) { bdi { (outcome.name) } }
                            span class="soft" { " " (page::where_taken(outcome)) }
                            p { (page::reason(outcome, *badge)) }
                        }
                    }
                }
            }
        }
    }
}

fn share(pages: &[(&Outcome, Badge)], wanted: Badge) -> f64 {
    let count = pages.iter().filter(|(_, badge)| *badge == wanted).count();
    count as f64 / pages.len().max(1) as f64
}

/// Returns the filters: verdict, severity, browser, viewport, what is emulated and words.
fn controls(checked: &CheckResult, badges: &[Badge]) -> Markup {
    let mut browsers: Vec<&str> = checked.outcomes.iter().map(|outcome| outcome.browser).collect();
    browsers.sort_unstable();
    browsers.dedup();
    let mut viewports: Vec<(u32, u32)> = checked
        .outcomes
        .iter()
        .map(|outcome| (outcome.viewport.width, outcome.viewport.height))
        .collect();
    viewports.sort_unstable();
    viewports.dedup();
    let mut emulated: Vec<&str> = checked.outcomes.iter().map(|it| it.emulation.as_str()).collect();
    emulated.sort_unstable();
    emulated.dedup();
    html! {
        form class="controls" role="search" aria-label="Filter the pages" hidden {
            div class="chips" role="group" aria-label="Verdict" {
                @for badge in Badge::ALL {
                    @let count = badges.iter().filter(|other| **other == badge).count();
                    @if count > 0 {
                        button type="button" class=(format!("chip {}", badge.key())) aria-pressed="false" data-verdict=(badge.key()) {
                            (badge.word()) " " span class="count" { (count) }
                        }
                    }
                }
            }
            div class="fields" {
                label { span { "Search" } input type="search" id="search" name="search" placeholder="Name, address, text" autocomplete="off" spellcheck="false"; }
                label { span { "Severity" } select id="severity" name="severity" {
                    option value="" { "All" }
                    option value="error" { "Errors" }
                    option value="warning" { "Warnings and worse" }
                    option value="info" { "Any change" }
                } }
                @let kinds = Kind::present(checked);
                @if kinds.len() > 1 {
                    label { span { "Kind" } select id="kind" name="kind" {
                        option value="" { "All" }
                        @for kind in &kinds { option value=(kind.key()) { (kind.word()) } }
                    } }
                }
                @if browsers.len() > 1 {
                    label { span { "Browser" } select id="browser" name="browser" {
                        option value="" { "All" }
                        @for browser in &browsers { option value=(browser) { (browser) } }
                    } }
                }
                @if viewports.len() > 1 {
                    label { span { "Viewport" } select id="viewport" name="viewport" {
                        option value="" { "All" }
                        @for (width, height) in &viewports {
                            option value=(format!("{width}x{height}")) { (width) "×" (height) }
                        }
                    } }
                }
                @if emulated.len() > 1 {
                    label { span { "Emulated" } select id="emulated" name="emulated" {
                        option value="" { "All" }
                        @for conditions in &emulated {
                            @if conditions.is_empty() {
                                option value="-" { "Nothing" }
                            } @else {
                                option value=(conditions) { (conditions) }
                            }
                        }
                    } }
                }
                p class="soft" id="shown" role="status" {}
            }
        }
    }
}
