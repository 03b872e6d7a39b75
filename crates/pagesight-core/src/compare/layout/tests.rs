//! Tests comparisons of layouts on pages drawn as text. Attributes that begin with `m:` stand for
//! what the page script measures.

use super::super::{Comparison, IgnoreRules, compare};
use crate::fingerprint::{
    Fingerprint, FingerprintOptions, LayoutMeasures, Measure, STYLE_PROPERTIES, extract,
    layout_nodes,
};
use crate::page::NodeId;
use crate::page::test_page::page;

const PAGE: &str = "main main @2 block box=0,0,1280,900
  h1 heading \"Shop\" @3 level=1 block box=20,20,400,40
  section region \"Lamps\" @4 block box=20,80,1000,300
    p @5 block box=20,100,400,20
      'Lamps for every room'
    button button \"Buy\" @6 usable box=20,140,120,40
    button button \"Compare\" @7 usable box=160,140,120,40
    p @8 block box=20,200,400,20
      'Delivery within three days'
  section region \"Chairs\" @9 block box=20,400,1000,300
    button button \"Order\" @10 usable box=20,440,120,40
    img image \"Chair\" @11 src=/pictures/chair.png box=20,500,100,100";

fn style(background: &str) -> [String; STYLE_PROPERTIES] {
    let mut values = std::array::from_fn(|_| String::new());
    (values[0], values[1]) = ("#000000".to_owned(), background.to_owned());
    (values[2], values[3]) = ("Inter".to_owned(), "16px".to_owned());
    values
}

fn taken_with(picture: &str, fonts: &[(&str, u32)]) -> Fingerprint {
    let page = page(picture);
    let options = FingerprintOptions::default();
    let measure = |id: &NodeId| {
        let node = page.node(*id);
        let number = |name: &str| node.attribute(name).and_then(|text| text.parse().ok());
        let rect = node.rect();
        let measure = Measure {
            style: number("m:style").unwrap_or(0),
            flags: number("m:flags").unwrap_or(0) as u32,
            cut: number("m:cut").unwrap_or(0) as u32,
            spill: number("m:spill").unwrap_or(0) as u32,
            ink: (rect.x, rect.y, rect.width, rect.height),
            icons: number("m:icons").unwrap_or(0) as u32,
        };
        (*id, measure)
    };
    let nodes = layout_nodes(&page, &options);
    let measures = LayoutMeasures {
        overflow: 0,
        fonts: fonts.iter().map(|(name, width)| ((*name).to_owned(), *width)).collect(),
        styles: vec![style("#1976d2"), style("#d32f2f")],
        elements: nodes.iter().map(measure).collect(),
    };
    extract(&page, &FingerprintOptions { layout: Some(&measures), ..options })
}

fn taken(picture: &str) -> Fingerprint {
    taken_with(picture, &[("Inter", 15_000)])
}

fn compared(was: &str, now: &str) -> Comparison {
    compare(&taken(was), &taken(now), &IgnoreRules::default())
}

/// Returns the sentences about the layout.
fn sentences(was: &str, now: &str) -> Vec<String> {
    let about = |kind: &str| matches!(kind, "layout_changed" | "style_changed" | "picture_changed");
    let changes = compared(was, now).changes;
    changes.iter().filter(|it| about(it.kind.as_str())).map(|it| it.sentence()).collect()
}

fn changed(pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(PAGE.to_owned(), |page, (from, to)| {
        assert!(page.contains(from), "{from} is in the page");
        page.replace(from, to)
    })
}

#[test]
fn an_equal_page_has_no_changes() {
    assert_eq!(compared(PAGE, PAGE).changes, []);
    let within = changed(&[("box=20,140,120,40", "box=24,146,124,44")]);
    assert_eq!(sentences(PAGE, &within), Vec::<String>::new(), "within the tolerance");
}

#[test]
fn moved_elements_are_named_with_the_distance() {
    let moved = changed(&[("box=20,140,120,40", "box=20,280,120,40")]);
    assert_eq!(sentences(PAGE, &moved), ["Button 'Buy' moved 140 px down."]);
    let moved = changed(&[("box=160,140,120,40", "box=100,240,120,40")]);
    assert_eq!(sentences(PAGE, &moved), ["Button 'Compare' moved 60 px left and 100 px down."]);
}

#[test]
fn elements_that_move_together_are_one_sentence() {
    let moved = changed(&[
        ("box=20,140,120,40", "box=20,180,120,40"),
        ("box=160,140,120,40", "box=160,180,120,40"),
        ("box=20,200,400,20", "box=20,240,400,20"),
    ]);
    let words = "Button 'Buy' moved 40 px down, and 2 elements after it.";
    assert_eq!(sentences(PAGE, &moved), [words]);
    let moved = changed(&[
        ("box=20,400,1000,300", "box=20,460,1000,300"),
        ("box=20,440,120,40", "box=20,500,120,40"),
        ("box=20,500,100,100", "box=20,560,100,100"),
    ]);
    assert_eq!(sentences(PAGE, &moved), ["Section 'Chairs' moved 60 px down."]);
}

#[test]
fn what_a_new_element_pushes_is_not_reported() {
    let pushed = changed(&[
        ("box=20,140,120,40", "box=20,200,120,40"),
        ("box=160,140,120,40", "box=160,200,120,40"),
        ("box=20,200,400,20", "box=20,260,400,20"),
        (
            "    button button \"Buy\"",
            "    p @20 block box=20,130,400,50\n      'Sale until Friday'\n    button button \"Buy\"",
        ),
        ("box=20,80,1000,300", "box=20,80,1000,360"),
        ("box=20,400,1000,300", "box=20,460,1000,300"),
        ("box=20,440,120,40", "box=20,500,120,40"),
        ("box=20,500,100,100", "box=20,560,100,100"),
    ]);
    assert_eq!(sentences(PAGE, &pushed), Vec::<String>::new());
}

#[test]
fn sizes_are_reported_unless_the_content_explains_them() {
    let wider = changed(&[("box=20,140,120,40", "box=20,140,124,56")]);
    let words = "Button 'Buy' is 16 px taller (56 px, was 40 px).";
    assert_eq!(sentences(PAGE, &wider), [words]);
    let renamed = changed(&[
        ("box=20,140,120,40", "box=20,140,180,40"),
        ("\"Buy\"", "\"Buy it now\""),
        ("box=160,140,120,40", "box=220,140,120,40"),
    ]);
    assert_eq!(sentences(PAGE, &renamed), Vec::<String>::new());
    let number = PAGE.replace("Delivery within three days", "Seen 12 times");
    let more = number.replace("Seen 12", "Seen 1,234").replace("20,200,400,20", "20,200,460,20");
    assert_eq!(sentences(&number, &more), Vec::<String>::new(), "a counter");
}

#[test]
fn elements_in_a_different_order_did_not_move() {
    let swapped = changed(&[
        ("\"Buy\" @6 usable box=20,140", "\"Compare\" @6 usable box=20,140"),
        ("\"Compare\" @7 usable box=160,140", "\"Buy\" @7 usable box=160,140"),
    ]);
    assert_eq!(sentences(PAGE, &swapped), Vec::<String>::new());
}

#[test]
fn equal_changes_of_style_are_one_sentence() {
    let red = PAGE.replace("usable box", "usable m:style=1 box");
    let words = "All 3 buttons: background is #d32f2f (red) now, not #1976d2 (blue).";
    assert_eq!(sentences(PAGE, &red), [words]);
    let one = changed(&[("\"Buy\" @6 usable", "\"Buy\" @6 usable m:style=1")]);
    let words = "Button 'Buy': background is #d32f2f (red) now, not #1976d2 (blue).";
    assert_eq!(sentences(PAGE, &one), [words]);
    let comparison = compared(PAGE, &one);
    assert_eq!(comparison.changes[0].was.as_ref().unwrap()["background"], "#1976d2");
    // An animation changes its style all the time.
    let moving = one.replace("m:style=1", "m:style=1 m:flags=2");
    assert_eq!(sentences(PAGE, &moving), Vec::<String>::new());
}

#[test]
fn faults_of_single_elements_are_found() {
    for (from, to, words) in [
        ("@8 block", "@8 block m:cut=30", "Text 'Delivery within three days' is cut off by 30 px."),
        (
            "@4 block",
            "@4 block m:spill=40",
            "Section 'Lamps': its content is 40 px wider than it is.",
        ),
        (
            "@8 block",
            "@8 block m:flags=4",
            "Text 'Delivery within three days' is under something else now.",
        ),
        (
            "src=/pictures/chair.png",
            "src=/pictures/lamp.png",
            "Image 'Chair' shows lamp.png now, not chair.png.",
        ),
    ] {
        assert_eq!(sentences(PAGE, &changed(&[(from, to)])), [words]);
        assert_eq!(sentences(&changed(&[(from, to)]), PAGE).len(), usize::from(to.contains("src")));
    }
    let icon = changed(&[("\"Buy\" @6 usable", "\"Buy\" @6 usable m:icons=1")]);
    assert_eq!(sentences(&icon, PAGE), ["Button 'Buy' has no icon now."]);
}

#[test]
fn overlaps_are_found_once() {
    let over = changed(&[("box=20,200,400,20", "box=20,150,400,20")]);
    let found = sentences(PAGE, &over);
    let words = "Text 'Delivery within three days' overlaps button 'Buy'.";
    assert!(found.contains(&words.to_owned()), "{found:?}");
    assert_eq!(sentences(&over, &over), Vec::<String>::new());
}

#[test]
fn a_missing_font_is_named_instead_of_its_effects() {
    let (was, now) = (taken(PAGE), {
        let wider = changed(&[
            ("box=20,140,120,40", "box=20,140,190,40"),
            ("box=20,20,400,40", "box=20,20,600,40"),
        ]);
        taken_with(&wider, &[("Inter", 16_200)])
    });
    let changes = compare(&was, &now, &IgnoreRules::default()).changes;
    let words: Vec<String> = changes.iter().map(|change| change.sentence()).collect();
    let [font] = words.as_slice() else { panic!("{words:?}") };
    assert!(font.starts_with("Font 'Inter' is drawn with different letters"), "{font}");
}

#[test]
fn a_page_without_a_layout_is_compared_without_it() {
    let page = page(PAGE);
    let plain = extract(&page, &FingerprintOptions::default());
    let moved = changed(&[("box=20,140,120,40", "box=20,280,120,40")]);
    let comparison = compare(&plain, &taken(&moved), &IgnoreRules::default());
    assert_eq!((comparison.changes.len(), comparison.uncompared), (0, vec!["the layout".into()]));
    assert_eq!(plain.hash, taken(&moved).hash, "the layout is not in the hash");
}
