//! Draws numbered boxes on a picture. Works on the pixels, so that the page is not touched.

use pagesight_core::page::Rect;

use super::digits::{DIGIT, coverage};
use super::labels::{Label, place};
use super::pixels::Pixels;

/// The space around the digits of a label.
const PADDING: (i32, i32) = (2, 1);
/// Distinct colours; a number has the colour of its box.
const COLOURS: [[u8; 3]; 6] =
    [[200, 30, 30], [20, 90, 200], [20, 130, 60], [150, 60, 180], [190, 100, 0], [0, 120, 130]];

/// Draws the box and the number of each mark, and returns where the numbers are. `scale`: the
/// pixels of the picture per CSS pixel.
pub(super) fn annotate(picture: &mut Pixels, marks: &[(u32, Rect)], scale: f64) -> Vec<Rect> {
    let (width, height) = (picture.width as i32, picture.height as i32);
    let boxes: Vec<Rect> = marks.iter().map(|(_, rect)| scaled(rect, scale)).collect();
    let sizes: Vec<(i32, i32)> = marks.iter().map(|(number, _)| size(*number)).collect();
    let labels = place(&picture.colours, (width, height), &boxes, &sizes);
    let mut canvas = Canvas { pixels: &mut picture.colours, width, height };
    let colour = |at: usize| COLOURS[at % COLOURS.len()];
    for (at, (rect, label)) in boxes.iter().zip(&labels).enumerate() {
        canvas.outline(rect, colour(at));
        if label.is_away {
            canvas.lead(&label.rect, rect, colour(at));
        }
    }
    // No box or line goes through a number.
    for (at, ((number, _), label)) in marks.iter().zip(&labels).enumerate() {
        canvas.number(*number, label, colour(at));
    }
    labels.iter().map(|label| label.rect).collect()
}

/// Returns width and height of a label.
fn size(number: u32) -> (i32, i32) {
    let digits = number.checked_ilog10().unwrap_or(0) as i32 + 1;
    (digits * DIGIT.0 + 2 * PADDING.0, DIGIT.1 + 2 * PADDING.1)
}

fn scaled(rect: &Rect, scale: f64) -> Rect {
    let pixel = |length: i32| (f64::from(length) * scale).round() as i32;
    let (x, y) = (pixel(rect.x), pixel(rect.y));
    let right = pixel(rect.x.saturating_add(rect.width));
    let bottom = pixel(rect.y.saturating_add(rect.height));
    Rect { x, y, width: right.saturating_sub(x).max(1), height: bottom.saturating_sub(y).max(1) }
}

struct Canvas<'p> {
    pixels: &'p mut [u8],
    width: i32,
    height: i32,
}

impl Canvas<'_> {
    /// Mixes a colour into a pixel: `share` of 15 parts.
    fn dot(&mut self, x: i32, y: i32, colour: [u8; 3], share: u8) {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            let at = (y as usize * self.width as usize + x as usize) * 3;
            for (pixel, part) in self.pixels[at..at + 3].iter_mut().zip(colour) {
                let (new, old) = (u16::from(share), 15 - u16::from(share));
                *pixel = ((u16::from(part) * new + u16::from(*pixel) * old) / 15) as u8;
            }
        }
    }

    fn fill(&mut self, x: i32, y: i32, width: i32, height: i32, colour: [u8; 3]) {
        // Clipped to the picture, because a page can make a box of any size.
        for row in y.max(0)..y.saturating_add(height).min(self.height) {
            for column in x.max(0)..x.saturating_add(width).min(self.width) {
                self.dot(column, row, colour, 15);
            }
        }
    }

    fn outline(&mut self, rect: &Rect, colour: [u8; 3]) {
        let Rect { x, y, width, height } = *rect;
        self.fill(x, y, width, 1, colour);
        self.fill(x, y.saturating_add(height - 1), width, 1, colour);
        self.fill(x, y, 1, height, colour);
        self.fill(x.saturating_add(width - 1), y, 1, height, colour);
    }

    /// Draws a line from a label to its box.
    fn lead(&mut self, label: &Rect, around: &Rect, colour: [u8; 3]) {
        let inside = |at: i32, from: i32, length: i32, most: i32| {
            at.clamp(from, from.saturating_add(length - 1).max(from)).clamp(0, (most - 1).max(0))
        };
        let within = |(x, y): (i32, i32), rect: &Rect| {
            let x = inside(x, rect.x, rect.width, self.width);
            (x, inside(y, rect.y, rect.height, self.height))
        };
        let middle = (label.x + label.width / 2, label.y + label.height / 2);
        // In the row of the box, the line runs below the text of the row, not through it.
        let beside = label.x >= around.x.saturating_add(around.width)
            || label.x.saturating_add(label.width) <= around.x;
        let (to, from) = match beside {
            true => (within((middle.0, i32::MAX), around), within((around.x, i32::MAX), label)),
            false => (within(middle, around), within(within(middle, around), label)),
        };
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let steps = across.abs().max(down.abs()).max(1);
        for step in 0..=steps {
            self.dot(from.0 + across * step / steps, from.1 + down * step / steps, colour, 15);
        }
    }

    fn number(&mut self, number: u32, label: &Label, colour: [u8; 3]) {
        let Rect { x, y, width, height } = label.rect;
        self.fill(x, y, width, height, colour);
        for (place, digit) in number.to_string().bytes().enumerate() {
            let left = x + PADDING.0 + place as i32 * DIGIT.0;
            for (at, share) in coverage(digit - b'0').enumerate() {
                let (column, row) = (at as i32 % DIGIT.0, at as i32 / DIGIT.0);
                self.dot(left + column, y + PADDING.1 + row, [255; 3], share);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_drawn_where_it_lies_and_nothing_outside_breaks() {
        let marks = [
            (12, Rect { x: 10, y: 20, width: 30, height: 10 }),
            (7, Rect { x: -50, y: -50, width: 2_000_000_000, height: 2_000_000_000 }),
        ];
        let blank = || Pixels { colours: vec![255; 100 * 60 * 3], width: 100, height: 60 };
        let at = |picture: &Pixels, x: usize, y: usize| {
            let at = (y * 100 + x) * 3;
            [picture.colours[at], picture.colours[at + 1], picture.colours[at + 2]]
        };
        let mut drawn = blank();
        annotate(&mut drawn, &marks[..1], 1.0);
        assert_eq!(at(&drawn, 10, 25), COLOURS[0]);
        assert_eq!(at(&drawn, 39, 29), COLOURS[0]);
        assert_eq!(at(&drawn, 50, 25), [255; 3]);
        let mut half = blank();
        annotate(&mut half, &[(3, Rect { x: 20, y: 60, width: 40, height: 20 })], 0.5);
        assert_eq!([at(&half, 10, 35), at(&half, 29, 35), at(&half, 20, 39)], [COLOURS[0]; 3]);
        assert_eq!([at(&half, 20, 35), at(&half, 31, 35)], [[255; 3]; 2]);
        annotate(&mut blank(), &marks, 1.0);
        annotate(&mut blank(), &marks, 0.3);
    }
}
