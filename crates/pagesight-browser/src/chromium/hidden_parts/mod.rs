//! What the page script cannot see by itself: closed shadow roots, and listeners added by script.
//! Finds both through the protocol and hands them to the script, for each session (the tab's own,
//! and one for each frame with a process of its own).
//!
//! Looking for them costs, so it is done only where cheap counters of the engine say that something
//! changed: nodes, layouts and recalculations of style for roots, listeners for listeners. A closed
//! root that is not known shows in a count: a search of the engine's goes through closed roots and
//! finds more nodes than the script knows of.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use self::roots::closed_roots;
use super::protocol::{
    DescribedNode, Evaluated, Listeners, Metrics, Properties, ResolvedNode, Searched,
};
use super::script;
use super::state::{TabState, World, read};
use crate::api::traits::Reached;
use crate::error::{BrowserError, Result};

mod roots;

/// What a search finds: every element (their start tags begin with it) and every text or comment
/// that says it.
const EVERYTHING: &str = "</";
/// How many nodes a page may have to be looked through.
const LARGEST: f64 = 150_000.0;
/// How many elements of a large document are described in one go.
const PIECE: usize = 1500;
/// How many listeners a frame may have before the rest is left alone.
const MOST_LISTENERS: usize = 3000;
/// How long a frame of another site is waited for, and how long if it did not answer the last time.
const FRAME_PATIENCE: Duration = Duration::from_secs(1);
const STUCK_PATIENCE: Duration = Duration::from_millis(100);
/// Objects that are handed over and then let go.
const GROUP: &str = "pagesight-reach";
/// Listeners for what a hand does.
const PRESSES: [&str; 8] = [
    "click",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "touchstart",
    "touchend",
    "dblclick",
];

/// What the page scripts of a tab were told.
#[derive(Default)]
pub(super) struct Told {
    sessions: HashMap<String, Counters>,
    /// Sessions of frames that did not answer the last time.
    stuck: HashSet<String>,
    worlds: HashMap<String, Frame>,
}

/// The engine's counters when a session was last looked through.
#[derive(Clone, Copy, Default, PartialEq)]
struct Counters {
    nodes: f64,
    styles: f64,
    layouts: f64,
    listeners: f64,
    worlds: usize,
    /// How many nodes more a search finds than the scripts know of, though everything was looked
    /// through.
    excess: i64,
    roots_left_out: u32,
}

/// What the script of one frame was told.
#[derive(Default)]
struct Frame {
    roots: HashSet<i64>,
    listeners: HashSet<i64>,
}

#[derive(Deserialize)]
struct Census {
    elements: i64,
    others: i64,
}

/// Brings the page scripts of all frames up to date.
pub(super) async fn reach(state: &TabState, limit: Duration) -> Result<Reached> {
    state.ready(true)?;
    let deadline = Instant::now() + limit;
    let mut told = state.reached.lock().await;
    let (sessions, alive) = {
        let facts = state.facts.borrow();
        let mut sessions = vec![state.session.clone()];
        sessions.extend(facts.remote.iter().map(|frame| frame.session.clone()));
        let alive: HashSet<String> =
            facts.worlds.iter().map(|world| world.unique.clone()).collect();
        (sessions, alive)
    };
    let Told { sessions: counters, worlds, stuck } = &mut *told;
    stuck.retain(|session| sessions.contains(session));
    counters.retain(|session, _| sessions.contains(session));
    worlds.retain(|unique, _| alive.contains(unique));
    let mut reached = Reached { listeners: true, roots_left_out: 0 };
    let mut counts = Vec::new();
    for session in &sessions {
        // A frame that hangs is not waited for long, and the next time hardly at all.
        let patience = match (session == &state.session, stuck.contains(session)) {
            (true, _) => limit,
            (false, false) => FRAME_PATIENCE,
            (false, true) => STUCK_PATIENCE,
        };
        counts.push(count(state, session, deadline.min(Instant::now() + patience)));
    }
    for (session, now) in sessions.iter().zip(join_all(counts).await) {
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
            Ok(now) if before.is_some_and(|before| before.same_as(&now)) => continue,
            // To look through so large a page would cost more than to look at it.
            Ok(now) if now.nodes > LARGEST => {
                reached.listeners = false;
                continue;
            }
            Ok(now) => Session { state, session, deadline }.update(worlds, before, now).await,
            Err(error) => Err(error),
        };
        match looked {
            Ok(now) => drop(counters.insert(session.clone(), now)),
            Err(
                error @ (BrowserError::TabClosed
                | BrowserError::TabCrashed
                | BrowserError::Disconnected),
            ) if *session == state.session => {
                return Err(error);
            }
            Err(error @ BrowserError::DialogOpen { .. }) => return Err(error),
            // The page is looked at all the same; the next look tries again.
            Err(error) => {
                tracing::debug!(%error, "closed roots and listeners were not looked for");
                counters.remove(session);
                reached.listeners = false;
            }
        }
    }
    reached.roots_left_out = counters.values().map(|counters| counters.roots_left_out).sum();
    Ok(reached)
}

/// The kinds of events that scripts listen for on an element, each once, in order.
pub(super) async fn listeners(
    state: &TabState,
    frame: Option<&str>,
    element: u32,
    limit: Duration,
) -> Result<Vec<String>> {
    let Some((object, session)) = script::element(state, frame, element, limit).await? else {
        return Ok(Vec::new());
    };
    let about = |object: &str| json!({"objectId": object});
    let described: DescribedNode =
        state.call_in(&session, "DOM.describeNode", about(&object), limit).await?;
    // The same element as the page's own scripts have it: listeners are asked for only there, see
    // below.
    let node = json!({"backendNodeId": described.node.backend_node_id});
    let ResolvedNode { object: own } =
        state.call_in(&session, "DOM.resolveNode", node, limit).await?;
    let Some(own) = own.object_id else { return Ok(Vec::new()) };
    let found: Listeners =
        state.call_in(&session, "DOMDebugger.getEventListeners", about(&own), limit).await?;
    for object in [object, own] {
        drop(state.begin_in(&session, "Runtime.releaseObject", about(&object)));
    }
    let mut kinds: Vec<String> =
        found.listeners.into_iter().map(|listener| listener.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    Ok(kinds)
}

impl Counters {
    /// Whether nothing happened that could have made a root or a listener.
    fn same_as(&self, now: &Counters) -> bool {
        Counters { excess: 0, roots_left_out: 0, ..*self } == *now
    }
}

/// Reads the engine's counters.
async fn count(state: &TabState, session: &str, deadline: Instant) -> Result<Counters> {
    let left = deadline.saturating_duration_since(Instant::now());
    let metrics: Metrics =
        state.call_in(session, "Performance.getMetrics", json!({}), left).await?;
    let of = |name: &str| {
        metrics.metrics.iter().find(|metric| metric.name == name).map_or(0.0, |m| m.value)
    };
    let worlds =
        state.facts.borrow().worlds.iter().filter(|world| world.session == *session).count();
    Ok(Counters {
        nodes: of("Nodes"),
        styles: of("RecalcStyleCount"),
        layouts: of("LayoutCount"),
        listeners: of("JSEventListeners"),
        worlds,
        ..Counters::default()
    })
}

/// One session that is looked through.
struct Session<'a> {
    state: &'a TabState,
    session: &'a str,
    deadline: Instant,
}

impl Session<'_> {
    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    async fn call<T: serde::de::DeserializeOwned>(
        &self,
        method: &'static str,
        params: serde_json::Value,
    ) -> Result<T> {
        self.state.call_in(self.session, method, params, self.left()).await
    }

    /// The newest world of each frame.
    fn worlds(&self) -> Vec<World> {
        let facts = self.state.facts.borrow();
        let mut seen = HashSet::new();
        let newest = facts.worlds.iter().rev().filter(|world| world.session == self.session);
        newest.filter(|world| seen.insert(world.frame.clone())).cloned().collect()
    }

    async fn update(
        &self,
        frames: &mut HashMap<String, Frame>,
        before: Option<Counters>,
        mut now: Counters,
    ) -> Result<Counters> {
        let worlds = self.worlds();
        let known = before.unwrap_or_default();
        // A root is a node: without a new one there is no new root.
        let grown =
            before.is_none_or(|before| before.nodes != now.nodes || before.worlds != now.worlds);
        now.excess = if grown { self.excess(&worlds).await? } else { known.excess };
        if now.excess != known.excess {
            // The page may have changed between the two counts; only what stays is looked into.
            now.excess = self.excess(&worlds).await?;
        }
        now.roots_left_out = known.roots_left_out;
        if now.excess != known.excess {
            now.roots_left_out = 0;
            for world in &worlds {
                let frame = frames.entry(world.unique.clone()).or_default();
                now.roots_left_out += self.enter_roots(world, frame).await?;
            }
            now.excess = self.excess(&worlds).await?;
        }
        if before
            .is_none_or(|before| before.listeners != now.listeners || before.worlds != now.worlds)
        {
            self.hand_over_listeners(&worlds, frames).await?;
        }
        Ok(now)
    }

    /// How many nodes more the engine finds than the scripts of this session know of.
    async fn excess(&self, worlds: &[World]) -> Result<i64> {
        // One after the other, though both could be asked for at once: the page would wait for the
        // two together.
        let search =
            self.state.begin_in(self.session, "DOM.performSearch", json!({"query": EVERYTHING}));
        let Searched { search_id, result_count } =
            read("DOM.performSearch", &search.wait(self.left()).await?)?;
        let forget = json!({"searchId": search_id});
        drop(self.state.begin_in(self.session, "DOM.discardSearchResults", forget));
        let mut counts = Vec::new();
        for world in worlds {
            counts.push(self.census(world));
        }
        let known = join_all(counts).await;
        let mut excess = result_count;
        for census in known {
            let Census { elements, others } = census?;
            excess -= elements + others;
        }
        Ok(excess)
    }

    async fn census(&self, world: &World) -> Result<Census> {
        let text =
            script::script(self.state, Some(&world.frame), "census", "[]", self.left()).await?;
        serde_json::from_str(&text).map_err(|error| BrowserError::Script(error.to_string()))
    }

    /// Finds the closed roots of a frame and hands over those that are new; answers how many could
    /// not be.
    async fn enter_roots(&self, world: &World, frame: &mut Frame) -> Result<u32> {
        let mut found = Vec::new();
        let mut queue = self.pieces(world).await?;
        while let Some((node, deep)) = queue.pop() {
            let mut params = node;
            params["depth"] = json!(if deep { -1 } else { 0 });
            params["pierce"] = json!(true);
            let pending = self.state.begin_in(self.session, "DOM.describeNode", params);
            let described = match self.state.unless_stopped(true, pending.wait(self.left())).await {
                // It left the page in the meantime.
                Err(BrowserError::Refused { .. }) => continue,
                described => described?,
            };
            let roots = closed_roots(described.get());
            if !deep {
                queue.extend(roots.iter().map(|root| (json!({"backendNodeId": root}), true)));
            }
            found.extend(roots);
        }
        let fresh: Vec<i64> =
            found.iter().copied().filter(|root| !frame.roots.contains(root)).collect();
        let (resolved, objects) = self.resolve(world, &fresh).await?;
        self.hand(world, "(...roots) => pagesight.learnRoots(...roots)", objects).await?;
        frame.roots.extend(&resolved);
        Ok((fresh.len() - resolved.len()) as u32)
    }

    /// What to describe, and whether with everything in it.
    async fn pieces(&self, world: &World) -> Result<Vec<(serde_json::Value, bool)>> {
        let mut pieces = Vec::new();
        for (part, deep) in [("whole", true), ("divided", false)] {
            let expression = format!("pagesight.pieces({PIECE}).{part}");
            let params = json!({"expression": expression, "uniqueContextId": world.unique, "objectGroup": GROUP});
            let list: Evaluated = self.call("Runtime.evaluate", params).await?;
            let Some(list) = list.result.object_id else { continue };
            let params = json!({"objectId": list, "ownProperties": true});
            let properties: Properties = self.call("Runtime.getProperties", params).await?;
            let elements = properties
                .result
                .into_iter()
                .filter(|property| property.name.parse::<u32>().is_ok());
            let objects = elements.filter_map(|property| property.value?.object_id);
            pieces.extend(objects.map(|object| (json!({"objectId": object}), deep)));
        }
        Ok(pieces)
    }

    /// Nodes as objects of a world; those that are gone are left out.
    async fn resolve(&self, world: &World, nodes: &[i64]) -> Result<(Vec<i64>, Vec<String>)> {
        let ask = |node: &i64| {
            let params = json!({"backendNodeId": node, "executionContextId": world.id, "objectGroup": GROUP});
            self.state.begin_in(self.session, "DOM.resolveNode", params)
        };
        let asked: Vec<_> = nodes.iter().map(ask).collect();
        let (mut resolved, mut objects) = (Vec::new(), Vec::new());
        for (node, pending) in nodes.iter().zip(asked) {
            match self.state.unless_stopped(true, pending.wait(self.left())).await {
                Ok(raw) => {
                    let ResolvedNode { object } = read("DOM.resolveNode", &raw)?;
                    if let Some(object) = object.object_id {
                        resolved.push(*node);
                        objects.push(object);
                    }
                }
                Err(BrowserError::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok((resolved, objects))
    }

    /// Calls a function of a world with objects, and lets the objects go.
    async fn hand(&self, world: &World, function: &str, objects: Vec<String>) -> Result<()> {
        if !objects.is_empty() {
            let arguments: Vec<_> =
                objects.iter().map(|object| json!({"objectId": object})).collect();
            let params = json!({"functionDeclaration": function, "executionContextId": world.id, "arguments": arguments});
            let called: Evaluated = self.call("Runtime.callFunctionOn", params).await?;
            if let Some(exception) = called.exception_details {
                return Err(BrowserError::Script(exception.message()));
            }
        }
        drop(self.state.begin_in(
            self.session,
            "Runtime.releaseObjectGroup",
            json!({"objectGroup": GROUP}),
        ));
        Ok(())
    }

    /// Tells each frame which of its elements have listeners for presses.
    async fn hand_over_listeners(
        &self,
        worlds: &[World],
        frames: &mut HashMap<String, Frame>,
    ) -> Result<()> {
        let mut sets = Vec::new();
        for world in worlds {
            sets.push((world, self.listening(world).await?));
        }
        // A document's listeners come with those of the documents in its frames; each belongs to
        // the smallest set it is in. Of two equal ones to that of the inner frame, which is the
        // newer: worlds come newest first.
        sets.sort_by_key(|(_, set)| set.len());
        let mut taken = HashSet::new();
        for (world, set) in sets {
            let own: HashSet<i64> = set.into_iter().filter(|node| taken.insert(*node)).collect();
            let frame = frames.entry(world.unique.clone()).or_default();
            let gone: Vec<i64> = frame.listeners.difference(&own).copied().collect();
            let mut fresh: Vec<i64> = own.difference(&frame.listeners).copied().collect();
            fresh.sort_unstable();
            fresh.truncate(MOST_LISTENERS.saturating_sub(frame.listeners.len()));
            if !gone.is_empty() {
                let arguments = json!([gone]).to_string();
                script::script(
                    self.state,
                    Some(&world.frame),
                    "forgetListeners",
                    &arguments,
                    self.left(),
                )
                .await?;
                frame.listeners.retain(|node| !gone.contains(node));
            }
            let (resolved, objects) = self.resolve(world, &fresh).await?;
            let function = format!(
                "(...elements) => pagesight.learnListeners({}, ...elements)",
                json!(resolved)
            );
            self.hand(world, &function, objects).await?;
            frame.listeners.extend(resolved);
        }
        Ok(())
    }

    /// The nodes of a document (and of the documents in its frames) with listeners for presses.
    async fn listening(&self, world: &World) -> Result<HashSet<i64>> {
        // The document as the page has it: asked for that of our own world, Chromium crashes where
        // an element with a listener was looked at there. And in no group of objects, so that the
        // handlers are left alone.
        let own = {
            let facts = self.state.facts.borrow();
            let of_frame = |own: &&World| own.session == world.session && own.frame == world.frame;
            facts.own_worlds.iter().rev().find(of_frame).map(|own| own.unique.clone())
        };
        let Some(own) = own else { return Ok(HashSet::new()) };
        let params = json!({"expression": "document", "uniqueContextId": own});
        let document: Evaluated = self.call("Runtime.evaluate", params).await?;
        let Some(document) = document.result.object_id else { return Ok(HashSet::new()) };
        let params = json!({"objectId": document, "depth": -1, "pierce": true});
        let found: Listeners = self.call("DOMDebugger.getEventListeners", params).await?;
        drop(self.state.begin_in(
            self.session,
            "Runtime.releaseObject",
            json!({"objectId": document}),
        ));
        let presses =
            found.listeners.into_iter().filter(|found| PRESSES.contains(&found.kind.as_str()));
        Ok(presses.filter_map(|found| found.backend_node_id).collect())
    }
}
