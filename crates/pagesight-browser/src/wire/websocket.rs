//! Messages over a WebSocket, for browsers that run already.

use std::io;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{self, Message, protocol::WebSocketConfig};

use super::{Incoming, MESSAGE_LIMIT, Outgoing};

type Socket = WebSocketStream<TcpStream>;

/// The reading end.
pub(crate) struct SocketIn {
    stream: SplitStream<Socket>,
    message: tungstenite::Bytes,
}

/// The writing end.
pub(crate) struct SocketOut(SplitSink<Socket, Message>);

/// Shakes hands over `stream` for the address `url`.
pub(crate) async fn shake_hands(
    url: &str,
    stream: TcpStream,
) -> Result<(SocketIn, SocketOut), tungstenite::Error> {
    stream.set_nodelay(true)?;
    let config =
        WebSocketConfig::default().max_message_size(Some(MESSAGE_LIMIT)).max_frame_size(Some(MESSAGE_LIMIT));
    let (socket, _) = tokio_tungstenite::client_async_with_config(url, stream, Some(config)).await?;
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
                Some(Err(tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed)) => {
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
