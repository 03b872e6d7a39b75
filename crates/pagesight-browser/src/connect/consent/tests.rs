//! A scripted endpoint that behaves as a browser that asks its user: it holds the upgrade until the
//! test decides.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message;

use super::super::profiles::CHANNELS;
use super::*;
use crate::api::traits::BrowserEvent;

#[derive(Clone, Copy)]
enum Press {
    Allow,
    Cancel,
    Quit,
}

struct AskingBrowser {
    browser: RunningBrowser,
    /// How many sockets were opened.
    asked: Arc<AtomicUsize>,
    press: mpsc::UnboundedSender<Press>,
}

impl AskingBrowser {
    async fn start() -> AskingBrowser {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let path = "/devtools/browser/aaaa-1".to_owned();
        let browser = RunningBrowser { channel: &CHANNELS[0], folder: "/x".into(), port, path };
        let (press, mut pressed) = mpsc::unbounded_channel();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                match pressed.recv().await {
                    Some(Press::Allow) => {
                        tokio::spawn(speak(stream));
                    }
                    Some(Press::Cancel) => {
                        let mut request = [0; 4096];
                        let _ = stream.read(&mut request).await;
                        let answer = "HTTP/1.1 403 Forbidden\r\nContent-Length: 19\r\n\r\nConnection rejected";
                        let _ = stream.write_all(answer.as_bytes()).await;
                    }
                    Some(Press::Quit) | None => {}
                }
            }
        });
        AskingBrowser { browser, asked, press }
    }

    fn connect(&self, patience: Duration) -> PendingConsent {
        PendingConsent::to(self.browser.clone(), patience)
    }
}

/// Answers every command, and reports one tab.
async fn speak(stream: tokio::net::TcpStream) {
    let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
    while let Some(Ok(Message::Text(text))) = socket.next().await {
        let call: serde_json::Value = serde_json::from_str(&text).unwrap();
        if call["method"] == "Target.setDiscoverTargets" {
            let created = r#"{"method": "Target.targetCreated", "params": {"targetInfo": {"targetId": "A", "type": "page", "title": "Mail", "url": "https://mail.example/inbox"}}}"#;
            socket.send(Message::text(created)).await.unwrap();
        }
        assert!(!call["method"].as_str().unwrap().contains("ttach"), "their tab is left alone");
        let answer = serde_json::json!({"id": call["id"], "result": {"product": "Chrome/156.0"}});
        socket.send(Message::text(answer.to_string())).await.unwrap();
    }
}

const SHORT: Duration = Duration::from_millis(150);
const LONG: Duration = Duration::from_secs(20);

fn failed(pending: &PendingConsent) -> BrowserError {
    pending.take().expect("an outcome").err().expect("an error")
}

#[tokio::test]
async fn callers_come_and_go_while_one_socket_waits() {
    let asking = AskingBrowser::start().await;
    let pending = asking.connect(LONG);
    for _ in 0..3 {
        let began = Instant::now();
        assert!(!pending.clone().is_answered(SHORT).await);
        assert!(began.elapsed() < SHORT * 4, "{:?}", began.elapsed());
        assert!(pending.take().is_none());
    }
    let sentence = pending.still_waiting().to_string();
    assert!(sentence.starts_with("waiting for you to press Allow in Chrome"), "{sentence}");
    asking.press.send(Press::Allow).unwrap();
    assert!(pending.is_answered(LONG).await);
    let mut connected = pending.take().expect("an outcome").expect("a connection");
    assert_eq!(connected.browser.product(), "Chromium 156.0");
    let Some(BrowserEvent::TabFound(tab)) = connected.events.recv().await else { panic!("no tab") };
    assert_eq!((tab.id.as_str(), tab.title.as_str()), ("A", "Mail"));
    assert_eq!(asking.asked.load(Ordering::SeqCst), 1, "one question");
}

#[tokio::test]
async fn a_refusal_is_reported() {
    let asking = AskingBrowser::start().await;
    let pending = asking.connect(LONG);
    asking.press.send(Press::Cancel).unwrap();
    assert!(pending.is_answered(LONG).await);
    assert_eq!(failed(&pending), BrowserError::ConsentRefused { browser: "Chrome" });
    assert!(pending.take().is_none(), "it is reported once");
}

#[tokio::test]
async fn a_browser_that_ends_while_it_asks_is_reported() {
    let asking = AskingBrowser::start().await;
    let pending = asking.connect(LONG);
    asking.press.send(Press::Quit).unwrap();
    assert!(pending.is_answered(LONG).await);
    let sentence = failed(&pending).to_string();
    assert!(sentence.contains("it closed the connection before Allow was pressed"), "{sentence}");
}

#[tokio::test]
async fn the_patience_has_an_end() {
    let asking = AskingBrowser::start().await;
    let pending = asking.connect(SHORT);
    assert!(pending.is_answered(LONG).await);
    assert_eq!(failed(&pending), BrowserError::NoConsent { browser: "Chrome", minutes: 0 });
    assert_eq!(CONSENT_LIMIT, Duration::from_secs(180));
}

#[tokio::test]
async fn a_socket_that_nobody_waits_for_is_closed() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let path = "/devtools/browser/a".to_owned();
    let browser = RunningBrowser { channel: &CHANNELS[0], folder: "/x".into(), port, path };
    let pending = PendingConsent::to(browser, LONG);
    let (mut stream, _) = listener.accept().await.unwrap();
    drop(pending);
    let mut rest = Vec::new();
    tokio::time::timeout(LONG, stream.read_to_end(&mut rest)).await.expect("it is closed").unwrap();
}
