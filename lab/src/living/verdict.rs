//! Judges the claims of the project about living apps.

use super::apps::LivingApp;
use super::results::{LivingResults, Load, Measure};
use crate::peers::tools::Peer;
use crate::peers::verdict::PeerVerdict;
use crate::product::Engine;

/// At most this share of the fastest other tool's time.
const FIRST_LOOK: f64 = 0.6;
const SECOND_LOOK: f64 = 0.3;
/// A second look of so many milliseconds is fast enough everywhere.
const FAST: f64 = 20.0;
/// At most so many times the floor, on pages of components.
const FIRST_FLOOR: f64 = 2.0;
const SECOND_FLOOR: f64 = 0.5;
/// A busy machine may take so many times the quiet one's time, or as the other tools grow.
const GROWTH: f64 = 3.0;

const OWN: Peer = Peer::Pagesight(Engine::Chromium);

/// Judges the looks at an app on a quiet machine, and what grows on a busy one.
pub fn judge(
    results: &LivingResults,
    apps: &[&LivingApp],
    peers: &[Peer],
    loads: &[Load],
) -> Vec<PeerVerdict> {
    let mut verdicts = Vec::new();
    for app in apps {
        let judged = Judged { results, name: app.name, peers };
        verdicts.extend(judged.beside_others());
        if app.has_floor {
            verdicts.extend(judged.beside_floor());
        }
        if loads.contains(&Load::Busy) {
            verdicts.extend(judged.growth());
        }
        verdicts.extend(loads.iter().flat_map(|load| judged.failures(*load)));
    }
    verdicts
}

struct Judged<'a> {
    results: &'a LivingResults,
    name: &'static str,
    peers: &'a [Peer],
}

impl Judged<'_> {
    fn median(&self, load: Load, peer: Peer, measure: Measure) -> Option<f64> {
        self.results.median((self.name, load, peer, measure))
    }

    fn others(&self) -> impl Iterator<Item = Peer> {
        self.peers.iter().copied().filter(|peer| !peer.is_own())
    }

    /// Compares a time of pagesight with a limit.
    fn verdict(&self, measure: Measure, time: f64, limit: f64, reason: String) -> PeerVerdict {
        let is_met = time <= limit;
        let word = if is_met { "met" } else { "missed" };
        let (name, title) = (self.name, measure.title());
        let text = format!("{word}: {name}, {title}: {time:.0} ms, limit {limit:.0} ms ({reason})");
        PeerVerdict { is_met, text }
    }

    fn beside_others(&self) -> Vec<PeerVerdict> {
        let limits =
            [(Measure::FirstLook, FIRST_LOOK, 0.0), (Measure::SecondLook, SECOND_LOOK, FAST)];
        let judged = limits.into_iter().filter_map(|(measure, share, least)| {
            let time = self.median(Load::Quiet, OWN, measure)?;
            let (other, theirs) = self
                .others()
                .filter_map(|peer| Some((peer.name(), self.median(Load::Quiet, peer, measure)?)))
                .min_by(|one, two| one.1.total_cmp(&two.1))?;
            let reason = format!("{share} × {other} {theirs:.0} ms");
            Some(self.verdict(measure, time, (share * theirs).max(least), reason))
        });
        judged.collect()
    }

    fn beside_floor(&self) -> Vec<PeerVerdict> {
        let limits = [(Measure::FirstLook, FIRST_FLOOR), (Measure::SecondLook, SECOND_FLOOR)];
        let judged = limits.into_iter().filter_map(|(measure, share)| {
            let time = self.median(Load::Quiet, OWN, measure)?;
            let floor = self.results.floor(self.name)?;
            let reason = format!("{share} × floor {floor:.0} ms");
            Some(self.verdict(measure, time, share * floor, reason))
        });
        judged.collect()
    }

    /// Compares the busy machine with the quiet one.
    fn growth(&self) -> Vec<PeerVerdict> {
        let measures = [
            Measure::Navigate,
            Measure::FirstLook,
            Measure::SecondLook,
            Measure::Click,
            Measure::Open,
            Measure::Close,
        ];
        let judged = measures.into_iter().filter_map(|measure| {
            let grown = |peer| {
                let quiet = self.median(Load::Quiet, peer, measure)?;
                Some(self.median(Load::Busy, peer, measure)? / quiet)
            };
            let least = self.others().filter_map(grown).min_by(f64::total_cmp);
            let limit = least.unwrap_or(GROWTH).max(GROWTH);
            let quiet = self.median(Load::Quiet, OWN, measure)?;
            let busy = self.median(Load::Busy, OWN, measure)?;
            Some(self.verdict(
                measure,
                busy,
                limit * quiet,
                format!("{limit:.1} × quiet {quiet:.0} ms"),
            ))
        });
        judged.collect()
    }

    /// Each failure of pagesight is missed, and so is an app of which nothing was measured.
    fn failures(&self, load: Load) -> Vec<PeerVerdict> {
        if !self.peers.contains(&OWN) {
            return Vec::new();
        }
        let key = |measure| (self.name, load, OWN, measure);
        let missed = |text: String| PeerVerdict { is_met: false, text };
        let failed = Measure::ALL.into_iter().filter_map(|measure| {
            let failures = &self.results.get(key(measure))?.failures;
            let first = failures.first()?;
            let (name, count, title) = (self.name, failures.len(), measure.title());
            Some(missed(format!("missed: {name}, {load:?}, {title}: {count} failures: {first}")))
        });
        failed.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::apps::LIVING_APPS;
    use super::super::floor::Floor;
    use super::*;

    const PEERS: [Peer; 2] = [OWN, Peer::Playwright];

    fn judged(times: &[(Load, Peer, Measure, u64)], loads: &[Load]) -> Vec<bool> {
        let app = &LIVING_APPS[0];
        let mut results = LivingResults::default();
        let floor = Floor { elements: 10, roots: 2, tests: 5, walk: 20.0, hits: 30.0 };
        results.add_floors(app.name, vec![floor]);
        for (load, peer, measure, ms) in times {
            let cell = results.cell((app.name, *load, *peer, *measure));
            cell.times.push(Duration::from_millis(*ms));
        }
        judge(&results, &[app], &PEERS, loads).iter().map(|verdict| verdict.is_met).collect()
    }

    #[test]
    fn looks_are_compared_with_the_fastest_other_tool_and_the_floor() {
        let times = |first, second| {
            [
                (Load::Quiet, OWN, Measure::FirstLook, first),
                (Load::Quiet, OWN, Measure::SecondLook, second),
                (Load::Quiet, Peer::Playwright, Measure::FirstLook, 150),
                (Load::Quiet, Peer::Playwright, Measure::SecondLook, 50),
            ]
        };
        assert_eq!(judged(&times(90, 20), &[Load::Quiet]), [true; 4]);
        assert_eq!(judged(&times(95, 21), &[Load::Quiet]), [false, false, true, true]);
        assert_eq!(judged(&times(101, 26), &[Load::Quiet]), [false; 4]);
    }

    #[test]
    fn a_busy_machine_may_take_three_times_as_long_or_as_the_others_grow() {
        let times = |busy, theirs| {
            [
                (Load::Quiet, OWN, Measure::Click, 100),
                (Load::Busy, OWN, Measure::Click, busy),
                (Load::Quiet, Peer::Playwright, Measure::Click, 100),
                (Load::Busy, Peer::Playwright, Measure::Click, theirs),
            ]
        };
        let loads = [Load::Quiet, Load::Busy];
        assert_eq!(judged(&times(300, 100), &loads), [true]);
        assert_eq!(judged(&times(301, 100), &loads), [false]);
        assert_eq!(judged(&times(400, 400), &loads), [true]);
    }
}
