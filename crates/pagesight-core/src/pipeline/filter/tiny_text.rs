//! F2: removes tiny texts that only decorate: bullets, bars and dots. Letters, digits and
//! meaningful symbols stay, however short. So does the only text of a control or a cell, and a text
//! in one line with words, such as the brackets in a line of code.

use crate::page::role::Role;
use crate::page::{Flags, Node, NodeId};
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::View;

/// Removes texts that are shorter than the configured length and say nothing, from lines that say
/// nothing.
pub(crate) fn apply(view: &mut View<'_>) {
    let shortest = view.config().min_text_length;
    let page = view.page();
    let mut line: Vec<NodeId> = Vec::new();
    let mut says = false;
    // Where the elements end that have lines of their own.
    let mut ends: Vec<usize> = Vec::new();
    for node in page.nodes() {
        let mut over = false;
        while ends.pop_if(|end| *end <= node.id().index()).is_some() {
            over = true;
        }
        let breaks = !node.is_text() && parts_lines(node);
        if over || breaks {
            finish(view, &mut line, &mut says);
        }
        if breaks {
            ends.push(node.end());
        }
        if !node.is_text() {
            continue;
        }
        let text = node.name().trim();
        // Only short texts are candidates, and white space alone separates two words.
        let tiny = !text.is_empty() && shortest > 0 && text.chars().nth(shortest - 1).is_none();
        if tiny && !says_something(text) && !node.parent().is_some_and(speaks_for) {
            line.push(node.id());
        } else if node.hidden().is_none() && says_something(text) {
            says = true;
        }
    }
    finish(view, &mut line, &mut says);
}

/// Ends a line: removes its tiny texts if no text in the line says something.
fn finish(view: &mut View<'_>, line: &mut Vec<NodeId>, says: &mut bool) {
    for text in line.drain(..) {
        if !*says {
            view.remove(text, PipelineRule::TinyText);
        }
    }
    *says = false;
}

/// Whether a line ends where the element begins and where it ends.
fn parts_lines(node: Node<'_>) -> bool {
    node.is(Flags::BLOCK) || node.is(Flags::USABLE) || node.tag() == "br"
}

/// Whether a text says something: words, or a symbol that means something (stars, check
/// marks, currencies). Bullets, dashes, arrows and the glyphs of icon fonts do not.
pub(crate) fn says_something(text: &str) -> bool {
    let means = |c: char| {
        let decoration = matches!(c, '\u{80}'..='\u{bf}' | '\u{d7}' | '\u{f7}' | '\u{2000}'..='\u{206f}' | '\u{2190}'..='\u{21ff}'
            | '\u{2200}'..='\u{22ff}' | '\u{2300}'..='\u{23ff}' | '\u{2500}'..='\u{25ff}' | '\u{2758}'..='\u{2775}' | '\u{27c0}'..='\u{2bff}'
            | '\u{3000}'..='\u{303f}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{f0000}'..='\u{10ffff}');
        c.is_alphanumeric() || !(c.is_ascii() || c.is_whitespace() || decoration)
    };
    text.chars().any(|c| means(c) || matches!(c, '⭐' | '⌛' | '⏰' | '⏳'))
}

/// Whether even a tiny text in this parent matters: `×` may be the name of a control, and `–` in a
/// cell means that there is nothing.
fn speaks_for(parent: Node<'_>) -> bool {
    let inside = std::iter::once(parent).chain(parent.ancestors().take(3));
    inside.into_iter().any(|above| above.is(Flags::USABLE))
        || matches!(
            parent.role(),
            Role::Cell
                | Role::GridCell
                | Role::ColumnHeader
                | Role::RowHeader
                | Role::Definition
                | Role::Heading
        )
}
