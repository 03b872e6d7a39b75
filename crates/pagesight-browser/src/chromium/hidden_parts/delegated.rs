//! Elements of React apps that react to presses. React listens on the root of the app only, and
//! keeps the handlers in a property of each element, which only the page's own world can see. For a
//! click handler it also sets a handler on the element; for a press handler it does not.

use std::collections::HashSet;

use serde_json::json;

use super::search::{GROUP, SessionSearch};
use crate::chromium::protocol::{DescribedNode, Evaluated, Listener, Properties};
use crate::error::{BrowserError, Result};
use crate::wire::connection::read_reply;

/// The event types of a press.
pub(super) const PRESSES: [&str; 8] = [
    "click",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "touchstart",
    "touchend",
    "dblclick",
];
/// How many elements of a document are read, and how many of them are used.
const MOST_READ: usize = 20_000;
const MOST_FOUND: usize = 500;
/// How long reading may take, in milliseconds.
const READ_LIMIT: u64 = 150;

/// Returns the elements that listen for all kinds of presses, as the root of a React app does.
pub(super) fn delegates(listeners: &[Listener]) -> HashSet<i64> {
    let listens = |node: i64, kind: &str| {
        listeners.iter().any(|found| found.backend_node_id == Some(node) && found.kind == kind)
    };
    // No element but a root listens for the rarest of them.
    let rare = listeners.iter().filter(|found| found.kind == "touchend");
    let candidates = rare.filter_map(|found| found.backend_node_id).take(20);
    candidates.filter(|node| PRESSES.iter().all(|kind| listens(*node, kind))).collect()
}

/// Returns an expression for the elements with handlers for presses. It runs no getters.
fn expression() -> String {
    format!(
        r"(() => {{
  const names = ['onMouseDown', 'onMouseUp', 'onPointerDown', 'onPointerUp', 'onTouchStart',
    'onTouchEnd', 'onDoubleClick'];
  const value = (object, name) => Object.getOwnPropertyDescriptor(object, name)?.value;
  const found = [], roots = [document];
  let left = {MOST_READ};
  for (const root of roots) {{
    for (const el of root.querySelectorAll('*')) {{
      if (left-- <= 0 || found.length >= {MOST_FOUND}) return found;
      if (el.shadowRoot) roots.push(el.shadowRoot);
      const key = Object.keys(el).find((name) => /^__react(Props|EventHandlers)\$/.test(name));
      const own = key && value(el, key);
      if (own && names.some((name) => typeof value(own, name) === 'function')) found.push(el);
    }}
  }}
  return found;
}})()"
    )
}

impl SessionSearch<'_> {
    /// Finds the elements whose handlers React keeps. `world`: the page's own world of a frame.
    pub(super) async fn delegated(&self, world: &str) -> Result<Vec<i64>> {
        let params = json!({
            "expression": expression(),
            "uniqueContextId": world,
            "objectGroup": GROUP,
            "timeout": READ_LIMIT,
        });
        let found = match self.call::<Evaluated>("Runtime.evaluate", params).await {
            // It took too long.
            Err(BrowserError::Refused { .. }) => return Ok(Vec::new()),
            found => found?,
        };
        let Some(list) = found.result.object_id else { return Ok(Vec::new()) };
        let params = json!({"objectId": list, "ownProperties": true});
        let properties: Properties = self.call("Runtime.getProperties", params).await?;
        let elements =
            properties.result.into_iter().filter(|property| property.name.parse::<u32>().is_ok());
        let objects = elements.filter_map(|property| property.value?.object_id).take(MOST_FOUND);
        let ask = |object: String| {
            self.state.begin_in(self.session, "DOM.describeNode", json!({"objectId": object}))
        };
        let asked: Vec<_> = objects.map(ask).collect();
        let mut nodes = Vec::new();
        for pending in asked {
            match self.state.unless_blocked(true, pending.wait(self.left())).await {
                Ok(raw) => {
                    let described: DescribedNode = read_reply("DOM.describeNode", &raw)?;
                    nodes.push(described.node.backend_node_id);
                }
                // It left the page, or the page passed something else.
                Err(BrowserError::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(nodes)
    }
}
