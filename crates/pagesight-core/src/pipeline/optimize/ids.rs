//! P3.1: short numbers stand for the page's own ids, and lead back to them. The numbers are those
//! of every other view, so a number seen here is valid everywhere; without remapping the page's own
//! id is said beside it.

use std::collections::HashMap;

use crate::page::{Node, NodeId};

/// Which number stands for which node, in both directions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdMap {
    nodes: HashMap<u32, NodeId>,
    numbers: HashMap<NodeId, u32>,
}

impl IdMap {
    /// The map of what was shown.
    pub fn new(shown: &[(NodeId, u32)]) -> IdMap {
        let mut map = IdMap::default();
        for (node, number) in shown {
            map.nodes.insert(*number, *node);
            map.numbers.insert(*node, *number);
        }
        map
    }

    /// The node behind a number, for acting on it.
    pub fn to_node(&self, number: u32) -> Option<NodeId> {
        self.nodes.get(&number).copied()
    }

    /// The number of a node, for writing it.
    pub fn to_number(&self, node: NodeId) -> Option<u32> {
        self.numbers.get(&node).copied()
    }
}

/// The page's own id of an element; comments have none.
pub(crate) fn own_id(node: Node<'_>) -> Option<u32> {
    Some(node.local()).filter(|local| *local != 0)
}
