//! Tests waits on a virtual clock: a script of events, and when and why the wait ends.

use std::time::Duration;

use super::*;

/// A tab on a virtual clock. The page answers at once, unless the test makes it busy.
pub(super) struct ClockedTab {
    pub(super) activity: Activity,
    pub(super) now: u64,
    pub(super) script: Vec<(u64, Event)>,
    pub(super) loading: Vec<(u64, u64, &'static str)>,
    busy: Vec<(u64, u64)>,
    /// When the transitions of the page end.
    pub(super) moving_until: u64,
    /// Returns what its scripts have scheduled at a moment, if the page knows.
    pub(super) schedule: Option<fn(u64) -> Schedule>,
}

pub(super) fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub(super) fn request(id: &str, url: &str) -> Event {
    let (id, method, url) = (id.to_owned(), "GET".to_owned(), url.to_owned());
    let label = format!("GET {url}");
    Event::Requested(PendingRequest {
        id,
        kind: RequestClass::Fetch,
        method,
        url,
        framed: false,
        streams: false,
        label,
        since: ms(0),
    })
}

pub(super) fn ended(id: &str) -> Event {
    Event::Ended(id.to_owned())
}

pub(super) fn change(shape: u64) -> Event {
    Event::Changed(vec![DocumentChange {
        shape,
        label: format!("div#{shape}"),
        grows: false,
        value: false,
        steady: false,
        count: 1,
        first: ms(0),
        last: ms(0),
    }])
}

/// Returns the changes of a place that changes every `every` ms between two moments.
fn ticks(shape: u64, grows: bool, from: u64, to: u64, every: u64) -> Vec<(u64, Event)> {
    (0..)
        .map(|n| (n, from + n * every))
        .take_while(|(_, at)| *at < to)
        .map(|(n, at)| {
            let change = DocumentChange {
                shape,
                label: "p#clock".to_owned(),
                grows,
                value: false,
                steady: false,
                count: n as u32 + 1,
                first: ms(at - from),
                last: ms(0),
            };
            (at, Event::Changed(vec![change]))
        })
        .collect()
}

impl ClockedTab {
    fn new(script: Vec<(u64, Event)>) -> ClockedTab {
        let mut script = script;
        script.sort_by_key(|(at, _)| *at);
        ClockedTab {
            activity: Activity::default(),
            now: 0,
            script,
            loading: Vec::new(),
            busy: Vec::new(),
            moving_until: 0,
            schedule: None,
        }
    }

    /// Makes a tab whose document arrived at once and was complete after 100 ms.
    pub(super) fn page(script: Vec<(u64, Event)>) -> ClockedTab {
        let mut all = vec![(0, Event::Arrived { parsed: false }), (100, Event::Parsed)];
        all.extend(script);
        ClockedTab::new(all)
    }

    /// Makes a tab whose page has been there for a second. The script says what happens in it
    /// before and after that.
    fn at_rest(script: Vec<(u64, Event)>) -> ClockedTab {
        let (before, after) = script.into_iter().partition(|(at, _)| *at < 1000);
        let mut tab = ClockedTab::new(after);
        for (at, event) in
            [(0, Event::Arrived { parsed: true })].into_iter().chain::<Vec<_>>(before)
        {
            tab.activity.note(event, ms(at));
        }
        tab.now = 1000;
        tab
    }

    pub(super) fn run(&mut self, rules: SettleRules) -> (u64, Reason) {
        self.activity.begin(rules, ms(self.now), ms(self.now));
        for _ in 0..100_000 {
            while self.script.first().is_some_and(|(at, _)| *at <= self.now) {
                let (at, event) = self.script.remove(0);
                self.activity.note(event, ms(at));
            }
            match self.activity.poll(ms(self.now)) {
                Next::Done(reason) => return (self.now, reason),
                Next::Ask => {
                    let now = self.now;
                    if let Some((_, free)) =
                        self.busy.iter().find(|(from, to)| (*from..*to).contains(&now))
                    {
                        // The page answers when it can, and reports that it was busy.
                        let end = self.activity.wait.as_ref().map_or(0, |wait| {
                            (wait.begun + wait.rules.limit.max(wait.rules.follow)).as_millis()
                                as u64
                        });
                        self.now = (*free).min(end);
                        if self.now == *free {
                            self.activity.note(Event::Stalled(ms(0)), ms(self.now));
                        } else {
                            continue;
                        }
                    }
                    let now = self.now;
                    let loading =
                        self.loading.iter().find(|(from, to, _)| (*from..*to).contains(&now));
                    let loading = loading.map(|(_, _, what)| LoadingSign {
                        label: (*what).to_owned(),
                        aside: what.contains("in a bar"),
                    });
                    let moving = ms(self.moving_until.saturating_sub(now));
                    let schedule = self.schedule.map(|at| at(now));
                    self.activity.note(Event::Pulse { loading, moving, schedule }, ms(now));
                }
                Next::Wait(until) => {
                    let next = self.script.first().map_or(u64::MAX, |(at, _)| *at);
                    let until = until.as_millis() as u64;
                    assert!(until > self.now, "waits for a moment that has passed");
                    self.now = next.min(until);
                }
            }
        }
        panic!("the wait does not end");
    }
}

fn after_navigation(script: Vec<(u64, Event)>) -> (u64, Reason) {
    ClockedTab::page(script).run(SettleRules::NAVIGATION)
}

#[test]
fn a_quiet_page_is_ready_half_a_second_after_its_last_request() {
    let requests = vec![(10, request("1", "/app.js")), (80, ended("1"))];
    assert_eq!(after_navigation(requests), (580, Reason::Ready));
    // Without any event, the document alone decides.
    assert_eq!(after_navigation(vec![]), (500, Reason::Ready));
}

#[test]
fn a_chain_is_followed_to_its_end() {
    let mut script = Vec::new();
    for hop in 0..5u64 {
        script.push((200 + hop * 900, request(&hop.to_string(), &format!("/api/hop?n={hop}"))));
        script.push((1050 + hop * 900, ended(&hop.to_string())));
    }
    script.push((4660, change(1)));
    assert_eq!(after_navigation(script), (5150, Reason::Ready));
}

#[test]
fn the_same_thing_asked_for_three_times_at_once_is_no_habit() {
    let mut script: Vec<_> =
        (0..4u64).map(|n| (150 + n * 5, request(&n.to_string(), "/api/me"))).collect();
    script.extend((0..4u64).map(|n| (2000 + n, ended(&n.to_string()))));
    assert_eq!(after_navigation(script), (2503, Reason::Ready));
}

#[test]
fn what_is_asked_for_again_and_again_holds_nothing_up() {
    let mut script = Vec::new();
    for n in 0..100u64 {
        script.push((100 + n * 300, request(&n.to_string(), &format!("/poll?_={n}"))));
        script.push((390 + n * 300, ended(&n.to_string())));
    }
    let (at, reason) = after_navigation(script);
    assert_eq!(reason, Reason::Ready);
    assert!(at <= 1300, "{at}");
}

#[test]
fn a_request_that_stays_is_waited_for_and_named() {
    let (at, reason) = after_navigation(vec![(200, request("1", "/api/orders"))]);
    assert_eq!((at, reason), (5200, Reason::StillPending("GET /api/orders".to_owned())));
}

#[test]
fn requests_without_end_time_out_and_are_named() {
    let script = (0..40u64)
        .map(|n| (100 + n * 400, request(&n.to_string(), &format!("/a{n}x/{n}"))))
        .collect();
    let (at, reason) = after_navigation(script);
    assert_eq!(at, 10_000);
    assert!(
        matches!(&reason, Reason::TimedOut(what) if what.to_string().contains("requests pending: GET /a0x/0, ")),
        "{reason}"
    );
}

#[test]
fn a_ticker_is_known_by_its_third_tick() {
    assert_eq!(after_navigation(ticks(1, false, 120, 60_000, 50)), (500, Reason::Ready));
    // Other changes still count.
    let mut script = ticks(1, false, 120, 60_000, 50);
    script.push((450, change(2)));
    assert_eq!(after_navigation(script), (750, Reason::Ready));
}

#[test]
fn what_an_action_sets_in_motion_is_waited_for() {
    // An accordion slides open and changes in each frame.
    let after = |script| ClockedTab::at_rest(script).run(SettleRules::ACTION);
    assert_eq!(after(ticks(1, false, 1010, 1400, 17)), (1484, Reason::Ready));
    // A clock that the action starts is recognised after a while. A clock that ran before is
    // recognised at once.
    let (at, reason) = after(ticks(1, false, 1010, 60_000, 50));
    assert_eq!(reason, Reason::Ready);
    assert!((1700..=1900).contains(&at), "{at}");
    assert_eq!(after(ticks(1, false, 300, 60_000, 50)).0, 1150);
    // A CSS transition changes nothing in the document.
    let mut tab = ClockedTab::at_rest(vec![(1010, change(1))]);
    tab.moving_until = 1400;
    assert_eq!(tab.run(SettleRules::ACTION), (1400, Reason::Ready));
    // Endless transitions are waited for only up to the limit.
    let mut tab = ClockedTab::at_rest(vec![(1010, change(1))]);
    tab.moving_until = 60_000;
    assert_eq!(tab.run(SettleRules::ACTION), (2500, Reason::Ready));
    // After a navigation, transitions are not waited for.
    let mut tab = ClockedTab::page(Vec::new());
    tab.moving_until = 60_000;
    assert_eq!(tab.run(SettleRules::NAVIGATION), (500, Reason::Ready));
}

#[test]
fn a_list_that_is_built_in_pieces_is_waited_for_but_a_log_is_left() {
    assert_eq!(after_navigation(ticks(1, true, 120, 1020, 100)), (1220, Reason::Ready));
    let (at, reason) = after_navigation(ticks(1, true, 120, 60_000, 100));
    assert_eq!(reason, Reason::Ready);
    assert!((1300..=1600).contains(&at), "{at}");
}

#[test]
fn endless_changes_elsewhere_each_time_are_no_rest() {
    let script = (0..400u64).map(|n| (100 + n * 100, change(n))).collect();
    let (at, reason) = after_navigation(script);
    assert_eq!(at, 10_000);
    assert!(matches!(reason, Reason::StillChanging(_)), "{reason}");
}

#[test]
fn a_busy_page_is_not_a_quiet_one() {
    let mut tab = ClockedTab::page(vec![(2510, change(1))]);
    tab.busy = vec![(300, 2500)];
    assert_eq!(tab.run(SettleRules::NAVIGATION), (2810, Reason::Ready));
    let mut tab = ClockedTab::page(vec![]);
    tab.busy = vec![(300, 60_000)];
    let (at, reason) = tab.run(SettleRules::NAVIGATION);
    assert_eq!(at, 10_000);
    assert!(matches!(&reason, Reason::TimedOut(Overdue::Busy)), "{reason}");
}

#[test]
fn what_says_that_it_loads_is_waited_for_and_then_named() {
    let mut tab = ClockedTab::page(vec![(2000, change(1))]);
    tab.loading = vec![(0, 2000, "progressbar: Loading")];
    assert_eq!(tab.run(SettleRules::NAVIGATION), (2300, Reason::Ready));
    let mut tab = ClockedTab::page(vec![]);
    tab.loading = vec![(0, 60_000, "progressbar: Loading")];
    let named = Reason::StillLoading("progressbar: Loading".to_owned());
    assert_eq!(tab.run(SettleRules::NAVIGATION), (5500, named));
    // A spinner that a script animates is not news, however often it changes.
    let mut tab = ClockedTab::page(ticks(7, false, 100, 60_000, 20));
    tab.loading = vec![(0, 1500, "spinner")];
    let (at, reason) = tab.run(SettleRules::NAVIGATION);
    assert_eq!(reason, Reason::Ready);
    assert!((1500..=1760).contains(&at), "{at}");
}

#[test]
fn a_new_document_starts_over() {
    let script = vec![
        (300, Event::Leaving(true)),
        (1200, Event::Arrived { parsed: false }),
        (1500, Event::Parsed),
        (1510, change(1)),
    ];
    assert_eq!(after_navigation(script), (1810, Reason::Ready));
    let (at, reason) = after_navigation(vec![(300, Event::Leaving(true))]);
    assert_eq!((at, reason), (10_000, Reason::TimedOut(Overdue::Loading)));
}

#[test]
fn after_typing_the_first_reaction_is_waited_for() {
    let typed =
        |script: Vec<(u64, Event)>| ClockedTab::at_rest(script).run(SettleRules::SUGGESTIONS);
    // A field that reacts at once is not slowed; one that does not react gets 600 ms.
    let reaction = |at: u64| vec![(at, change(1)), (at, Event::Reacted)];
    assert_eq!(typed(reaction(1010)), (1150, Reason::Ready));
    assert_eq!(typed(reaction(1320)), (1420, Reason::Ready));
    assert_eq!(typed(vec![]), (1600, Reason::Ready));
    // A change that is not the reaction does not end the wait, and a late one comes too late.
    assert_eq!(typed(vec![(1040, change(1))]), (1600, Reason::Ready));
    assert_eq!(typed(reaction(1700)), (1600, Reason::Ready));
    // A request that the text started is followed as after any action.
    let late = vec![(1300, request("1", "/find")), (1900, ended("1"))];
    assert_eq!(typed(late), (2050, Reason::Ready));
    // Other actions wait for no reaction.
    assert_eq!(ClockedTab::at_rest(vec![]).run(SettleRules::ACTION), (1150, Reason::Ready));
}

#[test]
fn after_an_action_only_what_it_began_counts() {
    let mut tab = ClockedTab::page(vec![(50, request("old", "/stream"))]);
    tab.now = 200;
    tab.activity.note(Event::Arrived { parsed: true }, ms(0));
    tab.script = vec![
        (210, change(1)),
        (230, request("1", "/api/save")),
        (900, ended("1")),
        (905, change(2)),
    ];
    assert_eq!(tab.run(SettleRules::ACTION), (1050, Reason::Ready));
    // The action had no effect.
    let mut tab = ClockedTab::new(vec![(0, Event::Arrived { parsed: true })]);
    assert_eq!(tab.run(SettleRules::ACTION), (150, Reason::Ready));
    // The request is followed for five seconds.
    let mut tab = ClockedTab::new(vec![
        (0, Event::Arrived { parsed: true }),
        (20, request("1", "/api/save")),
    ]);
    assert_eq!(
        tab.run(SettleRules::ACTION),
        (5000, Reason::StillPending("GET /api/save".to_owned()))
    );
}

#[test]
fn what_changes_on_its_own_delays_nothing() {
    let steady = |grows: bool, from: u64| {
        // Too rare to be known by its third repetition, and at another place each time.
        (0..60u64).map(move |n| {
            let change = DocumentChange {
                shape: 100 + n,
                label: "span.value".to_owned(),
                grows,
                value: false,
                steady: true,
                count: 1,
                first: ms(0),
                last: ms(0),
            };
            (from + n * 50, Event::Changed(vec![change]))
        })
    };
    let action = |script: Vec<_>| ClockedTab::at_rest(script).run(SettleRules::ACTION);
    assert_eq!(action(steady(false, 1000).collect()), (1150, Reason::Ready));
    assert_eq!(action(steady(true, 1000).collect()), (1150, Reason::Ready));
    // The effect of the action is waited for all the same.
    assert_eq!(
        action(steady(false, 1000).chain([(1130, change(1))]).collect()),
        (1230, Reason::Ready)
    );
    // A new page that grows in pieces is not complete.
    let grown = after_navigation(steady(true, 150).collect());
    assert!(grown.0 > 3000, "{grown:?}");
    let lives = after_navigation(steady(false, 150).collect());
    assert_eq!(lives, after_navigation(vec![]));
}

#[test]
fn a_slow_machine_does_not_delay_an_action_for_ever() {
    let stalls = |more: Vec<_>| {
        let stalls = (0..40u64).map(|n| (1000 + n * 90, Event::Stalled(ms(0))));
        ClockedTab::at_rest(stalls.chain(more).collect()).run(SettleRules::ACTION)
    };
    let (at, reason) = stalls(vec![]);
    assert_eq!(reason, Reason::Ready);
    assert!(at <= 1300, "{at}");
    // An effect counts, and what was slow before it may be its cause.
    let (at, reason) = stalls(vec![(1250, change(1))]);
    assert_eq!(reason, Reason::Ready);
    assert!((1350..1800).contains(&at), "{at}");
}

#[test]
fn frames_that_come_and_go_are_known_by_their_third() {
    let framed = |n: u64| {
        let Event::Requested(request) = request(&n.to_string(), &format!("/ad/{n}f?slot={n}"))
        else {
            unreachable!()
        };
        Event::Requested(PendingRequest { framed: true, kind: RequestClass::Document, ..request })
    };
    let mut script = Vec::new();
    for n in 0..100u64 {
        script.push((120 + n * 200, framed(n)));
        script.push((150 + n * 200, ended(&n.to_string())));
    }
    script.extend(ticks(3, false, 120, 20_000, 200));
    let (at, reason) = after_navigation(script);
    assert_eq!(reason, Reason::Ready);
    assert!(at <= 1000, "{at}");
}

proptest::proptest! {
    /// Any wait ends within its limit, asks only while it waits, and never waits for a moment in
    /// the past.
    #[test]
    fn every_wait_ends(events in proptest::collection::vec((0u64..12_000, 0u8..8, 0u64..6), 0..120), action in proptest::bool::ANY) {
        let script = events.into_iter().map(|(at, kind, n)| (at, match kind {
            0 | 1 => request(&n.to_string(), &format!("/r/{n}")),
            2 => ended(&n.to_string()),
            3 => Event::Leaving(n % 2 == 0),
            4 => Event::Arrived { parsed: n % 2 == 0 },
            5 => Event::Parsed,
            6 => Event::Stalled(ms(n)),
            _ => change(n),
        })).collect();
        let mut tab = ClockedTab::new(script);
        let rules = if action { SettleRules::ACTION } else { SettleRules::NAVIGATION };
        let (at, _) = tab.run(rules);
        let longest = if action { 5000 } else { 10_000 };
        proptest::prop_assert!(at <= longest);
    }
}

#[test]
fn the_quiet_period_begins_at_load() {
    // A picture delays `load`, and a timer that `load` starts changes the page 450 ms later.
    let script = vec![(400, Event::Loaded), (850, change(1))];
    assert_eq!(ClockedTab::page(script).run(SettleRules::NAVIGATION), (1150, Reason::Ready));
}

/// Runs a navigation to a page that sends one request, which does not end.
fn pending_visit(memory: &VisitMemory, event: Event) -> (u64, Reason) {
    let mut tab = ClockedTab::page(vec![(50, event)]);
    tab.activity.share(memory.clone());
    tab.run(SettleRules::NAVIGATION)
}

fn still(what: &str) -> Reason {
    Reason::StillPending(format!("GET {what}"))
}

#[test]
fn a_poll_is_waited_for_briefly() {
    let memory = VisitMemory::default();
    let visit = |event| pending_visit(&memory, event);
    assert_eq!(visit(request("1", "http://a/x")), (5050, still("http://a/x")));
    let poll = "http://a/api/long-poll?since=3";
    assert_eq!(visit(request("1", poll)), (1050, still(poll)), "by its address");
    let mut stream = request("1", "http://a/feed");
    if let Event::Requested(request) = &mut stream {
        request.streams = true;
    }
    assert_eq!(visit(stream), (1050, still("http://a/feed")), "by its accept header");
    assert_eq!(visit(request("1", "http://a/x")), (1050, still("http://a/x")), "known");
    // A form and a script are not polls, whatever their address.
    for (kind, method) in [(RequestClass::Fetch, "POST"), (RequestClass::Script, "GET")] {
        let mut other = request("1", "http://a/poll");
        if let Event::Requested(request) = &mut other {
            (request.kind, request.method) = (kind, method.to_owned());
        }
        let (ended, _) = pending_visit(&VisitMemory::default(), other);
        assert_eq!(ended, 5050, "{kind:?} {method}");
    }
    // A different request keeps the wait going, and is not forgotten.
    let script = vec![(50, request("1", poll)), (60, request("2", "/a")), (2000, ended("2"))];
    assert_eq!(ClockedTab::page(script).run(SettleRules::NAVIGATION), (2500, still(poll)));
    // The answer to a poll in time is news like any other.
    let script = vec![(50, request("1", poll)), (900, ended("1"))];
    assert_eq!(ClockedTab::page(script).run(SettleRules::NAVIGATION), (1400, Reason::Ready));
}

#[test]
fn a_request_that_is_answered_after_all_is_waited_for_again() {
    let memory = VisitMemory::default();
    let url = "http://a/report";
    assert_eq!(pending_visit(&memory, request("1", url)).0, 5050);
    assert_eq!(pending_visit(&memory, request("1", url)).0, 1050);
    // That it was cancelled says nothing.
    for (event, then) in [(Event::Failed("1".to_owned()), 1050), (ended("1"), 5050)] {
        let mut tab = ClockedTab::page(vec![(50, request("1", url)), (800, event)]);
        tab.activity.share(memory.clone());
        assert_eq!(tab.run(SettleRules::NAVIGATION).1, Reason::Ready);
        assert_eq!(pending_visit(&memory, request("1", url)).0, then);
    }
    // A tab that crashed keeps what was learned.
    let mut tab = ClockedTab::page(vec![(50, request("1", url))]);
    tab.activity.share(memory);
    tab.activity.reset();
    assert_eq!(tab.run(SettleRules::NAVIGATION).0, 1050);
}

#[test]
fn a_host_that_does_not_resolve_is_waited_for_briefly() {
    let url = "http://nope.invalid/x";
    for (name, expected) in [
        (None, 5050),
        (Some(HostName::Resolves), 5050),
        (Some(HostName::LookedUp), 1050),
        (Some(HostName::Unknown), 1050),
    ] {
        let memory = VisitMemory::default();
        if let Some(name) = name {
            memory.host("nope.invalid", name);
        }
        assert_eq!(pending_visit(&memory, request("1", url)), (expected, still(url)), "{name:?}");
    }
    let memory = VisitMemory::default();
    let mut activity = Activity::default();
    activity.share(memory.clone());
    assert_eq!(activity.questionable_host(), None, "nobody waits");
    activity.begin(SettleRules::NAVIGATION, ms(0), ms(0));
    activity.note(request("1", "http://127.0.0.1/x"), ms(10));
    assert_eq!(activity.questionable_host(), None, "numbers are not a name");
    activity.note(request("2", url), ms(50));
    assert_eq!(activity.questionable_host(), Some((ms(350), "nope.invalid".to_owned())));
    memory.host("nope.invalid", HostName::LookedUp);
    assert_eq!(activity.questionable_host(), None, "it is being looked up");
    activity.note(ended("2"), ms(400));
    assert_eq!(memory.host_name("nope.invalid"), Some(HostName::Resolves), "it answered");
}

#[test]
fn what_stirs_a_page_is_known() {
    let begin = || {
        let mut activity = Activity::default();
        activity.note(Event::Arrived { parsed: true }, ms(0));
        activity
    };
    assert!(!begin().was_active(ms(100)));
    for event in [change(1), request("1", "/a"), Event::Leaving(true), Event::Stalled(ms(0))] {
        let mut activity = begin();
        activity.note(event.clone(), ms(150));
        assert!(activity.was_active(ms(100)), "{event:?}");
        assert_eq!(activity.was_active(ms(200)), event == Event::Leaving(true), "{event:?}");
    }
    let mut clock = begin();
    ticks(1, false, 0, 2000, 100).into_iter().for_each(|(at, event)| clock.note(event, ms(at)));
    assert!(!clock.was_active(ms(1500)), "a clock is background");
}

#[test]
fn a_page_whose_requests_are_not_watched_is_never_ready() {
    let flood = || Event::Unwatched("400 requests per second: no longer watched".to_owned());
    let still = Reason::StillPending("400 requests per second: no longer watched".to_owned());
    // A request that was pending is not waited for: its end is not reported.
    let script = || vec![(200, request("1", "/a")), (1000, flood())];
    assert_eq!(ClockedTab::page(script()).run(SettleRules::NAVIGATION), (1500, still.clone()));
    let mut proven = script();
    proven.extend([(1100, Event::RestClaimed), (1200, Event::AtRest)]);
    assert_eq!(ClockedTab::page(proven).run(SettleRules::NAVIGATION), (1200, still.clone()));
    let mut old = ClockedTab::at_rest(vec![(500, flood())]);
    assert!(old.activity.was_active(ms(900)), "an action may have sent requests");
    assert_eq!(old.run(SettleRules::ACTION), (1150, still));
    let mut again = script();
    again.push((1200, Event::Watched));
    assert_eq!(ClockedTab::page(again).run(SettleRules::NAVIGATION), (1700, Reason::Ready));
}
