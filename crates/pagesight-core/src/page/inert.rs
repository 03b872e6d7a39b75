//! Parts of a page that take no input: which of them a modal dialog blocks, and what a reader would
//! name as the reason.

use super::flags::Flags;
use super::model::{NodeId, Page};
use super::node::Node;
use super::role::Role;

/// The attribute that the page script adds to a dialog that blocks the rest of its document.
const MODAL: &str = "pagesight:modal";

impl Page {
    /// Returns the modal dialog that blocks each document with one, the outermost document first.
    pub fn blocking_dialogs(&self) -> Vec<NodeId> {
        let open: Vec<Node<'_>> = self
            .nodes()
            .filter(|node| node.is(Flags::MODAL) && node.hidden().is_none())
            .filter(|node| node.attribute(MODAL).is_some())
            .collect();
        let mut top: Vec<(u16, Node<'_>)> = Vec::new();
        for dialog in &open {
            let frame = self.records[dialog.id().index()].frame;
            match top.iter_mut().find(|(other, _)| *other == frame) {
                // The last one in the document is on top, unless it is covered itself.
                Some((_, known)) if !is_below(*dialog, *known) => *known = *dialog,
                Some(_) => {}
                None => top.push((frame, *dialog)),
            }
        }
        top.into_iter().map(|(_, dialog)| dialog.id()).collect()
    }

    /// Marks everything that is blocked by a modal dialog, also in frames. For a page that is
    /// complete.
    pub fn block_behind_dialogs(&mut self) {
        for dialog in self.blocking_dialogs() {
            let (first, last) = (dialog.index(), self.node(dialog).end());
            let frame = usize::from(self.records[first].frame);
            let owner = self.documents[frame].owner;
            let document =
                owner.map_or(0..self.len(), |owner| owner.index() + 1..self.node(owner).end());
            for at in document.filter(|at| !(first..last).contains(at)) {
                self.records[at].flags |= Flags::BLOCKED;
            }
        }
    }

    /// Returns what makes an element inert: the modal dialog that blocks it, a dialog that is open
    /// while the element is inert, or else the outermost inert element around it.
    pub fn inert_because_of(&self, id: NodeId) -> Option<Node<'_>> {
        let node = self.node(id);
        let outside = |dialog: &Node<'_>| !dialog.contains(id);
        if node.is(Flags::BLOCKED) {
            let dialogs = self.blocking_dialogs().into_iter().map(|dialog| self.node(dialog));
            return dialogs.into_iter().find(outside);
        }
        if !node.is(Flags::INERT) {
            return None;
        }
        let open = || self.nodes().filter(|dialog| outside(dialog) && is_open_dialog(*dialog));
        let inert = std::iter::once(node).chain(node.ancestors());
        open()
            .find(|dialog| dialog.is(Flags::MODAL))
            .or_else(|| open().next())
            .or_else(|| inert.take_while(|around| around.is(Flags::INERT)).last())
    }
}

/// Whether something in a dialog, or all of it, is covered by a different one.
fn is_below(dialog: Node<'_>, other: Node<'_>) -> bool {
    let covers = |node: Node<'_>| node.cover().is_some_and(|cover| other.contains(cover.id()));
    let inside = std::iter::once(dialog).chain(dialog.descendants());
    !other.contains(dialog.id()) && inside.into_iter().any(covers)
}

fn is_open_dialog(node: Node<'_>) -> bool {
    let is_dialog =
        matches!(node.role(), Role::Dialog | Role::AlertDialog) || node.is(Flags::MODAL);
    is_dialog && node.hidden().is_none() && !node.is(Flags::INERT)
}

#[cfg(test)]
mod tests {
    use crate::page::test_page::page;
    use crate::page::{Flags, Page};

    fn blocked(page: &Page) -> Vec<u32> {
        let usable = page.nodes().filter(|node| node.is(Flags::USABLE));
        usable.filter(|node| node.is(Flags::BLOCKED)).map(|node| node.local()).collect()
    }

    #[test]
    fn a_modal_dialog_blocks_everything_else() {
        let mut page = page(
            "main main @2\n  button button \"Buy\" @3 usable\n  dialog dialog \"Sure?\" @4 modal pagesight:modal=true\n    button button \"Yes\" @5 usable\nfooter @6\n  button button \"Help\" @7 usable",
        );
        page.block_behind_dialogs();
        assert_eq!(blocked(&page), [3, 7]);
        let buy = page.find("doc", 3).unwrap();
        assert_eq!(page.inert_because_of(buy).map(|node| node.local()), Some(4));
        assert!(page.inert_because_of(page.find("doc", 5).unwrap()).is_none());
    }

    #[test]
    fn a_dialog_that_only_says_it_is_modal_blocks_nothing() {
        let mut page = page(
            "button button \"Buy\" @3 usable\ndiv dialog \"Sure?\" @4 modal\n  button button \"Yes\" @5 usable",
        );
        page.block_behind_dialogs();
        assert_eq!(blocked(&page), [] as [u32; 0]);
    }

    #[test]
    fn the_topmost_of_several_dialogs_blocks() {
        let dialogs = |first: &str| {
            format!(
                "button button \"Buy\" @3 usable\ndialog dialog \"A\" @4 modal pagesight:modal=true\n  button button \"Yes\" @5 usable\ndialog dialog \"B\" @6 modal pagesight:modal=true\n  button button \"No\" @7 usable {first}"
            )
        };
        let mut last = page(&dialogs(""));
        last.block_behind_dialogs();
        assert_eq!(blocked(&last), [3, 5]);
        // The second one was opened first, and is covered.
        let mut covered = page(&dialogs(""));
        let (no, first) = (covered.find("doc", 7).unwrap(), covered.find("doc", 4).unwrap());
        covered.cover(no, first);
        covered.block_behind_dialogs();
        assert_eq!(blocked(&covered), [3, 7]);
    }

    #[test]
    fn an_inert_element_names_the_open_dialog_or_what_is_inert() {
        let page = page(
            "main main @2 inert\n  button button \"Buy\" @3 usable inert\ndiv dialog \"Sure?\" @4\n  button button \"Yes\" @5 usable",
        );
        let buy = page.find("doc", 3).unwrap();
        assert_eq!(page.inert_because_of(buy).map(|node| node.local()), Some(4));
        let alone = crate::page::test_page::page(
            "main main @2 inert\n  button button \"Buy\" @3 usable inert",
        );
        let buy = alone.find("doc", 3).unwrap();
        assert_eq!(alone.inert_because_of(buy).map(|node| node.local()), Some(2));
    }
}
