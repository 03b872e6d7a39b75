//! The numbers that elements are shown with.

use std::collections::HashMap;

use crate::page::NodeId;

/// Gives lasting numbers to the elements that are shown.
pub trait Numbers {
    /// The number of a node; a new one if it has none yet.
    fn number(&mut self, node: NodeId) -> u32;

    /// The snapshot that a node's document belongs to, and the node's number.
    fn uid(&mut self, node: NodeId) -> (u32, u32) {
        (1, self.number(node))
    }
}

/// Numbers for a page that has no session: 1, 2, 3 in the order they are shown.
#[derive(Debug, Default)]
pub struct SequentialNumbers {
    numbers: HashMap<NodeId, u32>,
    nodes: Vec<NodeId>,
}

impl SequentialNumbers {
    /// The node behind a number.
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

/// Numbers of the usual width, for measuring before real ones are given out.
pub(crate) struct Placeholder;

impl Numbers for Placeholder {
    fn number(&mut self, _: NodeId) -> u32 {
        88_888
    }
}
