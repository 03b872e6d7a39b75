//! Formats the pictures of a page, before and after side by side, with a numbered box over each
//! change. Boxes are elements with sizes in percent, so they fit at every width.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{Markup, html};
use pagesight_core::compare::Comparison;
use pagesight_core::page::Rect;

use crate::result::{Outcome, Picture, Verdict};

/// How many boxes are drawn on one picture; more would hide it.
const MOST_MARKS: usize = 200;

/// If a box is closer to the left or upper edge than this, its number is moved so that it is not
/// cut off.
const EDGE: i32 = 64;

/// Reports whether a change has a box on a picture.
pub(super) fn is_marked(outcome: &Outcome, change: usize) -> bool {
    let marked = |picture: &Picture| drawn(picture).any(|(at, _)| at == change);
    [&outcome.before, &outcome.after].into_iter().flatten().any(marked)
}

/// Returns the pictures that exist.
pub(super) fn pair(number: usize, outcome: &Outcome, compared: Option<&Comparison>) -> Markup {
    let (before, after) = (outcome.before.as_ref(), outcome.after.as_ref());
    let same = match (before, after) {
        (Some(before), Some(after)) => before.png == after.png && after.marks.is_empty(),
        _ => false,
    };
    html! {
        @if before.is_some() || after.is_some() {
            div class="pictures" {
                @if same {
                    (figure(number, after, "Before and after are identical", "", compared))
                } @else {
                    @if before.is_some() && after.is_some() { (views()) }
                    @if compared.is_some() {
                        (figure(number, before, "Before", "The baseline has no picture.", compared))
                    }
                    (figure(number, after, if compared.is_some() { "After" } else { "Now" }, "No picture could be taken.", compared))
                }
            }
        } @else if matches!(outcome.verdict, Verdict::Compared(_)) && compared.is_some_and(|it| !it.changes.is_empty()) {
            p class="soft" { "There are no pictures of this page." }
        }
    }
}

/// Returns the buttons that show both pictures in one place. The script makes that view.
fn views() -> Markup {
    html! {
        div class="views" role="group" aria-label="How the pictures are shown" hidden {
            @for (key, word) in [("beside", "Side by side"), ("slider", "Slider"), ("overlay", "Overlay")] {
                button type="button" class="quiet" data-view=(key) aria-pressed=(if key == "beside" { "true" } else { "false" }) { (word) }
            }
            label class="share" hidden {
                span { "Before to after" }
                input type="range" min="0" max="100" value="50";
            }
        }
    }
}

fn figure(
    number: usize,
    picture: Option<&Picture>,
    caption: &str,
    missing: &str,
    compared: Option<&Comparison>,
) -> Markup {
    html! {
        figure {
            figcaption class="minor" { (caption) }
            @match picture {
                None => p class="nothing soft" { (missing) },
                Some(picture) => div class="frame" tabindex="0" role="region" aria-label=(format!("Picture: {caption}")) {
                    div class="canvas" {
                        img alt=(format!("{caption}: the page as a picture")) width=(picture.size.width) height=(picture.size.height)
                            loading="lazy" decoding="async" src=(format!("data:image/png;base64,{}", BASE64.encode(&picture.png)));
                        @for (at, rect) in drawn(picture) { (mark(number, at, rect, picture, compared)) }
                    }
                },
            }
        }
    }
}

fn mark(
    number: usize,
    at: usize,
    rect: Rect,
    picture: &Picture,
    compared: Option<&Comparison>,
) -> Markup {
    let change = compared.and_then(|compared| compared.changes.get(at));
    let (sentence, severity) = change
        .map_or((String::new(), "info"), |change| (change.sentence(), change.severity.as_str()));
    // Several changes of one element share a box; their numbers are side by side.
    let before = shown(picture).take_while(|(other, _)| *other != at);
    let beside = before.filter(|(_, other)| (other.x, other.y) == (rect.x, rect.y)).count();
    let place = match (rect.x, rect.y) {
        (EDGE.., _) => "",
        (_, EDGE..) => " above",
        _ => " below",
    };
    let share = |length: i32, of: u32| f64::from(length) * 100.0 / f64::from(of.max(1));
    let (width, height) = (picture.size.width, picture.size.height);
    let style = format!(
        "left:{:.4}%;top:{:.4}%;width:{:.4}%;height:{:.4}%;--beside:{beside}",
        share(rect.x, width),
        share(rect.y, height),
        share(rect.width, width),
        share(rect.height, height)
    );
    html! {
        a class=(format!("mark {severity}{place}")) href=(format!("#p{number}-c{}", at + 1)) data-change=(at + 1) data-severity=(severity)
            style=(style) aria-label=(format!("Change {}: {sentence}", at + 1)) { span { (at + 1) } }
    }
}

/// Returns the marks that are drawn on a picture.
fn drawn(picture: &Picture) -> impl Iterator<Item = (usize, Rect)> {
    shown(picture).take(MOST_MARKS)
}

/// Returns the marks that lie on the picture, clipped to its edges.
fn shown(picture: &Picture) -> impl Iterator<Item = (usize, Rect)> {
    let whole = (picture.size.width as i32, picture.size.height as i32);
    picture.marks.iter().filter_map(move |(at, rect)| {
        let (left, top) = (rect.x.max(0), rect.y.max(0));
        let right = rect.x.saturating_add(rect.width).min(whole.0);
        let bottom = rect.y.saturating_add(rect.height).min(whole.1);
        let on = right > left && bottom > top;
        on.then_some((*at, Rect { x: left, y: top, width: right - left, height: bottom - top }))
    })
}

#[cfg(test)]
mod tests {
    use pagesight_core::fingerprint::Size;

    use super::*;
    use crate::result::tests::{compared, outcome};

    fn picture(png: &[u8], marks: usize) -> Picture {
        let rect = Rect { x: 1, y: 1, width: 5, height: 5 };
        let size = Size { width: 100, height: 100 };
        Picture { png: png.to_vec(), size, marks: (0..marks).map(|at| (at, rect)).collect() }
    }

    #[test]
    fn only_what_is_drawn_counts_as_marked() {
        let mut page = outcome("p", Verdict::Compared(compared(&[])));
        page.after = Some(picture(b"a", MOST_MARKS + 1));
        assert!(is_marked(&page, MOST_MARKS - 1));
        assert!(!is_marked(&page, MOST_MARKS), "a link would lead nowhere");
    }

    #[test]
    fn pictures_that_are_alike_are_shown_once() {
        let images = |before: &[u8], after: &[u8]| {
            let mut page = outcome("p", Verdict::Compared(compared(&[])));
            (page.before, page.after) = (Some(picture(before, 0)), Some(picture(after, 0)));
            pair(1, &page, Some(&compared(&[]))).into_string().matches("<img").count()
        };
        assert_eq!((images(b"a", b"a"), images(b"a", b"b")), (1, 2));
    }

    #[test]
    fn only_two_different_pictures_can_be_laid_over_each_other() {
        let has_views = |before: Option<&[u8]>, after: &[u8]| {
            let mut page = outcome("p", Verdict::Compared(compared(&[])));
            page.before = before.map(|png| picture(png, 0));
            page.after = Some(picture(after, 0));
            pair(1, &page, Some(&compared(&[]))).into_string().contains("data-view=\"slider\"")
        };
        assert!(has_views(Some(b"a"), b"b"));
        assert!(!has_views(Some(b"a"), b"a") && !has_views(None, b"b"));
    }
}
