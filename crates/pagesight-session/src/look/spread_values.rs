//! Hides parts of values that a page spreads over several elements in the description of one of
//! them. The page script describes an element without its neighbours, so a part is recognised by
//! the capture, where the whole value was hidden.

use pagesight_core::log::mask::MASK;
use pagesight_core::page::Node;
use pagesight_core::page::selector_candidates::PathStep;
use pagesight_core::text::hidden_values::HiddenValues;

use crate::page_script::Described;

/// Replaces what a captured node has hidden in the description of its element.
pub(super) fn hide_parts(described: &mut Described, node: Node<'_>, hidden: &HiddenValues) {
    let marked = |text: &str| text.contains(MASK) || hidden.is_hidden_in(text);
    // A text of which nothing is left was a later part of a value of the user.
    let is_part = |captured: &str, described: &str| {
        let is_emptied = captured.is_empty() && !hidden.is_empty() && !described.is_empty();
        is_emptied || marked(captured) && !marked(described)
    };
    let texts = || node.descendants().filter(|inner| inner.is_text()).map(|inner| inner.name());
    // What was replaced, with what replaced it.
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut replace = |text: &mut String, captured: &str| {
        parts.push((std::mem::replace(text, captured.to_owned()), captured.to_owned()));
    };
    // A name is never emptied.
    if !node.name().is_empty() && is_part(node.name(), &described.name) {
        replace(&mut described.name, node.name());
    }
    if let (Some(captured), Some(value)) = (node.value(), &mut described.value)
        && is_part(captured, value)
    {
        replace(value, captured);
    }
    for (name, value) in &mut described.attributes {
        let Some(captured) = node.attribute(name) else { continue };
        if is_part(captured, value) {
            replace(value, captured);
        }
    }
    if !marked(&described.text) && texts().any(|text| is_part(text, &described.text)) {
        let captured = texts().collect::<Vec<_>>().join(" ");
        replace(&mut described.text, captured.trim());
    }
    // The text of a field is its value.
    if let Some((_, captured)) = parts.iter().find(|(part, _)| *part == described.text) {
        captured.clone_into(&mut described.text);
    }
    if let Some(step) = described.path.last_mut().filter(|_| !parts.is_empty()) {
        let PathStep { tag, index, .. } = std::mem::take(step);
        *step = PathStep { tag, index, ..PathStep::default() };
    }
}
