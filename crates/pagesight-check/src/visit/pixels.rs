//! Compares the picture of a page with that of its baseline.

use std::io::Cursor;

use pagesight_core::compare::{Comparison, PictureRules, PixelPicture, compare_pictures};
use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::FingerprintWithPicture;
use png::{ColorType, Decoder, Transformations};

use crate::baseline::blocking;
use crate::plan::Job;

/// The most pixels of a picture that is compared.
const MOST_PIXELS: u64 = 64_000_000;

/// Compares the pictures and adds the differences. What cannot be compared is noted in the
/// comparison.
pub(super) fn compare(
    comparison: &mut Comparison,
    (base, before): (&Fingerprint, Option<&[u8]>),
    (now, shot): (&Fingerprint, &FingerprintWithPicture),
    job: &Job,
) {
    // Without a layout nothing says where the elements were.
    if base.structure.layout.is_none() {
        return comparison.uncompared.push("the picture".to_owned());
    }
    let pictures = blocking(|| Some((decoded(before?)?, decoded(shot.png.as_deref()?)?)));
    let Some((before, after)) = pictures else {
        return comparison.uncompared.push("the picture".to_owned());
    };
    // On a screen with more pixels it has a different scale.
    if after.width() != shot.size.width {
        return comparison.uncompared.push("the picture (of this screen)".to_owned());
    }
    let rules = PictureRules { threshold: job.visual.threshold, ignore: &job.rules };
    blocking(|| compare_pictures(comparison, (base, &before), (now, &after), &rules));
}

/// Reads a PNG file; none if it is damaged or too large.
fn decoded(png: &[u8]) -> Option<PixelPicture> {
    let mut decoder = Decoder::new(Cursor::new(png));
    decoder.set_transformations(
        Transformations::EXPAND | Transformations::ALPHA | Transformations::STRIP_16,
    );
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return None;
    }
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut pixels).ok()?;
    pixels.truncate(frame.buffer_size());
    match frame.color_type {
        ColorType::Rgba => PixelPicture::new(width, height, pixels),
        ColorType::GrayscaleAlpha => {
            let spread = |pair: &[u8]| [pair[0], pair[0], pair[0], pair[1]];
            let pixels = pixels.chunks_exact(2).flat_map(spread).collect();
            PixelPicture::new(width, height, pixels)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_pictures_are_none() {
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, 3, 2);
        encoder.set_color(ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(&[7; 18]).unwrap();
        assert_eq!(decoded(&png).map(|picture| picture.width()), Some(3));
        for cut in 0..png.len() - 16 {
            assert_eq!(decoded(&png[..cut]), None, "{cut} bytes");
        }
    }
}
