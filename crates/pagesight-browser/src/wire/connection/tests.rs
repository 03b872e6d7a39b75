//! Tests of the connection against a peer in memory.

use super::*;
use crate::wire::pipe::{PipeIn, PipeOut};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};

#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Handler for Arc<Log> {
    fn event(&self, _: &Connection, event: &ProtocolEvent<'_>) {
        self.0.lock().unwrap().push(event.method.to_owned());
    }
    fn disconnected(&self) {
        self.0.lock().unwrap().push("disconnected".to_owned());
    }
}

struct Peer {
    reader: ReadHalf<DuplexStream>,
    writer: WriteHalf<DuplexStream>,
}

impl Peer {
    async fn say(&mut self, text: &str) {
        self.writer.write_all(text.as_bytes()).await.unwrap();
        self.writer.write_all(&[0]).await.unwrap();
    }

    async fn hear(&mut self) -> String {
        let mut heard = Vec::new();
        loop {
            match self.reader.read_u8().await.unwrap() {
                0 => return String::from_utf8(heard).unwrap(),
                byte => heard.push(byte),
            }
        }
    }
}

fn pair() -> (Connection, Peer, Arc<Log>) {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(ours);
    let log = Arc::new(Log::default());
    let connection = Connection::open(PipeIn::new(reader), PipeOut(writer), Box::new(log.clone()));
    let (reader, writer) = tokio::io::split(theirs);
    (connection, Peer { reader, writer }, log)
}

const LIMIT: Duration = Duration::from_secs(5);

#[tokio::test]
async fn replies_find_their_calls() {
    let (connection, mut peer, _) = pair();
    let first = connection.begin(None, "First", ());
    let second = connection.begin(Some("s"), "Second", serde_json::json!({"a": 1}));
    assert_eq!(peer.hear().await, r#"{"id":1,"method":"First","params":null}"#);
    assert_eq!(peer.hear().await, r#"{"id":2,"method":"Second","params":{"a":1},"sessionId":"s"}"#);
    peer.say(r#"{"id":2,"result":{"b":[1, 2]}}"#).await;
    peer.say(r#"{"id":1,"error":{"code":-32000,"message":"no"}}"#).await;
    assert_eq!(second.wait(LIMIT).await.unwrap().get(), r#"{"b":[1, 2]}"#);
    let refused = first.wait(LIMIT).await.unwrap_err();
    assert_eq!(refused, BrowserError::Refused { method: "First".into(), message: "no".into() });
}

#[tokio::test]
async fn errors_that_are_a_code() {
    let (connection, mut peer, _) = pair();
    let call = connection.begin(None, "Call", ());
    peer.say(r#"{"type":"error","id":1,"error":"no such frame","message":"gone","stacktrace":""}"#)
        .await;
    let refused = call.wait(LIMIT).await.unwrap_err();
    assert_eq!(
        refused,
        BrowserError::Refused { method: "Call".into(), message: "no such frame: gone".into() }
    );
}

#[tokio::test]
async fn events_come_before_later_replies() {
    let (connection, mut peer, log) = pair();
    let call = connection.begin(None, "Call", ());
    peer.say(r#"{"method":"One","params":{}}"#).await;
    peer.say(r#"{"method":"Two"}"#).await;
    peer.say(r#"{"id":1,"result":{}}"#).await;
    call.wait(LIMIT).await.unwrap();
    assert_eq!(*log.0.lock().unwrap(), ["One", "Two"]);
}

#[tokio::test]
async fn garbage_is_survived() {
    let (connection, mut peer, _) = pair();
    let call = connection.begin(None, "Call", ());
    for garbage in [
        "",
        "garbage",
        "{",
        "[]",
        "null",
        "{}",
        r#"{"id":"x"}"#,
        r#"{"id":99,"result":{}}"#,
        r#"{"id":-1}"#,
    ] {
        peer.say(garbage).await;
    }
    peer.writer.write_all(b"\xff\xfe\0{\"method\":\"\xff\"}\0").await.unwrap();
    peer.say(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))).await;
    peer.say(r#"{"id":1,"result":{"ok":true}}"#).await;
    assert_eq!(call.wait(LIMIT).await.unwrap().get(), r#"{"ok":true}"#);
}

#[tokio::test]
async fn a_disconnect_fails_what_waits_and_what_comes() {
    let (connection, peer, log) = pair();
    let waiting = connection.begin(None, "WaitingCall", ());
    drop(peer);
    assert_eq!(waiting.wait(LIMIT).await.unwrap_err(), BrowserError::Disconnected);
    assert!(!connection.is_open());
    assert_eq!(
        connection.call(None, "Late", (), LIMIT).await.unwrap_err(),
        BrowserError::Disconnected
    );
    assert_eq!(*log.0.lock().unwrap(), ["disconnected"]);
}

#[tokio::test]
async fn a_session_that_ends_fails_its_own_calls_only() {
    let (connection, mut peer, _) = pair();
    let tab = connection.begin(Some("tab"), "Call", ());
    let other = connection.begin(Some("other"), "Call", ());
    connection.end_session("tab");
    assert_eq!(tab.wait(LIMIT).await.unwrap_err(), BrowserError::TabClosed);
    peer.say(r#"{"id":2,"error":{"code":-32001,"message":"Session with given id not found."}}"#)
        .await;
    assert_eq!(other.wait(LIMIT).await.unwrap_err(), BrowserError::TabClosed);
}

#[tokio::test]
async fn calls_are_bounded_and_forgotten() {
    let (connection, mut peer, _) = pair();
    let limit = Duration::from_millis(20);
    let late = connection.call(None, "Slow", (), limit).await.unwrap_err();
    assert_eq!(late, BrowserError::TimedOut { what: "Slow".into(), limit });
    assert!(connection.0.table().calls.is_empty());
    peer.say(r#"{"id":1,"result":{}}"#).await;
    let call = connection.begin(None, "Next", ());
    peer.say(r#"{"id":2,"result":{}}"#).await;
    call.wait(LIMIT).await.unwrap();
}

#[tokio::test]
async fn lone_surrogates_in_an_error_do_not_lose_the_reply() {
    let (connection, mut peer, _) = pair();
    for (id, reply) in [
        (1, r#"{"id":1,"error":{"code":-32000,"message":"no \ud83d"}}"#),
        (2, r#"{"id":2,"error":"unknown error","message":"no \ud83d","stacktrace":""}"#),
    ] {
        let call = connection.begin(None, "Call", ());
        peer.hear().await;
        peer.say(reply).await;
        let refused = call.wait(Duration::from_secs(1)).await.unwrap_err().to_string();
        assert!(refused.ends_with("no \u{fffd}"), "{id}: {refused}");
    }
}
