//! Judges the labels of annotated pictures on real pages: hardly any of them lies on text.

use pagesight_core::page::Rect;
use pagesight_session::{Options, Session, ShotOptions};
use serde_json::Value;

use super::annotate::annotate;
use super::pixels::Pixels;

/// The pages, among the fixtures of the repository.
const PAGES: [&str; 20] = [
    "accounts",
    "actions",
    "changes",
    "covered",
    "dashboard",
    "dialogs",
    "done",
    "emptied",
    "forms",
    "frames",
    "lists",
    "menus",
    "outcomes",
    "prompts",
    "regressions",
    "rows",
    "shop",
    "snapshot",
    "traps",
    "verdicts",
];

/// Returns the rectangles of all visible text.
const TEXTS: &str = "(() => { const out = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); ) {
      const seen = node.parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!seen || !node.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, top, right, bottom } of range.getClientRects()) out.push([left, top, right, bottom]);
    }
    return out })()";

fn meets(label: &Rect, text: &Value) -> bool {
    let side = |at: usize| text[at].as_f64().unwrap();
    let (left, top) = (f64::from(label.x), f64::from(label.y));
    let (right, bottom) = (left + f64::from(label.width), top + f64::from(label.height));
    left < side(2) && right > side(0) && top < side(3) && bottom > side(1)
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_hide_hardly_any_text() {
    let session = Session::new(Options { allow_file: true, ..Options::default() });
    let tab = session.tab(None).await.unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");
    let (mut labels, mut bad) = (0, Vec::new());
    for page in PAGES {
        let address = session.address(&format!("file://{folder}/{page}.html")).unwrap();
        session.navigate(&tab, &address, None).await.unwrap();
        let options = ShotOptions { annotate: true, ..ShotOptions::default() };
        let shot = session.screenshot(&tab, &options).await.unwrap();
        let mut picture = Pixels::decode(&shot.pieces[0]).unwrap();
        let placed = annotate(&mut picture, &shot.marks, 1.0);
        assert_eq!(placed.len(), shot.marks.len(), "{page}");
        let texts = session.evaluate(&tab, TEXTS).await.unwrap();
        labels += placed.len();
        for label in placed {
            let text = texts.as_array().unwrap().iter().find(|text| meets(&label, text));
            bad.extend(text.map(|text| format!("{page}: {label:?} {text}")));
        }
    }
    session.close().await;
    assert!(labels > 100, "{labels}");
    assert!(bad.len() * 100 <= 3 * labels, "{} of {labels}: {bad:#?}", bad.len());
}
