//! Learns on which routes a shorter quiet time is enough: those that did not change any more after
//! it, visit after visit.

use std::time::Duration;

use super::habits::loose;
use super::model::Moment;
use super::requests::hash;
use super::visit_memory::VisitMemory;

/// The time without a request after which a calm route is ready.
const CALM: Duration = Duration::from_millis(300);
/// A change so soon after a calm route was left shows that it was left too early.
const TOO_EARLY: Duration = Duration::from_millis(200);

/// Returns the shape of the route with this address: numbers and values do not count.
pub fn route_shape(url: &str) -> u64 {
    hash(loose("GET", url))
}

/// One visit of a route.
#[derive(Debug, Default)]
pub(super) struct CalmRoute {
    /// The shape of the route; none if nothing is learned on it.
    shape: Option<u64>,
    /// Whether it was calm on the visits before.
    is_calm: bool,
    /// When something last happened; none while the page is loading.
    last: Option<Moment>,
    /// Whether something happened after the shorter quiet time.
    late: bool,
    /// When it was ready.
    left: Option<Moment>,
}

impl CalmRoute {
    /// Begins a visit.
    pub(super) fn begin(&mut self, shape: u64, memory: &VisitMemory) {
        *self = CalmRoute {
            shape: Some(shape),
            is_calm: memory.is_calm(shape),
            ..CalmRoute::default()
        };
    }

    /// Returns the time without a request after which the route is ready.
    pub(super) fn quiet_time(&self, usual: Duration) -> Duration {
        if self.is_calm { usual.min(CALM) } else { usual }
    }

    /// Notes when something last happened; none while the page is loading.
    pub(super) fn note(&mut self, happened: Option<Moment>) {
        if let (Some(before), Some(now)) = (self.last, happened) {
            self.late |= now > before + CALM;
        }
        self.last = happened;
    }

    /// Ends the visit. Only a page that was ready can have been calm.
    pub(super) fn end(&mut self, ready: bool, now: Moment, memory: &VisitMemory) {
        let Some(shape) = self.shape else { return };
        match ready && !self.late {
            true => memory.stayed_calm(shape),
            false => memory.changed_late(shape),
        }
        self.left = self.is_calm.then_some(now);
    }

    /// Notes a change, maybe after the visit was ended.
    pub(super) fn changed(&mut self, at: Moment, memory: &VisitMemory) {
        if let (Some(shape), Some(left)) = (self.shape, self.left)
            && (left..left + TOO_EARLY).contains(&at)
        {
            memory.changed_late(shape);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Duration = Duration::from_millis(500);

    fn ms(time: u64) -> Moment {
        Duration::from_millis(time)
    }

    /// A visit on which something happens at these times. Returns the quiet time that it had.
    fn visit(memory: &VisitMemory, happened: &[Option<u64>]) -> Duration {
        let mut route = CalmRoute::default();
        route.begin(1, memory);
        happened.iter().for_each(|time| route.note(time.map(ms)));
        route.end(true, ms(5000), memory);
        route.quiet_time(USUAL)
    }

    #[test]
    fn five_calm_visits_shorten_the_quiet_time_and_one_late_change_restores_it() {
        let memory = VisitMemory::default();
        let slow_answer = [Some(0), None, Some(900), Some(1200)];
        for _ in 0..5 {
            assert_eq!(visit(&memory, &slow_answer), USUAL);
        }
        assert_eq!(visit(&memory, &slow_answer), CALM);
        assert_eq!(visit(&memory, &[Some(0), Some(301)]), CALM, "it is known only now");
        assert_eq!(visit(&memory, &slow_answer), USUAL);
    }

    #[test]
    fn a_change_soon_after_a_calm_route_was_left_counts() {
        let memory = VisitMemory::default();
        let left = |route: &mut CalmRoute| {
            (0..5).for_each(|_| memory.stayed_calm(1));
            route.begin(1, &memory);
            route.end(true, ms(1000), &memory);
        };
        let mut route = CalmRoute::default();
        for (at, calm) in [(999, true), (1000, false), (1199, false), (1200, true)] {
            left(&mut route);
            route.changed(ms(at), &memory);
            assert_eq!(memory.is_calm(1), calm, "{at}");
        }
        left(&mut route);
        route.end(false, ms(2000), &memory);
        assert!(!memory.is_calm(1), "a page that is never ready");
    }
}
