//! The part of the body of a response that came. Chromium never reports the end of a body that
//! nobody reads, if the response may not be stored. It does report the bytes, as soon as the server
//! has sent all of them. A body of which all bytes came, and that does not end, is not read.

use super::log_protocol::Headers;
use super::protocol::DataReceived;
use crate::api::events::BodyProgress;

/// The bytes of a body so far.
#[derive(Default)]
pub(super) struct ReceivedBody {
    /// The length that the server announced.
    announced: Option<u64>,
    /// The server sends chunks, and does not compress.
    chunked: bool,
    received: u64,
    /// How often bytes were reported.
    parts: u32,
    /// The last report.
    reported: Option<BodyProgress>,
}

impl ReceivedBody {
    /// Learns from the headers of the response how long the body will be.
    pub(super) fn expect(&mut self, headers: &Headers) {
        self.announced =
            headers.get("content-length").and_then(|length| length.trim().parse().ok());
        let plain = !headers.contain("content-encoding");
        self.chunked = plain && headers.contain("transfer-encoding");
    }

    /// Counts bytes. Returns how far the body has come, if that is news.
    pub(super) fn receive(&mut self, data: &DataReceived) -> Option<BodyProgress> {
        self.received += data.encoded_data_length;
        self.parts += 1;
        let whole = match self.announced {
            Some(length) => self.received >= length,
            None => self.chunked && self.parts == 1 && is_last_chunk(data),
        };
        let progress = if whole { BodyProgress::Whole } else { BodyProgress::Part };
        (self.reported.replace(progress) != Some(progress)).then_some(progress)
    }
}

/// Whether these bytes are one chunk, with its length before it, and the empty chunk that ends the
/// body.
fn is_last_chunk(data: &DataReceived) -> bool {
    let digits = format!("{:x}", data.data_length).len() as u64;
    const LINE_ENDS: u64 = 4;
    const END: u64 = "0\r\n\r\n".len() as u64;
    data.encoded_data_length == data.data_length + digits + LINE_ENDS + END
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(data_length: u64, encoded_data_length: u64) -> DataReceived {
        DataReceived { request_id: String::new(), data_length, encoded_data_length }
    }

    fn body(headers: &str) -> ReceivedBody {
        let mut body = ReceivedBody::default();
        body.expect(&serde_json::from_str(headers).unwrap());
        body
    }

    #[test]
    fn a_body_is_whole_when_all_announced_bytes_came() {
        let mut announced = body(r#"{"Content-Length": "7", "Content-Encoding": "gzip"}"#);
        assert_eq!(announced.receive(&data(20, 3)), Some(BodyProgress::Part));
        assert_eq!(announced.receive(&data(9, 2)), None, "known already");
        assert_eq!(announced.receive(&data(0, 2)), Some(BodyProgress::Whole));
    }

    #[test]
    fn a_body_in_one_chunk_is_whole_with_the_end_of_the_chunks() {
        let chunked = r#"{"Transfer-Encoding": "chunked"}"#;
        assert_eq!(body(chunked).receive(&data(2, 12)), Some(BodyProgress::Whole));
        assert_eq!(body(chunked).receive(&data(100_000, 100_014)), Some(BodyProgress::Whole));
        // The first chunk of several, and one whose framing is not counted yet.
        assert_eq!(body(chunked).receive(&data(2, 7)), Some(BodyProgress::Part));
        assert_eq!(body(chunked).receive(&data(5, 0)), Some(BodyProgress::Part));
        let mut two = body(chunked);
        two.receive(&data(2, 7));
        assert_eq!(two.receive(&data(2, 12)), None, "the end of a body that keeps coming");
        assert_eq!(
            body("{}").receive(&data(2, 12)),
            Some(BodyProgress::Part),
            "the length is not known"
        );
    }
}
