//! P3.1: prints short numbers instead of the page's own ids, and maps them back. The numbers are
//! those of all other views, so that a number from a snapshot is valid everywhere. Without the
//! rule, the page's own id is printed as well.

use std::collections::HashMap;

use crate::page::{Node, NodeId};

/// The map between numbers and nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdMap {
    nodes: HashMap<u32, NodeId>,
    numbers: HashMap<NodeId, u32>,
}

impl IdMap {
    /// Makes the map of the shown elements.
    pub fn new(shown: &[(NodeId, u32)]) -> IdMap {
        let mut map = IdMap::default();
        for (node, number) in shown {
            map.nodes.insert(*number, *node);
            map.numbers.insert(*node, *number);
        }
        map
    }

    /// Returns the node of a number.
    pub fn to_node(&self, number: u32) -> Option<NodeId> {
        self.nodes.get(&number).copied()
    }

    /// Returns the number of a node.
    pub fn to_number(&self, node: NodeId) -> Option<u32> {
        self.numbers.get(&node).copied()
    }
}

/// Returns the page's own id of an element; comments have none.
pub(crate) fn own_id(node: Node<'_>) -> Option<u32> {
    Some(node.local()).filter(|local| *local != 0)
}
