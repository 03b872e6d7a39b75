//! Decoded pictures: scales and encodes what the browser cannot scale or encode. A browser without
//! scaled screenshots, and pictures that something is drawn on, need this.

use std::io::Cursor;

use jpeg_encoder::{ColorType, Encoder};

use super::error::PictureError;

/// The most memory that a decoded picture may need.
const MOST_MEMORY: usize = 512 * 1024 * 1024;

/// A picture as rows of red, green and blue.
#[derive(Clone, Debug)]
pub(super) struct Pixels {
    pub(super) colours: Vec<u8>,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Pixels {
    /// Decodes a PNG. What is transparent becomes white.
    pub(super) fn decode(png: &[u8]) -> Result<Pixels, PictureError> {
        let limits = png::Limits { bytes: MOST_MEMORY };
        let mut decoder = png::Decoder::new_with_limits(Cursor::new(png), limits);
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
        let mut reader = decoder.read_info()?;
        let size = reader.output_buffer_size().filter(|size| *size <= MOST_MEMORY);
        let mut samples = vec![0; size.ok_or(PictureError::TooLarge)?];
        let info = reader.next_frame(&mut samples)?;
        let colours = match info.color_type.samples() {
            3 => samples,
            4 => on_white(&samples),
            1 => samples.iter().flat_map(|grey| [*grey; 3]).collect(),
            _ => samples.chunks_exact(2).flat_map(|pair| [pair[0]; 3]).collect(),
        };
        Ok(Pixels { colours, width: info.width, height: info.height })
    }

    /// Puts pictures of the same width below each other.
    pub(super) fn stack(pieces: Vec<Pixels>) -> Pixels {
        let width = pieces.first().map_or(0, |first| first.width);
        let mut whole = Pixels { colours: Vec::new(), width, height: 0 };
        for piece in pieces.into_iter().filter(|piece| piece.width == width) {
            whole.colours.extend_from_slice(&piece.colours);
            whole.height += piece.height;
        }
        whole
    }

    /// Returns the picture in a smaller size; each pixel is the mean of those that it replaces.
    pub(super) fn scaled(self, scale: f64) -> Pixels {
        let side = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
        let (width, height) = (side(self.width), side(self.height));
        if width >= self.width || height >= self.height {
            return self;
        }
        let (columns, rows) = (shares(self.width, width), shares(self.height, height));
        let mut colours = Vec::with_capacity(width as usize * height as usize * 3);
        let mut sums = vec![0.0_f32; width as usize * 3];
        for (first, weights) in rows {
            sums.fill(0.0);
            for (row, weight) in weights.iter().enumerate() {
                let start = (first + row) * self.width as usize * 3;
                let line = &self.colours[start..start + self.width as usize * 3];
                for (sum, (left, across)) in sums.chunks_exact_mut(3).zip(&columns) {
                    for (column, share) in across.iter().enumerate() {
                        let at = (left + column) * 3;
                        for (sum, colour) in sum.iter_mut().zip(&line[at..at + 3]) {
                            *sum += weight * share * f32::from(*colour);
                        }
                    }
                }
            }
            colours.extend(sums.iter().map(|sum| sum.round() as u8));
        }
        Pixels { colours, width, height }
    }

    /// Encodes it as a PNG.
    pub(super) fn png(&self) -> Result<Vec<u8>, PictureError> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.colours)?;
        writer.finish()?;
        Ok(out)
    }

    /// Encodes it as a JPEG.
    pub(super) fn jpeg(&self, quality: u8) -> Result<Vec<u8>, PictureError> {
        let side = |length: u32| u16::try_from(length).map_err(|_| PictureError::TooLarge);
        let mut out = Vec::new();
        let (width, height) = (side(self.width)?, side(self.height)?);
        Encoder::new(&mut out, quality).encode(&self.colours, width, height, ColorType::Rgb)?;
        Ok(out)
    }
}

/// Drops the fourth sample of each pixel, its opacity.
fn on_white(samples: &[u8]) -> Vec<u8> {
    let mut colours = Vec::with_capacity(samples.len() / 4 * 3);
    for pixel in samples.chunks_exact(4) {
        // Nearly all pixels are opaque.
        if pixel[3] == 255 {
            colours.extend_from_slice(&pixel[..3]);
            continue;
        }
        let alpha = u32::from(pixel[3]);
        let mix = |colour: &u8| ((u32::from(*colour) * alpha + 255 * (255 - alpha)) / 255) as u8;
        colours.extend(pixel[..3].iter().map(mix));
    }
    colours
}

/// Returns, for each pixel of a smaller line, the first pixel of the larger line that it replaces,
/// and the shares of that one and the following ones.
fn shares(from: u32, to: u32) -> Vec<(usize, Vec<f32>)> {
    let step = f64::from(from) / f64::from(to);
    let share_of = |place: u32| {
        let (start, end) = (f64::from(place) * step, f64::from(place + 1) * step);
        let last = (end.ceil() as usize).min(from as usize);
        let first = (start.floor() as usize).min(last - 1);
        let share = |at: usize| (end.min(at as f64 + 1.0) - start.max(at as f64)) / step;
        (first, (first..last).map(|at| share(at).max(0.0) as f32).collect())
    };
    (0..to).map(share_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripes(width: u32, height: u32) -> Pixels {
        let colour =
            |at: u32| if (at % width).is_multiple_of(2) { [200, 0, 0] } else { [0, 100, 0] };
        Pixels { colours: (0..width * height).flat_map(colour).collect(), width, height }
    }

    #[test]
    fn a_scaled_picture_has_the_mean_colours() {
        let half = stripes(8, 6).scaled(0.5);
        assert_eq!((half.width, half.height), (4, 3));
        assert!(half.colours.chunks(3).all(|pixel| pixel == [100, 50, 0]), "{half:?}");
        // A white picture stays white at any scale: the shares of a pixel add up to one.
        let white = Pixels { colours: vec![255; 31 * 17 * 3], width: 31, height: 17 };
        for scale in [0.9, 0.77, 0.33, 0.01] {
            let scaled = white.clone().scaled(scale);
            assert!(scaled.colours.iter().all(|colour| *colour == 255), "{scale}");
        }
        assert_eq!(white.clone().scaled(2.0).width, 31, "a picture is not enlarged");
    }

    #[test]
    fn pictures_can_be_encoded_and_decoded() {
        let picture = stripes(30, 20);
        let again = Pixels::decode(&picture.png().unwrap()).unwrap();
        assert_eq!((again.width, again.height), (30, 20));
        assert_eq!(again.colours, picture.colours);
        let stacked = Pixels::stack(vec![stripes(30, 20), stripes(30, 5)]);
        assert_eq!((stacked.height, stacked.colours.len()), (25, 30 * 25 * 3));
        let jpeg = picture.jpeg(80).unwrap();
        assert_eq!(&jpeg[..3], b"\xff\xd8\xff");
        assert!(picture.jpeg(10).unwrap().len() < jpeg.len());
        assert!(Pixels::decode(b"no picture").is_err());
    }
}
