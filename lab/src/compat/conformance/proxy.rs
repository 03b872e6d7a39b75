//! A proxy that adds the token to each request: the suite cannot send one. Nothing else changes,
//! except that the proxy's own address in `Host` and `Origin` becomes the server's.

use anyhow::Context;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The longest head of a request.
const LONGEST_HEAD: usize = 64 * 1024;

/// Starts the proxy to `server` (`127.0.0.1:PORT`), and returns its address. It ends with the lab.
pub async fn start(server: String, token: String) -> anyhow::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let own = listener.local_addr()?.to_string();
    let address = own.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let (own, server, token) = (own.clone(), server.clone(), token.clone());
            tokio::spawn(async move {
                if let Err(error) = pass_on(client, &own, &server, &token).await {
                    eprintln!("proxy: {error:#}");
                }
            });
        }
    });
    Ok(address)
}

/// Passes one request on, and everything that follows in both directions.
async fn pass_on(
    mut client: TcpStream,
    own: &str,
    server: &str,
    token: &str,
) -> anyhow::Result<()> {
    let mut read = Vec::new();
    let head = loop {
        if let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        anyhow::ensure!(read.len() < LONGEST_HEAD, "the head of a request is too long");
        if client.read_buf(&mut read).await? == 0 {
            return Ok(());
        }
    };
    let body = read.split_off(head + 4);
    let head = std::str::from_utf8(&read[..head]).context("the head of a request")?;
    let mut stream = TcpStream::connect(server).await?;
    let mut sent = rewritten(head, own, server, token).into_bytes();
    sent.extend(body);
    stream.write_all(&sent).await?;
    // A side that leaves in the middle is part of the tests.
    let _ = tokio::io::copy_bidirectional(&mut client, &mut stream).await;
    Ok(())
}

/// Returns the head for the server. Each connection has one request.
fn rewritten(head: &str, own: &str, server: &str, token: &str) -> String {
    let mut lines = head.lines();
    let mut new = format!("{}\r\n", lines.next().unwrap_or_default());
    for line in lines {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        match name.as_str() {
            "connection" => {}
            "host" | "origin" => new += &format!("{}\r\n", line.replace(own, server)),
            _ => new += &format!("{line}\r\n"),
        }
    }
    new + &format!("connection: close\r\nauthorization: Bearer {token}\r\n\r\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_the_address_of_the_proxy_changes() {
        let head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\nOrigin: http://evil.example\r\nConnection: keep-alive\r\nX: 127.0.0.1:1";
        let new = super::rewritten(head, "127.0.0.1:1", "127.0.0.1:2", "t");
        assert_eq!(
            new,
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:2\r\nOrigin: http://evil.example\r\nX: 127.0.0.1:1\r\nconnection: close\r\nauthorization: Bearer t\r\n\r\n"
        );
    }
}
