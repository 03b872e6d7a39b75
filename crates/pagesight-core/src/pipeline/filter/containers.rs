//! F4: removes containers that hold nothing. A container with text stays, even without a control:
//! articles, tables and error messages matter.

use crate::page::role::Role;
use crate::page::{Flags, Node};
use crate::pipeline::filter::noise::is_noise;
use crate::pipeline::rules::PipelineRule;
use crate::pipeline::view::View;

/// Removes elements without visible content.
pub(crate) fn apply(view: &mut View<'_>) {
    let page = view.page();
    // Whether each node says something, on its own or by its content.
    let mut carries = vec![false; page.len()];
    for at in (0..page.len()).rev() {
        let node = page.at(at);
        carries[at] |= view.is_shown(node.id()) && says(node);
        if let Some(parent) = node.parent().filter(|_| carries[at]) {
            carries[parent.id().index()] = true;
        }
    }
    for at in 0..page.len() {
        let node = page.at(at);
        // An empty cell keeps its column.
        let holds_place =
            is_cell(node) && node.parent().is_some_and(|row| carries[row.id().index()]);
        if !carries[at] && !node.is_text() && !holds_place {
            view.remove(node.id(), PipelineRule::Containers);
        }
    }
}

fn is_cell(node: Node<'_>) -> bool {
    matches!(node.role(), Role::Cell | Role::GridCell | Role::ColumnHeader | Role::RowHeader)
}

/// Whether a node says something without its children. A table without rows does: it shows that
/// there are none.
fn says(node: Node<'_>) -> bool {
    if node.is_text() {
        return !node.name().trim().is_empty();
    }
    let means = Flags::USABLE
        | Flags::LIVE
        | Flags::SCROLLS
        | Flags::FOCUSED
        | Flags::MODAL
        | Flags::SECRET
        | Flags::BUSY;
    node.flags().intersects(means)
        || !node.name().trim().is_empty()
        || node.value().is_some()
        || node.options().len() > 0
        || matches!(
            node.role(),
            Role::Alert
                | Role::AlertDialog
                | Role::Dialog
                | Role::Grid
                | Role::ListBox
                | Role::Log
                | Role::Main
                | Role::Math
                | Role::Meter
                | Role::MenuBar
                | Role::ProgressBar
                | Role::RadioGroup
                | Role::Slider
                | Role::Status
                | Role::Table
                | Role::Timer
                | Role::Tree
                | Role::TreeGrid
        )
        || is_media(node)
        || is_noise(node)
}

/// Whether a node is an image that is not decoration, a player, a drawing or a frame.
fn is_media(node: Node<'_>) -> bool {
    match node.tag() {
        "img" => node.role() == Role::Image,
        "audio" | "canvas" | "embed" | "frame" | "iframe" | "object" | "video" | "body"
        | "html" => true,
        _ => false,
    }
}
