//! Checks what is said to a server and printed of it, with servers that only pretend to be one.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use super::*;

const PASSWORD: &str = "hunter22, as it is";

/// Answers one connection and returns the address to connect to.
fn pretend(answer: impl FnOnce(TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || answer(listener.accept().unwrap().0));
    port
}

/// Reads a message whose first four bytes are its length, after `skipped` bytes.
fn message(stream: &mut TcpStream, skipped: usize) -> Vec<u8> {
    let mut head = vec![0; skipped + 4];
    stream.read_exact(&mut head).unwrap();
    let length = u32::from_be_bytes(head[skipped..].try_into().unwrap()) as usize;
    let mut body = vec![0; length - 4];
    stream.read_exact(&mut body).unwrap();
    body
}

async fn refused(port: u16, mode: &str) -> PostgresError {
    let password = |name: &str| (name == "PGPASSWORD").then(|| PASSWORD.to_owned());
    let address = format!("postgres://me@127.0.0.1:{port}/x?sslmode={mode}");
    let address = StoreAddress::parse(&address, &password).unwrap();
    Database::open(&address).await.err().unwrap()
}

#[tokio::test]
async fn a_server_that_repeats_the_password_is_not_quoted() {
    let port = pretend(|mut stream| {
        message(&mut stream, 0);
        // Asks for the password in plain text.
        stream.write_all(b"R\0\0\0\x08\0\0\0\x03").unwrap();
        let mut given = message(&mut stream, 1);
        given.pop();
        let given = String::from_utf8(given).unwrap();
        assert_eq!(given, PASSWORD);
        let fields = format!("SFATAL\0C28P01\0M{}no user has {given}\0\0", "x".repeat(280));
        let length = (fields.len() as u32 + 4).to_be_bytes();
        stream.write_all(&[b"E", length.as_slice(), fields.as_bytes()].concat()).unwrap();
    });
    let error = refused(port, "disable").await;
    assert!(matches!(error, PostgresError::Refused { .. }), "{error:?}");
    let text = format!("{error} {error:?}");
    assert!(!text.contains("hunter"), "{text}");
    assert!(text.contains("xxx"), "{text}");
}

#[tokio::test]
async fn a_server_without_tls_gets_no_password() {
    let port = pretend(|mut stream| {
        message(&mut stream, 0);
        stream.write_all(b"N").unwrap();
        assert_eq!(stream.read(&mut [0; 64]).unwrap(), 0, "nothing more is sent");
    });
    let error = refused(port, "require").await;
    assert!(matches!(error, PostgresError::NoTls { .. }), "{error:?}");
    assert!(error.to_string().contains("sslmode=disable"), "{error}");
}
