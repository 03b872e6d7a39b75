//! The table of references: which number belongs to which node of which document of which tab.
//!
//! A node is identified by its document's token and its local id. The page script makes both, and
//! they live as long as its world does. So a page that comes back from the back/forward cache has
//! its references back.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::page::role::Role;
use crate::page::{Node, NodeId, Page};
use crate::refs::error::RefError;
use crate::refs::row::Rows;
use crate::refs::seen::{Seen, in_another_row, seen};
use crate::refs::signature::{Signatures, signature};
use crate::render::{Numbers, line};

/// How many documents are remembered; older ones rarely come back from the back/forward cache.
const DOCUMENTS_KEPT: usize = 64;

/// How many tabs keep their last page. When a tab's page is dropped, the signatures of its numbered
/// nodes are recorded first.
const SIGHTINGS_KEPT: usize = 8;

/// How many references have details. Above this number, those of elements that are not on any page
/// are dropped, oldest first, until half of them are left. The numbers themselves stay known.
const MOST_DETAILED: usize = if cfg!(test) { 5_000 } else { 50_000 };

/// From how many captures in a row an element may be missing before an equal one takes over its
/// number: a card that is rendered again is gone for a moment.
const MOST_MISSING: u8 = 8;

/// How many replacements of an element are followed.
const MOST_SUCCESSORS: usize = 1_000;

/// A reference to an element of a document, whether or not the element still exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The number.
    pub number: u32,
    /// The document's token.
    pub document: String,
    /// The element's local id in that document.
    pub local: u32,
    /// The last state that the caller saw.
    pub seen: Seen,
}

struct NumberedElement {
    document: u32,
    local: u32,
    signature: u64,
    /// Whether no other element had its signature when it was last on the page.
    only: bool,
    /// How many captures in a row it was missing from.
    missing: u8,
    /// The last state that the caller saw; none once that was dropped.
    seen: Option<Box<Seen>>,
    /// The element that replaced it, if that is known.
    successor: Option<Successor>,
}

/// The element that replaced an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Successor {
    /// Its number.
    pub(super) number: u32,
    /// Whether it is the same control without doubt.
    pub(super) is_same: bool,
}

struct DocumentEntry {
    token: String,
    tab: u32,
    snapshot: u32,
    numbers: Vec<u32>,
}

/// The last page of a tab, with the signatures of its nodes once they are computed.
struct Sighting {
    tab: u32,
    page: Arc<Page>,
    signatures: Option<Signatures>,
}

/// All references of a workspace.
#[derive(Default)]
pub struct References {
    entries: Vec<NumberedElement>,
    documents: Vec<DocumentEntry>,
    tokens: HashMap<String, u32>,
    index: HashMap<(u32, u32), u32>,
    snapshots: HashMap<u32, u32>,
    sightings: Vec<Sighting>,
    /// How many entries have details.
    detailed: usize,
    /// The documents that have details, the one that was observed last at the end.
    recent: Vec<u32>,
}

/// Parses a reference as callers write it: `12`, `[12]`, `1_12`. Returns the snapshot, if it was
/// given, and the number.
pub fn parse(given: &str) -> Result<(Option<u32>, u32), RefError> {
    let text = given.trim();
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let (snapshot, number) = match inner.split_once('_') {
        Some((snapshot, number)) => (Some(snapshot), number),
        None => (None, inner),
    };
    let read = |digits: &str| match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => digits.parse::<u32>().ok(),
        false => None,
    };
    let malformed = || RefError::Malformed { given: given.chars().take(40).collect() };
    let number = read(number).filter(|number| *number > 0).ok_or_else(malformed)?;
    match snapshot.map(read) {
        None => Ok((None, number)),
        Some(Some(snapshot)) => Ok((Some(snapshot), number)),
        Some(None) => Err(malformed()),
    }
}

impl References {
    /// Records a new capture of a tab. New documents are counted. If a numbered node was replaced
    /// by an equal one without doubt, the new node takes over the number. Usually every numbered
    /// node still exists, and then nothing else is done; the texts of the last page are read on
    /// demand.
    pub fn observe(&mut self, tab: u32, page: &Arc<Page>) {
        let keys: Vec<u32> = page
            .documents
            .iter()
            .enumerate()
            .map(|(place, document)| self.document(tab, &document.token, place == 0))
            .collect();
        self.recent.retain(|key| !keys.contains(key));
        self.recent.extend(&keys);
        let before = self.sightings.iter().position(|sighting| sighting.tab == tab);
        let before = before.map(|at| self.sightings.remove(at));
        let gone = self.is_any_gone(&keys, page);
        if let Some(before) = before {
            let left = before.page.documents.iter().any(|document| {
                page.documents.iter().all(|candidate| candidate.token != document.token)
            });
            if gone || left {
                self.work_out(&before);
            }
        }
        let signatures = gone.then(|| self.replace(&keys, page));
        self.sightings.push(Sighting { tab, page: page.clone(), signatures });
        if self.sightings.len() > SIGHTINGS_KEPT {
            let oldest = self.sightings.remove(0);
            self.work_out(&oldest);
        }
        self.forget_old_documents();
        if self.detailed > MOST_DETAILED {
            self.forget_stale_elements();
        }
    }

    /// Drops the details of documents that were not observed for a long time and are not on a page
    /// that a tab shows.
    fn forget_old_documents(&mut self) {
        let shown: HashSet<u32> = self.shown_documents().collect();
        let old: Vec<u32> =
            self.recent.iter().copied().filter(|key| !shown.contains(key)).collect();
        for key in old.iter().take(old.len().saturating_sub(DOCUMENTS_KEPT)) {
            for number in std::mem::take(&mut self.documents[*key as usize].numbers) {
                self.forget(number);
            }
            self.recent.retain(|other| other != key);
        }
    }

    fn shown_documents(&self) -> impl Iterator<Item = u32> {
        let documents = self.sightings.iter().flat_map(|sighting| &sighting.page.documents);
        documents.filter_map(|document| self.tokens.get(&document.token).copied())
    }

    /// Drops the details of elements that are on no page that a tab shows, oldest first.
    fn forget_stale_elements(&mut self) {
        let mut shown: HashSet<(u32, u32)> = HashSet::new();
        for Sighting { page, .. } in &self.sightings {
            let keys: Vec<Option<u32>> =
                page.documents.iter().map(|one| self.tokens.get(&one.token).copied()).collect();
            for record in page.records.iter().filter(|record| record.local != 0) {
                if let Some(Some(key)) = keys.get(usize::from(record.frame)) {
                    shown.insert((*key, record.local));
                }
            }
        }
        let mut dropped: HashSet<u32> = HashSet::new();
        for at in 0..self.entries.len() {
            if self.detailed <= MOST_DETAILED / 2 {
                break;
            }
            let entry = &self.entries[at];
            if entry.seen.is_some() && !shown.contains(&(entry.document, entry.local)) {
                self.forget(at as u32 + 1);
                dropped.insert(at as u32 + 1);
            }
        }
        for document in &mut self.documents {
            document.numbers.retain(|number| !dropped.contains(number));
        }
    }

    /// Drops the details of a reference. Its number stays known, and is never used again.
    fn forget(&mut self, number: u32) {
        let entry = &mut self.entries[number as usize - 1];
        if entry.seen.take().is_some() {
            self.detailed -= 1;
        }
        let place = (entry.document, entry.local);
        if self.index.get(&place) == Some(&number) {
            self.index.remove(&place);
        }
    }

    /// Whether a node with a number is no longer in its document.
    fn is_any_gone(&self, keys: &[u32], page: &Page) -> bool {
        let numbered = keys.iter().enumerate().flat_map(|(frame, key)| {
            let locals = self.documents[*key as usize].numbers.iter();
            locals.map(move |number| (frame as u16, self.entries[*number as usize - 1].local))
        });
        let mut missing: HashSet<(u16, u32)> = numbered.collect();
        for record in &page.records {
            if missing.is_empty() {
                return false;
            }
            if record.local != 0 {
                missing.remove(&(record.frame, record.local));
            }
        }
        !missing.is_empty()
    }

    /// Records the signatures of the numbered nodes of an earlier page.
    fn work_out(&mut self, sighting: &Sighting) {
        let page = &sighting.page;
        let made;
        let signatures = match &sighting.signatures {
            Some(known) => known,
            None => {
                made = Signatures::of(page, &Rows::new(page));
                &made
            }
        };
        let nodes = nodes_of(page);
        for (document, nodes) in page.documents.iter().zip(&nodes) {
            if let Some(key) = self.tokens.get(&document.token).copied() {
                self.sign(key, nodes, signatures);
            }
        }
    }

    /// Records the signatures of the numbered nodes of one document.
    fn sign(&mut self, key: u32, nodes: &HashMap<u32, NodeId>, signatures: &Signatures) {
        for number in &self.documents[key as usize].numbers {
            let entry = &mut self.entries[*number as usize - 1];
            if let Some(signature) =
                nodes.get(&entry.local).and_then(|node| signatures.by_node.get(node))
            {
                entry.signature = *signature;
                entry.only = signatures.counts.get(signature) == Some(&1);
                entry.missing = 0;
            }
        }
    }

    /// Gives the numbers of removed nodes to their replacements.
    fn replace(&mut self, keys: &[u32], page: &Page) -> Signatures {
        let signatures = Signatures::of(page, &Rows::new(page));
        for (key, nodes) in keys.iter().zip(nodes_of(page)) {
            self.hand_over_numbers(*key, page, &nodes, &signatures);
            self.sign(*key, &nodes, &signatures);
        }
        signatures
    }

    fn document(&mut self, tab: u32, token: &str, top: bool) -> u32 {
        if let Some(known) = self.tokens.get(token) {
            return *known;
        }
        let counter = self.snapshots.entry(tab).or_default();
        *counter += u32::from(top);
        let snapshot = *counter;
        let key = self.documents.len() as u32;
        let (token, numbers) = (token.to_owned(), Vec::new());
        self.tokens.insert(token.clone(), key);
        self.documents.push(DocumentEntry { token, tab, snapshot, numbers });
        key
    }

    /// Moves the numbers of removed nodes to their replacements.
    fn hand_over_numbers(
        &mut self,
        key: u32,
        page: &Page,
        nodes: &HashMap<u32, NodeId>,
        now: &Signatures,
    ) {
        let document = &self.documents[key as usize];
        let gone: Vec<u32> = document
            .numbers
            .iter()
            .copied()
            .filter(|number| !nodes.contains_key(&self.entries[*number as usize - 1].local))
            .collect();
        if gone.is_empty() {
            return;
        }
        let only: HashMap<u64, NodeId> = now
            .by_node
            .iter()
            .filter(|(_, signature)| now.counts.get(*signature) == Some(&1))
            .map(|(node, signature)| (*signature, *node))
            .collect();
        for number in gone {
            let entry = &mut self.entries[number as usize - 1];
            let may_return = entry.only && entry.missing < MOST_MISSING;
            entry.missing = entry.missing.saturating_add(1);
            let heir = only.get(&entry.signature).filter(|_| may_return);
            let Some(heir) = heir else { continue };
            let local = page.node(*heir).local();
            // In a different document it is a different element.
            if nodes.get(&local) != Some(heir) || self.index.contains_key(&(key, local)) {
                continue;
            }
            let before = self.entries[number as usize - 1].local;
            self.index.remove(&(key, before));
            self.index.insert((key, local), number);
            self.entries[number as usize - 1].local = local;
        }
    }

    /// Returns how many references have details.
    #[cfg(test)]
    pub(super) fn detailed(&self) -> usize {
        let seen = self.entries.iter().filter(|entry| entry.seen.is_some()).count();
        assert_eq!((seen, self.index.len()), (self.detailed, self.detailed));
        seen
    }

    /// Records what the caller sees of an element now.
    fn note(&mut self, number: u32, seen: Seen) {
        if self.entries[number as usize - 1].seen.replace(Box::new(seen)).is_none() {
            self.detailed += 1;
        }
    }

    /// Returns the numbers for printing an observed page.
    pub fn numbering<'a>(&'a mut self, page: &'a Page) -> Numbering<'a> {
        Numbering { references: self, page, rows: Rows::new(page) }
    }

    /// Looks a reference up for a tab. `name_of` names tabs in errors.
    pub fn resolve(
        &self,
        tab: u32,
        given: &str,
        name_of: impl Fn(u32) -> Option<String>,
    ) -> Result<Reference, RefError> {
        let (snapshot, number) = parse(given)?;
        let entry = self.entries.get(number as usize - 1).ok_or(RefError::Unknown { number })?;
        let document = &self.documents[entry.document as usize];
        if let Some(wrong) = snapshot.filter(|snapshot| *snapshot != document.snapshot) {
            let given = format!("{wrong}_{number}");
            return Err(RefError::Forged { given, number, snapshot: document.snapshot });
        }
        if document.tab != tab {
            return Err(match name_of(document.tab) {
                Some(tab) => RefError::Foreign { number, tab },
                None => RefError::TabClosed { number },
            });
        }
        let seen = entry.seen.as_deref().cloned().unwrap_or_else(Seen::nothing);
        Ok(Reference { number, document: document.token.clone(), local: entry.local, seen })
    }

    /// Records that elements were re-rendered: the number of each, its replacement in an observed
    /// page, and whether that is the same control without doubt.
    pub fn succeed(&mut self, page: &Page, pairs: &[(u32, NodeId, bool)]) {
        for (old, node, is_same) in pairs {
            let number = self.numbering(page).number(*node);
            if number != *old
                && let Some(entry) = self.entries.get_mut(*old as usize - 1)
            {
                entry.successor = Some(Successor { number, is_same: *is_same });
            }
        }
    }

    /// Returns the element on the page that replaced an element, directly or over
    /// several replacements.
    fn successor(&self, number: u32, page: &Page) -> Option<Successor> {
        let mut at = Successor { number, is_same: true };
        for _ in 0..MOST_SUCCESSORS {
            let Successor { number, is_same } = self.entries[at.number as usize - 1].successor?;
            at = Successor { number, is_same: at.is_same && is_same };
            let entry = &self.entries[number as usize - 1];
            let document = &self.documents[entry.document as usize];
            if page.find(&document.token, entry.local).is_some() {
                return Some(at);
            }
        }
        None
    }

    /// Whether the element of a reference is missing from a new, observed capture of its document,
    /// and nothing has replaced it.
    pub fn is_gone(&self, reference: &Reference, page: &Page) -> bool {
        let Reference { number, document, .. } = reference;
        let local = self.entries[*number as usize - 1].local;
        page.documents.iter().any(|one| one.token == *document)
            && page.find(document, local).is_none()
            && self.successor(*number, page).is_none()
    }

    /// Returns the number that an element was shown with, if any.
    pub fn known(&self, document: &str, local: u32) -> Option<u32> {
        let key = self.tokens.get(document)?;
        self.index.get(&(*key, local)).copied()
    }

    /// Returns the document and the local id of the element that a number leads to now.
    pub fn element(&self, number: u32) -> Option<(&str, u32)> {
        let entry = self.entries.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        Some((&self.documents[entry.document as usize].token, entry.local))
    }

    /// Returns a reference with its snapshot: `1_12`.
    pub fn uid(&self, number: u32) -> Option<String> {
        let entry = self.entries.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        Some(format!("{}_{number}", self.documents[entry.document as usize].snapshot))
    }

    /// Finds the element of a reference in a new, observed capture, and checks that it is still
    /// what the caller saw.
    pub fn find(&mut self, reference: &Reference, page: &Page) -> Result<NodeId, RefError> {
        let number = reference.number;
        if page.documents.iter().all(|document| document.token != reference.document) {
            return Err(RefError::Navigated { number });
        }
        let local = self.entries[number as usize - 1].local;
        let Some(id) = page.find(&reference.document, local) else {
            if let Some(Successor { number: now, is_same }) = self.successor(number, page) {
                return Err(RefError::Rerendered { number, now, is_same });
            }
            let nearest = nearest(page, &reference.seen);
            return Err(RefError::Gone { number, was: reference.seen.words(), nearest });
        };
        let node = page.node(id);
        if node.hidden().is_some() {
            // A hidden element has no place and not always a name; acting on it reports that it is
            // hidden.
            return Ok(id);
        }
        let rows = Rows::new(page);
        let now = seen(node, &rows);
        let was = &reference.seen;
        let renamed = now.role != was.role || now.name != was.name;
        let moved = in_another_row(node, was, &rows);
        if !renamed && !moved {
            return Ok(id);
        }
        // The caller gets the new state, so from here on it has been seen.
        self.note(number, now);
        if renamed {
            return Err(RefError::Changed { number, was: was.words(), now: line(node) });
        }
        let row = node
            .ancestors()
            .find(|above| above.descendants().filter(|inner| inner.is_text()).nth(1).is_some());
        let row = row.map(words_of).unwrap_or_default();
        Err(RefError::OtherRow { number, was: was.words(), row })
    }
}

/// Returns for each document of a page where its elements are. Local ids are unique only within a
/// document.
fn nodes_of(page: &Page) -> Vec<HashMap<u32, NodeId>> {
    let mut nodes: Vec<HashMap<u32, NodeId>> =
        page.documents.iter().map(|_| HashMap::new()).collect();
    for (at, record) in page.records.iter().enumerate() {
        if let Some(nodes) = nodes.get_mut(usize::from(record.frame)).filter(|_| record.local != 0)
        {
            nodes.insert(record.local, NodeId(at as u32));
        }
    }
    nodes
}

/// Returns the beginning of the text below a node.
fn words_of(node: Node<'_>) -> String {
    let text: String = node
        .descendants()
        .filter(|inner| inner.is_text())
        .take(20)
        .map(|inner| format!("{} ", inner.name()))
        .collect();
    crate::text::escape::safe(&text, 80)
}

/// Returns the first other element with the same role and name, as the end of a sentence.
fn nearest(page: &Page, was: &Seen) -> String {
    let twin = page.nodes().find(|node| {
        !node.is_text()
            && node.hidden().is_none()
            && node.role() == was.role
            && node.name() == was.name
            && was.role != Role::None
    });
    twin.map_or(String::new(), |node| format!("; another {} is there", line(node)))
}

/// Numbers the nodes of one page as they are shown, and records what the caller saw.
pub struct Numbering<'a> {
    references: &'a mut References,
    page: &'a Page,
    rows: Rows<'a>,
}

impl Numbers for Numbering<'_> {
    fn number(&mut self, node: NodeId) -> u32 {
        let node = self.page.node(node);
        // A text has no number; the element around it is numbered instead.
        let node = if node.is_text() { node.parent().unwrap_or(node) } else { node };
        // A page is observed before it is shown, so its documents are known; an unknown one would
        // be a new document.
        let key = self.references.document(0, &node.document().token, false);
        let seen = seen(node, &self.rows);
        if let Some(number) = self.references.index.get(&(key, node.local())).copied() {
            self.references.note(number, seen);
            return number;
        }
        let number = self.references.entries.len() as u32 + 1;
        let signature = signature(node, &self.rows);
        self.references.entries.push(NumberedElement {
            document: key,
            local: node.local(),
            signature,
            only: false,
            missing: 0,
            seen: Some(Box::new(seen)),
            successor: None,
        });
        self.references.detailed += 1;
        self.references.documents[key as usize].numbers.push(number);
        self.references.index.insert((key, node.local()), number);
        number
    }

    fn uid(&mut self, node: NodeId) -> (u32, u32) {
        let number = self.number(node);
        let entry = &self.references.entries[number as usize - 1];
        (self.references.documents[entry.document as usize].snapshot, number)
    }
}
