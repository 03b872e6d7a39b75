//! Tests of the parts of a browser, with a browser that only counts.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// A browser without tabs. `context`: whether it is a context of one.
#[derive(Default)]
struct EmptyBrowser {
    context: Option<String>,
    closed: Arc<AtomicUsize>,
}

#[async_trait]
impl Browser for EmptyBrowser {
    fn product(&self) -> &str {
        "Empty 1"
    }

    fn is_alive(&self) -> bool {
        true
    }

    async fn open_tab(&self, _viewport: Viewport) -> Result<OpenedTab> {
        Err(BrowserError::TabClosed)
    }

    async fn create_context(&self) -> Result<Arc<dyn Browser>> {
        let context = Some("a context".to_owned());
        Ok(Arc::new(EmptyBrowser { context, closed: self.closed.clone() }))
    }

    fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }

    async fn end_busiest_page_process(&self) -> Result<()> {
        Ok(())
    }

    async fn close(&self) {
        self.closed.fetch_add(1, Ordering::SeqCst);
    }
}

/// Shares an empty browser; also returns how its events are sent, and how often a part of it was
/// closed.
fn shared(sharing: Sharing) -> (SharedBrowser, UnboundedSender<BrowserEvent>, Arc<AtomicUsize>) {
    let browser = EmptyBrowser::default();
    let closed = browser.closed.clone();
    let (sender, events) = mpsc::unbounded_channel();
    let connected = Connected { browser: Arc::new(browser), events };
    (SharedBrowser::new(connected, sharing), sender, closed)
}

fn found(id: &str) -> BrowserEvent {
    BrowserEvent::TabFound(FoundTab { id: id.to_owned(), ..FoundTab::default() })
}

/// Returns what a part hears next: the id of a tab that was found or is gone.
async fn next(part: &mut Connected) -> String {
    match part.events.recv().await {
        Some(BrowserEvent::TabFound(tab)) => format!("found {}", tab.id),
        Some(BrowserEvent::TabGone(id)) => format!("gone {id}"),
        Some(BrowserEvent::Disconnected) => "disconnected".to_owned(),
        Some(BrowserEvent::TabOpened { .. }) | None => panic!("no tab was opened"),
    }
}

#[tokio::test]
async fn every_part_hears_of_the_tabs_of_the_user() {
    let (shared, events, _) = shared(Sharing::Cookies);
    let mut first = shared.part().await.unwrap();
    events.send(found("a")).unwrap();
    events.send(found("b")).unwrap();
    events.send(BrowserEvent::TabGone("a".to_owned())).unwrap();
    for heard in ["found a", "found b", "gone a"] {
        assert_eq!(next(&mut first).await, heard);
    }
    let mut second = shared.part().await.unwrap();
    assert_eq!(next(&mut second).await, "found b");
    events.send(BrowserEvent::Disconnected).unwrap();
    for part in [&mut first, &mut second] {
        assert_eq!(next(part).await, "disconnected");
    }
}

#[tokio::test]
async fn a_tab_that_could_not_be_attached_to_can_be_chosen_again() {
    let (shared, events, _) = shared(Sharing::Cookies);
    let mut part = shared.part().await.unwrap();
    events.send(found("a")).unwrap();
    next(&mut part).await;
    for _ in 0..2 {
        assert_eq!(part.browser.attach_tab("a").await.err(), Some(BrowserError::TabClosed));
        assert!(lock(&shared.owners).found.contains_key("a"));
    }
    assert!(part.browser.attach_tab("unknown").await.is_err());
    assert_eq!(lock(&shared.owners).found.len(), 1);
}

#[tokio::test]
async fn page_processes_are_ended_only_by_the_only_part() {
    let (shared, _events, _) = shared(Sharing::Cookies);
    let (one, two) = (shared.part().await.unwrap(), shared.part().await.unwrap());
    assert!(one.browser.end_busiest_page_process().await.is_err());
    two.browser.close().await;
    assert!(!two.browser.is_alive() && one.browser.is_alive());
    assert_eq!(one.browser.end_busiest_page_process().await, Ok(()));
}

#[tokio::test]
async fn the_context_of_a_part_is_closed_once() {
    let (shared, _events, closed) = shared(Sharing::Separate);
    let part = shared.part().await.unwrap();
    part.browser.close().await;
    part.browser.close().await;
    drop(part);
    assert_eq!(closed.load(Ordering::SeqCst), 1);
    drop(shared.part().await.unwrap());
    assert!(shared.is_unused());
    while closed.load(Ordering::SeqCst) < 2 {
        tokio::task::yield_now().await;
    }
}
