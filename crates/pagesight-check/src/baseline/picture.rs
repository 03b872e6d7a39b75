//! Stores a text in a separate chunk of a PNG file: the boxes of the elements, so that reports can
//! draw them later.

/// The first bytes of every PNG file.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The chunk: ancillary, private, safe to copy.
const CHUNK: &[u8; 4] = b"psBx";

/// Reports whether this is a PNG file.
pub(crate) fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

/// Adds a text after the header. Anything but a PNG file is returned unchanged.
pub(crate) fn with_text(png: &[u8], text: &str) -> Vec<u8> {
    let Some(header_end) = chunks(png).next().map(|(_, _, end)| end) else { return png.to_vec() };
    let mut out = png[..header_end].to_vec();
    let data = [CHUNK, text.as_bytes()].concat();
    out.extend((text.len() as u32).to_be_bytes());
    out.extend(&data);
    out.extend(crc32fast::hash(&data).to_be_bytes());
    out.extend(&png[header_end..]);
    out
}

/// Returns the text of a PNG file.
pub(crate) fn text_in(png: &[u8]) -> Option<&str> {
    let (_, data, _) = chunks(png).find(|(kind, ..)| *kind == CHUNK)?;
    std::str::from_utf8(data).ok()
}

/// Removes the text from a PNG file.
pub(crate) fn without_text(png: &[u8]) -> Vec<u8> {
    match chunks(png).find(|(kind, ..)| *kind == CHUNK) {
        // The length and the type come before the data, a checksum after it.
        Some((_, data, end)) => [&png[..end.saturating_sub(data.len() + 12)], &png[end..]].concat(),
        None => png.to_vec(),
    }
}

/// Returns width and height in pixels.
pub(crate) fn size(png: &[u8]) -> Option<(u32, u32)> {
    let (kind, data, _) = chunks(png).next()?;
    let number = |at: usize| Some(u32::from_be_bytes(data.get(at..at + 4)?.try_into().ok()?));
    (kind == b"IHDR").then(|| Some((number(0)?, number(4)?)))?
}

/// Lists the chunks of a PNG file: type, data, and the offset of the next one.
fn chunks(png: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8], usize)> {
    let mut at = if is_png(png) { SIGNATURE.len() } else { png.len() };
    std::iter::from_fn(move || {
        let length = u32::from_be_bytes(png.get(at..at + 4)?.try_into().ok()?) as usize;
        let kind: &[u8; 4] = png.get(at + 4..at + 8)?.try_into().ok()?;
        let data = png.get(at + 8..(at + 8).checked_add(length)?)?;
        // A checksum follows the data.
        at = (at + 12 + length).min(png.len());
        Some((kind, data, at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn() -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, 3, 2);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.write_header().unwrap().write_image_data(&[0; 6]).unwrap();
        out
    }

    #[test]
    fn a_text_goes_in_and_comes_out_and_the_picture_stays_one() {
        let plain = drawn();
        assert_eq!((text_in(&plain), size(&plain)), (None, Some((3, 2))));
        let marked = with_text(&plain, "{\"a\": [1]}");
        assert_eq!((text_in(&marked), size(&marked)), (Some("{\"a\": [1]}"), Some((3, 2))));
        assert!(without_text(&marked) == plain && without_text(&plain) == plain, "as it was drawn");
        let mut reader = png::Decoder::new(std::io::Cursor::new(&marked)).read_info().unwrap();
        let mut pixels = vec![0; 6];
        reader.next_frame(&mut pixels).unwrap();
    }

    #[test]
    fn what_is_no_picture_does_no_harm() {
        let plain = drawn();
        for cut in 0..plain.len() {
            let part = &plain[..cut];
            let _ = (text_in(part), size(part), with_text(part, "x"), without_text(part));
        }
        assert_eq!(with_text(b"GIF89a", "x"), b"GIF89a");
    }
}
