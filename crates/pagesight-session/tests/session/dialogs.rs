//! Tests JavaScript dialogs, which block everything until they are answered.

use pagesight_browser::BrowserError;
use pagesight_session::{
    Action, FingerprintRequest, LookOptions, ScopeChoice, SessionError, ShotOptions, Step,
    WaitOutcome,
};

use crate::case::{changes_of, click, line_of, on};

const ASKING: &str = "<button onclick=\"p.textContent=confirm('Delete it?')?'Deleted':'Kept'\">Delete</button><p id=p>There</p>";

fn answer(accept: bool, text: Option<&str>) -> Action {
    Action::Dialog { accept, text: text.map(str::to_owned) }
}

#[test]
fn an_open_dialog_blocks_every_call() {
    on("dialog_blocks", ASKING).run(async |case, tab| {
        let delete = case.find(tab, "Delete").await;
        let line = case.line(tab, click(&delete)).await;
        assert_eq!(
            line,
            format!("clicked [{delete}] button: Delete — opened dialog (confirm): \"Delete it?\"")
        );
        let session = &case.session;
        let blocked = |error: SessionError| match error {
            SessionError::Browser(BrowserError::DialogOpen { kind, message }) => {
                assert_eq!((kind.as_str(), message.as_str()), ("confirm", "Delete it?"));
            }
            other => panic!("{other}"),
        };
        blocked(session.look(tab, LookOptions::default()).await.err().unwrap());
        blocked(session.page_info(tab).await.unwrap_err());
        blocked(session.expand(tab, &delete).await.unwrap_err());
        blocked(session.step(tab, Step::Reload, None).await.unwrap_err());
        blocked(session.fingerprint(tab, &FingerprintRequest::default()).await.unwrap_err());
        let shot = ShotOptions { scope: ScopeChoice::Full, ..ShotOptions::default() };
        blocked(session.screenshot(tab, &shot).await.unwrap_err());
        let line = case.refusal(tab, click(&delete)).await;
        assert!(line.contains("dialog open (confirm): \"Delete it?\""), "{line}");
    });
}

#[test]
fn a_dialog_is_accepted() {
    on("dialog_accepted", ASKING).run(async |case, tab| {
        let delete = case.find(tab, "Delete").await;
        case.line(tab, click(&delete)).await;
        let acted = case.act(tab, &[answer(true, None)]).await;
        assert_eq!(line_of(&acted), "accepted dialog (confirm): \"Delete it?\"");
        assert!(changes_of(acted).contains("Deleted"));
    });
}

#[test]
fn a_dialog_is_dismissed() {
    on("dialog_dismissed", ASKING).run(async |case, tab| {
        let delete = case.find(tab, "Delete").await;
        case.line(tab, click(&delete)).await;
        let line = case.line(tab, answer(false, None)).await;
        assert_eq!(line, "dismissed dialog (confirm): \"Delete it?\"");
        assert!(case.outline(tab).await.contains("Kept"));
    });
}

#[test]
fn a_prompt_takes_a_text() {
    let page =
        "<button onclick=\"p.textContent='Hello '+prompt('Name?','Ada')\">Ask</button><p id=p></p>";
    on("dialog_prompt", page).run(async |case, tab| {
        let ask = case.find(tab, "Ask").await;
        let line = case.line(tab, click(&ask)).await;
        assert!(line.ends_with("opened dialog (prompt): \"Name?\""), "{line}");
        case.line(tab, answer(true, Some("Grace"))).await;
        assert!(case.outline(tab).await.contains("Hello Grace"));
    });
}

#[test]
fn without_a_dialog_there_is_nothing_to_answer() {
    on("dialog_none", ASKING).run(async |case, tab| {
        let line = case.refusal(tab, answer(true, None)).await;
        assert!(line.starts_with("failed: no dialog is open"), "{line}");
    });
}

#[test]
fn a_dialog_ends_the_wait_for_a_page() {
    let page = "<h1>Page</h1><script>if(location.search)alert('Welcome')</script>";
    on("dialog_on_load", page).run(async |case, tab| {
        let address = case.session.address(&case.url("/?ask")).unwrap();
        let navigated = case.session.navigate(tab, &address, None).await.unwrap();
        assert_eq!(navigated.outcome, WaitOutcome::Dialog("alert".into(), "Welcome".into()));
        assert_eq!(navigated.title, "", "a page that cannot answer is not asked");
        case.line(tab, answer(true, None)).await;
    });
}
