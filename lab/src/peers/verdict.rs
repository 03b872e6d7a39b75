//! Judges the claims of the project: pagesight shows a page first where it can prove that the page
//! is at rest, and shows the effect of an action first on pages that are not small.

use super::results::{Grouped, Line, Measure, Results};
use super::tools::Peer;
use crate::product::Engine;

/// From how many elements on the effect of an action is claimed to be shown first.
const CLICKS_FROM: usize = 1_500;

pub struct PeerVerdict {
    pub is_met: bool,
    pub text: String,
}

/// Judges the claims for each browser and page size. A browser with only one tool is not judged.
pub fn judge(results: &Results, peers: &[Peer], sizes: &[usize]) -> Vec<PeerVerdict> {
    let mut verdicts = Vec::new();
    for engine in [Engine::Chromium, Engine::Firefox] {
        for measure in [Measure::Still, Measure::Click] {
            for size in sizes {
                if measure == Measure::Still || *size >= CLICKS_FROM {
                    verdicts.extend(compare(results, peers, engine, measure, *size));
                }
            }
        }
    }
    verdicts
}

/// Compares pagesight with the fastest other tool in the same browser.
fn compare(
    results: &Results,
    peers: &[Peer],
    engine: Engine,
    measure: Measure,
    size: usize,
) -> Option<PeerVerdict> {
    let median = |peer: Peer| {
        let cell = results.get(Line { peer, is_full: false }, measure, size)?;
        cell.median()
    };
    let own = Peer::Pagesight(engine);
    if !peers.contains(&own) {
        return None;
    }
    let others = peers.iter().filter(|peer| !peer.is_own() && peer.engine() == engine);
    let (other, theirs) = others
        .filter_map(|peer| Some((peer.name(), median(*peer)?)))
        .min_by(|one, two| one.1.total_cmp(&two.1))?;
    let place = format!("{engine:?}, {}, {} elements", measure.title(), Grouped(size));
    let Some(time) = median(own) else {
        let text = format!("missed: {place}: pagesight has no time");
        return Some(PeerVerdict { is_met: false, text });
    };
    let is_met = time <= theirs;
    let word = if is_met { "met" } else { "missed" };
    let text =
        format!("{word}: {place}: pagesight {time:.0} ms, fastest other {other} {theirs:.0} ms");
    Some(PeerVerdict { is_met, text })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const PEERS: [Peer; 3] =
        [Peer::Pagesight(Engine::Chromium), Peer::Playwright, Peer::FirefoxDevtools];

    fn results(times: &[(Peer, Measure, usize, u64)]) -> Results {
        let mut results = Results::default();
        for (peer, measure, size, ms) in times {
            let line = Line { peer: *peer, is_full: false };
            results.cell(line, *measure, *size).times.push(Duration::from_millis(*ms));
        }
        results
    }

    #[test]
    fn slower_than_another_tool_in_the_same_browser_is_missed() {
        let own = PEERS[0];
        let results = results(&[
            (own, Measure::Still, 50, 90),
            (Peer::Playwright, Measure::Still, 50, 100),
            // In a different browser, which does not count.
            (Peer::FirefoxDevtools, Measure::Still, 50, 10),
            (own, Measure::Click, 1_500, 100),
            (Peer::Playwright, Measure::Click, 1_500, 90),
            // Not claimed: small pages, and pages with a script.
            (own, Measure::Click, 50, 100),
            (Peer::Playwright, Measure::Click, 50, 90),
            (own, Measure::Scripted, 50, 100),
            (Peer::Playwright, Measure::Scripted, 50, 90),
        ]);
        let verdicts = judge(&results, &PEERS, &[50, 1_500]);
        let met: Vec<bool> = verdicts.iter().map(|verdict| verdict.is_met).collect();
        assert_eq!(met, [true, false]);
        assert!(verdicts[1].text.starts_with("missed: Chromium, Act and effect"));
    }

    #[test]
    fn a_failure_of_pagesight_is_missed() {
        let results = results(&[(Peer::Playwright, Measure::Still, 50, 100)]);
        let verdicts = judge(&results, &PEERS, &[50]);
        assert!(verdicts.len() == 1 && !verdicts[0].is_met);
    }
}
