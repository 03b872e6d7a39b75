//! Messages over a WebSocket, for running browsers and for browsers without a pipe.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{self, Message, protocol::WebSocketConfig};

use super::{Incoming, MESSAGE_LIMIT, Outgoing};

type Socket = WebSocketStream<QuickAckStream>;

/// A connection that acknowledges received data at once. The kernel delays acknowledgements by up
/// to 40 ms, and a browser with a long answer waits for them (Firefox, 33 to 76 kB).
struct QuickAckStream(TcpStream);

impl AsyncRead for QuickAckStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.0).poll_read(cx, buffer);
        // The kernel goes back to delayed acknowledgements, so the option is set again after each
        // read. Where it is not supported, the connection is only slower.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let _ = socket2::SockRef::from(&self.0).set_tcp_quickack(true);
        read
    }
}

impl AsyncWrite for QuickAckStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

pub(crate) struct SocketIn {
    stream: SplitStream<Socket>,
    message: tungstenite::Bytes,
}

pub(crate) struct SocketOut(SplitSink<Socket, Message>);

/// Performs the handshake over `stream` for the address `url`.
pub(crate) async fn shake_hands(
    url: &str,
    stream: TcpStream,
) -> Result<(SocketIn, SocketOut), tungstenite::Error> {
    stream.set_nodelay(true)?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MESSAGE_LIMIT))
        .max_frame_size(Some(MESSAGE_LIMIT));
    let (socket, _) =
        tokio_tungstenite::client_async_with_config(url, QuickAckStream(stream), Some(config))
            .await?;
    let (sink, stream) = socket.split();
    Ok((SocketIn { stream, message: tungstenite::Bytes::new() }, SocketOut(sink)))
}

fn broken(error: tungstenite::Error) -> io::Error {
    match error {
        tungstenite::Error::Io(error) => error,
        other => io::Error::other(other),
    }
}

impl Incoming for SocketIn {
    async fn next(&mut self) -> io::Result<Option<&[u8]>> {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    self.message = text.into();
                    return Ok(Some(&self.message));
                }
                Some(Ok(Message::Binary(bytes))) => {
                    self.message = bytes;
                    return Ok(Some(&self.message));
                }
                Some(Ok(Message::Close(_))) | None => return Ok(None),
                Some(Ok(_)) => {}
                Some(Err(
                    tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed,
                )) => {
                    return Ok(None);
                }
                Some(Err(error)) => return Err(broken(error)),
            }
        }
    }
}

impl Outgoing for SocketOut {
    async fn send(&mut self, message: String) -> io::Result<()> {
        self.0.send(Message::text(message)).await.map_err(broken)
    }
}
