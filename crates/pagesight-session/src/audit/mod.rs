//! Audits the accessibility of a page with axe-core, in the page script's world of every frame. The
//! rules are those of Deque's axe-core, unmodified; it is compressed in the program and loaded only
//! for an audit.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use flate2::read::GzDecoder;
use pagesight_browser::{BrowserError, Tab};
use pagesight_core::fingerprint::{AuditFinding, AuditFindings, AuditLevel, is_own_rule};
use pagesight_core::page::{NodeId, Page};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::Result;
use crate::look::error::LookError;
use crate::page_script::read;

/// axe-core as npm has it: axe.min.js of version 4.14.1.
const PACKED: &[u8] = include_bytes!("axe-core/axe.min.js.gz");
/// Runs it in a frame.
const BESIDE: &str = include_str!("beside.js");
/// How long one document may take.
const LIMIT: Duration = Duration::from_secs(20);
/// How many frames are audited, and how many levels deep.
const MOST_FRAMES: usize = 50;
const DEEPEST: usize = 8;

/// The script that is loaded into a world: axe-core, then what runs it.
static SCRIPT: LazyLock<Option<String>> = LazyLock::new(|| {
    let mut script = String::new();
    GzDecoder::new(PACKED).read_to_string(&mut script).ok()?;
    Some(format!("{script}\n;{BESIDE}"))
});

/// The rules of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditRequest {
    /// The least impact that counts.
    pub level: AuditLevel,
    /// Only rules with one of these tags, unless empty.
    pub tags: Vec<String>,
    /// Rules that are left out.
    pub ignored: Vec<String>,
}

impl AuditRequest {
    /// Returns the rules of axe-core that are left out.
    fn foreign(&self) -> impl Iterator<Item = &str> {
        let ignored = self.ignored.iter().filter(|rule| !is_own_rule(rule));
        ignored.map(String::as_str)
    }

    /// Returns the options of axe-core.
    fn options(&self) -> Value {
        let rules: BTreeMap<&str, Value> =
            self.foreign().map(|rule| (rule, json!({"enabled": false}))).collect();
        let mut options = json!({"preload": false, "resultTypes": ["violations"], "rules": rules});
        if !self.tags.is_empty() {
            options["runOnly"] = json!({"type": "tag", "values": self.tags});
        }
        options
    }
}

/// A document to audit.
struct AuditedFrame {
    frame: Option<String>,
    /// The index of the document around it, and the id of its element there.
    within: Option<(usize, u32)>,
    depth: usize,
    context: Value,
}

#[derive(Deserialize)]
struct ListedFrame {
    context: Value,
    id: u32,
}

#[derive(Deserialize)]
struct UnknownName {
    unknown: Option<String>,
}

#[derive(Deserialize)]
struct Partial {
    #[serde(default)]
    partial: Value,
}

#[derive(Deserialize)]
struct Finished {
    engine: String,
    violations: Vec<WrittenViolation>,
}

#[derive(Deserialize)]
struct WrittenViolation {
    rule: String,
    help: String,
    nodes: Vec<WrittenNode>,
}

#[derive(Deserialize)]
struct WrittenNode {
    target: Vec<Value>,
    impact: Option<AuditLevel>,
    #[serde(default)]
    fix: String,
}

#[derive(Deserialize)]
struct FoundElements {
    doc: String,
    ids: Vec<u32>,
}

/// Runs axe-core in a tab and finds the elements of its violations on a page.
pub(crate) async fn audit(
    tab: &Arc<dyn Tab>,
    page: &Page,
    request: &AuditRequest,
) -> Result<AuditFindings> {
    let run = AuditRun { tab, options: request.options() };
    run.load(None).await?;
    let rules: Vec<&str> = request.foreign().collect();
    let call = format!("pagesightAudit.unknown({}, {})", json!(request.tags), json!(rules));
    if let UnknownName { unknown: Some(name) } = read(&run.call(None, &call).await?)? {
        return Err(LookError::AuditName { name }.into());
    }
    let (frames, partials, left_out) = run.documents().await?;
    let call = format!("pagesightAudit.finish({}, {})", Value::Array(partials), run.options);
    let Finished { engine, violations } = read(&run.call(None, &call).await?)?;
    let mut found: Vec<Vec<(&WrittenViolation, &WrittenNode)>> = vec![Vec::new(); frames.len()];
    let mut known = HashMap::new();
    for violation in &violations {
        for node in &violation.nodes {
            if let Some(at) = run.frame_of(&frames, node, &mut known).await? {
                found[at].push((violation, node));
            }
        }
    }
    let mut findings = Vec::new();
    for (frame, own) in frames.iter().zip(found) {
        findings.extend(run.findings(frame, own, page).await?);
    }
    findings.retain(|finding| finding.level >= request.level);
    Ok(AuditFindings { engine, findings, left_out })
}

struct AuditRun<'a> {
    tab: &'a Arc<dyn Tab>,
    options: Value,
}

impl AuditRun<'_> {
    async fn call(&self, frame: Option<&str>, expression: &str) -> Result<String> {
        Ok(self.tab.evaluate_beside(frame, expression, LIMIT).await?)
    }

    /// Loads axe-core into a document, unless it is there.
    async fn load(&self, frame: Option<&str>) -> Result<()> {
        let known = "JSON.stringify(typeof pagesightAudit === 'object')";
        if self.call(frame, known).await? == "true" {
            return Ok(());
        }
        let script = SCRIPT.as_deref().ok_or_else(|| {
            BrowserError::Script("axe-core in this program is damaged; install it again".to_owned())
        })?;
        self.call(frame, script).await.map(drop)
    }

    /// Audits the documents of all frames. Returns them, the results of all but the top document
    /// in the order that axe-core wants, and how many frames were left out.
    async fn documents(&self) -> Result<(Vec<AuditedFrame>, Vec<Value>, usize)> {
        let top = AuditedFrame { frame: None, within: None, depth: 0, context: Value::Null };
        let call = format!("pagesightAudit.run(null, {}, true)", self.options);
        self.call(None, &call).await?;
        let (mut done, mut partials, mut left_out) = (Vec::new(), Vec::new(), 0);
        // Depth first, because axe-core finds the frames of a result by their order.
        let mut open = self.frames_of(&top, 0).await?;
        open.reverse();
        done.push(top);
        while let Some((frame, id)) = open.pop() {
            let entered = frame.frame.is_some() && done.len() <= MOST_FRAMES && id != 0;
            let audited = match entered {
                true => self.document(&frame, done.len()).await.ok(),
                false => None,
            };
            let Some((partial, mut inner)) = audited else {
                left_out += 1;
                partials.push(Value::Null);
                continue;
            };
            partials.push(partial);
            inner.reverse();
            open.extend(inner);
            done.push(frame);
        }
        Ok((done, partials, left_out))
    }

    /// Audits the document of a frame, which gets this index. A frame that fails does not fail the
    /// page.
    async fn document(
        &self,
        frame: &AuditedFrame,
        index: usize,
    ) -> Result<(Value, Vec<(AuditedFrame, u32)>)> {
        let id = frame.frame.as_deref();
        self.load(id).await?;
        let call = format!("pagesightAudit.run({}, {}, false)", frame.context, self.options);
        let Partial { partial } = read(&self.call(id, &call).await?)?;
        let inner = match frame.depth < DEEPEST {
            true => self.frames_of(frame, index).await?,
            false => vec![],
        };
        Ok((partial, inner))
    }

    /// Returns the frames in a document, with the ids of their elements.
    async fn frames_of(
        &self,
        around: &AuditedFrame,
        index: usize,
    ) -> Result<Vec<(AuditedFrame, u32)>> {
        let call = format!("pagesightAudit.frames({}, {})", around.context, self.options);
        let listed: Vec<ListedFrame> = read(&self.call(around.frame.as_deref(), &call).await?)?;
        let ids: Vec<u32> = listed.iter().map(|frame| frame.id).filter(|id| *id != 0).collect();
        let engine = self.tab.frames_of(around.frame.as_deref(), &ids, LIMIT).await?;
        let mut engine = engine.into_iter();
        let frame = |listed: ListedFrame| {
            let frame = if listed.id == 0 { None } else { engine.next().flatten() };
            let (within, depth) = (Some((index, listed.id)), around.depth + 1);
            (AuditedFrame { frame, within, depth, context: listed.context }, listed.id)
        };
        Ok(listed.into_iter().map(frame).collect())
    }

    /// Returns the index of the document that an element is in. axe-core names frames by selectors
    /// of its own, so they are looked up. `known`: those that were.
    async fn frame_of(
        &self,
        frames: &[AuditedFrame],
        node: &WrittenNode,
        known: &mut HashMap<(usize, String), Option<usize>>,
    ) -> Result<Option<usize>> {
        let Some((_, around)) = node.target.split_last() else { return Ok(None) };
        let mut at = 0;
        for selector in around {
            let key = (at, selector.to_string());
            let next = match known.get(&key) {
                Some(next) => *next,
                None => {
                    let call = format!("pagesightAudit.elements({})", json!([selector]));
                    let FoundElements { ids, .. } =
                        read(&self.call(frames[at].frame.as_deref(), &call).await?)?;
                    let id = ids.first().copied().unwrap_or_default();
                    let next = frames.iter().position(|it| it.within == Some((at, id)));
                    known.insert(key, next);
                    next
                }
            };
            let Some(next) = next else { return Ok(None) };
            at = next;
        }
        Ok(Some(at))
    }

    /// Returns the violations in one document, with the elements on the page.
    async fn findings(
        &self,
        frame: &AuditedFrame,
        own: Vec<(&WrittenViolation, &WrittenNode)>,
        page: &Page,
    ) -> Result<Vec<AuditFinding>> {
        if own.is_empty() {
            return Ok(Vec::new());
        }
        let selectors: Vec<&Value> =
            own.iter().filter_map(|(_, node)| node.target.last()).collect();
        let call = format!("pagesightAudit.elements({})", json!(selectors));
        let found: FoundElements = read(&self.call(frame.frame.as_deref(), &call).await?)?;
        let known: BTreeMap<u32, NodeId> = page
            .nodes()
            .filter(|node| !node.is_text() && node.document().token == found.doc)
            .map(|node| (node.local(), node.id()))
            .collect();
        let finding = |((violation, node), id): ((&WrittenViolation, &WrittenNode), u32)| {
            let selector = node.target.last().map_or_else(String::new, words_of);
            AuditFinding {
                rule: violation.rule.clone(),
                level: node.impact.unwrap_or_default(),
                help: violation.help.clone(),
                fix: node.fix.trim().to_owned(),
                node: known.get(&id).copied(),
                selector,
            }
        };
        Ok(own.into_iter().zip(found.ids).map(finding).collect())
    }
}

/// Returns a selector as text; in shadow roots there is one for each root.
fn words_of(selector: &Value) -> String {
    match selector {
        Value::Array(parts) => parts.iter().map(words_of).collect::<Vec<_>>().join(" "),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axe_core_is_there_with_its_notice() {
        let script = SCRIPT.as_deref().unwrap();
        assert!(
            script.starts_with("/*! axe v4.14.1\n") && script.contains("MPL was not distributed")
        );
        // The size of axe.min.js in the npm package.
        assert_eq!(script.find("\n;// Runs axe-core"), Some(653_780));
    }

    #[test]
    fn options_leave_out_rules_and_choose_tags() {
        let request = AuditRequest {
            tags: vec!["wcag2a".to_owned()],
            ignored: vec!["region".to_owned(), "pagesight-small".to_owned()],
            ..AuditRequest::default()
        };
        let options = request.options();
        assert_eq!(options["preload"], false);
        assert_eq!(options["rules"], json!({"region": {"enabled": false}}));
        assert_eq!(options["runOnly"]["values"], json!(["wcag2a"]));
    }
}
