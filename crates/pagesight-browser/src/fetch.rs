//! Reads one file from a web server without cookies: source maps, and lists of pages. The requests
//! are made without TLS.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio_util::task::AbortOnDropHandle;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Downloaded {
    /// Its bytes, as they were sent.
    pub bytes: Vec<u8>,
    /// Its content encoding, if the server compressed it although it was asked not to.
    pub encoding: Option<String>,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum DownloadError {
    /// It is not an `http:` address.
    #[error("only http: can be read")]
    Scheme,
    /// The address is not valid.
    #[error("the address is not valid")]
    Address,
    /// It took too long.
    #[error("it did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// It answered with a different status.
    #[error("it answered {0}")]
    Status(u16),
    /// It is too long.
    #[error("it is longer than {0} bytes")]
    TooLong(usize),
    /// The connection failed.
    #[error("{0}")]
    Connection(String),
}

/// Reads the file at an `http:` address. Returns nothing if it is longer than `most` bytes, takes
/// longer than `limit`, is compressed, or is somewhere else: redirects are not followed.
pub async fn fetch(url: &str, most: usize, limit: Duration) -> Option<Vec<u8>> {
    if url.split(['/', '?', '#']).nth(2).is_some_and(|authority| authority.contains('@')) {
        return None;
    }
    let file = download(url, most, limit).await.ok()?;
    file.encoding.is_none().then_some(file.bytes)
}

/// Reads the file at an `http:` address, with the user name and password of the address. Redirects
/// are not followed.
pub async fn download(
    url: &str,
    most: usize,
    limit: Duration,
) -> Result<Downloaded, DownloadError> {
    let read = tokio::time::timeout(limit, read(url, most)).await;
    read.unwrap_or(Err(DownloadError::TimedOut(limit)))
}

async fn read(url: &str, most: usize) -> Result<Downloaded, DownloadError> {
    let rest = url.strip_prefix("http://").ok_or(DownloadError::Scheme)?;
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, path) = match rest.find(['/', '?']) {
        Some(at) => rest.split_at(at),
        None => (rest, "/"),
    };
    let (login, authority) = match authority.rsplit_once('@') {
        Some((login, authority)) => (Some(login), authority),
        None => (None, authority),
    };
    if authority.is_empty() || authority.contains('\\') || !path.is_ascii() {
        return Err(DownloadError::Address);
    }
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let host = if has_port { authority.to_owned() } else { format!("{authority}:80") };
    let failed = |error: &dyn std::fmt::Display| DownloadError::Connection(error.to_string());
    let stream = TcpStream::connect(host).await.map_err(|error| failed(&error))?;
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream));
    let (mut sender, connection) = handshake.await.map_err(|error| failed(&error))?;
    // Ends with the response, or when the caller stops waiting.
    let _ended = AbortOnDropHandle::new(tokio::spawn(connection));
    let path = if path.starts_with('?') { format!("/{path}") } else { path.to_owned() };
    let mut request = Request::get(path)
        .header("Host", authority)
        .header("Accept", "*/*")
        .header("Accept-Encoding", "identity");
    if let Some(login) = login {
        request = request.header("Authorization", format!("Basic {}", BASE64.encode(plain(login))));
    }
    let request = request.body(Empty::<Bytes>::new()).map_err(|_| DownloadError::Address)?;
    let answer = sender.send_request(request).await.map_err(|error| failed(&error))?;
    if answer.status() != 200 {
        return Err(DownloadError::Status(answer.status().as_u16()));
    }
    let encoding = answer.headers().get("content-encoding");
    let encoding = encoding.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let body = Limited::new(answer.into_body(), most).collect().await.map_err(|error| {
        match error.is::<LengthLimitError>() {
            true => DownloadError::TooLong(most),
            false => failed(&error),
        }
    })?;
    Ok(Downloaded { bytes: body.to_bytes().to_vec(), encoding })
}

/// Decodes the `%` codes of a user name and a password.
fn plain(login: &str) -> Vec<u8> {
    let (bytes, mut out, mut at) = (login.as_bytes(), Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let code = bytes.get(at + 1..at + 3).and_then(|code| std::str::from_utf8(code).ok());
        match code.filter(|_| *byte == b'%').and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_decoded() {
        assert_eq!(plain("ci:a%40b%2"), b"ci:a@b%2");
        assert_eq!(plain("%é"), "%é".as_bytes());
    }
}
