//! The numbers that elements are shown with.

use std::collections::HashMap;

use crate::page::NodeId;

/// Numbers the elements that are shown.
pub trait Numbers {
    /// Returns the number of a node; a new one if it has none yet.
    fn number(&mut self, node: NodeId) -> u32;

    /// Returns the snapshot of a node's document, and the node's number.
    fn uid(&mut self, node: NodeId) -> (u32, u32) {
        (1, self.number(node))
    }
}

/// Numbers for a page without a session: 1, 2, 3 in the order of printing.
#[derive(Debug, Default)]
pub struct SequentialNumbers {
    numbers: HashMap<NodeId, u32>,
    nodes: Vec<NodeId>,
}

impl SequentialNumbers {
    /// Returns the node of a number.
    pub fn node(&self, number: u32) -> Option<NodeId> {
        self.nodes.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
    }
}

impl Numbers for SequentialNumbers {
    fn number(&mut self, node: NodeId) -> u32 {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as u32
        })
    }
}

/// Numbers of the usual width, for measuring before real numbers are assigned.
pub(crate) struct Placeholder;

impl Numbers for Placeholder {
    fn number(&mut self, _: NodeId) -> u32 {
        88_888
    }
}
