//! The result of one way of waiting over many navigations, and how certain it is.

use crate::report::{interval, quantile};

/// The navigations of one strategy.
#[derive(Clone, Default)]
pub struct StrategySum {
    /// Milliseconds between ready and returned, of those that returned in time.
    pub wastes: Vec<i64>,
    /// How many returned before the page was ready.
    pub premature: usize,
    /// How many never returned.
    pub never: usize,
}

impl StrategySum {
    /// Returns the sum of two.
    pub fn joined(a: &StrategySum, b: &StrategySum) -> StrategySum {
        StrategySum {
            wastes: [a.wastes.as_slice(), b.wastes.as_slice()].concat(),
            premature: a.premature + b.premature,
            never: a.never + b.never,
        }
    }

    fn at(&self, share: f64) -> Option<i64> {
        (!self.wastes.is_empty()).then(|| quantile(&self.wastes, share))
    }

    pub fn median(&self) -> Option<i64> {
        self.at(0.5)
    }

    /// Prints a row of the table.
    pub fn print(&self, name: &str) {
        let cell =
            |value: Option<i64>| value.map_or("–".to_owned(), |value| format!("{value} ms"));
        let runs = self.wastes.len() + self.premature + self.never;
        let (low, high) = interval(self.premature, runs);
        println!(
            "| {name} | {} of {runs} | {:.1}–{:.1} % | {} | {} | {} |",
            self.premature,
            low,
            high,
            self.never,
            cell(self.at(0.5)),
            cell(self.at(0.95))
        );
    }
}
