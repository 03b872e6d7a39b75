//! Checks the text of the report: page text stays text, and the headline counts pages.

use pagesight_core::compare::{Comparison, Severity};
use pagesight_core::fingerprint::Size;

use super::html;
use crate::result::tests::{compared, outcome, run_of};
use crate::result::{CheckResult, Outcome, Verdict};

/// A name that tries to break out of its HTML context.
pub(super) const HOSTILE: &str = r#"</title></script><script>hacked = 1</script><img src=x onerror="hacked = 1">'"><!-- {{7*7}}"#;

#[test]
fn nothing_from_a_page_gets_out_of_its_place() {
    let mut one = outcome(HOSTILE, Verdict::Failed { error: HOSTILE.to_owned() });
    one.url = format!("javascript:alert(1)//{HOSTILE}");
    one.notes = vec![HOSTILE.to_owned()];
    one.scope = HOSTILE.to_owned();
    let made = html(&CheckResult { subject: HOSTILE.to_owned(), ..run_of(vec![one]) });
    assert_eq!(made.matches("<script").count(), 1, "only ours");
    assert_eq!(made.matches("</script>").count(), 1);
    assert_eq!(made.matches("<img").count(), 0);
    assert!(!made.contains("href=\"javascript:"));
    assert!(made.contains("script-src 'sha256-"));
}

#[test]
fn the_headline_says_what_it_came_to() {
    let unchanged = || outcome("a", Verdict::Compared(Comparison::default()));
    for (outcomes, says) in [
        (vec![], "Nothing was checked"),
        (vec![unchanged()], "The page passed"),
        (vec![unchanged(), unchanged()], "All 2 pages passed"),
        (vec![unchanged(), outcome("b", Verdict::NoBaseline)], "1 of 2 pages failed"),
        (vec![outcome("b", Verdict::Failed { error: "it is gone".to_owned() })], "The page failed"),
        (vec![unchanged(), outcome("b", Verdict::Saved)], "All 2 pages passed"),
    ] {
        let made = html(&run_of(outcomes));
        assert!(made.contains(&format!(">{says}</h1>")), "{says}");
    }
}

#[test]
fn failed_pages_come_first_and_variants_are_no_pages() {
    let failed = || outcome("b", Verdict::Compared(compared(&[Severity::Error])));
    let small = Outcome { viewport: Size { width: 390, height: 844 }, ..failed() };
    let unchanged = || outcome("a", Verdict::Compared(Comparison::default()));
    let made = html(&run_of(vec![unchanged(), failed(), small]));
    assert!(made.contains(">1 of 2 pages failed</h1>"), "{made}");
    assert!(made.contains("2 pages in 3 variants"), "{made}");
    let card = |number: usize| {
        let at = made.find(&format!("<article id=\"p{number}\"")).unwrap();
        made[at..].split("data-verdict=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    assert_eq!([card(1), card(2), card(3)], ["failed", "failed", "unchanged"]);
}

#[test]
fn equal_changes_are_one_row_that_unfolds() {
    let made =
        html(&run_of(vec![outcome("b", Verdict::Compared(compared(&[Severity::Error; 3])))]));
    assert_eq!(made.matches("class=\"several\"").count(), 1);
    assert!(made.contains("is no longer there (3 times).<"), "{made}");
    assert_eq!(made.matches("class=\"change\"").count(), 3, "each has a row of its own inside");
}
