//! Checks the file format of baselines: everything that is compared is kept, and a small change of
//! a page is a small change of its file.

use std::path::PathBuf;

use pagesight_core::compare::{IgnoreRules, compare};
use pagesight_core::fingerprint::{
    AuditFindings, AuditLevel, AuditOptions, Depth, ExactTarget, FingerprintOptions,
    InteractiveElement, LayoutMeasures, Measure, STYLE_PROPERTIES, extract, layout_nodes,
};
use pagesight_core::page::Page;
use pagesight_core::wire::page_file;
use proptest::prelude::*;

use super::*;

fn captured(name: &str, depth: Depth) -> Fingerprint {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../tests/captures/{name}.page.json"));
    let page = page_file::read(&std::fs::read_to_string(file).unwrap()).unwrap();
    // The prices of the page, and a target that matches nothing.
    let exact = [ExactTarget { target: "status: Total".to_owned(), nodes: Vec::new() }];
    let options = FingerprintOptions { depth, numbers: true, exact: &exact, ..Default::default() };
    let (measures, findings) = (measured(&page, &options), AuditFindings::default());
    let audit = AuditOptions {
        findings: &findings,
        level: AuditLevel::Minor,
        tags: &[],
        ignored: &[],
        shifted: &[],
    };
    extract(&page, &FingerprintOptions { layout: Some(&measures), audit: Some(audit), ..options })
}

/// Returns measures as if all elements had the same style.
fn measured(page: &Page, options: &FingerprintOptions<'_>) -> LayoutMeasures {
    let elements = layout_nodes(page, options).into_iter().map(|id| {
        let rect = page.node(id).rect();
        let ink = (rect.x, rect.y, rect.width, rect.height);
        (id, Measure { ink, cut: 3, ..Measure::default() })
    });
    LayoutMeasures {
        overflow: 12,
        fonts: vec![("Inter".to_owned(), 15_000)],
        styles: vec![std::array::from_fn::<_, STYLE_PROPERTIES, _>(|at| format!("value {at}"))],
        elements: elements.collect(),
    }
}

/// Removes the values that the file leaves out on purpose.
fn without_churn(mut fingerprint: Fingerprint) -> Fingerprint {
    fingerprint.url.clone_from(&fingerprint.route);
    fingerprint.captured_at.clear();
    fingerprint.hash.clear();
    fingerprint.structure.blocks.clear();
    for element in &mut fingerprint.structure.interactive {
        element.in_view = false;
    }
    fingerprint
}

fn text_of(fingerprint: &Fingerprint) -> String {
    write("home", "chromium", fingerprint).unwrap()
}

/// Counts the lines that only one of two texts has.
fn differing(one: &str, other: &str) -> usize {
    let count = |a: &str, b: &str| {
        let mut there: Vec<&str> = b.lines().collect();
        a.lines()
            .filter(|line| match there.iter().position(|other| other == line) {
                Some(at) => {
                    there.swap_remove(at);
                    false
                }
                None => true,
            })
            .count()
    };
    count(one, other) + count(other, one)
}

#[test]
fn what_is_compared_comes_back() {
    for name in ["dashboard", "forms", "shop"] {
        for depth in [Depth::Minimal, Depth::Standard, Depth::Detailed] {
            let taken = captured(name, depth);
            let text = text_of(&taken);
            let back = read(&text).unwrap_or_else(|error| panic!("{name}: {error:?}\n{text}"));
            assert_eq!(back, without_churn(taken.clone()), "{name}");
            assert!(compare(&back, &taken, &IgnoreRules::default()).changes.is_empty(), "{name}");
            assert_eq!(text_of(&back), text, "the same baseline is the same file");
        }
    }
}

#[test]
fn a_new_button_is_one_line_and_a_new_region_two_or_three() {
    let taken = captured("dashboard", Depth::Standard);
    let text = text_of(&taken);
    let mut more = taken.clone();
    let place = more.structure.interactive.iter().map(|element| element.place).max().unwrap();
    let button = InteractiveElement {
        kind: "button".into(),
        text: "Export".into(),
        place,
        ..InteractiveElement::default()
    };
    more.structure.interactive.insert(1, button);
    assert_eq!(differing(&text, &text_of(&more)), 1);

    // A region before all others shifts every index.
    let mut more = taken;
    for place in more.structure.places.iter_mut().skip(1) {
        place.within += u32::from(place.within > 0);
        place.landmark += u32::from(place.landmark > 0);
    }
    more.structure.places.insert(1, Region { label: "nav:New".into(), within: 0, landmark: 1 });
    let structure = &mut more.structure;
    let all = structure.interactive.iter_mut().map(|element| &mut element.place);
    let all = all.chain(structure.landmarks.iter_mut().map(|landmark| &mut landmark.place));
    let all = all.chain(structure.headings.iter_mut().map(|heading| &mut heading.place));
    let all = all.chain(structure.lists.iter_mut().map(|list| &mut list.place));
    let all = all.chain(structure.tables.iter_mut().map(|table| &mut table.place));
    let all = all.chain(structure.forms.iter_mut().map(|form| &mut form.place));
    let all = all.chain(structure.images.iter_mut().map(|image| &mut image.place));
    let boxes = structure.layout.iter_mut().flat_map(|layout| &mut layout.boxes);
    let all = all.chain(boxes.map(|drawn| &mut drawn.place));
    let found = structure.audit.iter_mut().flat_map(|audit| &mut audit.violations);
    let all = all.chain(found.map(|violation| &mut violation.place));
    all.filter(|place| **place > 0).for_each(|place| *place += 1);
    assert_eq!(differing(&text, &text_of(&more)), 1, "\n{}", text_of(&more));
}

#[test]
fn parts_that_were_not_read_are_not_written() {
    let mut taken = captured("shop", Depth::Standard);
    (taken.structure.layout, taken.structure.audit) = (None, None);
    let text = text_of(&taken);
    for word in ["layout", "boxes", "audit", "violations"] {
        assert!(!text.contains(&format!("\"{word}\"")), "{word}");
    }
    assert_eq!(read(&text).unwrap(), without_churn(taken));
}

#[test]
fn equal_words_are_counted_without_a_gap() {
    let mut used = HashMap::new();
    let words = ["a", "a", "a #2", "a", "b", "a"].map(|word| unique(&mut used, word.to_owned()));
    assert_eq!(words, ["a", "a #2", "a #2 #2", "a #3", "b", "a #4"]);
}

#[test]
fn nothing_that_churns_is_in_the_file() {
    let text = text_of(&captured("dashboard", Depth::Detailed));
    for word in ["captured_at", "http://", "in_view", "\"hash\"", "\"place\": 1"] {
        assert!(!text.contains(word), "{word} in\n{text}");
    }
    assert!(text.ends_with("}\n"));
}

#[test]
fn damaged_files_and_newer_versions_are_different_errors() {
    let text = text_of(&captured("forms", Depth::Standard));
    let newer = text.replace("\"pagesight_check\": 1", "\"pagesight_check\": 2");
    assert_eq!(read(&newer), Err(FormError::Newer(2)));
    for part in ["layout", "audit"] {
        let known = format!("\"{part}\": {{\"version\": 1");
        assert!(text.contains(&known), "{part} in\n{text}");
        assert_eq!(read(&text.replace(&known, &known.replace('1', "7"))), Err(FormError::Newer(7)));
        let damaged = text.replace(&known, &known.replace("version", "vision"));
        assert!(matches!(read(&damaged), Err(FormError::Damaged(_))), "{part}");
    }
    for bad in [
        "",
        "{}",
        "[]",
        "<<<<<<< HEAD",
        &text[..text.len() / 2],
        &text.replace("\"main", "\"mian")[..text.len() - 9],
    ] {
        assert!(matches!(read(bad), Err(FormError::Damaged(_))), "{bad:?}");
    }
}

proptest! {
    /// Labels come from pages and may contain any text.
    #[test]
    fn any_labels_come_back(labels in proptest::collection::vec(("[a #>2]{0,6}", 0usize..4, any::<bool>()), 0..12)) {
        let mut places = vec![Region::default()];
        for (label, within, own) in labels {
            let at = places.len();
            let within = within.min(at - 1);
            let landmark = if own { at as u32 } else { places[within].landmark };
            places.push(Region { label, within: within as u32, landmark });
        }
        let structure = Structure { places, ..Structure::default() };
        let taken = Fingerprint { version: 1, scope: "full".into(), structure, ..Fingerprint::default() };
        prop_assert_eq!(read(&text_of(&taken)).unwrap(), taken);
    }
}
