//! The measured times of all tools, and the tables of them.

use std::time::Duration;

use super::tools::Peer;
use crate::report::{median, ms, quantile};

/// The measurements on each page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Navigate and look, on a page without a script.
    Still,
    /// Navigate and look, on a page with a script.
    Scripted,
    /// Click and see the effect.
    Click,
}

impl Measure {
    /// Returns the title of its table.
    pub fn title(self) -> &'static str {
        match self {
            Measure::Still => "Navigate and look: pages without a script",
            Measure::Scripted => "Navigate and look: pages with a script",
            Measure::Click => "Act and effect: a click that changes one line",
        }
    }
}

/// The times of one tool for one measure and page size.
#[derive(Default)]
pub struct Cell {
    pub times: Vec<Duration>,
    /// The tokens of the answer.
    pub tokens: usize,
    pub failures: Vec<String>,
}

impl Cell {
    /// Returns the median in milliseconds, if there is a time.
    pub fn median(&self) -> Option<f64> {
        (!self.times.is_empty()).then(|| ms(median(&self.times)))
    }
}

/// Formats `median / best`.
pub fn format_times(times: &[Duration]) -> String {
    match times {
        [] => "–".to_owned(),
        _ => format!("{:.0} / {:.0}", ms(median(times)), ms(quantile(times, 0.0))),
    }
}

/// A line of the tables: a tool, or pagesight with the full look that follows its outline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    pub peer: Peer,
    pub is_full: bool,
}

impl Line {
    fn name(self) -> String {
        let more = if self.is_full { ", with a full look" } else { "" };
        format!("{}{more}", self.peer.name())
    }
}

/// Which cell: the tool, what is measured, and the page size.
type CellKey = (Line, Measure, usize);

#[derive(Default)]
pub struct Results {
    cells: Vec<(CellKey, Cell)>,
}

impl Results {
    /// Returns the cell of a tool, to add to it.
    pub fn cell(&mut self, line: Line, measure: Measure, size: usize) -> &mut Cell {
        let key = (line, measure, size);
        let known = self.cells.iter().position(|(one, _)| *one == key);
        let index = known.unwrap_or_else(|| {
            self.cells.push((key, Cell::default()));
            self.cells.len() - 1
        });
        &mut self.cells[index].1
    }

    /// Returns the cell of a tool, if something was measured or failed there.
    pub fn get(&self, line: Line, measure: Measure, size: usize) -> Option<&Cell> {
        let key = (line, measure, size);
        Some(&self.cells.iter().find(|(one, _)| *one == key)?.1)
    }

    /// Prints the table of a measure: times, or tokens of the answers.
    pub fn print(&self, peers: &[Peer], sizes: &[usize], measure: Measure, is_tokens: bool) {
        let what = if is_tokens { "tokens of the answer" } else { "ms, median / best" };
        println!("\n## {} ({what})\n", measure.title());
        let heads: Vec<String> = sizes.iter().map(|size| format!("{}", Grouped(*size))).collect();
        println!("| elements | {} |\n|---|{}", heads.join(" | "), "---|".repeat(sizes.len()));
        let mut notes = Vec::new();
        for line in lines(peers) {
            let cells: Vec<_> = sizes.iter().map(|size| self.get(line, measure, *size)).collect();
            if cells.iter().all(Option::is_none) {
                continue;
            }
            let texts: Vec<String> = cells
                .iter()
                .map(|cell| match cell {
                    None => "–".to_owned(),
                    Some(cell) if cell.times.is_empty() => "failed".to_owned(),
                    Some(cell) if is_tokens => Grouped(cell.tokens).to_string(),
                    Some(cell) => format_times(&cell.times),
                })
                .collect();
            println!("| {} | {} |", line.name(), texts.join(" | "));
            for (size, cell) in sizes.iter().zip(cells) {
                if let Some(failure) = cell.and_then(|cell| cell.failures.first()) {
                    let count = cell.map_or(0, |cell| cell.failures.len());
                    let size = Grouped(*size);
                    notes.push(format!(
                        "{}, {size} elements, failed {count} times: {failure}",
                        line.name()
                    ));
                }
            }
        }
        for note in notes.iter().filter(|_| !is_tokens) {
            println!("\n{note}");
        }
    }
}

/// Returns the lines of the tables.
pub fn lines(peers: &[Peer]) -> Vec<Line> {
    let mut lines = Vec::new();
    for peer in peers {
        lines.push(Line { peer: *peer, is_full: false });
        if peer.full_look().is_some() {
            lines.push(Line { peer: *peer, is_full: true });
        }
    }
    lines
}

/// A number with commas between groups of three digits.
pub struct Grouped(pub usize);

impl std::fmt::Display for Grouped {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                write!(formatter, ",")?;
            }
            write!(formatter, "{digit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let texts = [50, 500, 1_500, 20_000, 1_000_000].map(|size| Grouped(size).to_string());
        assert_eq!(texts, ["50", "500", "1,500", "20,000", "1,000,000"]);
    }
}
