//! The pages of the waiting benchmark, each with random delays. A page records in a variable
//! (`truth`) when it became ready. That changes neither the document nor the network, so it cannot
//! be noticed from outside the page's scripts.

use std::sync::LazyLock;

use crate::page_files::pages;

/// How a good wait ends on a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ExpectedOutcome {
    /// It can be known when it is ready.
    Ready,
    /// It is ready but never still: left soon after its last real change.
    Lively,
    /// It is never ready; the reported reason must start with the first text and contain the
    /// second.
    Named(&'static str, &'static str),
}

/// A kind of page.
pub struct WaitPage {
    pub name: &'static str,
    pub expected: ExpectedOutcome,
    /// A suffix of the address for a second navigation, to a route within the document.
    pub then: Option<&'static str>,
    /// Whether its button `Go` is clicked, and the answer to that is measured instead.
    pub click: bool,
    /// The page's body, after the prelude.
    pub body: &'static str,
    /// Whether the body is served without the prelude, so that the page has no script of ours.
    pub plain: bool,
    /// Whether it can be proven that the page is at rest, because it never had a script. The
    /// benchmark decides this, not the product.
    pub provable: bool,
}

/// The beginning of a page without a script.
pub const PLAIN_PRELUDE: &str =
    "<!doctype html><html lang=en><meta charset=utf-8><title>Wait</title>";

/// When a page with a script was ready: what the script recorded.
const RECORDED: &str = "window.truth ?? null";
/// When a page without a script was ready: when it was loaded. Text is shown before its font is.
const ALL_LOADED: &str = "(() => { const { loadEventStart: from, loadEventEnd: to } = performance.getEntriesByType('navigation')[0]; return to || from ? Math.round(performance.timeOrigin + (to || from)) : null })()";
/// The same for a page that leads to a different one.
const REFRESHED: &str = "location.search.includes('there') ? Math.round(performance.timeOrigin + performance.getEntriesByType('navigation')[0].loadEventEnd) : null";

impl WaitPage {
    /// Reads a page of the file. Lines with `@` before its body say what is expected of it.
    fn read((name, text): (&'static str, &'static str)) -> WaitPage {
        let expected = ExpectedOutcome::Ready;
        let mut page = WaitPage {
            name,
            expected,
            then: None,
            click: false,
            body: text,
            plain: false,
            provable: false,
        };
        while let Some((mark, rest)) =
            page.body.strip_prefix('@').and_then(|rest| rest.split_once('\n'))
        {
            page.body = rest;
            match mark.split_once(' ').unwrap_or((mark, "")) {
                ("then", route) => page.then = Some(route),
                ("lively", _) => page.expected = ExpectedOutcome::Lively,
                ("click", _) => page.click = true,
                ("named", reason) => {
                    let end = reason.find(": ").map_or(0, |at| at + 2);
                    page.expected = ExpectedOutcome::Named(&reason[..end], &reason[end..]);
                }
                // A page without any script. It is ready when everything that it names is loaded.
                ("no", _) => (page.plain, page.provable) = (true, true),
                // A page that looks as if it had no script, and changes nevertheless.
                _ => page.plain = true,
            }
        }
        page
    }

    /// Returns the expression for the time when the page was ready; null if it is not.
    pub fn truth(&self) -> &'static str {
        match self {
            WaitPage { provable: true, .. } => ALL_LOADED,
            WaitPage { body: "REFRESH", .. } => REFRESHED,
            _ => RECORDED,
        }
    }
}

/// Returns the name of a kind in addresses. It has letters: pages whose addresses differ only in
/// numbers are one route.
pub fn letters(kind: usize) -> String {
    [kind / 26, kind % 26].map(|digit| char::from(b'a' + digit as u8)).iter().collect()
}

/// Delays are `D[0]` to `D[7]`, each 80 to 900 ms; `S` seconds, 0.3 to 3.
pub const PRELUDE: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Wait</title><style>
@keyframes turn { to { transform: rotate(1turn) } } @keyframes shine { 50% { opacity: .4 } }
.spinner { width: 40px; height: 40px; border: 4px solid; border-radius: 50%; animation: turn 1s linear infinite }
.skeleton { height: 16px; margin: 8px; background: #ddd; animation: shine 1s infinite }
.box { width: 40px; height: 40px; background: red }</style>
<script>const truth = () => { window.truth = Date.now() };
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const get = (ms, name) => fetch('/delay/' + ms + '/' + name).then((answer) => answer.text());
const app = () => document.getElementById('app');
const show = () => { app().innerHTML = '<h1>Orders</h1><ul><li>Apollo</li><li>Borealis</li></ul><button>Save</button>'; truth() };
const burn = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };</script><h2>Page</h2><div id=app></div>";

pub static KINDS: LazyLock<Vec<WaitPage>> =
    LazyLock::new(|| pages(include_str!("kinds.html")).map(WaitPage::read).collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read() {
        let page = WaitPage::read(("a", "@then #/b\n@named still pending: /hang\n<p>x"));
        assert!(page.expected == ExpectedOutcome::Named("still pending: ", "/hang"));
        assert_eq!((page.then, page.body), (Some("#/b"), "<p>x"));
        assert_eq!(KINDS.iter().filter(|kind| kind.provable).count(), 8);
        assert_eq!(KINDS.iter().filter(|kind| kind.click).count(), 7);
        assert_eq!(KINDS.len(), 108);
        assert_eq!((letters(0), letters(107)), ("aa".to_owned(), "ed".to_owned()));
    }
}
