//! Tests comparisons of pictures on small pages and drawn pictures.

use super::*;
use crate::compare::compare;
use crate::fingerprint::{
    FingerprintOptions, LayoutMeasures, Measure, STYLE_PROPERTIES, extract, layout_nodes,
};
use crate::page::test_page::page;

const PAGE: &str = "main main @2 block box=0,0,200,160
  button button \"Buy\" @3 usable box=20,20,60,30
  img image \"Lamp\" @4 src=/lamp.png box=100,20,60,60
  p @5 block box=20,100,120,20
    'Seen 12 times'";

fn taken(picture: &str) -> Fingerprint {
    let page = page(picture);
    let options = FingerprintOptions::default();
    let elements = layout_nodes(&page, &options).into_iter().map(|id| {
        let rect = page.node(id).rect();
        let ink = (rect.x, rect.y, rect.width, rect.height);
        (id, Measure { ink, ..Measure::default() })
    });
    let measures = LayoutMeasures {
        elements: elements.collect(),
        styles: vec![std::array::from_fn::<_, STYLE_PROPERTIES, _>(|_| String::new())],
        ..LayoutMeasures::default()
    };
    extract(&page, &FingerprintOptions { layout: Some(&measures), ..options })
}

/// Draws boxes on white: x, y, width, height and a grey.
fn drawn(boxes: &[(i32, i32, i32, i32, u8)]) -> PixelPicture {
    let (width, height) = (200, 160);
    let mut pixels = vec![255; width * height * 4];
    for (x, y, w, h, grey) in boxes {
        for row in *y..*y + *h {
            for column in *x..*x + *w {
                let at = (row as usize * width + column as usize) * 4;
                pixels[at..at + 3].fill(*grey);
            }
        }
    }
    PixelPicture::new(width as u32, height as u32, pixels).unwrap()
}

fn found(was: (&str, &PixelPicture), now: (&str, &PixelPicture)) -> Vec<String> {
    let (before, after) = (taken(was.0), taken(now.0));
    let ignore = IgnoreRules::default();
    let mut comparison = compare(&before, &after, &ignore);
    comparison.changes.clear();
    let rules = PictureRules { threshold: 0.1, ignore: &ignore };
    compare_pictures(&mut comparison, (&before, was.1), (&after, now.1), &rules);
    comparison.changes.iter().map(Change::sentence).collect()
}

const BUTTON: (i32, i32, i32, i32, u8) = (30, 30, 40, 10, 0);
const LAMP: (i32, i32, i32, i32, u8) = (110, 30, 30, 30, 90);

#[test]
fn an_element_that_looks_different_is_named() {
    let was = drawn(&[BUTTON, LAMP]);
    assert_eq!(found((PAGE, &was), (PAGE, &was)), Vec::<String>::new());
    let now = drawn(&[BUTTON, (110, 30, 30, 30, 200)]);
    let words = "Image 'Lamp' looks different: 25 % of its pixels changed.";
    assert_eq!(found((PAGE, &was), (PAGE, &now)), [words]);
    // A slightly different grey is the same to a person.
    let now = drawn(&[BUTTON, (110, 30, 30, 30, 95)]);
    assert_eq!(found((PAGE, &was), (PAGE, &now)), Vec::<String>::new());
}

#[test]
fn an_element_that_moved_is_compared_with_itself() {
    let was = drawn(&[BUTTON, LAMP]);
    let moved = PAGE.replace("box=20,20,60,30", "box=20,60,60,30");
    let now = drawn(&[(30, 70, 40, 10, 0), LAMP]);
    assert_eq!(found((PAGE, &was), (&moved, &now)), Vec::<String>::new());
    let aside = drawn(&[(31, 70, 40, 10, 0), LAMP]);
    assert_eq!(found((PAGE, &was), (&moved, &aside)), Vec::<String>::new(), "a part of a pixel");
}

#[test]
fn counters_and_masks_are_left_out_and_the_rest_of_the_page_is_not() {
    let was = drawn(&[BUTTON, LAMP, (30, 105, 40, 10, 0)]);
    let counted = drawn(&[BUTTON, LAMP, (30, 105, 60, 10, 0)]);
    assert_eq!(found((PAGE, &was), (PAGE, &counted)), Vec::<String>::new());
    let stained = drawn(&[BUTTON, LAMP, (30, 105, 40, 10, 0), (160, 130, 20, 20, 0)]);
    let [words] = &found((PAGE, &was), (PAGE, &stained))[..] else { panic!("one sentence") };
    assert!(words.starts_with("The page looks different between its elements"), "{words}");
    let masked = format!("{PAGE}\n  video @9 block box=150,120,50,40");
    assert_eq!(found((&masked, &was), (&masked, &stained)), Vec::<String>::new());
}

#[test]
fn smoothed_edges_are_no_difference() {
    // A line between black and white, whose edge is smoothed differently.
    let edge = |grey: u8| drawn(&[(20, 20, 30, 30, 0), (50, 20, 1, 30, grey), LAMP]);
    assert_eq!(found((PAGE, &edge(90)), (PAGE, &edge(170))), Vec::<String>::new());
}
