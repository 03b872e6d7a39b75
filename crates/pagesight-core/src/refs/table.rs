//! The books: which number stands for which node of which document of which tab.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::page::role::Role;
use crate::page::{Node, NodeId, Page};
use crate::refs::row::Rows;
use crate::refs::signature::{Signatures, signature};
use crate::render::{Numbers, line};

/// Documents for which take-over is possible; older ones can hardly come back from the browser's
/// cache.
const DOCUMENTS_KEPT: usize = 64;

/// Tabs whose last page is kept; what older ones said is worked out in time.
const SIGHTINGS_KEPT: usize = 8;

/// Why a reference cannot be used. The sentences are those of INTERFACE.md.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum RefError {
    /// Not written like a reference.
    #[error("{given:?} is no reference; give a number from inspect_tab, such as 12 or \"[12]\"")]
    Malformed {
        /// What was given, bounded.
        given: String,
    },
    /// Never given out.
    #[error("unknown reference [{number}]: no element was ever shown with it; call inspect_tab")]
    Unknown {
        /// The number.
        number: u32,
    },
    /// The part in front of the underscore is another document's.
    #[error(
        "unknown reference {given}: [{number}] belongs to snapshot {snapshot}; use the number alone or call inspect_tab"
    )]
    Forged {
        /// What was given.
        given: String,
        /// The number in it.
        number: u32,
        /// The snapshot it really belongs to.
        snapshot: u32,
    },
    /// Another tab's.
    #[error(
        "reference [{number}] belongs to another tab ({tab}); give tab: {tab:?}, or call inspect_tab for this one"
    )]
    Foreign {
        /// The number.
        number: u32,
        /// The tab it belongs to.
        tab: String,
    },
    /// Of a tab that is closed.
    #[error("stale reference [{number}]: its tab is closed; call inspect_tab")]
    TabClosed {
        /// The number.
        number: u32,
    },
    /// Of a document that is not shown any more.
    #[error(
        "stale reference [{number}]: it belonged to the page before the last navigation; call inspect_tab again"
    )]
    Navigated {
        /// The number.
        number: u32,
    },
    /// The element left the page.
    #[error(
        "stale reference [{number}]: {was} is no longer in the page{nearest}; call inspect_tab again"
    )]
    Gone {
        /// The number.
        number: u32,
        /// What it was.
        was: String,
        /// `; another … is there`, if there is a candidate.
        nearest: String,
    },
    /// The node shows something else now.
    #[error(
        "stale reference [{number}]: it was {was} and is now [{number}] {now}; act again if that is what you want"
    )]
    Changed {
        /// The number.
        number: u32,
        /// What it was.
        was: String,
        /// Its line now.
        now: String,
    },
    /// The node was re-used for another row.
    #[error(
        "stale reference [{number}] {was}: it now sits in another row ({row}); act again if that is what you want"
    )]
    OtherRow {
        /// The number.
        number: u32,
        /// Its line.
        was: String,
        /// The text of the row it sits in now.
        row: String,
    },
}

/// What the caller last saw of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its role.
    pub role: Role,
    /// Its name.
    pub name: String,
    /// The row it sat in: its local id and what it said.
    row: Option<(u32, u64)>,
}

impl Seen {
    /// The element in a few words: `button: Save`.
    pub fn words(&self) -> String {
        crate::render::head(self.role, 0, &self.name)
    }
}

/// A reference that belongs to a tab and a document, whether or not its element still lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The number.
    pub number: u32,
    /// The document's token.
    pub document: String,
    /// The element's local id there.
    pub local: u32,
    /// What the caller last saw of it.
    pub seen: Seen,
}

struct NumberedElement {
    document: u32,
    local: u32,
    signature: u64,
    seen: Seen,
}

struct DocumentEntry {
    token: String,
    tab: u32,
    snapshot: u32,
    numbers: Vec<u32>,
    /// How often each signature occurred when the document was last captured.
    signatures: HashMap<u64, u32>,
}

/// The last page that was seen of a tab, and what it says of its nodes, once that was worked out.
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
}

/// Reads a reference as callers write it: `12`, `[12]`, `1_12`. Answers with the snapshot, if it
/// was given, and the number.
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
    /// Takes note of a fresh capture of a tab: new documents are counted, and where a node was
    /// replaced by an equal one and there can be no doubt, the number goes over to the new node.
    /// While every numbered node is still there, which is the rule, nothing else is looked at; what
    /// the page before said is worked out when it is asked for.
    pub fn observe(&mut self, tab: u32, page: &Arc<Page>) {
        let keys: Vec<u32> = page
            .documents
            .iter()
            .enumerate()
            .map(|(place, document)| self.document(tab, &document.token, place == 0))
            .collect();
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

    /// Notes down what an earlier page said of the numbered nodes in it.
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

    /// Takes note of what a page says of the numbered nodes of a document.
    fn sign(&mut self, key: u32, nodes: &HashMap<u32, NodeId>, signatures: &Signatures) {
        for number in &self.documents[key as usize].numbers {
            let entry = &mut self.entries[*number as usize - 1];
            if let Some(signature) =
                nodes.get(&entry.local).and_then(|node| signatures.by_node.get(node))
            {
                entry.signature = *signature;
            }
        }
        self.documents[key as usize].signatures = signatures.counts.clone();
    }

    /// Gives the numbers of nodes that are gone to those that took their place.
    fn replace(&mut self, keys: &[u32], page: &Page) -> Signatures {
        let signatures = Signatures::of(page, &Rows::new(page));
        for (key, nodes) in keys.iter().zip(nodes_of(page)) {
            self.take_over(*key, page, &nodes, &signatures);
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
        self.documents.push(DocumentEntry {
            token,
            tab,
            snapshot,
            numbers,
            signatures: HashMap::new(),
        });
        if let Some(old) = self.documents.len().checked_sub(DOCUMENTS_KEPT + 1) {
            self.documents[old].signatures = HashMap::new();
        }
        key
    }

    /// Moves numbers of nodes that are gone to the nodes that took their place.
    fn take_over(&mut self, key: u32, page: &Page, nodes: &HashMap<u32, NodeId>, now: &Signatures) {
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
            let entry = &self.entries[number as usize - 1];
            let was_only =
                self.documents[key as usize].signatures.get(&entry.signature) == Some(&1);
            let Some(heir) = only.get(&entry.signature).filter(|_| was_only) else { continue };
            let local = page.node(*heir).local();
            // In another document it would be another element.
            if nodes.get(&local) != Some(heir) || self.index.contains_key(&(key, local)) {
                continue;
            }
            self.index.remove(&(key, entry.local));
            self.index.insert((key, local), number);
            self.entries[number as usize - 1].local = local;
        }
    }

    /// Numbers for showing a page that was observed.
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
        let (document, local, seen) = (document.token.clone(), entry.local, entry.seen.clone());
        Ok(Reference { number, document, local, seen })
    }

    /// The number that an element was shown with, if it was.
    pub fn known(&self, document: &str, local: u32) -> Option<u32> {
        let key = self.tokens.get(document)?;
        self.index.get(&(*key, local)).copied()
    }

    /// The reference written with its snapshot: `1_12`.
    pub fn uid(&self, number: u32) -> Option<String> {
        let entry = self.entries.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        Some(format!("{}_{number}", self.documents[entry.document as usize].snapshot))
    }

    /// Finds the element of a reference in a fresh, observed capture and makes sure that it is
    /// still what the caller saw.
    pub fn find(&mut self, reference: &Reference, page: &Page) -> Result<NodeId, RefError> {
        let number = reference.number;
        if page.documents.iter().all(|document| document.token != reference.document) {
            return Err(RefError::Navigated { number });
        }
        let local = self.entries[number as usize - 1].local;
        let Some(id) = page.find(&reference.document, local) else {
            let nearest = nearest(page, &reference.seen);
            return Err(RefError::Gone { number, was: reference.seen.words(), nearest });
        };
        let node = page.node(id);
        if node.hidden().is_some() {
            // Hidden, it has neither its place nor always its name; whoever acts on it is told that
            // it does not show.
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
        // The caller is told the new state, so from here on it has been seen.
        self.entries[number as usize - 1].seen = now;
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

/// For each document of a page where its elements are. Local ids are each document's own.
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

/// The text below a node, bounded.
fn words_of(node: Node<'_>) -> String {
    let text: String = node
        .descendants()
        .filter(|inner| inner.is_text())
        .take(20)
        .map(|inner| format!("{} ", inner.name()))
        .collect();
    crate::text::escape::safe(&text, 80)
}

/// The first other element of the same role and name, as the end of a sentence.
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

fn seen<'p>(node: Node<'p>, rows: &Rows<'p>) -> Seen {
    let row = rows.row(node).map(|row| (row.local(), rows.words(row)));
    Seen { role: node.role(), name: node.name().to_owned(), row }
}

/// Whether an element sits in a row that says something else than the one it was seen in. What was
/// a row by its twins (a card among cards) may have lost them; then it is the same container that
/// has to say the same.
fn in_another_row<'p>(node: Node<'p>, was: &Seen, rows: &Rows<'p>) -> bool {
    let Some((local, said)) = was.row else { return false };
    let same = std::iter::once(node).chain(node.ancestors()).find(|above| above.local() == local);
    same.or_else(|| rows.row(node)).is_none_or(|row| rows.words(row) != said)
}

/// Gives numbers to the nodes of one page as they are shown, and remembers what the caller saw.
pub struct Numbering<'a> {
    references: &'a mut References,
    page: &'a Page,
    rows: Rows<'a>,
}

impl Numbers for Numbering<'_> {
    fn number(&mut self, node: NodeId) -> u32 {
        let node = self.page.node(node);
        // A text has no identity of its own; it goes by the element that it stands in.
        let node = if node.is_text() { node.parent().unwrap_or(node) } else { node };
        // A page is observed before it is shown, so its documents are known; an unknown one would
        // be a new document.
        let key = self.references.document(0, &node.document().token, false);
        let seen = seen(node, &self.rows);
        if let Some(number) = self.references.index.get(&(key, node.local())).copied() {
            self.references.entries[number as usize - 1].seen = seen;
            return number;
        }
        let number = self.references.entries.len() as u32 + 1;
        let signature = signature(node, &self.rows);
        self.references.entries.push(NumberedElement {
            document: key,
            local: node.local(),
            signature,
            seen,
        });
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
