//! Shows the progress of a check on standard error: a bar with the names of the pages that are
//! being checked. It is drawn only on a terminal.

use std::fmt::Write;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use pagesight_browser::lock;
use pagesight_check::run::RunProgress;

use crate::cli::print;

/// How many running pages are named.
const MOST_NAMED: usize = 4;

/// A bar, and the pages that are being checked.
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    running: Mutex<RunningPages>,
}

#[derive(Default)]
struct RunningPages {
    pages: Vec<(usize, String)>,
    failed: usize,
}

impl ProgressLine {
    /// Creates a bar for this many pages. Without a terminal it draws nothing.
    pub(crate) fn new(pages: usize) -> ProgressLine {
        let target = match print::is_quiet() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(Some(pages as u64), target);
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len}  {rate}  {wide_msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
            let _ = out.write_str(&rate(state.per_sec(), state.eta()));
        }));
        ProgressLine { bar, running: Mutex::default() }
    }
}

impl RunProgress for ProgressLine {
    fn begin(&self, page: usize, name: &str) {
        let mut running = lock(&self.running);
        running.pages.push((page, name.to_owned()));
        self.bar.set_message(running.message());
    }

    fn done(&self, page: usize, is_bad: bool) {
        let mut running = lock(&self.running);
        running.pages.retain(|(known, _)| *known != page);
        running.failed += usize::from(is_bad);
        self.bar.set_message(running.message());
        self.bar.inc(1);
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Returns `2.5/s, 1 min 20 s left`.
pub(crate) fn rate(per_second: f64, left: Duration) -> String {
    if per_second <= 0.0 || !per_second.is_finite() {
        return String::new();
    }
    let seconds = left.as_secs();
    let left = match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    };
    format!("{per_second:.1}/s, {left} left")
}

impl RunningPages {
    fn message(&self) -> String {
        let names: Vec<&str> =
            self.pages.iter().take(MOST_NAMED).map(|(_, name)| name.as_str()).collect();
        let failed =
            if self.failed > 0 { format!("{} failed  ", self.failed) } else { String::new() };
        let more = if self.pages.len() > MOST_NAMED { ", …" } else { "" };
        format!("{failed}{}{more}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_a_unit_and_a_remaining_time() {
        assert_eq!(rate(2.53, Duration::from_secs(9)), "2.5/s, 9 s left");
        assert_eq!(rate(1.0, Duration::from_secs(80)), "1.0/s, 1 min 20 s left");
        assert_eq!(rate(0.25, Duration::from_secs(7_260)), "0.2/s, 2 h 1 min left");
        assert_eq!(rate(0.0, Duration::MAX), "");
    }
}
