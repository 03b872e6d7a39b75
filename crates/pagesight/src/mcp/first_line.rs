//! Checks the first line on standard input: a person who tries `pagesight mcp` types words, and the
//! protocol would answer nothing.

use std::io::Cursor;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};

/// The first line of a client is short. A longer one is left to the protocol.
const LONGEST: u64 = 1024 * 1024;

/// The first line is not a message of the protocol.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{start:?} is not JSON-RPC: pagesight mcp talks to an agent; add it to yours with pagesight install, or run pagesight --help for commands of your own"
)]
pub(super) struct NotJsonRpc {
    /// The beginning of the line.
    start: String,
}

/// Reads the first line that is not empty, and returns the whole input again.
pub(super) async fn checked<R: AsyncRead + Unpin>(
    input: R,
) -> Result<impl AsyncRead + Unpin, NotJsonRpc> {
    let mut input = BufReader::new(input);
    let mut read = Vec::new();
    let mut begun = 0;
    loop {
        let limit = LONGEST.saturating_sub(read.len() as u64);
        // What cannot be read is reported by the protocol, too.
        let count = (&mut input).take(limit).read_until(b'\n', &mut read).await.unwrap_or_default();
        if count == 0 || !read[begun..].trim_ascii().is_empty() {
            break;
        }
        begun = read.len();
    }
    let line = read[begun..].trim_ascii();
    let is_whole = (read.len() as u64) < LONGEST;
    if is_whole && !line.is_empty() && !is_message(line) {
        let start = String::from_utf8_lossy(line).chars().take(40).collect();
        return Err(NotJsonRpc { start });
    }
    Ok(Cursor::new(read).chain(input))
}

/// Whether a line is a message, or a batch of them.
fn is_message(line: &[u8]) -> bool {
    match serde_json::from_slice(line) {
        Ok(Value::Object(members)) => members.contains_key("jsonrpc"),
        Ok(Value::Array(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(input: &str) -> Result<String, String> {
        let mut checked = checked(input.as_bytes()).await.map_err(|error| error.to_string())?;
        let mut text = String::new();
        checked.read_to_string(&mut text).await.unwrap();
        Ok(text)
    }

    #[tokio::test]
    async fn a_first_line_that_is_no_message_is_one_sentence() {
        for fine in [
            "",
            "\n \n",
            "{\"jsonrpc\": \"2.0\"}",
            "\n{\"jsonrpc\": \"2.0\", \"id\": 1}\nlater lines may be wrong\n",
            "[{\"jsonrpc\": \"2.0\"}]\n",
        ] {
            assert_eq!(all(fine).await.as_deref(), Ok(fine));
        }
        for wrong in ["hello\n", "\nlook https://example.com", "{\"a\": 1}\n", "{\n", "12"] {
            let error = all(wrong).await.unwrap_err();
            assert!(error.contains("is not JSON-RPC: pagesight mcp talks to an agent;"), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
