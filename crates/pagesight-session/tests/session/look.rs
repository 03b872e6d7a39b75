//! Tests looks: outlines, scopes, one element, pictures, page files, and what is sent again.

use pagesight_browser::ImageFormat;
use pagesight_core::pipeline::PipelineConfig;
use pagesight_core::render::{OutlineOptions, SnapshotOptions};
use pagesight_session::{LookOptions, ScopeChoice, ShotOptions, SnapshotRequest};
use std::sync::Arc;

use crate::case::{click, on};

const PAGE: &str = "<!doctype html><title>Shop</title><nav><a href=/a>Home</a></nav>\
    <main><h1>Shop</h1><p id=p>One</p><button onclick=\"p.textContent='Two'\">Next</button>\
    <ul><li>Apple<li>Pear</ul></main>";

#[test]
fn the_same_page_is_not_read_again() {
    on("look_same", PAGE).run(async |case, tab| {
        let first = case.session.look(tab, LookOptions::default()).await.unwrap();
        let second = case.session.look(tab, LookOptions::default()).await.unwrap();
        assert!(Arc::ptr_eq(&first.page, &second.page));
    });
}

#[test]
fn a_second_look_contains_the_changes() {
    on("look_patch", PAGE).run(async |case, tab| {
        let first = case.session.look(tab, LookOptions::default()).await.unwrap();
        case.session.evaluate(tab, "p.textContent = 'Changed'").await.unwrap();
        let second = case.session.look(tab, LookOptions::default()).await.unwrap();
        assert!(!Arc::ptr_eq(&first.page, &second.page));
        let holds = |page: &pagesight_core::page::Page, text: &str| {
            page.nodes().any(|node| node.name() == text)
        };
        assert!(holds(&first.page, "One") && holds(&second.page, "Changed"));
        assert!(!holds(&second.page, "One"));
    });
}

#[test]
fn a_full_look_can_be_written_and_a_plain_one_cannot() {
    on("look_full", PAGE).run(async |case, tab| {
        let options = LookOptions { full: true, ..LookOptions::default() };
        let full = case.session.look(tab, options).await.unwrap();
        let file = full.page_file().unwrap();
        assert!(file.contains("Shop"));
        let plain = case.session.look(tab, LookOptions::default()).await.unwrap();
        assert!(plain.page_file().is_err() || plain.page_file().unwrap() != file);
    });
}

#[test]
fn a_scope_is_a_selector_a_reference_or_the_viewport() {
    on("look_scopes", PAGE).run(async |case, tab| {
        let inspect = async |scope: &str| {
            let scope = ScopeChoice::parse(Some(scope)).unwrap();
            let options = OutlineOptions::default();
            case.session.inspect(tab, &scope, None, options).await.map(|outline| outline.text)
        };
        let list = inspect("ul").await.unwrap();
        assert!(list.contains("Apple") && !list.contains("Next"), "{list}");
        let all = inspect("full").await.unwrap();
        assert!(all.contains("link: Home") && all.contains("button: Next"), "{all}");
        let next = case.find(tab, "button: Next").await;
        let part = inspect(&format!("[{next}]")).await.unwrap();
        assert!(part.contains("button: Next") && !part.contains("link: Home"), "{part}");
        assert!(inspect("viewport").await.unwrap().contains("button: Next"));
        let none = inspect("#nothing").await.unwrap_err().to_string();
        assert!(none.starts_with("nothing visible matches the selector \"#nothing\""), "{none}");
        let wrong = inspect("main[").await.unwrap_err().to_string();
        assert!(wrong.contains("selector"), "{wrong}");
        let unknown = inspect("[99]").await.unwrap_err().to_string();
        assert!(unknown.starts_with("no element has the number 99"), "{unknown}");
    });
}

#[test]
fn an_outline_goes_on_after_a_reference() {
    on("look_after", PAGE).run(async |case, tab| {
        let next = case.find(tab, "button: Next").await;
        let options = OutlineOptions::default();
        let rest = case.session.inspect(tab, &ScopeChoice::Full, Some(&next), options).await;
        let rest = rest.unwrap().text;
        assert!(rest.contains("Apple") && !rest.contains("link: Home"), "{rest}");
    });
}

#[test]
fn one_element_is_described_with_selectors_that_were_tried() {
    on("expand", PAGE).run(async |case, tab| {
        let next = case.find(tab, "button: Next").await;
        let about = case.session.expand(tab, &next).await.unwrap();
        assert_eq!((about.role.as_str(), about.name.as_str()), ("button", "Next"));
        assert_eq!((about.element_id.as_str(), about.frame), (next.as_str(), None));
        assert!(!about.selectors.is_empty());
        assert!(about.selector_matches.unwrap().iter().all(|count| *count == 1));
        assert!(about.state.contains(&"usable"), "{:?}", about.state);
        let first = case.session.expand_selector(tab, "li").await.unwrap();
        assert_eq!((first.tag.as_str(), first.text.as_str()), ("li", "Apple"));
    });
}

#[test]
fn a_page_script_that_fails_is_not_a_stale_reference() {
    for function in ["script describe", "script matchCounts"] {
        on("expand", PAGE).failing(function).run(async |case, tab| {
            let next = case.find(tab, "button: Next").await;
            let failed = case.session.expand(tab, &next).await.unwrap_err().to_string();
            let name = function.trim_start_matches("script ");
            assert_eq!(
                failed,
                format!("the script failed: the page script's {name}: x is not a function")
            );
        });
    }
}

#[test]
fn a_point_is_described_or_out_of_view() {
    let page = "<body style='margin:0'><button style='width:200px;height:100px'>Big</button>";
    on("expand_point", page).run(async |case, tab| {
        let about = case.session.expand_at(tab, 50.0, 50.0).await.unwrap();
        assert_eq!(about.name, "Big");
        let outside = case.session.expand_at(tab, 99_999.0, 5.0).await.unwrap_err().to_string();
        assert_eq!(outside, "nothing is at 99999,5; the viewport is 1280x720 pixels");
    });
}

#[test]
fn an_element_that_left_is_gone() {
    on("expand_gone", PAGE).run(async |case, tab| {
        let next = case.find(tab, "button: Next").await;
        case.session.evaluate(tab, "document.querySelector('button').remove()").await.unwrap();
        let gone = case.session.expand(tab, &next).await.unwrap_err().to_string();
        assert!(gone.contains(&format!("[{next}]")), "{gone}");
        let line = case.refusal(tab, click(&next)).await;
        assert!(line.starts_with("failed: "), "{line}");
    });
}

#[test]
fn a_picture_has_the_marks_of_the_elements_on_it() {
    let page =
        "<body style='margin:0'><button style='width:200px;height:100px'>Big</button><p>Text</p>";
    on("screenshot", page).run(async |case, tab| {
        let shot = async |scope: &str, annotate: bool| {
            let scope = ScopeChoice::parse(Some(scope)).unwrap();
            let options = ShotOptions { scope, annotate, ..ShotOptions::default() };
            case.session.screenshot(tab, &options).await
        };
        let plain = shot("viewport", false).await.unwrap();
        assert_eq!((plain.format, plain.marks.len()), (ImageFormat::Png, 0));
        assert_eq!((plain.size, plain.wanted), ((1280.0, 720.0), 1.0));
        assert!(!plain.pieces[0].is_empty());
        let marked = shot("full", true).await.unwrap();
        let (_, rect) = marked.marks[0];
        assert_eq!((marked.marks.len(), rect.width, rect.height), (1, 200, 100));
        let part = shot("button", true).await.unwrap();
        assert_eq!(
            (part.marks[0].1.x, part.marks[0].1.y),
            (0, 0),
            "from the corner of the picture"
        );
    });
}

#[test]
fn counts_need_no_look() {
    on("page_info", PAGE).run(async |case, tab| {
        let info = case.session.page_info(tab).await.unwrap();
        assert_eq!((info.title.as_str(), info.status), ("Shop", Some(200)));
        assert_eq!((info.forms, info.frames, info.viewport[0]), (0, 0, 1280.0));
        assert!(info.elements > 5 && info.usable == 2, "{info:?}");
    });
}

#[test]
fn a_snapshot_gives_references() {
    on("snapshot", PAGE).run(async |case, tab| {
        let config = PipelineConfig::default();
        let scope = ScopeChoice::Full;
        let options = SnapshotOptions::default();
        let request = SnapshotRequest { scope: &scope, config: &config, options, metrics: false };
        let taken = case.session.snapshot(tab, request).await.unwrap();
        assert!(taken.text().contains("Next"), "{}", taken.text());
        let about = case.session.expand_selector(tab, "button").await.unwrap();
        let line = case.line(tab, click(&about.element_id)).await;
        assert!(line.contains("button: Next"), "{line}");
    });
}

#[test]
fn the_callers_javascript_is_evaluated() {
    on("evaluate", PAGE).run(async |case, tab| {
        let sum = case.session.evaluate(tab, "({ sum: 1 + 2 })").await.unwrap();
        assert_eq!(sum["sum"], 3);
        let next = case.find(tab, "button: Next").await;
        for (expression, value) in [
            ("button => button.textContent", "Next"),
            ("function (it) { return this.tagName + it.children.length }", "BUTTON0"),
            ("element.localName // comment", "button"),
        ] {
            let given = case.session.evaluate_on(tab, &next, expression).await.unwrap();
            assert_eq!(given, value, "{expression}");
        }
        let error = case.session.evaluate(tab, "nothing.here").await.unwrap_err().to_string();
        assert!(error.starts_with("the script failed: "), "{error}");
    });
}
