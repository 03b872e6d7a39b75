//! Tests waits on pages that know what their scripts have scheduled.

use super::tests::{ClockedTab, change, ended, ms, request};
use super::*;

const HOOKED: SettleRules = SettleRules { hooks: true, ..SettleRules::NAVIGATION };
const ACTED: SettleRules = SettleRules { hooks: true, ..SettleRules::ACTION };

fn nothing(_: u64) -> Schedule {
    Schedule { due: None, restless: false, later: false, used: None }
}

/// A timer that is due at 900 ms.
fn timer(now: u64) -> Schedule {
    let due = (now < 900).then(|| ms(900 - now));
    Schedule { due, ..nothing(now) }
}

fn restless(now: u64) -> Schedule {
    Schedule { restless: true, ..nothing(now) }
}

/// An interface was used at 50 ms.
fn used(now: u64) -> Schedule {
    Schedule { used: Some(ms(now - 50)), ..nothing(now) }
}

/// Runs a wait on a page that is complete after 100 ms and loaded after 120 ms.
fn navigated(schedule: fn(u64) -> Schedule, script: Vec<(u64, Event)>) -> (u64, Reason) {
    let mut script = script;
    script.push((120, Event::Loaded));
    let mut tab = ClockedTab::page(script);
    tab.schedule = Some(schedule);
    tab.run(HOOKED)
}

#[test]
fn a_page_with_nothing_scheduled_is_ready_at_once() {
    assert_eq!(navigated(nothing, vec![]), (180, Reason::Ready));
    assert_eq!(navigated(nothing, vec![(150, change(1))]), (220, Reason::Ready));
    let data = vec![(130, request("1", "/api")), (700, ended("1"))];
    assert_eq!(navigated(nothing, data), (760, Reason::Ready));
}

#[test]
fn a_page_may_hear_late_that_a_request_ended() {
    let run = |lag| {
        let data = vec![(120, Event::Loaded), (130, request("1", "/api")), (700, ended("1"))];
        let mut tab = ClockedTab::page(data);
        tab.schedule = Some(nothing);
        tab.run(SettleRules { lag: ms(lag), ..HOOKED })
    };
    assert_eq!(run(0), (760, Reason::Ready));
    assert_eq!(run(120), (880, Reason::Ready));
}

#[test]
fn a_timer_is_waited_for_and_its_effect_too() {
    assert_eq!(navigated(timer, vec![]), (900, Reason::Ready));
    assert_eq!(navigated(timer, vec![(901, change(1))]).1, Reason::Ready);
    assert!(navigated(timer, vec![(899, change(1))]).0 >= 959);
}

#[test]
fn changes_say_more_than_the_timers_that_make_them() {
    let always_due = |_| Schedule { due: Some(ms(90)), ..nothing(0) };
    let changes = (0..400u64).map(|n| (100 + n * 100, change(n))).collect();
    let (at, reason) = navigated(always_due, changes);
    assert_eq!(at, 10_000);
    assert!(matches!(reason, Reason::StillChanging(_)), "{reason}");
    assert_eq!(navigated(always_due, vec![]).1, Reason::TimedOut(Overdue::Timers));
}

#[test]
fn the_end_of_an_animation_may_start_a_script() {
    let moving = |until| {
        let mut tab = ClockedTab::page(vec![(120, Event::Loaded)]);
        tab.schedule = Some(nothing);
        tab.moving_until = until;
        tab.run(HOOKED).0
    };
    assert_eq!(moving(520), 520);
    assert_eq!(moving(60_000), 1120, "transitions may follow each other without end");
}

#[test]
fn what_is_not_observed_keeps_the_rule_of_every_page() {
    for schedule in [restless, used] {
        assert_eq!(navigated(schedule, vec![]), (620, Reason::Ready));
    }
    let mut tab = ClockedTab::page(vec![(120, Event::Loaded)]);
    assert_eq!(tab.run(HOOKED), (620, Reason::Ready), "a page that does not know");
    tab.activity.end();
    let mut without_load = ClockedTab::page(vec![]);
    without_load.schedule = Some(nothing);
    assert_eq!(without_load.run(HOOKED), (500, Reason::Ready), "pages begin their work at `load`");
}

#[test]
fn an_action_on_a_restless_page_is_answered_as_soon_as_the_page_is_quiet() {
    let mut tab = ClockedTab::page(vec![(120, Event::Loaded)]);
    tab.schedule = Some(restless);
    assert_eq!(tab.run(HOOKED).0, 620);
    tab.activity.end();
    assert_eq!(tab.run(ACTED), (770, Reason::Ready), "it is asked often enough");
}

#[test]
fn a_loading_sign_that_nothing_can_end_is_named_soon() {
    let loading = |schedule: fn(u64) -> Schedule| {
        let mut tab = ClockedTab::page(vec![(120, Event::Loaded)]);
        tab.schedule = Some(schedule);
        tab.loading = vec![(0, 4000, "div.spinner")];
        tab.run(HOOKED)
    };
    assert_eq!(loading(nothing), (940, Reason::StillLoading("div.spinner".to_owned())));
    let later = |now: u64| Schedule { later: true, ..nothing(now) };
    assert_eq!(loading(later).0, 5140, "a timer may");
}

#[test]
fn a_loading_sign_counts_from_the_last_change_of_the_page() {
    let ends = |sign: &'static str, script: Vec<(u64, Event)>| {
        let mut tab = ClockedTab::page([vec![(120, Event::Loaded)], script].concat());
        tab.schedule = Some(used);
        tab.loading = vec![(0, 60_000, sign)];
        tab.run(HOOKED)
    };
    // The page is first asked after 140 ms.
    assert_eq!(ends("div.spinner", vec![]).0, 5140);
    let named = Reason::StillLoading("a spinner in a bar".to_owned());
    assert_eq!(ends("a spinner in a bar", vec![]), (940, named.clone()));
    assert_eq!(ends("a spinner in a bar", vec![(600, change(1))]), (1400, named));
}

#[test]
fn a_picture_may_call_a_script_when_it_comes() {
    let mut picture = request("1", "/a.png");
    if let Event::Requested(request) = &mut picture {
        request.kind = RequestClass::Part;
    }
    let late = vec![(110, picture.clone()), (400, ended("1"))];
    assert_eq!(navigated(nothing, late), (460, Reason::Ready));
    assert_eq!(navigated(nothing, vec![(110, picture)]), (620, Reason::Ready), "it takes long");
}

#[test]
fn a_use_from_before_the_last_rest_is_over() {
    let mut tab = ClockedTab::page(vec![(120, Event::Loaded)]);
    tab.schedule = Some(used);
    assert_eq!(tab.run(HOOKED).0, 620);
    tab.activity.end();
    assert_eq!(tab.run(ACTED), (660, Reason::Ready), "two frames later");
}

#[test]
fn a_timer_that_a_click_started_is_waited_for() {
    let mut tab = ClockedTab::page(vec![(120, Event::Loaded)]);
    tab.schedule = Some(timer);
    tab.now = 650;
    tab.activity.note(Event::Arrived { parsed: true }, ms(0));
    assert_eq!(tab.run(ACTED), (900, Reason::Ready));
}

#[test]
fn a_body_that_nobody_reads_counts_for_a_second() {
    let unread = |at, id: &str| (at, Event::Body { id: id.to_owned(), read: false });
    let posted = || vec![(130, request("1", "/log")), unread(200, "1")];
    assert_eq!(navigated(nothing, posted()), (1200, Reason::Ready), "and is not named");
    let mut late = posted();
    late.push((1100, Event::Body { id: "1".to_owned(), read: true }));
    late.push((2000, ended("1")));
    assert_eq!(navigated(nothing, late).0, 2060, "a first byte after 900 ms");
    let mut endless = posted();
    endless.push((300, Event::Body { id: "1".to_owned(), read: true }));
    assert_eq!(navigated(nothing, endless).1, Reason::StillPending("GET /log".to_owned()));
    // On the fourth visit it is known.
    let memory = VisitMemory::default();
    let visit = |script: Vec<(u64, Event)>| {
        let mut tab = ClockedTab::page([script, vec![(120, Event::Loaded)]].concat());
        tab.activity.share(memory.clone());
        tab.schedule = Some(nothing);
        tab.run(HOOKED).0
    };
    let visits: Vec<u64> = (0..4).map(|_| visit(posted())).collect();
    assert_eq!(visits, [1200, 1200, 1200, 500]);
    let read = vec![(130, request("1", "/log")), unread(200, "1"), (260, ended("1"))];
    assert_eq!(visit(read), 320, "it is read after all");
    assert_eq!(visit(posted()), 1200, "so the next one may be");
}

#[test]
fn a_step_of_a_list_ends_as_soon_as_nothing_is_scheduled() {
    let scroll = SettleRules { hooks: true, ..SettleRules::SCROLL };
    let run = |rules, script: Vec<(u64, Event)>| {
        let mut tab = ClockedTab::page([vec![(120, Event::Loaded)], script].concat());
        tab.schedule = Some(nothing);
        tab.now = 650;
        tab.activity.note(Event::Arrived { parsed: true }, ms(0));
        tab.run(rules)
    };
    // The answer itself takes two frames, in which the rows are drawn.
    assert_eq!(run(scroll, vec![]), (650, Reason::Ready));
    assert!(run(ACTED, vec![]).0 > 650);
    // They are loaded.
    let loaded = vec![(650, request("1", "/api")), (900, ended("1"))];
    assert_eq!(run(scroll, loaded), (900, Reason::Ready));
}
