//! Words hints and errors for the authors of check files and the readers of reports.

use pagesight_browser::BrowserError;
use pagesight_core::hint::{Hint, Wording};
use pagesight_core::text::escape;
use pagesight_session::SessionError;

/// Words for the author of a check file.
pub const CHECK: Wording = Wording::new(for_check);

/// Words what the author of a check file can do. Other hints are of no use there.
fn for_check(hint: &Hint) -> Option<String> {
    let words = match hint {
        Hint::AnswerDialog => "answer it with an action: { type = \"dialog\", accept = true }",
        Hint::StayUnderUploadRoots => {
            "only files in the folder of the check file may be uploaded (check work: --upload-root)"
        }
        Hint::LookOrWaitLonger => "give a longer timeout_ms",
        Hint::NarrowTarget => "limit the target with in, or give css=SELECTOR",
        Hint::CheckSetup => "run pagesight doctor",
        Hint::UseChromium => "use --browser chromium",
        _ => return None,
    };
    Some(words.to_owned())
}

/// Returns an error as a sentence for the reader of a report.
pub fn plain(error: &SessionError) -> String {
    match error {
        SessionError::Browser(BrowserError::Disconnected) => "the browser ended".to_owned(),
        error => escape::sentence(&CHECK.sentence(error, error.hint().as_ref())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_for_agents_is_left_out() {
        let dialog = BrowserError::DialogOpen { kind: "alert".into(), message: "Hi; there".into() };
        assert_eq!(
            plain(&dialog.into()),
            "dialog open (alert): \"Hi; there\"; answer it with an action: { type = \"dialog\", accept = true }"
        );
        let gone = SessionError::from(BrowserError::Navigated);
        assert_eq!(plain(&gone), "the page navigated away during the call");
    }
}
