//! The parts of calling the page script that all engines share: its source, the expressions that
//! call its functions, and how the answers are read. Each engine evaluates the expressions in its
//! own way.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::error::{BrowserError, Result};
use crate::wire::json::repair;

/// The page script, bundled from `page/`: a function of the engine's traits.
const BUNDLE: &str = include_str!("../page.js");
/// The part of it that has to run when a document begins; a function of the same traits.
const START: &str = include_str!("../page_start.js");
/// The hooks that run in the page's own world; a function of the word that they answer to.
const HOOKS: &str = include_str!("../page_hooks.js");
/// The script of the world where expressions that may only read run.
const READING: &str = include_str!("../page_reading.js");
/// The name of the isolated world or sandbox that the page script runs in.
pub(crate) const WORLD: &str = "pagesight";
/// The longest text of a page that is passed on in a message, in characters.
const TEXT_LIMIT: usize = 500;

/// The traits of an engine that the page script has to know.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EngineTraits {
    /// A secret word, for an engine where a page may come back from the back/forward cache without
    /// its world: it names the events with which the new world asks the old one.
    pub(crate) handover_word: Option<String>,
    /// A secret word, if what scripts of the page schedule is observed: it names the event with
    /// which the page script gets to know the hooks.
    pub(crate) schedule_word: Option<String>,
    /// Whether the open list of a select takes all further clicks.
    pub(crate) select_list_takes_clicks: bool,
    /// Whether a tab may draw hardly any frames: in the user's browser, a different tab may be in
    /// front.
    pub(crate) may_be_undrawn: bool,
}

/// Returns a word that no page can guess.
pub(crate) fn secret_word() -> String {
    let random = || RandomState::new().hash_one(std::process::id());
    format!("w{:016x}{:016x}", random(), random())
}

/// Returns the expression that observes what the scripts of a page schedule, for the page's own
/// world. It has to run before them. In an engine that does not report listeners, it notes them.
pub(crate) fn hooks_expression(word: &str, reports_listeners: bool) -> String {
    let traits = json!({"scheduleWord": word, "reportsListeners": reports_listeners});
    format!("{HOOKS}({traits});")
}

/// Returns the expression that installs the page script for an engine.
pub(crate) fn install_expression(traits: &EngineTraits) -> String {
    format!("{BUNDLE}({});", json!(traits))
}

/// Returns the expression that makes a world ready for expressions that may only read.
pub(crate) fn reading_expression() -> String {
    format!("{READING}({});", json!(EngineTraits::default()))
}

/// Returns the expression for the beginning of a document. Parsing the whole script takes Firefox
/// 20 ms in every document, also in those that nobody asks about.
pub(crate) fn start_expression(traits: &EngineTraits) -> String {
    format!("{START}({});", json!(traits))
}

/// Returns the expression that calls `function` with `arguments`, a JSON array.
pub(crate) fn call_expression(function: &str, arguments: &str) -> Result<String> {
    let plain = !function.is_empty()
        && function.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !plain {
        return Err(BrowserError::Script(format!(
            "{function:?} is not a function of the page script"
        )));
    }
    Ok(in_script(&format!("{function}(...{arguments})")))
}

/// Whether the page script is installed. A page may have an element or a frame called `pagesight`,
/// which is a property of its window in every world, but never an own one.
pub(crate) const IS_INSTALLED: &str = "Object.hasOwn(globalThis,'pagesight')";

/// Returns the expression for a member of the page script; it throws if that is not installed.
fn in_script(member: &str) -> String {
    format!(
        "(()=>{{if(!{IS_INSTALLED})throw new ReferenceError('{NOT_INSTALLED}');\
         return pagesight.{member}}})()"
    )
}
const NOT_INSTALLED: &str = "pagesight is not defined";

/// Returns the expression for the window objects of frame elements.
pub(crate) fn windows_expression(elements: &[u32]) -> String {
    in_script(&format!("frameWindows({})", json!(elements)))
}

/// Returns the expression for one element.
pub(crate) fn element_expression(element: u32) -> String {
    in_script(&format!("elementOf({element})"))
}

/// Returns whether an exception means that the page script is missing in a document.
pub(crate) fn is_not_installed(exception: &str) -> bool {
    exception.contains(NOT_INSTALLED)
}

/// Names the function in the error of a call that timed out.
pub(crate) fn name_timeout(error: BrowserError, function: &str, limit: Duration) -> BrowserError {
    match error {
        BrowserError::TimedOut { .. } => {
            BrowserError::TimedOut { what: format!("the page script's {function}"), limit }
        }
        error => error,
    }
}

/// Reads the answer of a function; `None` means that the value was not a string.
pub(crate) fn read_answer(text: Option<String>) -> Result<String> {
    let Some(answer) = text else {
        return Err(BrowserError::Script("the page script did not return a string".to_owned()));
    };
    // The answer is JSON itself: texts of the page inside it may hold escaped lone surrogates.
    Ok(match repair(&answer) {
        Cow::Owned(repaired) => repaired,
        Cow::Borrowed(_) => answer,
    })
}

/// Checks that there is one entry for each frame element that was asked for.
pub(crate) fn check_frames(
    frames: Vec<Option<String>>,
    elements: &[u32],
) -> Result<Vec<Option<String>>> {
    if frames.len() != elements.len() {
        return Err(BrowserError::Script(
            "the frames of the page could not be identified".to_owned(),
        ));
    }
    Ok(frames)
}

/// Returns the first line of a text, cut after 500 characters.
pub(crate) fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end();
    match line.char_indices().nth(TEXT_LIMIT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
