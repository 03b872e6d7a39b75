//! Asks the oracle and the browser's accessibility tree about every frame of a tab, and finds the
//! element in pagesight's page for each result. Uses DevTools; judges nothing.

use std::collections::{HashMap, HashSet};

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::devtools::DevTools;

/// The oracle: what a person can use, found without pagesight.
const ORACLE: &str = include_str!("oracle.js");
/// Listeners that mean that something happens on a press or a click.
const PRESSES: [&str; 7] =
    ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "dblclick"];

/// An element that a person may be able to use, as the oracle reports it.
#[derive(Clone, Debug, Deserialize)]
pub struct OracleElement {
    /// `native`, `focusable` or `listener`.
    pub kind: String,
    pub tag: String,
    /// The type of an input.
    #[serde(rename = "type")]
    pub input: String,
    pub role: String,
    /// Its text, shortened.
    pub text: String,
    /// Where it is, for a reader.
    pub selector: String,
    /// The hit: `itself`, its `label`, or nothing.
    pub reached: String,
    /// The hit after scrolling areas that only scripts can scroll.
    pub anyhow: String,
    /// It only holds things that were reached.
    pub container: bool,
    /// Places of its labels among the elements.
    pub labels: Vec<usize>,
    /// It lies in something inert.
    pub inert: bool,
    #[serde(rename = "box")]
    pub area: [i64; 4],
}

#[derive(Deserialize)]
struct OracleReport {
    elements: usize,
    things: Vec<OracleElement>,
}

/// An element as the browser's accessibility tree has it.
#[derive(Clone, Debug, Default)]
pub struct Accessible {
    /// Its role in Chromium's words.
    pub role: String,
    pub name: String,
}

/// The results of one frame.
pub struct FrameFindings {
    /// How many elements there are.
    pub elements: usize,
    /// The usable elements.
    pub things: Vec<OracleElement>,
    /// Of each element (the things, then their labels): pagesight's document and number; none where
    /// pagesight is not.
    pub ids: Vec<Option<(String, u32)>>,
    /// Of each element: what the accessibility tree says; none if it leaves it out.
    pub accessible: Vec<Option<Accessible>>,
}

/// One document as `DOM.getDocument` has it: the frame, and closed shadow roots.
struct FrameTree {
    /// Frame and closed roots.
    frames: HashMap<String, Vec<i64>>,
    /// The frame of every node.
    place: HashMap<i64, String>,
}

/// Asks about every frame that the session and its children hold.
pub async fn ask(tools: &DevTools, session: &str) -> anyhow::Result<Vec<FrameFindings>> {
    let mut found = Vec::new();
    for session in tools.family(session) {
        found.extend(ask_session(tools, &session).await?);
    }
    Ok(found)
}

async fn ask_session(tools: &DevTools, session: &str) -> anyhow::Result<Vec<FrameFindings>> {
    tools.call(Some(session), "DOM.enable", json!({})).await?;
    tools.call(Some(session), "Runtime.enable", json!({})).await?;
    let tree = tools.call(Some(session), "Page.getFrameTree", json!({})).await?;
    let top = tree["frameTree"]["frame"]["id"].as_str().unwrap_or_default().to_owned();
    let document = tools
        .call(Some(session), "DOM.getDocument", json!({ "depth": -1, "pierce": true }))
        .await?;
    let documents = documents(&document["root"], &top);
    let listeners = listeners(tools, session, &documents).await;
    let mut found = Vec::new();
    for (frame, closed) in &documents.frames {
        let heard: Vec<i64> = listeners
            .iter()
            .filter(|node| documents.place.get(node) == Some(frame))
            .copied()
            .collect();
        match ask_frame(tools, session, frame, closed, &heard).await {
            Ok(frame) => found.push(frame),
            // A frame may go away while it is asked; the page itself may not.
            Err(error) if *frame != top => eprintln!("  a frame was left out: {error:#}"),
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Reads the tree that the browser describes.
fn documents(root: &Value, top: &str) -> FrameTree {
    let mut known = FrameTree { frames: HashMap::new(), place: HashMap::new() };
    known.frames.insert(top.to_owned(), Vec::new());
    let mut stack = vec![(root, top.to_owned())];
    while let Some((node, frame)) = stack.pop() {
        if let Some(number) = node["backendNodeId"].as_i64() {
            known.place.insert(number, frame.clone());
            if node["shadowRootType"] == "closed" {
                known.frames.entry(frame.clone()).or_default().push(number);
            }
        }
        for key in ["children", "shadowRoots"] {
            for child in node[key].as_array().into_iter().flatten() {
                if child["shadowRootType"] != "user-agent" {
                    stack.push((child, frame.clone()));
                }
            }
        }
        if node["contentDocument"].is_object() {
            let inner = node["frameId"].as_str().unwrap_or_default().to_owned();
            known.frames.entry(inner.clone()).or_default();
            stack.push((&node["contentDocument"], inner));
        }
    }
    known
}

/// The nodes with listeners for presses and clicks.
async fn listeners(tools: &DevTools, session: &str, documents: &FrameTree) -> HashSet<i64> {
    let mut nodes = HashSet::new();
    for world in tools
        .worlds(session)
        .iter()
        .filter(|world| world.own && documents.frames.contains_key(&world.frame))
    {
        let document = json!({ "expression": "document", "contextId": world.id });
        let Ok(object) = tools.call(Some(session), "Runtime.evaluate", document).await else {
            continue;
        };
        let params =
            json!({ "objectId": object["result"]["objectId"], "depth": -1, "pierce": true });
        let Ok(answer) = tools.call(Some(session), "DOMDebugger.getEventListeners", params).await
        else {
            continue;
        };
        let reported = answer["listeners"].as_array().cloned().unwrap_or_default();
        nodes.extend(
            reported
                .iter()
                .filter(|reported| {
                    reported["type"].as_str().is_some_and(|kind| PRESSES.contains(&kind))
                })
                .filter_map(|reported| reported["backendNodeId"].as_i64()),
        );
    }
    nodes
}

async fn ask_frame(
    tools: &DevTools,
    session: &str,
    frame: &str,
    closed: &[i64],
    heard: &[i64],
) -> anyhow::Result<FrameFindings> {
    let world = json!({ "frameId": frame, "worldName": "sight" });
    let world =
        tools.call(Some(session), "Page.createIsolatedWorld", world).await?["executionContextId"]
            .clone();
    let closed = objects(tools, session, closed, &world).await;
    let heard = objects(tools, session, heard, &world).await;
    let mut arguments = vec![json!({ "value": closed.len() })];
    arguments.extend(closed.iter().chain(&heard).map(|object| json!({ "objectId": object })));
    let call = json!({ "functionDeclaration": ORACLE, "executionContextId": world, "arguments": arguments });
    let answer = tools.call(Some(session), "Runtime.callFunctionOn", call).await?;
    anyhow::ensure!(
        answer.get("exceptionDetails").is_none(),
        "the oracle failed: {}",
        answer["exceptionDetails"]["exception"]["description"]
    );
    let parts = properties(tools, session, &answer["result"]["objectId"]).await?;
    let report = parts.iter().find(|part| part["name"] == "report").context("no report")?;
    let report: OracleReport =
        serde_json::from_str(report["value"]["value"].as_str().unwrap_or_default())?;
    let elements = parts.iter().find(|part| part["name"] == "elements").context("no elements")?;
    let elements = properties(tools, session, &elements["value"]["objectId"]).await?;
    let elements: Vec<&Value> = elements
        .iter()
        .filter(|entry| entry["name"].as_str().is_some_and(|name| name.parse::<u32>().is_ok()))
        .map(|entry| &entry["value"]["objectId"])
        .collect();
    let described = elements.iter().map(|object| json!({ "objectId": object })).collect();
    let described = tools.each(session, "DOM.describeNode", described).await;
    let nodes: Vec<i64> = described
        .iter()
        .map(|node| node["node"]["backendNodeId"].as_i64().unwrap_or_default())
        .collect();

    let ids = identify(tools, session, frame, &nodes).await?;
    let tree = tools
        .call(Some(session), "Accessibility.getFullAXTree", json!({ "frameId": frame }))
        .await?;
    let mut tree_nodes: HashMap<i64, Accessible> = HashMap::new();
    for node in tree["nodes"].as_array().into_iter().flatten() {
        if let (Some(number), false) =
            (node["backendDOMNodeId"].as_i64(), node["ignored"].as_bool().unwrap_or_default())
        {
            let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
            let accessible = Accessible { role: text(&node["role"]), name: text(&node["name"]) };
            tree_nodes.entry(number).or_insert(accessible);
        }
    }
    let accessible = nodes.iter().map(|node| tree_nodes.get(node).cloned()).collect();
    Ok(FrameFindings { elements: report.elements, things: report.things, ids, accessible })
}

/// Handles of nodes in a world; those that are gone are left out.
async fn objects(tools: &DevTools, session: &str, nodes: &[i64], world: &Value) -> Vec<Value> {
    let params = nodes
        .iter()
        .map(|node| json!({ "backendNodeId": node, "executionContextId": world }))
        .collect();
    let answers = tools.each(session, "DOM.resolveNode", params).await;
    answers
        .into_iter()
        .map(|answer| answer["object"]["objectId"].clone())
        .filter(Value::is_string)
        .collect()
}

async fn properties(tools: &DevTools, session: &str, object: &Value) -> anyhow::Result<Vec<Value>> {
    let params = json!({ "objectId": object, "ownProperties": true });
    let answer = tools.call(Some(session), "Runtime.getProperties", params).await?;
    Ok(answer["result"].as_array().cloned().unwrap_or_default())
}

/// The names that pagesight gives these nodes.
async fn identify(
    tools: &DevTools,
    session: &str,
    frame: &str,
    nodes: &[i64],
) -> anyhow::Result<Vec<Option<(String, u32)>>> {
    let worlds = tools.worlds(session);
    let Some(world) =
        worlds.iter().rfind(|world| world.frame == frame && world.name == "pagesight")
    else {
        return Ok(vec![None; nodes.len()]);
    };
    let world = json!(world.id);
    let mut ids = Vec::with_capacity(nodes.len());
    for some in nodes.chunks(500) {
        let params = some
            .iter()
            .map(|node| json!({ "backendNodeId": node, "executionContextId": world }))
            .collect();
        let answers = tools.each(session, "DOM.resolveNode", params).await;
        let arguments: Vec<Value> = answers
            .iter()
            .map(|answer| json!({ "objectId": answer["object"]["objectId"] }))
            .collect();
        let call = json!({ "functionDeclaration": "function (...elements) { return pagesight.identify(...elements) }",
            "executionContextId": world, "arguments": arguments, "returnByValue": true });
        let answer = tools.call(Some(session), "Runtime.callFunctionOn", call).await?;
        let answer: Value = serde_json::from_str(
            answer["result"]["value"].as_str().context("pagesight does not identify")?,
        )?;
        let document = answer["doc"].as_str().unwrap_or_default();
        let given = answer["ids"].as_array().context("pagesight gave no ids")?;
        ids.extend(given.iter().map(|id| Some((document.to_owned(), id.as_u64()? as u32))));
    }
    Ok(ids)
}
