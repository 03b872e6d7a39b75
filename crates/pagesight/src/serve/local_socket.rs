//! The types of the local socket, and how to connect and listen. Where there are no Unix sockets,
//! both fail with a sentence; the types of TCP stand in, because they have the same methods.

use std::io;
use std::path::Path;

#[cfg(not(unix))]
pub(crate) use tokio::net::{
    TcpListener as LocalListener, TcpStream as LocalStream,
    tcp::{OwnedReadHalf, OwnedWriteHalf},
};
#[cfg(unix)]
pub(crate) use tokio::net::{
    UnixListener as LocalListener, UnixStream as LocalStream,
    unix::{OwnedReadHalf, OwnedWriteHalf},
};

/// The error where there are no Unix sockets.
#[cfg(not(unix))]
pub(crate) const MISSING: &str = "pagesight serve and the sessions of the shell do not work on this system yet; use pagesight mcp";

/// Connects to the process that listens.
#[cfg(unix)]
pub(crate) async fn connect(path: &Path) -> io::Result<LocalStream> {
    LocalStream::connect(path).await
}

#[cfg(unix)]
pub(crate) fn listen(path: &Path) -> io::Result<LocalListener> {
    LocalListener::bind(path)
}

/// Whether a process listens.
#[cfg(unix)]
pub(crate) fn is_listening(path: &Path) -> bool {
    std::os::unix::net::UnixStream::connect(path).is_ok()
}

/// Fails: there are no Unix sockets.
#[cfg(not(unix))]
#[allow(clippy::unused_async, reason = "the same signature as on Unix")]
pub(crate) async fn connect(_path: &Path) -> io::Result<LocalStream> {
    Err(io::Error::new(io::ErrorKind::Unsupported, MISSING))
}

/// Fails: there are no Unix sockets.
#[cfg(not(unix))]
pub(crate) fn listen(_path: &Path) -> io::Result<LocalListener> {
    Err(io::Error::new(io::ErrorKind::Unsupported, MISSING))
}

/// Nothing listens where there are no Unix sockets.
#[cfg(not(unix))]
pub(crate) fn is_listening(_path: &Path) -> bool {
    false
}
