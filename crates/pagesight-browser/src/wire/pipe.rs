//! Messages that end with a NUL byte, over any byte stream: Chromium's `--remote-debugging-pipe`.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

use super::{Incoming, MESSAGE_LIMIT, Outgoing};

/// A buffer larger than this is freed after its message.
const KEPT: usize = 1024 * 1024;

pub(crate) struct PipeIn<R> {
    reader: BufReader<R>,
    message: Vec<u8>,
    limit: usize,
}

impl<R: AsyncRead + Unpin> PipeIn<R> {
    /// Reads messages from `stream`.
    pub(crate) fn new(stream: R) -> Self {
        PipeIn {
            reader: BufReader::with_capacity(256 * 1024, stream),
            message: Vec::new(),
            limit: MESSAGE_LIMIT,
        }
    }
}

impl<R: AsyncRead + Unpin + Send + 'static> Incoming for PipeIn<R> {
    async fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.message.clear();
        self.message.shrink_to(KEPT);
        // `read_until` looks at every byte once, however many pieces a message comes in.
        let mut bounded = (&mut self.reader).take(self.limit as u64 + 1);
        bounded.read_until(0, &mut self.message).await?;
        match self.message.pop() {
            Some(0) => Ok(Some(&self.message)),
            Some(_) if self.message.len() >= self.limit => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "message longer than the limit"))
            }
            Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            None => Ok(None),
        }
    }
}

pub(crate) struct PipeOut<W>(pub(crate) W);

impl<W: AsyncWrite + Unpin + Send + 'static> Outgoing for PipeOut<W> {
    async fn send(&mut self, message: String) -> io::Result<()> {
        let mut bytes = message.into_bytes();
        bytes.push(0);
        self.0.write_all(&bytes).await?;
        self.0.flush().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn frames() {
        let mut pipe = PipeIn::new(&b"one\0\0three\0cut"[..]);
        assert_eq!(pipe.next().await.unwrap(), Some(&b"one"[..]));
        assert_eq!(pipe.next().await.unwrap(), Some(&b""[..]));
        assert_eq!(pipe.next().await.unwrap(), Some(&b"three"[..]));
        assert_eq!(pipe.next().await.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        let mut pipe = PipeIn::new(&b"one\0"[..]);
        pipe.next().await.unwrap();
        assert_eq!(pipe.next().await.unwrap(), None);
    }

    #[tokio::test]
    async fn too_long() {
        let mut pipe = PipeIn::new(&b"12345\x00123456\0"[..]);
        pipe.limit = 5;
        assert_eq!(pipe.next().await.unwrap(), Some(&b"12345"[..]));
        assert_eq!(pipe.next().await.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[tokio::test]
    async fn large_and_in_pieces() {
        let (ours, theirs) = tokio::io::duplex(4096);
        let text = "x".repeat(10_000_000);
        let sent = text.clone();
        let writer = tokio::spawn(async move { PipeOut(theirs).send(sent).await });
        let began = std::time::Instant::now();
        let mut pipe = PipeIn::new(ours);
        assert_eq!(pipe.next().await.unwrap().map(<[u8]>::len), Some(text.len()));
        assert!(began.elapsed().as_secs() < 5, "quadratic?");
        writer.await.unwrap().unwrap();
    }
}
