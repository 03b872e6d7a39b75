//! Reads the size of an encoded image from its header.

/// Returns width and height of a PNG, JPEG or WebP; `None` if the header cannot be read.
pub(crate) fn image_size(image: &[u8]) -> Option<(u32, u32)> {
    match image {
        [0x89, b'P', b'N', b'G', ..] => {
            Some((big_endian(image, 16, 4)?, big_endian(image, 20, 4)?))
        }
        [0xff, 0xd8, ..] => jpeg_size(image),
        [b'R', b'I', b'F', b'F', ..] => webp_size(image),
        _ => None,
    }
}

fn big_endian(image: &[u8], at: usize, bytes: usize) -> Option<u32> {
    let bytes = image.get(at..at.checked_add(bytes)?)?;
    Some(bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

fn little_endian(image: &[u8], at: usize, bytes: usize) -> Option<u32> {
    let bytes = image.get(at..at.checked_add(bytes)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// Skips the segments before the frame header.
fn jpeg_size(image: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let marker = *image.get(at + 1)?;
        // SOF0 to SOF15 without the tables DHT, JPG and DAC.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            return Some((big_endian(image, at + 7, 2)?, big_endian(image, at + 5, 2)?));
        }
        at += 2 + usize::try_from(big_endian(image, at + 2, 2)?).ok()?;
    }
}

fn webp_size(image: &[u8]) -> Option<(u32, u32)> {
    match image.get(12..16)? {
        b"VP8 " => {
            let side = |at| Some(little_endian(image, at, 2)? & 0x3fff);
            Some((side(26)?, side(28)?))
        }
        b"VP8L" => {
            let bits = little_endian(image, 21, 4)?;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => Some((little_endian(image, 24, 3)? + 1, little_endian(image, 27, 3)? + 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_each_format() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x05\0\0\0\x02\xd0";
        assert_eq!(image_size(png), Some((1280, 720)));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\x02\xd0\x05\0";
        assert_eq!(image_size(jpeg), Some((1280, 720)));
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\0\x05\xd0\x02";
        assert_eq!(image_size(lossy), Some((1280, 720)));
        let large = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\x04\0\xcf\x02\0";
        assert_eq!(image_size(large), Some((1280, 720)));
        for broken in [&b""[..], b"\xff\xd8\xff\xe0\0\0", b"\x89PNG", b"RIFF\0\0", b"GIF89a"] {
            assert_eq!(image_size(broken), None);
        }
    }
}
