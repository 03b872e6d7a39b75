//! The result of one way of waiting over many navigations, and how certain it is.

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
        let mut wastes = self.wastes.clone();
        wastes.sort_unstable();
        let last = wastes.len().saturating_sub(1);
        wastes.get(((wastes.len() as f64 * share) as usize).min(last)).copied()
    }

    /// Returns the median waste.
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
            low * 100.0,
            high * 100.0,
            self.never,
            cell(self.at(0.5)),
            cell(self.at(0.95))
        );
    }
}

/// Returns the 95 % confidence interval of a share (Clopper and Pearson).
fn interval(hits: usize, runs: usize) -> (f64, f64) {
    if runs == 0 {
        return (0.0, 1.0);
    }
    // The probability of at most `most` hits falls as `p` grows.
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
        low
    };
    let low = if hits == 0 { 0.0 } else { search(hits - 1, 0.975) };
    let high = if hits == runs { 1.0 } else { search(hits, 0.025) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_tables() {
        for (hits, runs, low, high) in [
            (0, 10, 0.0, 0.3085),
            (1, 10, 0.0025, 0.4450),
            (10, 10, 0.6915, 1.0),
            (0, 300, 0.0, 0.0122),
        ] {
            let (l, h) = interval(hits, runs);
            assert!((l - low).abs() < 5e-4 && (h - high).abs() < 5e-4, "{hits}/{runs}: {l} {h}");
        }
    }
}
