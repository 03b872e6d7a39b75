//! Draws numbered boxes on a picture. Works on the pixels, so that the page is not touched.

use std::io::Cursor;

use pagesight_core::page::Rect;
use pagesight_session::SessionError;

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

/// Returns the picture with the box and the number of each mark drawn on it.
pub(crate) fn annotate(image: &[u8], marks: &[(u32, Rect)]) -> Result<Vec<u8>, SessionError> {
    let broken = |error: String| {
        SessionError::Input(format!(
            "the screenshot could not be annotated ({error}); take it without annotate"
        ))
    };
    let mut decoder = png::Decoder::new(Cursor::new(image));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|error| broken(error.to_string()))?;
    let size = reader.output_buffer_size().ok_or_else(|| broken("it is too large".into()))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(|error| broken(error.to_string()))?;
    let channels = info.color_type.samples();
    if channels < 3 {
        return Err(broken("it has no colours".into()));
    }
    let mut canvas =
        Canvas { pixels, width: info.width as i32, height: info.height as i32, channels };
    for (place, (number, rect)) in marks.iter().enumerate() {
        canvas.mark(*number, rect, COLOURS[place % COLOURS.len()]);
    }
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, info.width, info.height);
    encoder.set_color(info.color_type);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(|error| broken(error.to_string()))?;
    writer.write_image_data(&canvas.pixels).map_err(|error| broken(error.to_string()))?;
    writer.finish().map_err(|error| broken(error.to_string()))?;
    Ok(out)
}

struct Canvas {
    pixels: Vec<u8>,
    width: i32,
    height: i32,
    channels: usize,
}

impl Canvas {
    fn dot(&mut self, x: i32, y: i32, colour: [u8; 3]) {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            let at = (y as usize * self.width as usize + x as usize) * self.channels;
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

    fn blank(width: u32, height: u32) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&vec![255; (width * height * 4) as usize]).unwrap();
        writer.finish().unwrap();
        out
    }

    #[test]
    fn a_box_is_drawn_where_it_lies_and_nothing_outside_breaks() {
        let marks = [
            (12, Rect { x: 10, y: 20, width: 30, height: 10 }),
            (7, Rect { x: -50, y: -50, width: 2_000_000_000, height: 2_000_000_000 }),
        ];
        let drawn = annotate(&blank(100, 60), &marks[..1]).unwrap();
        let mut reader = png::Decoder::new(Cursor::new(drawn)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let at = |x: usize, y: usize| &pixels[(y * 100 + x) * 4..(y * 100 + x) * 4 + 3];
        assert_eq!(at(10, 25), COLOURS[0]);
        assert_eq!(at(39, 29), COLOURS[0]);
        assert_eq!(at(50, 25), [255, 255, 255]);
        assert!(annotate(&blank(100, 60), &marks).is_ok());
        assert!(annotate(b"no picture", &marks).is_err());
    }
}
