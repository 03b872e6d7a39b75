//! Collects columns and rows, and completes them: no empty columns without a name, a column for
//! where links lead, unique names.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::cell::CellText;
use super::model::{CELL_LIMIT, COLUMN_LIMIT, Row, TextId};
use crate::page::NodeId;
use crate::text::escape::{bounded, clean};

/// Columns and rows that are being collected.
#[derive(Debug)]
pub(super) struct RowsBuilder {
    /// The names of the columns; empty if one has none.
    pub(super) columns: Vec<String>,
    /// Identifies the columns on different pages; empty if their names do.
    pub(super) keys: Vec<u64>,
    pub(super) rows: Vec<Row>,
    pub(super) footer: Vec<Row>,
    texts: Vec<String>,
    /// Where the links of a text lead, by the index of the text.
    targets: Vec<TextId>,
    /// The moments that texts mean, by the index of the text.
    moments: HashMap<TextId, String>,
}

/// Completed columns and rows.
pub(super) struct Completed {
    pub(super) columns: Vec<String>,
    pub(super) keys: Vec<u64>,
    pub(super) rows: Vec<Row>,
    pub(super) footer: Vec<Row>,
    pub(super) texts: Vec<String>,
    pub(super) moments: HashMap<TextId, String>,
}

impl RowsBuilder {
    pub(super) fn new() -> RowsBuilder {
        RowsBuilder {
            columns: Vec::new(),
            keys: Vec::new(),
            rows: Vec::new(),
            footer: Vec::new(),
            texts: vec![String::new()],
            targets: vec![0],
            moments: HashMap::new(),
        }
    }

    /// Stores a text, and returns its index.
    pub(super) fn text(&mut self, text: String, target: String) -> TextId {
        if text.is_empty() && target.is_empty() {
            return 0;
        }
        let target = match target.is_empty() {
            true => 0,
            false => self.text(bounded(&clean(&target), CELL_LIMIT), String::new()),
        };
        self.texts.push(text);
        self.targets.push(target);
        (self.texts.len() - 1) as TextId
    }

    /// Stores the moment that a text means, unless it is empty.
    pub(super) fn moment(&mut self, text: TextId, moment: String) {
        if !moment.is_empty() && text != 0 {
            self.moments.insert(text, moment);
        }
    }

    /// Stores what a cell says, and gives its controls to the row.
    pub(super) fn cell(&mut self, cell: CellText, controls: &mut Vec<NodeId>) -> TextId {
        controls.extend(cell.controls);
        self.text(cell.text, cell.target)
    }

    /// Returns a stored text.
    pub(super) fn said(&self, text: TextId) -> &str {
        &self.texts[text as usize]
    }

    /// Completes columns and rows. `unnamed` names a column without a name, by its position.
    pub(super) fn complete(self, unnamed: impl Fn(usize) -> String) -> Completed {
        let width = self.columns.len();
        let (mut said, mut leads) = (vec![false; width], vec![false; width]);
        for row in self.rows.iter().chain(&self.footer) {
            for (at, text) in row.cells.iter().enumerate().take(width) {
                said[at] |= !self.texts[*text as usize].is_empty();
                leads[at] |= self.targets[*text as usize] != 0;
            }
        }
        // The columns that stay: their place, and whether they say where the links lead.
        let mut kept = Vec::new();
        let mut columns = Vec::new();
        let mut keys = Vec::new();
        for (at, name) in self.columns.iter().enumerate() {
            let name = bounded(&clean(name), COLUMN_LIMIT);
            if !(said[at] || leads[at]) && name.is_empty() {
                continue;
            }
            let name = if name.is_empty() { unnamed(at) } else { name };
            let mut key = DefaultHasher::new();
            match self.keys.get(at) {
                Some(given) => given.hash(&mut key),
                None => name.hash(&mut key),
            }
            keys.push(key.finish());
            if leads[at] {
                "target".hash(&mut key);
                keys.push(key.finish());
                kept.extend([(at, false), (at, true)]);
                columns.extend([name.clone(), format!("{name} target")]);
            } else {
                kept.push((at, false));
                columns.push(name);
            }
        }
        let targets = &self.targets;
        let cells = |row: Row| {
            let cell = |(at, target): &(usize, bool)| {
                let text = row.cells.get(*at).copied().unwrap_or_default();
                if *target { targets[text as usize] } else { text }
            };
            Row { cells: kept.iter().map(cell).collect(), ..row }
        };
        let rows = self.rows.into_iter().map(&cells).collect();
        let footer = self.footer.into_iter().map(&cells).collect();
        let (texts, moments) = (self.texts, self.moments);
        Completed { columns: unique(columns), keys, rows, footer, texts, moments }
    }
}

/// Makes names unique without regard to case: `Name`, `Name 2`.
fn unique(names: Vec<String>) -> Vec<String> {
    let mut known: HashSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let mut used = HashSet::new();
    let mut numbers = HashMap::new();
    let one = |name: String| {
        if used.insert(name.to_lowercase()) {
            return name;
        }
        let number = numbers.entry(name.to_lowercase()).or_insert(1usize);
        loop {
            *number += 1;
            let numbered = format!("{name} {number}");
            if known.insert(numbered.to_lowercase()) {
                used.insert(numbered.to_lowercase());
                return numbered;
            }
        }
    };
    names.into_iter().map(one).collect()
}
