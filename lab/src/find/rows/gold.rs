//! The right rows of a page, and how the answer of `read_rows` is compared with them.

use anyhow::Context;
use serde_json::Value;

/// Rows as they should be read, or as they were read.
#[derive(Clone, Debug, Default)]
pub struct Gold {
    /// The word that the answer begins with; empty if several are right.
    pub kind: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
    pub footer: Vec<Vec<String>>,
}

/// An answer prints more than this of a cell before it cuts it.
const SHORTEST_CUT: usize = 120;
/// How many wrong cells of a page are shown.
const SHOWN: usize = 4;

/// How many cells are equal.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pub cells: usize,
    pub equal: usize,
    /// Whether the number of rows is right.
    pub same_rows: bool,
    /// The first wrong cells.
    pub wrong: Vec<String>,
}

impl Gold {
    /// Reads the JSON answer of `read_rows`, or of an oracle.
    pub fn parse(text: &str) -> anyhow::Result<Gold> {
        let answer: Value = serde_json::from_str(text).with_context(|| text.to_owned())?;
        let texts = |list: &Value| -> Vec<String> {
            let list = list.as_array().into_iter().flatten();
            list.map(|cell| cell.as_str().unwrap_or_default().to_owned()).collect()
        };
        let rows = |member: &str| answer[member].as_array().into_iter().flatten();
        Ok(Gold {
            kind: answer["kind"].as_str().unwrap_or_default().to_owned(),
            columns: texts(&answer["columns"]),
            rows: rows("rows").map(texts).collect(),
            footer: rows("footer").map(texts).collect(),
        })
    }

    /// Compares the cells of what was read, also heads and footers. A column is found by its name;
    /// one that should not be there counts as wrong.
    pub fn compare(&self, read: &Gold) -> Comparison {
        let mut result =
            Comparison { same_rows: self.rows.len() == read.rows.len(), ..Comparison::default() };
        if !self.kind.is_empty() && self.kind != read.kind {
            result.wrong.push(format!("{} instead of {}", read.kind, self.kind));
        }
        if !result.same_rows {
            let (read, own) = (read.rows.len(), self.rows.len());
            result.wrong.push(format!("{read} rows instead of {own}"));
        }
        let place =
            |name: &String| read.columns.iter().position(|column| plain(column) == plain(name));
        for (at, name) in self.columns.iter().enumerate() {
            let found = place(name);
            let head = found.map(|found| read.columns[found].as_str());
            result.cell(name, head, || format!("no column {name:?} in {:?}", read.columns));
            let own = self.rows.iter().chain(&self.footer);
            let theirs = (0..self.rows.len())
                .map(|row| read.rows.get(row))
                .chain((0..self.footer.len()).map(|row| read.footer.get(row)));
            for (row, (own, theirs)) in own.zip(theirs).enumerate() {
                let cell = theirs.and_then(|row| row.get(found?)).map(String::as_str);
                let own = own.get(at).map_or("", String::as_str);
                result.cell(own, cell, || match cell {
                    Some(cell) => format!("row {row}, {name}: {cell:?} instead of {own:?}"),
                    None => String::new(),
                });
            }
        }
        for column in &read.columns {
            if !self.columns.iter().any(|name| plain(name) == plain(column)) {
                result.cells += self.rows.len() + 1;
                result.wrong(format!("column {column:?} should not be there"));
            }
        }
        result
    }
}

impl Comparison {
    fn cell(&mut self, own: &str, read: Option<&str>, wrong: impl Fn() -> String) {
        self.cells += 1;
        if read.is_some_and(|read| same(own, read)) {
            self.equal += 1;
        } else {
            self.wrong(wrong());
        }
    }

    fn wrong(&mut self, text: String) {
        if !text.is_empty() && self.wrong.len() < SHOWN {
            self.wrong.push(text);
        }
    }
}

/// Whether two cells have the same text. An answer cuts long ones.
fn same(own: &str, read: &str) -> bool {
    let (own, read) = (plain(own), plain(read));
    let cut = read.strip_suffix('…').filter(|cut| cut.chars().count() > SHORTEST_CUT);
    own == read || cut.is_some_and(|cut| own.starts_with(cut.trim_end()))
}

/// Returns a text with white space collapsed, and without soft hyphens and the like.
pub fn plain(text: &str) -> String {
    let seen: String = text
        .chars()
        .filter(|c| {
            !matches!(
                c,
                '\u{ad}'
                    | '\u{200b}'
                    | '\u{200c}'
                    | '\u{200d}'
                    | '\u{200e}'
                    | '\u{200f}'
                    | '\u{2060}'
                    | '\u{feff}'
            )
        })
        .collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &[&str], rows: &[&[&str]]) -> Gold {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Gold {
            columns: texts(columns),
            rows: rows.iter().map(|row| texts(row)).collect(),
            ..Gold::default()
        }
    }

    #[test]
    fn each_wrong_cell_counts() {
        let gold = table(&["Name", "State"], &[&["a", "open"], &["b  b", ""]]);
        let same = gold.compare(&gold);
        assert_eq!((same.cells, same.equal, same.same_rows), (6, 6, true));
        let other = table(&["Name", "Extra"], &[&["a", "x"], &["b b", "y"], &["c", "z"]]);
        let result = gold.compare(&other);
        // The whole column State is missing, and the column Extra is too much.
        assert_eq!((result.cells, result.equal, result.same_rows), (9, 3, false));
    }

    #[test]
    fn a_long_cell_may_be_cut() {
        let long = "word ".repeat(100);
        assert!(same(&long, &format!("{}…", &long[..190])));
        assert!(!same("word", "wo…"));
    }
}
