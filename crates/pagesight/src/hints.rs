//! Words the hints of errors. The crates below say as data what can be done; only the program knows
//! that its reader has tools and commands to do it with.

use std::borrow::Cow;
use std::error::Error;

use pagesight_session::baseline::BaselineError;
use pagesight_session::{Hint, SessionError};

/// Returns an error as one sentence, with what can be done.
pub(crate) fn sentence(error: &SessionError) -> String {
    worded(&error.to_string(), error.hint())
}

/// Returns a sentence with the words of its hint.
pub(crate) fn worded(sentence: &str, hint: Option<Hint>) -> String {
    match hint {
        Some(hint) => format!("{sentence}; {}", words(&hint)),
        None => sentence.to_owned(),
    }
}

/// Returns an error and its causes in one line.
pub(crate) fn line(error: &anyhow::Error) -> String {
    let causes: Vec<String> = error.chain().map(cause).collect();
    causes.join(": ")
}

fn cause(error: &(dyn Error + 'static)) -> String {
    if let Some(error) = error.downcast_ref::<SessionError>() {
        return sentence(error);
    }
    match error.downcast_ref::<BaselineError>() {
        Some(error) => worded(&error.to_string(), error.hint()),
        None => error.to_string(),
    }
}

fn words(hint: &Hint) -> Cow<'static, str> {
    let words = match hint {
        Hint::Look => "look with inspect_tab",
        Hint::LookAgain => "call inspect_tab again",
        Hint::LookAtPage => "look at the page with inspect_tab",
        Hint::LookForChanges => "call inspect_tab",
        Hint::LookWithoutScope => "call inspect_tab without a scope to see what is there",
        Hint::UseReference => "call inspect_tab and use a reference",
        Hint::ClickAndLook => "click it and look with inspect_tab",
        Hint::LookOrWaitLonger => "look with inspect_tab, or give a longer timeout_ms",
        Hint::Reload => "try again, or reload it with browser_navigate",
        Hint::OpenTab => "open one with browser_tabs",
        Hint::EnlargeTab => "make the tab larger with browser_tabs, or drag in two steps",
        Hint::AnswerDialog => "answer it with browser_interact",
        Hint::AllowFileUrls => "start pagesight with --allow-file",
        Hint::AllowUploads => "start pagesight with --upload-root DIR to allow the files under DIR",
        Hint::StayUnderUploadRoots => "only files there may be uploaded (--upload-root)",
        Hint::SaveBaseline => {
            "save one with get_dom_fingerprint save_as, or pagesight fingerprint --save"
        }
        Hint::SeeHistory { name } => {
            return format!("see pagesight baselines history {name}").into();
        }
        Hint::ExportBaselines => "write one with pagesight baselines export",
    };
    words.into()
}

#[cfg(test)]
mod tests {
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
            assert_eq!(sentence(&error), words);
        }
    }

    #[test]
    fn causes_are_worded_too() {
        let missing = BaselineError::Version { name: "home".into(), version: 7 };
        let error = anyhow::Error::from(missing).context("it cannot be compared");
        assert_eq!(
            line(&error),
            "it cannot be compared: baseline \"home\" has no version 7; see pagesight baselines history home"
        );
    }
}
