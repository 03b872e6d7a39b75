//! Searches for closed shadow roots in one session of a tab, and passes nodes to the page script.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::future::join_all;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::time::Instant;

use super::known::KnownInWorld;
use super::roots::closed_roots;
use crate::chromium::protocol::{Evaluated, Properties, ResolvedNode, Searched};
use crate::chromium::script;
use crate::chromium::state::{ChromiumTabState, World};
use crate::error::{BrowserError, Result};
use crate::wire::connection::{Pending, read_reply};

/// The query of a search that finds every element (their start tags begin with it) and every text
/// or comment that contains it.
const EVERYTHING: &str = "</";
/// How many elements of a large document are described in one call.
const PIECE: usize = 1500;
/// The group of objects that are passed to the script and then released.
pub(super) const GROUP: &str = "pagesight-reach";

/// How many nodes the page script knows of.
#[derive(Deserialize)]
struct Census {
    elements: i64,
    others: i64,
}

/// One session of a tab that is searched.
pub(super) struct SessionSearch<'a> {
    pub(super) state: &'a ChromiumTabState,
    pub(super) session: &'a str,
    pub(super) deadline: Instant,
}

impl SessionSearch<'_> {
    /// How much time is left.
    pub(super) fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Sends a command to the session and reads its reply.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: serde_json::Value,
    ) -> Result<T> {
        self.state.call_in(self.session, method, params, self.left()).await
    }

    /// The newest world of each frame.
    pub(super) fn worlds(&self) -> Vec<World> {
        let status = self.state.status.borrow();
        let mut seen = HashSet::new();
        let newest =
            status.frames.worlds.iter().rev().filter(|world| world.session == self.session);
        newest.filter(|world| seen.insert(world.frame.clone())).cloned().collect()
    }

    /// Counts how many more nodes the engine finds than the scripts of this session know of.
    pub(super) async fn excess(&self, worlds: &[World]) -> Result<i64> {
        // One after the other, although both could be requested at once: the page would be blocked
        // for both together.
        let search =
            self.state.begin_in(self.session, "DOM.performSearch", json!({"query": EVERYTHING}));
        let found = self.found_by(search).await?;
        Ok(found - self.known_to(worlds).await?)
    }

    /// The same in one go, for small pages: each question would wait for the page's own work.
    pub(super) async fn excess_at_once(&self, worlds: &[World]) -> Result<i64> {
        let search =
            self.state.begin_in(self.session, "DOM.performSearch", json!({"query": EVERYTHING}));
        let (found, known) = tokio::join!(self.found_by(search), self.known_to(worlds));
        Ok(found? - known?)
    }

    /// Returns how many nodes a search finds.
    async fn found_by(&self, search: Pending) -> Result<i64> {
        let Searched { search_id, result_count } =
            read_reply("DOM.performSearch", &search.wait(self.left()).await?)?;
        let forget = json!({"searchId": search_id});
        drop(self.state.begin_in(self.session, "DOM.discardSearchResults", forget));
        Ok(result_count)
    }

    /// Returns how many nodes the scripts know of.
    async fn known_to(&self, worlds: &[World]) -> Result<i64> {
        let mut known = 0;
        for census in join_all(worlds.iter().map(|world| self.census(world))).await {
            let Census { elements, others } = census?;
            known += elements + others;
        }
        Ok(known)
    }

    async fn census(&self, world: &World) -> Result<Census> {
        let text =
            script::script(self.state, Some(&world.frame), "countNodes", "[]", self.left()).await?;
        serde_json::from_str(&text).map_err(|error| BrowserError::Script(error.to_string()))
    }

    /// Finds the closed roots of a frame and passes the new ones to the script; returns how many
    /// were passed, and how many could not be.
    pub(super) async fn enter_roots(
        &self,
        world: &World,
        known: &mut KnownInWorld,
    ) -> Result<(usize, u32)> {
        let found = self.closed_roots_in(world).await?;
        let fresh: Vec<i64> =
            found.iter().copied().filter(|root| !known.roots.contains(root)).collect();
        let (resolved, objects) = self.resolve(world, &fresh).await?;
        self.hand(world, "(...roots) => pagesight.learnRoots(...roots)", objects).await?;
        known.roots.extend(&resolved);
        Ok((resolved.len(), (fresh.len() - resolved.len()) as u32))
    }

    /// Returns the engine's ids of the closed roots of a frame.
    pub(super) async fn closed_roots_in(&self, world: &World) -> Result<Vec<i64>> {
        let mut found = Vec::new();
        let mut queue = self.pieces(world).await?;
        while let Some((node, deep)) = queue.pop() {
            let mut params = node;
            params["depth"] = json!(if deep { -1 } else { 0 });
            params["pierce"] = json!(true);
            let pending = self.state.begin_in(self.session, "DOM.describeNode", params);
            let described = match self.state.unless_blocked(true, pending.wait(self.left())).await {
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
        Ok(found)
    }

    /// The same with one question, which blocks the page until it is answered: for a page without
    /// scripts, which does not notice.
    pub(super) async fn closed_roots_at_once(&self, world: &World) -> Result<Vec<i64>> {
        let params = json!({"expression": "document", "uniqueContextId": world.unique, "objectGroup": GROUP});
        let document: Evaluated = self.call("Runtime.evaluate", params).await?;
        let params = json!({"objectId": document.result.object_id, "depth": -1, "pierce": true});
        let pending = self.state.begin_in(self.session, "DOM.describeNode", params);
        let described = self.state.unless_blocked(true, pending.wait(self.left())).await?;
        Ok(closed_roots(described.get()))
    }

    /// Returns the nodes to describe, each with whether its whole subtree is described with it.
    async fn pieces(&self, world: &World) -> Result<Vec<(serde_json::Value, bool)>> {
        let mut pieces = Vec::new();
        for (part, deep) in [("whole", true), ("divided", false)] {
            let expression = format!("pagesight.describePieces({PIECE}).{part}");
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

    /// Resolves nodes to objects of a world; nodes that are gone are left out.
    pub(super) async fn resolve(
        &self,
        world: &World,
        nodes: &[i64],
    ) -> Result<(Vec<i64>, Vec<String>)> {
        let ask = |node: &i64| {
            let params = json!({"backendNodeId": node, "executionContextId": world.id, "objectGroup": GROUP});
            self.state.begin_in(self.session, "DOM.resolveNode", params)
        };
        let asked: Vec<_> = nodes.iter().map(ask).collect();
        let (mut resolved, mut objects) = (Vec::new(), Vec::new());
        for (node, pending) in nodes.iter().zip(asked) {
            match self.state.unless_blocked(true, pending.wait(self.left())).await {
                Ok(raw) => {
                    let ResolvedNode { object } = read_reply("DOM.resolveNode", &raw)?;
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

    /// Calls a function of a world with objects, and releases the objects.
    pub(super) async fn hand(
        &self,
        world: &World,
        function: &str,
        objects: Vec<String>,
    ) -> Result<()> {
        if !objects.is_empty() {
            let arguments: Vec<_> =
                objects.iter().map(|object| json!({"objectId": object})).collect();
            let params = json!({"functionDeclaration": function, "executionContextId": world.id, "arguments": arguments});
            self.call::<Evaluated>("Runtime.callFunctionOn", params).await?.value()?;
        }
        self.release();
        Ok(())
    }

    /// Releases the objects that were looked up for a search.
    pub(super) fn release(&self) {
        let group = json!({"objectGroup": GROUP});
        drop(self.state.begin_in(self.session, "Runtime.releaseObjectGroup", group));
    }
}
