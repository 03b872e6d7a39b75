//! Finds a place for the number of each box on a picture, where it hides nothing: beside the box,
//! in a free corner of it, or farther away with a line to it. Works on pixels, so that pictures,
//! icons and frames count as much as text.

use pagesight_core::page::Rect;

/// The side of a cell, the unit of the map of what is drawn, in pixels.
const CELL: i32 = 2;
/// Neighbouring pixels whose brightness differs by more than this are the edge of something drawn.
const EDGE: u8 = 16;
/// How far a label stays away from what is drawn: text is higher and wider than its ink.
const MARGIN: (i32, i32) = (6, 3);
/// The gap between a label and its box: the edges of text are not on whole pixels.
const GAP: i32 = 1;
/// How far away from its box a label may be, in pixels.
const REACH: i32 = 480;
/// One pixel up or down counts as so many to the side: a label in the row of its box is found most
/// easily.
const DOWN: i32 = 3;
/// The step of the search for a place farther away.
const STEP: i32 = 4;

/// Where a label lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Label {
    pub(super) rect: Rect,
    /// It is not at its box, so a line leads to it.
    pub(super) is_away: bool,
}

/// Places labels. `sizes`: width and height of the label of each box.
pub(super) fn place(
    colours: &[u8],
    (width, height): (i32, i32),
    boxes: &[Rect],
    sizes: &[(i32, i32)],
) -> Vec<Label> {
    // A page can make a box of any size.
    let picture = Rect { x: 0, y: 0, width, height };
    let boxes: Vec<Rect> = boxes.iter().map(|around| within(*around, &picture)).collect();
    let boxes = boxes.as_slice();
    let mut map = Map::of(colours, (width, height), boxes);
    let mut labels: Vec<Option<Label>> = vec![None; boxes.len()];
    // First those that fit at their box, so that no label from elsewhere takes their place.
    for (at, (around, size)) in boxes.iter().zip(sizes).enumerate() {
        let spot = beside(around, *size).find(|spot| map.is_free(spot, boxes, at));
        if let Some(spot) = spot {
            map.take(&spot.rect);
            labels[at] = Some(Label { rect: spot.rect, is_away: false });
        }
    }
    for (at, (around, size)) in boxes.iter().zip(sizes).enumerate() {
        if labels[at].is_some() {
            continue;
        }
        let label = away(&map, boxes, at, *size)
            .unwrap_or_else(|| Label { rect: least(&map, around, *size), is_away: false });
        map.take(&label.rect);
        labels[at] = Some(label);
    }
    labels.into_iter().flatten().collect()
}

/// A place that is tried.
struct Spot {
    rect: Rect,
    /// The area around it in which nothing may be drawn.
    clear: Rect,
}

/// Returns the places at a box: outside of it, then in its corners.
fn beside(around: &Rect, (width, height): (i32, i32)) -> impl Iterator<Item = Spot> {
    let Rect { x, y, .. } = *around;
    let (right, bottom) = (right(around), bottom(around));
    let at = move |x: i32, y: i32| Rect { x, y, width, height };
    let wide = |rect: Rect| grown(&rect, MARGIN);
    // The box itself, with its border, is not in the way. An edge is in the pixel before it.
    let near = CELL;
    let far = 1;
    let above = move |x: i32| {
        let rect = at(x, y - height - GAP);
        Spot { clear: until(wide(rect), None, Some(y - near)), rect }
    };
    let below = move |x: i32| {
        let rect = at(x, bottom + GAP);
        Spot { clear: from(wide(rect), None, Some(bottom + far)), rect }
    };
    let left = move |y: i32| {
        let rect = at(x - width - GAP, y);
        Spot { clear: until(wide(rect), Some(x - near), None), rect }
    };
    let beyond = move |y: i32| {
        let rect = at(right + GAP, y);
        Spot { clear: from(wide(rect), Some(right + far), None), rect }
    };
    let middle = y + (bottom - y - height) / 2;
    let outside = [
        above(x),
        beyond(middle),
        left(middle),
        above(right - width),
        beyond(y),
        left(y),
        below(x),
        below(right - width),
    ];
    // In a corner, the border of the box is not in the way.
    let inner = grown(around, (-3, -3));
    let corner = move |x: i32, y: i32| {
        let rect = at(x, y);
        Spot { clear: within(wide(rect), &inner), rect }
    };
    let fits = around.width >= 2 * width && around.height >= height + 2;
    let corners = [
        corner(x + 1, y + 1),
        corner(right - width - 1, y + 1),
        corner(right - width - 1, bottom - height - 1),
        corner(x + 1, bottom - height - 1),
        corner(right - width - 1, middle),
        corner(x + 1, middle),
    ];
    outside.into_iter().chain(corners.into_iter().filter(move |_| fits))
}

/// Returns the nearest free place around a box.
fn away(map: &Map, boxes: &[Rect], at: usize, (width, height): (i32, i32)) -> Option<Label> {
    let shown = &boxes[at];
    let mut spots: Vec<(i32, Rect)> = Vec::new();
    let middle = shown.y + (shown.height - height) / 2;
    let mut y = middle - REACH / DOWN;
    while y < bottom(shown) + REACH / DOWN {
        let mut x = shown.x - REACH;
        while x < right(shown) + REACH {
            let rect = Rect { x, y, width, height };
            let distance = distance(&rect, shown);
            let clear = grown(&rect, MARGIN);
            if distance <= REACH && map.holds(&rect) && map.drawn(&clear) == 0 {
                spots.push((distance + (y - middle).abs() / STEP, rect));
            }
            x += STEP;
        }
        y += STEP;
    }
    spots.sort_by_key(|(distance, rect)| (*distance, rect.y, rect.x));
    // In an area without content it is clearer than in the box of something else.
    let free = |rect: &Rect, boxes: &[Rect]| {
        map.is_free(&Spot { rect: *rect, clear: grown(rect, MARGIN) }, boxes, at)
    };
    let found = spots
        .iter()
        .find(|(_, rect)| free(rect, boxes))
        .or_else(|| spots.iter().find(|(_, rect)| free(rect, &[])))?;
    Some(Label { rect: found.1, is_away: true })
}

/// Returns the place at a box that hides the least.
fn least(map: &Map, around: &Rect, size: (i32, i32)) -> Rect {
    let all = beside(around, size).map(|spot| spot.rect).filter(|rect| map.holds(rect));
    let corner = Rect {
        x: around.x.clamp(0, (map.width - size.0).max(0)),
        y: around.y.clamp(0, (map.height - size.1).max(0)),
        width: size.0,
        height: size.1,
    };
    all.min_by_key(|rect| map.drawn(rect) + map.taken_in(rect) * 4).unwrap_or(corner)
}

/// A map of what is drawn on a picture, and which places labels take.
struct Map {
    width: i32,
    height: i32,
    columns: usize,
    /// How many cells with something drawn there are above and to the left of each corner.
    sums: Vec<u32>,
    taken: Vec<bool>,
}

impl Map {
    /// Reads the rows of a picture that are near a box.
    fn of(colours: &[u8], (width, height): (i32, i32), boxes: &[Rect]) -> Map {
        let (columns, rows) = (cells(width), cells(height));
        let mut drawn = vec![false; columns * rows];
        let (mut here, mut below) = (Vec::new(), Vec::new());
        for y in near(boxes, height) {
            let wide = width as usize * 3;
            let row = |y: usize| colours.get(y * wide..(y + 1) * wide).unwrap_or_default();
            lights(row(y), &mut here);
            lights(row(y + 1), &mut below);
            let line = &mut drawn[y / CELL as usize * columns..][..columns];
            let edge = |one: u8, other: u8| one.abs_diff(other) > EDGE;
            for (x, (light, under)) in here.iter().zip(&below).enumerate() {
                if edge(*light, *under) {
                    line[x / CELL as usize] = true;
                }
            }
            for (x, pair) in here.windows(2).enumerate() {
                if edge(pair[0], pair[1]) {
                    line[x / CELL as usize] = true;
                }
            }
        }
        let mut sums = vec![0; (columns + 1) * (rows + 1)];
        for row in 0..rows {
            let mut line = 0;
            for column in 0..columns {
                line += u32::from(drawn[row * columns + column]);
                sums[(row + 1) * (columns + 1) + column + 1] =
                    sums[row * (columns + 1) + column + 1] + line;
            }
        }
        Map { width, height, columns, sums, taken: vec![false; columns * rows] }
    }

    /// Whether a rectangle lies on the picture.
    fn holds(&self, rect: &Rect) -> bool {
        rect.x >= 0 && rect.y >= 0 && right(rect) <= self.width && bottom(rect) <= self.height
    }

    /// Returns the first and the last cells of a rectangle, clipped to the picture.
    fn area(&self, rect: &Rect) -> [usize; 4] {
        let end = |side: i32, most: i32| cells(side.clamp(0, most));
        [
            (rect.x.clamp(0, self.width) / CELL) as usize,
            (rect.y.clamp(0, self.height) / CELL) as usize,
            end(right(rect), self.width),
            end(bottom(rect), self.height),
        ]
    }

    /// Returns how many cells of a rectangle have something drawn.
    fn drawn(&self, rect: &Rect) -> u32 {
        let [left, top, right, bottom] = self.area(rect);
        if right <= left || bottom <= top {
            return 0;
        }
        let sum = |row: usize, column: usize| self.sums[row * (self.columns + 1) + column];
        sum(bottom, right) + sum(top, left) - sum(top, right) - sum(bottom, left)
    }

    /// Returns how many cells of a rectangle labels take.
    fn taken_in(&self, rect: &Rect) -> u32 {
        let [left, top, right, bottom] = self.area(rect);
        let row = |row: usize| {
            let cells =
                &self.taken[row * self.columns + left..row * self.columns + right.max(left)];
            cells.iter().filter(|taken| **taken).count() as u32
        };
        (top..bottom).map(row).sum()
    }

    fn take(&mut self, rect: &Rect) {
        let [left, top, right, bottom] = self.area(rect);
        for row in top..bottom {
            self.taken[row * self.columns + left..row * self.columns + right.max(left)].fill(true);
        }
    }

    /// Whether a label hides nothing there: nothing drawn, no other label, and no other box, except
    /// one that is around its own.
    fn is_free(&self, spot: &Spot, boxes: &[Rect], own: usize) -> bool {
        let own = boxes.get(own);
        self.holds(&spot.rect)
            && self.drawn(&spot.clear) == 0
            && self.taken_in(&spot.rect) == 0
            && boxes.iter().all(|other| {
                Some(other) == own
                    || !other.intersects(&spot.rect)
                    || own.is_some_and(|own| is_inside(own, other))
            })
    }
}

/// Returns the rows of a picture that are near a box.
fn near(boxes: &[Rect], height: i32) -> impl Iterator<Item = usize> {
    let most = REACH / DOWN + 2 * MARGIN.1 + 40;
    let mut wanted = vec![false; height.max(0) as usize];
    let side = |at: i32| at.clamp(0, height) as usize;
    for around in boxes {
        wanted[side(around.y - most)..side(bottom(around).saturating_add(most))].fill(true);
    }
    wanted.into_iter().enumerate().filter(|(_, wanted)| *wanted).map(|(y, _)| y)
}

/// Reads the brightness of the pixels of a row.
fn lights(row: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let light = |pixel: &[u8]| {
        ((u32::from(pixel[0]) * 3 + u32::from(pixel[1]) * 6 + u32::from(pixel[2])) / 10) as u8
    };
    out.extend(row.chunks_exact(3).map(light));
}

fn cells(length: i32) -> usize {
    ((length.max(0) + CELL - 1) / CELL) as usize
}

fn right(rect: &Rect) -> i32 {
    rect.x.saturating_add(rect.width)
}

fn bottom(rect: &Rect) -> i32 {
    rect.y.saturating_add(rect.height)
}

fn is_inside(inner: &Rect, outer: &Rect) -> bool {
    inner.x >= outer.x
        && inner.y >= outer.y
        && right(inner) <= right(outer)
        && bottom(inner) <= bottom(outer)
}

fn grown(rect: &Rect, (across, down): (i32, i32)) -> Rect {
    Rect {
        x: rect.x.saturating_sub(across),
        y: rect.y.saturating_sub(down),
        width: rect.width.saturating_add(2 * across),
        height: rect.height.saturating_add(2 * down),
    }
}

/// Cuts a rectangle off at its right or lower side.
fn until(rect: Rect, x: Option<i32>, y: Option<i32>) -> Rect {
    let width = x.map_or(rect.width, |x| rect.width.min(x.saturating_sub(rect.x)));
    let height = y.map_or(rect.height, |y| rect.height.min(y.saturating_sub(rect.y)));
    Rect { width, height, ..rect }
}

/// Cuts a rectangle off at its left or upper side.
fn from(rect: Rect, x: Option<i32>, y: Option<i32>) -> Rect {
    let (left, top) = (x.unwrap_or(rect.x).max(rect.x), y.unwrap_or(rect.y).max(rect.y));
    Rect { x: left, y: top, width: right(&rect) - left, height: bottom(&rect) - top }
}

fn within(rect: Rect, outer: &Rect) -> Rect {
    let cut = from(rect, Some(outer.x), Some(outer.y));
    let cut = until(cut, Some(right(outer)), Some(bottom(outer)));
    Rect { width: cut.width.max(1), height: cut.height.max(1), ..cut }
}

/// Returns how far two rectangles are apart.
fn distance(one: &Rect, other: &Rect) -> i32 {
    let gap = |from: i32, to: i32, other_from: i32, other_to: i32| {
        (other_from - to).max(from - other_to).max(0)
    };
    let across = gap(one.x, right(one), other.x, right(other));
    let down = gap(one.y, bottom(one), other.y, bottom(other));
    across + DOWN * down
}

#[cfg(test)]
mod tests;
