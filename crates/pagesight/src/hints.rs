//! Words hints for the program's readers: an agent with tools, and a person at the command line.
//! The crates below give hints as data; `pagesight-check` words those for check files.

use std::error::Error;

use pagesight_check::baseline::BaselineError;
use pagesight_core::hint::{Hint, Wording};
use pagesight_core::text::escape;
use pagesight_core::wire::page_file::PageFileError;
use pagesight_session::SessionError;

use crate::project::error::ProjectError;
use crate::tools::error::ToolError;

/// Words for an agent: they name tools.
pub(crate) const MCP: Wording = Wording::new(|hint| Some(for_agent(hint)));

/// Words for a person at the command line: they name commands and flags.
pub(crate) const COMMAND_LINE: Wording = Wording::new(|hint| Some(for_shell(hint)));

/// Returns an error as one sentence, with its hint.
pub(crate) fn sentence(wording: Wording, error: &SessionError) -> String {
    escape::sentence(&wording.sentence(error, error.hint().as_ref()))
}

/// Returns an error of a command and its causes in one line.
pub(crate) fn command_error(error: &anyhow::Error) -> String {
    let causes: Vec<String> = error.chain().map(cause).collect();
    causes.join(": ")
}

fn cause(error: &(dyn Error + 'static)) -> String {
    let hint = if let Some(error) = error.downcast_ref::<SessionError>() {
        return sentence(COMMAND_LINE, error);
    } else if let Some(error) = error.downcast_ref::<ToolError>() {
        return error.sentence(COMMAND_LINE);
    } else if let Some(error) = error.downcast_ref::<ProjectError>() {
        error.hint()
    } else if let Some(error) = error.downcast_ref::<BaselineError>() {
        error.hint()
    } else if let Some(error) = error.downcast_ref::<PageFileError>() {
        error.hint()
    } else {
        None
    };
    COMMAND_LINE.sentence(error, hint.as_ref())
}

fn for_agent(hint: &Hint) -> String {
    let words = match hint {
        Hint::Look => "call inspect_tab",
        Hint::LookAgain => "call inspect_tab again",
        Hint::LookWithoutScope => "call inspect_tab without a scope to see what is there",
        Hint::LookOrWaitLonger => "call inspect_tab, or give a longer timeout_ms",
        Hint::SeeChanges => "inspect_tab",
        Hint::Unfold { scope } => return format!("inspect_tab scope=[{scope}]"),
        Hint::Continue { after, scope: None } => return format!("inspect_tab after=[{after}]"),
        Hint::Continue { after, scope: Some(scope) } => {
            return format!("inspect_tab scope=[{scope}] after=[{after}]");
        }
        Hint::UnfoldInSnapshot { uid } => return format!("take_snapshot scope={uid}"),
        Hint::NarrowSnapshot => "give a scope or more max_tokens",
        Hint::NarrowLog => "give kind, level, match, or more max_tokens",
        Hint::TurnOff { key } => return format!("pipeline {{\"{key}\":false}} shows all"),
        Hint::GiveReference => "give a number from inspect_tab, such as 12 or \"[12]\"",
        Hint::LookForReference => "call inspect_tab and use a reference",
        Hint::GiveNumberAlone => "use the number alone or call inspect_tab",
        Hint::GiveTab { tab } => {
            return format!("give tab: {tab:?}, or call inspect_tab for this one");
        }
        Hint::ClickAndLook => "click it and call inspect_tab",
        Hint::RetryOrReload => "try again, or reload it with browser_navigate",
        Hint::LeaveOrClose => {
            "open a url with browser_navigate, or close the tab with browser_tabs"
        }
        Hint::Reload => "reload it with browser_navigate",
        Hint::OpenTab => "open one with browser_tabs",
        Hint::EnlargeTab => "make the tab larger with browser_tabs, or drag in two steps",
        Hint::AnswerDialog => "answer it with browser_interact",
        Hint::AllowFileUrls => "start pagesight with --allow-file",
        Hint::AllowUploads => "start pagesight with --upload-root DIR to allow the files under DIR",
        Hint::StayUnderUploadRoots => "only files there may be uploaded (--upload-root)",
        Hint::AllowFiles => "start pagesight with --output-root DIR to allow files below DIR",
        Hint::SaveBaseline => {
            "save one with get_dom_fingerprint save_as, or pagesight fingerprint --save"
        }
        Hint::TakeFingerprint => "call get_dom_fingerprint first",
        Hint::SeeHistory { name } => return format!("see pagesight baselines history {name}"),
        Hint::ExportBaselines => "write one with pagesight baselines export",
        Hint::SavePage => "write one with --save-page FILE",
        Hint::CheckSetup => "run pagesight doctor",
        Hint::UseChromium => "use --browser chromium",
    };
    words.to_owned()
}

/// Words errors with flags and commands. Answers are worded as for an agent, because their format
/// is the same everywhere.
fn for_shell(hint: &Hint) -> String {
    let words = match hint {
        Hint::Look => "look with pagesight inspect",
        Hint::LookAgain => "look again with pagesight inspect",
        Hint::LookWithoutScope => "run pagesight inspect without --scope to see what is there",
        Hint::LookOrWaitLonger => "look with pagesight inspect, or wait longer",
        Hint::GiveReference => "give a number that pagesight inspect printed, such as 12",
        Hint::LookForReference => "look with pagesight inspect and use a number",
        Hint::GiveNumberAlone => "use the number alone",
        Hint::ClickAndLook => "click it and look again",
        Hint::RetryOrReload | Hint::LeaveOrClose | Hint::Reload | Hint::OpenTab => "try again",
        Hint::AnswerDialog => {
            "open the page with pagesight open and answer it with pagesight act 'dialog accept'"
        }
        Hint::AllowFileUrls => "add --allow-file",
        Hint::SaveBaseline | Hint::TakeFingerprint => "save one with pagesight fingerprint --save",
        _ => return for_agent(hint),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use pagesight_browser::BrowserError;
    use pagesight_session::{ActionError, Address, LookError, TabError};

    use super::*;

    #[test]
    fn a_hint_follows_its_sentence() {
        let target = || "[1] button: Save".to_owned();
        for (error, words) in [
            (
                ActionError::Gone { target: target() }.into(),
                "[1] button: Save left the page just now; call inspect_tab again",
            ),
            (ActionError::Disabled { target: target() }.into(), "[1] button: Save is disabled"),
            (
                LookError::NoMatch { selector: "#x".into() }.into(),
                "nothing visible matches the selector \"#x\"; call inspect_tab without a scope to see what is there",
            ),
            (
                TabError::Unknown { given: "x".into(), open: "t1".into() }.into(),
                "unknown tab \"x\": the open tabs are t1; open one with browser_tabs",
            ),
            (
                SessionError::TookTooLong { seconds: 50 },
                "the call was ended after 50 s: the page does not answer; try again, or reload it with browser_navigate",
            ),
            (
                "file:///x".parse::<Address>().unwrap_err().into(),
                "\"file:///x\" cannot be opened: file: is off; start pagesight with --allow-file",
            ),
        ] {
            assert_eq!(sentence(MCP, &error), words);
        }
    }

    #[test]
    fn each_reader_has_words_of_its_own() {
        let dialog = BrowserError::DialogOpen { kind: "alert".into(), message: "Hi; there".into() };
        let dialog = SessionError::from(dialog);
        for (wording, words) in [
            (MCP, "answer it with browser_interact"),
            (
                COMMAND_LINE,
                "open the page with pagesight open and answer it with pagesight act 'dialog accept'",
            ),
        ] {
            let expected = format!("dialog open (alert): \"Hi; there\"; {words}");
            assert_eq!(sentence(wording, &dialog), expected);
        }
    }

    #[test]
    fn causes_are_worded_too() {
        let missing = BaselineError::Version { name: "home".into(), version: 7 };
        let error = anyhow::Error::from(missing).context("it cannot be compared");
        assert_eq!(
            command_error(&error),
            "it cannot be compared: baseline \"home\" has no version 7; see pagesight baselines history home"
        );
    }
}
