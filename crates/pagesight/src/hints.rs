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

/// Words for an agent: they name tools. In a call of a shell command they name commands, because
/// agents and shell commands may use the same session.
pub(crate) const MCP: Wording = Wording::new(|hint| {
    let in_shell = IN_SHELL.try_with(|()| ()).is_ok();
    Some(if in_shell { for_shell(hint) } else { for_agent(hint) })
});

/// Words for a person at the command line: they name commands and flags.
pub(crate) const COMMAND_LINE: Wording = Wording::new(|hint| Some(for_own_page(hint)));

tokio::task_local! {
    /// Set while a call of a shell command runs in the process that agents use, too.
    static IN_SHELL: ();
}

/// Runs a call of a shell command: its hints name commands instead of tools.
pub(crate) async fn in_shell<T>(call: impl Future<Output = T>) -> T {
    IN_SHELL.scope((), call).await
}

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
        Hint::ContinueQuery { after } => return format!("the same query with after=[{after}]"),
        Hint::UnfoldInSnapshot { uid } => return format!("take_snapshot scope={uid}"),
        Hint::NarrowSnapshot => "give a scope or more max_tokens",
        Hint::NarrowLog => "give kind, level, match, or more max_tokens",
        Hint::MoreRows { after } => return format!("read_rows after={after}"),
        Hint::ReadOn { pages, after } => {
            return format!("read_rows pages={pages} after={after}");
        }
        Hint::ChooseColumns => "choose some with columns",
        Hint::TurnOff { key } => return format!("pipeline {{\"{key}\":false}} shows all"),
        Hint::GiveReference => "give a number from inspect_tab, such as 12 or \"[12]\"",
        Hint::LookForReference => "call inspect_tab and use a reference",
        Hint::GiveNumberAlone => "use the number alone or call inspect_tab",
        Hint::GiveTab { tab } => {
            return format!("give tab: {tab:?}, or call inspect_tab for this one");
        }
        Hint::NarrowTarget => "give one of the numbers as element, or limit the target with in",
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
        Hint::TakeFingerprint => "call get_dom_fingerprint first",
        Hint::SaveBaseline => {
            "save one with get_dom_fingerprint save_as, or pagesight fingerprint --save"
        }
        Hint::SeeHistory { name } => return format!("see pagesight baselines history {name}"),
        Hint::ExportBaselines => "write one with pagesight baselines export",
        Hint::SavePage => "write one with --save-page FILE",
        Hint::CheckSetup => "run pagesight doctor",
        Hint::UseChromium => "use --browser chromium",
        Hint::AllowEvaluate => "the user can start pagesight with --allow-evaluate=read",
    };
    words.to_owned()
}

/// Words hints with flags and commands. No word names a tool.
fn for_shell(hint: &Hint) -> String {
    let words = match hint {
        Hint::Look => "run pagesight look",
        Hint::LookAgain => "run pagesight look again",
        Hint::LookWithoutScope => "run pagesight look without --scope to see what is there",
        Hint::LookOrWaitLonger => "run pagesight look, or wait longer",
        Hint::SeeChanges => "pagesight look",
        Hint::Unfold { scope } => return format!("pagesight look --scope {scope}"),
        Hint::Continue { after, scope: None } => return format!("pagesight look --after {after}"),
        Hint::Continue { after, scope: Some(scope) } => {
            return format!("pagesight look --scope {scope} --after {after}");
        }
        Hint::ContinueQuery { after } => return format!("the same words with --after {after}"),
        Hint::UnfoldInSnapshot { uid } => return format!("pagesight snapshot --scope {uid}"),
        Hint::NarrowSnapshot => "give --scope or a larger --max-tokens",
        Hint::NarrowLog => "give --kind, --level, --match, or a larger --max-tokens",
        Hint::MoreRows { after } => return format!("pagesight rows --after {after}"),
        Hint::ReadOn { pages, after } => {
            return format!("pagesight rows --pages {pages} --after {after}");
        }
        Hint::ChooseColumns => "choose some with --columns",
        Hint::TurnOff { key } => return format!("--pipeline '{{\"{key}\":false}}' shows all"),
        Hint::GiveReference => "give a number that pagesight look printed, such as 12",
        Hint::LookForReference => "run pagesight look and use a number",
        Hint::GiveNumberAlone => "use the number alone, or run pagesight look",
        Hint::GiveTab { tab } => {
            return format!("run pagesight tabs select {tab}, or pagesight look for this one");
        }
        Hint::NarrowTarget => "use one of the numbers, or limit the name with in",
        Hint::ClickAndLook => "click it and run pagesight look",
        Hint::RetryOrReload => "try again, or load it again with pagesight open",
        Hint::LeaveOrClose => {
            "open a page with pagesight open, or close the tab with pagesight tabs close TAB"
        }
        Hint::Reload => "load it again with pagesight open",
        Hint::OpenTab => "open one with pagesight tabs new",
        Hint::EnlargeTab => "use a larger --viewport, or drag in two steps",
        Hint::AnswerDialog => "answer it with pagesight act 'dialog accept'",
        Hint::AllowFileUrls => "add --allow-file",
        Hint::AllowUploads => "run pagesight serve --upload-root DIR to allow the files under DIR",
        Hint::StayUnderUploadRoots => "only files there may be uploaded (--upload-root)",
        Hint::AllowFiles => "run pagesight serve --output-root DIR to allow files below DIR",
        Hint::TakeFingerprint => "run pagesight fingerprint first",
        Hint::SaveBaseline => "save one with pagesight fingerprint --save",
        Hint::SeeHistory { name } => return format!("see pagesight baselines history {name}"),
        Hint::ExportBaselines => "write one with pagesight baselines export",
        Hint::SavePage => "write one with --save-page FILE",
        Hint::CheckSetup => "run pagesight doctor",
        Hint::UseChromium => "use --browser chromium",
        Hint::AllowEvaluate => {
            "end the process with pagesight close --all and start it with pagesight serve --allow-evaluate=read"
        }
    };
    words.to_owned()
}

/// Words hints for a command that opened its page in a browser of its own: nothing can be done
/// there after the command.
fn for_own_page(hint: &Hint) -> String {
    match hint {
        Hint::AnswerDialog => {
            "open the page with pagesight open and answer it with pagesight act 'dialog accept'"
                .to_owned()
        }
        Hint::RetryOrReload | Hint::LeaveOrClose | Hint::Reload | Hint::OpenTab => {
            "try again".to_owned()
        }
        Hint::ReadOn { pages, .. } => {
            format!("open the page with pagesight open and run pagesight rows --pages {pages}")
        }
        _ => for_shell(hint),
    }
}

#[cfg(test)]
mod tests {
    use pagesight_browser::BrowserError;
    use pagesight_session::{ActionError, Address, LookError, TabError};

    use super::*;
    use crate::tools::evaluate_permission::EvaluatePermission;
    use crate::tools::registry;

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

    /// Returns the next hint, so that a test can visit all. A new hint does not compile without a
    /// place here.
    fn next(hint: &Hint) -> Option<Hint> {
        Some(match hint {
            Hint::Look => Hint::LookAgain,
            Hint::LookAgain => Hint::LookWithoutScope,
            Hint::LookWithoutScope => Hint::LookOrWaitLonger,
            Hint::LookOrWaitLonger => Hint::SeeChanges,
            Hint::SeeChanges => Hint::Unfold { scope: 1 },
            Hint::Unfold { .. } => Hint::Continue { after: 1, scope: None },
            Hint::Continue { scope: None, .. } => Hint::Continue { after: 1, scope: Some(2) },
            Hint::Continue { .. } => Hint::ContinueQuery { after: 1 },
            Hint::ContinueQuery { .. } => Hint::UnfoldInSnapshot { uid: "1_2".into() },
            Hint::UnfoldInSnapshot { .. } => Hint::NarrowSnapshot,
            Hint::NarrowSnapshot => Hint::NarrowLog,
            Hint::NarrowLog => Hint::MoreRows { after: 20 },
            Hint::MoreRows { .. } => Hint::ReadOn { pages: "next", after: 20 },
            Hint::ReadOn { .. } => Hint::ChooseColumns,
            Hint::ChooseColumns => Hint::TurnOff { key: "enable_noise_filter" },
            Hint::TurnOff { .. } => Hint::GiveReference,
            Hint::GiveReference => Hint::LookForReference,
            Hint::LookForReference => Hint::GiveNumberAlone,
            Hint::GiveNumberAlone => Hint::GiveTab { tab: "t2".into() },
            Hint::GiveTab { .. } => Hint::NarrowTarget,
            Hint::NarrowTarget => Hint::ClickAndLook,
            Hint::ClickAndLook => Hint::RetryOrReload,
            Hint::RetryOrReload => Hint::LeaveOrClose,
            Hint::LeaveOrClose => Hint::Reload,
            Hint::Reload => Hint::OpenTab,
            Hint::OpenTab => Hint::EnlargeTab,
            Hint::EnlargeTab => Hint::AnswerDialog,
            Hint::AnswerDialog => Hint::AllowFileUrls,
            Hint::AllowFileUrls => Hint::AllowUploads,
            Hint::AllowUploads => Hint::StayUnderUploadRoots,
            Hint::StayUnderUploadRoots => Hint::AllowFiles,
            Hint::AllowFiles => Hint::TakeFingerprint,
            Hint::TakeFingerprint => Hint::SaveBaseline,
            Hint::SaveBaseline => Hint::SeeHistory { name: "home".into() },
            Hint::SeeHistory { .. } => Hint::ExportBaselines,
            Hint::ExportBaselines => Hint::SavePage,
            Hint::SavePage => Hint::CheckSetup,
            Hint::CheckSetup => Hint::UseChromium,
            Hint::UseChromium => Hint::AllowEvaluate,
            Hint::AllowEvaluate => return None,
        })
    }

    /// Returns the name of a tool that a text contains.
    fn tool_in(text: &str) -> Option<&'static str> {
        registry::all(EvaluatePermission::All)
            .into_iter()
            .map(|tool| tool.name)
            .find(|name| text.contains(name))
    }

    #[tokio::test]
    async fn only_agents_read_names_of_tools() {
        let all: Vec<Hint> = std::iter::successors(Some(Hint::Look), next).collect();
        assert_eq!(all.len(), 40);
        let mut named = 0;
        for hint in &all {
            let hint = Some(hint);
            let shared = in_shell(async { MCP.line("", hint) }).await;
            let check = pagesight_check::wording::CHECK;
            for line in [shared, COMMAND_LINE.line("", hint), check.line("", hint)] {
                assert_eq!(tool_in(&line), None, "{line}");
            }
            named += usize::from(tool_in(&MCP.line("", hint)).is_some());
        }
        assert!(named > 10, "agents read them");
        let unfold = Some(&Hint::Unfold { scope: 1 });
        let shown = in_shell(async { MCP.line("… 9 more rows", unfold) }).await;
        assert_eq!(shown, "… 9 more rows — pagesight look --scope 1");
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
