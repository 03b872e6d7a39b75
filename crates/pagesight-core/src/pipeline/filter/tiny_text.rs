//! F2: tiny texts that say nothing go: bullets, bars and dots that only decorate. Letters, digits and symbols with a meaning stay
//! however short they are, and so does whatever is the only thing its control or its cell says, or belongs to the words
//! around it.

use crate::page::{Flags, Node, NodeId, Page};
use crate::pipeline::{Rule, View};
use crate::role::Role;

/// Takes texts of fewer than `shortest` characters that say nothing.
pub(crate) fn apply(view: &mut View<'_>, shortest: usize) {
    let page = view.page();
    for node in page.nodes().filter(|node| node.is_text()) {
        let text = node.name().trim();
        // White space alone is what parts two words.
        if text.is_empty() || text.chars().nth(shortest.saturating_sub(1)).is_some() || says_something(text) {
            continue;
        }
        let kept = node.parent().is_some_and(|parent| speaks_for(parent)) || joins_words(page, node);
        if !kept && shortest > 0 {
            view.take(node.id(), Rule::TinyText);
        }
    }
}

/// Whether a text says something by itself: words, or a symbol that means something (stars, check marks, currencies). Bullets,
/// dashes, arrows and the glyphs of icon fonts do not.
pub(crate) fn says_something(text: &str) -> bool {
    let means = |c: char| {
        let decoration = matches!(c, '\u{80}'..='\u{bf}' | '\u{d7}' | '\u{f7}' | '\u{2000}'..='\u{206f}' | '\u{2190}'..='\u{21ff}'
            | '\u{2200}'..='\u{22ff}' | '\u{2300}'..='\u{23ff}' | '\u{2500}'..='\u{25ff}' | '\u{2758}'..='\u{2775}' | '\u{27c0}'..='\u{2bff}'
            | '\u{3000}'..='\u{303f}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{f0000}'..='\u{10ffff}');
        c.is_alphanumeric() || !(c.is_ascii() || c.is_whitespace() || decoration)
    };
    text.chars().any(|c| means(c) || matches!(c, '⭐' | '⌛' | '⏰' | '⏳'))
}

/// A control is called by its `×`, and a cell that says `–` says that there is nothing.
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

/// Whether the text in front of it or behind it, in the same line, has words that it belongs to: `5`, `%`.
fn joins_words(page: &Page, node: Node<'_>) -> bool {
    let at = node.id().index();
    let before = at.checked_sub(1).map(|before| page.at(before));
    // The node in front is the last one inside the neighbour; a neighbour that is the parent holds no text before it.
    let before = before.filter(|before| Some(before.id()) != node.parent().map(Node::id));
    let after = (at + 1 < page.len()).then(|| page.at(at + 1)).filter(|after| siblings(*after, node));
    before.is_some_and(|before| before.is_text() && in_line(before, node))
        || after.is_some_and(|after| {
            after.is_text() || (is_inline(after) && after.descendants().take(8).any(|inner| inner.is_text()))
        })
}

fn siblings(a: Node<'_>, b: Node<'_>) -> bool {
    a.parent().map(Node::id) == b.parent().map(Node::id)
}

/// From a text in front up to the line that both stand in there are only inline elements.
fn in_line(before: Node<'_>, node: Node<'_>) -> bool {
    let line: Option<NodeId> = node.parent().map(Node::id);
    before.ancestors().take_while(|above| Some(above.id()) != line).take(8).all(is_inline)
}

fn is_inline(node: Node<'_>) -> bool {
    !node.is(Flags::BLOCK) && !node.is(Flags::USABLE) && node.tag() != "br"
}
