//! Tests waiting for a named condition, and watching a page.

use pagesight_session::{Action, PageEvent, WaitFor};
use std::time::Duration;

use crate::case::{changes_of, line_of, on, with};
use crate::site::Page;

fn wait(until: WaitFor, milliseconds: u64) -> Action {
    Action::Wait { until, limit: Duration::from_millis(milliseconds) }
}

fn text(words: &str) -> WaitFor {
    WaitFor::Text(words.to_owned())
}

const LATE: &str = "<p id=p>Empty</p><script>onload=()=>{setTimeout(()=>{p.textContent='Come at last'},2500);setTimeout(()=>{p.textContent=''},4000)}</script>";

#[test]
fn a_text_comes_and_goes() {
    on("wait_text", LATE).run(async |case, tab| {
        let line = case.line(tab, wait(text("Come at last"), 10_000)).await;
        assert!(line.ends_with(" ms for the text \"Come at last\" — [1] Come at last"), "{line}");
        let gone = WaitFor::Gone("Come at last".to_owned());
        let line = case.line(tab, wait(gone, 10_000)).await;
        assert!(line.ends_with(" ms for the text \"Come at last\" to go"), "{line}");
    });
}

#[test]
fn a_text_that_does_not_come_is_a_failure() {
    let page = "<h1>Page</h1><nav aria-label=Recent><a href=/>One</a></nav>";
    on("wait_never", page).run(async |case, tab| {
        // A label is not a text of the page.
        for words in ["Never there", "Recent"] {
            let line = case.refusal(tab, wait(text(words), 300)).await;
            assert!(line.contains(&format!(" ms for the text \"{words}\"")), "{line}");
        }
        let gone = WaitFor::Gone("Page".to_owned());
        let line = case.refusal(tab, wait(gone, 300)).await;
        assert!(line.contains(" ms for the text \"Page\" to go"), "{line}");
        let gone = WaitFor::Gone("Nowhere".to_owned());
        case.line(tab, wait(gone, 300)).await;
    });
}

#[test]
fn a_text_is_waited_for_in_a_frame() {
    let outer = "<h1>Outer</h1><script>onload=()=>setTimeout(()=>{const f=document.createElement('iframe');f.src='/inner';document.body.append(f)},1500)</script>";
    let inner =
        "<p id=p>Inner</p><script>setTimeout(()=>{p.textContent='Come at last'},1500)</script>";
    let pages = vec![Page::html("/", outer), Page::html("/inner", inner)];
    with("wait_frame", pages).run(async |case, tab| {
        let line = case.line(tab, wait(text("Come at last"), 15_000)).await;
        assert!(line.ends_with(" ms for the text \"Come at last\" — [1] Come at last"), "{line}");
    });
}

#[test]
fn an_address_is_waited_for() {
    let page = "<h1>Page</h1><script>onload=()=>setTimeout(()=>history.pushState({},'','/orders'),2000)</script>";
    on("wait_url", page).run(async |case, tab| {
        let line = case.line(tab, wait(WaitFor::Url("/orders".to_owned()), 10_000)).await;
        assert!(line.contains(" ms for the url to hold \"/orders\""), "{line}");
        let line = case.refusal(tab, wait(WaitFor::Url("/nowhere".to_owned()), 200)).await;
        assert!(line.contains("\"/nowhere\""), "{line}");
    });
}

#[test]
fn time_is_waited_for_up_to_a_limit() {
    on("wait_time", "<h1>Page</h1>").run(async |case, tab| {
        let time = |milliseconds| WaitFor::Time(Duration::from_millis(milliseconds));
        let line = case.line(tab, wait(time(200), 1000)).await;
        let waited: u64 = line.split(' ').nth(1).unwrap().parse().unwrap();
        assert!((200..400).contains(&waited), "{line}");
        let line = case.refusal(tab, wait(time(60_000), 1000)).await;
        assert!(line.contains("a wait of 60000 ms is too long; 25000 ms is the most"), "{line}");
        let line = case.refusal(tab, wait(text("x"), 26_000)).await;
        assert!(line.contains("too long"), "{line}");
    });
}

#[test]
fn a_dialog_ends_a_wait() {
    let page = "<h1>Page</h1><script>onload=()=>setTimeout(()=>alert('Stop'),2500)</script>";
    on("wait_dialog", page).run(async |case, tab| {
        let time = WaitFor::Time(Duration::from_secs(20));
        let line = case.refusal(tab, wait(time, 25_000)).await;
        assert!(line.contains("dialog open (alert): \"Stop\""), "{line}");
        case.line(tab, Action::Dialog { accept: true, text: None }).await;
    });
}

#[test]
fn requests_of_an_action_are_waited_for() {
    let page = "<button onclick=\"fetch('/late').then(()=>fetch('/late')).then(()=>{p.textContent='Loaded'})\">Load</button><p id=p>Empty</p>";
    let pages = vec![Page::html("/", page), Page::html("/late", "").late(500)];
    with("wait_action", pages).run(async |case, tab| {
        let load = case.find(tab, "Load").await;
        let acted = case.act(tab, &[crate::case::click(&load)]).await;
        assert_eq!(line_of(&acted), format!("clicked [{load}] button: Load"));
        assert!(changes_of(acted).contains("Loaded"));
    });
}

#[test]
fn an_endless_request_of_an_action_is_named() {
    let page = "<button onclick=\"fetch('/never')\">Hang</button>";
    let pages = vec![Page::html("/", page), Page::html("/never", "").late(60_000)];
    with("wait_action_pending", pages).run(async |case, tab| {
        let hang = case.find(tab, "Hang").await;
        let line = case.line(tab, crate::case::click(&hang)).await;
        assert!(line.ends_with("still pending: GET /never"), "{line}");
    });
}

#[test]
fn a_watched_page_distinguishes_changes_from_new_documents() {
    let page = "<h1>Page</h1><p id=p>One</p><script>onload=()=>{if(!location.hash)setTimeout(()=>{p.textContent='Two'},2500)}</script>";
    let pages = vec![Page::html("/", page), Page::html("/next", "<h1>Next</h1>")];
    with("watch", pages).run(async |case, tab| {
        let session = &case.session;
        let mut watcher = session.watch(tab);
        let event = session.next_page_event(&mut watcher).await.unwrap();
        assert_eq!(event, PageEvent::Changed);
        assert!(!session.has_left(&watcher));
        case.open(tab, "/next").await;
        assert!(session.has_left(&watcher));
        assert_eq!(session.next_page_event(&mut watcher).await.unwrap(), PageEvent::Replaced);
        assert!(session.arrived(tab).await.unwrap().is_ready());
    });
}
