//! Draws numbered boxes on a picture. Works on the pixels, so that the page is not touched.

use pagesight_core::page::Rect;

use super::pixels::Pixels;

/// The digits as 3×5 dots, one byte per row.
const DIGITS: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];
/// One dot of a digit, in pixels.
const DOT: i32 = 2;
/// The distance from one digit to the next, in dots.
const ADVANCE: i32 = 5;
/// Distinct colours; a number has the colour of its box.
const COLOURS: [[u8; 3]; 6] =
    [[200, 30, 30], [20, 90, 200], [20, 130, 60], [150, 60, 180], [190, 100, 0], [0, 120, 130]];

/// Draws the box and the number of each mark. `scale`: the pixels of the picture per CSS pixel.
pub(super) fn annotate(picture: &mut Pixels, marks: &[(u32, Rect)], scale: f64) {
    let (width, height) = (picture.width as i32, picture.height as i32);
    let mut canvas = Canvas { pixels: &mut picture.colours, width, height };
    for (place, (number, rect)) in marks.iter().enumerate() {
        canvas.mark(*number, &scaled(rect, scale), COLOURS[place % COLOURS.len()]);
    }
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
    fn dot(&mut self, x: i32, y: i32, colour: [u8; 3]) {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            let at = (y as usize * self.width as usize + x as usize) * 3;
            self.pixels[at..at + 3].copy_from_slice(&colour);
        }
    }

    fn fill(&mut self, x: i32, y: i32, width: i32, height: i32, colour: [u8; 3]) {
        // Clipped to the picture, because a page can make a box of any size.
        for row in y.max(0)..y.saturating_add(height).min(self.height) {
            for column in x.max(0)..x.saturating_add(width).min(self.width) {
                self.dot(column, row, colour);
            }
        }
    }

    fn mark(&mut self, number: u32, rect: &Rect, colour: [u8; 3]) {
        let Rect { x, y, width, height } = *rect;
        self.fill(x, y, width, 1, colour);
        self.fill(x, y.saturating_add(height - 1), width, 1, colour);
        self.fill(x, y, 1, height, colour);
        self.fill(x.saturating_add(width - 1), y, 1, height, colour);
        let digits = number.to_string();
        let label_width = digits.len() as i32 * ADVANCE * DOT + DOT;
        let label_height = 7 * DOT;
        // Above the box where there is room, else inside it.
        let top = if y >= label_height { y - label_height } else { y };
        self.fill(x, top, label_width, label_height, colour);
        for (place, digit) in digits.bytes().enumerate() {
            let shape = DIGITS[usize::from(digit - b'0')];
            for (row, bits) in shape.iter().enumerate() {
                for column in 0..3 {
                    if bits & (0b100 >> column) != 0 {
                        let left =
                            x.saturating_add(2 * DOT + place as i32 * ADVANCE * DOT + column * DOT);
                        self.fill(left, top + DOT + row as i32 * DOT, DOT, DOT, [255, 255, 255]);
                    }
                }
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
