//! Reads one file from a web server without cookies: source maps, and lists of pages. The requests
//! are made without TLS.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use percent_encoding::percent_decode_str;
use tokio::net::TcpStream;
use tokio_util::task::AbortOnDropHandle;
use url::{Position, Url};

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
    if Url::parse(url).is_ok_and(|url| login(&url).is_some()) {
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
    if !url.starts_with("http://") {
        return Err(DownloadError::Scheme);
    }
    let url = Url::parse(url).map_err(|_| DownloadError::Address)?;
    let host = url.host_str().ok_or(DownloadError::Address)?;
    let place = format!("{host}:{}", url.port_or_known_default().unwrap_or(80));
    let failed = |error: &dyn std::fmt::Display| DownloadError::Connection(error.to_string());
    let stream = TcpStream::connect(place).await.map_err(|error| failed(&error))?;
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream));
    let (mut sender, connection) = handshake.await.map_err(|error| failed(&error))?;
    // Ends with the response, or when the caller stops waiting.
    let _ended = AbortOnDropHandle::new(tokio::spawn(connection));
    let mut request = Request::get(&url[Position::BeforePath..Position::AfterQuery])
        .header("Host", &url[Position::BeforeHost..Position::AfterPort])
        .header("Accept", "*/*")
        .header("Accept-Encoding", "identity");
    if let Some(login) = login(&url) {
        request = request.header("Authorization", format!("Basic {}", BASE64.encode(login)));
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

/// Returns the user name and the password of an address, decoded.
fn login(url: &Url) -> Option<Vec<u8>> {
    let login = match (url.username(), url.password()) {
        ("", None) => return None,
        (name, None) => name.to_owned(),
        (name, Some(password)) => format!("{name}:{password}"),
    };
    Some(percent_decode_str(&login).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_decoded() {
        let of = |address: &str| login(&Url::parse(address).unwrap());
        assert_eq!(of("http://ci:a%40b%2@host/x").unwrap(), b"ci:a@b%2");
        assert_eq!(of("http://%é@host").unwrap(), "%é".as_bytes());
        assert_eq!(of("http://host/a@b"), None);
    }
}
