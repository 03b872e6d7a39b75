//! Shared by the commands: heads of tables, medians, shares with their
//! confidence intervals, and the list of misses that decides whether a command fails.

use std::cmp::Ordering;
use std::time::Duration;

/// Prints the head of a table, whose columns are given as `one | two`.
pub fn table(columns: &str) {
    println!("| {columns} |\n|{}", "---|".repeat(columns.split(" | ").count()));
}

/// The findings of a command about its parts.
#[derive(Default)]
pub struct Report {
    pub ran: usize,
    pub misses: Vec<String>,
}

impl Report {
    /// Notes a miss unless something holds.
    pub fn require(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.misses.push(otherwise());
        }
    }

    /// Counts a part and notes its misses. A part that fails has missed, too.
    pub fn add(&mut self, part: &str, misses: anyhow::Result<Vec<String>>) {
        self.ran += 1;
        let misses = misses.unwrap_or_else(|error| vec![format!("not completed: {error:#}")]);
        self.misses.extend(misses.into_iter().map(|miss| format!("{part}: {miss}")));
    }

    /// Prints the misses; fails if there are any or nothing ran.
    pub fn end(self) -> anyhow::Result<()> {
        self.misses.iter().for_each(|miss| println!("MISS: {miss}"));
        anyhow::ensure!(self.ran > 0, "nothing has such a name");
        anyhow::ensure!(self.misses.is_empty(), "{} misses", self.misses.len());
        Ok(())
    }
}

/// Returns the value below which this share of the values is; the default if there are none.
pub fn quantile<T: PartialOrd + Copy + Default>(values: &[T], share: f64) -> T {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    let at = (sorted.len() as f64 * share) as usize;
    sorted.get(at).or(sorted.last()).copied().unwrap_or_default()
}

/// Returns the median; of an even number of values, the upper one.
pub fn median<T: PartialOrd + Copy + Default>(values: &[T]) -> T {
    quantile(values, 0.5)
}

/// Returns a time in milliseconds.
pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Returns a share in percent; of nothing, 100.
pub fn percent(part: usize, all: usize) -> f64 {
    if all == 0 { 100.0 } else { 100.0 * part as f64 / all as f64 }
}

/// Returns the exact 95 % confidence interval of a share (Clopper and Pearson), in percent.
pub fn interval(hits: usize, runs: usize) -> (f64, f64) {
    if runs == 0 {
        return (0.0, 100.0);
    }
    // With many hits the terms below are too small for a number.
    if hits * 2 > runs {
        let (low, high) = interval(runs - hits, runs);
        return (100.0 - high, 100.0 - low);
    }
    // The chance of at most this many hits if each run hits with the chance p.
    let at_most = |most: usize, p: f64| -> f64 {
        let mut term = (1.0 - p).powi(runs as i32);
        let mut sum = term;
        for hit in 0..most {
            term *= (runs - hit) as f64 / (hit + 1) as f64 * p / (1.0 - p);
            sum += term;
        }
        sum
    };
    let search = |most: usize, level: f64| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if at_most(most, middle) > level {
                low = middle;
            } else {
                high = middle;
            }
        }
        low * 100.0
    };
    let low = if hits == 0 { 0.0 } else { search(hits - 1, 0.975) };
    let high = if hits == runs { 100.0 } else { search(hits, 0.025) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_tables() {
        for (hits, runs, low, high) in
            [(0, 10, 0.0, 30.85), (1, 10, 0.25, 44.50), (10, 10, 69.15, 100.0), (0, 300, 0.0, 1.22)]
        {
            let (l, h) = interval(hits, runs);
            assert!((l - low).abs() < 0.05 && (h - high).abs() < 0.05, "{hits}/{runs}: {l} {h}");
        }
    }

    #[test]
    fn the_median_of_an_even_number_is_the_upper_one() {
        assert_eq!(median(&[4, 1, 3, 2]), 3);
        assert_eq!(median::<usize>(&[]), 0);
        assert_eq!(quantile(&[1, 2, 3], 1.0), 3);
    }
}
