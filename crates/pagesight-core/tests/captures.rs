//! Tests the outlines of real pages that a browser captured once, and that no budget is exceeded. A
//! changed snapshot is a changed product: read it before you accept it (`cargo insta review`, or
//! `INSTA_UPDATE=always`).

use std::path::PathBuf;

use pagesight_core::page::{Flags, Page};
use pagesight_core::render::{Filter, OutlineOptions, SequentialNumbers, outline};
use pagesight_core::text::tokens::count;
use pagesight_core::wire::page_file;
use proptest::prelude::*;

const CAPTURES: [&str; 3] = ["dashboard", "forms", "shop"];

fn captured(name: &str) -> Page {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../tests/captures/{name}.page.json"));
    let text = std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    page_file::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn outlines_read_as_they_did() {
    for name in CAPTURES {
        let page = captured(name);
        let whole = outline(&page, &OutlineOptions::default(), &mut SequentialNumbers::default());
        insta::assert_snapshot!(name, whole.text);
    }
}

#[test]
fn every_usable_element_of_a_real_page_is_there_once() {
    for name in CAPTURES {
        let page = captured(name);
        let options =
            OutlineOptions { fold: false, max_tokens: 1_000_000, ..OutlineOptions::default() };
        let mut shown: Vec<_> = outline(&page, &options, &mut SequentialNumbers::default())
            .shown
            .iter()
            .map(|(node, _)| *node)
            .collect();
        shown.sort_unstable();
        let usable = page.nodes().filter(|node| node.is(Flags::USABLE) && node.hidden().is_none());
        assert_eq!(shown, usable.map(|node| node.id()).collect::<Vec<_>>(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_page_any_budget(which in 0usize..CAPTURES.len(), budget in 200usize..4_000, fold: bool, interactive: bool) {
        let page = captured(CAPTURES[which]);
        let filter = if interactive { Filter::Interactive } else { Filter::All };
        let options = OutlineOptions { max_tokens: budget, fold, filter, ..OutlineOptions::default() };
        let text = outline(&page, &options, &mut SequentialNumbers::default()).text;
        prop_assert!(count(&text) <= budget, "{} tokens of {budget}", count(&text));
    }
}
