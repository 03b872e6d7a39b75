//! Messages to and from a browser: two transports ([`pipe`], [`websocket`]), and one [`connection`]
//! that matches replies with calls. Knows ids, sessions and JSON, but no method of a protocol.

use std::future::Future;
use std::io;

pub(crate) mod connection;
pub(crate) mod json;
#[cfg(any(unix, test))]
pub(crate) mod pipe;
pub(crate) mod websocket;

/// The longest message, in bytes; a peer that sends a longer one is disconnected.
pub(crate) const MESSAGE_LIMIT: usize = 256 * 1024 * 1024;

/// A source of messages.
pub(crate) trait Incoming: Send + 'static {
    /// Returns the next message; `None` when there will be no more.
    fn next(&mut self) -> impl Future<Output = io::Result<Option<&[u8]>>> + Send;
}

/// A sink for messages.
pub(crate) trait Outgoing: Send + 'static {
    fn send(&mut self, message: String) -> impl Future<Output = io::Result<()>> + Send;
}
