//! S2.4: removes wrappers inside a click target that lie within its box and only draw it. Elements
//! that can be used on their own stay, because a click on them may do something else.

use crate::page::role::Role;
use crate::page::{Flags, Node, Rect};
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::View;

/// Unwraps what is inside a usable element, if enough of its box lies in that element's box.
pub(crate) fn apply(view: &mut View<'_>) {
    let threshold = view.config().propagating_containment_threshold;
    let page = view.page();
    let mut target: Option<Node<'_>> = None;
    let mut outer: Vec<Option<Node<'_>>> = Vec::new();
    for node in page.nodes() {
        let at = node.id().index();
        while target.is_some_and(|target| target.end() <= at) {
            target = outer.pop().flatten();
        }
        if let Some(around) = target
            && draws(node)
            && contained(node.rect(), around.rect()) >= threshold
        {
            view.unwrap(node.id(), PipelineRule::Bounds);
        }
        // This holds whether the target itself is shown or not.
        if node.is(Flags::USABLE) {
            outer.push(target);
            target = Some(node);
        }
    }
}

/// Whether an element only draws: it is not usable and has no role and no name.
fn draws(node: Node<'_>) -> bool {
    let states = Flags::USABLE | Flags::LIVE | Flags::SCROLLS | Flags::FOCUSED;
    !node.is_text()
        && !node.flags().intersects(states)
        && matches!(
            node.role(),
            Role::None | Role::Generic | Role::Strong | Role::Emphasis | Role::Paragraph
        )
        && node.name().trim().is_empty()
        && node.value().is_none()
        && node.labelled().is_none()
        && matches!(
            node.tag(),
            "b" | "big"
                | "center"
                | "div"
                | "em"
                | "font"
                | "i"
                | "p"
                | "small"
                | "span"
                | "strong"
                | "u"
        )
        && node.attributes().all(|(name, _)| {
            name != "title"
                && name != "id"
                && !name.starts_with("data-")
                && !name.starts_with("aria-")
        })
}

/// Returns which share of a box lies in another box; 1 for a box without an area.
fn contained(inner: Rect, outer: Rect) -> f64 {
    let side = |a: i32, a_length: i32, b: i32, b_length: i32| {
        let (a, b) = (i64::from(a), i64::from(b));
        let end = (a + i64::from(a_length)).min(b + i64::from(b_length));
        (end - a.max(b)).max(0) as f64
    };
    let area = f64::from(inner.width) * f64::from(inner.height);
    if area <= 0.0 {
        return 1.0;
    }
    side(inner.x, inner.width, outer.x, outer.width)
        * side(inner.y, inner.height, outer.y, outer.height)
        / area
}
