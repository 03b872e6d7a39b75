//! Takes pictures that fit into an answer. The browser encodes and scales where it can; what it
//! cannot do is done here on decoded pixels.

mod annotate;
mod digits;
pub(super) mod error;
#[cfg(test)]
mod in_browser;
mod labels;
mod pixels;

use std::sync::Arc;

use pagesight_session::{ImageFormat, ScopeChoice, Screenshot, Session, ShotOptions, TabRecord};

use self::annotate::annotate;
use self::error::PictureError;
use self::pixels::Pixels;
use super::error::ToolError;

/// The most bytes of a picture in an answer: 1,000,000 after base64.
const MOST_BYTES: usize = 750_000;
/// The usual quality of JPEG and WebP, and the lowest.
const QUALITY: u8 = 80;
const LOWEST_QUALITY: u8 = 50;
/// How often a picture is made smaller.
const MOST_TRIES: usize = 10;

/// The picture that is wanted.
#[derive(Clone, Debug)]
pub(crate) struct PictureRequest {
    pub(crate) scope: ScopeChoice,
    pub(crate) annotate: bool,
    /// PNG if none is given.
    pub(crate) format: Option<ImageFormat>,
    pub(crate) max_width: Option<u32>,
    pub(crate) limit: SizeLimit,
}

/// How large a picture may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizeLimit {
    /// It fits into an answer.
    Answer,
    /// It is written to a file.
    None,
}

#[derive(Debug)]
pub(crate) struct FittedPicture {
    pub(crate) bytes: Vec<u8>,
    pub(crate) format: ImageFormat,
    /// Width and height in pixels.
    pub(crate) size: (u32, u32),
    /// How the picture was made to fit, in words; empty if it was not changed.
    pub(crate) note: String,
}

impl FittedPicture {
    /// Returns its media type.
    pub(crate) fn media_type(&self) -> &'static str {
        match self.format {
            ImageFormat::Png => "image/png",
            ImageFormat::Jpeg => "image/jpeg",
            ImageFormat::Webp => "image/webp",
        }
    }

    /// Returns a summary in one line.
    pub(crate) fn summary(&self) -> String {
        let (width, height) = self.size;
        let note = if self.note.is_empty() { String::new() } else { format!(" ({})", self.note) };
        format!("{} picture, {width}x{height} pixels{note}", name(self.format))
    }
}

/// How a picture is encoded.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Encoding {
    format: ImageFormat,
    quality: u8,
    /// The most pixels per CSS pixel.
    scale: f64,
}

impl Encoding {
    /// Returns the next smaller encoding: first the format changes, then the quality, then the
    /// scale. `bytes`: what this one needed; `scale`: the scale that it had.
    fn smaller(self, bytes: usize, scale: f64) -> Encoding {
        let fit = |bytes: f64| scale * (0.9 * MOST_BYTES as f64 / bytes).sqrt().min(0.95);
        match self.format {
            ImageFormat::Png => Encoding { format: ImageFormat::Jpeg, ..self },
            _ if self.quality > LOWEST_QUALITY => {
                // At the lowest quality it needs about half as many bytes.
                let expected = bytes as f64 * 0.6;
                let scale = if expected > 1.3 * MOST_BYTES as f64 { fit(expected) } else { scale };
                Encoding { quality: LOWEST_QUALITY, scale, ..self }
            }
            _ => Encoding { scale: fit(bytes as f64), ..self },
        }
    }
}

/// Takes a picture of a tab.
pub(crate) async fn take(
    session: &Session,
    tab: &Arc<TabRecord>,
    request: &PictureRequest,
) -> Result<FittedPicture, ToolError> {
    let format = request.format.unwrap_or(ImageFormat::Png);
    let mut encoding = Encoding { format, quality: QUALITY, scale: 1.0 };
    for _ in 0..MOST_TRIES {
        let options = ShotOptions {
            scope: request.scope.clone(),
            annotate: request.annotate,
            // Only a PNG can be drawn on.
            format: if request.annotate { ImageFormat::Png } else { encoding.format },
            quality: encoding.quality,
            scale: encoding.scale,
            max_width: request.max_width,
        };
        let shot = session.screenshot(tab, &options).await?;
        let finished = !request.annotate && shot.pieces.len() == 1 && shot.drawn == shot.wanted;
        if !finished {
            let limit = request.limit;
            // Large pictures take a while.
            let made = tokio::task::spawn_blocking(move || encode(shot, encoding, limit, format));
            return Ok(made.await.map_err(PictureError::Thread)??);
        }
        let scale = shot.wanted;
        let bytes = shot.pieces.first().map_or(0, Vec::len);
        if request.limit == SizeLimit::None || bytes <= MOST_BYTES {
            return Ok(done(shot, encoding, format));
        }
        encoding = encoding.smaller(bytes, scale);
    }
    Err(PictureError::DoesNotFit.into())
}

/// Returns the picture that the browser encoded.
fn done(mut shot: Screenshot, encoding: Encoding, given: ImageFormat) -> FittedPicture {
    let side = |length: f64| ((length * shot.wanted).round() as u32).max(1);
    let size = (side(shot.size.0), side(shot.size.1));
    let encoding = Encoding { format: shot.format, ..encoding };
    let note = note(&shot, encoding, given, size);
    FittedPicture { bytes: shot.pieces.swap_remove(0), format: shot.format, size, note }
}

/// Scales, annotates and encodes a picture here.
fn encode(
    shot: Screenshot,
    mut encoding: Encoding,
    limit: SizeLimit,
    given: ImageFormat,
) -> Result<FittedPicture, PictureError> {
    let mut pieces = Vec::new();
    for piece in &shot.pieces {
        // Each piece is scaled before the next one is decoded: together they may be large.
        pieces.push(Pixels::decode(piece)?.scaled(shot.wanted / shot.drawn));
    }
    let drawn = Pixels::stack(pieces);
    // A WebP cannot be encoded here.
    if encoding.format == ImageFormat::Webp {
        encoding.format = ImageFormat::Jpeg;
    }
    let full = f64::from(drawn.width) / shot.size.0;
    encoding.scale = full;
    for _ in 0..MOST_TRIES {
        let mut picture = drawn.clone().scaled(encoding.scale / full);
        let scale = f64::from(picture.width) / shot.size.0;
        annotate(&mut picture, &shot.marks, scale);
        let bytes = match encoding.format {
            ImageFormat::Png => picture.png()?,
            ImageFormat::Jpeg | ImageFormat::Webp => picture.jpeg(encoding.quality)?,
        };
        if limit == SizeLimit::None || bytes.len() <= MOST_BYTES {
            let size = (picture.width, picture.height);
            let note = note(&shot, encoding, given, size);
            return Ok(FittedPicture { bytes, format: encoding.format, size, note });
        }
        encoding = encoding.smaller(bytes.len(), scale);
    }
    Err(PictureError::DoesNotFit)
}

/// Returns the name of a format as people write it.
pub(super) fn name(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "PNG",
        ImageFormat::Jpeg => "JPEG",
        ImageFormat::Webp => "WebP",
    }
}

/// Says what was done to a picture; empty if nothing was.
fn note(
    shot: &Screenshot,
    encoding: Encoding,
    given: ImageFormat,
    (width, height): (u32, u32),
) -> String {
    let mut parts = Vec::new();
    if let Some((whole_width, whole_height)) = shot.cut_from {
        let (width, height) = shot.size;
        parts.push(format!("shows {width}x{height} of {whole_width}x{whole_height} CSS pixels"));
    }
    let scale = f64::from(width) / shot.size.0;
    if (scale - 1.0).abs() > 0.004 {
        let factor = (1000.0 / scale).round() / 1000.0;
        parts.push(format!("scaled to {width}x{height}: 1 pixel is {factor} CSS pixels"));
    }
    let reduced = encoding.quality != QUALITY && encoding.format != ImageFormat::Png;
    if encoding.format != given || reduced {
        let quality = match encoding.format {
            ImageFormat::Png => String::new(),
            _ => format!(" of quality {}", encoding.quality),
        };
        let (now, given) = (name(encoding.format), name(given));
        let instead = if now == given { String::new() } else { format!(" instead of {given}") };
        parts.push(format!("{now}{quality}{instead}"));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shot(size: (f64, f64), cut_from: Option<(f64, f64)>) -> Screenshot {
        let format = ImageFormat::Png;
        let (pieces, marks) = (vec![Vec::new()], Vec::new());
        Screenshot { pieces, format, drawn: 1.0, wanted: 1.0, size, cut_from, marks }
    }

    #[test]
    fn first_the_format_then_the_quality_then_the_scale() {
        let first = Encoding { format: ImageFormat::Png, quality: QUALITY, scale: 1.0 };
        let second = first.smaller(2_000_000, 1.0);
        assert_eq!((second.format, second.quality), (ImageFormat::Jpeg, QUALITY));
        let third = second.smaller(1_000_000, 1.0);
        assert_eq!((third.quality, third.scale), (LOWEST_QUALITY, 1.0));
        assert!(third.smaller(800_000, 1.0).scale < 1.0);
        // Far too large: quality and scale at once.
        assert!(second.smaller(9_000_000, 1.0).scale < 0.5);
        let webp = Encoding { format: ImageFormat::Webp, ..first };
        assert_eq!(webp.smaller(2_000_000, 1.0).format, ImageFormat::Webp);
    }

    #[test]
    fn the_note_says_what_was_done() {
        let plain = Encoding { format: ImageFormat::Png, quality: QUALITY, scale: 1.0 };
        let small = shot((1280.0, 720.0), None);
        assert_eq!(note(&small, plain, ImageFormat::Png, (1280, 720)), "");
        let low = Encoding { format: ImageFormat::Jpeg, quality: 50, scale: 0.5 };
        let cut = shot((1280.0, 16384.0), Some((1280.0, 100_000.0)));
        assert_eq!(
            note(&cut, low, ImageFormat::Png, (640, 8192)),
            "shows 1280x16384 of 1280x100000 CSS pixels; scaled to 640x8192: 1 pixel is 2 CSS pixels; JPEG of quality 50 instead of PNG"
        );
    }

    /// Noise does not compress, so all ways to make it smaller are needed.
    #[test]
    fn noise_fits_into_an_answer() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let (width, height) = (1400, 900);
        let colours = (0..width * height * 3).map(|_| random()).collect();
        let png = Pixels { colours, width, height }.png().unwrap();
        let mut noise = shot((1400.0, 900.0), None);
        noise.pieces = vec![png];
        let encoding = Encoding { format: ImageFormat::Png, quality: QUALITY, scale: 1.0 };
        let large = encode(noise.clone(), encoding, SizeLimit::None, ImageFormat::Png).unwrap();
        assert!(large.bytes.len() > 3_000_000 && large.note.is_empty(), "{}", large.note);
        let fitting = encode(noise, encoding, SizeLimit::Answer, ImageFormat::Png).unwrap();
        assert!(fitting.bytes.len() <= MOST_BYTES, "{}", fitting.bytes.len());
        assert!(fitting.bytes.len() > MOST_BYTES / 3, "{}", fitting.bytes.len());
        assert!(fitting.note.contains("JPEG of quality 50 instead of PNG"), "{}", fitting.note);
    }
}
