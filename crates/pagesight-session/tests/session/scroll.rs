//! Tests scrolling: how far it went and how much is left.

use pagesight_session::Action;

use crate::case::on;

const TALL: &str = "<div role=region aria-label=Box tabindex=0 style='height:100px;width:200px;overflow:auto'>\
    <div style='height:640px'>Inside</div></div><div style='height:2000px'></div><button>Bottom</button>";

fn scroll(element: Option<&str>, dy: f64) -> Action {
    Action::Scroll { element: element.map(Into::into), dx: 0.0, dy }
}

#[test]
fn a_box_is_scrolled_to_its_end() {
    on("scroll_box", TALL).run(async |case, tab| {
        let name = case.find(tab, "region: Box").await;
        for (dy, words) in [
            (200.0, "down 200 px — 340 px left"),
            (900.0, "down 340 px — at its end"),
            (50.0, "down 0 px — it was at its end already"),
        ] {
            let line = case.line(tab, scroll(Some(&name), dy)).await;
            assert_eq!(line, format!("scrolled [{name}] region: Box {words}"));
        }
    });
}

#[test]
fn the_page_is_scrolled() {
    on("scroll_page", TALL).run(async |case, tab| {
        let line = case.line(tab, scroll(None, 300.0)).await;
        assert!(line.starts_with("scrolled the page down 300 px — "), "{line}");
        let line = case.line(tab, scroll(None, -9000.0)).await;
        assert_eq!(line, "scrolled the page up 300 px — at its end");
    });
}

#[test]
fn an_element_is_scrolled_into_view_once() {
    on("scroll_to", TALL).run(async |case, tab| {
        let bottom = case.find(tab, "Bottom").await;
        let line = case.line(tab, scroll(Some(&bottom), 0.0)).await;
        assert_eq!(line, format!("scrolled to [{bottom}] button: Bottom"));
        let line = case.line(tab, scroll(Some(&bottom), 0.0)).await;
        assert_eq!(line, format!("scrolled to [{bottom}] button: Bottom — it was in view already"));
    });
}

#[test]
fn a_page_that_does_not_scroll_is_at_its_end() {
    on("scroll_nothing", "<p>Short</p>").run(async |case, tab| {
        let line = case.line(tab, scroll(None, 100.0)).await;
        assert_eq!(line, "scrolled the page down 0 px — it was at its end already");
    });
}
