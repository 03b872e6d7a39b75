//! Compares the pixels of two areas as people see them: by brightness and colour (YIQ, as in
//! televisions), without what only the smoothing of edges changed. The distance and the test for
//! smoothed edges are those of Kotsarenko and Ramos (2010) and Vyšniauskas (2009), which
//! pixelmatch made popular.

use crate::page::Rect;

/// The largest distance of two colours, squared.
const FARTHEST: f32 = 35_215.0;
/// How many neighbours of the same colour show that a pixel is not on an edge.
const SIBLINGS: usize = 3;

/// A picture of a page: red, green, blue and opacity of each pixel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PixelPicture {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl PixelPicture {
    /// Makes a picture of rows of RGBA pixels; none if their number does not fit.
    pub fn new(width: u32, height: u32, pixels: Vec<u8>) -> Option<PixelPicture> {
        let wanted = u64::from(width) * u64::from(height) * 4;
        (wanted == pixels.len() as u64 && wanted > 0).then_some(PixelPicture {
            width,
            height,
            pixels,
        })
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the whole area.
    pub(super) fn area(&self) -> Rect {
        Rect { x: 0, y: 0, width: self.width as i32, height: self.height as i32 }
    }

    fn at(&self, x: i32, y: i32) -> Option<[u8; 4]> {
        let inside = x >= 0 && y >= 0 && x < self.width as i32 && y < self.height as i32;
        let from = (y as usize * self.width as usize + x as usize) * 4;
        let pixel = self.pixels.get(from..from + 4).filter(|_| inside)?;
        <[u8; 4]>::try_from(pixel).ok()
    }
}

/// Compares pixels of two pictures.
pub(super) struct PixelPair<'p> {
    pub(super) was: &'p PixelPicture,
    pub(super) now: &'p PixelPicture,
    /// The distance from which on two colours differ, from 0 to 1.
    pub(super) threshold: f32,
}

impl PixelPair<'_> {
    /// Whether a person sees a difference between a pixel of each picture.
    pub(super) fn differs(&self, was: (i32, i32), now: (i32, i32)) -> bool {
        let (Some(one), Some(other)) = (self.was.at(was.0, was.1), self.now.at(now.0, now.1))
        else {
            return false;
        };
        if one == other {
            return false;
        }
        let limit = FARTHEST * self.threshold * self.threshold;
        distance(one, other) > limit
            && !is_smoothed(self.was, was, self.now, now)
            && !is_smoothed(self.now, now, self.was, was)
    }

    /// Counts the different pixels of two areas of the same size.
    pub(super) fn count(&self, was: Rect, now: Rect) -> usize {
        let (width, height) = (was.width.min(now.width), was.height.min(now.height));
        let mut count = 0;
        for y in 0..height {
            for x in 0..width {
                let differs = self.differs((was.x + x, was.y + y), (now.x + x, now.y + y));
                count += usize::from(differs);
            }
        }
        count
    }
}

/// Returns the squared distance of two colours, as far as people see it.
fn distance(one: [u8; 4], other: [u8; 4]) -> f32 {
    let [a, b] = [one, other].map(yiq);
    let [y, i, q] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
}

/// Returns brightness and colour of a pixel on white.
fn yiq([red, green, blue, opacity]: [u8; 4]) -> [f32; 3] {
    let opaque = f32::from(opacity) / 255.0;
    let on_white = |part: u8| 255.0 + (f32::from(part) - 255.0) * opaque;
    let (r, g, b) = (on_white(red), on_white(green), on_white(blue));
    [
        r * 0.298_895_3 + g * 0.586_622_5 + b * 0.114_482_23,
        r * 0.595_977_1 - g * 0.274_176_1 - b * 0.321_801,
        r * 0.211_470_2 - g * 0.522_617_1 + b * 0.311_146_9,
    ]
}

/// Whether a pixel lies on a smoothed edge: between a darker and a brighter neighbour, one of
/// which is inside of an area in both pictures.
fn is_smoothed(
    picture: &PixelPicture,
    at: (i32, i32),
    other: &PixelPicture,
    other_at: (i32, i32),
) -> bool {
    let Some(center) = picture.at(at.0, at.1).map(|pixel| yiq(pixel)[0]) else { return false };
    let mut equal = 0;
    let (mut darkest, mut brightest) = (0.0_f32, 0.0_f32);
    let (mut dark_at, mut bright_at) = ((0, 0), (0, 0));
    for (x, y) in around() {
        let Some(pixel) = picture.at(at.0 + x, at.1 + y) else {
            equal += 1;
            continue;
        };
        let step = yiq(pixel)[0] - center;
        if step == 0.0 {
            equal += 1;
            if equal >= SIBLINGS {
                return false;
            }
        } else if step < darkest {
            (darkest, dark_at) = (step, (x, y));
        } else if step > brightest {
            (brightest, bright_at) = (step, (x, y));
        }
    }
    if darkest == 0.0 || brightest == 0.0 {
        return false;
    }
    let is_inside = |(x, y): (i32, i32)| {
        has_siblings(picture, (at.0 + x, at.1 + y))
            && has_siblings(other, (other_at.0 + x, other_at.1 + y))
    };
    is_inside(dark_at) || is_inside(bright_at)
}

/// Whether at least three neighbours of a pixel have its colour.
fn has_siblings(picture: &PixelPicture, at: (i32, i32)) -> bool {
    let Some(center) = picture.at(at.0, at.1) else { return false };
    let equal = around()
        .filter(|(x, y)| picture.at(at.0 + x, at.1 + y).is_none_or(|pixel| pixel == center));
    equal.take(SIBLINGS).count() >= SIBLINGS
}

fn around() -> impl Iterator<Item = (i32, i32)> {
    (0..9).map(|at| (at % 3 - 1, at / 3 - 1)).filter(|offset| *offset != (0, 0))
}
