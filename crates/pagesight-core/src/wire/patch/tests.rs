//! Tests that a patch gives the same page as a whole capture, and that damage is reported.

use proptest::prelude::*;

use super::*;
use crate::wire::decode::decode;

/// A node of a made-up page: its number (0 for a text), its depth, its name, its position.
#[derive(Clone, Debug, PartialEq)]
struct Made {
    id: u32,
    depth: usize,
    name: u8,
    place: i32,
    attribute: bool,
}

/// Returns the whole answer or, with the page before, a patch of it.
fn answer(nodes: &[Made], before: Option<&[Made]>, key: &str) -> String {
    let strings: Vec<String> =
        (0..30).map(|n| if n == 0 { String::new() } else { format!("s{n}") }).collect();
    let size =
        |at: usize| nodes[at + 1..].iter().take_while(|node| node.depth > nodes[at].depth).count();
    let stays = |node: &Made| {
        before.and_then(|old| old.iter().position(|was| was.id == node.id && node.id != 0))
    };
    let (mut slices, mut shifts, mut fresh) = (Vec::<usize>::new(), Vec::<i64>::new(), Vec::new());
    for (at, node) in nodes.iter().enumerate() {
        // A node is kept if everything but its position is the same, with as many nodes below it.
        let was = stays(node).filter(|was| {
            let old = before.unwrap_or_default();
            let below =
                old[was + 1..].iter().take_while(|inner| inner.depth > old[*was].depth).count();
            Made { place: 0, ..old[*was].clone() } == Made { place: 0, ..node.clone() }
                && below == size(at)
        });
        let end = slices.len();
        match was.filter(|was| end == 0 || *was >= slices[end - 2]) {
            Some(was) => {
                slices.extend([was, was + 1, 0]);
                let moved = i64::from(node.place - before.unwrap_or_default()[was].place);
                shifts.extend([at as i64, at as i64 + 1, moved, 0]);
            }
            None => {
                if end == 0 {
                    slices.extend([0, 0, 0]);
                }
                *slices.last_mut().unwrap() += 1;
                fresh.push(at);
            }
        }
    }
    let sent: Vec<usize> = if before.is_some() { fresh } else { (0..nodes.len()).collect() };
    let column = |of: &dyn Fn(usize) -> i64| sent.iter().map(|at| of(*at)).collect::<Vec<_>>();
    let attrs: Vec<usize> = sent
        .iter()
        .filter(|at| nodes[**at].attribute)
        .flat_map(|at| [*at, 3, nodes[*at].name as usize])
        .collect();
    let boxes: Vec<i32> = sent.iter().flat_map(|at| [nodes[*at].place, 1, 5, 5]).collect();
    let mut all = serde_json::json!({
        "v": 1, "doc": "d", "url": "u", "title": key, "viewport": [9, 9, 1], "scroll": [0, 0], "size": [9, 9], "key": key,
        "strings": if before.is_some() { Vec::new() } else { strings },
        "nodes": { "size": column(&|at| size(at) as i64), "id": column(&|at| i64::from(nodes[at].id)),
            "tag": column(&|at| i64::from(nodes[at].id != 0)), "role": column(&|_| 2), "name": column(&|at| i64::from(nodes[at].name)), "box": boxes,
            "flags": column(&|_| 1) },
        "attrs": attrs, "value": [], "level": [], "scrolls": [], "options": [], "rooted": [], "frames": [], "views": [],
        "withheld": 0, "elements": nodes.len(), "roots": 0,
    });
    if before.is_some() {
        let patch = serde_json::json!({ "patch": "old", "slices": slices, "shifts": shifts, "boxes": [], "flags": [] });
        if let (Some(all), serde_json::Value::Object(patch)) = (all.as_object_mut(), patch) {
            all.extend(patch);
        }
    }
    all.to_string()
}

fn words(page: &Page) -> Vec<String> {
    let line = |node: crate::page::Node<'_>| {
        let attributes: Vec<_> = node.attributes().collect();
        let (parent, rect) = (node.parent().map(|parent| parent.id()), node.rect());
        format!(
            "{parent:?} {} {} {} {} {rect:?} {attributes:?}",
            node.end(),
            node.local(),
            node.tag(),
            node.name()
        )
    };
    page.nodes().map(line).collect()
}

fn made() -> impl Strategy<Value = Vec<Made>> {
    let node = (0_usize..4, 1_u8..9, 0_i32..50, any::<bool>(), any::<bool>());
    proptest::collection::vec(node, 0..25).prop_map(|given| {
        let mut nodes = vec![Made { id: 1, depth: 0, name: 1, place: 0, attribute: false }];
        for (at, (depth, name, place, text, attribute)) in given.into_iter().enumerate() {
            let above = &nodes[nodes.len() - 1];
            let depth = (depth + 1).min(above.depth + 1);
            let (id, place) = if text { (0, 0) } else { (at as u32 + 2, place) };
            nodes.push(Made { id, depth, name, place, attribute: attribute && !text });
        }
        // A text has nothing below it.
        for at in 1..nodes.len() {
            if nodes[at - 1].id == 0 && nodes[at].depth > nodes[at - 1].depth {
                nodes[at].depth = nodes[at - 1].depth;
            }
        }
        nodes
    })
}

/// Keeps the tree a tree after nodes were taken out.
fn tidied(mut nodes: Vec<Made>) -> Vec<Made> {
    for at in 1..nodes.len() {
        let above = nodes[at - 1].depth + usize::from(nodes[at - 1].id != 0);
        nodes[at].depth = nodes[at].depth.clamp(1, above.max(1));
    }
    nodes
}

proptest! {
    #[test]
    fn a_patch_makes_what_the_whole_makes(old in made(), gone in 1_usize..30, renamed in 1_usize..30, moved in 0_usize..30, by in -9_i32..9) {
        let mut new = old.clone();
        if gone < new.len() { new.remove(gone); }
        if renamed < new.len() { new[renamed].name = 20; }
        for node in new.iter_mut().skip(moved.max(1)) { if node.id != 0 { node.place += by; } }
        let new = tidied(new);
        let base = decode(&answer(&old, None, "old")).unwrap();
        let patch = answer(&new, Some(&old), "new");
        let patched = apply(&base, &patch).unwrap();
        let whole = decode(&answer(&new, None, "new")).unwrap();
        prop_assert_eq!(words(&patched), words(&whole));
        prop_assert_eq!(patched.key, whole.key);
    }

    #[test]
    fn damage_is_reported_and_never_a_panic(old in made(), at in 0_usize..4000, digit in 0_u8..10) {
        let base = decode(&answer(&old, None, "old")).unwrap();
        let mut changed = old.clone();
        for node in changed.iter_mut().step_by(3) { node.name = 9; }
        let mut patch = answer(&changed, Some(&old), "new").into_bytes();
        let digits: Vec<usize> = (0..patch.len()).filter(|at| patch[*at].is_ascii_digit()).collect();
        patch[digits[at % digits.len()]] = b'0' + digit;
        if let Ok(page) = apply(&base, &String::from_utf8(patch).unwrap()) {
            // An accepted page is a tree and can be walked.
            for node in page.nodes() {
                prop_assert!(node.end() <= page.len() && node.end() > node.id().index());
                prop_assert!(node.parent().is_none_or(|parent| parent.contains(node.id())));
                let _ = (node.name(), node.attributes().count(), node.options().count());
            }
        }
    }
}

#[test]
fn a_patch_of_another_page_is_refused() {
    let nodes = [Made { id: 1, depth: 0, name: 1, place: 0, attribute: true }];
    let base = decode(&answer(&nodes, None, "older")).unwrap();
    assert!(matches!(
        apply(&base, &answer(&nodes, Some(&nodes), "new")),
        Err(CaptureError::Damaged(_))
    ));
}

#[test]
fn nodes_that_stayed_are_not_sent_again() {
    let nodes: Vec<Made> = (1..4)
        .map(|id| Made { id, depth: usize::from(id > 1), name: 1, place: 0, attribute: true })
        .collect();
    let base = decode(&answer(&nodes, None, "old")).unwrap();
    let patch = answer(&nodes, Some(&nodes), "new");
    for (from, to) in [
        (r#""slices":[0,1,0,1,2,0,2,3,0]"#, r#""slices":[0,1,0,1,2,0,1,3,0]"#),
        (r#""slices":[0,1,0,1,2,0,2,3,0]"#, r#""slices":[0,1,0,1,2,0,2,4,0]"#),
        (r#""slices":[0,1,0,1,2,0,2,3,0]"#, r#""slices":[0,1,0,1,2,0]"#),
        (r#""slices":[0,1,0,1,2,0,2,3,0]"#, r#""slices":[0,1,0,1,2,0,2,3,4000000000]"#),
        (r#""attrs":[]"#, r#""attrs":[1,3,3]"#),
        (r#""shifts":[0,1,0,0,"#, r#""shifts":[0,3,0,0,"#),
    ] {
        let broken = patch.replacen(from, to, 1);
        assert_ne!(broken, patch, "{from}");
        assert!(matches!(apply(&base, &broken), Err(CaptureError::Damaged(_))), "{to}");
    }
    // The nodes have flags too, and serde_json decides the order of members.
    let mut broken: serde_json::Value = serde_json::from_str(&patch).unwrap();
    broken["flags"] = serde_json::json!([3, 1]);
    assert!(matches!(apply(&base, &broken.to_string()), Err(CaptureError::Damaged(_))));
    assert_eq!(words(&apply(&base, &patch).unwrap()), words(&base));
}
