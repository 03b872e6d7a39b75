//! Event listeners that scripts add: finds the elements with listeners for presses, and the event
//! types that one element listens for.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use serde_json::json;

use super::delegated::{PRESSES, delegates};
use super::known::KnownInWorld;
use super::search::SessionSearch;
use crate::chromium::protocol::{DescribedNode, Evaluated, Listeners, ResolvedNode};
use crate::chromium::script;
use crate::chromium::state::{ChromiumTabState, World};
use crate::error::Result;

/// The number of listeners per frame that are used; the rest is ignored.
const MOST_LISTENERS: usize = 3000;

/// Returns the event types that scripts listen for on an element, each once, sorted.
pub(in crate::chromium) async fn listeners(
    state: &ChromiumTabState,
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
    // The same element in the page's main world: listeners are queried only there, see below.
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

/// The listeners for presses in a document.
#[derive(Default)]
struct PressListeners {
    /// The nodes with listeners, also in the documents of frames.
    listening: HashSet<i64>,
    /// The elements of this document whose handlers an ancestor calls.
    delegated: Vec<i64>,
    /// Whether an element listens for the presses of all others.
    delegates: bool,
}

impl SessionSearch<'_> {
    /// Passes to each frame's script the elements that have listeners for presses; returns whether
    /// any were new or gone.
    pub(super) async fn hand_over_listeners(
        &self,
        worlds: &[World],
        known: &mut HashMap<String, KnownInWorld>,
    ) -> Result<bool> {
        let mut news = false;
        let mut sets = Vec::new();
        for world in worlds {
            sets.push((world, self.listening(world).await?));
        }
        // A document's listeners are reported together with those of the documents in its frames;
        // each belongs to the smallest set that contains it. Of two equal sets it belongs to that
        // of the inner frame, which is newer: worlds come newest first.
        sets.sort_by_key(|(_, found)| found.listening.len());
        let mut taken = HashSet::new();
        for (world, found) in sets {
            let nodes = found.listening.into_iter();
            let mut own: HashSet<i64> = nodes.filter(|node| taken.insert(*node)).collect();
            // These are of this document alone, so they must not count for the order.
            own.extend(found.delegated);
            let known = known.entry(world.unique.clone()).or_default();
            known.delegates = found.delegates;
            let gone: Vec<i64> = known.listeners.difference(&own).copied().collect();
            let mut fresh: Vec<i64> = own.difference(&known.listeners).copied().collect();
            fresh.sort_unstable();
            fresh.truncate(MOST_LISTENERS.saturating_sub(known.listeners.len()));
            news |= !(gone.is_empty() && fresh.is_empty());
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
                known.listeners.retain(|node| !gone.contains(node));
            }
            let (resolved, objects) = self.resolve(world, &fresh).await?;
            let function = format!(
                "(...elements) => pagesight.learnListeners({}, ...elements)",
                json!(resolved)
            );
            self.hand(world, &function, objects).await?;
            known.listeners.extend(resolved);
        }
        Ok(news)
    }

    /// Finds the nodes of a document, and of the documents in its frames, that have listeners for
    /// presses, and the elements of the document whose presses an ancestor handles.
    async fn listening(&self, world: &World) -> Result<PressListeners> {
        // Uses the document of the page's main world: with the document of our own world, Chromium
        // crashes if an element with a listener was inspected there. No object group is given, so
        // that the handlers are left alone.
        let own = {
            let status = self.state.status.borrow();
            let of_frame = |own: &&World| own.session == world.session && own.frame == world.frame;
            status.frames.main_worlds.iter().rev().find(of_frame).map(|own| own.unique.clone())
        };
        let Some(own) = own else { return Ok(Default::default()) };
        let params = json!({"expression": "document", "uniqueContextId": &own});
        let document: Evaluated = self.call("Runtime.evaluate", params).await?;
        let Some(document) = document.result.object_id else { return Ok(Default::default()) };
        let params = json!({"objectId": document, "depth": -1, "pierce": true});
        let found: Listeners = self.call("DOMDebugger.getEventListeners", params).await?;
        drop(self.state.begin_in(
            self.session,
            "Runtime.releaseObject",
            json!({"objectId": document}),
        ));
        let delegates = delegates(&found.listeners);
        let presses =
            found.listeners.into_iter().filter(|found| PRESSES.contains(&found.kind.as_str()));
        // A root listens whatever its elements do; which of them react is asked for below.
        let nodes = presses.filter_map(|found| found.backend_node_id);
        let listening = nodes.filter(|node| !delegates.contains(node)).collect();
        let delegates = !delegates.is_empty();
        let delegated = if delegates { self.delegated(&own).await? } else { Vec::new() };
        Ok(PressListeners { listening, delegated, delegates })
    }
}
