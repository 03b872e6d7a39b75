//! The decisions of the rules about a page: for each node whether it is shown, for each attribute
//! whether it is printed. The page is borrowed and never changed or copied; only merged texts are
//! new.

use std::collections::{BTreeMap, HashMap};

use bitflags::bitflags;

use crate::page::{Node, NodeId, Page};
use crate::pipeline::config::PipelineConfig;
use crate::pipeline::rules::PipelineRule;

/// The decision of the rules about a node. The children of a removed node take its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeFate {
    /// It is shown.
    Shown,
    /// It is removed.
    Gone(PipelineRule),
    /// It is replaced by its content, which gets its attributes.
    Unwrapped(PipelineRule),
    /// A text that was merged into the text before it.
    Merged,
}

bitflags! {
    /// Facts of a node that are printed already and need not be printed again.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Said: u8 {
        /// The role follows from the tag.
        const ROLE = 1;
        /// The text inside is the name.
        const NAME = 1 << 1;
    }
}

/// The index of an attribute in the page's list.
pub(crate) type AttributeId = u32;

/// A page after the rules.
#[derive(Clone, Debug)]
pub struct View<'p> {
    page: &'p Page,
    config: PipelineConfig,
    fates: Vec<NodeFate>,
    said: Vec<Said>,
    /// Merged texts, by the first node of each.
    texts: HashMap<u32, String>,
    /// A bit for each attribute of the page that is not printed.
    dropped: Vec<u64>,
    /// Attributes that nodes got from removed wrappers.
    hoisted: HashMap<u32, Vec<AttributeId>>,
}

impl<'p> View<'p> {
    /// Makes a view that shows everything.
    pub fn new(page: &'p Page, config: PipelineConfig) -> View<'p> {
        View {
            page,
            config,
            fates: vec![NodeFate::Shown; page.len()],
            said: vec![Said::empty(); page.len()],
            texts: HashMap::new(),
            dropped: vec![0; page.attributes.len().div_ceil(64)],
            hoisted: HashMap::new(),
        }
    }

    /// Returns the page.
    pub fn page(&self) -> &'p Page {
        self.page
    }

    /// Returns the configuration.
    pub fn config(&self) -> &PipelineConfig {
        &self.config
    }

    /// Returns the decision about a node.
    pub fn fate(&self, node: NodeId) -> NodeFate {
        self.fates[node.index()]
    }

    /// Whether a node is shown.
    pub fn is_shown(&self, node: NodeId) -> bool {
        self.fates[node.index()] == NodeFate::Shown
    }

    /// Returns the nodes that are shown, in document order.
    pub fn shown(&self) -> impl Iterator<Item = Node<'p>> {
        self.page.nodes().filter(|node| self.is_shown(node.id()))
    }

    /// Returns how many of these nodes each rule removed.
    pub fn removed(&self, nodes: &[NodeId]) -> BTreeMap<PipelineRule, usize> {
        let mut taken = BTreeMap::new();
        for node in nodes {
            let rule = match &self.fates[node.index()] {
                NodeFate::Shown => continue,
                NodeFate::Gone(rule) | NodeFate::Unwrapped(rule) => *rule,
                NodeFate::Merged => PipelineRule::TextCollapsing,
            };
            *taken.entry(rule).or_default() += 1;
        }
        taken
    }

    /// Returns the text of a text node, with the texts that were merged into it.
    pub fn text(&self, node: Node<'p>) -> &str {
        self.texts.get(&node.id().0).map_or_else(|| node.name(), String::as_str)
    }

    /// Returns what need not be printed of a node.
    pub fn said(&self, node: NodeId) -> Said {
        self.said[node.index()]
    }

    /// Returns the printed attributes of a node: its own, then those of removed wrappers.
    pub fn attributes(&self, node: Node<'p>) -> impl Iterator<Item = (&'p str, &'p str)> {
        self.attribute_ids(node.id())
            .filter(|id| !self.is_dropped(*id))
            .map(|id| self.attribute(id))
    }

    /// Returns all attributes of a node, also those that are not printed.
    pub(crate) fn attribute_ids(&self, node: NodeId) -> impl Iterator<Item = AttributeId> {
        let own = self.page.records[node.index()].attributes.clone();
        own.chain(self.hoisted.get(&node.0).into_iter().flatten().copied())
    }

    /// Returns the name and the value of an attribute.
    pub(crate) fn attribute(&self, id: AttributeId) -> (&'p str, &'p str) {
        let (name, value) = self.page.attributes[id as usize];
        (self.page.text(name), self.page.text(value))
    }

    pub(crate) fn is_dropped(&self, id: AttributeId) -> bool {
        self.dropped[id as usize / 64] & (1 << (id % 64)) != 0
    }

    /// Returns how many attributes of these nodes are not printed.
    pub fn dropped_attributes(&self, nodes: &[NodeId]) -> usize {
        let own = nodes.iter().flat_map(|node| self.page.records[node.index()].attributes.clone());
        own.filter(|id| self.is_dropped(*id)).count()
    }

    pub(crate) fn drop_attribute(&mut self, id: AttributeId) {
        self.dropped[id as usize / 64] |= 1 << (id % 64);
    }

    /// Removes a node. The root stays; a removed node keeps its first reason.
    pub(crate) fn remove(&mut self, node: NodeId, rule: PipelineRule) {
        if node != NodeId::ROOT && self.is_shown(node) {
            self.fates[node.index()] = NodeFate::Gone(rule);
        }
    }

    /// Replaces a node by its content.
    pub(crate) fn unwrap(&mut self, node: NodeId, rule: PipelineRule) {
        if node != NodeId::ROOT && self.is_shown(node) {
            self.fates[node.index()] = NodeFate::Unwrapped(rule);
        }
    }

    /// Merges texts into the first of them.
    pub(crate) fn merge(&mut self, texts: &[NodeId]) {
        let [first, rest @ ..] = texts else { return };
        if rest.is_empty() {
            return;
        }
        let all: String = texts.iter().map(|text| self.text(self.page.node(*text))).collect();
        self.texts.insert(first.0, all);
        for text in rest {
            self.fates[text.index()] = NodeFate::Merged;
        }
    }

    /// Gives an attribute of a wrapper to its child.
    pub(crate) fn hoist(&mut self, child: NodeId, attribute: AttributeId) {
        self.hoisted.entry(child.0).or_default().push(attribute);
    }

    pub(crate) fn say(&mut self, node: NodeId, said: Said) {
        self.said[node.index()] |= said;
    }

    /// Returns for each node its nearest visible ancestor; the root for the root.
    pub(crate) fn holders(&self) -> Vec<u32> {
        let mut holders: Vec<u32> = Vec::with_capacity(self.fates.len());
        for record in &self.page.records {
            let parent = record.parent as usize;
            let holder = if parent >= holders.len() || self.fates[parent] == NodeFate::Shown {
                record.parent
            } else {
                holders[parent]
            };
            holders.push(holder);
        }
        holders
    }
}

#[cfg(test)]
impl View<'_> {
    /// Everything that rules decide, for comparing.
    pub(crate) fn decisions(&self) -> String {
        let mut texts: Vec<_> = self.texts.iter().collect();
        texts.sort();
        let mut hoisted: Vec<_> = self.hoisted.iter().collect();
        hoisted.sort();
        format!("{:?} {:?} {texts:?} {:?} {hoisted:?}", self.fates, self.said, self.dropped)
    }
}
