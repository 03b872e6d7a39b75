//! The forms of pagesight's own lines. Page text that looks like one of them is quoted, so that a
//! page cannot write lines in pagesight's name. Whole sentences, such as errors and notices, are in
//! a generated table ([`sentences`]). A new line of a different shape gets a row here. Tests plant
//! the rows in every text of a page.

mod form;
mod sentences;

use form::fits;

pub use sentences::sentences;

/// The forms of own lines that no role, reference or mark such as ` — ` gives away. In a form, `#`
/// is a number and `*` is any text; each ends with `*`, because a page can write more.
pub const FORMS: [&str; 70] = [
    // Outlines and snapshots.
    "# invisible text* withheld*",
    "# frame* not entered*",
    "# closed shadow root* not entered*",
    "# region* still changing*",
    "# * usable element* left out*",
    "nothing to show*",
    "nothing matches *",
    "no match for *",
    "nothing for \"*",
    "for \"*\":*",
    "# of # matches*",
    "# to # of # matches*",
    "# more subject* not looked for*",
    "uid=*",
    // Actions.
    "accepted dialog*",
    "checked at #*",
    "unchecked at #*",
    "dismissed dialog*",
    "selected \"*",
    "selected in *",
    "# action* not run*",
    "repeated # *",
    "condition met: *",
    "condition not met: *",
    // Waiting and downloads.
    "no visible change*",
    "ready after #*",
    "loaded after #*",
    "still pending*",
    "still changing*",
    "still loading*",
    "still downloading*",
    "timed out*",
    "no new page*",
    "the download of *",
    // Changes.
    "diff confidence *",
    "in the background: *",
    "re-rendered: *",
    "the page behind is *",
    // Tabs, dialogs and problems.
    "closed tab *",
    "opened tab *",
    "selected tab *",
    "tab * is now *",
    "tab * emulates*",
    "t# *://*",
    "t# about:*",
    "t# data:*",
    "t# \"*",
    "no tab is open*",
    "dialog open*",
    "# console error*",
    "# failed request*",
    "# denied permission*",
    "# failure* of other sites*",
    "no new problems*",
    // The log.
    "no log entr*",
    "request headers*",
    "request body*",
    "response headers*",
    "response body*",
    "initiator: *",
    // Rows.
    "# cell* of *",
    "sum(*",
    "# page* read*",
    "read by scrolling*",
    // Errors and notices.
    "stale reference*",
    "the * did not answer*",
    "the * could not be read*",
    "the browser had ended*",
    "action # *",
    "origin: *",
];

/// Verbs that begin the line of an action, whatever follows.
pub const VERBS: &str = "clicked double-clicked downloaded dragged filled hovered navigated \
    pressed right-clicked scrolled swiped typed uploaded waited wrote";

/// Other words that begin own lines and are not roles. A text is taken for such a line if nothing,
/// a number, a colon or a bracket follows.
pub const WORDS: &str =
    "changes columns count failed footer iframe options scrollable video canvas";

/// Whether a text has one of the forms.
pub(super) fn has_own_form(text: &str) -> bool {
    // The first character is enough for most texts.
    let Some(first) = text.bytes().next() else { return false };
    let first = if first.is_ascii_digit() { b'#' } else { first };
    FORMS.iter().any(|form| form.as_bytes()[0] == first && fits(form, text))
        || sentences::begins(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_matched() {
        for text in [
            "ready after 300 ms",
            "3 invisible texts withheld",
            "1 action was not run",
            "12 actions were not run",
            "tab t1 is now 800x600",
            "nothing to show",
            "2 failures of other sites",
        ] {
            assert!(has_own_form(text), "{text}");
        }
        for text in [
            "ready after lunch",
            "actions were not run",
            "nothing shows",
            "tab t1",
            "",
            "opened 3 days ago",
        ] {
            assert!(!has_own_form(text), "{text}");
        }
    }
}
