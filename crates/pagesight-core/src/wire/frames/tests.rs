//! Tests merged frames: order, identity, coordinates, and everything that points from node to node.

use super::*;
use crate::page::test_page::{page, page_in};

/// The node with this name.
fn named(page: &Page, name: &str) -> NodeId {
    let found: Vec<_> = page.nodes().filter(|node| node.name() == name).collect();
    assert_eq!(found.len(), 1, "{name}");
    found[0].id()
}

fn framed() -> Page {
    let innermost = page_in(
        "third",
        "button button \"Deep\" @7 usable in-view under=1
div - \"Veil\" @8",
    );
    let middle = page_in(
        "second",
        "p - @3
 'before'
iframe - \"Inner\" @7 view=10,10,640,360
button button \"After\" @8 usable value=v id=x",
    );
    let owner = named(&middle, "Inner");
    let middle = merge_frames(
        middle,
        vec![FrameDocument { owner, frame: Some("f3".into()), page: innermost }],
    );
    let top = page(
        "a link \"First\" @5 usable
iframe - \"Pay\" @7 view=100,200,640,360
button button \"Last\" @9 usable focused
label - @10 labels=1
input textbox \"Field\" @11",
    );
    let owner = named(&top, "Pay");
    merge_frames(top, vec![FrameDocument { owner, frame: Some("f2".into()), page: middle }])
}

#[test]
fn documents_stand_where_their_frames_are() {
    let page = framed();
    let names: Vec<&str> =
        page.nodes().map(|node| node.name()).filter(|name| !name.is_empty()).collect();
    assert_eq!(
        names,
        ["First", "Pay", "before", "Inner", "Deep", "Veil", "After", "Last", "Field"]
    );
    for node in page.nodes() {
        let inside = node
            .descendants()
            .filter(|inner| inner.ancestors().any(|above| above.id() == node.id()));
        assert_eq!(inside.count(), node.descendants().len(), "the subtree of {}", node.name());
    }
    let tokens: Vec<&str> = page.documents.iter().map(|document| document.token.as_str()).collect();
    assert_eq!(tokens, ["doc", "second", "third"]);
    // Local ids are unique only within a document.
    for (token, local, name) in [("doc", 7, "Pay"), ("second", 7, "Inner"), ("third", 7, "Deep")] {
        let node = page.node(page.find(token, local).unwrap());
        assert_eq!((node.name(), node.document().token.as_str()), (name, token));
    }
    let third = &page.documents[2];
    assert_eq!((third.frame.as_deref(), third.owner), (Some("f3"), Some(named(&page, "Inner"))));
    assert_eq!(page.documents[1].frame.as_deref(), Some("f2"));
    assert_eq!(page.node(named(&page, "Pay")).shown_document().unwrap().token, "second");
    assert!(page.node(named(&page, "First")).shown_document().is_none());
    assert_eq!(page.frames().count(), 0);
}

#[test]
fn what_is_said_of_nodes_moves_with_them() {
    let page = framed();
    let node = |name| page.node(named(&page, name));
    assert_eq!(node("Deep").cover().unwrap().name(), "Veil");
    assert_eq!(node("After").value(), Some("v"));
    assert_eq!(node("After").attribute("id"), Some("x"));
    let label = page.nodes().find(|node| node.labelled().is_some()).unwrap();
    assert_eq!(label.labelled().unwrap().name(), "Field");
    // Half of half the size, from the corners of both frames.
    assert_eq!(node("Deep").rect(), Rect { x: 105, y: 205, width: 0, height: 0 });
}

#[test]
fn what_lies_over_a_frame_lies_over_all_in_it() {
    let inner = page_in("second", "input textbox \"Card\" @2 usable under=1\ndiv - \"Hint\" @3");
    let top = page("iframe - \"Pay\" @7 view=0,0,9,9 under=1\ndiv dialog \"Veil\" @8");
    let owner = named(&top, "Pay");
    let page = merge_frames(top, vec![FrameDocument { owner, frame: None, page: inner }]);
    assert_eq!(page.node(named(&page, "Card")).cover().unwrap().name(), "Veil");
}

#[test]
fn the_focus_is_where_the_frame_has_it() {
    let inner = || page_in("second", "input textbox \"Card\" @2 usable focused");
    for (frame, expected) in [("focused", (false, true)), ("", (false, false))] {
        let top = page(&format!("iframe - \"Pay\" @7 view=0,0,9,9 {frame}"));
        let owner = named(&top, "Pay");
        let page = merge_frames(top, vec![FrameDocument { owner, frame: None, page: inner() }]);
        let focused = |name| page.node(named(&page, name)).is(Flags::FOCUSED);
        assert_eq!((focused("Pay"), focused("Card")), expected);
    }
}

#[test]
fn what_belongs_nowhere_is_dropped() {
    let top = page("a link \"First\" @5\niframe - \"Pay\" @7 view=0,0,9,9");
    let (link, owner) = (named(&top, "First"), named(&top, "Pay"));
    let frame = |owner| FrameDocument { owner, frame: None, page: page_in("x", "b - \"In\" @2") };
    let page = merge_frames(top, vec![frame(owner), frame(link), frame(owner)]);
    assert_eq!(page.nodes().filter(|node| node.name() == "In").count(), 1);
    assert_eq!(page.documents.len(), 2);
}
