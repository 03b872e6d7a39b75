//! The site that cases are recorded with: a few pages on a local port.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The address of the site in exchange files.
pub const RECORDED: &str = "127.0.0.1:8080";

/// One page of the site.
#[derive(Clone)]
pub struct Page {
    path: &'static str,
    status: u16,
    headers: &'static str,
    delay: Duration,
    body: &'static str,
}

impl Page {
    pub fn html(path: &'static str, body: &'static str) -> Page {
        let headers = "content-type: text/html; charset=utf-8\r\n";
        Page { path, status: 200, headers, delay: Duration::ZERO, body }
    }

    /// Sets a different status.
    pub fn status(self, status: u16) -> Page {
        Page { status, ..self }
    }

    /// Delays the response by this many milliseconds.
    pub fn late(self, milliseconds: u64) -> Page {
        Page { delay: Duration::from_millis(milliseconds), ..self }
    }

    /// Sets these headers instead.
    pub fn headers(self, headers: &'static str) -> Page {
        Page { headers, ..self }
    }
}

/// Serves pages until the runtime ends. Returns `host:port`.
pub async fn serve(pages: Vec<Page>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, pages.clone()));
        }
    });
    address
}

async fn answer(mut stream: TcpStream, pages: Vec<Page>) {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut buffer).await {
            Ok(read @ 1..) => request.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    }
    let request = String::from_utf8_lossy(&request);
    let path = request.split_whitespace().nth(1).unwrap_or("/").split(['?', '#']).next();
    let missing = Page::html("", "").status(404);
    let page = pages.into_iter().find(|page| Some(page.path) == path).unwrap_or(missing);
    tokio::time::sleep(page.delay).await;
    let Page { status, headers, body, .. } = page;
    let head = format!(
        "HTTP/1.1 {status} Status\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
    let _ = stream.shutdown().await;
}
