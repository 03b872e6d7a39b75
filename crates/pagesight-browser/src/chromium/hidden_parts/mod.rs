//! The parts of a page that the page script cannot see: closed shadow roots, and listeners added by
//! script. Finds both through the protocol and passes them to the script, in each session (the
//! tab's own, and one per out-of-process frame).
//!
//! The search is expensive, so it is skipped while cheap counters of the engine (nodes, layouts,
//! style recalculations, listeners) stay the same. Closed roots that the script does not know yet
//! are detected by counting: the engine's search also enters closed roots, so it finds more nodes
//! than the script knows of (the excess).

mod delegated;
pub(super) mod known;
pub(super) mod listeners;
mod roots;
mod search;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::Mutex;
use tokio::time::Instant;

use self::known::{ChangeCounters, KnownInWorld, KnownParts};
use self::search::SessionSearch;
use super::protocol::Metrics;
use super::state::{ChromiumTabState, World};
use crate::api::traits::HiddenParts;
use crate::error::{BrowserError, Result};

/// Pages with more nodes than this are not searched.
const LARGEST: f64 = 150_000.0;
/// In pages with at most so many nodes, all of them are counted without a pause in between.
const LARGEST_AT_ONCE: f64 = 20_000.0;
/// How long a cross-site frame may take to answer.
const FRAME_PATIENCE: Duration = Duration::from_secs(1);
/// How long a frame that did not answer the last time may take.
const STUCK_PATIENCE: Duration = Duration::from_millis(100);

/// Finds hidden parts in all frames and passes the new ones to the page scripts.
pub(super) async fn find(
    state: &ChromiumTabState,
    known: &Mutex<KnownParts>,
    limit: Duration,
) -> Result<HiddenParts> {
    state.ready(true)?;
    let deadline = Instant::now() + limit;
    let mut known = known.lock().await;
    let (sessions, alive) = {
        let status = state.status.borrow();
        let mut sessions = vec![state.session().to_owned()];
        sessions.extend(status.frames.out_of_process.iter().map(|frame| frame.session.clone()));
        let alive: HashSet<String> =
            status.frames.worlds.iter().map(|world| world.unique.clone()).collect();
        (sessions, alive)
    };
    let KnownParts { sessions: counters, worlds, stuck, growing } = &mut *known;
    stuck.retain(|session| sessions.contains(session));
    counters.retain(|session, _| sessions.contains(session));
    growing.retain(|session| sessions.contains(session));
    worlds.retain(|unique, _| alive.contains(unique));
    let mut found = HiddenParts { listeners: true, ..HiddenParts::default() };
    let mut counts = Vec::new();
    for session in &sessions {
        // Do not wait long for a frame that hangs, and hardly at all the next time.
        let patience = match (session == state.session(), stuck.contains(session)) {
            (true, _) => limit,
            (false, false) => FRAME_PATIENCE,
            (false, true) => STUCK_PATIENCE,
        };
        let search = SessionSearch { state, session, deadline };
        let is_small = |known: &ChangeCounters| known.nodes < LARGEST_AT_ONCE;
        let at_once = growing.contains(session) && counters.get(session).is_some_and(is_small);
        let count = count(state, session, deadline.min(Instant::now() + patience));
        counts.push(async move {
            if !at_once {
                return (count.await, None);
            }
            // The page grows all the time, so the second question will be asked anyway.
            let worlds = search.worlds();
            let (count, excess) = tokio::join!(count, search.excess_at_once(&worlds));
            (count, excess.ok())
        });
    }
    for (session, (now, excess)) in sessions.iter().zip(join_all(counts).await) {
        match &now {
            Err(BrowserError::TimedOut { .. }) => {
                stuck.insert(session.clone());
            }
            _ => {
                stuck.remove(session);
            }
        }
        let before = counters.get(session).copied();
        let looked = match now {
            Ok(now) if before.is_some_and(|before| before.same_as(&now)) => {
                growing.remove(session);
                continue;
            }
            // Searching so large a page would take longer than capturing it.
            Ok(now) if now.nodes > LARGEST => {
                found.listeners = false;
                continue;
            }
            Ok(now) => {
                let search = SessionSearch { state, session, deadline };
                if before.is_some_and(|before| before.nodes != now.nodes) {
                    growing.insert(session.clone());
                }
                update(&search, worlds, before, now, excess).await
            }
            Err(error) => Err(error),
        };
        match looked {
            Ok((now, news)) => {
                counters.insert(session.clone(), now);
                found.news |= news;
            }
            Err(
                error @ (BrowserError::TabClosed
                | BrowserError::TabCrashed
                | BrowserError::Disconnected),
            ) if *session == state.session() => {
                return Err(error);
            }
            Err(error @ BrowserError::DialogOpen { .. }) => return Err(error),
            // The page can be captured all the same; the next capture tries again.
            Err(error) => {
                tracing::debug!(%error, "the search for closed roots and listeners failed");
                counters.remove(session);
                found.listeners = false;
                found.news = true;
            }
        }
    }
    found.roots_left_out = counters.values().map(|counters| counters.roots_left_out).sum();
    Ok(found)
}

/// Returns whether the page and its frames have no closed shadow root. False if a frame has a
/// process of its own: it is not looked into.
pub(super) async fn lacks_closed_roots(state: &ChromiumTabState, limit: Duration) -> Result<bool> {
    state.ready(true)?;
    let deadline = Instant::now() + limit;
    let search = SessionSearch { state, session: state.session(), deadline };
    let worlds = search.worlds();
    let within = state.status.borrow().frames.out_of_process.is_empty();
    let mut lacks = within && !worlds.is_empty();
    for world in &worlds {
        // Counting would be faster, but does not find a root that emptied itself.
        lacks = lacks && search.closed_roots_at_once(world).await?.is_empty();
    }
    search.release();
    Ok(lacks)
}

/// Passes the hidden parts of a session that are new since `before` to the page scripts; returns
/// the new counters, and whether there were any. `excess`: if it was counted already.
async fn update(
    search: &SessionSearch<'_>,
    known: &mut HashMap<String, KnownInWorld>,
    before: Option<ChangeCounters>,
    mut now: ChangeCounters,
    excess: Option<i64>,
) -> Result<(ChangeCounters, bool)> {
    let worlds = search.worlds();
    let last = before.unwrap_or_default();
    // A shadow root is a node, so there is no new root without a new node.
    let grown =
        before.is_none_or(|before| before.nodes != now.nodes || before.worlds != now.worlds);
    now.excess = match excess {
        _ if !grown => last.excess,
        Some(excess) => excess,
        None => search.excess(&worlds).await?,
    };
    let mut news = false;
    if now.excess != last.excess {
        // The page may have changed between the two counts; only an excess that stays is followed
        // up.
        now.excess = search.excess(&worlds).await?;
    }
    now.roots_left_out = last.roots_left_out;
    if now.excess != last.excess {
        now.roots_left_out = 0;
        for world in &worlds {
            let known = known.entry(world.unique.clone()).or_default();
            let (entered, left_out) = search.enter_roots(world, known).await?;
            news |= entered > 0;
            now.roots_left_out += left_out;
        }
        now.excess = search.excess(&worlds).await?;
    }
    // An app that delegates adds no listener for a new element.
    let delegates = |world: &World| known.get(&world.unique).is_some_and(|known| known.delegates);
    let fresh = grown && worlds.iter().any(delegates);
    if fresh
        || before
            .is_none_or(|before| before.listeners != now.listeners || before.worlds != now.worlds)
    {
        news |= search.hand_over_listeners(&worlds, known).await?;
    }
    Ok((now, news))
}

/// Reads the engine's counters.
async fn count(
    state: &ChromiumTabState,
    session: &str,
    deadline: Instant,
) -> Result<ChangeCounters> {
    let left = deadline.saturating_duration_since(Instant::now());
    let metrics: Metrics =
        state.call_in(session, "Performance.getMetrics", json!({}), left).await?;
    let of = |name: &str| {
        metrics.metrics.iter().find(|metric| metric.name == name).map_or(0.0, |m| m.value)
    };
    let worlds = state
        .status
        .borrow()
        .frames
        .worlds
        .iter()
        .filter(|world| world.session == *session)
        .count();
    Ok(ChangeCounters {
        nodes: of("Nodes"),
        styles: of("RecalcStyleCount"),
        layouts: of("LayoutCount"),
        listeners: of("JSEventListeners"),
        worlds,
        ..ChangeCounters::default()
    })
}
