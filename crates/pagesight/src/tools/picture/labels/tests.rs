//! Tests the places of labels on pictures with checkered areas, which look as busy as text.

use super::*;

const SIZE: (i32, i32) = (20, 13);

/// A white picture of 200×100 pixels with checkered areas, as text is.
fn picture(drawn: &[Rect]) -> Vec<u8> {
    let mut colours = vec![255; 200 * 100 * 3];
    for rect in drawn {
        for (x, y) in
            (rect.y..bottom(rect)).flat_map(|y| (rect.x..right(rect)).map(move |x| (x, y)))
        {
            let at = (y * 200 + x) as usize * 3;
            colours[at..at + 3].fill(if (x + y) % 2 == 0 { 0 } else { 255 });
        }
    }
    colours
}

fn rect(x: i32, y: i32, width: i32, height: i32) -> Rect {
    Rect { x, y, width, height }
}

fn placed(drawn: &[Rect], boxes: &[Rect]) -> Vec<Label> {
    place(&picture(drawn), (200, 100), boxes, &vec![SIZE; boxes.len()])
}

#[test]
fn a_label_stands_beside_its_box_and_hides_nothing() {
    let link = rect(60, 40, 50, 18);
    let at = |x, y| vec![Label { rect: rect(x, y, 20, 13), is_away: false }];
    assert_eq!(placed(&[link], &[link]), at(60, 26), "above");
    let line = rect(0, 15, 200, 20);
    assert_eq!(placed(&[line, link], &[link]), at(111, 42), "there is text above");
    let after = rect(115, 40, 60, 18);
    assert_eq!(placed(&[line, link, after], &[link]), at(39, 42), "and after it");
    // A field has a free corner.
    let all =
        [rect(0, 0, 200, 38), rect(0, 64, 200, 36), rect(0, 38, 38, 26), rect(162, 38, 38, 26)];
    let field = rect(40, 40, 120, 22);
    assert_eq!(placed(&all, &[field]), at(41, 41), "in its corner");
}

#[test]
fn a_label_without_room_goes_farther_away() {
    let rows = [rect(0, 0, 120, 100)];
    let link = rect(10, 40, 50, 18);
    let label = placed(&rows, &[link])[0];
    assert!(label.is_away && label.rect.x >= 126, "{label:?}");
    assert!((label.rect.y - 42).abs() <= 4, "in the row of its box: {label:?}");
    // Without any free place, it stays at its box.
    let full = placed(&[rect(0, 0, 200, 100)], &[link])[0];
    assert!(!full.is_away && distance(&full.rect, &link) <= DOWN, "{full:?}");
}

#[test]
fn labels_do_not_lie_on_each_other_or_in_other_boxes() {
    let boxes: Vec<Rect> = (0..4).map(|row| rect(60, 5 + row * 24, 40, 18)).collect();
    let labels = placed(&boxes, &boxes);
    for (at, label) in labels.iter().enumerate() {
        assert!(labels[..at].iter().all(|other| !other.rect.intersects(&label.rect)), "{labels:?}");
        assert!(boxes.iter().all(|other| !other.intersects(&label.rect)), "{labels:?}");
    }
    // A box around everything is not in the way, and a huge one does no harm.
    let huge = rect(-50, -50, 2_000_000_000, 2_000_000_000);
    assert_eq!(placed(&[], &[rect(0, 0, 200, 100), huge, rect(60, 40, 50, 18)]).len(), 3);
}
